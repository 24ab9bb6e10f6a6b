"""Occupancy of a launch read from source: computed when every number that matters is known, silent otherwise."""

from math import prod

from sycllint.hardware.device import AmdDevice, Device, IntelDevice
from sycllint.launch.kernel import KernelLaunch, LaunchKind, Required
from sycllint.occupancy import amd
from sycllint.occupancy.added import added_local_memory
from sycllint.occupancy.estimate import estimate_occupancy
from sycllint.occupancy.occupancy import Occupancy
from sycllint.record import record, replace
from sycllint.values.value import Known, OneOf, Unknown, Value, known, possible


@record
class Demands:
    """What the occupancy of a launch depends on, other than its work-group size and local memory."""

    sub_group_sizes: tuple[int, ...]
    """The sizes of the device, ascending, or the one that the source requires, which the device may not support."""
    barrier: bool | None
    registers: int | None
    """Per hardware thread on Intel, per work-item elsewhere; ``None`` where no number is required."""


def occupancies(device: Device, launch: KernelLaunch) -> tuple[Occupancy, ...]:
    """One occupancy per sub-group size at which ``launch`` can run on ``device``, ascending: see ``verdicts``."""
    return tuple(each for each in verdicts(device, launch) if each.groups_per_core)


def verdicts(device: Device, launch: KernelLaunch) -> tuple[Occupancy, ...]:
    """One occupancy per sub-group size that ``launch`` may have on ``device``, ascending, be it that it cannot run.

    The required size alone when the source requires one. Empty when the work-group size, the local memory, a required
    sub-group size or a demanded register count is not known; when it is unknown whether the kernel has a barrier and
    that decides; and when the device's thread contexts are not public.
    What a compiler reports of the kernel goes before what the source says.
    """
    launch = as_compiled(device, launch)
    demands = demands_of(device, launch)
    work_group = work_group_on(device, launch)
    local_memory = known(launch.local_memory.total)
    if demands is None or work_group is None or work_group < 1 or local_memory is None or local_memory < 0:
        return ()
    items, asked = work_items(launch), known(launch.work_group_size)
    if items is not None and asked and asked != work_group:
        items = items // asked * work_group
    return verdicts_of(device, demands, work_group, local_memory, items)


def work_group_on(device: Device, launch: KernelLaunch) -> int | None:
    """The work-items of a group on ``device``; ``None`` when unknown.

    What OpenMP calls a thread limit is an upper bound (OpenMP 5.2, "thread_limit Clause"): of a device that has no such
    groups, a team is taken to have the most that it has, and the number of teams to stay.
    """
    size = known(launch.work_group_size)
    if size is None or launch.kind is not LaunchKind.OMP_TARGET:
        return size
    return min(size, device.max_work_group_size)


def demands_of(device: Device, launch: KernelLaunch) -> Demands | None:
    """What ``launch``, as it is compiled, demands of ``device``; ``None`` when a number for that is missing."""
    if device.threads_per_core is None:
        return None
    demand = register_demand(device, launch)
    registers = demanded_registers(device, launch)
    if demand is not None and not _has_mode(device, registers):
        return None
    sizes = device.sub_group_sizes if launch.sub_group_size is None else _required(launch.sub_group_size.value)
    return Demands(sizes, launch.barrier, registers)


def verdicts_of(
    device: Device, demands: Demands, work_group: int, local_memory: int, global_size: int | None = None
) -> tuple[Occupancy, ...]:
    """One occupancy per sub-group size, also where it cannot run: ``work_group`` in work-items, memory in bytes."""

    def at(sub_group: int, *, barrier: bool) -> Occupancy:
        return estimate_occupancy(
            device,
            work_group,
            sub_group,
            local_memory=local_memory,
            barrier=barrier,
            registers=demands.registers,
            global_size=global_size,
        )

    found = []
    for size in demands.sub_group_sizes:
        occupancy = at(size, barrier=demands.barrier is True)
        if demands.barrier is None and at(size, barrier=True).groups_per_core != occupancy.groups_per_core:
            return ()
        found.append(occupancy)
    return tuple(found)


