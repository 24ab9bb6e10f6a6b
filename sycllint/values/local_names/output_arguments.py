"""Variables that a call sets: ``sizes(n, groups, local);``, whose function takes them by reference."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sycllint.cpp.expression import Call, Expr, Name
from sycllint.cpp.node import walk
from sycllint.cpp.place import Place
from sycllint.cpp.statement import VIRTUAL, Function, Statement
from sycllint.facts.file import Declared
from sycllint.values.arithmetic import Real, Scalar
from sycllint.values.objects import Point, Result
from sycllint.values.side_effects.leaving import returns_early
from sycllint.values.value import OneOf

if TYPE_CHECKING:
    from sycllint.values.interface import Evaluation, Locals


class OutputArguments:
    """Answers for one evaluator."""

    def __init__(self, evaluator: Evaluation, lookup: Locals) -> None:
        self._evaluator = evaluator
        self._lookup = lookup

    def after(self, call: Call, text: str, place: Place, statement: Statement) -> Result | None:
        """What the variable ``text`` is once ``call`` has run, a statement of its own at ``place``.

        ``None`` where it is not evident which function that is, or what it leaves.
        """
        evaluator = self._evaluator
        found = self._called(call, place)
        position = self._position(call, text, found.node) if found is not None else None
        if found is None or position is None or found.node.body is None:
            return None
        if evaluator.frames.is_deepest(evaluator.frame):
            return None
        argument, parameter = call.arguments[position], found.node.parameters[position]
        point, body = Point(place, call.start), found.node.body
        frame = evaluator.frames.made(found.node, call.arguments, (), point, call, evaluator.frame)
        before, inside = self._lookup.before, Place(body, found.place)
        left = evaluator.under(frame, before, body.statements, parameter.name, inside, body.end + 1)
        if left is None:
            return self._lookup.search(text, place, statement.start)
        is_one_of_several = isinstance(left, Scalar) and isinstance(left.value, OneOf)
        if is_one_of_several and len(self._evaluator.mutations.of(call)) > 1:
            # What is left in the others goes with it.
            return None
        declared = evaluator.declarations.type_of(argument, point) if isinstance(argument, Name) else None
        is_number = declared is not None and isinstance(left, Scalar | Real)
        return evaluator.cast(declared, left, call, point) if declared is not None and is_number else left

    def _called(self, call: Call, place: Place) -> Declared[Function] | None:
        """The function that a call surely means."""
        found = self._evaluator.overloads.of(call, place).found if isinstance(call.function, Name) else ()
        if len(found) != 1 or found[0].node.body is None or found[0].node.damaged or found[0].node.flags & VIRTUAL:
            return None
        return None if returns_early(found[0].node.body) else found[0]

    def _position(self, call: Call, text: str, function: Function) -> int | None:
        """The one argument by which a function gets at a variable: by reference, and nothing refers to it longer."""
        named = [index for index, each in enumerate(call.arguments) if _names(each, text)]
        if len(named) != 1 or named[0] >= len(function.parameters):
            return None
        argument, parameter = call.arguments[named[0]], function.parameters[named[0]]
        kind = parameter.type
        if not isinstance(argument, Name) or not kind.reference or kind.constant or kind.pointers or parameter.pack:
            return None
        assert function.body is not None
        return None if f"&{parameter.name}" in self._evaluator.mutations.of(function.body) else named[0]


def _names(argument: Expr, text: str) -> bool:
    return any(isinstance(each, Name) and each.text == text for each in walk(argument))
