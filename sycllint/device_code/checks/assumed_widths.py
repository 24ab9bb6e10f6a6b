"""Widths of sub-groups that a kernel assumes: where it divides a local id by one, or exchanges values half as far."""

import re
from collections.abc import Iterator

from sycllint.cpp.expression import Binary, Call, Expr, Member, Name, Number
from sycllint.cpp.node import walk
from sycllint.cpp.place import Place
from sycllint.cpp.statement import FunctionParameter, If, Loop, Variable
from sycllint.device_code.affine.indexing import ID_NAMES
from sycllint.device_code.bodies.instruction_index import Spot
from sycllint.device_code.bodies.reading import DeviceFunction, names_outside_subscripts
from sycllint.device_code.bodies.trip_counts import first_value, loops_around
from sycllint.device_code.code import Geometry, KernelCode
from sycllint.device_code.uniformity import lanes
from sycllint.domains.meaning import Role
from sycllint.domains.results import SELECTIONS
from sycllint.domains.transfer import DIVISIONS, width_of
from sycllint.domains.vocabulary import LANE_SHIFTS, SUB_GROUP_WIDTHS
from sycllint.ir import ops
from sycllint.ir.body import Body
from sycllint.record import record
from sycllint.source.span import Location
from sycllint.values.arithmetic import Scalar, literal
from sycllint.values.certainty import truth
from sycllint.values.memory import Answers
from sycllint.values.objects import Frame, Point
from sycllint.values.value import Known, known

WARPS = frozenset({32, 64})
"""Widths of NVIDIA's warps and of AMD's wavefronts, which programs written for them assume."""
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
    key = (code.instance, code.evaluator.frame is None, geometry.dims, shape, known(geometry.sub_group_size), given)
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
    for each in lanes(code) if widths and _may_be_taken_apart(code, widths) else ():
        if each.width in widths and (each.width, each.is_lane) not in seen:
            seen.add((each.width, each.is_lane))
            yield AssumedWidth(each.location, each.text, each.width, each.is_lane, each.per_row, operation)
    if not seen:
        # Where the id counts the work-items of a row, the required width itself may be mistaken; for exchanges not.
        required = code.geometry.sub_group_size
        for one in exchanges(code, widths - {known(required)}):
            yield AssumedWidth(one.location, one.text, one.width, True, False, operation, is_arithmetic=False)
            return


_OF_LANE = SELECTIONS | {"group_broadcast"}
"""Exchanges with a lane that is given, not with one at a distance."""
_FREE = LANE_SHIFTS | {"select_from_group", "select_from_sub_group", "group_broadcast"}
"""Functions of a group, a value and a distance or a lane."""
_MEMBERS = frozenset({"shuffle", "shuffle_xor", "shuffle_down", "shuffle_up", "shuffle_left", "shuffle_right"})
"""Those of a sub-group before SYCL 2020 (extension sub_group): a value and a distance or a lane."""
_IDS = ID_NAMES | {"leader"}
_MAKERS = frozenset({"get_sub_group", "this_sub_group"})
_WIDTH = re.compile(r"(warp|wave|sub_?group|sg|simd)_?(size|width)|width", re.IGNORECASE)
"""Names of what holds a width."""
MAX_COPIES = 4
"""Variables that are looked through for the one sub-group they stand for."""


@record
class Exchange:
    """A value goes from lane to lane, over half of the sub-group that its author had in mind."""

    location: Location
    text: str
    width: int


def exchanges(code: KernelCode, widths: frozenset[int]) -> Iterator[Exchange]:
    """The exchanges of a kernel that take one of ``widths`` for granted; none where it asks for the width."""
    bodies = code.bodies
    if any(_asks(code, spot) for body in bodies for spot in body.of(Call)):
        return
    for body in bodies:
        for spot in body.of(Call):
            found = _exchange(code, body, spot)
            if found is not None and found.width in widths:
                yield found


def _asks(code: KernelCode, spot: Spot[Call]) -> bool:
    function = spot.node.function
    if not isinstance(function, Member) or function.name not in SUB_GROUP_WIDTHS:
        return False
    return function.name == "get_max_local_range" or _is_sub_group(code, function.object, spot.place)


