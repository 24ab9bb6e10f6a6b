"""AMD's arithmetic: a compute unit has wave contexts, registers and local memory, and takes whole work-groups only.

Vendor words: a CU (GCN, CDNA) or a WGP of two CUs (RDNA) is a core, a wave a thread, the LDS its local memory; VGPRs
are registers of a work-item, SGPRs of a wave. The limits are those of LLVM's AMDGPU backend (ROCm llvm-project
08b7dcac, AMDGPUBaseInfo.cpp, ``IsaInfo``). The backend prints waves per SIMD for each limit by itself; a core holds
whole groups, so here the waves that it has room for are rounded down to groups (GPUOpen, "Optimizing GPU occupancy and
resource usage with large thread groups").
"""

from sycllint.hardware.device import AmdDevice
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

_VECTOR_FILE = 256
"""Registers that an instruction can name; a work-item that may have more has AGPRs for the rest."""


def residency(device: AmdDevice, demand: Demand) -> Residency:
    """How many work-groups one core of ``device`` holds. Registers are VGPRs per work-item; ``None`` does not limit.

    Raises ``UnsupportedError`` for more registers than a work-item or a wave may have.
    """
    waves = demand.threads
    slots = device.simds_per_core * device.waves_per_simd
    by_vector = waves_by_vector_registers(device, demand.registers) * device.simds_per_core
    by_scalar = waves_by_scalar_registers(device, demand.scalar_registers) * device.simds_per_core
    usable = min(by_vector, by_scalar)
    refusal = beyond_group(device, demand)
    if refusal is not None:
        return refused(demand, *refusal, usable)
    if waves > usable:
        why = (
            f"work-group {demand.work_group} of {waves} waves exceeds the {usable} waves that its registers "
            f"leave on a core of {device.name}"
        )
        return refused(demand, Limiter.REGISTERS, why, usable)
    limits = [(Limiter.THREADS, slots // waves)]
    if by_vector < slots:
        limits.append((Limiter.REGISTERS, by_vector // waves))
    if by_scalar < slots:
        limits.append((Limiter.SCALAR_REGISTERS, by_scalar // waves))
    allocated = rounded_up(demand.local_memory, device.local_memory_granule)
    if allocated:
        limits.append((Limiter.LOCAL_MEMORY, device.local_memory_per_core // allocated))
    if waves > 1:
        limits.append((Limiter.GROUPS, device.groups_per_core))
    return tightest(waves, limits, usable, allocated, demand.registers)


def limit(device: AmdDevice, registers: int | None = None) -> int:
    """The most work-items that a work-group of a kernel with so many VGPRs may have."""
    waves = waves_by_vector_registers(device, registers) * device.simds_per_core
    return min(device.max_work_group_size, waves * device.sub_group_sizes[0])


def vector_registers_taken(device: AmdDevice, vector: int, accumulators: int) -> int:
    """VGPRs of a work-item that a kernel with so many VGPRs and AGPRs takes of the register file.

    Where both are of one file, from gfx90a on, AGPRs begin behind the VGPRs, at a multiple of four; on gfx908 each has
    a file of its own. Source: llvm, AMDGPUBaseInfo.cpp, ``getTotalNumVGPRs(has90AInsts, …)``.
    """
    if device.max_vector_registers > _VECTOR_FILE:
        return rounded_up(vector, 4) + accumulators
    return max(vector, accumulators)


def waves_by_vector_registers(device: AmdDevice, registers: int | None) -> int:
    """Waves that a SIMD has room for when each work-item takes ``registers`` VGPRs."""
    if registers is None:
        return device.waves_per_simd
    if registers > device.max_vector_registers:
        raise UnsupportedError(
            Limiter.REGISTERS,
            f"{registers} VGPRs exceed the {device.max_vector_registers} of a work-item on {device.name}",
        )
    return min(device.waves_per_simd, device.vector_registers // vector_registers_allocated(device, registers))


def vector_registers_allocated(device: AmdDevice, registers: int) -> int:
    """VGPRs per lane that a wave is given whose work-items take ``registers``."""
    return rounded_up(max(registers, 1), device.vector_register_granule)


def waves_by_scalar_registers(device: AmdDevice, registers: int | None) -> int:
    """Waves that a SIMD has room for when each takes ``registers`` SGPRs."""
    modes = device.scalar_register_modes
    if registers is None or not modes:
        return device.waves_per_simd
    for mode in modes:
        if mode.registers >= registers:
            return min(device.waves_per_simd, mode.threads_per_engine)
    raise UnsupportedError(
        Limiter.SCALAR_REGISTERS, f"{registers} SGPRs exceed the {modes[-1].registers} of a wave on {device.name}"
    )
