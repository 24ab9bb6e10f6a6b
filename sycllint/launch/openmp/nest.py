"""Perfect nests of counted loops: how often each runs, and whether its iterations keep out of each other's way."""

from collections.abc import Iterator

from sycllint.cpp.expression import Assign, Binary, Call, Expr, Increment, Index, Lambda, Name, Number
from sycllint.cpp.node import Node, children, walk
from sycllint.cpp.place import Place
from sycllint.cpp.statement import Declaration, Evaluate, Jump, Loop, Return
from sycllint.facts.regions import TargetRegion
from sycllint.launch.openmp.offload import NestedLoop
from sycllint.record import NamedTuple
from sycllint.source.span import Location, Span
from sycllint.values.evaluate import Evaluator
from sycllint.values.objects import Point
from sycllint.values.value import Known, Unknown, Value, known

MAX_NEST = 8
"""Loops of a nest that are looked at."""
_COMPARISONS = {"<": (1, 0), "<=": (1, 1), ">": (-1, 0), ">=": (-1, 1), "!=": (0, 0)}
"""Direction of the step, 0 for either, and whether the bound itself is taken."""
_MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "!=": "!="}
_PURE = frozenset(
    ["abs", "fabs", "sqrt", "exp", "log", "pow", "sin", "cos", "tan", "fmin", "fmax", "min", "max", "floor", "ceil"]
)
"""Functions of the mathematical library, which change nothing; also with an f for ``float``."""


_DOING = (Assign, Increment, Call, Lambda)
"""What an expression that only computes does not hold."""


class _Counted(NamedTuple):
    """``for (counter = first; counter comparison last; counter += by)``; ``by`` is ``None`` for one."""

    counter: str
    first: Expr
    comparison: str
    last: Expr
    sign: int
    by: Expr | None


def nest_of(evaluator: Evaluator, region: TargetRegion, path: str) -> tuple[NestedLoop, ...]:
    """The loop that a region shares out, and those perfectly nested in it; empty when there is none."""
    levels: list[NestedLoop] = []
    counters: list[str] = []
    loop, place = region.loop, region.place
    while loop is not None and len(levels) < MAX_NEST:
        place = Place(loop, place)
        counted = _counted(loop)
        trips = _trips(evaluator, counted, Point(place, loop.start))
        counters.append(counted.counter if counted is not None else "")
        location = Location(path, Span(loop.start, loop.body.start))
        independent = _is_independent(evaluator, loop, counters)
        levels.append(NestedLoop(trips, location, counted is not None, independent, _is_rectangular(counted, counters)))
        place = Place(loop.body, place)
        inner = [each for each in loop.body.statements if not (isinstance(each, Evaluate) and not children(each))]
        loop = inner[0] if len(inner) == 1 and isinstance(inner[0], Loop) else None
    return tuple(levels)


