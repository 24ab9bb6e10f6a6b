"""The value of a name after a branch: the values at the ends of its arms."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sycllint.cpp.expression import Lambda, Name
from sycllint.cpp.node import Node, children
from sycllint.cpp.place import Place
from sycllint.cpp.statement import Block, Case, Declaration, Function, If, Struct, Switch, Variants
from sycllint.values import refinement
from sycllint.values.arithmetic import Scalar
from sycllint.values.local_names.output_arguments import OutputArguments
from sycllint.values.objects import Point, Result
from sycllint.values.preprocessor.macros import Macros
from sycllint.values.side_effects.leaving import breaks_early
from sycllint.values.value import Known

if TYPE_CHECKING:
    from sycllint.values.interface import Evaluation, Locals


class Branches:
    """Branches for one evaluator."""

    def __init__(self, evaluator: Evaluation, lookup: Locals, macros: Macros, outputs: OutputArguments) -> None:
        self._evaluator = evaluator
        self._macros = macros
        self._lookup = lookup
        self._outputs = outputs

    def in_if(self, node: If, text: str, place: Place, offset: int, *, changed: bool) -> Result | None:
        """The value of ``text`` in an ``if``; ``changed`` where the condition has been run and may have changed it."""
        condition = node.condition
        if changed and condition is not None and text in self._evaluator.mutations.condition(condition):
            given = self._outputs.evaluated(condition, text, place.outer, node) if place.outer is not None else None
            return self._lookup.changes(text, node) if given is None else given
        if isinstance(node.initializer, Declaration):
            return self._lookup.declared_in(node.initializer, text, place, offset)
        return None

    def after_if(self, statement: If, text: str, place: Place) -> Result | None:
        """The value of ``text`` after an ``if`` that may change it."""
        here = Place(statement, place)
        evaluator, lookup = self._evaluator, self._lookup
        condition = statement.condition
        if condition is not None and text in evaluator.mutations.condition(condition):
            inside = [each for each in (statement.then, statement.otherwise) if each is not None]
            is_left = not any(text in evaluator.mutations.of(each) for each in inside)
            given = self._outputs.evaluated(condition, text, place, statement) if is_left else None
            return lookup.changes(text, statement) if given is None else given
        if statement.initializer is not None and text in evaluator.mutations.of(statement.initializer):
            return lookup.changes(text, statement)
        taken: bool | None = None
        asked_at = statement.start + 1 if statement.initializer is None else statement.then.start
        if condition is not None:
            holds = evaluator.scalar(evaluator.evaluate(condition, Point(here, asked_at)))
            if isinstance(holds, Scalar) and isinstance(holds.value, Known):
                taken = bool(holds.value.value)
        results: list[Result] = []
        arms: list[Block | None] = []
        if taken is not False:
            arms.append(statement.then)
        if taken is not True:
            arms.append(statement.otherwise)
        for arm in arms:
            if arm is not None and evaluator.endings.leaves(arm, here):
                continue
            found = lookup.at_end(arm, text, Place(arm, here)) if arm is not None else None
            is_new = found is not None
            if found is None:
                found = lookup.search(text, place, statement.start)
            if found is None:
                return None
            if condition is not None and taken is None:
                point, in_then = Point(here, asked_at), arm is statement.then
                found = refinement.where(condition, found, point, evaluator, holds=in_then)
                if not is_new:
                    found = refinement.unchanged(condition, text, found, point, evaluator, holds=in_then)
            results.append(found)
        if not results:
            return lookup.search(text, place, statement.start)
        return evaluator.joined(results)

    def after_switch(self, statement: Switch, text: str, place: Place) -> Result | None:
        """The value of ``text`` after a ``switch`` that may change it."""
        lookup, ending = self._lookup, self._evaluator.endings
        here = Place(statement.body, Place(statement, place))
        results: list[Result] = []
        exhaustive = False
        cases = [each for each in statement.body.statements if isinstance(each, Case)]
        condition = statement.condition
        if condition is not None and text in self._evaluator.mutations.of(condition):
            return lookup.changes(text, statement)
        if len(cases) != len(statement.body.statements):
            return lookup.changes(text, statement)
        for position, case in enumerate(cases):
            exhaustive = exhaustive or case.value is None
            body = case.body
            if breaks_early(body):
                return lookup.changes(text, case)
            if ending.returns(body, here):
                continue
            if not body.statements and position + 1 < len(cases):
                continue
            if position + 1 < len(cases) and not ending.leaves(body, here):
                return lookup.changes(text, case)
            found = lookup.at_end(body, text, Place(body, Place(case, here)))
            if found is None:
                found = lookup.search(text, place, statement.start)
            results.append(found if found is not None else lookup.changes(text, case))
        if not exhaustive:
            before = lookup.search(text, place, statement.start)
            if before is None:
                return None
            results.append(before)
        return self._evaluator.joined(results) if results else None

    def in_case(self, case: Case, text: str, place: Place) -> Result | None:
        """What ``text`` is in a ``case`` of ``switch (text)``: one of the labels by which control comes there.

        ``place`` is the case's; nothing in it has changed ``text`` so far.
        """
        block = place.outer
        switch = block.outer if block is not None else None
        if block is None or switch is None or not isinstance(switch.node, Switch):
            return None
        condition = switch.node.condition
        if not isinstance(condition, Name) or condition.text != text or not isinstance(block.node, Block):
            return None
        if any(_labels(each) for each in case.body.statements):
            return None
        labels: list[Result] = []
        for each in reversed(block.node.statements):
            if each.start > case.start:
                continue
            if not isinstance(each, Case) or (each is not case and each.body.statements):
                if isinstance(each, Case) and self._evaluator.endings.leaves(each.body, place):
                    break
                return None
            if each.value is None:
                return None
            labels.append(self._evaluator.evaluate(each.value, Point(switch, switch.node.start)))
        return self._typed(condition, self._evaluator.joined(labels), switch) if labels else None

    def _typed(self, name: Name, number: Result, switch: Place) -> Result:
        """A label as a value of the variable it is compared with."""
        declared = self._evaluator.declarations.type_of(name, Point(switch, name.start))
        kind = self._evaluator.kind(declared.name, Point(switch, name.start)) if declared is not None else None
        if kind is None or kind.integer is None:
            return number
        return self._evaluator.converted(number, kind, name)

    def after_variants(self, statement: Variants, text: str, place: Place, *, fixed: bool) -> Result | None:
        """The value after alternatives of a preprocessor conditional: those that may be compiled and say something.

        ``fixed`` for a constant, of which they can say something by declaring it only.
        """
        lookup = self._lookup
        results: list[Result] = []
        silent = not any(arm.keyword == "else" for arm in statement.arms)
        decided = False
        here = Place(statement, place)
        for arm in statement.arms:
            compiled = self._macros.arm(arm, here)
            if compiled is False:
                continue
            inner = Place(arm.body, Place(arm, here))
            found = lookup.before(arm.body.statements, text, inner, arm.body.end + 1, fixed=fixed)
            if compiled is True:
                decided = True
                results = [found] if found is not None else []
                silent = found is None
                break
            if found is None:
                silent = True
            else:
                results.append(found)
        if not results:
            return None
        if silent and not decided:
            before = lookup.search(text, place, statement.start, fixed=fixed)
            if before is not None:
                results.append(before)
        return self._evaluator.joined(results)


def _labels(node: Node) -> bool:
    """Whether a label of a ``switch`` around ``node`` stands in it."""
    if isinstance(node, Case):
        return True
    return not isinstance(node, Switch | Lambda | Struct | Function) and any(_labels(each) for each in children(node))
