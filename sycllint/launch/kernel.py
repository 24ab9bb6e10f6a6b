"""A kernel launch as far as the source determines it: ranges, attributes, local memory, and what its kernel does."""

from collections.abc import Mapping
from enum import StrEnum
from math import prod

from sycllint.device_code.group_functions import GroupFunction
from sycllint.hardware.device import Device
from sycllint.hardware.profiles import architecture
from sycllint.launch.circumstances import ORDINARY, Answers, Circumstance, Circumstances
from sycllint.launch.compiled import CompiledKernel, agreed
from sycllint.launch.memory import LocalMemory, PrivateMemory
from sycllint.launch.names import Naming
from sycllint.observation import NOTHING, Observations
from sycllint.record import field, record, replace
from sycllint.source.span import Location
from sycllint.values.value import Step, Value, all_known


class LaunchKind(StrEnum):
    """How the index space is given."""

    ND_RANGE = "nd_range"
    RANGE = "range"
    SINGLE_TASK = "single_task"
    WORK_GROUP = "work_group"
    OMP_TARGET = "omp_target"
    UNKNOWN = "unknown"
    """The arguments are handed on from a caller that is not visible."""


@record
class Range:
    """An index space as written: extents slowest dimension first, and the expression they come from."""

    extents: tuple[Value, ...]
    location: Location
    ways: tuple[tuple[Value, ...], ...] = ()
    """The extents on each of several ways, all dimensions together; empty where one set of them is the same on all."""

    @property
    def numbers(self) -> tuple[int, ...] | None:
        """The extents; ``None`` where one of them is not exactly known."""
        return all_known(self.extents)

    @property
    def items(self) -> int | None:
        """Their product; ``None`` where one of them is not exactly known."""
        numbers = self.numbers
        return prod(numbers) if numbers else None


Reports = Mapping[Location, Mapping[tuple[Naming, ...], tuple[CompiledKernel, ...]]]
"""Compilers' reports by the place of a launch and the names of its kernel."""


@record
class Required:
    """A number demanded by an attribute or kernel property, and where."""

    value: Value
    location: Location
    elsewhere: tuple[int, ...] = ()
    """What other definitions of the macro behind it would make it, in builds for other devices."""


@record
class ReachingCall:
    """A call or an instantiation by which a launch is reached."""

    name: str
    location: Location
    """Of the name, with the arguments of a template."""
    whole: Location
    """Of the call with all its arguments."""
    of_instance: bool
    """It, or another call on the way, gives a template its arguments."""


@record
class Kernel:
    """What the kernel's body, and the functions of the file it calls, are seen to do."""

    name: str | None
    """Kernel name type, function object or free function; ``None`` when it has none."""
    body_found: bool
    """False when the callable is defined elsewhere or does not parse; then the flags below only say what was seen."""
    barriers: tuple[Location, ...] = ()
    """Work-group barriers and group collectives over the work-group that can be reached."""
    group_functions: tuple[GroupFunction, ...] = ()
    """Those of these barriers that reduce, scan or broadcast over the work-group."""
    sub_group_operations: tuple[Location, ...] = ()
    """Shuffles, collectives, loads and stores of a sub-group."""
    loops: tuple[Location, ...] = ()
    statements: int = 0
    """Statements in the body and in what it calls."""
    calls_unknown: bool = False
    """It calls something that is not visible, which may hold a barrier."""
    reduces: bool = False
    """A clause of OpenMP combines what the threads of a team have; whether with a barrier is the compiler's choice."""
    seen: Observations = NOTHING
    """What the analyses of its body saw."""
    body: Location | None = field(default=None, repr=False)
    """Where its lambda or call operator is written, when that was found."""
    names: tuple[Naming, ...] = field(default=(), compare=False, repr=False)
    """What a compiler may call it, in the ways to the launch that this one stands for; empty where nothing is known."""


