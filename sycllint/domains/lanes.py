"""Arithmetic that takes a local id apart into the lane and the sub-group of a work-item."""

from __future__ import annotations

from sycllint.cpp.expression import Binary
from sycllint.cpp.macro_arguments import with_arguments
from sycllint.cpp.spelling import spelled
from sycllint.domains.activation import Activation
from sycllint.domains.controls import LaneArithmetic
from sycllint.domains.levels import Content, exact_of
from sycllint.values.arithmetic import Scalar

DIVISIONS = frozenset({"%", "&", "/", ">>"})
"""Operators that give the rest or the quotient of a division by a power of two."""


def width_of(operator: str, right: int) -> int:
    """The width by which ``operator`` divides."""
    return {"&": right + 1, ">>": 1 << max(0, min(right, 16))}.get(operator, right)


def note_lanes(frame: Activation, position: int, node: Binary, left: Scalar, right: Content) -> None:
    """Note a division of a local id by a number."""
    run = frame.context.run
    number = exact_of(right)
    if number is None or not 0 < number < 1024:
        return
    per_row = not run.indices.counts_group(left.value)
    if per_row and not run.indices.is_lane(left.value):
        return
    location = run.written(frame.body, position)
    is_lane = node.operator in ("%", "&")
    run.lanes[location] = LaneArithmetic(
        width_of(node.operator, number),
        spelled(with_arguments(node, frame.body.around_of(position))),
        location,
        is_lane,
        per_row,
    )
