"""Expressions as text, for messages: one line, parentheses where the tree needs them."""

from sycllint.cpp.expression import (
    Assign,
    Binary,
    Brace,
    Call,
    Cast,
    Character,
    Conditional,
    Expr,
    Increment,
    Index,
    Member,
    Name,
    Number,
    SizeOf,
    Text,
    Type,
    Unary,
)
from sycllint.cpp.precedence import PRECEDENCE

MAX_TEXT = 60
_ELLIPSIS = "…"
_TIGHT = 20


def spelled(expression: Expr) -> str:
    """``expression`` as a programmer would write it; long ones are cut."""
    text = _spelled(expression, 0)
    return text if len(text) <= MAX_TEXT else text[: MAX_TEXT - 1].rstrip() + _ELLIPSIS


def _spelled(expression: Expr, around: int) -> str:
    text, strength = _parts(expression)
    return f"({text})" if strength < around else text


def _parts(expression: Expr) -> tuple[str, int]:
    match expression:
        case Number(text=text) | Text(text=text) | Character(text=text):
            return text, _TIGHT
        case Name():
            return expression.text, _TIGHT
        case Type():
            return expression.name.text + "*" * expression.pointers, _TIGHT
        case Member(object=inner, name=name):
            return f"{_spelled(inner, _TIGHT)}.{name}", _TIGHT
        case Call(function=function, arguments=arguments):
            return f"{_spelled(function, _TIGHT)}({_listed(arguments)})", _TIGHT
        case Brace(type=kind, elements=elements):
            return f"{_spelled(kind, _TIGHT) if kind is not None else ''}{{{_listed(elements)}}}", _TIGHT
        case Index(object=inner, indices=indices):
            return f"{_spelled(inner, _TIGHT)}[{_listed(indices)}]", _TIGHT
        case Unary(operator=operator, operand=operand):
            return f"{operator}{_spelled(operand, _TIGHT - 1)}", _TIGHT - 1
        case Increment(operator=operator, operand=operand, prefix=prefix):
            inner_text = _spelled(operand, _TIGHT)
            return (f"{operator}{inner_text}" if prefix else f"{inner_text}{operator}"), _TIGHT - 1
        case Cast(type=kind, operand=operand):
            return f"({kind.name.text}{'*' * kind.pointers}){_spelled(operand, _TIGHT - 1)}", _TIGHT - 1
        case Binary(operator=operator, left=left, right=right):
            strength = PRECEDENCE.get(operator, -1) + 2
            return f"{_spelled(left, strength)} {operator} {_spelled(right, strength + 1)}", strength
        case Assign(operator=operator, left=left, right=right):
            return f"{_spelled(left, _TIGHT)} {operator} {_spelled(right, 1)}", 1
        case Conditional(condition=condition, then=then, otherwise=otherwise):
            return f"{_spelled(condition, 3)} ? {_spelled(then, 1)} : {_spelled(otherwise, 1)}", 2
        case SizeOf(operator=operator, operand=operand):
            return f"{operator}({_spelled(operand, 0) if operand is not None else _ELLIPSIS})", _TIGHT
        case _:
            return _ELLIPSIS, _TIGHT


def _listed(expressions: tuple[Expr, ...]) -> str:
    return ", ".join(_spelled(each, 0) for each in expressions)
