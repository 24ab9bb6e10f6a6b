"""The values a name takes in a loop."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from sycllint.cpp.expression import Assign, Binary, Expr, Index, Member, Name
from sycllint.cpp.node import Node, children, walk
from sycllint.cpp.place import Place
from sycllint.cpp.statement import Block, Declaration, Evaluate, If, Loop, RangeLoop, Statement
from sycllint.values.arithmetic import MAX_ALTERNATIVES, IntegerType, Scalar, convert, join
from sycllint.values.local_names.unrolling import Unrolling, moved_by
from sycllint.values.object_model.arrays import Arrays
from sycllint.values.object_model.containers import MAX_LIST
from sycllint.values.objects import ListObject, Point, RangeObject, Result
from sycllint.values.symbolic import parameter
from sycllint.values.value import Known, Step, Symbolic, Unknown, Value, known

if TYPE_CHECKING:
    from sycllint.values.interface import Evaluation, Locals


_LOGICAL = {"&&": False, "||": True}
"""What one side has to be for the other not to matter."""


class Loops:
    """Loops for one evaluator."""

    def __init__(self, evaluator: Evaluation, lookup: Locals, arrays: Arrays) -> None:
        self._evaluator = evaluator
        self._arrays = arrays
        self._lookup = lookup
        self._unrolling = Unrolling(evaluator, lookup)

    def inside(self, node: Loop, text: str, place: Place, *, fixed: bool) -> Result | None:
        """The value of ``text`` in a loop that declares or changes it; ``None`` when the loop leaves it alone."""
        iteration = self._unrolling.iteration(node)
        if iteration is not None:
            return self._unrolling.at_start(node, text, place, iteration, fixed=fixed)
        mutations = self._evaluator.mutations
        if isinstance(node.initializer, Declaration) and any(
            variable.name == text for variable in node.initializer.variables
        ):
            parts = [part for part in (node.body, node.update, node.condition) if part is not None]
            if any(text in mutations.of(part) for part in parts):
                return self._counted(node, text, place)
            return self._lookup.declared_in(node.initializer, text, place, node.body.start)
        if not fixed and text in mutations.of(node):
            return self._partly(node, text, place.outer) or self._counted(node, text, place)
        return None

    def _changing(self, text: str, node: Loop | RangeLoop) -> Unknown:
        return Unknown(f"{text} changes in a loop", self._evaluator.line(node.start))

    def _partly(self, node: Loop | RangeLoop, text: str, place: Place | None) -> RangeObject | None:
        """A range of which a loop changes single extents, by ``r[2] = n`` or ``r.x = n``: the others are as before.

        ``None`` where it does more with it, and for what is no range. ``place`` is around the loop.
        """
        parts = list(self._assigned_parts(node, text))
        if place is None or None in parts:
            return None
        whole = self._lookup.search(text, place, node.start)
        if not isinstance(whole, RangeObject):
            return None
        extents = list(whole.extents)
        for part in parts:
            number = self._evaluator.value(part, Point(place, node.start)) if isinstance(part, Expr) else None
            which = whole.members.index(part) if part in whole.members else known(number)
            if which is None or not 0 <= which < len(extents):
                return None
            extents[which] = self._changing(text, node)
        return RangeObject(tuple(extents), whole.members)

    def _assigned_parts(self, node: Loop | RangeLoop, text: str) -> Iterator[Expr | str | None]:
        """By index or name, the parts of ``text`` that a loop assigns to; ``None`` for any other change of it."""
        mutations = self._evaluator.mutations
        waiting: list[Node] = [node]
        while waiting:
            current = waiting.pop()
            if text not in mutations.of(current):
                continue
            match current:
                case Block() | If() | Loop() | RangeLoop():
                    waiting += children(current)
                case Evaluate(expression=Assign(operator="=", left=left, right=right)):
                    yield None if text in mutations.of(right) else _part_of(text, left)
                case _:
                    yield None

    def _counted(self, node: Loop, text: str, place: Place) -> Result:
        """The values a counter takes: ``for (wg = 32; wg <= 1024; wg *= 2)``, when they can be listed."""
        mutations = self._evaluator.mutations
        unknown = self._changing(text, node)
        if text in mutations.of(node.body) or node.update is None or node.condition is None:
            return unknown
        if text in mutations.condition(node.condition):
            return unknown
        start = self._unrolling.first(node, text, place, self._evaluator.frame)
        if start is None or not isinstance(node.initializer, Statement):
            return unknown
        numbers: list[Known] = []
        current = start
        point = Point(place, node.body.start)
        while isinstance(current, Scalar) and isinstance(current.value, Known):
            holds = self._substituted(node.condition, text, current, point)
            if not isinstance(holds, Scalar) or not isinstance(holds.value, Known):
                return unknown
            if not holds.value.value:
                break
            numbers.append(current.value)
            if len(numbers) > MAX_ALTERNATIVES:
                return unknown
            following = self._stepped(node.update, text, current, point)
            if not isinstance(following, Scalar):
                return unknown
            current = convert(following, current.type)
        else:
            return unknown
        if not numbers or not isinstance(start, Scalar):
            return unknown
        where = self._evaluator.location(node.start, node.body.start)
        listed: list[Value] = [Known(each.value, (Step(text, each.value, where),)) for each in numbers]
        return Scalar(join(listed), start.type)

    def after(self, node: Loop, text: str, place: Place) -> Result | None:
        """The value of ``text`` after a loop of which it is known how often it runs, or that does nothing but step it.

        ``while (size < n && size < 256) size *= 2;`` ends with any of the sizes at which it may stop. ``None`` for
        other loops.
        """
        unrolled = self._unrolling.after(node, text, Place(node, place))
        if unrolled is not None:
            return unrolled
        partly = self._partly(node, text, place)
        if partly is not None:
            return partly
        step, condition = self._only_step(node, text), node.condition
        if step is None or condition is None or text in self._evaluator.mutations.condition(condition):
            return None
        here = Place(node, place)
        declared = node.initializer.variables if isinstance(node.initializer, Declaration) else ()
        if any(each.name == text for each in declared):
            return None
        is_before = isinstance(node.initializer, Declaration | None)
        first, search = self._unrolling.first, self._lookup.search
        current = search(text, place, node.start) if is_before else first(node, text, here, self._evaluator.frame)
        point = Point(here, node.start + 1)
        numbers: list[Known] = []
        is_first = node.keyword == "do"
        while isinstance(current, Scalar) and isinstance(current.value, Known) and len(numbers) <= MAX_ALTERNATIVES:
            kind = current.type
            holds = True if is_first else self._holds(condition, text, current, point)
            is_first = False
            if holds is not True:
                numbers.append(current.value)
            if holds is False and len(numbers) > 1 and self._asks_device(condition, text, point):
                return self._of_kind(node, text, numbers, kind)
            if holds is False:
                where = self._evaluator.location(node.start, node.body.start)
                listed: list[Value] = [Known(each.value, (Step(text, each.value, where),)) for each in numbers]
                return Scalar(join(listed), kind)
            following = self._stepped(step, text, current, point)
            if not isinstance(following, Scalar):
                return None
            current = convert(following, kind)
            reached = current.value.value if isinstance(current.value, Known) else None
            if len(numbers) > 1 and numbers[0].value < numbers[-1].value and (reached or 0) < numbers[-1].value:
                # Beyond the largest number of its type: no program intends that.
                return self._of_kind(node, text, numbers, kind)
            if current.value in numbers:
                return None
        return None

    def _of_kind(self, node: Loop, text: str, numbers: list[Known], kind: IntegerType) -> Scalar:
        """One of the numbers at which a loop may stop; no visible code says at which it does."""
        where = self._evaluator.location(node.start, node.body.start)
        key, reason = f"{text}@{where.path}:{where.span.start}", f"{text} is where a loop stops"
        listed = tuple(each.value for each in numbers)
        return Scalar(parameter(text, key, reason, where, minimum=listed[0], among=listed), kind)

    def _only_step(self, node: Loop, text: str) -> Expr | None:
        """The one expression that a loop runs in each round, when it changes ``text``."""
        statements = node.body.statements
        inside = [each.expression for each in statements if isinstance(each, Evaluate)]
        if len(inside) < len(statements):
            return None
        steps = [*inside, *([node.update] if node.update is not None else [])]
        return steps[0] if len(steps) == 1 and self._evaluator.mutations.of(steps[0]) == {text} else None

    def _holds(self, condition: Expr, text: str, value: Scalar, point: Point) -> bool | None:
        """Whether ``condition`` holds with ``value`` for the name; ``None`` when that depends on something else."""
        if isinstance(condition, Binary) and condition.operator in _LOGICAL:
            sides = [self._holds(each, text, value, point) for each in (condition.left, condition.right)]
            decisive = _LOGICAL[condition.operator]
            return decisive if decisive in sides else None if None in sides else not decisive
        found = self._with(condition, text, value, point)
        if not isinstance(found, Scalar) or not isinstance(found.value, Known):
            return None
        return bool(found.value.value)

    def _asks_device(self, condition: Expr, text: str, point: Point) -> bool:
        """Whether a condition on a name compares it with what a device answers: not each number is meant for each."""
        if isinstance(condition, Binary):
            return any(self._asks_device(each, text, point) for each in (condition.left, condition.right))
        named = {each.text for each in walk(condition) if isinstance(each, Name)}
        value = self._evaluator.value(condition, point) if text not in named else None
        return isinstance(value, Symbolic) and value.asks_device

    def _with(self, node: Expr, text: str, value: Scalar, point: Point) -> Result:
        """``node`` with ``value`` for the name."""
        match node:
            case Name(text=name) if name == text:
                return value
            case Binary(operator=operator, left=left, right=right) if operator not in _LOGICAL:
                sides = [self._with(each, text, value, point) for each in (left, right)]
                return self._evaluator.combine(operator, sides[0], sides[1], node)
            case _ if any(isinstance(each, Name) and each.text == text for each in walk(node)):
                return Unknown("an expression of a loop")
            case _:
                return self._evaluator.evaluate(node, point)

    def _substituted(self, condition: Expr, text: str, value: Scalar, point: Point) -> Result:
        """``condition`` with ``value`` for the counter, which must be one side of a comparison."""
        if not isinstance(condition, Binary):
            return Unknown("the end of a loop")
        return self._with_sides(condition, text, value, point, condition)

    def _with_sides(self, node: Binary, text: str, value: Scalar, point: Point, whole: Expr) -> Result:
        """``node``, a part of ``whole``, with ``value`` for a side that is the name."""
        sides: list[Result] = []
        for side in (node.left, node.right):
            is_counter = isinstance(side, Name) and side.text == text
            sides.append(value if is_counter else self._evaluator.evaluate(side, point))
        return self._evaluator.combine(node.operator, sides[0], sides[1], whole)

    def _stepped(self, update: Expr, text: str, value: Scalar, point: Point) -> Result | None:
        moved = moved_by(self._evaluator, update, text, value, point)
        if moved is not None:
            return moved
        match update:
            case Assign(operator="=", left=Name(text=target), right=Binary() as right) if target == text:
                return self._with_sides(right, text, value, point, update)
            case _:
                return None

    def over(self, node: RangeLoop, text: str, place: Place, *, fixed: bool) -> Result | None:
        """The value of ``text`` in a range-based loop that declares or changes it."""
        if node.variable.name == text:
            outer = place.outer if place.outer is not None else place
            is_fixed = fixed or self.refers_to_constant(node, Point(outer, node.start))
            if not is_fixed and text in self._evaluator.mutations.of(node.body):
                return self._lookup.changes(text, node)
            over = self._evaluator.evaluate(node.range, Point(outer, node.start))
            if isinstance(over, ListObject) and over.elements:
                size = self._arrays.size(over) or len(over.elements)
                if size <= MAX_LIST:
                    return self._evaluator.joined([self._element(node, over, each, outer) for each in range(size)])
            return Unknown(f"{text} runs over a sequence", self._evaluator.line(node.start))
        if not fixed and text in self._evaluator.mutations.of(node):
            return self._partly(node, text, place.outer) or self._changing(text, node)
        return None

    def refers_to_constant(self, node: RangeLoop, point: Point) -> bool:
        """Whether the variable of a loop at ``point`` is a constant, or refers to an element of one."""
        kind = node.variable.type
        if not kind.reference:
            return kind.constant and not kind.pointers
        whole = self._evaluator.declarations.type_of(node.range, point) if isinstance(node.range, Name) else None
        return whole is not None and whole.constant and not whole.pointers

    def _element(self, node: RangeLoop, over: ListObject, index: int, place: Place) -> Result:
        """One element of a list, as the variable of the loop at ``place`` holds it."""
        evaluator, variable, point = self._evaluator, node.variable, over.point
        element = over.elements[min(index, len(over.elements) - 1)]
        result = self._arrays.element(over, index, element)
        kind = evaluator.kind(variable.type.name, Point(place, variable.start))
        if kind.integer is not None and not variable.type.pointers:
            result = evaluator.converted(result, kind, element)
        return evaluator.named(variable.name, result, element.start, element.end, point.place)


def _part_of(text: str, written: Expr) -> Expr | str | None:
    """The index or the name of the part of ``text`` that an expression is."""
    match written:
        case Index(object=Name(text=target), indices=(index,)) if target == text:
            return index
        case Member(object=Name(text=target), name=name) if target == text:
            return name
        case _:
            return None
