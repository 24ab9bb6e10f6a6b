"""Variables that a call sets: ``sizes(n, groups, local);``, whose function takes them by reference or by address."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sycllint.cpp.expression import Assign, Binary, Call, Cast, Expr, Member, Name, Unary
from sycllint.cpp.node import walk
from sycllint.cpp.place import Place
from sycllint.cpp.statement import VIRTUAL, Function, Statement
from sycllint.facts.file import Declared
from sycllint.memoized import memoized
from sycllint.values.arithmetic import Real, Scalar
from sycllint.values.objects import Point, Result
from sycllint.values.side_effects.addresses import by_reference
from sycllint.values.side_effects.leaving import returns_early
from sycllint.values.value import OneOf

if TYPE_CHECKING:
    from sycllint.values.interface import Evaluation, Locals


class OutputArguments:
    """Answers for one evaluator."""

    def __init__(self, evaluator: Evaluation, lookup: Locals) -> None:
        self._evaluator = evaluator
        self._lookup = lookup

    def evaluated(self, expression: Expr, text: str, place: Place, statement: Statement) -> Result | None:
        """What the variable ``text`` is once an expression has been evaluated, in which one call may set it."""
        call = self._setting(expression, text)
        return self.after(call, text, place, statement) if call is not None else None

    def _setting(self, expression: Expr, text: str) -> Call | None:
        """The call in an expression that surely runs, of which nothing else may change ``text``."""
        match expression:
            case Call(function=Name() | Member()):
                return expression
            case Cast(operand=inner) | Unary(operator="!", operand=inner) | Assign(left=Name(), right=inner):
                return self._setting(inner, text)
            case Binary(operator="==" | "!=" | "<" | ">" | "<=" | ">=", left=left, right=right):
                changing = [each for each in (left, right) if text in self._evaluator.mutations.of(each)]
                return self._setting(changing[0], text) if len(changing) == 1 else None
            case _:
                return None

    def after(self, call: Call, text: str, place: Place, statement: Statement) -> Result | None:
        """What the variable ``text`` is once ``call`` has run, in ``statement`` at ``place``.

        ``None`` where it is not evident which function that is, or what it leaves.
        """
        evaluator = self._evaluator
        meant = self._called(call, place)
        if meant is None:
            return None
        found, arguments = self._by_reference(meant, call.arguments)
        position = self._position(arguments, text, found.node)
        if position is None or found.node.body is None:
            return None
        if evaluator.frames.is_deepest(evaluator.frame):
            return None
        argument, parameter = arguments[position], found.node.parameters[position]
        point, body = Point(place, call.start), found.node.body
        frame = evaluator.frames.made(found.node, arguments, (), point, call, evaluator.frame)
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
        evaluator = self._evaluator
        meant = evaluator.overloads.of(call, place)
        if len(meant.found) != 1 or (isinstance(call.function, Member) and not meant.sure):
            return None
        (found,) = meant.found
        if found.node.body is None or found.node.damaged or found.node.flags & VIRTUAL:
            return None
        if isinstance(call.function, Member) and evaluator.members.is_overridable(found):
            return None
        return None if returns_early(found.node.body) else found

    @memoized
    def _by_reference(
        self, found: Declared[Function], arguments: tuple[Expr, ...]
    ) -> tuple[Declared[Function], tuple[Expr, ...]]:
        """The function and the arguments of a call, with variables in the place of addresses where that is the same."""
        function, given = found.node, list(arguments)
        for index, each in enumerate(arguments):
            made = by_reference(function, index) if isinstance(each, Unary) and each.operator == "&" else None
            if made is not None and isinstance(each, Unary) and isinstance(each.operand, Name):
                function, given[index] = made, each.operand
        return (
            (found, arguments)
            if function is found.node
            else (Declared(function, Place(function, found.place.outer)), tuple(given))
        )

    def _position(self, arguments: tuple[Expr, ...], text: str, function: Function) -> int | None:
        """The one argument by which a function gets at a variable: by reference, and nothing refers to it longer."""
        named = [index for index, each in enumerate(arguments) if _names(each, text)]
        if len(named) != 1 or named[0] >= len(function.parameters):
            return None
        argument, parameter = arguments[named[0]], function.parameters[named[0]]
        kind = parameter.type
        if not isinstance(argument, Name) or not kind.reference or kind.constant or kind.pointers or parameter.pack:
            return None
        assert function.body is not None
        return None if f"&{parameter.name}" in self._evaluator.mutations.of(function.body) else named[0]


def _names(argument: Expr, text: str) -> bool:
    return any(isinstance(each, Name) and each.text == text for each in walk(argument))
