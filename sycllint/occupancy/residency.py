"""What every vendor's arithmetic takes and yields for one core: the demands of a work-group, and how many fit."""

from typing import NamedTuple

from sycllint.occupancy.occupancy import Limiter


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
    """Per hardware thread (Intel) or work-item (AMD, NVIDIA); ``None``: the default of the device."""

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
    why: str = ""


def tightest(
    threads_per_group: int, limits: list[tuple[Limiter, int]], usable_threads: int, local_memory_allocated: int
) -> Residency:
    """The smallest of ``limits``; of equal ones the first named."""
    limits.sort(key=_groups)
    limiter, groups = limits[0]
    return Residency(threads_per_group, groups, limiter, tuple(limits), usable_threads, local_memory_allocated)


def _groups(limit: tuple[Limiter, int]) -> int:
    return limit[1]
