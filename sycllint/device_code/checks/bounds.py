"""Ends of arrays: ids that go past them unchecked, and checks that come after the access they should guard."""

from collections.abc import Iterator
from itertools import chain

from sycllint.cpp.expression import Binary, Call, Conditional, Expr, Index, Member, Name, Number
from sycllint.cpp.node import walk
from sycllint.cpp.place import Place
from sycllint.cpp.statement import Evaluate, FunctionParameter, If, Loop, Return, Switch
from sycllint.device_code.affine.indexing import (
    ID_NAMES,
    Axis,
    Indexing,
    Of,
    same,
    sole_axis,
)
from sycllint.device_code.affine.memory import IndexedMemory, memory
from sycllint.device_code.bodies.instruction_index import Spot
from sycllint.device_code.bodies.reading import DeviceFunction, names_outside_subscripts
from sycllint.device_code.checks.host_arrays import allocation, text_inside
from sycllint.device_code.code import KernelCode
from sycllint.device_code.once import kept_per_function, once_per_function
from sycllint.device_code.spelling import spelled
from sycllint.domains.vocabulary import RANGES
from sycllint.ir import body as ir
from sycllint.ir import ops
from sycllint.ir.body import VARIABLES, Local, Storage, last_name
from sycllint.record import record
from sycllint.source.span import Location
from sycllint.values.objects import Point
from sycllint.values.symbolic import rounded_up
from sycllint.values.value import Known, Parameter, Symbolic, Term, Value, known

_COMPARISONS = frozenset({"<", ">", "<=", ">=", "==", "!="})
_BOUNDS = frozenset({"<", ">", "<=", ">="})
_CHECKS = _COMPARISONS | {"%", "&"}
_BY_BYTES = (b"malloc_device(", b"malloc_shared(", b"malloc_host(")
_HARMLESS = ID_NAMES | {
    *(*RANGES, "get", "get_sub_group", "barrier", "group_barrier"),
}
"""Functions of an item that check nothing."""


@record
class UnguardedAccess:
    """An array subscripted with a global id that nothing compares with anything."""

    array: str
    location: Location
    launched: Value
    """Work-items."""
    elements: Value
    """What the id should stay below: elements of the array when they are known, else what ``launched`` is rounded up
    from."""
    allocated: Location | None
    """Where the array is allocated, when that is visible."""
    limit: str = ""
    """Its elements as they may be written in the kernel; empty where that is not sure."""


@record
class LateBound:
    """``a[i] > 0 && i < n``."""

    array: str
    index: str
    location: Location
    """Of the access."""
    bound: Location


def unguarded_accesses(code: "KernelCode") -> Iterator[UnguardedAccess]:
    """Accesses past the end in kernels without any guard, one for each array; all items lie along one dimension."""
    whole = code.geometry.whole or ()
    wide = [dimension for dimension, each in enumerate(whole) if known(each) != 1]
    if len(wide) != 1:
        return
    [dimension] = wide
    launched = whole[dimension]
    if not (isinstance(launched, Known) or rounded_up(launched) is not None or _allocates_bytes(code)):
        return
    if is_guarded(code):
        return
    seen: set[str] = set()
    for body in code.bodies:
        indexing = Indexing(code, body)
        for spot in body.of(Index):
            found = _unguarded(code, body, indexing, spot, Axis(Of.GLOBAL, dimension), launched)
            if found is not None and found.array not in seen:
                seen.add(found.array)
                yield found


@kept_per_function
def is_guarded(code: "KernelCode") -> bool:
    """Whether anything in a kernel may keep an id in bounds, whatever it is launched with."""
    return any(_guards(code, body) for body in code.bodies)


def _guards(code: "KernelCode", body: DeviceFunction) -> bool:
    reading = code.reading
    asking = chain[Spot[If | Switch | Loop | Conditional]](*map(body.of, (If, Switch, Loop, Conditional)))
    asked = (each.condition for each, _ in asking if each.condition is not None)
    if any(reading.mentions(body, each) for each in asked):
        return True
    if any(reading.mentions(body, each) for each, _ in body.operations(_CHECKS)):
        return True
    if any(isinstance(node, If) for spot in body.of(Return) for node in spot.place.chain()):
        # The sizes may be what it asks about: then no work-item is too many where it goes on.
        return True
    if any(_is_opaque_macro(code, node, place) for node, place in body.of(Evaluate)):
        return True
    followed = {each.call.node for each in code.bodies if each.call is not None}
    calls = (node for node, _ in body.of(Call) if node not in followed)
    return any(last_name(each.function) not in _HARMLESS and reading.mentions(body, each) for each in calls)


def _is_opaque_macro(code: "KernelCode", statement: Evaluate, place: Place) -> bool:
    """``CHECK_BOUNDS;`` and ``CHECK_BOUNDS(n);``, with no visible declaration, may leave the kernel."""
    expression, facts = statement.expression, code.evaluator.facts
    name = expression.function if isinstance(expression, Call) else expression
    if not isinstance(name, Name) or not (isinstance(expression, Name) or name.text.isupper()):
        return False
    known = (facts.functions, facts.macros, facts.structs, facts.variables, facts.enumerators)
    if any(name.last in each for each in known):
        return False
    return code.evaluator.declarations.nearest(name.text, Point(place, name.start)) is None


