"""The calculator: the occupancy of one launch, given by its numbers, and how it depends on two of them.

It adds no arithmetic to ``estimate_occupancy``, ``waves`` and ``suggestions``: it checks what was asked, asks them, and
varies the work-group size and the local memory around the launch.
"""

from collections.abc import Callable, Iterable, Sequence
from math import prod

from sycllint.errors import SycllintError
from sycllint.hardware.device import Device, Vendor
from sycllint.occupancy.estimate import estimate_occupancy, limit
from sycllint.occupancy.halo import Halo, halo
from sycllint.occupancy.intel import LARGE_REGISTERS
from sycllint.occupancy.occupancy import Limiter, Occupancy
from sycllint.occupancy.registers import RegisterStep, register_steps
from sycllint.occupancy.suggest import Suggestion, suggestions
from sycllint.occupancy.waves import Waves, waves
from sycllint.record import record, replace

KIBIBYTE = 1024

_BEST = 3
"""Work-group sizes that are proposed."""


@record
class Question:
    """What a launch asks for. Extents are slowest first, as in ``sycl::range``, in work-items."""

    work_group: tuple[int, ...]
    sub_group: int | None = None
    """Work-items; ``None`` on devices with one size."""
    local_memory: int = 0
    """Bytes per work-group."""
    barrier: bool = False
    registers: int | None = None
    """Per hardware thread (Intel) or work-item (AMD, NVIDIA); ``None``: the device's default."""
    global_range: tuple[int, ...] | None = None
    """``None``: nothing is said of the whole device."""
    cores: int | None = None
    """In place of the device's own count."""
    halo: int | None = None
    """How far a work-item reads around its own element; ``None``: nothing is said of borders."""

    @property
    def size(self) -> int:
        """Work-items of a work-group."""
        return prod(self.work_group)

    @property
    def items(self) -> int | None:
        """Work-items of the launch."""
        return None if self.global_range is None else prod(self.global_range)

    @property
    def groups(self) -> int | None:
        """Work-groups of the launch."""
        return None if self.items is None else self.items // self.size

    @property
    def pinned(self) -> bool:
        """Whether a group has to stay on one core, for its barrier or its local memory."""
        return self.barrier or self.local_memory > 0


@record
class CurvePoint:
    """The launch at another value of one number; 0 groups where it cannot run."""

    value: int
    groups_per_core: int
    ratio: float


@record
class Curve:
    """Points by ascending value, and which of them is the launch as it was asked for."""

    points: tuple[CurvePoint, ...]
    current: int

    @property
    def here(self) -> CurvePoint:
        """The launch as it was asked for."""
        return self.points[self.current]


@record
class Best:
    """A work-group size worth taking, and a local range of that size when the global range is known."""

    suggestion: Suggestion
    local_range: tuple[int, ...] | None

    @property
    def size(self) -> str:
        """``1x4x128 = 512``; ``512`` without a local range of several dimensions."""
        size = str(self.suggestion.work_group)
        return size if len(self.local_range or ()) < 2 else f"{shape(self.local_range or ())} = {size}"


@record
class Answer:
    """What the device makes of the launch."""

    device: Device
    question: Question
    occupancy: Occupancy
    cores: int | None
    """The number of cores; ``None`` when no document gives it."""
    rounds: Waves | None
    """Rounds of whole groups; ``None`` without a global range or a count of cores."""
    split_rounds: Waves | None
    """Rounds when groups are cut between cores, where that may happen and makes a difference."""

    @property
    def halo(self) -> Halo | None:
        """What a work-group loads with the border around it; ``None`` when it was not asked for."""
        radius = self.question.halo
        return None if radius is None else halo(self.question.work_group, radius)


def answer(device: Device, question: Question) -> Answer:
    """What becomes of the launch on ``device``.

    A launch that cannot be, or that the device refuses, raises ``SycllintError``: what is wrong, and what would fit.
    """
    occupancy = _estimate(device, question)
    if not occupancy.groups_per_core:
        raise SycllintError(occupancy.why + _what_fits(device, question, occupancy))
    _match_dimensions(question)
    _divide(device, question, occupancy.sub_group_size)
    cores = device.cores if question.cores is None else question.cores
    return Answer(device, question, occupancy, cores, *_rounds(device, question, occupancy, cores))


def by_work_group(found: Answer) -> Curve:
    """Occupancy at every whole number of sub-groups up to the limit, and at the launch's own size."""
    question, sub_group = found.question, found.occupancy.sub_group_size
    sizes = range(sub_group, limit(found.device, question.registers, sub_group) + 1, sub_group)
    return _curve({*sizes, question.size}, question.size, lambda size: _at(found, size, question.local_memory))


def by_local_memory(found: Answer) -> Curve:
    """Occupancy at every KiB of local memory per work-group up to the limit, and at the launch's own bytes."""
    question = found.question
    sizes = range(0, found.device.max_local_memory_per_group + 1, KIBIBYTE)
    return _curve({*sizes, question.local_memory}, question.local_memory, lambda size: _at(found, question.size, size))


def by_registers(found: Answer) -> tuple[RegisterStep, ...]:
    """How many registers the kernel may take for so many groups per core, most groups first; none where it cannot run.

    Empty when the number does not matter. On Intel registers are per hardware thread, elsewhere per work-item.
    """
    question = found.question
    steps = register_steps(
        found.device,
        question.size,
        found.occupancy.sub_group_size,
        local_memory=question.local_memory,
        barrier=question.barrier,
    )
    return steps if len(steps) > 1 else ()


