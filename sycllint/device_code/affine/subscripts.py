"""Elements of global memory that a kernel accesses, as sums of ids, counters and a rest.

By subscripts, ``a[i][j]`` and ``v.data[i]``, through pointers, ``row[j]``, and by functions that do no more than give
an element, ``view(i, j)``.
"""

from collections import Counter
from collections.abc import Iterator

from sycllint.cpp.expression import Assign, Binary, Call, Expr, Increment, Index, Lambda, Member, Name, Unary
from sycllint.cpp.place import Place
from sycllint.cpp.statement import Function, FunctionParameter, Return, Variable
from sycllint.device_code.affine.indexing import ONE, Indexing, Other, Sum, added, scaled
from sycllint.device_code.affine.memory import IndexedMemory, memory
from sycllint.device_code.bodies.instruction_index import Spot, Spots
from sycllint.device_code.bodies.reading import DeviceFunction
from sycllint.device_code.code import KernelCode
from sycllint.device_code.once import kept_per_function
from sycllint.device_code.spelling import spelled
from sycllint.ir import body as ir
from sycllint.record import NamedTuple, replace
from sycllint.values.objects import Point
from sycllint.values.symbolic import parameter
from sycllint.values.value import known

MAX_INLINED = 3
"""Functions that give an element by calling another one."""


class Subscript(NamedTuple):
    """One accessed element of global memory."""

    array: str
    spot: Spot[Index] | Spot[Call]
    total: Sum
    """Elements from the beginning of the array."""
    apart: Sum
    """The same, with groups and local ids left apart."""
    written: bool
    indexing: Indexing


class _Element(NamedTuple):
    """An element, or a pointer to it."""

    array: str
    offset: Sum
    """Elements from the beginning of the array."""

    def moved(self, by: Sum | None) -> "_Element | None":
        return None if by is None else _Element(self.array, added(self.offset, by))


def subscripts(code: KernelCode, body: DeviceFunction, array: str | None = None) -> Iterator[Subscript]:
    """The accesses of a function to global memory, or to one array there.

    What a function accesses that only gives an element, those who call it do.
    """
    if body.call is not None and _given_element(body.function) is not None:
        return
    indexing = _within(code, body)
    written = {id(spot.node.left) for spot in body.of(Assign)} | {id(spot.node.operand) for spot in body.of(Increment)}
    parts = {id(spot.node.object) for spot in body.of(Index)}
    spots: tuple[Spot[Index] | Spot[Call], ...] = (*body.of(Index), *giving_elements(code, body))
    for spot in spots:
        if id(spot.node) not in parts:
            access = subscript(indexing, spot, written=id(spot.node) in written)
            if access is not None and array in (None, access.array):
                yield access


def subscript(indexing: Indexing, spot: Spot[Index] | Spot[Call], *, written: bool) -> Subscript | None:
    """One of them; ``None`` when it is not of global memory, or no sum."""
    found = _element(indexing, spot.node, spot.place)
    if found is None:
        return None
    return Subscript(found.array, spot, indexing.joined(found.offset), found.offset, written, indexing)


def _within(code: KernelCode, body: DeviceFunction) -> Indexing:
    """Answers for a function, with what the only call of it in the kernel hands to it."""
    is_called_once = body.caller is not None and _calls_of(code)[body.lowered] == 1
    return Indexing(code, body, _within(code, body.caller) if is_called_once and body.caller is not None else None)


@kept_per_function
def _calls_of(code: KernelCode) -> Counter[ir.Body]:
    """How often the functions of a kernel are called in it."""
    return Counter(edge.target for body in code.bodies for edge in code.graph.calls(body.lowered))


def giving_elements(code: KernelCode, body: DeviceFunction) -> Iterator[Spot[Call]]:
    """The calls of functions of the project that do no more than give an element."""
    calls = {id(each.body.call(each.position)) for each in code.graph.calls(body.lowered) if _is_giving(each.target)}
    yield from (each for each in body.of(Call) if id(each.node) in calls)


def root_of(index: Index) -> Name | Member | None:
    """``a`` of ``a[i][j]``, ``v.a`` of ``v.a[i]``."""
    current: Expr = index
    while isinstance(current, Index) and len(current.indices) == 1:
        current = current.object
    return current if isinstance(current, Name | Member) else None


def element_bytes(code: KernelCode, spot: Spot[Index] | Spot[Call]) -> int | None:
    """Bytes of the element that is accessed."""
    (node, place), evaluator = spot, code.evaluator
    point = Point(place, node.start)
    size = known(evaluator.sizes.of_operand(node, point))
    typed = evaluator.static_types.of(node, point) if size is None else None
    if typed is None:
        return size
    return known(
        evaluator.under(typed.frame, evaluator.sizes.of_type, replace(typed.type, reference=False), typed.point)
    )


# --------------------------------------------------------------------- elements


