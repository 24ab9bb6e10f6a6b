"""What host code works with, as far as it is followed: queues, events, memory, buffers, and commands in flight."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from enum import Enum
from functools import cached_property
from typing import TypeAlias

from sycllint.cpp.expression import Expr, Lambda, Type, Unary
from sycllint.cpp.node import Node
from sycllint.cpp.place import Place
from sycllint.cpp.statement import Function
from sycllint.record import NamedTuple, field, mutable, record, replace, unique
from sycllint.source.span import Location
from sycllint.values.objects import Frame, Point
from sycllint.values.value import Term


class Kind(Enum):
    """What a variable is."""

    QUEUE = "queue"
    EVENT = "event"
    EVENTS = "list of events"
    HANDLER = "handler"
    POINTER = "pointer"
    OBJECT = "object"
    ARRAY = "array"
    CONTAINER = "container"
    OWNER = "unique_ptr"
    BUFFER = "buffer"
    HOST_ACCESSOR = "host_accessor"
    ACCESSOR = "accessor"
    LAMBDA = "lambda"
    REDUCTION = "reduction"
    OTHER = "other"


# Tuples: an enumeration hashes its members in Python.
DYING = (Kind.OBJECT, Kind.ARRAY, Kind.CONTAINER, Kind.OWNER)
"""Variables that end with their block, and their memory with them."""
WITH_MEMBERS = (Kind.OBJECT, Kind.POINTER, Kind.OWNER, Kind.OTHER)


class Allocator(Enum):
    """Where memory comes from."""

    DEVICE = "malloc_device"
    SHARED = "malloc_shared"
    HOST = "malloc_host"
    MALLOC = "malloc"
    NEW = "new"
    UNKNOWN = "unknown"

    @property
    def is_usm(self) -> bool:
        """Whether SYCL allocated it."""
        return self in (Allocator.DEVICE, Allocator.SHARED, Allocator.HOST)

    @property
    def is_plain(self) -> bool:
        """Whether the C or C++ library allocated it."""
        return self in (Allocator.MALLOC, Allocator.NEW)


class QueueOrder(Enum):
    """Whether commands of a queue wait for one another."""

    IN_ORDER = "in order"
    OUT_OF_ORDER = "out of order"
    UNKNOWN = "unknown"


@unique
class Thing:
    """A variable from one assignment to the next; two are the same only when they are one object."""

    name: str
    kind: Kind
    location: Location
    block: int = 0
    """The block it is declared in; 0 for what no block of this function declares."""
    automatic: bool = False
    """It dies with its block."""
    leaves: bool = False
    """A pointer that is gone with its block itself, whatever becomes of the memory it leads to."""
    constant: bool = False
    order: QueueOrder = QueueOrder.UNKNOWN
    """In which a queue runs commands, or one does that is made with a list of properties."""
    device: str = ""
    """Which device a queue is for, as it is written: ``gpu_selector_v``, ``devices[1]``; empty where no other is surely
    another one."""
    own: bool = False
    """A queue made here, so that it is no other's copy."""
    origin: Allocator = Allocator.UNKNOWN
    allocated: Location | None = None
    allocated_for: Thing | None = None
    """The queue that memory was allocated with."""
    count: AllocatedCount | None = None
    """How much memory was asked for where it was allocated."""
    target: Ref | None = None
    """What a pointer or a reference points to; the host memory of a buffer."""
    command: Command | None = None
    """The command an event belongs to."""
    closure: Lambda | None = None
    closure_place: Place | None = None
    closure_depth: int = 0
    """How many calls of functions are around the lambda, whose names it has."""
    holds_queue: bool = False
    """An object made from a queue or an event."""
    writes_back: bool = False
    """A buffer that copies to its host memory when it ends."""
    in_place: bool = False
    """A buffer that uses its host memory itself."""
    combines: bool = False
    """A reduction that surely combines with what its variable holds."""
    loops: int = 0
    """How many loops of the function are around its declaration."""
    type_name: str = ""
    written: Type | None = None
    """The type as it is declared, or as it was deduced."""
    owner: Thing | None = None
    """The object that this is a member of."""
    guards: bool = False
    """An object with a destructor that is not looked at."""
    given: bool = False
    """A queue that a function gives: which one is not known."""
    hidden: bool = False
    """A queue known only by its name."""

    def owners(self) -> Iterator[Thing]:
        """The variable itself, and the objects that it is a part of."""
        thing: Thing | None = self
        while thing is not None:
            yield thing
            thing = thing.owner

    def is_part_of(self, whole: Thing) -> bool:
        """Whether it is ``whole``, or a part of it."""
        thing: Thing | None = self
        while thing is not None and thing is not whole:
            thing = thing.owner
        return thing is not None

    @property
    def memory(self) -> Thing:
        """The memory itself, for a pointer that is known to point into something."""
        return settled(Ref(self)).thing if self.target is not None else self

    @property
    def leads(self) -> bool:
        """Whether it is known which memory, command or queue is reached by it."""
        known = self.target is not None or self.command is not None or self.closure is not None
        return known or self.kind is Kind.QUEUE or self.origin is not Allocator.UNKNOWN

    def with_unknown_value(self) -> Thing:
        """The same variable with a value of which nothing is known."""
        return Thing(
            self.name,
            self.kind,
            self.location,
            block=self.block,
            leaves=self.leaves,
            type_name=self.type_name,
            written=self.written,
            owner=self.owner,
        )

    def again(self, **changes: object) -> Thing:
        """The same variable with another value."""
        return replace(self, **changes)  # type: ignore[arg-type]