def best(found: Answer) -> tuple[Best, ...]:
    """At most three legal work-group sizes, best first; with a global range, only such as divide it."""
    return tuple(
        Best(each, _local_range(each.work_group, found.question.global_range))
        for each in _suggested(found.device, found.question, found.occupancy.sub_group_size)
    )


def large_registers(device: Device) -> int:
    """Registers of Intel's large mode; ``SycllintError`` on other vendors' devices."""
    if device.vendor is not Vendor.INTEL:
        raise SycllintError(
            f"the {LARGE_REGISTERS}-register mode is Intel's; {device.name} takes a number of registers"
        )
    return LARGE_REGISTERS


def _estimate(device: Device, question: Question) -> Occupancy:
    return estimate_occupancy(
        device,
        question.size,
        question.sub_group,
        local_memory=question.local_memory,
        barrier=question.barrier,
        registers=question.registers,
        global_size=question.items,
        cores=question.cores,
    )


def _at(found: Answer, size: int, local_memory: int) -> Occupancy:
    """The core alone, at another size."""
    width = found.occupancy.sub_group_size
    asked = replace(
        found.question, work_group=(size,), sub_group=width, local_memory=local_memory, global_range=None, cores=None
    )
    return _estimate(found.device, asked)


def _suggested(device: Device, question: Question, sub_group: int) -> tuple[Suggestion, ...]:
    return suggestions(
        device,
        sub_group,
        local_memory=question.local_memory,
        barrier=question.barrier,
        registers=question.registers,
        extents=question.global_range,
        most=_BEST,
    )


def _curve(values: Iterable[int], current: int, at: Callable[[int], Occupancy]) -> Curve:
    ordered = sorted(values)
    points = []
    for value in ordered:
        there = at(value)
        points.append(CurvePoint(value, there.groups_per_core, there.ratio))
    return Curve(tuple(points), ordered.index(current))


def _rounds(
    device: Device, question: Question, occupancy: Occupancy, cores: int | None
) -> tuple[Waves | None, Waves | None]:
    groups = question.groups
    if groups is None or cores is None:
        return None, None
    whole = waves(occupancy, groups, cores, pinned=True)
    if question.pinned or device.vendor is not Vendor.INTEL:
        return whole, None
    split = waves(occupancy, groups, cores, pinned=False)
    return whole, None if split == whole else split


def _match_dimensions(question: Question) -> None:
    whole, local = question.global_range, question.work_group
    if whole is None or len(whole) == len(local):
        return
    suited = _local_range(question.size, whole)
    hint = f"; {shape(suited)} is a work-group of {question.size}" if suited else ""
    raise SycllintError(
        f"global {shape(whole)} has {len(whole)} extents and work-group {shape(local)} has {len(local)}{hint}"
    )


def _divide(device: Device, question: Question, sub_group: int) -> None:
    """Refuse a local range that does not divide the global one (SYCL 2020, "SYCL functions for invoking kernels")."""
    most = limit(device, question.registers, sub_group)
    for dimension, (whole, local) in enumerate(zip(question.global_range or (), question.work_group, strict=False)):
        if whole % local:
            rest = f"{whole} = {whole // local}*{local} + {whole % local}"
            fitting = _divisors_beside(whole, local, most * local // question.size)
            raise SycllintError(
                f"global {whole} is not a multiple of local {local} in dimension {dimension} ({rest}); "
                f"{_either(fitting)} divides it"
            )


def _divisors_beside(whole: int, part: int, most: int) -> list[int]:
    """The divisors of ``whole`` next below and next above ``part``; above only up to ``most``."""
    below = next(each for each in range(min(part, whole), 0, -1) if whole % each == 0)
    above = next((each for each in range(part + 1, min(most, whole) + 1) if whole % each == 0), None)
    return [below] if above is None else [below, above]


def _what_fits(device: Device, question: Question, refused: Occupancy) -> str:
    """``; 128 (7 groups, 100%) or 64 (14 groups, 100%) fits``; empty where the reason already says what would."""
    if refused.limiter is Limiter.LOCAL_MEMORY:
        return ""
    sizes = _suggested(device, question, refused.sub_group_size)
    return f"; {_either(sizes)} fits" if sizes else ""


def _either(choices: Sequence[object]) -> str:
    """``2``, ``2 or 4``, ``1, 2 or 4``."""
    *others, last = map(str, choices)
    return f"{', '.join(others)} or {last}" if others else last


def _local_range(size: int, whole: Sequence[int] | None) -> tuple[int, ...] | None:
    """A local range of ``size`` work-items that divides ``whole``, as much of it as possible in the fastest dimensions.

    Consecutive work-items then share sub-groups. ``None`` when there is none.
    """
    if whole is None:
        return None
    if not whole:
        return () if size == 1 else None
    *slower, fastest = whole
    for extent in range(min(size, fastest), 0, -1):
        if size % extent == 0 and fastest % extent == 0:
            rest = _local_range(size // extent, slower)
            if rest is not None:
                return (*rest, extent)
    return None


def shape(extents: Sequence[int]) -> str:
    """``1x4x128``, slowest first."""
    return "x".join(map(str, extents))
