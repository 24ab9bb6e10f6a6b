"""Numbers that come of rounding to a multiple: ``n - n % size``, ``(n + size - 1) / size * size``.

The multiple is known only where the numbers are, and they differ after a branch. But a loop up to such a bound may well
have the same trip count in each work-item.
"""

from __future__ import annotations

from sycllint.cpp.expression import Assign, Binary, Expr
from sycllint.cpp.spelling import spelled
from sycllint.values.arithmetic import Scalar
from sycllint.values.value import Symbolic

REST = "%"
"""What is left over."""
WHOLE = "*"
"""What was rounded."""
_BY = "/"
"""Before the divisor of a quotient."""


def made_by(operator: str, left: str, right: str, node: Expr) -> str:
    """What ``left operator right`` comes of, when its sides come of these."""
    if operator in ("%", "&"):
        return REST
    if operator == "/":
        return _BY + _right_of(node)
    if not (left or right) or operator not in ("+", "-", "*"):
        return ""
    if operator == "-" and right == REST:
        return WHOLE
    if operator == "*":
        again = left == _BY + _right_of(node) or (bool(right) and right == _BY + _left_of(node))
        return WHOLE if again or WHOLE in (left, right) else ""
    return either_made(left, right)


def either_made(left: str, right: str) -> str:
    """The one of two that has come farther."""
    return WHOLE if WHOLE in (left, right) else left or right


def given_by(number: Scalar | None) -> str:
    """What a number from outside comes of: one that is put together of more than a remainder was rounded with it."""
    value = number.value if number is not None else None
    if not isinstance(value, Symbolic) or "%" not in value.text:
        return ""
    return WHOLE if len(value.terms) > 1 or " or " in value.text else REST


def _left_of(node: Expr) -> str:
    return spelled(node.left) if isinstance(node, Binary | Assign) else ""


def _right_of(node: Expr) -> str:
    return spelled(node.right) if isinstance(node, Binary | Assign) else ""