@record
class WrittenNumber:
    """A number as it is written, and where that is asked for."""

    expression: Expr
    point: Point = field(compare=False)
    frame: Frame | None
    """How the code is reached."""
    again: bool
    """That is a loop's second pass, in which variables of the loop have other values than in the first."""
    in_bytes: bool = False
    """It counts bytes, and not elements."""


@record
class AllocatedCount:
    """How much memory an allocation asks for."""

    number: WrittenNumber
    element: Type | None
    """What the number counts; ``None`` where that is bytes."""


Sum: TypeAlias = "tuple[WrittenNumber | int, ...]"


@record
class Ref:
    """Memory: all that a thing has or points to, or (``whole`` false) a part of it."""

    thing: Thing
    whole: bool = True
    begins: Sum | None = ()
    """The element with which the part begins; ``None`` where that is not known."""
    ends: Sum | None = None
    """The element behind its last; ``None`` where it may have more than is known."""

    def at(self, offset: Sum | None, *, whole: bool) -> Ref:
        """What begins ``offset`` elements further on."""
        begins = (*self.begins, *offset) if self.begins is not None and offset is not None else None
        return Ref(self.thing, whole, begins)

    def with_number(self, written: WrittenNumber, number: int) -> Ref:
        """The same where something that is written is a number."""
        begins, ends = (
            tuple(number if part is written else part for part in each) if each is not None else None
            for each in (self.begins, self.ends)
        )
        return Ref(self.thing, self.whole, begins, ends)

    def of(self, count: Sum | None) -> Ref:
        """As many elements from where it begins."""
        return replace(self, ends=(*self.begins, *count) if self.begins is not None and count is not None else None)


def between(first: Ref, last: Ref) -> Sum | None:
    """How many elements there are from where one part begins to where another of the same memory does."""
    if first.begins is None or last.begins is None:
        return None
    return (*last.begins, *map(_negated, first.begins))


def _negated(number: WrittenNumber | int) -> WrittenNumber | int:
    if isinstance(number, int):
        return -number
    return replace(number, expression=Unary("-", number.expression, number.point.offset, number.point.offset))


def settled(ref: Ref) -> Ref:
    """The memory itself, for a pointer that is known to point into something."""
    for _ in range(8):
        target = ref.thing.target
        if ref.thing.kind is not Kind.POINTER or target is None:
            return ref
        # What a pointer to a part is given to begins there, too.
        ref = target.at(ref.begins, whole=ref.whole and target.whole)
    return ref


class Touched(NamedTuple):
    """Memory that a command uses."""

    writes: tuple[Ref, ...] = ()
    reads: tuple[Ref, ...] = ()
    by_kernel: tuple[Ref, ...] = ()
    """What of that a kernel reads and writes; the rest is copied or filled."""


@record
class Moved:
    """How much a copy or a filling is asked to move, and where."""

    number: WrittenNumber
    sides: tuple[Expr, ...]
    """The destination, and the source or the value, as they are written."""
    memory: tuple[Ref, ...]
    method: str = ""
    """The method of a handler that does it; empty where the command itself is the copy."""


