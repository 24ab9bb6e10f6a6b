"""Private state of a work-item: arrays that are alive together, arrays that a run-time value indexes, volatile objects.

How many registers that takes depends on the sub-group size and is left to the rules.
"""

import re
from collections.abc import Iterator
from enum import IntEnum

from sycllint.cpp.expression import (
    Binary,
    Call,
    Cast,
    Expr,
    Increment,
    Index,
    Lambda,
    Member,
    Name,
    Number,
    Unary,
)
from sycllint.cpp.node import Node
from sycllint.cpp.place import Place
from sycllint.cpp.statement import (
    CONST,
    CONSTEXPR,
    STATIC,
    VOLATILE,
    Arm,
    Block,
    Declaration,
    Function,
    FunctionParameter,
    If,
    Variable,
)
from sycllint.device_code.affine.indexing import ID_NAMES
from sycllint.device_code.bodies.instruction_index import Spot
from sycllint.device_code.bodies.reading import DeviceFunction
from sycllint.device_code.bodies.trip_counts import Counted, counted, loops_around, trips
from sycllint.device_code.code import KernelCode
from sycllint.device_code.once import once_per_function
from sycllint.domains.meaning import is_array
from sycllint.ir import body as ir
from sycllint.ir import ops
from sycllint.ir.body import last_name
from sycllint.record import record
from sycllint.source.span import Location
from sycllint.values.certainty import truth
from sycllint.values.memory import Answers
from sycllint.values.objects import Point
from sycllint.values.value import known

MAX_UNROLLED = 32
"""Trips of a loop that compilers unroll by themselves, so that an index by its counter is a constant."""
_PERHAPS_UNROLLED = 128
"""Trips up to which they may, for the very reason that the counter indexes an array."""

_VOLATILE = re.compile(rb"\bvolatile\b[ \t]*")

SMALL = 64
"""Bytes per work-item up to which the way of access hardly matters."""


@record
class WorkItemArray:
    """An array of each work-item."""

    name: str
    bytes: int
    location: Location


@record
class PrivateState:
    """The arrays alive together where there are most of them."""

    arrays: tuple[WorkItemArray, ...]
    bytes: int


@record
class RunTimeIndex:
    """An array of each work-item, and a subscript that only the running program knows."""

    array: WorkItemArray
    location: Location
    """Of the subscript."""


@record
class VolatilePrivate:
    """A volatile object of each work-item."""

    name: str
    is_array: bool
    location: Location
    keyword: Location | None
    """The word ``volatile`` and what is blank behind it, in a declaration of this object alone."""


_WORK_ITEMS = "parallel_for_work_item"
"""Around it variables are those of the work-group, in local memory (SYCL 2020, "Hierarchical kernels")."""


@record
class _Array:
    """An array where it stands."""

    spot: Spot[Variable]
    body: DeviceFunction
    array: WorkItemArray


def private_state(code: "KernelCode") -> Iterator[PrivateState | RunTimeIndex]:
    """Arrays of known size and what is seen of their use; nothing in kernels without one."""
    found = [each for body in code.bodies for each in _arrays(code, body)]
    if not found:
        return
    together = max((_alive_with(each, found) for each in found), key=lambda each: sum(one.bytes for one in each))
    yield PrivateState(together, sum(each.bytes for each in together))
    for body in code.bodies:
        own = {each.spot.node: each.array for each in found if each.body is body and each.array.bytes > SMALL}
        if own:
            indexed = _indexed(code, body)
            yield from (RunTimeIndex(array, indexed[node]) for node, array in own.items() if node in indexed)


@once_per_function
def volatile_objects(code: "KernelCode") -> Iterator[VolatilePrivate]:
    """Objects of the kernel that are volatile themselves; what a volatile pointer leads to is another matter."""
    for body in code.lowered:
        for position in body.at(ops.DECL):
            local = body.locals[body.a[position]]
            variable, kind = local.node, local.type
            if not isinstance(variable, Variable) or kind is None or kind.pointers or kind.reference:
                continue
            if variable.flags & VOLATILE and not variable.flags & STATIC:
                keyword = _keyword(code, body, position, variable)
                yield VolatilePrivate(local.name, bool(kind.extents), code.location(body, position), keyword)


