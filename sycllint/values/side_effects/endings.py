"""Where control does not go on: behind returns, jumps, and calls and macros that end the program or throw."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from sycllint.cpp.expression import Binary, Call, Cast, Conditional, Expr, Lambda, Name, Number, Unary
from sycllint.cpp.node import Node, children
from sycllint.cpp.place import Place
from sycllint.cpp.statement import VIRTUAL, Block, Evaluate, Function, If, Jump, Loop, Macro, Return, Struct
from sycllint.facts.file import Declared
from sycllint.symbols.arity import accepts
from sycllint.symbols.symbols import Meant, Symbols
from sycllint.values.side_effects.leaving import breaks
from sycllint.values.side_effects.library import ENDS

_NOTHING: Mapping[str, bool | None] = {}
_REQUIRING = re.compile(
    r"(?!.*(?:false|not|fail|skip|if$)).*(?:assert|assume|check|enforce|ensure|expect|require|verify)", re.IGNORECASE
)
"""Names of functions and macros that are not visible, and end, or say so, where an argument does not hold."""


class Endings:
    """Answers for one unit, about code that stands at a place."""

    def __init__(self, symbols: Symbols) -> None:
        self._symbols = symbols
        self._unit = symbols.unit
        self._functions: dict[Function, bool] = {}
        self._calls: dict[tuple[int, int], tuple[Meant[Function], bool]] = {}
        """By the identity of what lookup found, and the number of arguments."""
        self._expanding: list[str] = []

    def leaves(self, block: Block, place: Place) -> bool:
        """Whether control never reaches what follows a block of the code at ``place``."""
        return bool(block.statements) and self.jumps(block.statements[-1], place)

    def jumps(self, statement: Node, place: Place) -> bool:
        """Whether control never reaches what follows a statement of the code at ``place``."""
        match statement:
            case Return() | Jump():
                return True
            case Evaluate(expression=expression):
                return self.never_returns(expression, place)
            case Block():
                return self.leaves(statement, place)
            case If(then=then, otherwise=otherwise):
                return otherwise is not None and self.leaves(then, place) and self.leaves(otherwise, place)
            case Loop(keyword="do", body=body):
                return not breaks(body) and self.leaves(body, place)
            case _:
                return False

    def returns(self, block: Block, place: Place) -> bool:
        """Whether a ``switch`` case leaves the function, or ends the program."""
        last = block.statements[-1] if block.statements else None
        is_break = isinstance(last, Jump) and last.keyword == "break"
        return last is not None and not is_break and self.jumps(last, place)

    def never_returns(self, expression: Expr, place: Place) -> bool:
        """Whether control does not go on after ``expression``, a statement by itself."""
        return self._ends(expression, place, _NOTHING)

    def _ends(self, node: Expr, place: Place, truths: Mapping[str, bool | None]) -> bool:
        """``truths`` are those of a macro's parameters, in whose text ``node`` stands."""
        match node:
            case Call(function=Name() as function, arguments=arguments):
                if function.text in self._unit.macros:
                    return self._macro(function.text, arguments, place, truths)
                return self._call(function, len(arguments), place)
            case Name(text=text):
                return text in self._unit.macros and self._macro(text, None, place, truths)
            case Cast(operand=inner):
                return self._ends(inner, place, truths)
            case Binary(operator=",", left=left, right=right):
                return self._ends(left, place, truths) or self._ends(right, place, truths)
            case Conditional(condition=condition, then=then, otherwise=otherwise):
                holds = _truth(condition, truths)
                arms = [then, otherwise] if holds is None else [then if holds else otherwise]
                return all(self._ends(each, place, truths) for each in arms)
            case _:
                return False

    # ---------------------------------------------------------- requirements

    def required(self, expression: Expr, place: Place) -> Iterator[Expr]:
        """The arguments of a call that hold where control goes on behind it, as those of ``assert`` and ``CHECK`` do.

        Of several definitions of a macro, for debug builds and others, one that ends is enough. Of a function that is
        not visible, the name tells.
        """
        if isinstance(expression, Call) and isinstance(expression.function, Name):
            for position, argument in enumerate(expression.arguments):
                is_asked = isinstance(argument, Binary | Unary)
                if is_asked and self._requires(expression.function, position, len(expression.arguments), place):
                    yield argument

    def _requires(self, function: Name, position: int, count: int, place: Place) -> bool:
        """Whether a call that is given ``count`` arguments ends where the one at ``position`` is false."""
        macros = self._unit.macros.get(function.text)
        if macros:
            return any(self._replaced(each.node, position, place) for each in macros)
        declared = self._symbols.functions(function, place).declared
        if not declared:
            return bool(_REQUIRING.match(function.last)) and not self._unit.defines(function.last)
        bodies = [each for each in declared if each.node.body is not None and accepts(each.node, count)]
        return bool(bodies) and all(self._refuses(each.node, position, each.place) for each in bodies)

    def _replaced(self, macro: Macro, position: int, place: Place) -> bool:
        """Whether the text of a macro ends where its argument at ``position`` is false."""
        parameters = macro.parameters or ()
        return position < len(parameters) and self._under(macro, {parameters[position]: False}, place)

    def _refuses(self, function: Function, position: int, place: Place) -> bool:
        """Whether a function never returns where its parameter at ``position`` is false."""
        if function.body is None or function.damaged or position >= len(function.parameters):
            return False
        truths = {function.parameters[position].name: False}
        reached = [each for each in function.body.statements if not _is_passed(each, truths)]
        if any(isinstance(each, Return) or _returns(each) for each in reached):
            return False
        inside = Place(function.body, place)
        return any(self._statement(each, inside, truths) for each in reached)

    # ------------------------------------------------------------- functions

    def _call(self, name: Name, count: int, place: Place) -> bool:
        """Whether each function that a call may mean does not return."""
        meant = self._symbols.functions(name, place)
        if not meant.declared:
            return name.last in ENDS and name.qualifier.removeprefix("::") in ("", "std")
        known = self._calls.get((id(meant), count))
        if known is None:
            known = self._calls[id(meant), count] = (meant, self._all_end(meant.declared, count))
        return known[1]

    def _all_end(self, declared: Sequence[Declared[Function]], count: int) -> bool:
        found = [each for each in declared if accepts(each.node, count)]
        ending = {len(each.node.parameters) for each in found if self._is_ending(each)}
        return bool(found) and all(
            (each.node.body is None and len(each.node.parameters) in ending) or self._is_ending(each) for each in found
        )

    def _is_ending(self, declared: Declared[Function]) -> bool:
        """Whether a function says that it does not return, or has a body that ends with what does not."""
        function = declared.node
        found = self._functions.get(function)
        if found is None:
            # One that calls itself at its end is taken to return.
            self._functions[function] = False
            found = self._functions[function] = self._has_ending(function, declared.place)
        return found

    def _has_ending(self, function: Function, place: Place) -> bool:
        if any(each.name == "noreturn" for each in function.attributes):
            return True
        if function.body is None or function.damaged or function.flags & VIRTUAL:
            return False
        return self.leaves(function.body, Place(function.body, place)) and not _returns(function.body)

    # ---------------------------------------------------------------- macros

    def _macro(
        self, name: str, arguments: Sequence[Expr] | None, place: Place, truths: Mapping[str, bool | None]
    ) -> bool:
        """Whether each definition of a macro ends the way."""
        if name in self._expanding:
            return False
        self._expanding.append(name)
        try:
            return all(self._text(each.node, arguments, place, truths) for each in self._unit.macros.get(name))
        finally:
            self._expanding.pop()

    def _text(
        self, macro: Macro, arguments: Sequence[Expr] | None, place: Place, truths: Mapping[str, bool | None]
    ) -> bool:
        if (macro.parameters is None) is not (arguments is None):
            return False
        return self._under(macro, {name: _truth(given, truths) for name, given in macro.handed(arguments or ())}, place)

    def _under(self, macro: Macro, truths: Mapping[str, bool | None], place: Place) -> bool:
        """Whether the text of a macro ends, for what is known of its arguments."""
        if macro.value is not None:
            return self._ends(macro.value, place, truths)
        return macro.body is not None and self._block(macro.body, place, truths)

    def _block(self, block: Block, place: Place, truths: Mapping[str, bool | None]) -> bool:
        """Whether the statements of a macro end the way, for what is known of its arguments."""
        return any(self._statement(each, place, truths) for each in block.statements[-1:])

    def _statement(self, statement: Node, place: Place, truths: Mapping[str, bool | None]) -> bool:
        match statement:
            case Evaluate(expression=expression):
                return self._ends(expression, place, truths)
            case Block():
                return self._block(statement, place, truths)
            case Loop(keyword="do", body=body):
                return not breaks(body) and self._block(body, place, truths)
            case If(condition=condition, then=then, otherwise=otherwise):
                holds = _truth(condition, truths) if condition is not None else None
                arms = [then, otherwise] if holds is None else [then if holds else otherwise]
                return all(each is not None and self._block(each, place, truths) for each in arms)
            case _:
                return self.jumps(statement, place)


def _truth(condition: Expr, truths: Mapping[str, bool | None]) -> bool | None:
    """Whether a condition that is written out holds: ``false``, ``0``, ``!true``, or a parameter that is one."""
    match condition:
        case Name(text="true" | "false" as text):
            return text == "true"
        case Name(text=text):
            return truths.get(text)
        case Number(text="0" | "1" as text):
            return text == "1"
        case Unary(operator="!", operand=operand):
            inner = _truth(operand, truths)
            return None if inner is None else not inner
        case Binary(operator="&&", left=left, right=right):
            sides = (_truth(left, truths), _truth(right, truths))
            return False if False in sides else True if sides == (True, True) else None
        case Cast(operand=inner):
            return _truth(inner, truths)
        case _:
            return None


def _is_passed(statement: Node, truths: Mapping[str, bool | None]) -> bool:
    """Whether a statement is a branch that is not taken."""
    match statement:
        case If(condition=condition, otherwise=None) if condition is not None:
            return _truth(condition, truths) is False
        case _:
            return False


def _returns(body: Node) -> bool:
    """Whether a ``return`` of the function itself stands in its body."""
    return any(
        isinstance(each, Return) or (not isinstance(each, Lambda | Struct | Function) and _returns(each))
        for each in children(body)
    )