def register_demand(device: Device, launch: KernelLaunch) -> Required | None:
    """The registers per hardware thread that the source asks for, or that a compiler reports; ``None`` without either.

    On AMD and NVIDIA, where they are per work-item, the compiler alone decides, and nothing in the source says how many
    it will take: ``Occupancy.registers`` is ``None`` there without a report, and the occupancy the most that the kernel
    can reach.
    """
    compiled = launch.compiled_for(device)
    if compiled is not None and compiled.registers:
        place = launch.register_count.location if launch.register_count is not None else launch.location
        taken = compiled.registers
        if isinstance(device, AmdDevice) and compiled.accumulators:
            taken = amd.vector_registers_taken(device, taken, compiled.accumulators)
        return Required(Known(taken), place)
    return launch.register_count if isinstance(device, IntelDevice) else None


def demanded_registers(device: Device, launch: KernelLaunch) -> int | None:
    """The number of ``register_demand``, where it is known."""
    demand = register_demand(device, launch)
    return known(demand.value) if demand is not None else None


def as_compiled(device: Device, launch: KernelLaunch) -> KernelLaunch:
    """``launch`` with the numbers that the compiler for ``device`` reports in place of those it left open.

    Without a report its local memory has what the compiler is taken to add (``added``).
    For questions about what a core holds only: a sub-group size in it is not one that the source requires.
    """
    compiled = launch.compiled_for(device)
    if compiled is None:
        added = None if launch.local_memory.added else added_local_memory(device, launch)
        return launch if added is None else replace(launch, local_memory=launch.local_memory.with_more(added.bytes))
    width, barriers, memory = compiled.sub_group_size, compiled.barriers, launch.local_memory
    if compiled.local_memory_whole and compiled.local_memory is not None:
        memory = replace(memory, total=Known(compiled.local_memory), at_least=compiled.local_memory)
    kernel = launch.kernel
    if barriers is not None:
        found = (kernel.barriers or (launch.location,)) if barriers else ()
        kernel = replace(kernel, barriers=found, body_found=True, calls_unknown=False, reduces=False)
    return replace(
        launch,
        sub_group_size=Required(Known(width), launch.location) if width else launch.sub_group_size,
        local_memory=memory,
        kernel=kernel,
    )


def sub_group_sizes(device: Device, launch: KernelLaunch) -> tuple[int, ...]:
    """The sub-group sizes at which ``launch`` can run on ``device``: all of the device, or those that may be required.

    The arms of ``#if`` may require several. Empty when the required one is not known, or not one of the device.
    """
    if launch.sub_group_size is None:
        return device.sub_group_sizes
    return tuple(each for each in _required(launch.sub_group_size.value) if each in device.sub_group_sizes)


def _required(size: Value) -> tuple[int, ...]:
    """The sub-group sizes that an attribute may require; none where there may be more."""
    if isinstance(size, OneOf) and size.open:
        return ()
    return tuple(each.value for each in possible(size) if each.value > 0)


def missing_numbers(launch: KernelLaunch) -> list[tuple[str, Value]]:
    """The numbers of an occupancy that are not exactly known, each with what it is: ``the work-group size``."""
    demands = (("the sub-group size", launch.sub_group_size), ("the number of registers", launch.register_count))
    numbers = [
        ("the work-group size", launch.work_group_size or Unknown("")),
        ("the local memory", launch.local_memory.total),
        *((name, demand.value) for name, demand in demands if demand is not None),
    ]
    return [(name, value) for name, value in numbers if known(value) is None]


def work_items(launch: KernelLaunch) -> int | None:
    """Work-items of the whole launch when known and not zero."""
    numbers = launch.global_range.numbers if launch.global_range is not None else None
    return prod(numbers) if numbers and min(numbers) > 0 else None


def _has_mode(device: Device, registers: int | None) -> bool:
    if not isinstance(device, IntelDevice):
        return registers is not None
    return any(mode.registers == registers for mode in device.register_modes)
