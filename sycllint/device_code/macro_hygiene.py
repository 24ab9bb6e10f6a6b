"""Macros whose text, or whose arguments, may be put together otherwise than they were read: ``#define AT(i) i * 2``."""

from __future__ import annotations

import re

from sycllint.cpp.expression import Assign, Binary, Call, Cast, Conditional, Expr, Index, Name, Unary
from sycllint.cpp.node import Node, children
from sycllint.cpp.precedence import PRECEDENCE
from sycllint.cpp.statement import Macro
from sycllint.values.preprocessor.expansion import parenthesized

_OPERATIONS = (Binary, Conditional, Assign)
_PREFIX = max(PRECEDENCE.values()) + 1
"""What binds an operand more tightly than any binary operator."""
_BEFORE = re.compile(rb"[(\[{,;=]\s*$")
_BEHIND = re.compile(rb"\s*[)\]},;]")


def is_torn(macro: Macro, value: Expr, use: Call | Name, text: bytes | None) -> bool:
    """Whether ``value``, the body of ``macro``, may be another expression where it is used in ``text``."""
    if isinstance(value, _OPERATIONS) and not parenthesized(macro.text.strip()) and not _stands_alone(use, text):
        return True
    arguments = use.arguments if isinstance(use, Call) else ()
    return any(
        isinstance(argument, _OPERATIONS)
        and not _is_enclosed(argument, use, text)
        and not _fits(value, parameter, _strength(argument))
        for parameter, argument in macro.handed(arguments)
    )


def _stands_alone(use: Call | Name, text: bytes | None) -> bool:
    """Whether no operator is beside a use of a macro."""
    if text is None:
        return False
    start = use.function.start if isinstance(use, Call) else use.start
    return _BEFORE.search(text, max(start - 80, 0), start) is not None and _BEHIND.match(text, use.end) is not None


def _is_enclosed(argument: Expr, use: Call | Name, text: bytes | None) -> bool:
    """Whether parentheses of its own are around an argument."""
    if text is None or not isinstance(use, Call):
        return False
    before = text[use.function.end : argument.start].rstrip()
    first = use.arguments[0] is argument
    return before.endswith(b"(") and (not first or before.count(b"(") > 1) and text[argument.end :].lstrip()[:1] == b")"


def _strength(argument: Expr) -> int:
    return PRECEDENCE.get(argument.operator, 0) if isinstance(argument, Binary) else 0


def _fits(node: Node, parameter: str, strength: int, left: int = 0, right: int = 0) -> bool:
    """Whether an operation as strong as ``strength`` stays whole for ``parameter`` in ``node``.

    ``left`` and ``right`` are the strengths of the operators beside ``node``.
    """
    match node:
        case Name(text=text):
            return text != parameter or ((strength > left or not left) and strength >= right)
        case Binary(operator=operator, left=first, right=second) if operator in PRECEDENCE:
            mine = PRECEDENCE[operator]
            before = (0, 0) if node.start < first.start else (left, mine)
            behind = (0, 0) if second.end < node.end else (mine, right)
            return _fits(first, parameter, strength, *before) and _fits(second, parameter, strength, *behind)
        case Unary(operand=operand) | Cast(operand=operand):
            around = (0, 0) if operand.end < node.end else (_PREFIX, right)
            return _fits(operand, parameter, strength, *around)
        case Call(function=function, arguments=arguments):
            inside = all(_fits(each, parameter, strength) for each in arguments)
            return inside and _fits(function, parameter, strength, left, _PREFIX)
        case Index(object=owner, indices=indices):
            inside = all(_fits(each, parameter, strength) for each in indices)
            return inside and _fits(owner, parameter, strength, left, _PREFIX)
        case _:
            return all(_fits(each, parameter, strength, _PREFIX, _PREFIX) for each in children(node))