def _unguarded(
    code: "KernelCode", body: DeviceFunction, indexing: Indexing, spot: Spot[Index], wide: Axis, launched: Value
) -> UnguardedAccess | None:
    (index, place), array = spot, spot.node.object
    if not isinstance(array, Name | Member) or len(index.indices) != 1:
        return None
    # Most arrays are ruled out by their size, for which no subscript has to be understood.
    made = allocation(code, body, array, place)
    elements = rounded_up(launched) if made is None else made.count
    if elements is None or (made is not None and not _is_smaller(elements, launched)):
        return None
    total = indexing.of(index.indices[0], place)
    axis = sole_axis(indexing.joined(total)) if total is not None else None
    if axis != wide:
        return None
    if memory(code, body, array, place) is not IndexedMemory.GLOBAL:
        return None
    location, text = code.reading.location(spot), spelled(array) or ""
    if made is None:
        return UnguardedAccess(text, location, launched, elements, None)
    limit = text_inside(code, made.written, made.place)
    return UnguardedAccess(text, location, launched, elements, made.location, limit)


def _is_smaller(count: Value, launched: Value) -> bool:
    """Whether an array of ``count`` elements surely ends before the ids do, or is as long as what they round up."""
    elements, items = known(count), known(launched)
    if elements is not None and items is not None:
        return 0 < elements < items
    exact = rounded_up(launched)
    return (exact is not None and same(count, exact)) or _is_part(count, launched)


def _is_part(count: Value, launched: Value) -> bool:
    """Whether an array has ``launched / 4`` elements, or another such part: the bytes it was allocated with."""
    match count:
        case Symbolic(terms=(Term(atoms=(Parameter(divisor=divisor, dividend=dividend),), factor=1),)) if divisor > 1:
            return isinstance(launched, Symbolic) and dividend == launched.terms
        case _:
            return False


def _allocates_bytes(code: "KernelCode") -> bool:
    """Whether anything may be allocated by its bytes."""
    return any(code.mentions(each) for each in _BY_BYTES)


# ------------------------------------------------------------------ late bounds


@once_per_function
def late_bounds(code: "KernelCode") -> Iterator[LateBound]:
    """Conditions that read an element before they ask whether there is one."""
    for function in code.bodies:
        parts = () if function.function.damaged else tuple(function.lowered.whole())
        for body in parts:
            for position in body.at(ops.BINARY) if "&&" in body.names else ():
                if body.name(position) == "&&":
                    yield from _late(code, parts, body, position)


def _late(code: "KernelCode", parts: tuple[ir.Body, ...], body: ir.Body, position: int) -> Iterator[LateBound]:
    node, place = body.origin(position)
    assert isinstance(node, Binary)
    bound = _first_of(node.right)
    if not isinstance(bound, Binary) or bound.operator not in _BOUNDS:
        return
    index = _bounded(code, parts, bound, place)
    if index is None:
        return
    for access in walk(node.left):
        if isinstance(access, Index) and isinstance(access.object, Name) and len(access.indices) == 1:
            used = access.indices[0]
            if isinstance(used, Name) and used.text == index.text and not _known_before(parts, index, access):
                yield LateBound(
                    access.object.text,
                    index.text,
                    code.reading.location(Spot(access, place)),
                    code.reading.location(Spot(bound, place)),
                )
                return


def _first_of(expression: Expr) -> Expr:
    """The condition that is asked first in a conjunction."""
    while isinstance(expression, Binary) and expression.operator == "&&":
        expression = expression.left
    return expression


def _bounded(code: "KernelCode", parts: tuple[ir.Body, ...], bound: Binary, place: Place) -> Name | None:
    """The index in ``i < n`` or ``i >= 0``, where the other side is fixed for the whole kernel."""
    for index, limit, upper in (
        (bound.left, bound.right, bound.operator in ("<", "<=")),
        (bound.right, bound.left, bound.operator in (">", ">=")),
    ):
        if not isinstance(index, Name):
            continue
        if isinstance(limit, Number):
            if upper or limit.text == "0":
                return index
        elif isinstance(limit, Name) and upper and _is_fixed(code, parts, limit, place):
            return index
    return None


def _is_fixed(code: "KernelCode", parts: tuple[ir.Body, ...], name: Name, place: Place) -> bool:
    found = code.evaluator.declarations.nearest(name.text, Point(place, name.start))
    if found is None:
        return name.last in code.evaluator.facts.variables or name.last in code.evaluator.facts.macros
    node, scope = found
    own = any(each is parts[0].function for each in scope.chain())
    may_be = not own or isinstance(node, FunctionParameter)
    return may_be and not any(name.text in _set_in(each) for each in parts)


def _set_in(body: ir.Body) -> frozenset[str]:
    """The names of the variables that are set after they are declared."""
    stored = [body.locals[body.a[each]] for each in body.at(ops.STORE)]
    places = [body.a[each] for each in body.at(ops.WRITE, ops.UPDATE)]
    written = [body.root(each) for each in places if body.op[each] in VARIABLES]
    return frozenset(each.name if isinstance(each, Local) else each for each in (*stored, *written) if each is not None)


def _known_before(parts: tuple[ir.Body, ...], index: Name, access: Index) -> bool:
    """Whether anything before the access compares the index, or folds it into a range."""
    for body in parts:
        for position in body.at(ops.BINARY):
            node = body.node[position]
            checks = body.name(position) in _CHECKS and getattr(node, "start", 0) < access.start
            if checks and index.text in names_outside_subscripts(node):
                return True
        if any(local.name == index.text and local.storage is Storage.ELEMENT for local in body.locals):
            return True
        calls = [body.call(each) for each in body.at(ops.CALL)]
        if any(index.text in names_outside_subscripts(each) for each in calls if each.end < access.start):
            return True
    return False
