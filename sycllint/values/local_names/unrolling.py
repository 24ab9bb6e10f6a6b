"""Loops that run a small number of times which is known: what a name is in each iteration, and after the last."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from sycllint.cpp.expression import Assign, Binary, Expr, Increment, Name
from sycllint.cpp.node import walk
from sycllint.cpp.place import Place
from sycllint.cpp.statement import Block, Declaration, Evaluate, Jump, Loop, Return
from sycllint.values.arithmetic import INT, Scalar, binary, convert
from sycllint.values.frame import Sought
from sycllint.values.objects import Frame, Point, Result
from sycllint.values.value import Known, Symbolic

if TYPE_CHECKING:
    from sycllint.values.interface import Evaluation, Locals

MAX_ITERATIONS = 16
"""The iterations of one loop that are followed one by one."""


class Unrolling:
    """Answers for one evaluator. An iteration is a frame whose owner is the loop."""

    def __init__(self, evaluator: Evaluation, lookup: Locals) -> None:
        self._evaluator = evaluator
        self._lookup = lookup
        self._trips: dict[tuple[int, Frame | None], tuple[int | None, Sought]] = {}

    def iteration(self, node: Loop) -> Frame | None:
        """The iteration of a loop that the code being looked at runs in, where one is followed."""
        return self._evaluator.frames.binding(node, self._evaluator.frame)

    def at_start(self, node: Loop, text: str, place: Place, iteration: Frame, *, fixed: bool) -> Result | None:
        """What a name is when an iteration begins; ``None`` when the loop has not changed or declared it until then.

        ``place`` is that of the loop.
        """
        number = iteration.element or 0
        if number == 0 or fixed or not self._is_changed(node, text):
            return self.first(node, text, place, iteration.outer)
        return self._at_end(node, text, place, self._iteration(node, place, number - 1, iteration.outer))

    def after(self, node: Loop, text: str, place: Place) -> Result | None:
        """The value of a name after a loop that changes it; ``None`` when it is not known how often that runs."""
        trips = self._trip_count(node, place)
        if trips is None or place.outer is None:
            return None
        found, outer = self.first(node, text, place, self._evaluator.frame), self._evaluator.frame
        # The first iteration first: what it ends with is remembered for the next.
        for number in range(trips):
            found = self._at_end(node, text, place, self._iteration(node, place, number, outer))
        found = self._lookup.search(text, place.outer, node.start) if found is None else found
        # A formula that a reader would have to unroll says less than the name.
        return None if isinstance(found, Scalar) and isinstance(found.value, Symbolic) else found

    def _is_changed(self, node: Loop, text: str) -> bool:
        """Whether iterations change a name."""
        parts = (node.body, node.update) if node.update is not None else (node.body,)
        return any(text in self._evaluator.mutations.of(part) for part in parts)

    def _trip_count(self, node: Loop, place: Place) -> int | None:
        """How often a loop runs; ``None`` when that is not known, is more than is followed, or it is left early."""
        evaluator = self._evaluator
        outer = evaluator.frame
        key = (id(node), outer)
        if key in self._trips:
            trips, sought = self._trips[key]
            evaluator.frames.sought.add(sought)
            return trips
        # A loop that is asked for while its own end is looked for has none.
        self._trips[key] = (None, Sought())
        free, evaluator.free = evaluator.free, {}
        sought, evaluator.frames.sought = evaluator.frames.sought, Sought()
        found = self._counted(node, place, outer) if node.condition is not None and not _is_left(node.body) else None
        if evaluator.free:
            del self._trips[key]
        else:
            self._trips[key] = (found, evaluator.frames.sought)
        free.update(evaluator.free)
        sought.add(evaluator.frames.sought)
        evaluator.free, evaluator.frames.sought = free, sought
        return found

    def _counted(self, node: Loop, place: Place, outer: Frame | None) -> int | None:
        evaluator, condition = self._evaluator, node.condition
        assert condition is not None
        if evaluator.mutations.condition(condition):
            return None
        point = Point(place, node.body.start)
        for number in range(MAX_ITERATIONS + 1):
            if number == 0 and node.keyword == "do":
                continue
            holds = evaluator.under(self._iteration(node, place, number, outer), evaluator.evaluate, condition, point)
            if not isinstance(holds, Scalar) or not isinstance(holds.value, Known):
                return None
            if not holds.value.value:
                return number
        return None

    def _iteration(self, node: Loop, place: Place, number: int, outer: Frame | None) -> Frame:
        return self._evaluator.frames.made(node, (), (), Point(place, node.start), None, outer, None, number)

    def first(self, node: Loop, text: str, place: Place, outer: Frame | None) -> Result | None:
        """What the head of a loop makes a name; ``None`` when it leaves it alone."""
        evaluator = self._evaluator
        match node.initializer:
            case Declaration() as declaration:
                declared_in = self._lookup.declared_in
                return evaluator.under(outer, declared_in, declaration, text, place, node.body.start)
            case Evaluate(expression=Assign(operator="=", left=Name(text=target)) as assign) if target == text:
                return evaluator.under(outer, evaluator.evaluate, assign, Point(place, node.start))
            case Evaluate() as head if text in evaluator.mutations.of(head):
                return self._lookup.changes(text, head)
            case _:
                return None

    def _at_end(self, node: Loop, text: str, place: Place, iteration: Frame) -> Result | None:
        """What a name is at the end of an iteration, once the loop has stepped; ``None`` when it is as before."""
        return self._evaluator.under(iteration, self._ended, node, text, place, iteration)

    def _ended(self, node: Loop, text: str, place: Place, iteration: Frame) -> Result | None:
        there = Place(node.body, place)
        if self._evaluator.declarations.of_block(node.body, text):
            return self._lookup.changes(text, node)
        found = self._lookup.before(node.body.statements, text, there, node.body.end + 1)
        if found is None:
            found = self.at_start(node, text, place, iteration, fixed=False)
        if node.update is None or text not in self._evaluator.mutations.of(node.update):
            return found
        if found is None and place.outer is not None:
            found = self._lookup.search(text, place.outer, node.start)
        return self._stepped(node, text, found, there)

    def _stepped(self, node: Loop, text: str, value: Result | None, there: Place) -> Result:
        """``value`` after the step in the head of a loop."""
        evaluator = self._evaluator
        if isinstance(value, Scalar):
            there_after = Point(there, node.body.end + 1)
            for update in _parts(node.update):
                moved = moved_by(evaluator, update, text, value, there_after)
                match update:
                    case Assign(operator="=", left=Name(text=target), right=right) if target == text:
                        moved = evaluator.evaluate(right, there_after)
                    case _:
                        pass
                if moved is not None:
                    return convert(moved, value.type) if isinstance(moved, Scalar) else moved
        return self._lookup.changes(text, node)


def moved_by(evaluator: Evaluation, update: Expr, text: str, value: Scalar, point: Point) -> Result | None:
    """``value`` of a name after ``++name`` or ``name op= step``; ``None`` for other expressions."""
    match update:
        case Increment(operator=operator, operand=Name(text=target)) if target == text:
            return binary(operator[0], value, Scalar(Known(1), INT))
        case Assign(operator=operator, left=Name(text=target), right=right) if target == text and operator != "=":
            return evaluator.combine(operator[:-1], value, evaluator.evaluate(right, point), update)
        case _:
            return None


def _parts(update: Expr | None) -> Iterator[Expr]:
    """The expressions of ``++i, n *= 2``."""
    if isinstance(update, Binary) and update.operator == ",":
        yield from _parts(update.left)
        yield from _parts(update.right)
    elif update is not None:
        yield update


def _is_left(body: Block) -> bool:
    """Whether a loop may be left, or its body cut short, from inside."""
    return any(isinstance(each, Jump | Return) for each in walk(body))
