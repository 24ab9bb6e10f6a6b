"""Macros as the text they are: ``2 * N`` where N is ``a + b`` is ``2 * a + b``.

An expression with such a macro in it is laid out as the tokens the compiler would see, its operands still expressions
of ours, and put together again by precedence. Parentheses around operands follow from spans; around a macro's
argument they are not known, so that an expression that depends on them has no value.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias

from sycllint.cpp.expression import Binary, Call, Cast, Conditional, Expr, Name, Type, Unary
from sycllint.cpp.place import Place
from sycllint.cpp.precedence import PRECEDENCE
from sycllint.cpp.statement import Macro
from sycllint.facts.defines import configured_macro
from sycllint.record import NamedTuple
from sycllint.values.arithmetic import unary
from sycllint.values.objects import Point, Result
from sycllint.values.preprocessor.macros import Macros
from sycllint.values.value import Unknown

if TYPE_CHECKING:
    from sycllint.values.interface import Evaluation

MAX_TOKENS = 200
OPERATORS = frozenset(PRECEDENCE)
"""Binary operators that are followed."""

_OPEN, _CLOSE, _MAYBE_OPEN, _MAYBE_CLOSE = "(", ")", "?(", "?)"


class _Operand(NamedTuple):
    """An expression that no macro around it can tear apart."""

    expression: Expr
    point: Point


class _Prefix(NamedTuple):
    """A prefix operator, or a cast to ``kind``."""

    operator: str
    kind: Type | None
    point: Point


_Token: TypeAlias = "str | _Operand | _Prefix"


class _NotTextError(Exception):
    """The macro has several definitions, or is too long to follow."""


class Expansion:
    """Expansion for one evaluator."""

    def __init__(self, evaluator: Evaluation, macros: Macros) -> None:
        self._evaluator = evaluator
        self._macros = macros
        self._open: frozenset[str] | None = None

    # --------------------------------------------------------------- whether

    def needed(self, node: Expr, point: Point) -> bool:
        """Whether a macro in ``node`` is torn apart by the operators around it."""
        if not point.place.enclosing.is_repeated and not self._open_names():
            return False
        return any(self._tears(each, point) for each in _open_parts(node))

    def _tears(self, node: Expr, point: Point) -> bool:
        match node:
            case Name(text=text):
                bound = self._macros.argument(text, point.place)
                if bound is not None:
                    return _is_operation(bound[0]) or self._tears(*bound)
                return text in self._open_names()
            case Call(function=Name(text=text)):
                return text in self._open_names()
            case _:
                return _is_operation(node) and self.needed(node, point)

    def _open_names(self) -> frozenset[str]:
        """Macros whose bodies are operations without parentheses around them, directly or through other macros."""
        if self._open is None:
            evaluator = self._evaluator
            macros = [each.node for found in evaluator.facts.macros.values() for each in found]
            macros += [configured_macro(name, text) for name, text in evaluator.defines.items()]
            opened = {each.name for each in macros if each.value is not None and _is_open(each)}
            aliases = {each.name: root for each in macros if (root := _alias_of(each)) is not None}
            while more := {name for name, target in aliases.items() if target in opened} - opened:
                opened |= more
            self._open = frozenset(opened)
        return self._open

    # ---------------------------------------------------------------- tokens

    def value(self, node: Expr, point: Point) -> Result:
        """``node`` with its macros expanded as text."""
        tokens: list[_Token] = []
        try:
            self._lay_out(node, point, tokens)
        except _NotTextError:
            return self._evaluator.unknown("a macro without parentheses", node)
        if _MAYBE_OPEN not in tokens:
            return _Reading(self._evaluator, tokens, node).result()
        bare = _Reading(self._evaluator, [each for each in tokens if each not in (_MAYBE_OPEN, _MAYBE_CLOSE)], node)
        enclosed = [_OPEN if each == _MAYBE_OPEN else _CLOSE if each == _MAYBE_CLOSE else each for each in tokens]
        first, second = bare.result(), _Reading(self._evaluator, enclosed, node).result()
        if first == second:
            return first
        return self._evaluator.unknown("an argument of a macro without parentheses", node)

    def _lay_out(self, node: Expr, point: Point, tokens: list[_Token]) -> None:
        if len(tokens) > MAX_TOKENS:
            raise _NotTextError
        match node:
            case Binary(operator=operator, left=left, right=right) if operator in PRECEDENCE:
                self._side(left, point, tokens, enclosed=node.start < left.start)
                tokens.append(operator)
                self._side(right, point, tokens, enclosed=right.end < node.end)
            case Unary(operator=operator, operand=operand) if operator in ("-", "+", "~", "!"):
                tokens.append(_Prefix(operator, None, point))
                self._side(operand, point, tokens, enclosed=operand.end < node.end)
            case Cast(type=kind, operand=operand) if operand.end == node.end:
                tokens.append(_Prefix("", kind, point))
                self._side(operand, point, tokens, enclosed=False)
            case Conditional(condition=condition, then=then, otherwise=otherwise):
                self._side(condition, point, tokens, enclosed=node.start < condition.start)
                tokens.append("?")
                self._side(then, point, tokens, enclosed=True)
                tokens.append(":")
                self._side(otherwise, point, tokens, enclosed=otherwise.end < node.end)
            case Name():
                self._name(node, point, tokens)
            case Call(function=Name() as function):
                macro = self._macros.macro(function, point)
                if macro is None or macro.parameters is None or macro.value is None:
                    if function.text in self._open_names():
                        raise _NotTextError
                    tokens.append(_Operand(node, point))
                elif not macro.fits(node.arguments):
                    raise _NotTextError
                else:
                    self._body(macro, macro.value, Place(macro, Place(node, point.place)), point, tokens)
            case _:
                tokens.append(_Operand(node, point))

    def _side(self, node: Expr, point: Point, tokens: list[_Token], *, enclosed: bool) -> None:
        if enclosed:
            tokens.append(_OPEN)
        self._lay_out(node, point, tokens)
        if enclosed:
            tokens.append(_CLOSE)

    def _name(self, name: Name, point: Point, tokens: list[_Token]) -> None:
        bound = self._macros.argument(name.text, point.place)
        if bound is not None:
            argument, there = bound
            # A single operand is the same with and without parentheses.
            several = _is_operation(argument) and not _is_bare(argument, name.text, point.place)
            if several:
                tokens.append(_MAYBE_OPEN)
            self._lay_out(argument, there, tokens)
            if several:
                tokens.append(_MAYBE_CLOSE)
            return
        macro = self._macros.macro(name, point)
        if macro is None or macro.parameters is not None or macro.value is None:
            if macro is None and name.text in self._open_names():
                raise _NotTextError
            tokens.append(_Operand(name, point))
            return
        self._body(macro, macro.value, Place(macro, Place(name, point.place)), point, tokens)

    def _body(self, macro: Macro, value: Expr, place: Place, point: Point, tokens: list[_Token]) -> None:
        if sum(each is macro for each in place.chain()) > 1:
            raise _NotTextError
        self._side(value, Point(place, point.offset), tokens, enclosed=parenthesized(macro.text))


class _Reading:
    """Tokens put together by precedence."""

    def __init__(self, evaluator: Evaluation, tokens: list[_Token], node: Expr) -> None:
        self._evaluator = evaluator
        self._tokens = tokens
        self._node = node
        self._position = 0

    def result(self) -> Result:
        """The value of all tokens."""
        return self._conditional()

    def _next(self) -> _Token | None:
        return self._tokens[self._position] if self._position < len(self._tokens) else None

    def _conditional(self) -> Result:
        condition = self._binary(1)
        if self._next() != "?":
            return condition
        self._position += 1
        then = self._conditional()
        self._position += 1
        otherwise = self._conditional()
        return self._evaluator.chosen(condition, then, otherwise, self._node)

    def _binary(self, level: int) -> Result:
        left = self._prefixed()
        while True:
            operator = self._next()
            mine = PRECEDENCE.get(operator, 0) if isinstance(operator, str) else 0
            if mine < level or not isinstance(operator, str):
                return left
            self._position += 1
            right = self._binary(mine + 1)
            left = self._evaluator.combine(operator, left, right, self._node)

    def _prefixed(self) -> Result:
        token = self._next()
        self._position += 1
        match token:
            case _Prefix(operator=operator, kind=kind, point=point):
                inner = self._prefixed()
                if kind is not None:
                    return self._evaluator.cast(kind, inner, self._node, point)
                scalar = self._evaluator.scalar(inner)
                return scalar if isinstance(scalar, Unknown) else unary(operator, scalar)
            case _Operand(expression=expression, point=point):
                return self._evaluator.evaluate(expression, point)
            case "(":
                inner = self._conditional()
                self._position += 1
                return inner
            case _:
                return self._evaluator.unknown("not an expression once its macros are expanded", self._node)


def _open_parts(node: Expr) -> tuple[Expr, ...]:
    """The operands of ``node`` that stand without parentheses."""
    match node:
        case Binary(left=left, right=right):
            return tuple(
                each for each, inside in ((left, node.start < left.start), (right, right.end < node.end)) if not inside
            )
        case Unary(operand=operand) | Cast(operand=operand):
            return (operand,) if operand.end == node.end else ()
        case Conditional(condition=condition, otherwise=otherwise):
            return tuple(
                each
                for each, inside in (
                    (condition, node.start < condition.start),
                    (otherwise, otherwise.end < node.end),
                )
                if not inside
            )
        case _:
            return ()


def _is_bare(argument: Expr, parameter: str, place: Place) -> bool:
    """Whether an argument surely has no parentheses: the comma or parenthesis of the call is right beside it."""
    for current in place.within():
        macro, outer = current.node, current.outer
        if isinstance(macro, Macro) and outer is not None and isinstance(outer.node, Call):
            call = outer.node
            index = (macro.parameters or ()).index(parameter)
            before = call.function.end if index == 0 else call.arguments[index - 1].end
            is_last = index + 1 == len(call.arguments)
            after = call.end if is_last else call.arguments[index + 1].start
            return argument.start == before + 1 or after == argument.end + 1
    return False


def _is_operation(node: Expr) -> bool:
    return isinstance(node, Binary | Unary | Conditional | Cast)


def _is_open(macro: Macro) -> bool:
    value = macro.value
    is_argument = isinstance(value, Name) and macro.parameters is not None and value.text in macro.parameters
    return value is not None and (is_argument or _is_operation(value)) and not parenthesized(macro.text)


def _alias_of(macro: Macro) -> str | None:
    match macro.value:
        case Name(text=text) | Call(function=Name(text=text)) if not parenthesized(macro.text):
            return text
        case _:
            return None


_PARENTHESIS = re.compile("[()]")


@lru_cache(maxsize=4096)
def parenthesized(text: str) -> bool:
    """Whether one pair of parentheses encloses all of ``text``."""
    if not (text.startswith("(") and text.endswith(")")):
        return False
    depth = 0
    for each in _PARENTHESIS.finditer(text):
        depth += 1 if each[0] == "(" else -1
        if depth == 0 and each.end() < len(text):
            return False
    return True
