"""What every vendor's arithmetic takes and yields for one core: the demands of a work-group, and how many fit."""

from operator import itemgetter

from sycllint.errors import SycllintError
from sycllint.hardware.device import Device
from sycllint.occupancy.occupancy import Limiter
from sycllint.record import NamedTuple


class UnsupportedError(SycllintError):
    """No launch with this sub-group size, or these registers, can run on the device, whatever its other numbers."""

    def __init__(self, limiter: Limiter, why: str) -> None:
        super().__init__(why)
        self.limiter = limiter


class Demand(NamedTuple):
    """What a kernel asks of a core, per work-group."""

    work_group: int
    """Work-items."""
    sub_group: int
    """Work-items."""
    local_memory: int
    """Bytes."""
    barrier: bool
    registers: int | None
    """Per hardware thread (Intel) or work-item (AMD, NVIDIA); ``None``: the default of an Intel GPU, no limit else."""
    scalar_registers: int | None = None
    """SGPRs per wave (AMD); ``None``: no limit."""

    @property
    def threads(self) -> int:
        """Hardware threads of a work-group; the last one may have idle lanes."""
        return -(-self.work_group // self.sub_group)


class Residency(NamedTuple):
    """One core, no matter how many groups the launch has."""

    threads_per_group: int
    groups: int
    limiter: Limiter
    limits: tuple[tuple[Limiter, int], ...]
    """Tightest first."""
    usable_threads: int
    """Thread contexts per core that the registers of the kernel leave."""
    local_memory_allocated: int
    """Bytes per work-group."""
    registers: int | None
    """Per thread or work-item that it is computed with; ``None``: unknown, and taken not to limit."""
    why: str = ""


def tightest(
    threads_per_group: int,
    limits: list[tuple[Limiter, int]],
    usable_threads: int,
    local_memory_allocated: int,
    registers: int | None,
) -> Residency:
    """The smallest of ``limits``; of equal ones the first named."""
    limits.sort(key=itemgetter(1))
    limiter, groups = limits[0]
    return Residency(
        threads_per_group, groups, limiter, tuple(limits), usable_threads, local_memory_allocated, registers
    )


def refused(demand: Demand, limiter: Limiter, why: str, usable_threads: int = 0) -> Residency:
    """A launch that cannot run."""
    return Residency(demand.threads, 0, limiter, (), usable_threads, 0, demand.registers, why)


def beyond_group(device: Device, demand: Demand) -> tuple[Limiter, str] | None:
    """Why no kernel may have such a work-group on ``device``: too many work-items, too much local memory."""
    if demand.work_group > device.max_work_group_size:
        most = device.max_work_group_size
        return Limiter.WORK_GROUP_SIZE, f"work-group {demand.work_group} exceeds max {most} on {device.name}"
    if demand.local_memory > device.max_local_memory_per_group:
        return Limiter.LOCAL_MEMORY, (
            f"local memory {demand.local_memory} B exceeds the {device.max_local_memory_per_group} B "
            f"of a work-group on {device.name}"
        )
    return None


def rounded_up(amount: int, granule: int) -> int:
    """The least multiple of ``granule`` that is not below ``amount``."""
    return -(-amount // granule) * granule
