"""Numbers that a comparison on the way to a launch fixes: in ``if (n == 64)`` it is launched with 64 for ``n``."""

from collections.abc import Iterator

from sycllint.cpp.expression import Binary, Expr, Name, Unary
from sycllint.cpp.node import Node, walk
from sycllint.cpp.place import Place, span_of
from sycllint.cpp.statement import Block, Case, Function, If, Statement, Switch
from sycllint.record import NamedTuple
from sycllint.source.span import Location
from sycllint.values.evaluate import Evaluator
from sycllint.values.objects import Frame, Point
from sycllint.values.symbolic import number_with
from sycllint.values.value import Known, Parameter, Step, Symbolic, Value

_ALL = {True: ("&&", "and"), False: ("||", "or")}
"""Both sides hold, or fail, when the whole does."""
_EQUAL = {True: "==", False: "!="}


class _Fixed(NamedTuple):
    """A parameter that is one number on the way, and the comparison that says so."""

    number: int
    step: Step


class Equalities:
    """Answers for one evaluator, about the way by which it looks at the code."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._evaluator = evaluator

    def narrowed(self, extents: tuple[Value, ...], place: Place) -> tuple[Value, ...]:
        """``extents`` of a launch at ``place``, with what comparisons around it, or around the calls to it, fix."""
        if not any(isinstance(each, Symbolic) for each in extents):
            return extents
        fixed = self._on_the_way(place)
        return tuple(_narrowed(each, fixed) for each in extents) if fixed else extents

    def _on_the_way(self, place: Place) -> dict[str, _Fixed]:
        evaluator = self._evaluator
        way, free = evaluator.frame, evaluator.free
        # A condition is looked at as the way has it: it is no reason to tell more ways apart.
        evaluator.free = {}
        found: dict[str, _Fixed] = {}
        try:
            self._collect(place, found)
            frame: Frame | None = way
            while frame is not None:
                evaluator.frame = frame.outer
                if frame.call is not None:
                    self._collect(Place(frame.call, frame.point.place), found)
                frame = frame.outer
        finally:
            evaluator.frame, evaluator.free = way, free
        return found

    def _collect(self, place: Place, into: dict[str, _Fixed]) -> None:
        """What comparisons fix around ``place``, inside its function."""
        current = place
        while current.outer is not None:
            inner, outer = current.node, current.outer
            node = outer.node
            if isinstance(node, Function):
                return
            if isinstance(node, If) and node.condition is not None and inner in (node.then, node.otherwise):
                self._of(node.condition, outer, node.start, inner, into=into, holds=inner is node.then)
            elif isinstance(node, Block):
                for statement in _guards(node.statements, span_of(inner).start):
                    if isinstance(inner, Statement) and statement.condition is not None:
                        self._behind(statement, inner, node, outer, into)
            elif isinstance(node, Case):
                self._in_case(node, outer, into)
            current = outer

    def _behind(self, guard: If, inner: Node, block: Block, place: Place, into: dict[str, _Fixed]) -> None:
        """``if (n != 64) return;`` before ``inner`` in the same block."""
        if (
            guard.condition is None
            or guard.otherwise is not None
            or not self._evaluator.endings.leaves(guard.then, place)
        ):
            return
        between = [each for each in block.statements if guard.start < each.start <= span_of(inner).start]
        self._of(guard.condition, Place(guard, place), guard.start, *between, into=into, holds=False)

    def _in_case(self, case: Case, place: Place, into: dict[str, _Fixed]) -> None:
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
            self._equal(condition, case.value, switch, switch.node.start, (case.body,), into)

    def _of(self, condition: Expr, place: Place, start: int, *code: Node, into: dict[str, _Fixed], holds: bool) -> None:
        """What ``condition`` fixes for ``code``, to which control comes when it holds, or does not."""
        match condition:
            case Unary(operator="!" | "not", operand=operand):
                self._of(operand, place, start, *code, into=into, holds=not holds)
            case Binary(operator=operator, left=left, right=right) if operator in _ALL[holds]:
                self._of(left, place, start, *code, into=into, holds=holds)
                self._of(right, place, start, *code, into=into, holds=holds)
            case Binary(operator=operator, left=left, right=right) if operator == _EQUAL[holds]:
                self._equal(left, right, place, start, code, into)
            case _:
                pass

    def _equal(
        self, left: Expr, right: Expr, place: Place, start: int, code: tuple[Node, ...], into: dict[str, _Fixed]
    ) -> None:
        names = {each.text for side in (left, right) for each in walk(side) if isinstance(each, Name)}
        marks = {mark for node in code for mark in self._evaluator.mutations.of(node)}
        # What happens to the elements of an array changes no number.
        changed = {mark.lstrip("&.") for mark in marks if "*" not in mark}
        if not names.isdisjoint(changed):
            return
        point = Point(place, start + 1)
        sides = (self._evaluator.value(left, point), self._evaluator.value(right, point))
        for one, other in (sides, sides[::-1]):
            atom = _alone(one)
            if atom is not None and isinstance(other, Known):
                location = self._evaluator.location(left.start, right.end)
                where = Location(self._evaluator.facts.file_at(place).path, location.span)
                into.setdefault(atom.key, _Fixed(other.value, Step(atom.text, other.value, where)))


def _guards(statements: tuple[Statement, ...], before: int) -> Iterator[If]:
    for each in statements:
        if isinstance(each, If) and each.end <= before:
            yield each


def _alone(value: Value) -> Parameter | None:
    """The parameter that a value is."""
    if not isinstance(value, Symbolic) or len(value.terms) != 1:
        return None
    (term,) = value.terms
    return term.atoms[0] if term.factor == 1 and len(term.atoms) == 1 else None


def _narrowed(value: Value, fixed: dict[str, _Fixed]) -> Value:
    if not isinstance(value, Symbolic):
        return value
    used: dict[Step, None] = dict.fromkeys(value.because)

    def ask(atom: Parameter) -> int | None:
        found = fixed.get(atom.key)
        if found is None:
            return None
        used[found.step] = None
        return found.number

    number = number_with(value, ask)
    return value if number is None else Known(number, tuple(used))