def _keyword(code: "KernelCode", body: ir.Body, position: int, variable: Variable) -> Location | None:
    """The word in a declaration of ``variable`` alone."""
    place = body.around_of(position)
    content = code.evaluator.facts.content_at(place)
    statements = place.node.statements if isinstance(place.node, Block) else ()
    around = next((each for each in statements if isinstance(each, Declaration) and variable in each.variables), None)
    if content is None or around is None or len(around.variables) != 1:
        return None
    found = [*_VOLATILE.finditer(content, around.start, variable.start)]
    if len(found) != 1:
        return None
    return code.evaluator.facts.file_at(place).location(*found[0].span())


def _arrays(code: "KernelCode", body: DeviceFunction) -> Iterator[_Array]:
    evaluator = code.evaluator
    hierarchical = any(last_name(call.function) == _WORK_ITEMS for call, _ in body.of(Call))
    for spot in body.of(Variable):
        variable, place = spot
        if hierarchical and next((n for n in place.chain() if isinstance(n, Lambda | Function)), None) is body.function:
            continue
        if variable.flags & (STATIC | CONST | CONSTEXPR) or not is_array(variable, evaluator, place):
            continue
        if variable.type.constant or not _may_run(code, place):
            continue
        frame, point = body.frame(evaluator.frame), Point(place, variable.start)
        size = known(evaluator.under(frame, evaluator.sizes.of_type, variable.type, point))
        if size:
            yield _Array(spot, body, WorkItemArray(variable.name, size, code.reading.location(spot)))


def _may_run(code: "KernelCode", place: Place) -> bool:
    """Whether the code at ``place`` is surely compiled, and in no branch that is surely not taken."""
    current: Place | None = place
    while current is not None and current.outer is not None:
        node, outer = current.node, current.outer
        if isinstance(node, Arm) and code.evaluator.macros.arm(node, outer) is not True:
            return False
        if isinstance(node, Lambda | Function):
            return True
        if isinstance(outer.node, If) and outer.node.condition is not None and node is not outer.node.initializer:
            taken = truth(code.evaluator, outer.node.condition, Point(outer, outer.node.start + 1))
            if taken is not None and (node is outer.node.then) is not taken:
                return False
        current = outer
    return True


def _alive_with(one: _Array, arrays: list[_Array]) -> tuple[WorkItemArray, ...]:
    """The arrays of the blocks around ``one``, and around the calls that lead to it."""
    blocks: set[Node] = set()
    body: DeviceFunction | None = one.body
    place: Place | None = one.spot.place
    while body is not None and place is not None:
        for node in place.chain():
            if node is body.function:
                break
            blocks.add(node)
        place = body.call.place if body.call is not None else None
        body = body.caller
    return tuple(each.array for each in arrays if each.spot.place.node in blocks)


class _Certainty(IntEnum):
    """What is known of an index when the kernel is compiled."""

    CONSTANT = 0
    UNKNOWN = 1
    RUN_TIME = 2


_indexed_arrays: Answers[DeviceFunction, dict[Variable, Location]] = Answers()
"""The arrays of each function that a run-time value indexes, and where it first does."""


def _indexed(code: "KernelCode", body: DeviceFunction) -> dict[Variable, Location]:
    """The same for every path to the function: what depends on a template's argument is not known here."""
    evaluator = code.evaluator
    return _indexed_arrays.of(evaluator, body, lambda: evaluator.under(None, _run_time_indices, code, body))


def _run_time_indices(code: "KernelCode", body: DeviceFunction) -> dict[Variable, Location]:
    """The first such subscript of each array."""
    arrays = {spot.node.name for spot in body.of(Variable) if spot.node.type.extents}
    seen: dict[Variable, Location] = {}
    judge = _Indices(code, body)
    for spot in body.of(Index):
        index, place = spot
        array, indices = _subscripted(index)
        if array is None or array.text not in arrays or all(isinstance(each, Number) for each in indices):
            continue
        found = code.evaluator.declarations.nearest(array.text, Point(place, index.start))
        node = found[0] if found is not None else None
        if not isinstance(node, Variable) or not node.type.extents or node in seen:
            continue
        if any(judge.of(each, place) is _Certainty.RUN_TIME for each in indices):
            seen[node] = code.reading.location(spot)
    return seen


def _subscripted(index: Index) -> tuple[Name | None, list[Expr]]:
    """The array and all its subscripts in ``a[i][j]``."""
    indices: list[Expr] = []
    current: Expr = index
    while isinstance(current, Index):
        indices += current.indices
        current = current.object
    return (current if isinstance(current, Name) else None), indices


