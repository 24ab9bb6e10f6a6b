"""Occupancy of one launch from plain numbers, on any device: the core by its vendor's arithmetic, then the device."""

from functools import lru_cache
from operator import index
from types import NoneType

from sycllint.errors import SycllintError, mistyped
from sycllint.hardware.device import AmdDevice, Device, IntelDevice, NvidiaDevice
from sycllint.occupancy import intel
from sycllint.occupancy.occupancy import Limiter, Occupancy
from sycllint.occupancy.residency import Demand, Residency, UnsupportedError, refused

_WHOLE = frozenset({int})
_WHOLE_OR_NONE = frozenset({int, NoneType})
"""Types of numbers that need no second look."""


def estimate_occupancy(
    device: Device,
    work_group: int,
    sub_group: int | None = None,
    *,
    local_memory: int = 0,
    barrier: bool = False,
    registers: int | None = None,
    large_grf: bool = False,
    global_size: int | None = None,
    cores: int | None = None,
    scalar_registers: int | None = None,
) -> Occupancy:
    """How much of a core, and with ``global_size`` of the device, a launch keeps busy.

    ``work_group``, ``sub_group`` and ``global_size`` in work-items; ``sub_group`` may be left out on devices with one
    size. ``local_memory`` in bytes per work-group. ``registers`` per hardware thread on Intel (``None``: the default;
    ``large_grf`` is short for 256), per work-item on AMD (VGPRs) and NVIDIA (``None``: they do not limit);
    ``scalar_registers`` per wave, on AMD only (SGPRs). A ``global_size`` that is no multiple of ``work_group`` counts
    as rounded up. ``cores`` replaces the device's own count, which may be unknown: then nothing is said of the device.

    Device level, as Intel's calculator has it: ``waves`` is groups over the groups that all cores hold, ``peak`` the
    full device's ratio or the share of it that one round needs, ``average`` the mean over the rounds. Unlike it, a
    launch of fewer groups than one core holds is counted on all cores, and nothing is rounded.

    A launch that cannot run on the device has ``groups_per_core == 0`` and says ``why``: the work-group or its local
    memory is too large, the device lacks the sub-group size, a thread cannot have so many registers. Arguments that
    mean nothing on any device (a size below 1, another vendor's registers) raise ``SycllintError``, those of another
    type ``TypeError``.
    """
    if not isinstance(device, Device):
        raise mistyped("device", "a Device, as sycllint.device('tgl') gives it", device)
    needed, more = (work_group, local_memory), (sub_group, registers, scalar_registers, global_size, cores)
    if not (_WHOLE.issuperset(map(type, needed)) and _WHOLE_OR_NONE.issuperset(map(type, more))):
        work_group, local_memory = _count("work_group", work_group), _count("local_memory", local_memory)
        sub_group, registers = _optional("sub_group", sub_group), _optional("registers", registers)
        scalar_registers = _optional("scalar_registers", scalar_registers)
        global_size, cores = _optional("global_size", global_size), _optional("cores", cores)
    size = _sub_group(device, sub_group)
    if work_group < 1 or local_memory < 0 or (global_size is not None and global_size < 1):
        raise SycllintError("a work-group and a global size are at least 1, local memory at least 0")
    if cores is not None and cores < 1:
        raise SycllintError(f"cores are at least 1, not {cores}")
    _check_registers(device, registers, scalar_registers, large_grf=large_grf)
    wanted = intel.LARGE_REGISTERS if large_grf else registers
    demand = Demand(work_group, size, local_memory, barrier, wanted, scalar_registers)
    try:
        found = _residency(device, demand)
    except UnsupportedError as error:
        found = refused(demand, error.limiter, error.message)
    threads_per_core = device.threads_per_core
    if threads_per_core is None:
        raise SycllintError(f"the hardware threads per core of {device.name} are not public")
    ratio = found.threads_per_group * found.groups / threads_per_core
    waves = peak = average = None
    all_cores = device.cores if cores is None else cores
    if global_size is not None and all_cores and found.groups:
        launched = -(-global_size // work_group)
        capacity = all_cores * found.groups
        waves = launched / capacity
        peak = ratio if launched >= capacity else ratio * launched / capacity
        average = ratio * launched / (capacity * -(-launched // capacity))
    return Occupancy(
        size,
        found.threads_per_group,
        found.groups,
        threads_per_core,
        ratio,
        found.limiter,
        found.limits,
        found.local_memory_allocated,
        waves,
        peak,
        average,
        found.why,
        found.usable_threads,
        found.registers,
        not isinstance(device, IntelDevice),
    )


def limit(device: Device, registers: int | None = None, sub_group: int | None = None) -> int:
    """The most work-items per work-group of a kernel with so many registers per thread at one sub-group size.

    Without ``sub_group``, what no choice of the compiler can exceed. Raises ``SycllintError`` when the device has no
    mode with so many registers.
    """
    if not isinstance(device, Device):
        raise mistyped("device", "a Device, as sycllint.device('tgl') gives it", device)
    _check_registers(device, registers, None, large_grf=False)
    match device:
        case IntelDevice():
            return intel.limit(device, registers, sub_group)
        case AmdDevice():
            from sycllint.occupancy import amd

            return amd.limit(device, registers)
        case NvidiaDevice():
            from sycllint.occupancy import nvidia

            return nvidia.limit(device, registers)
        case _:
            raise _no_model(device)


@lru_cache(1024)
def _residency(device: Device, demand: Demand) -> Residency:
    if demand.sub_group not in device.sub_group_sizes:
        sizes = ", ".join(map(str, device.sub_group_sizes))
        why = f"sub-group size {demand.sub_group} is not supported on {device.name} ({sizes})"
        raise UnsupportedError(Limiter.SUB_GROUP_SIZE, why)
    match device:
        case IntelDevice():
            return intel.residency(device, demand)
        case AmdDevice():
            from sycllint.occupancy import amd

            return amd.residency(device, demand)
        case NvidiaDevice():
            from sycllint.occupancy import nvidia

            return nvidia.residency(device, demand)
        case _:
            raise _no_model(device)


def _no_model(device: Device) -> SycllintError:
    return SycllintError(f"no occupancy model for {device.name} ({device.vendor})")


def _check_registers(device: Device, registers: int | None, scalar_registers: int | None, *, large_grf: bool) -> None:
    if (registers is not None and registers < 1) or (scalar_registers is not None and scalar_registers < 1):
        raise SycllintError("registers are at least 1")
    if large_grf and not isinstance(device, IntelDevice):
        raise SycllintError(f"the 256-register mode is Intel's; {device.name} has none")
    if scalar_registers is not None and not isinstance(device, AmdDevice):
        raise SycllintError(f"scalar registers are AMD's; {device.name} has none")


def _sub_group(device: Device, sub_group: int | None) -> int:
    """The sub-group size asked for, or the device's only one."""
    if sub_group is not None:
        if sub_group < 1:
            raise SycllintError(f"a sub-group size is at least 1, not {sub_group}")
        return sub_group
    sizes = device.sub_group_sizes
    if len(sizes) > 1:
        raise SycllintError(f"a sub-group size is needed on {device.name}: {', '.join(map(str, sizes))}")
    return sizes[0]


def _optional(name: str, number: object) -> int | None:
    return None if number is None else _count(name, number)


def _count(name: str, number: object) -> int:
    """A whole number of any type that has one, as NumPy's."""
    if isinstance(number, bool):
        raise mistyped(name, "a whole number", number)
    try:
        return index(number)  # type: ignore[arg-type] # that is the question
    except TypeError:
        raise mistyped(name, "a whole number", number) from None
