"""What the analyses of host code saw: one kind of record for each mistake, with the places that show it."""

from enum import Enum

from sycllint.record import record
from sycllint.source.edit import Edit
from sycllint.source.span import Location


class Use(Enum):
    """What the host does with memory."""

    READ = "read"
    WRITTEN = "written"
    FREED = "freed"


@record
class Submitted:
    """A command, for messages: ``q.memcpy`` and where its call stands."""

    what: str
    is_kernel: bool
    location: Location
    writes: bool
    """It writes the memory in question; otherwise it reads it."""
    waitable: bool
    """``.wait()`` may be written behind it."""


@record
class EarlyUse:
    """The host uses memory of a command that it has not waited for."""

    name: str
    use: Use
    location: Location
    command: Submitted
    missing: tuple[Submitted, ...]
    """The commands whose wait is missing, ``command`` among them unless a wait for one behind it in order is enough."""
    inner: Location | None = None
    """Where the use is written, when ``location`` is the call that leads to it."""
    assumption: str = ""
    """The condition of the preprocessor that leaves a wait out."""
    configured: bool = False
    """It depends on constants of the program whose values are not known: it may be code that never runs."""
    in_branch: bool = False
    """Only some ways through the function lead past the command and then to the use."""
    doubt: str = ""
    """The name of code that is not visible and may have waited."""


@record
class DyingMemory:
    """An automatic object ends while a command uses it."""

    name: str
    declared: Location
    location: Location
    """The command, or the call that leads to it, in the function that declares the object."""
    command: Submitted
    missing: tuple[Submitted, ...]
    """The commands whose wait is missing, ``command`` among them unless a wait for one behind it in order is enough."""
    assumption: str = ""
    in_branch: bool = False
    """Only some ways through the function lead past the command and then to the end of the object."""
    doubt: str = ""
    """The name of code that is not visible and may have waited."""


@record
class UsedAfterFree:
    """Memory is used after ``sycl::free`` was given it, or freed again."""

    name: str
    use: Use
    by: str
    """The command that uses it; empty where the host does."""
    location: Location
    freed: Location


@record
class ForeignMemory:
    """A command uses memory that was allocated with a queue for another device."""

    name: str
    what: str
    device: str
    """That of the command."""
    other: str
    """That of the memory."""
    location: Location
    allocated: Location | None


@record
class WrongFree:
    """Memory is freed by the wrong library."""

    name: str
    allocator: str
    freed_by: str
    location: Location
    allocated: Location | None


@record
class Unordered:
    """Two commands of an out-of-order queue use the same memory, one of them writes, and nothing orders them."""

    name: str
    queue: str
    queue_location: Location
    location: Location
    """The second command, or the call that leads to it, in the function that both are reached from."""
    first: Submitted
    second: Submitted
    again: bool = False
    """They are one command of a loop, in one iteration and the next."""


@record
class HostAccessOfDevice:
    """The host reads or writes through a pointer to device memory."""

    name: str
    location: Location
    allocated: Location | None


@record
class HostMemoryInKernel:
    """A kernel reads or writes memory that only the host has."""

    name: str
    source: str
    """``malloc``, ``new`` or ``std::vector``."""
    location: Location
    allocated: Location
    command: Location


@record
class Deadlock:
    """A host accessor is alive while the host waits for a command that needs its buffer."""

    accessor: str
    accessor_location: Location
    buffer: str
    command: Location
    wait: Location
    braces: tuple[Edit, ...] = ()
    """What ends the accessor before the command; empty where that would change more."""


@record
class TwoHostAccessors:
    """Two host accessors of one buffer are alive, and one of them writes."""

    first: str
    first_location: Location
    second: str
    location: Location
    buffer: str
    braces: tuple[Edit, ...] = ()
    """What ends the first before the second is made; empty where that would change more."""


@record
class StaleHostData:
    """Host memory of a buffer is used after a kernel wrote the buffer and before its end."""

    name: str
    buffer: str
    buffer_location: Location
    location: Location
    command: Location


@record
class FreedHostData:
    """Host memory of a buffer is freed while a command that uses the buffer is in flight."""

    name: str
    buffer: str
    buffer_location: Location
    location: Location
    command: Location


@record
class OutlivedHostData:
    """A function returns a buffer over the memory of one of its variables, which ends with the function."""

    name: str
    buffer: str
    buffer_location: Location
    location: Location


class CopyFlaw(Enum):
    """Why a copy cannot be meant so."""

    UNWRITTEN = "it reads device memory that nothing has written"
    HOST_ONLY = "both ends are host memory"
    OVERWRITES = "it overwrites what a kernel has written, and nothing reads either"


@record
class SwappedCopy:
    """A copy whose source and destination cannot be meant so."""

    source: str
    destination: str
    flaw: CopyFlaw
    location: Location
    beside: Location | None
    """Where the memory is allocated, or the kernel is launched whose results are overwritten."""


@record
class UninitialisedReduction:
    """A reduction combines its result with device memory that nothing has written."""

    name: str
    location: Location
    """Of the launch."""
    allocated: Location


@record
class MiscountedCopy:
    """A copy or a filling whose size is in the wrong unit: elements where bytes are asked for, or the reverse."""

    name: str
    what: str
    """How the copy is written: ``q.memcpy``."""
    written: str
    """Its size."""
    element: str
    """The type of the elements of ``name``."""
    size: int
    """Bytes of one of them."""
    past_end: bool
    """It is given bytes and moves elements, or the memory was allocated with elements for bytes: it is too long."""
    location: Location
    declared: Location


@record
class MiscountedAllocation:
    """An allocation of elements that is given their bytes."""

    allocator: str
    written: str
    element: str
    size: int
    """Bytes of one of them."""
    location: Location


@record
class PlaceholderOnHost:
    """An accessor made without a handler is indexed by the host."""

    name: str
    location: Location
    declared: Location


@record
class BufferInLoop:
    """A buffer over host memory from outside a loop is made and used in each iteration."""

    name: str
    host_memory: str
    location: Location
    command: Location


@record
class QueueInLoop:
    """A queue is made in each iteration of a loop, each time from the same arguments."""

    name: str
    location: Location


@record
class CapturedByReference:
    """A kernel is a lambda that captures by reference."""

    names: tuple[str, ...]
    """The names that are captured so one by one; empty for ``[&]``."""
    location: Location
    """The lambda up to its body."""
    fixable: bool
    """``[=]`` in place of ``[&]`` would do."""


@record
class CapturedObject:
    """A kernel names a data member of the class around it, and so captures ``this``."""

    member: str
    owner: str
    location: Location
