"""The border that a work-group loads beside its own elements, when each work-item reads its neighbours.

The payload grows with the volume of the work-group, the border with its surface: that is the argument for large
work-groups (AMD, "Optimizing GPU occupancy and resource usage with large thread groups", section on thread groups that
share data).
"""

from collections.abc import Sequence
from math import prod

from sycllint.record import record


@record
class Halo:
    """Elements that one work-group loads into local memory, one element per work-item and those around them."""

    payload: int
    """Elements that the work-items of the group own."""
    border: int
    """Elements around them, which belong to other groups."""

    @property
    def loads(self) -> int:
        """Elements loaded in all."""
        return self.payload + self.border

    @property
    def overhead(self) -> float:
        """The border as a multiple of the payload."""
        return self.border / self.payload

    @property
    def share(self) -> float:
        """The part of the loads that is border, between 0 and 1."""
        return self.border / self.loads


def halo(work_group: Sequence[int], radius: int = 1) -> Halo:
    """What a work-group of these extents loads when each work-item reads all neighbours up to ``radius`` away.

    The neighbourhood is a box in as many dimensions as there are extents, its corners included. ``ValueError`` for an
    extent below 1 or a negative radius.
    """
    if radius < 0 or any(extent < 1 for extent in work_group):
        raise ValueError(f"no halo of {radius} around {tuple(work_group)}: extents start at 1, a radius at 0")
    payload = prod(work_group)
    return Halo(payload, prod(extent + 2 * radius for extent in work_group) - payload)