@record
class KernelLaunch:
    """One kernel submission in the source, in one context (one template instantiation, one caller)."""

    location: Location
    """The name ``parallel_for``, ``single_task`` … in the call."""
    kind: LaunchKind
    dims: int | None
    """1 to 3; 0 for a single task; ``None`` when unknown."""
    function: str | None
    """The host function around it."""
    kernel: Kernel
    global_range: Range | None
    """``None`` for a single task. For ``WORK_GROUP`` launches: number of groups times local range, when known."""
    local_range: Range | None
    """``None`` when the runtime chooses."""
    work_group_size: Value | None
    """Work-items per group; ``None`` when the runtime chooses."""
    sub_group_size: Required | None
    """``None`` when the compiler chooses."""
    required_work_group: Range | None
    """From ``reqd_work_group_size`` or the property ``work_group_size``."""
    register_count: Required | None
    """Registers per thread demanded with ``grf_size``."""
    local_memory: LocalMemory
    private_memory: PrivateMemory
    reached: tuple[ReachingCall, ...] = ()
    """The calls and instantiations by which it is reached, innermost first; empty when it does not matter."""
    decided: int = 0
    """How many of these it takes to decide its work-group size or, without one, its range; 0 when it says so itself."""
    open: bool = False
    """Other calls than the visible ones may reach it, with other sizes."""
    is_general: bool = False
    """No call was bound to learn its sizes: what is known of them holds however it is reached."""
    compiled: tuple[CompiledKernel, ...] = ()
    """What compilers report of it, device by device."""
    circumstances: Circumstances = field(default=ORDINARY, compare=False, repr=False)

    @property
    def seen(self) -> Observations:
        """The records of its kernel."""
        return self.kernel.seen

    @property
    def row(self) -> Location:
        """Where a user sees the launch: the outermost call that decides its work-group size, or its own name."""
        return self.reached[self.decided - 1].location if self.decided else self.location

    @property
    def via(self) -> tuple[Step, ...]:
        """From that call down to the launching name: each place inside, named after the function it stands in."""
        calls = self.reached[: self.decided]
        places = (self.location, *(each.location for each in calls))
        return tuple(Step(call.name, None, place) for call, place in zip(calls, places, strict=False))[::-1]

    @property
    def device_checked(self) -> bool:
        """Its sizes are its author's choice for devices that are not known here.

        It is reached only after a property of the device, and not an amount of memory, was compared with something,
        has another launch in its place should it fail, or is surely for no GPU.
        """
        return self.circumstances.hold(Circumstance.DEVICE_CHECKED)

    def device_checked_on(self, device: Answers) -> bool:
        """``device_checked`` by comparisons of which it is not known how they end on a device."""
        return self.circumstances.hold(Circumstance.DEVICE_CHECKED, device)

    def memory_checked_on(self, device: Answers) -> bool:
        """The same of how much memory it takes: it may also have been an amount of memory that was compared."""
        return self.device_checked_on(device) or self.circumstances.hold(Circumstance.MEMORY_CHECKED, device)

    @property
    def elsewhere(self) -> bool:
        """Its queue is made for no GPU, so what would be wrong on one does not matter."""
        return self.circumstances.hold(Circumstance.ELSEWHERE)

    @property
    def selected(self) -> bool:
        """It is one of several that a value, which is not known, chooses by its size: some devices may never run it."""
        return self.circumstances.hold(Circumstance.SELECTED)

    @property
    def may_be_discarded(self) -> bool:
        """It stands in a branch of an ``if constexpr`` whose condition is not known: perhaps nothing compiles it."""
        return self.circumstances.hold(Circumstance.MAY_BE_DISCARDED)

    @property
    def wide_ids(self) -> bool:
        """The build compiles its ids wider than ``int``."""
        return self.circumstances.hold(Circumstance.WIDE_IDS)

    @property
    def explicit_simd(self) -> bool:
        """Its file uses DPC++'s explicit SIMD: a work-item may be a whole thread (sycl_ext_intel_esimd)."""
        return self.circumstances.hold(Circumstance.EXPLICIT_SIMD)

    def compiled_for(self, device: Device) -> CompiledKernel | None:
        """What the compiler for ``device`` made of it, as far as a report of that is given.

        A report for another part of the same architecture will do. Of several instantiations, what they agree on.
        """
        if not self.compiled:
            return None
        whole = architecture(device.name)
        for fits in (
            lambda each: each.device == device.name,
            lambda each: each.device is not None and architecture(each.device) == whole,
            lambda each: each.device is None and each.vendor is device.vendor,
        ):
            found = [each for each in self.compiled if fits(each)]
            if found:
                return agreed(found)
        return None

    @property
    def barrier(self) -> bool | None:
        """Whether a work-group barrier or collective can be reached; ``None`` when that is not known."""
        if self.kernel.barriers:
            return True
        kernel = self.kernel
        return None if not kernel.body_found or kernel.calls_unknown or kernel.reduces else False


def with_reports(launches: tuple[KernelLaunch, ...], reports: Reports) -> tuple[KernelLaunch, ...]:
    """``launches`` with their reports: of a template, those of the instantiations that a launch stands for."""
    return tuple(
        replace(each, compiled=reports[each.location].get(each.kernel.names, ())) if each.location in reports else each
        for each in launches
    )


def also_named(launch: KernelLaunch, other: KernelLaunch) -> KernelLaunch:
    """``launch`` with the names that the kernel has where it is reached otherwise."""
    names = tuple(dict.fromkeys((*launch.kernel.names, *other.kernel.names)))
    return launch if names == launch.kernel.names else replace(launch, kernel=replace(launch.kernel, names=names))
