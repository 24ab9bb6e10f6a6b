"""Who else may change a variable: references, pointers and lambdas that outlive the statement that made them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sycllint.cpp.expression import Assign, Call, Lambda, Member, Name
from sycllint.cpp.place import Place
from sycllint.cpp.statement import (
    Block,
    Declaration,
    Evaluate,
    Function,
    Include,
    Loop,
    Macro,
    RangeLoop,
    Return,
    Statement,
    Variable,
)
from sycllint.values.declarations import end_of, outside
from sycllint.values.object_model.object_arguments import ObjectArguments
from sycllint.values.objects import Point
from sycllint.values.side_effects.library import AT_ONCE, KEEPERS
from sycllint.values.side_effects.lvalues import kept_lambdas, root

if TYPE_CHECKING:
    from sycllint.values.interface import Evaluation


class Aliases:
    """Aliases for one evaluator."""

    def __init__(self, evaluator: Evaluation, object_arguments: ObjectArguments) -> None:
        self._evaluator = evaluator
        self._declarations = evaluator.declarations
        self._object_arguments = object_arguments

    def may_change_anytime(self, text: str, statement: Statement, place: Place) -> bool:
        """Whether something that holds a reference to ``text`` may change it after ``statement`` gave it a value."""
        mark = f"&{text}"
        mutations = self._evaluator.mutations
        current: Place | None = place
        offset = statement.start
        while current is not None:
            node = current.node
            match node:
                case Block(statements=statements):
                    if any(
                        end_of(each) <= offset
                        for each in self._evaluator.effects.marking(statements, mark, text, current)
                    ):
                        return True
                    if any(each.start < offset for each in self._declarations.of_block(node, text)):
                        return False
                case Loop() | RangeLoop():
                    if mark in mutations.of(node):
                        return True
                case Macro() | Include():
                    used = outside(current)
                    if used is None:
                        return False
                    offset = used
                case Lambda(parameters=parameters):
                    if any(each.name == text for each in parameters):
                        return False
                    offset = node.start
                case Function(parameters=parameters):
                    if any(each.name == text for each in parameters):
                        return False
                    # Not declared here: a global or a member, which other functions may change.
                    objects = self._object_arguments
                    follows = objects.follows(text, current)
                    is_ordered = follows or (follows is False and objects.stays_within(current))
                    return not is_ordered and self._evaluator.names.changed_by_several(text)
                case _:
                    pass
            current = current.outer
        return False

    def may_have_changed(self, text: str, place: Place, offset: int) -> bool:
        """Whether ``text`` is a reference to what is also changed by its own name before ``offset``."""
        declared = self._declarations.nearest(text, Point(place, offset))
        variable = declared[0] if declared is not None else None
        if declared is None or not isinstance(variable, Variable) or not variable.type.reference:
            return False
        return self.referred_changes(variable, declared[1], offset)

    def referred_changes(self, variable: Variable, place: Place, offset: int) -> bool:
        """Whether what a reference was bound to is changed between its declaration and ``offset``."""
        referred = {root(each) for each in variable.arguments}
        node = place.node
        return isinstance(node, Block) and any(
            not self._evaluator.mutations.of(each).isdisjoint((name, f".{name}"))
            for each in node.statements
            if variable.end < each.start < offset
            for name in referred
        )

    def changes_after(self, node: Lambda, text: str, place: Place) -> bool:
        """Whether a lambda that is kept, in a variable or by a function elsewhere, sees a later value of ``text``."""
        outer = place.outer.node if place.outer is not None else None
        kept: bool | None = not _runs_at_once(outer) if isinstance(outer, Call) else None
        if kept is False:
            return False
        around: Place | None = place
        while around is not None:
            match around.node:
                case Block(statements=statements) as block:
                    if kept is None:
                        kept = any(_keeps(each, node) for each in statements if each.start <= node.start < each.end)
                        if not kept:
                            return False
                    if any(
                        each.start > node.end
                        for mark in (text, f".{text}")
                        for each in self._evaluator.effects.marking(statements, mark, text, around)
                    ):
                        return True
                    if any(each.start < node.start for each in self._declarations.of_block(block, text)):
                        return False
                case Function():
                    return False
                case _:
                    pass
            around = around.outer
        return False


def _runs_at_once(call: Call) -> bool:
    """Whether what a lambda is handed to calls it before it returns, as submit and the standard algorithms do."""
    match call.function:
        case Member(name=name):
            return name in AT_ONCE
        case Name() as function:
            return function.last in AT_ONCE or (function.qualifier.startswith("std") and function.last not in KEEPERS)
        case _:
            return isinstance(call.function, Lambda)


def _keeps(statement: Statement, node: Lambda) -> bool:
    """Whether ``statement`` stores the lambda, so that it runs later."""
    match statement:
        case Declaration(variables=variables):
            sources = [each for variable in variables for each in variable.arguments]
        case Evaluate(expression=Assign(right=right)):
            sources = [right]
        case Return(value=value) if value is not None:
            sources = [value]
        case _:
            return False
    return any(each is node for source in sources for each in kept_lambdas(source))