class MemoryUse:
    """What a part of a command does to memory; of a kernel it is worked out when it is first asked for."""

    def __init__(self, things: Iterable[Thing], work_out: Callable[[], Touched]) -> None:
        self.things = self.written = frozenset(things)
        """Of no others the memory is used; and what counts as written once the command was submitted."""
        self._work_out = work_out
        self.moved: Moved | None = None
        """Set of what is copied or filled in one dimension."""

    @classmethod
    def known(cls, *touched: tuple[Ref, ...]) -> MemoryUse:
        """The use of what is given as the fields of ``Touched``."""
        found = Touched(*touched)
        made = cls([ref.thing for refs in found for ref in refs], lambda: found)
        made.written = frozenset([ref.thing for ref in found.writes])
        return made

    @cached_property
    def touched(self) -> Touched:
        """Which memory is read and written."""
        return self._work_out()


@unique
class BoundKernel:
    """A function on the device, as a command launches it or as another such function calls it."""

    function: Lambda | Function
    place: Place
    use: MemoryUse
    """Of all memory that it uses, by itself or through what it calls."""
    memory: Mapping[tuple[str, ...], Ref]
    """The memory that it comes to by a name, or by a name and members."""
    names: Mapping[str, Thing]
    """What names around it stand for."""
    home: tuple[Location, ...] | None
    """The calls that lead to the function in which a lambda stands: other names around two of one home mean the same.

    What the members of a function object are that are not followed, no two have in common.
    """
    values: Mapping[str, Expr]
    """What its init-captures, or the members of its object, are made from."""
    made: WrittenNumber
    """What makes it."""
    called: tuple[tuple[tuple[str, ...], BoundKernel], ...] = ()
    """The function objects from around it that it calls, by name."""

    def user_of(self, ref: Ref) -> BoundKernel:
        """Itself, or the function object that it calls which uses memory."""
        inside = (each for _, each in self.called if ref in each.use.touched.by_kernel)
        inner = next(inside, None)
        return inner.user_of(ref) if inner is not None else self

    def mentioned(self) -> Iterator[Node]:
        """The code that says what it does."""
        yield from (self.function, *self.values.values())
        for _, each in self.called:
            yield from each.mentioned()


@unique
class Command:
    """One submission to a queue that returns before it is done."""

    what: str
    """How it is written: ``q.memcpy``."""
    is_kernel: bool
    location: Location
    """The call, or its use when a macro holds it."""
    point: Point
    chain: tuple[Location, ...]
    """The calls by which it is reached, outermost first."""
    queue: Thing | None
    memory: tuple[MemoryUse, ...] = ()
    uses: frozenset[Thing] = frozenset()
    """Of no others it uses the memory: to be asked before ``writes`` and ``reads``, which are costly."""
    around: frozenset[Thing] = frozenset()
    """Those, and the objects that they are parts of."""
    buffers: tuple[tuple[Thing, bool], ...] = ()
    """Buffers it has accessors of, and whether it may write them."""
    ordered: bool = False
    """Given events to wait for, or ordered in a way that is not followed."""
    follows: bool = False
    """Given events, which may be those of another queue."""
    after: tuple[Command, ...] | None = None
    """The commands whose events it was given, when these are all that order it."""
    kernel: BoundKernel | None = None
    """The one kernel that it launches."""
    combined: tuple[Ref, ...] = ()
    """What its reductions surely combine with what was there before."""
    space: WrittenNumber | None = None
    """The range of the launch."""
    signals: bool = False
    """A host task in it may signal the host, by a promise or a flag, that what it waited for is done."""
    waitable: bool = False
    """``.wait()`` can be written behind it."""

    @property
    def writes(self) -> tuple[Ref, ...]:
        """The memory that it writes."""
        return tuple([ref for each in self.memory for ref in each.touched.writes])

    @property
    def reads(self) -> tuple[Ref, ...]:
        """The memory that it reads."""
        return tuple([ref for each in self.memory for ref in each.touched.reads])

    @property
    def by_kernel(self) -> tuple[Ref, ...]:
        """The memory that its kernels use."""
        return tuple([ref for each in self.memory for ref in each.touched.by_kernel])

    def all_before(self) -> frozenset[Command] | None:
        """The commands that are done when it begins; ``None`` when something else may order it."""
        found: set[Command] = set()
        pending: list[Command] = [self]
        while pending:
            command = pending.pop()
            if command.queue is not self.queue or (command.ordered and (command.after is None or command.buffers)):
                return None
            new = [each for each in command.after or () if each not in found]
            found.update(new)
            pending += new
        return frozenset(found)

    def touches(self, thing: Thing) -> bool:
        """Whether it reads or writes ``thing`` or a member of it."""
        return thing in self.around and any(ref.thing.is_part_of(thing) for ref in (*self.writes, *self.reads))


