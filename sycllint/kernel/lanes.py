"""Lanes and sub-groups that a kernel works out from a local id, in the place of asking its sub-group."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sycllint.kernel.uniformity import uniformity
from sycllint.source.span import Location

if TYPE_CHECKING:
    from sycllint.kernel.analyses import KernelCode


@dataclass(frozen=True, slots=True)
class AssumedWidth:
    """A local id is taken apart with a constant, in a kernel that uses sub-groups too."""

    location: Location
    text: str
    """As written: ``lid % 32``."""
    width: int
    is_lane: bool
    """It is the lane that is worked out, and not the sub-group."""
    per_row: bool
    """The id is one of several dimensions, so that it does not count the work-items of the group."""
    operation: Location
    """The first operation of the sub-group."""


def assumed_widths(code: KernelCode) -> Iterator[AssumedWidth]:
    """One record for each constant, where it stands first."""
    operations = code.scan.sub_group_operations
    if not operations:
        return
    seen: set[tuple[int, bool]] = set()
    for each in uniformity(code).lanes():
        if (each.width, each.is_lane) not in seen:
            seen.add((each.width, each.is_lane))
            yield AssumedWidth(each.location, each.text, each.width, each.is_lane, each.per_row, operations[0])
