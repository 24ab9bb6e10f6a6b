"""Work-group sizes that would keep a core busier than the one in the source."""

from collections.abc import Sequence

from sycllint.hardware.device import Device
from sycllint.occupancy.estimate import estimate_occupancy, limit
from sycllint.record import record

_OVERLAP = 4
"""Groups per core from which one that waits at a barrier leaves most of the core at work: at most a quarter waits."""


@record
class Suggestion:
    """``groups`` work-groups of ``work_group`` work-items on a core fill ``ratio`` (0 to 1) of its threads."""

    work_group: int
    groups: int
    ratio: float

    def __str__(self) -> str:
        """``224 (4 groups, 100%)``."""
        noun = "group" if self.groups == 1 else "groups"
        return f"{self.work_group} ({self.groups} {noun}, {100 * self.ratio:.0f}%)"


def suggestions(
    device: Device,
    sub_group: int,
    *,
    local_memory: int = 0,
    barrier: bool = True,
    registers: int | None = None,
    extents: Sequence[int] | None = None,
    above: float = 0.0,
    most: int = 3,
) -> tuple[Suggestion, ...]:
    """At most ``most`` legal work-group sizes with a ratio over ``above``, best first.

    Best is the highest ratio, then four groups or more per core (so that a barrier stops only some of them), then the
    largest size (fewest dispatches). Only whole sub-groups are proposed. With the ``extents`` of the global range, only
    sizes that a local range dividing it in every dimension can have. ``local_memory`` is taken to stay as it is.
    """
    largest = limit(device, registers, sub_group)
    found = []
    for size in _sizes(sub_group, largest, extents):
        occupancy = estimate_occupancy(
            device, size, sub_group, local_memory=local_memory, barrier=barrier, registers=registers
        )
        if occupancy.groups_per_core and occupancy.ratio > above:
            found.append(Suggestion(size, occupancy.groups_per_core, occupancy.ratio))
    found.sort(key=lambda each: (-each.ratio, each.groups < _OVERLAP, -each.work_group))
    return tuple(found[:most])


def _sizes(sub_group: int, largest: int, extents: Sequence[int] | None) -> list[int]:
    multiples = range(sub_group, largest + 1, sub_group)
    if extents is None:
        return list(multiples)
    reachable = {1}
    for extent in extents:
        divisors = [each for each in range(1, min(extent, largest) + 1) if extent % each == 0]
        reachable = {size * each for size in reachable for each in divisors if size * each <= largest}
    return sorted(size for size in reachable if size % sub_group == 0)
