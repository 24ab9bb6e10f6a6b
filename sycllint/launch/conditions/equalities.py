"""Numbers that comparisons on the way to a launch fix or limit.

In ``if (n == 64)`` it is launched with 64 for ``n``, behind ``if (n > 64) throw`` or ``assert(n <= 64)`` with at most
64.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import TypeAlias

from sycllint.cpp.conditions import entailed
from sycllint.cpp.expression import Binary, Expr, Name
from sycllint.cpp.node import Node, walk
from sycllint.cpp.place import Place, span_of
from sycllint.cpp.statement import Block, Case, Evaluate, Function, If, Statement, Switch
from sycllint.record import NamedTuple
from sycllint.source.span import Location, Span
from sycllint.values.evaluate import Evaluator
from sycllint.values.objects import Frame, Point
from sycllint.values.symbolic import limited, number_with
from sycllint.values.value import Known, Parameter, Step, Symbolic, Value

_EQUAL = {True: "==", False: "!="}
_OPPOSITE = {"<": ">=", ">=": "<", ">": "<=", "<=": ">"}
_MIRRORED = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}


_Code: TypeAlias = Callable[[], Iterable[Node]]
_Checked: TypeAlias = tuple[list[If], list[tuple[Statement, Expr]]]


class _Comparison(NamedTuple):
    """A comparison that says of a parameter how large it is, or is at most."""

    number: int
    left: Expr
    right: Expr
    place: Place
    code: _Code
    """What runs between it and the launch, and may change what is compared."""


class _Comparisons(NamedTuple):
    """What comparisons say of parameters, by their keys, the innermost first."""

    fixed: dict[str, list[_Comparison]]
    limits: dict[str, list[_Comparison]]
    """How large they are at most."""


class Equalities:
    """Answers for one evaluator, about the way by which it looks at the code."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._evaluator = evaluator
        self._checks: dict[tuple[Node, Place | None], _Checked] = {}
        """What checks something among the statements of a block, which many launches may stand in."""
        self._found: dict[tuple[Place, Frame | None], _Comparisons] = {}
        """What was found on ways to launches: asked for again for each range of each, and for its shorter ways."""

    def narrowed(self, extents: tuple[Value, ...], place: Place) -> tuple[Value, ...]:
        """``extents`` of a launch at ``place``, with what comparisons around it, or around the calls to it, fix."""
        if not any(isinstance(each, Symbolic) for each in extents):
            return extents
        found = self._on_the_way(place)
        return tuple(self._limited(self._narrowed(each, found.fixed), found.limits) for each in extents)

    def _narrowed(self, value: Value, fixed: dict[str, list[_Comparison]]) -> Value:
        if not isinstance(value, Symbolic) or not fixed:
            return value
        used: dict[Step, None] = dict.fromkeys(value.because)

        def ask(atom: Parameter) -> int | None:
            found = next((each for each in fixed.get(atom.key, ()) if not self._is_changed(each)), None)
            if found is None:
                return None
            used[self._step(atom, found)] = None
            return found.number

        number = number_with(value, ask)
        return value if number is None else Known(number, tuple(used))

    def _limited(self, value: Value, limits: dict[str, list[_Comparison]]) -> Value:
        if not isinstance(value, Symbolic) or not limits:
            return value

        def ask(atom: Parameter) -> int | None:
            return min((each.number for each in limits.get(atom.key, ()) if not self._is_changed(each)), default=None)

        return limited(value, ask)

    def _is_changed(self, comparison: _Comparison) -> bool:
        """Whether the code behind a comparison changes what is compared."""
        sides = (comparison.left, comparison.right)
        names = {each.text for side in sides for each in walk(side) if isinstance(each, Name)}
        marks = {mark for node in comparison.code() for mark in self._evaluator.mutations.of(node)}
        # What happens to the elements of an array changes no number.
        return not names.isdisjoint(mark.lstrip("&.") for mark in marks if "*" not in mark)

    def _step(self, atom: Parameter, comparison: _Comparison) -> Step:
        written = Span(comparison.left.start, comparison.right.end)
        file = self._evaluator.facts.file_at(comparison.place)
        return Step(atom.text, comparison.number, Location(file.path, written))

    def _on_the_way(self, place: Place) -> _Comparisons:
        evaluator = self._evaluator
        way, free, work = evaluator.frame, evaluator.free, evaluator.work
        found = self._found.get((place, way))
        if found is not None:
            return found
        # A condition is evaluated under the call path at hand: it is no reason to distinguish more of them.
        evaluator.free, evaluator.work = {}, 0
        found = self._found[place, way] = _Comparisons({}, {})
        try:
            self._collect(place, found)
            frame: Frame | None = way
            while frame is not None:
                evaluator.frame = frame.outer
                if frame.call is not None:
                    self._collect(Place(frame.call, frame.point.place), found)
                frame = frame.outer
        finally:
            evaluator.frame, evaluator.free, evaluator.work = way, free, work
        return found

    def _collect(self, place: Place, into: _Comparisons) -> None:
        """What comparisons say around ``place``, inside its function."""
        current = place
        while current.outer is not None:
            inner, outer = current.node, current.outer
            node = outer.node
            if isinstance(node, Function):
                return
            if isinstance(node, If) and node.condition is not None and inner in (node.then, node.otherwise):
                self._of(node.condition, outer, node.start, (inner,).__iter__, into, holds=inner is node.then)
            elif isinstance(node, Block):
                self._before(span_of(inner).start, node, outer, into, guarded=isinstance(inner, Statement))
            elif isinstance(node, Case):
                self._in_case(node, outer, into)
            current = outer

    def _before(self, start: int, block: Block, place: Place, into: _Comparisons, *, guarded: bool) -> None:
        """``if (n != 64) return;`` in the same block, and ``assert(n <= 64)``.

        That is a limit, as a release build does not check it.
        """
        guards, required = self._checked_in(block, place)
        for guard in guards if guarded else ():
            if guard.end <= start and guard.condition is not None:
                code = partial(_between, block, guard, start)
                self._of(guard.condition, Place(guard, place), guard.start, code, into, holds=False)
        for each, condition in required:
            if each.end <= start:
                code, limits = partial(_between, block, each, start), _Comparisons({}, into.limits)
                self._of(condition, place, each.start, code, limits, holds=True)

    def _checked_in(self, block: Block, place: Place) -> _Checked:
        """The conditions behind which control leaves a block, and those that its calls require."""
        found = self._checks.get(place.occurrence)
        if found is None:
            endings = self._evaluator.endings
            ifs = (each for each in block.statements if isinstance(each, If) and each.condition is not None)
            guards = [each for each in ifs if each.otherwise is None and endings.leaves(each.then, place)]
            calls = (each for each in block.statements if isinstance(each, Evaluate))
            required: list[tuple[Statement, Expr]] = [
                (each, condition) for each in calls for condition in endings.required(each.expression, place)
            ]
            found = self._checks[place.occurrence] = guards, required
        return found

    def _in_case(self, case: Case, place: Place, into: _Comparisons) -> None:
        block = place.outer
        switch = block.outer if block is not None else None
        if block is None or switch is None or not isinstance(switch.node, Switch) or case.value is None:
            return
        statements = block.node.statements if isinstance(block.node, Block) else ()
        before = [each for each in statements if each.start < case.start][-1:]
        if before and not (isinstance(before[0], Case) and self._evaluator.endings.leaves(before[0].body, place)):
            return
        condition = switch.node.condition
        if condition is not None:
            self._equal(condition, case.value, switch, switch.node.start, (case.body,).__iter__, into)

    def _of(self, condition: Expr, place: Place, start: int, code: _Code, into: _Comparisons, *, holds: bool) -> None:
        """What ``condition`` says for ``code``, to which control comes when it holds, or does not."""
        for part, is_so in entailed(condition, holds=holds):
            match part:
                case Binary(operator=operator, left=left, right=right) if operator == _EQUAL[is_so]:
                    self._equal(left, right, place, start, code, into)
                case Binary(operator=operator, left=left, right=right) if operator in _OPPOSITE:
                    operator = operator if is_so else _OPPOSITE[operator]
                    if operator.startswith(">"):
                        left, right, operator = right, left, _MIRRORED[operator]
                    self._less(left, right, place, start, code, into, is_strict=operator == "<")
                case _:
                    pass

    def _equal(self, left: Expr, right: Expr, place: Place, start: int, code: _Code, into: _Comparisons) -> None:
        point = Point(place, start + 1)
        sides = self._evaluator.value(left, point), self._evaluator.value(right, point)
        for one, other in (sides, sides[::-1]):
            atom = _alone(one)
            if atom is not None and isinstance(other, Known):
                into.fixed.setdefault(atom.key, []).append(_Comparison(other.value, left, right, place, code))

    def _less(
        self, left: Expr, right: Expr, place: Place, start: int, code: _Code, into: _Comparisons, *, is_strict: bool
    ) -> None:
        """``left < right``, or ``<=``."""
        point = Point(place, start + 1)
        limit = self._evaluator.value(right, point)
        atom = _alone(self._evaluator.value(left, point)) if isinstance(limit, Known) else None
        if atom is not None and isinstance(limit, Known):
            most = limit.value - is_strict
            into.limits.setdefault(atom.key, []).append(_Comparison(most, left, right, place, code))


def _between(block: Block, check: Statement, start: int) -> Iterator[Statement]:
    """The statements of a block behind a check, as far as the one that begins at ``start``."""
    return (each for each in block.statements if check.start < each.start <= start)


def _alone(value: Value) -> Parameter | None:
    """The parameter that a value is."""
    if not isinstance(value, Symbolic) or len(value.terms) != 1:
        return None
    (term,) = value.terms
    return term.atoms[0] if term.factor == 1 and len(term.atoms) == 1 else None
