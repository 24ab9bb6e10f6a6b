"""Intel's arithmetic: an Xe-core has thread contexts, local memory, barriers and group slots, and a minimum decides.

Vendor words: an Xe-core (dual sub-slice on Xe-LP, sub-slice before) is a core, an XVE (EU) one of its engines, SLM its
local memory, GRF the register file of a hardware thread. The formula is that of Intel's GPU Occupancy Calculator
(oneAPI-samples, Tools/GPU-Occupancy-Calculator/index.html, 94d83ddd7), with the register modes of
intel-graphics-compiler 98fff716, visa/G4_Kernel.cpp.
"""

from bisect import bisect_left

from sycllint.errors import SycllintError
from sycllint.hardware.device import IntelDevice, RegisterMode
from sycllint.occupancy.occupancy import Limiter
from sycllint.occupancy.residency import Demand, Residency, UnsupportedError, beyond_group, refused, tightest

DEFAULT_REGISTERS = 128
"""Registers per hardware thread unless a kernel asks for more (intel-graphics-compiler 98fff716, GRFMode)."""
LARGE_REGISTERS = 256


def residency(device: IntelDevice, demand: Demand) -> Residency:
    """How many work-groups one core of ``device`` holds.

    Registers are per hardware thread (``None``: 128) and rounded up to the next mode. Raises ``UnsupportedError``
    when the device has no mode with so many, ``SycllintError`` when the number of its thread contexts is not public.
    """
    slots = _slots(device)
    mode = register_mode(device, demand.registers)
    usable = _usable(device, slots, mode)
    threads = demand.threads
    refusal = _refusal(device, demand)
    if refusal:
        return refused(demand, *refusal, usable)
    limits = [(Limiter.THREADS, slots // threads)]
    if usable < slots:
        limits.append((Limiter.REGISTERS, usable // threads))
    allocated = allocation(device, demand.local_memory)
    if allocated:
        limits.append((Limiter.LOCAL_MEMORY, device.local_memory_per_core // allocated))
    if demand.barrier and device.barriers_per_core is not None:
        limits.append((Limiter.BARRIERS, device.barriers_per_core))
    if device.groups_per_core is not None:
        limits.append((Limiter.GROUPS, device.groups_per_core))
    return tightest(threads, limits, usable, allocated, mode.registers)


def limit(device: IntelDevice, registers: int | None = None, sub_group: int | None = None) -> int:
    """The most work-items that a work-group of such a kernel may have.

    Without ``sub_group`` the most over the sub-group sizes of the device: what no choice of the compiler can exceed.
    """
    if sub_group is None:
        return max(limit(device, registers, each) for each in device.sub_group_sizes)
    most: int = device.max_work_group_size
    mode = register_mode(device, registers)
    if device.max_threads_per_group is not None:
        most = min(most, device.max_threads_per_group * sub_group)
    if device.threads_per_core is not None:
        most = min(most, _usable(device, device.threads_per_core, mode) * sub_group)
    if mode.registers > DEFAULT_REGISTERS:
        for each in device.register_limits:
            if each.sub_group_size == sub_group:
                most = min(most, each.work_group_size)
    return most


def register_mode(device: IntelDevice, registers: int | None) -> RegisterMode:
    """The smallest mode with at least ``registers`` per thread; the default one for ``None``."""
    wanted = DEFAULT_REGISTERS if registers is None else registers
    for mode in device.register_modes:
        if mode.registers >= wanted:
            return mode
    largest = device.register_modes[-1].registers
    raise UnsupportedError(
        Limiter.REGISTERS, f"{wanted} registers per thread exceed the largest mode on {device.name}, {largest}"
    )


def allocation(device: IntelDevice, local_memory: int) -> int:
    """``local_memory`` bytes rounded up to a step in which the device hands it out; 0 stays 0."""
    if local_memory <= 0:
        return 0
    steps = device.local_memory_steps
    index = bisect_left(steps, local_memory)
    return steps[index] if index < len(steps) else local_memory


def _slots(device: IntelDevice) -> int:
    if device.threads_per_core is None:
        source = device.sources.get("threads_per_core", "")
        raise SycllintError(f"the hardware threads per core of {device.name} are not public ({source})")
    return device.threads_per_core


def _usable(device: IntelDevice, slots: int, mode: RegisterMode) -> int:
    return slots * mode.threads_per_engine // device.threads_per_engine


def _refusal(device: IntelDevice, demand: Demand) -> tuple[Limiter, str] | None:
    """Why such a launch cannot run at all."""
    most = limit(device, demand.registers, demand.sub_group)
    if demand.work_group > most < device.max_work_group_size:
        mode = register_mode(device, demand.registers).registers
        at = f"with {mode} registers at sub-group size {demand.sub_group}"
        return Limiter.WORK_GROUP_SIZE, f"work-group {demand.work_group} exceeds max {most} {at} on {device.name}"
    refusal = beyond_group(device, demand)
    if refusal is None and allocation(device, demand.local_memory) > device.local_memory_per_core:
        return Limiter.LOCAL_MEMORY, (
            f"local memory {demand.local_memory} B exceeds the {device.local_memory_per_core} B "
            f"of a core on {device.name}"
        )
    return refusal
