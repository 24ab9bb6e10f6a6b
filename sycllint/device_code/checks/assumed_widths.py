"""Lanes and sub-groups that a kernel works out from a local id, in the place of asking its sub-group."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from sycllint.cpp.expression import Number
from sycllint.device_code.checks.lane_exchanges import exchanges
from sycllint.device_code.uniformity import uniformity
from sycllint.domains.lanes import DIVISIONS, width_of
from sycllint.ir import ops
from sycllint.record import record
from sycllint.source.span import Location
from sycllint.values.arithmetic import Scalar, literal
from sycllint.values.memory import Answers
from sycllint.values.value import Known, known

if TYPE_CHECKING:
    from sycllint.device_code.code import Geometry, KernelCode
    from sycllint.ir.body import Body
    from sycllint.values.objects import Frame

WARPS = frozenset({32, 64})
"""Widths of NVIDIA's warps and of AMD's wavefronts: what programs written for them reckon with."""
_SPELLED = frozenset(map(str, WARPS))


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
    """The id is that of one dimension, which counts the work-items of one row and not those of the group."""
    operation: Location
    """The first operation of the sub-group."""
    is_arithmetic: bool = True
    """An id is taken apart; else it is an exchange."""


_answers: Answers[object, tuple[AssumedWidth, ...]] = Answers()


def assumed_widths(code: KernelCode) -> tuple[AssumedWidth, ...]:
    """One record for each constant, where it stands first: constants that may be taken for the width and are not it.

    Worked out once per function, shape of group and widths among the template arguments.
    """
    if not code.scan.sub_group_operations or _asks_for_width(code):
        return ()
    geometry = code.geometry
    shape = tuple(map(known, geometry.local or ()))
    given = _given(code.evaluator.frame)
    key = (code.function, code.evaluator.frame is None, geometry.dims, shape, known(geometry.sub_group_size), given)
    return _answers.of(code.evaluator, key, lambda: tuple(_found(code, _mistakable(geometry))))


def _given(frame: Frame | None) -> frozenset[str]:
    """What is written as template arguments on the way to a kernel and may be a width."""
    found: set[str] = set()
    while frame is not None:
        found.update(each.text for each in frame.templates if isinstance(each, Number))
        frame = frame.outer
    return _SPELLED & found


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


def _may_be_taken_apart(code: KernelCode, widths: frozenset[int]) -> bool:
    """Whether something is divided that may be an id, by what may be one of ``widths``, or its last bits are taken."""
    return any(
        body.name(position) in DIVISIONS and _may_be_width(body, position, widths)
        for body in code.lowered
        for position in body.at(ops.BINARY)
    )


def _may_be_width(body: Body, position: int, widths: frozenset[int]) -> bool:
    right = body.node[body.b[position]]
    found = literal(right.text) if isinstance(right, Number) else None
    if not isinstance(found, Scalar) or not isinstance(found.value, Known):
        return True
    return width_of(body.name(position), found.value.value) in widths


def _found(code: KernelCode, widths: frozenset[int]) -> Iterator[AssumedWidth]:
    operation = code.scan.sub_group_operations[0]
    seen: set[tuple[int, bool]] = set()
    lanes = uniformity(code).lanes() if widths and _may_be_taken_apart(code, widths) else ()
    for each in lanes:
        if each.width in widths and (each.width, each.is_lane) not in seen:
            seen.add((each.width, each.is_lane))
            yield AssumedWidth(each.location, each.text, each.width, each.is_lane, each.per_row, operation)
    if not seen:
        # Where the id counts the work-items of a row, the required width itself may be mistaken; for exchanges not.
        required = code.geometry.sub_group_size
        for one in exchanges(code, widths - {known(required) if required is not None else None}):
            yield AssumedWidth(one.location, one.text, one.width, True, False, operation, is_arithmetic=False)
            return
