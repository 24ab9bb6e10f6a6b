"""Atomic operations on global memory: those that all work-items do on one place, and orders stronger than needed."""

from collections.abc import Iterator

from sycllint.cpp.expression import (
    Assign,
    Binary,
    Brace,
    Call,
    Conditional,
    Expr,
    Increment,
    Index,
    Lambda,
    Member,
    Name,
    Number,
    Unary,
)
from sycllint.cpp.node import Node, walk
from sycllint.cpp.place import Place, macros_around
from sycllint.cpp.statement import (
    VOLATILE,
    Block,
    Case,
    Evaluate,
    FunctionParameter,
    If,
    Loop,
    Return,
    Struct,
    Switch,
    Try,
    Variable,
)
from sycllint.device_code.affine.indexing import ONE, Axis, Indexing, Of, same
from sycllint.device_code.affine.memory import IndexedMemory, memory
from sycllint.device_code.bodies.instruction_index import Spot
from sycllint.device_code.bodies.reading import DeviceFunction
from sycllint.device_code.bodies.trip_counts import counted
from sycllint.device_code.code import KernelCode
from sycllint.device_code.once import once_per_function
from sycllint.device_code.spelling import spelled
from sycllint.ir.body import last_name
from sycllint.record import NamedTuple, record
from sycllint.source.span import Location, Span
from sycllint.values.objects import Point
from sycllint.values.value import known

_STRONG = ("seq_cst", "acq_rel")
_UPDATES = frozenset({"fetch_add", "fetch_sub", "fetch_min", "fetch_max", "fetch_and", "fetch_or", "fetch_xor"})
_SYNCHRONISING = frozenset(
    {"atomic_fence", "mem_fence", "load", "store", "exchange", "compare_exchange_strong", "compare_exchange_weak"}
)
_LIBRARY = ("dpct", "syclcompat")
_LOGIC = frozenset({"&&", "||"})


@record
class ContendedAtomic:
    """An update of one place that every work-item makes."""

    place: str
    location: Location


@record
class StrongAtomic:
    """Updates whose results are not used, in a memory order that nothing relies on."""

    order: str
    location: Location
    written: Location | None
    """Where the order is named; ``None`` in a macro."""
    spelling: str
    """How it is named there."""


class _Made(NamedTuple):
    """An ``atomic_ref``: its type as written, the object it refers to, and the variable it is, if any."""

    type: Name
    address: Expr
    spot: Spot[Node]
    variable: Variable | None


@once_per_function
def atomics(code: "KernelCode") -> Iterator[ContendedAtomic | StrongAtomic]:
    """What is seen of atomic operations; nothing in kernels without them."""
    made = [(body, each) for body in code.bodies for each in _made(code, body)]
    calls = [(body, spot) for body in code.bodies for spot in body.of(Call) if _library_update(spot.node)]
    if not made and not calls:
        return
    yield from _contended(code, made, calls)
    if any(_order(each.type) is not None for _, each in made) and not any(_synchronises(body) for body in code.bodies):
        for body, each in made:
            yield from _too_strong(code, body, each)


def _made(code: "KernelCode", body: DeviceFunction) -> Iterator[_Made]:
    initial: set[int] = set()
    for spot in body.of(Variable):
        variable = spot.node
        if len(variable.arguments) != 1:
            continue
        if _is_atomic(code, variable.type.name):
            yield _Made(variable.type.name, variable.arguments[0], spot, variable)
        else:
            inner = _constructed(code, variable.arguments[0])
            if inner is not None:
                initial.add(id(variable.arguments[0]))
                yield _Made(*inner, spot, variable)
    for kind in (Call, Brace):
        for each in body.of(kind):
            inner = _constructed(code, each.node) if id(each.node) not in initial else None
            if inner is not None:
                yield _Made(*inner, each, None)


def _is_atomic(code: "KernelCode", name: Name) -> bool:
    return name.last == "atomic_ref" or code.evaluator.types.kind(name).sycl == "atomic_ref"


def _constructed(code: "KernelCode", expression: Node) -> tuple[Name, Expr] | None:
    """The type and the place in ``atomic_ref<…>(place)``."""
    match expression:
        case Call(function=Name() as name, arguments=(address,)) | Brace(type=Name() as name, elements=(address,)):
            return (name, address) if name.arguments is not None and _is_atomic(code, name) else None
        case _:
            return None


def _library_update(call: Call) -> bool:
    function = call.function
    if not isinstance(function, Name) or not call.arguments or not function.last.startswith("atomic_fetch_"):
        return False
    return function.qualifier.partition("::")[0] in _LIBRARY


# -------------------------------------------------------------------- contention


