"""Code that surely never runs: not compiled, in a branch that is not taken, behind a jump."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from sycllint.cpp.expression import Binary, Conditional, Expr, Lambda, Name, Number
from sycllint.cpp.node import Node
from sycllint.cpp.place import Place, span_of
from sycllint.cpp.statement import Block, Case, Function, If, Loop, Namespace, Statement, Switch
from sycllint.memoized import memoized
from sycllint.values.answers import FrameAnswers
from sycllint.values.certainty import guessed, truth
from sycllint.values.objects import Point
from sycllint.values.side_effects.leaving import breaks_early, leaps

if TYPE_CHECKING:
    from sycllint.values.whole import Whole


class DeadCode:
    """Answers for one evaluator, about the way by which it looks at the code."""

    def __init__(self, evaluator: Whole) -> None:
        self._evaluator = evaluator
        self._endings = evaluator.endings
        self._answers: FrameAnswers[bool] = FrameAnswers(evaluator)
        self._ending: dict[int, list[Statement]] = {}

    def never_runs(self, place: Place) -> bool:
        """Whether the code at ``place``, or a call on the way to it, is surely never executed."""
        way, under = self._evaluator.frame, self._evaluator.under
        return self.is_skipped(place.node, place.outer) or any(
            each.call is not None and under(each.outer, self.is_skipped, each.call, each.point.place)
            for each in ((way, *way.around()) if way is not None else ())
        )

    def is_skipped(self, node: Node, around: Place | None) -> bool:
        """The same for ``node`` alone; ways that share their outer calls share the answers about those."""
        passed = self._passed(node, around)
        return bool(passed) and self._answers.of((node, around), self._is_skipped, passed)

    def _is_skipped(self, passed: list[tuple[Node, Place] | None]) -> bool:
        return any(each is None or self._not_taken(*each) for each in passed)

    @memoized
    def _passed(self, node: Node, around: Place | None) -> list[tuple[Node, Place] | None]:
        """What control passes on its way to ``node`` and may not: an inner node, and the place that it stands right in.

        ``None`` where it surely is not compiled.
        """
        current = Place(node, around)
        if self._evaluator.macros.left_out(current):
            return [None]
        found: list[tuple[Node, Place] | None] = []
        while current.outer is not None:
            inner, current = current.node, current.outer
            if isinstance(current.node, Function | Lambda) and not self._is_plain(current.node):
                # The branches and jumps seen in text that does not parse, or around a goto, are not what they seem.
                return []
            if self._may_not_be_taken(inner, current):
                found.append((inner, current))
        return found

    def _may_not_be_taken(self, inner: Node, place: Place) -> bool:
        """Whether conditions or jumps decide if control goes from the node at ``place`` into ``inner``."""
        match place.node:
            case If() | Conditional() | Loop() | Binary():
                return True
            case Block(statements=statements):
                return isinstance(inner, Case) or any(self._before(inner, statements, place))
            case _:
                return False

    def _is_plain(self, node: Function | Lambda) -> bool:
        return not node.damaged and not (self._evaluator.facts.has_goto and self._leaps(node))

    @memoized
    def _leaps(self, node: Function | Lambda) -> bool:
        return node.body is not None and any(True for _ in leaps(node.body))

    def _not_taken(self, inner: Node, place: Place) -> bool:
        """Whether control surely does not go from the node at ``place`` into ``inner``, which stands right in it."""
        node = place.node
        match node:
            case (
                If(condition=condition, then=yes, otherwise=no)
                | Conditional(condition=condition, then=yes, otherwise=no)
            ):
                if condition is None or (inner is not yes and inner is not no):
                    return False
                return self._truth(condition, node, place) is (inner is no)
            case Loop(keyword=keyword, condition=condition, body=body):
                # Working out what a counter is at first costs more than loops that never run are worth.
                if not isinstance(condition, Number | Name) or keyword == "do" or inner is not body:
                    return False
                return self._truth(condition, node, place) is False
            case Binary(operator="&&" | "||" as operator, left=left, right=right):
                return inner is right and self._truth(left, node, place) is (operator == "||")
            case Block(statements=statements):
                return self._behind_jump(inner, statements, place) or self._other_case(inner, statements, place)
            case _:
                return False

    def _truth(self, condition: Expr, node: If | Loop | Conditional | Binary, place: Place) -> bool | None:
        start = condition.start if isinstance(node, Loop) else node.start + 1
        if guessed(self._evaluator.facts, place, node.start):
            return None
        return truth(self._evaluator, condition, Point(place, start))

    def _behind_jump(self, inner: Node, statements: tuple[Statement, ...], place: Place) -> bool:
        return any(
            self._never_passed(each, place) and not guessed(self._evaluator.facts, place, each.start)
            for each in self._before(inner, statements, place)
        )

    def _before(self, inner: Node, statements: tuple[Statement, ...], place: Place) -> Iterator[Statement]:
        """The statements in front of ``inner`` that control may not get past."""
        if place.outer is None or isinstance(place.outer.node, Namespace) or not statements:
            return  # no control runs from one definition of a namespace to the next
        for statement in self._ends(statements, place):
            if statement is inner or statement.start > span_of(inner).start >= 0:
                return
            yield statement

    def _ends(self, statements: tuple[Statement, ...], place: Place) -> list[Statement]:
        """The statements that control may not get past."""
        found = self._ending.get(id(statements))
        if found is None:
            found = self._ending[id(statements)] = [
                each for each in statements if self._endings.jumps(each, place) or self._may_leave(each, place)
            ]
        return found

    def _never_passed(self, statement: Statement, place: Place) -> bool:
        if self._endings.jumps(statement, place):
            return True
        if isinstance(statement, Switch):
            return self._left_by_each_case(statement, place)
        if not isinstance(statement, If) or statement.condition is None:
            return False
        arms = self._leaving(statement, place)
        taken = self._truth(statement.condition, statement, Place(statement, place))
        return taken is not None and arms[0 if taken else 1]

    def _other_case(self, inner: Node, statements: tuple[Statement, ...], place: Place) -> bool:
        """Whether ``inner`` is a case of another value than the switch has, and the one before does not run into it."""
        outer = place.outer
        if not isinstance(inner, Case) or outer is None or not isinstance(outer.node, Switch):
            return False
        condition = outer.node.condition
        position = statements.index(inner)
        before = statements[position - 1] if position else None
        if condition is None or (
            before is not None and not (isinstance(before, Case) and self._endings.leaves(before.body, place))
        ):
            return False
        if inner.value is not None:
            return self._equal(condition, inner.value, outer) is False
        values = [each.value for each in statements if isinstance(each, Case) and each.value is not None]
        return any(self._equal(condition, value, outer) is True for value in values)

    def _equal(self, condition: Expr, value: Expr, switch: Place) -> bool | None:
        comparison = Binary("==", condition, value, condition.start, condition.end)
        return truth(self._evaluator, comparison, Point(switch, condition.start))

    def _left_by_each_case(self, switch: Switch, place: Place) -> bool:
        """Whether each case that a ``switch`` may have the value of, in it or in one it runs into, leads out."""
        if switch.condition is None:
            return False
        cases, outside = _cases(switch), Place(switch, place)
        possible = list[int]()
        for index, case in enumerate(cases):
            equal = self._equal(switch.condition, case.value, outside) if case.value is not None else False
            if equal is not False:
                possible.append(index)
            if equal:
                break
        else:
            possible.extend([index for index, case in enumerate(cases) if case.value is None] or [len(cases)])
        return all(self._leads_out([case.body for case in cases[index:]], outside) for index in possible)

    def _leads_out(self, bodies: list[Block], place: Place) -> bool:
        """Whether control that enters the first of these cases leaves the function before it leaves the ``switch``."""
        for body in bodies:
            if breaks_early(body) or self._endings.leaves(body, place):
                return not breaks_early(body) and self._endings.returns(body, place)
        return False

    def _may_leave(self, statement: Statement, place: Place) -> bool:
        """Whether one of the arms of an ``if``, or one of the cases of a ``switch``, leads out of the block."""
        if isinstance(statement, Switch):
            return any(self._endings.returns(each.body, place) for each in _cases(statement))
        return isinstance(statement, If) and statement.condition is not None and any(self._leaving(statement, place))

    def _leaving(self, statement: If, place: Place) -> tuple[bool, bool]:
        """Whether each arm of an ``if`` leads out of the block."""
        leaves, otherwise = self._endings.leaves, statement.otherwise
        return leaves(statement.then, place), otherwise is not None and leaves(otherwise, place)


def _cases(switch: Switch) -> list[Case]:
    """Those right in a ``switch``."""
    return [each for each in switch.body.statements if isinstance(each, Case)]
