"""Functions and macros of a unit after whose use control does not go on: they end the program, or throw."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sycllint.cpp.expression import Binary, Call, Cast, Conditional, Expr, Lambda, Name, Number, Unary
from sycllint.cpp.node import Node, children
from sycllint.cpp.statement import VIRTUAL, Block, Evaluate, Function, If, Loop, Macro, Return, Struct
from sycllint.facts.file import Declared
from sycllint.symbols.unit import Unit
from sycllint.values.leaving import breaks, ends_program, jumps, leaves

_NOTHING: Mapping[str, bool | None] = {}


class Endings:
    """Answers for one unit."""

    def __init__(self, unit: Unit) -> None:
        self._unit = unit
        self._functions: dict[tuple[str, int], bool] = {}
        self._expanding: list[str] = []

    def never_returns(self, expression: Expr) -> bool:
        """Whether control does not go on after ``expression``, a statement by itself."""
        return self._ends(expression, _NOTHING)

    def _ends(self, node: Expr, truths: Mapping[str, bool | None]) -> bool:
        """``truths`` are those of a macro's parameters, in whose text ``node`` stands."""
        match node:
            case Call(function=Name() as function, arguments=arguments):
                if function.text in self._unit.macros:
                    return self._macro(function.text, arguments, truths)
                if function.last in self._unit.functions:
                    return self._function(function.last, len(arguments))
                return ends_program(function)
            case Name(text=text):
                return text in self._unit.macros and self._macro(text, None, truths)
            case Cast(operand=inner):
                return self._ends(inner, truths)
            case Binary(operator=",", left=left, right=right):
                return self._ends(left, truths) or self._ends(right, truths)
            case Conditional(condition=condition, then=then, otherwise=otherwise):
                holds = _truth(condition, truths)
                arms = [then, otherwise] if holds is None else [then if holds else otherwise]
                return all(self._ends(each, truths) for each in arms)
            case _:
                return False

    # ------------------------------------------------------------- functions

    def _function(self, name: str, count: int) -> bool:
        key = (name, count)
        if key not in self._functions:
            # One that calls itself at its end is taken to return.
            self._functions[key] = False
            found = self._unit.functions.get(name)
            ending = {len(each.node.parameters) for each in found if self._is_ending(each)}
            self._functions[key] = bool(ending) and all(
                self._is_ending(each) or (each.node.body is None and len(each.node.parameters) in ending)
                for each in found
            )
        return self._functions[key]

    def _is_ending(self, declared: Declared[Function]) -> bool:
        """Whether a function says that it does not return, or has a body that ends with what does not."""
        function = declared.node
        if any(each.name == "noreturn" for each in function.attributes):
            return True
        is_method = "::" in function.name or any(isinstance(each, Struct) for each in declared.place.chain())
        if function.body is None or function.damaged or is_method or function.flags & VIRTUAL:
            return False
        return leaves(function.body, self) and not _returns(function.body)

    # ---------------------------------------------------------------- macros

    def _macro(self, name: str, arguments: Sequence[Expr] | None, truths: Mapping[str, bool | None]) -> bool:
        """Whether each definition of a macro ends the way."""
        if name in self._expanding:
            return False
        self._expanding.append(name)
        try:
            return all(self._text(each.node, arguments, truths) for each in self._unit.macros.get(name))
        finally:
            self._expanding.pop()

    def _text(self, macro: Macro, arguments: Sequence[Expr] | None, truths: Mapping[str, bool | None]) -> bool:
        if (macro.parameters is None) is not (arguments is None):
            return False
        inside = {parameter: _truth(given, truths) for parameter, given in macro.handed(arguments or ())}
        if macro.value is not None:
            return self._ends(macro.value, inside)
        if macro.body is None:
            return False
        return self._block(macro.body, inside)

    def _block(self, block: Block, truths: Mapping[str, bool | None]) -> bool:
        """Whether the statements of a macro end the way, for what is known of its arguments."""
        return any(self._statement(each, truths) for each in block.statements[-1:])

    def _statement(self, statement: Node, truths: Mapping[str, bool | None]) -> bool:
        match statement:
            case Evaluate(expression=expression):
                return self._ends(expression, truths)
            case Block():
                return self._block(statement, truths)
            case Loop(keyword="do", body=body):
                return not breaks(body) and self._block(body, truths)
            case If(condition=condition, then=then, otherwise=otherwise):
                holds = _truth(condition, truths) if condition is not None else None
                arms = [then, otherwise] if holds is None else [then if holds else otherwise]
                return all(each is not None and self._block(each, truths) for each in arms)
            case _:
                return jumps(statement, self)


def _truth(condition: Expr, truths: Mapping[str, bool | None]) -> bool | None:
    """Whether a condition that is written out holds: ``false``, ``0``, ``!true``, or a parameter that is one."""
    match condition:
        case Name(text="true" | "false" as text):
            return text == "true"
        case Name(text=text):
            return truths.get(text)
        case Number(text="0" | "1" as text):
            return text == "1"
        case Unary(operator="!" | "not", operand=operand):
            inner = _truth(operand, truths)
            return None if inner is None else not inner
        case Binary(operator="&&" | "and", left=left, right=right):
            sides = (_truth(left, truths), _truth(right, truths))
            return False if False in sides else True if sides == (True, True) else None
        case Cast(operand=inner):
            return _truth(inner, truths)
        case _:
            return None


def _returns(body: Node) -> bool:
    """Whether a ``return`` of the function itself stands in its body."""
    return any(
        isinstance(each, Return) or (not isinstance(each, Lambda | Struct | Function) and _returns(each))
        for each in children(body)
    )