def _exchange(code: KernelCode, body: DeviceFunction, spot: Spot[Call]) -> Exchange | None:
    """What one call takes for granted."""
    call, place = spot
    match call.function:
        case Name(last=name) if name in _FREE and len(call.arguments) > 2:
            group, by = call.arguments[0], call.arguments[2]
        case Member(object=group, name=name) if name in _MEMBERS and len(call.arguments) == 2:
            by = call.arguments[1]
        case _:
            return None
    if not _is_sub_group(code, group, place) or _is_left_out(code, body, place):
        return None
    is_lane = name in _OF_LANE
    far = _farthest(code, body, by, place, is_lane=is_lane)
    if far is None:
        return None
    # A lane of the upper half, or one that is half a sub-group away.
    width = 1 << far.bit_length()
    text = f"lane {far} of {name}" if is_lane else f"{name} by {far}"
    return Exchange(code.reading.location(spot), text, width) if is_lane or width == 2 * far else None


def _is_left_out(code: KernelCode, body: DeviceFunction, place: Place) -> bool:
    """Whether a condition around says that the call is not run, or may ask for a width itself.

    An unknown condition that is uniform over work-items may be how the program distinguishes devices.
    """
    evaluator, branch = code.evaluator, place
    frame = body.frame(evaluator.frame)
    for current in place.within():
        node = current.node
        if isinstance(node, If) and node.condition is not None and branch.node in (node.then, node.otherwise):
            taken = evaluator.under(frame, truth, evaluator, node.condition, Point(current, node.start + 1))
            is_width = taken is None and any(map(_WIDTH.search, names_outside_subscripts(node.condition)))
            if is_width or (taken is None and not _is_of_ids(code, node.condition, current)):
                return True
            if taken is not None and (branch.node is node.then) is not taken:
                return True
        branch = current
    return False


def _is_of_ids(code: KernelCode, expression: Expr, place: Place, copies: int = MAX_COPIES) -> bool:
    """Whether an expression asks for an id of the work-item, itself or in the variables that it is made of."""
    for node in walk(expression):
        if isinstance(node, Member) and node.name in _IDS:
            return True
        if not isinstance(node, Name) or not copies:
            continue
        found = code.evaluator.declarations.nearest(node.text, Point(place, node.start))
        match found:
            case (FunctionParameter(type=kind), _) if kind.name.last == "id":
                return True
            case (Variable(arguments=made), at) if any(_is_of_ids(code, each, at, copies - 1) for each in made):
                return True
    return False


def _farthest(code: KernelCode, body: DeviceFunction, by: Expr, place: Place, *, is_lane: bool) -> int | None:
    """The number, or the largest one that the counter of a loop around takes."""
    frame = body.frame(code.evaluator.frame)
    if isinstance(by, Name):
        for loop, outside in loops_around(place):
            first, bound = first_value(loop, by.text), _bound(loop, by.text)
            if first is None:
                continue
            inside = Place(loop, outside)
            start = known(code.reading.value(first, inside, frame))
            end = known(code.reading.value(bound, inside, frame)) if bound is not None else None
            if start is None or start < 0:
                return None
            if end is None or end <= start:
                # Halved each time.
                return start or None
            return end - 1 if is_lane else end // 2
    value = known(code.reading.value(by, place, frame))
    return value if value is not None and value > 0 else None


def _bound(loop: Loop, counter: str) -> Expr | None:
    """What the counter stays below."""
    match loop.condition:
        case Binary(operator="<", left=Name(text=text), right=bound) if text == counter:
            return bound
        case Binary(operator=">", left=bound, right=Name(text=text)) if text == counter:
            return bound
        case _:
            return None


def _is_sub_group(code: KernelCode, expression: Expr, place: Place) -> bool:
    """Whether an expression is the sub-group itself, and not a part of it."""
    evaluator, meanings = code.evaluator, code.reading.meanings
    for _ in range(MAX_COPIES):
        match expression:
            case Call(function=Member(name=name) | Name(last=name)):
                return name in _MAKERS
            case Name(text=text, start=start):
                found = evaluator.declarations.nearest(text, Point(place, start))
            case _:
                return False
        if found is None or not isinstance(found[0], Variable | FunctionParameter):
            return False
        if meanings.of_type(found[0].type.name) is Role.SUB_GROUP:
            return True
        if not isinstance(found[0], Variable) or len(found[0].arguments) != 1:
            return False
        expression, place = found[0].arguments[0], found[1]
    return False
