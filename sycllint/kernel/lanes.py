"""Lanes and sub-groups that a kernel works out from a local id, in the place of asking its sub-group."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from sycllint.kernel.exchanges import exchanges
from sycllint.kernel.sight import lane_part, sight
from sycllint.kernel.uniformity import both_walked, in_one_launch, uniformity
from sycllint.record import record
from sycllint.source.span import Location
from sycllint.values.memory import Answers
from sycllint.values.value import known

if TYPE_CHECKING:
    from sycllint.kernel.analyses import Geometry, KernelCode
    from sycllint.kernel.controls import LaneArithmetic

WARPS = frozenset({32, 64})
"""Widths of NVIDIA's warps and of AMD's wavefronts: what programs written for them reckon with."""


@record
class AssumedWidth:
    """A local id is taken apart with a constant, or lanes so far apart exchange values, in a kernel with sub-groups."""

    location: Location
    text: str
    """As written: ``lid % 32``; or ``shift_group_left by 16``."""
    width: int
    is_lane: bool
    """It is the lane that is worked out, and not the sub-group."""
    per_row: bool
    """The id is one of several dimensions, so that it does not count the work-items of the group."""
    operation: Location
    """The first operation of the sub-group."""


_answers: Answers[object, tuple[AssumedWidth, ...]] = Answers()


def assumed_widths(code: KernelCode) -> tuple[AssumedWidth, ...]:
    """One record for each constant, where it stands first: constants that may be taken for the width and are not it.

    Worked out once per function and shape of group: other template arguments rarely mean another width.
    """
    if not code.scan.sub_group_operations or _asks_for_width(code):
        return ()
    geometry = code.geometry
    shape = tuple(map(known, geometry.local or ()))
    key = (code.function, code.evaluator.frame is None, geometry.dims, shape, known(geometry.sub_group_size))
    return _answers.of(code.evaluator, key, lambda: tuple(_found(code, _mistakable(geometry))))


def _asks_for_width(code: KernelCode) -> bool:
    """Whether a function that the kernel calls has an attribute for its sub-groups, which some compilers obey."""
    called = (body.function for body in code.bodies if body.call is not None)
    return any("sub_group_size" in each.name for function in called for each in function.attributes)


def _mistakable(geometry: Geometry) -> frozenset[int]:
    """The widths by which a kernel with this shape may go wrong.

    The required width itself is right where the group is one row; lanes of fewer than it are parts of a sub-group.
    """
    required = geometry.sub_group_size
    if required is None:
        return WARPS
    size = known(required)
    if size is None:
        return frozenset()
    wider = frozenset(each for each in WARPS if each > size)
    return wider | {size} if geometry.dims is None or geometry.dims > 1 else wider


_parts: Answers[object, frozenset[int] | None] = Answers(latest=True)
"""Of the kernel that was asked about last: two analyses ask, one after the other."""


def statements_with_lanes(code: KernelCode) -> frozenset[int] | None:
    """The statements, by identity, that bear on where widths are assumed; ``None`` is all of them, none is none."""
    widths = _mistakable(code.geometry) if code.scan.sub_group_operations else frozenset()
    if not widths:
        return widths
    return _parts.of(code.evaluator, in_one_launch(code), lambda: lane_part(code, widths))


def _found(code: KernelCode, widths: frozenset[int]) -> Iterator[AssumedWidth]:
    operation = code.scan.sub_group_operations[0]
    seen: set[tuple[int, bool]] = set()
    for each in _taken_apart(code):
        if each.width in widths and (each.width, each.is_lane) not in seen:
            seen.add((each.width, each.is_lane))
            yield AssumedWidth(each.location, each.text, each.width, each.is_lane, each.per_row, operation)
    if not seen:
        # Where the id counts the work-items of a row, the required width itself may be mistaken; for exchanges not.
        required = code.geometry.sub_group_size
        for one in exchanges(code, widths - {known(required) if required is not None else None}):
            yield AssumedWidth(one.location, one.text, one.width, True, False, operation)
            return


def _taken_apart(code: KernelCode) -> tuple[LaneArithmetic, ...]:
    part = statements_with_lanes(code)
    if part is not None and not part:
        return ()
    walked = both_walked(code, part) if sight(code).parted else uniformity(code, part)
    return walked.lanes()