class _Indices:
    """Whether indices in one function are constants once it is compiled."""

    def __init__(self, code: "KernelCode", body: DeviceFunction) -> None:
        self._evaluator = code.evaluator
        self._reading = code.reading
        self._body = body
        self._asked: set[Node] = set()
        self._changed = body.spots.assigned

    def of(self, index: Expr, place: Place) -> _Certainty:
        """The least certain part of ``index`` decides."""
        match index:
            case Number():
                return _Certainty.CONSTANT
            case Name():
                return self._name(index, place)
            case Index(object=inner):
                return self._element(inner, place)
            case Call(function=Member(name=name)) if name in ID_NAMES:
                return _Certainty.RUN_TIME
            case Binary(left=left, right=right):
                return max(self.of(left, place), self.of(right, place))
            case Cast(operand=operand) | Unary(operand=operand) | Increment(operand=operand):
                return self.of(operand, place)
            case _:
                return _Certainty.UNKNOWN

    def _element(self, array: Expr, place: Place) -> _Certainty:
        """Memory of the whole kernel is read at run time; a private array may have become constants."""
        if not isinstance(array, Name):
            return _Certainty.UNKNOWN
        found = self._evaluator.declarations.nearest(array.text, Point(place, array.start))
        if found is None or self._is_inside(found[1]) or getattr(found[0], "flags", 0) & (CONST | CONSTEXPR):
            return _Certainty.UNKNOWN
        return _Certainty.RUN_TIME

    def _is_inside(self, scope: Place) -> bool:
        """Whether what is declared in ``scope`` is the function's own."""
        return any(node is self._body.function for node in scope.chain())

    def _name(self, name: Name, place: Place) -> _Certainty:
        found = self._evaluator.declarations.nearest(name.text, Point(place, name.start))
        if found is None:
            return _Certainty.UNKNOWN if known(self._reading.value(name, place)) is None else _Certainty.CONSTANT
        node, scope = found
        if not isinstance(node, Variable | FunctionParameter) or node in self._asked:
            return _Certainty.UNKNOWN
        self._asked.add(node)
        certainty = self._declared(name, node, scope, place)
        self._asked.discard(node)
        return certainty

    def _declared(self, name: Name, node: Variable | FunctionParameter, scope: Place, place: Place) -> _Certainty:
        """A variable that is not a constant by itself."""
        for loop, outer in loops_around(place, self._body.function):
            counter = counted(loop)
            if counter is not None and counter.variable == node.name:
                return self._counter(counter, outer)
        if not self._is_inside(scope):
            if known(self._reading.value(name, place)) is not None:
                return _Certainty.CONSTANT
            constant = node.type.constant or getattr(node, "flags", 0) & (CONST | CONSTEXPR)
            return _Certainty.UNKNOWN if constant else _Certainty.RUN_TIME
        if isinstance(node, FunctionParameter):
            return _Certainty.UNKNOWN
        if node.name in self._changed:
            return self._collected(scope, place)
        return self.of(node.arguments[0], scope) if len(node.arguments) == 1 else _Certainty.UNKNOWN

    def _counter(self, counter: Counted, place: Place) -> _Certainty:
        """A loop's counter is a constant where the loop is unrolled; ``place`` is what is around the loop."""
        number = trips(counter, self._evaluator, place)
        if number is not None and number <= MAX_UNROLLED:
            return _Certainty.CONSTANT
        if "unroll" in counter.loop.pragma:
            return _Certainty.UNKNOWN
        if number is not None:
            return _Certainty.UNKNOWN if number <= _PERHAPS_UNROLLED else _Certainty.RUN_TIME
        ends = [each for each in (counter.first, counter.bound) if each is not None]
        return max((self.of(each, place) for each in ends), default=_Certainty.UNKNOWN)

    def _collected(self, scope: Place, place: Place) -> _Certainty:
        """``list[count++]`` in a loop that is not unrolled, around which ``count`` lives on."""
        outside = set(scope.chain())
        for loop, outer in loops_around(place, self._body.function):
            counter = counted(loop) if loop not in outside else None
            if counter is not None and self._counter(counter, outer) is _Certainty.RUN_TIME:
                return _Certainty.RUN_TIME
        return _Certainty.UNKNOWN
