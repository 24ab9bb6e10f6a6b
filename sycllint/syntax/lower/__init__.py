"""Syntax nodes to our own C++: the one walk over each file's tree.

Every node is visited once, from the top, by a function chosen by its type. Types and fields are numbers and texts are
sliced from the file's bytes, because this walk is most of what a run costs.
"""

from sycllint.cpp.expression import Expr
from sycllint.cpp.statement import Block
from sycllint.syntax.kinds import by_kind
from sycllint.syntax.lower import (
    declarations,
    definitions,
    expressions,
    lambdas,
    macros,
    misread,
    names,
    preprocessor,
    statements,
    types,
)
from sycllint.syntax.lower.walk import Walk

_EXPRESSIONS = by_kind(
    {
        **names.EXPRESSIONS,
        **expressions.EXPRESSIONS,
        **types.EXPRESSIONS,
        **misread.EXPRESSIONS,
        **lambdas.EXPRESSIONS,
    }
)
_STATEMENTS = by_kind(
    {
        **declarations.STATEMENTS,
        **definitions.STATEMENTS,
        **statements.STATEMENTS,
        **preprocessor.STATEMENTS,
    }
)


class Lowering(Walk):
    """One pass over one tree. ``shift`` is added to every offset, for text parsed out of its place."""

    __slots__ = ()

    def __init__(self, source: bytes, shift: int = 0) -> None:
        super().__init__(source, shift, _EXPRESSIONS, _STATEMENTS)


def macro_body(raw: bytes, start: int) -> tuple[Expr | None, Block | None]:
    """What a macro stands for: an expression, else statements, else neither. ``start`` is the body's offset."""
    return macros.body_of(Lowering(b""), raw, start)