def _trips(evaluator: Evaluator, loop: _Counted | None, point: Point) -> Value:
    """Iterations of a loop in OpenMP's canonical form (OpenMP 5.2, "Canonical Loop Nest Form")."""
    if loop is None:
        return Unknown("the loop is not of a form whose iterations can be counted")
    first, last = (known(evaluator.value(each, point)) for each in (loop.first, loop.last))
    by = known(evaluator.value(loop.by, point)) if loop.by is not None else 1
    if first is None or last is None or by is None:
        return Unknown("a bound of the loop is not known")
    direction, inclusive = _COMPARISONS[loop.comparison]
    if by <= 0 or direction not in (0, loop.sign):
        return Unknown("the loop does not count towards its bound")
    return Known(max(0, -(-(loop.sign * (last - first) + inclusive) // by)))


def _counted(loop: Loop) -> _Counted | None:
    start, end = _start(loop), None
    match loop.condition:
        case Binary(operator=operator, left=Name(text=text), right=bound) if start and text == start[0]:
            end = operator, bound
        case Binary(operator=operator, left=bound, right=Name(text=text)) if start and text == start[0]:
            end = _MIRRORED.get(operator, ""), bound
        case _:
            pass
    if start is None or end is None or end[0] not in _COMPARISONS:
        return None
    step = _step(loop.update, start[0])
    return None if step is None else _Counted(*start, *end, *step)


def _start(loop: Loop) -> tuple[str, Expr] | None:
    match loop.initializer:
        case Declaration(variables=(variable,)) if len(variable.arguments) == 1:
            return variable.name, variable.arguments[0]
        case Evaluate(expression=Assign(operator="=", left=Name(text=text), right=first)):
            return text, first
        case _:
            return None


def _step(update: Expr | None, counter: str) -> tuple[int, Expr | None] | None:
    match update:
        case Increment(operator=operator, operand=Name(text=text)) if text == counter:
            return (1 if operator == "++" else -1), None
        case Assign(operator="+=" | "-=" as operator, left=Name(text=text), right=by) if text == counter:
            return (1 if operator == "+=" else -1), by
        case Assign(
            operator="=",
            left=Name(text=text),
            right=Binary(operator="+" | "-" as operator, left=Name(text=old), right=by),
        ) if text == old == counter:
            return (1 if operator == "+" else -1), by
        case _:
            return None


class _Access(NamedTuple):
    """An element of an array: ``names`` are those in its indices, ``text`` is the whole, spelt in one way."""

    array: str
    names: frozenset[str]
    text: str


def _is_rectangular(loop: _Counted | None, counters: list[str]) -> bool:
    """Whether a loop, whose counter is the last of ``counters``, runs as often in each iteration of those around."""
    if loop is None:
        return False
    bounds = [each for each in (loop.first, loop.last, loop.by) if each is not None]
    return not any(isinstance(each, Name) and each.text in counters for bound in bounds for each in walk(bound))


def _is_independent(evaluator: Evaluator, loop: Loop, counters: list[str]) -> bool:
    """Whether all that is written is the loop's own, or an element that each iteration of the nest has for itself.

    An element is its own when its indices name every counter; what is written is then read at that place only.
    """
    own = {each.name for node in walk(loop.body) if isinstance(node, Declaration) for each in node.variables}
    own.update(found.counter for node in walk(loop) if isinstance(node, Loop) and (found := _counted(node)) is not None)
    written: dict[str, str] = {}
    for target in _targets(loop):
        if isinstance(target, Name) and target.text in own:
            continue
        access = _access(target)
        if access is None or not access.names.issuperset(counters):
            return False
        if written.setdefault(access.array, access.text) != access.text:
            return False
    for node in walk(loop.body):
        if isinstance(node, Lambda | Jump | Return) or (isinstance(node, Call) and not _is_pure(evaluator, node)):
            return False
    return all(written.get(each.array, each.text) == each.text for each in _accesses(loop.body))


def _targets(loop: Loop) -> Iterator[Expr]:
    for node in walk(loop.body):
        if isinstance(node, Assign):
            yield node.left
        elif isinstance(node, Increment):
            yield node.operand


def _accesses(node: Node) -> Iterator[_Access]:
    """The elements in ``node``, each as a whole: ``a[i][j]``, not ``a[i]`` too."""
    access = _access(node)
    if access is not None:
        yield access
    parts = _indices(node) if access is not None else children(node)
    for part in parts:
        yield from _accesses(part)


def _access(node: Node) -> _Access | None:
    base = node
    while isinstance(base, Index):
        base = base.object
    if base is node or not isinstance(base, Name):
        return None
    names = frozenset(each.text for index in _indices(node) for each in walk(index) if isinstance(each, Name))
    return _Access(base.text, names, _text(node))


def _indices(node: Node) -> list[Expr]:
    found: list[Expr] = []
    while isinstance(node, Index):
        found.extend(node.indices)
        node = node.object
    return found


def _is_pure(evaluator: Evaluator, call: Call) -> bool:
    """Whether a call changes nothing: the mathematical library's, and macros that only compute."""
    if not isinstance(call.function, Name):
        return False
    macros = evaluator.facts.macros.get(call.function.text)
    if macros:
        values = [each.node.value for each in macros]
        return all(value is not None and not any(isinstance(each, _DOING) for each in walk(value)) for value in values)
    return call.function.last.removesuffix("f") in _PURE


def _text(node: Node) -> str:
    """What two nodes that say the same have in common."""
    if isinstance(node, Name | Number):
        return node.text
    return f"{type(node).__name__}{getattr(node, 'operator', '')}({','.join(map(_text, children(node)))})"
