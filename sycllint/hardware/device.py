"""Devices: what one core and one work-group of each GPU may hold.

The words are SYCL's and the vendors' neutral ones. A *core* is the part of the device that keeps a work-group with
local memory or a barrier: an Xe-core (Intel), a compute unit or work-group processor (AMD), a streaming
multiprocessor (NVIDIA). A *thread* is what the hardware schedules, one sub-group wide: a hardware thread (Intel),
a wave (AMD), a warp (NVIDIA).
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import NewType

from sycllint.record import field, record

Bytes = NewType("Bytes", int)
WorkItems = NewType("WorkItems", int)
Threads = NewType("Threads", int)


class Vendor(StrEnum):
    """Who makes the device, and so whose arithmetic applies."""

    INTEL = "intel"
    AMD = "amd"
    NVIDIA = "nvidia"


@record
class RegisterMode:
    """A split of the register file: up to ``registers`` per thread leave ``threads_per_engine`` thread contexts."""

    registers: int
    threads_per_engine: int


@record
class RegisterLimit:
    """Most work-items of a work-group when a kernel takes more than the default registers at one sub-group size."""

    sub_group_size: int
    work_group_size: WorkItems


@record(kw_only=True, guarded=True)
class Device:
    """What every device has. A field is ``None`` when no public document gives the number: then nothing is computed.

    ``sources`` maps a field's name to the document its number comes from, or to where it was looked for.
    """

    name: str
    """Short name, as in ``--target tgl``."""
    title: str
    """What people call it: ``Iris Xe (Tiger Lake)``."""
    vendor: Vendor
    cores: int | None
    """Cores of the part the profile stands for."""
    smallest_cores: int | None
    """Cores of the smallest part that goes by this name: of an architecture's, the smallest on sale; of one part or a
    configured number of cores, its own."""
    max_work_group_size: WorkItems
    """Upper limit; a kernel's own may be lower."""
    sub_group_sizes: tuple[int, ...]
    """Ascending, in work-items."""
    threads_per_core: Threads | None
    """Thread contexts of a core with the fewest registers per thread."""
    local_memory_per_core: Bytes
    """What the work-groups resident on a core share."""
    max_local_memory_per_group: Bytes
    """What one work-group may ask for: ``info::device::local_mem_size``."""
    sources: Mapping[str, str] = field(hash=False)
    conflicts: Mapping[str, str] = field(hash=False)
    """Field name to what other sources say, and why this number was taken."""
    aliases: tuple[str, ...] = ()

    @property
    def total_threads(self) -> int | None:
        """Thread contexts of all cores; ``None`` when cores or contexts are not public."""
        if self.cores is None or self.threads_per_core is None:
            return None
        return self.cores * self.threads_per_core

    @property
    def total_lanes(self) -> int | None:
        """Work-items that all thread contexts hold in sub-groups of the smallest size.

        Intel's guide calls them parallel operations.
        """
        return None if self.total_threads is None else self.total_threads * self.sub_group_sizes[0]


@record(kw_only=True, guarded=True)
class IntelDevice(Device):
    """An Intel GPU: Xe-cores of vector engines, each with a fixed number of thread contexts."""

    engines_per_core: int | None
    """Vector engines (EU, XVE) per Xe-core or sub-slice."""
    fused_engines: int
    """Engines that run their threads together: 2 where EUs are fused in pairs, else 1."""
    threads_per_engine: int
    local_memory_steps: tuple[Bytes, ...]
    """Sizes in which local memory is allocated, ascending, without zero."""
    groups_per_core: int | None
    """Work-group slots per core; ``None`` when no source is known."""
    barriers_per_core: int | None
    """Work-groups with a barrier that a core can track; ``None`` when no source is known."""
    max_threads_per_group: int | None
    """Hardware threads that one work-group may span; ``None`` when only the core's own number bounds it."""
    register_bytes: Bytes
    """Width of one general register."""
    register_modes: tuple[RegisterMode, ...]
    """Ascending by registers; the first is not always the default, which is 128."""
    register_limits: tuple[RegisterLimit, ...]
    """Work-group limits of kernels in the 256-register mode, by sub-group size; empty when there is no such mode."""
    pci_ids: tuple[int, ...] = ()


@record(kw_only=True, guarded=True)
class AmdDevice(Device):
    """An AMD GPU: compute units (CU), in RDNA paired to work-group processors (WGP), of SIMDs that take waves in turn.

    ``cores`` counts what keeps a work-group: CUs, or WGPs where a kernel runs in WGP mode. ``sub_group_sizes`` is the
    one wave width that kernels are compiled for; register files are those of that width.
    """

    compute_units: int | None
    compute_units_per_core: int
    """2 in WGP mode, else 1."""
    simds_per_core: int
    waves_per_simd: int
    """Wave contexts of a SIMD."""
    vector_registers: int
    """VGPRs of a SIMD per lane."""
    vector_register_granule: int
    """VGPRs per work-item are allocated in multiples of it."""
    max_vector_registers: int
    """VGPRs that one work-item may have."""
    scalar_registers: int | None
    """SGPRs of a SIMD, shared by its waves; ``None`` where each wave context has its own and they never limit."""
    scalar_register_modes: tuple[RegisterMode, ...]
    """Waves per SIMD by the SGPRs of a wave, ascending; empty where SGPRs never limit."""
    groups_per_core: int
    """Work-groups of several waves that a core tracks; those of one wave need no barrier and are not counted."""
    local_memory_granule: Bytes
    """Local memory (LDS) is allocated in multiples of it."""

    @property
    def vector_registers_per_core(self) -> int:
        """32-bit VGPRs of all SIMDs of a core: those of each lane times the lanes of a wave."""
        return self.simds_per_core * self.vector_registers * self.sub_group_sizes[0]

    @property
    def scalar_registers_per_core(self) -> int | None:
        """32-bit SGPRs of all SIMDs of a core."""
        return None if self.scalar_registers is None else self.simds_per_core * self.scalar_registers


@record(kw_only=True, guarded=True)
class NvidiaDevice(Device):
    """An NVIDIA GPU: streaming multiprocessors (SM) of sub-partitions, each with its part of the register file.

    ``local_memory_per_core`` is the carve-out preferred for shared memory: unless asked otherwise, the largest.
    ``max_local_memory_per_group`` is what a kernel may have after opting in, as DPC++ does.
    """

    groups_per_core: int
    """Resident work-groups (blocks) per core."""
    barriers_per_core: int | None
    """Work-groups with a barrier per core; ``None`` where the number does not limit."""
    registers_per_core: int
    registers_per_group: int
    max_registers: int
    """Registers that one work-item may have."""
    register_granule: int
    """Registers of a warp are allocated in multiples of it."""
    partitions: int
    """Sub-partitions of a core, over which the warps of a group and the registers are spread."""
    partitions_to_launch: int
    """Sub-partitions for which a group's registers have to do, should it be launched at all."""
    local_memory_granule: Bytes
    local_memory_reserved: Bytes
    """Taken by the system per work-group, on top of what the kernel asks for."""
    local_memory_carve_outs: tuple[Bytes, ...]
    """Sizes that the shared memory of a core can have, ascending."""
