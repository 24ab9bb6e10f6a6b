"""What follows of the parts of a condition from the whole."""

from collections.abc import Iterator

from sycllint.cpp.expression import Binary, Expr, Unary

_JOINED = {True: "&&", False: "||"}
"""Where both sides hold, or fail, when the whole does."""


def entailed(condition: Expr, *, holds: bool) -> Iterator[tuple[Expr, bool]]:
    """The operands, and whether they hold, that are so wherever ``condition`` holds, or does not; left to right.

    None of them is a negation, nor a conjunction that holds, nor a disjunction that does not.
    """
    match condition:
        case Unary(operator="!", operand=operand):
            yield from entailed(operand, holds=not holds)
        case Binary(operator=operator, left=left, right=right) if operator == _JOINED[holds]:
            yield from entailed(left, holds=holds)
            yield from entailed(right, holds=holds)
        case _:
            yield condition, holds
