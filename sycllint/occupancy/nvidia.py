"""NVIDIA's arithmetic: an SM has warps, blocks, registers, shared memory and barriers, and a minimum decides.

Vendor words: an SM (multiprocessor) is a core, a warp a thread, a block a work-group, shared memory its local memory.
The formula is that of CUDA 13.0, ``cuda_occupancy.h``, with opt-in shared memory allowed, caching off and no clusters.
"""

from bisect import bisect_left

from sycllint.errors import SycllintError
from sycllint.hardware.device import NvidiaDevice
from sycllint.occupancy.occupancy import Limiter
from sycllint.occupancy.residency import (
    Demand,
    Residency,
    UnsupportedError,
    beyond_group,
    refused,
    rounded_up,
    tightest,
)

LOCAL_MEMORY_WITHOUT_OPT_IN = 48 * 1024
"""Bytes of shared memory that a block may have without asking for more (cccl 571f2fc3,
libcudacxx/include/cuda/__device/arch_traits.h, __common_arch_traits)."""


def residency(device: NvidiaDevice, demand: Demand) -> Residency:
    """How many work-groups one core of ``device`` holds. Registers are per work-item; ``None`` does not limit.

    Raises ``UnsupportedError`` for more registers than a work-item may have or when the SM's warps are not public.
    """
    warps, slots = demand.threads, _slots(device)
    usable = min(slots, warps_by_registers(device, demand.registers))
    refusal = beyond_group(device, demand)
    if refusal is not None:
        return refused(demand, *refusal, usable)
    if warps > _launchable_warps(device, demand.registers):
        at = f"with {demand.registers} registers per work-item on {device.name}"
        why = f"work-group {demand.work_group} exceeds max {limit(device, demand.registers)} {at}"
        return refused(demand, Limiter.REGISTERS, why, usable)
    limits = [(Limiter.THREADS, slots // warps)]
    if demand.registers is not None:
        limits.append((Limiter.REGISTERS, warps_by_registers(device, demand.registers) // warps))
    allocated = rounded_up(demand.local_memory + device.local_memory_reserved, device.local_memory_granule)
    if allocated:
        limits.append((Limiter.LOCAL_MEMORY, carve_out(device, allocated) // allocated))
    limits.append((Limiter.GROUPS, device.groups_per_core))
    if demand.barrier and device.barriers_per_core is not None:
        limits.append((Limiter.BARRIERS, device.barriers_per_core))
    return tightest(warps, limits, usable, allocated, demand.registers)


def limit(device: NvidiaDevice, registers: int | None = None) -> int:
    """The most work-items that a work-group of a kernel with so many registers may have."""
    return min(device.max_work_group_size, _launchable_warps(device, registers) * device.sub_group_sizes[0])


def warps_by_registers(device: NvidiaDevice, registers: int | None) -> int:
    """Warps for which an SM has registers: as many per sub-partition as fit there."""
    return _spread(device, registers, device.partitions)


def registers_per_warp(device: NvidiaDevice, registers: int) -> int:
    """Registers of an SM that a warp is given whose work-items take ``registers``."""
    if registers > device.max_registers:
        raise UnsupportedError(
            Limiter.REGISTERS,
            f"{registers} registers exceed the {device.max_registers} of a work-item on {device.name}",
        )
    return rounded_up(max(registers, 1) * device.sub_group_sizes[0], device.register_granule)


def carve_out(device: NvidiaDevice, allocated: int) -> int:
    """Bytes of shared memory of an SM that runs blocks with ``allocated`` bytes.

    What the device prefers; the next larger size when not even one block fits there.
    """
    if device.local_memory_per_core >= allocated:
        return device.local_memory_per_core
    sizes = device.local_memory_carve_outs
    index = bisect_left(sizes, allocated)
    return sizes[index] if index < len(sizes) else device.local_memory_per_core


def _launchable_warps(device: NvidiaDevice, registers: int | None) -> int:
    """The most warps of a block: limited by the registers of a block and by those of the sub-partitions it spans."""
    if registers is None:
        return _slots(device)
    per_warp = registers_per_warp(device, registers)
    of_a_block = device.registers_per_group // per_warp
    spread = min(_spread(device, registers, device.partitions), _spread(device, registers, device.partitions_to_launch))
    return min(_slots(device), of_a_block - of_a_block % device.partitions, spread)


def _spread(device: NvidiaDevice, registers: int | None, partitions: int) -> int:
    if registers is None:
        return _slots(device)
    return device.registers_per_core // partitions // registers_per_warp(device, registers) * partitions


def _slots(device: NvidiaDevice) -> int:
    if device.threads_per_core is None:
        raise SycllintError(f"the warps per SM of {device.name} are not public")
    return device.threads_per_core