def _contended(
    code: "KernelCode", made: list[tuple[DeviceFunction, _Made]], calls: list[tuple[DeviceFunction, Spot[Call]]]
) -> Iterator[ContendedAtomic]:
    wrappers: dict[Node, int] = {}
    for body, each in made:
        position = _parameter(code, body, each.address, each.spot.place)
        text = _one_place(code, body, each.address, each.spot.place) if position is None else None
        if position is None and text is None:
            continue
        free = next((spot for spot in _updates(code, body, each) if not _is_guarded(code, body, spot)), None)
        if free is not None and position is not None:
            wrappers[body.function] = position
        elif free is not None and text is not None:
            yield ContendedAtomic(text, code.reading.location(free))
    for body in code.bodies:
        for spot in body.of(Call) if wrappers else ():
            target = code.graph.target(*spot)
            position = wrappers.get(target.node) if target is not None else None
            if position is not None and position < len(spot.node.arguments):
                calls.append((body, spot))
    for body, spot in calls:
        target = code.graph.target(*spot) if not _library_update(spot.node) else None
        position = wrappers.get(target.node, 0) if target is not None else 0
        text = _one_place(code, body, spot.node.arguments[position], spot.place)
        if text is not None and not _is_guarded(code, body, spot):
            yield ContendedAtomic(text, code.reading.location(spot))


def _updates(code: "KernelCode", body: DeviceFunction, made: _Made) -> Iterator[Spot[Node]]:
    """Where something is added to the place, and not only looked at."""
    for call in body.of(Call):
        function = call.node.function
        if isinstance(function, Member) and function.name in _UPDATES and _is_it(code, function.object, call, made):
            yield call
    for increment in body.of(Increment):
        if _is_it(code, increment.node.operand, increment, made):
            yield increment
    for assign in body.of(Assign):
        if assign.node.operator != "=" and _is_it(code, assign.node.left, assign, made):
            yield assign


def _is_it(code: "KernelCode", expression: Expr, spot: Spot[Node], made: _Made) -> bool:
    """Whether ``expression``, used at ``spot``, is the reference that was made."""
    if made.variable is None:
        return expression is made.spot.node
    if not isinstance(expression, Name) or expression.text != made.variable.name:
        return False
    found = code.evaluator.declarations.nearest(expression.text, Point(spot.place, expression.start))
    return found is not None and found[0] is made.variable


def _parameter(code: "KernelCode", body: DeviceFunction, address: Expr, place: Place) -> int | None:
    """The position of the parameter that ``address`` is, in a function that the kernel calls."""
    if body.call is None:
        return None
    inner = address.operand if isinstance(address, Unary) and address.operator == "*" else address
    if isinstance(inner, Index) and len(inner.indices) == 1 and getattr(inner.indices[0], "text", "") == "0":
        inner = inner.object
    if not isinstance(inner, Name):
        return None
    for position, each in enumerate(body.function.parameters):
        if each.name == inner.text and (each.type.pointers or each.type.reference):
            found = code.evaluator.declarations.nearest(inner.text, Point(place, inner.start))
            return position if found is not None and found[0] is each else None
    return None


def _one_place(code: "KernelCode", body: DeviceFunction, address: Expr, place: Place) -> str | None:
    """``sum[0]``, when ``address`` is that one place of global memory for the whole kernel."""
    inner = address
    while isinstance(inner, Unary) and inner.operator in ("&", "*"):
        inner = inner.operand
    if isinstance(inner, Index) and len(inner.indices) == 1:
        index = inner.indices[0]
        is_fixed = isinstance(index, Number) or (isinstance(index, Name) and _is_outside(code, body, index, place))
        if not is_fixed and known(code.reading.value(index, place, body.frame(code.evaluator.frame))) is None:
            return None
        root: Expr = inner.object
    else:
        root = inner
    if not isinstance(root, Name) or not _is_outside(code, body, root, place):
        return None
    if memory(code, body, root, place) is not IndexedMemory.GLOBAL:
        return None
    text = spelled(inner)
    return text if inner is not root else f"*{root.text}"


def _is_outside(code: "KernelCode", body: DeviceFunction, name: Name, place: Place) -> bool:
    """Whether a name is the same for the whole kernel: declared around it, or handed on so by its callers."""
    found = code.evaluator.declarations.nearest(name.text, Point(place, name.start))
    if found is None:
        return False
    node, scope = found
    around = scope.outer.node if scope.outer is not None else None
    if isinstance(around, Struct) and all(each is not around for each in code.place.chain()):
        # A member of the object that the method is called on.
        if body.call is None or body.caller is None:
            return False
        called = body.call.node.function
        if not isinstance(called, Member) or not isinstance(called.object, Name):
            return False
        return _is_outside(code, body.caller, called.object, body.call.place)
    if not any(each is body.function for each in scope.chain()):
        return True
    if not isinstance(node, FunctionParameter) or body.call is None or body.caller is None:
        return False
    argument = body.handed(node)
    return isinstance(argument, Name) and _is_outside(code, body.caller, argument, body.call.place)