def _element(indexing: Indexing, node: Expr, place: Place, depth: int = 0) -> _Element | None:
    match node:
        case Index(object=inner, indices=(index,)):
            root = root_of(node)
            array, there = (indexing.handed(root, place) if isinstance(root, Name) else None) or (root, place)
            if isinstance(array, Name | Member):
                leads = memory(indexing.code, indexing.body, array, there)
                if leads is IndexedMemory.GLOBAL and indexing.axis(node, place) is None:
                    whole = _pointed(indexing, array, there, depth)
                    return whole.moved(_total(indexing, whole.array, node, place))
                if leads is not IndexedMemory.UNKNOWN:
                    return None
            given = _given(indexing, _subscripted(indexing, node, inner), place, depth)
            if given is not None or not isinstance(inner, Index | Call):
                return given
            pointer = _pointer(indexing, inner, place, depth)
            return pointer.moved(indexing.of(index, place)) if pointer is not None else None
        case Call():
            return _given(indexing, node, place, depth)
        case Unary(operator="*", operand=operand):
            return _pointer(indexing, operand, place, depth)
        case _:
            return None


def _pointer(indexing: Indexing, node: Expr, place: Place, depth: int) -> _Element | None:
    """The element that a pointer points to."""
    match node:
        case Name() | Member():
            if memory(indexing.code, indexing.body, node, place) is not IndexedMemory.GLOBAL:
                return None
            return _pointed(indexing, node, place, depth)
        case Binary(operator="+", left=left, right=right):
            whole = _pointer(indexing, left, place, depth)
            return whole.moved(indexing.of(right, place)) if whole is not None else None
        case Unary(operator="&", operand=operand):
            return _element(indexing, operand, place, depth)
        case Index(object=inner):
            return _given(indexing, _subscripted(indexing, node, inner), place, depth)
        case Call():
            return _given(indexing, node, place, depth)
        case _:
            return None


def _pointed(indexing: Indexing, array: Name | Member, place: Place, depth: int) -> _Element:
    """The element that an array begins with, or a pointer points to: one from outside, or one of the function."""
    evaluator, itself = indexing.code.evaluator, _Element(spelled(array) or "", {})
    found = evaluator.declarations.nearest(array.text, Point(place, array.start)) if isinstance(array, Name) else None
    if found is None or depth > MAX_INLINED or not any(each is indexing.body.function for each in found[1].chain()):
        return itself
    node, scope = found
    if isinstance(node, FunctionParameter):
        handed = indexing.given(node)
        return (_pointer(*handed, depth + 1) if handed is not None else None) or itself
    if not isinstance(node, Variable) or not (node.type.pointers or node.type.name.text == "auto"):
        return itself
    function, pointer = indexing.body.function, None
    is_taken = function.body is None or f"&{node.name}" in evaluator.mutations.of(function.body)
    if len(node.arguments) == 1 and not is_taken and node.name not in indexing.body.spots.assigned:
        pointer = _pointer(indexing, node.arguments[0], scope, depth + 1)
    return itself.moved(pointer.offset if pointer is not None else {Other(node, node.name): ONE}) or itself


def _total(indexing: Indexing, array: str, index: Index, place: Place) -> Sum | None:
    """``a[i][j]`` as j and i rows."""
    total = indexing.of(index.indices[0], place)
    inner, depth = index.object, 1
    while isinstance(inner, Index) and total is not None:
        rows = indexing.of(inner.indices[0], place)
        text = f"{array} row {depth}"
        row = parameter(text, text, "the length of a row", minimum=1)
        total = added(total, scaled(rows, row)) if rows is not None else None
        inner, depth = inner.object, depth + 1
    return total


# ---------------------------------------------------- functions that give elements


def _subscripted(indexing: Indexing, index: Index, inner: Expr) -> Call | None:
    """The call of the project's own operator that a subscript may be."""
    if not indexing.code.evaluator.facts.functions.get("operator[]"):
        return None
    start, end = index.start, index.end
    return Call(Member(inner, "operator[]", None, start, end), index.indices, start, end)


def _is_giving(target: ir.Body) -> bool:
    return _given_element(target.function) is not None


def _given_element(function: Function | Lambda) -> Return | None:
    """The return statement that is all of a function, and gives an element or a pointer."""
    statements = function.body.statements if function.body is not None else ()
    match statements:
        case (Return(value=Index() | Call() | Unary(operator="*" | "&") | Binary(operator="+")) as only,):
            kind = function.returns
            is_place = kind is not None and (
                kind.reference or kind.pointers or kind.name.text in ("auto", "decltype(auto)")
            )
            return only if is_place or isinstance(only.value, Index) else None
        case _:
            return None


def _given(indexing: Indexing, call: Call | None, place: Place, depth: int) -> _Element | None:
    """The element that a call of such a function gives, or that the pointer points to which it gives."""
    code = indexing.code
    target = code.graph.target(call, place) if call is not None and depth < MAX_INLINED else None
    if call is None or target is None or not isinstance(target.node, Function):
        return None
    only, function = _given_element(target.node), target.node
    if only is None or only.value is None or function.body is None:
        return None
    lowered = code.graph.body(function, target)
    body = DeviceFunction(function, target, Spot(call, place), indexing.body, lowered, Spots(lowered.whole()))
    inside, around = Indexing(code, body, indexing), Place(only, Place(function.body, target))
    is_pointer = function.returns is not None and function.returns.pointers
    found = (_pointer if is_pointer else _element)(inside, only.value, around, depth + 1)
    receiver = inside.receiver
    text = spelled(receiver) if receiver is not None else None
    return found if found is None or text is None else _Element(text, found.offset)
