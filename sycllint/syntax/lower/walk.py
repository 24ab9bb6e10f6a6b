"""The one walk over a tree: its state, and the way from a node to the function that lowers it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import TypeAlias

from tree_sitter import Node

from sycllint.cpp.expression import Expr, Opaque
from sycllint.cpp.names import LAUNCHING
from sycllint.cpp.statement import Block, Evaluate, Statement
from sycllint.source.span import Span
from sycllint.syntax.parser import cpp

# Deeper nesting than this is not code anyone wrote (the deepest of our corpus is 74); what lies below stays opaque.
# A level takes up to five of the thousand frames that the interpreter allows.
MAX_DEPTH = 128

DEFINITIONS = frozenset({"struct_specifier", "class_specifier", "union_specifier", "enum_specifier"})
"""Types of node that may define a class or an enumeration."""

_BRACED = frozenset({"compound_statement", "declaration_list", "field_declaration_list"})
_SPACE = re.compile(r"\s+")

LowerExpression: TypeAlias = "Callable[[Walk, Node], Expr]"
LowerStatement: TypeAlias = "Callable[[Walk, Node, list[Statement]], None]"


class _Fields(dict[str, int]):
    """The grammar's fields by name, looked up when first asked for."""

    def __missing__(self, name: str) -> int:
        number = cpp().field_id_for_name(name)
        if number is None:
            raise LookupError(f"the grammar has no field {name}")
        self[name] = number
        return number


_FIELDS = _Fields()


def child_of(node: Node, field: str) -> Node | None:
    """The first child of ``node`` in this field of the grammar."""
    return node.child_by_field_id(_FIELDS[field])


def one_line(text: str) -> str:
    """``text`` with each run of white space made one blank."""
    return _SPACE.sub(" ", text).strip()


def children_of(node: Node, field: str) -> list[Node]:
    """All children of ``node`` in this field of the grammar."""
    return node.children_by_field_id(_FIELDS[field])


class Walk:
    """One pass over one tree; the calls it meets on the way are in ``calls``.

    ``shift`` is added to every offset, for text parsed out of its place.
    """

    __slots__ = (
        "_expressions",
        "_names",
        "_statements",
        "before",
        "calls",
        "damaged_launches",
        "depth",
        "local",
        "shift",
        "source",
    )

    def __init__(
        self,
        source: bytes,
        shift: int,
        expressions: Mapping[str, LowerExpression],
        statements: Mapping[str, LowerStatement],
    ) -> None:
        self.source = source
        self.shift = shift
        self.depth = 0
        self.calls: dict[str, list[Span]] = {}
        """Calls by the unqualified name of what is called, inner ones first."""
        self.damaged_launches: set[Span] = set()
        """Calls by a name that may launch a kernel whose own text does not parse."""
        self.local = False
        """Whether what is being lowered stands in a function, or in text too damaged to tell."""
        self.before: Node | None = None
        """The sibling before the statement that is about to be lowered."""
        self._names: dict[bytes, str] = {}
        self._expressions = expressions
        self._statements = statements

    def afresh(self, source: bytes, shift: int) -> Walk:
        """A walk over another text, by the same functions."""
        return Walk(source, shift, self._expressions, self._statements)

    def string(self, node: Node) -> str:
        """The text of ``node``, one object for equal texts."""
        raw = self.source[node.start_byte : node.end_byte]
        text = self._names.get(raw)
        if text is None:
            text = self._names[raw] = raw.decode(errors="replace")
        return text

    def squeezed(self, node: Node) -> str:
        """The text of ``node`` on one line."""
        return one_line(self.string(node))

    def child(self, node: Node, field: str) -> Node | None:
        """The first child of ``node`` in this field of the grammar."""
        return node.child_by_field_id(_FIELDS[field])

    def note_call(self, name: str, node: Node) -> None:
        """Remember that ``node`` is a call by this name."""
        span = Span(node.start_byte + self.shift, node.end_byte + self.shift)
        self.calls.setdefault(name, []).append(span)
        if name in LAUNCHING and node.has_error:
            self.damaged_launches.add(span)

    def expression(self, node: Node) -> Expr:
        """The expression at ``node``; what is not one becomes ``Opaque``."""
        lower = self._expressions.get(node.type)
        if lower is None:
            return self.opaque(node)
        self.depth += 1
        if self.depth > MAX_DEPTH:
            self.depth -= 1
            return Opaque("too deep", (), node.start_byte + self.shift, node.end_byte + self.shift)
        result = lower(self, node)
        self.depth -= 1
        return result

    def expressions(self, nodes: Iterable[Node]) -> tuple[Expr, ...]:
        """The expressions at ``nodes``, comments left out."""
        return tuple([self.expression(each) for each in nodes if each.type != "comment"])

    def required(self, node: Node, field: str) -> Expr:
        """The expression in a field that the grammar demands; a damaged tree may still lack it."""
        child = node.child_by_field_id(_FIELDS[field])
        return self.expression(child) if child is not None else self.nothing(node)

    def nothing(self, node: Node) -> Expr:
        """What stands for an expression missing from ``node``."""
        return Opaque("missing", (), node.end_byte + self.shift, node.end_byte + self.shift)

    def opaque(self, node: Node) -> Expr:
        """``node`` under the grammar's name for it, with the expressions inside."""
        self.depth += 1
        parts = self.expressions(node.named_children) if self.depth <= MAX_DEPTH else ()
        self.depth -= 1
        return Opaque(node.type, parts, node.start_byte + self.shift, node.end_byte + self.shift)

    def unit(self, node: Node) -> Block:
        """The whole file."""
        return self.block_of(node.named_children, node)

    def statement(self, node: Node, into: list[Statement]) -> None:
        """Append what ``node`` says; nothing when it says nothing to us."""
        lower = self._statements.get(node.type)
        self.depth += 1
        if self.depth > MAX_DEPTH:
            self.depth -= 1
            return
        if lower is not None:
            lower(self, node, into)
        elif node.is_named:
            into.append(Evaluate(self.expression(node), node.start_byte + self.shift, node.end_byte + self.shift))
        self.depth -= 1

    def block(self, node: Node) -> Block:
        """A braced body, or a single statement as a block of one."""
        return self.block_of(node.named_children if node.type in _BRACED else [node], node)

    def body(self, node: Node) -> Block:
        """The body of a loop and the like."""
        inner = node.child_by_field_id(_FIELDS["body"])
        if inner is None:
            return self.empty(node)
        return self.block_of(inner.named_children if inner.type in _BRACED else [inner], inner)

    def function_body(self, node: Node) -> Block:
        """The body of a function or a lambda."""
        outer, self.local = self.local, True
        block = self.block(node)
        self.local = outer
        return block

    def block_of(self, nodes: Iterable[Node], node: Node) -> Block:
        """These nodes as statements, in a block that spans ``node``."""
        statements: list[Statement] = []
        before: Node | None = None
        for each in nodes:
            self.before = before
            self.statement(each, statements)
            before = each
        return Block(tuple(statements), node.start_byte + self.shift, node.end_byte + self.shift)

    def empty(self, node: Node) -> Block:
        """What stands for a body missing from ``node``."""
        return Block((), node.end_byte + self.shift, node.end_byte + self.shift)