def _is_guarded(code: "KernelCode", body: DeviceFunction, spot: Spot[Node]) -> bool:
    """Whether only some work-items come here: after more than a comparison of the global id with the end."""
    current: DeviceFunction | None = body
    where: Spot[Node] | None = spot
    while current is not None and where is not None:
        indexing = Indexing(code, current)
        if _is_inside_guard(current, where.place, indexing) or _is_chosen(current, where.node):
            return True
        for left in current.of(Return):
            guard = next((each for each in left.place.within(current.function) if isinstance(each.node, If)), None)
            if guard is not None and not _is_bounds(guard, indexing):
                return True
        where = current.call
        current = current.caller
    return False


def _is_chosen(body: DeviceFunction, node: Node) -> bool:
    """Whether ``node`` is evaluated only where something else comes out one way: ``leader && add(1)``."""
    chosen = [
        *(arm for each in body.of(Conditional) for arm in (each.node.then, each.node.otherwise)),
        *(each.node.right for each in body.operations(_LOGIC)),
    ]
    return any(inner is node for each in chosen for inner in walk(each))


def _is_inside_guard(body: DeviceFunction, place: Place, indexing: Indexing) -> bool:
    for current in place.within(body.function):
        node = current.node
        if isinstance(node, If) and not _is_bounds(current, indexing):
            return True
        if isinstance(node, Lambda) and not any(each.node.function is node for each in body.of(Call)):
            # Who runs it, and when, is not looked at.
            return True
        if isinstance(node, Switch | Case | Try) or (isinstance(node, Loop) and counted(node) is None):
            return True
    return False


def _is_bounds(guard: Place, indexing: Indexing) -> bool:
    """``if (i < n)`` and ``if (i >= n)`` with the global id: nearly all work-items are alike to it."""
    node = guard.node
    condition = node.condition if isinstance(node, If) else None
    while isinstance(condition, Unary) and condition.operator == "!":
        condition = condition.operand
    while isinstance(condition, Binary) and condition.operator in ("&&", "||"):
        if not isinstance(condition.right, Binary) or not _compares_id(condition.right, guard, indexing):
            return False
        condition = condition.left
    return isinstance(condition, Binary) and _compares_id(condition, guard, indexing)


def _compares_id(condition: Binary, guard: Place, indexing: Indexing) -> bool:
    if condition.operator not in ("<", ">", "<=", ">="):
        return False
    for side in (condition.left, condition.right):
        total = indexing.of(side, guard)
        for atom, factor in (indexing.joined(total) if total is not None else {}).items():
            if isinstance(atom, Axis) and atom.of is Of.GLOBAL and same(factor, ONE):
                return True
    return False


# ------------------------------------------------------------------------- order


def _order(kind: Name) -> Name | None:
    """The strong order among the template arguments of an ``atomic_ref``.

    None when it is for the whole system: then the host or another device may go by the order.
    """
    names = [each for each in kind.arguments or () if isinstance(each, Name)]
    if any(each.last.removeprefix("memory_scope_") == "system" for each in names):
        return None
    return next((each for each in names if each.last.removeprefix("memory_order_") in _STRONG), None)


def _synchronises(body: DeviceFunction) -> bool:
    """Whether the function may rely on the order of its atomics: fences, loads, waiting loops, volatile reads."""
    if any(last_name(spot.node.function) in _SYNCHRONISING for spot in body.of(Call)):
        return True
    return any(spot.node.flags & VOLATILE for spot in body.of(Variable))


def _too_strong(code: "KernelCode", body: DeviceFunction, made: _Made) -> Iterator[StrongAtomic]:
    order = _order(made.type)
    if order is None or not _results_unused(body, made):
        return
    location = code.reading.location(made.spot)
    written = None
    if not any(macros_around(made.spot.place)):
        written = Location(location.path, Span(order.start, order.end))
    yield StrongAtomic(order.last.removeprefix("memory_order_"), location, written, order.text)


def _results_unused(body: DeviceFunction, made: _Made) -> bool:
    """Whether all that is done with the object is to update, as a statement."""
    updates = [spot.node.expression for spot in body.of(Evaluate)]
    if made.variable is None:
        return any(
            isinstance(each, Call)
            and isinstance(each.function, Member)
            and each.function.object is made.spot.node
            and each.function.name in _UPDATES
            and len(each.arguments) == 1
            for each in updates
        )
    name = made.variable.name
    used = 0
    for each in updates:
        match each:
            case Call(function=Member(object=Name(text=text), name=method), arguments=(argument,)) if (
                text == name and method in _UPDATES
            ):
                used += not any(isinstance(node, Name) and node.text == name for node in walk(argument))
            case Increment(operand=Name(text=text)) if text == name:
                used += 1
            case Assign(left=Name(text=text), operator=operator) if text == name and operator != "=":
                used += 1
    return used > 0 and used == _mentions(body, name)


def _mentions(body: DeviceFunction, name: str) -> int:
    """How often a name is used in a function."""
    block: Block | None = body.function.body
    if block is None:
        return 0
    return sum(isinstance(node, Name) and node.text == name for node in walk(block))
