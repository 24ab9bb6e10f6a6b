"""A kernel as a compiler reports it: the numbers that the source leaves to the compiler."""

from collections.abc import Iterable, Sequence

from sycllint.hardware.device import Vendor
from sycllint.record import record, replace


@record
class CompiledKernel:
    """One kernel made for one device. A number is ``None`` where the report does not have it."""

    name: str
    """As in the report, mangled."""
    vendor: Vendor
    device: str | None
    """Short name; ``None`` when the report does not say what it is for."""
    path: str
    line: int | None
    """Of the report; ``None`` in a binary."""
    sub_group_size: int | None = None
    registers: int | None = None
    """Per hardware thread on Intel, per work-item elsewhere (AMD: VGPRs)."""
    accumulators: int | None = None
    """AMD's accumulation VGPRs (AGPRs) per work-item, where the device has any."""
    local_memory: int | None = None
    """Bytes per work-group that are fixed in the kernel, without those of local accessors."""
    local_memory_whole: bool = False
    """No local accessor is among its arguments, so that there is no more."""
    barriers: int | None = None
    private_memory: int | None = None
    """Bytes of each work-item's state that live in memory, not in registers: what follows, or the stack frame."""
    private_arrays: int | None = None
    """Bytes of each work-item's private arrays that live in memory."""
    spills: int | None = None
    """Bytes of each work-item's registers that were spilled."""
    dynamic_stack: bool = False
    """Its stack has a size that the compiler assumes: it calls what is not known when it is compiled."""

    @property
    def place(self) -> str:
        """``path:line`` of the report."""
        return self.path if self.line is None else f"{self.path}:{self.line}"

    @property
    def numbers(self) -> tuple[object, ...]:
        """All that is said of it, without where and under which name."""
        return (
            self.sub_group_size,
            self.registers,
            self.accumulators,
            self.local_memory,
            self.local_memory_whole,
            self.barriers,
            self.private_memory,
            self.private_arrays,
            self.spills,
            self.dynamic_stack,
        )


def agreed(kernels: Sequence[CompiledKernel]) -> CompiledKernel:
    """One report for all of ``kernels``, instantiations of one: a number is ``None`` where they differ.

    It has an assumed stack when one of them has.
    """
    first = kernels[0]
    if all(each.numbers == first.numbers for each in kernels):
        return first
    return replace(
        first,
        sub_group_size=_common(each.sub_group_size for each in kernels),
        registers=_common(each.registers for each in kernels),
        accumulators=_common(each.accumulators for each in kernels),
        local_memory=_common(each.local_memory for each in kernels),
        local_memory_whole=all(each.local_memory_whole for each in kernels),
        barriers=_common(each.barriers for each in kernels),
        private_memory=_common(each.private_memory for each in kernels),
        private_arrays=_common(each.private_arrays for each in kernels),
        spills=_common(each.spills for each in kernels),
        dynamic_stack=any(each.dynamic_stack for each in kernels),
    )


def _common(numbers: Iterable[int | None]) -> int | None:
    found = set(numbers)
    return found.pop() if len(found) == 1 else None


@record
class ReadReport:
    """What was found in one file of compilers' reports, and what of it could be read."""

    path: str
    kernels: int
    """Kernels that were read, for all devices."""
    images: int = 0
    """Device binaries for one device each, in a file that holds such."""
    read: int = 0
    """Those of them that were read."""
    unread: tuple[tuple[str, int], ...] = ()
    """Why images or kernels were not read, and how many."""
    devices: tuple[str, ...] = ()
    """The devices that its kernels are for, by short name."""


@record
class Joined:
    """What became of the kernels of reports, by name; each is a kernel once, however many devices it is for."""

    kernels: int
    """Those that can belong to a launch."""
    launches: int
    """Launches with a report."""
    elsewhere: tuple[str, ...] = ()
    """No visible launch has this name."""
    ambiguous: tuple[str, ...] = ()
    """Several launches may be meant."""
    own: tuple[str, ...] = ()
    """Kernels of the SYCL runtime."""
    unreadable: tuple[str, ...] = ()
    """The mangled name is beyond the reader."""

    @property
    def joined(self) -> int:
        """Kernels that belong to one launch."""
        return self.kernels - len(self.elsewhere) - len(self.ambiguous)


@record
class KernelInfo:
    """What compilers report of the kernels of a run."""

    kernels: tuple[CompiledKernel, ...] = ()
    files: tuple[ReadReport, ...] = ()
