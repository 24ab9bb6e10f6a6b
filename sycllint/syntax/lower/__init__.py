"""Syntax nodes to our own C++: the one walk over each file's tree.

Every node is visited once, from the top, by a function chosen by its type. Types and fields are numbers and texts are
sliced from the file's bytes, because this walk is most of what a run costs.
"""

from collections.abc import Mapping
from types import MappingProxyType

from sycllint.cpp.expression import Attribute, Expr, Lambda
from sycllint.cpp.node import walk as each_node
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
from sycllint.syntax.normalize import Applied, attribute_macros, decorations_blanked
from sycllint.syntax.parser import parse

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

    def __init__(
        self, source: bytes, shift: int = 0, applied: Mapping[int, tuple[Applied, ...]] = MappingProxyType({})
    ) -> None:
        super().__init__(source, shift, applied, _EXPRESSIONS, _STATEMENTS)


def macro_body(raw: bytes, start: int) -> tuple[Expr | None, Block | None]:
    """What a macro stands for: an expression, else statements, else neither. ``start`` is the body's offset."""
    return macros.body_of(Lowering(b""), raw, start)


def braced(text: bytes, start: int) -> Block | None:
    """Statements in braces, whose offset is ``start``; ``None`` where they do not parse."""
    return macros.block_of(Lowering(b""), decorations_blanked(text), start)


def attributes_of(text: str, start: int) -> tuple[Attribute, ...] | None:
    """The attributes that ``text``, whose offset is ``start``, is; ``None`` when it is anything else.

    It may be without the brackets, as a macro is that is used inside them.
    """
    for before, after in ((b"auto f=[]()", b"{};"), (b"auto f=[]()[[", b"]]{};")):
        raw, applied = attribute_macros(decorations_blanked(before + text.encode() + after))
        root = parse(raw).root_node
        if not root.has_error:
            unit = Lowering(raw, start - len(before), _shifted(applied, start - len(before))).unit(root)
            return next((each.attributes for each in each_node(unit) if isinstance(each, Lambda)), None)
    return None


def _shifted(applied: Mapping[int, tuple[Applied, ...]], by: int) -> dict[int, tuple[Applied, ...]]:
    return {at + by: tuple(each._replace(offset=each.offset + by) for each in found) for at, found in applied.items()}