@record
class Flight:
    """How surely a command is still running."""

    region: int | None = None
    """Set when it was submitted on some ways only: the branch in which these met again."""
    assumption: str = ""
    """A condition of the preprocessor under which it was not waited for."""
    doubt: str = ""
    """Name of code that is not visible and may have waited for it: of a macro, a function, or a queue's own method."""
    fenced: bool = False
    """Later commands wait for it."""
    kept: bool = False
    """Its event is where functions find it that are handed nothing."""
    begun: int = 0
    """The innermost branch in which it was submitted."""


@unique
class Lock:
    """A host accessor that is alive."""

    accessor: Thing
    buffer: Thing
    writes: bool
    place: Place | None = None
    """Of the declaration; ``None`` when a macro holds it."""


@unique
class Blocked:
    """A command that cannot run before a host accessor ends."""

    lock: Lock
    command: Command


Key: TypeAlias = "str | tuple[Term, ...]"
"""The name of a member, or the index of an element: a number, or a sum."""
Part: TypeAlias = "tuple[Thing, Key]"
"""An object with one of its members, or an array with one of its elements."""
Found: TypeAlias = "list[tuple[str | Part, Thing]]"
"""Variables that no block of the function declares, and members of variables, by what they are known again."""


class Freed(NamedTuple):
    """Where memory was freed."""

    location: Location
    chain: tuple[Location, ...]
    """The calls by which that is reached, outermost first."""
    pointer: Expr
    place: Place
    """Where that is written."""


@mutable
class WalkState:
    """What is known at one point of one way through a function."""

    things: dict[str, Thing] = field(default_factory=dict)
    outer: dict[str | Part, Thing] = field(default_factory=dict)
    """Variables that no block of the function declares, and members of variables."""
    flights: dict[Command, Flight] = field(default_factory=dict)
    finished: frozenset[Command] = frozenset()
    """Commands that were waited for, or may have been."""
    locks: tuple[Lock, ...] = ()
    blocked: tuple[Blocked, ...] = ()
    moved: frozenset[Thing] = frozenset()
    """Variables whose memory was moved to another owner."""
    written: frozenset[Thing] = frozenset()
    """Device memory that something may have written."""
    stale: tuple[tuple[Thing, Command], ...] = ()
    """Buffers that are alive and whose host memory is older than what a command wrote."""
    over: bool = False
    """This way has ended."""
    keeping: frozenset[Thing] = frozenset()
    """Variables in whose members and elements events were put."""
    freed: Mapping[Thing, Freed] = field(default_factory=dict)
    """Memory that ``sycl::free`` was given on all ways that lead here; replaced, and never changed."""
    recording: bool = False
    """What queues are given goes into a graph of commands, and none of it runs."""

    def copy(self) -> WalkState:
        """The start of another way."""
        return WalkState(
            things=dict(self.things),
            outer=dict(self.outer),
            flights=dict(self.flights),
            finished=self.finished,
            locks=self.locks,
            blocked=self.blocked,
            moved=self.moved,
            written=self.written,
            stale=self.stale,
            over=self.over,
            keeping=self.keeping,
            freed=self.freed,
            recording=self.recording,
        )

    def differs(self, before: WalkState) -> bool:
        """Whether a way that begins here may show more than one that began at ``before``.

        A variable that leads nowhere any more, or is named for the first time, shows no more.
        """
        if self.flights.keys() - before.flights.keys() or self.stale != before.stale or self.locks != before.locks:
            return True
        things, outer = before.things, before.outer
        changed = [each for name, each in self.things.items() if things.get(name, each) is not each]
        changed += [each for key, each in self.outer.items() if outer.get(key) is not each]
        return any(each.leads for each in changed)

    def same_in_flight(self, other: WalkState) -> bool:
        """Whether all is as in ``other`` but for what names stand for, what was written or moved, or waited for."""
        return (
            self.flights == other.flights
            and self.locks == other.locks
            and self.blocked == other.blocked
            and self.stale == other.stale
            and self.keeping == other.keeping
            and self.freed == other.freed
            and self.recording == other.recording
        )

    def finish(self, commands: Collection[Command]) -> None:
        """These are not surely in flight any more."""
        for command in commands:
            self.flights.pop(command, None)
        if commands:
            self.finished |= frozenset(commands)
