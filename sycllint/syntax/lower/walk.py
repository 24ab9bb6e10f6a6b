"""The one walk over a tree: its state, and the way from a node to the function that lowers it."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from sys import intern
from typing import TypeAlias

from tree_sitter import Node

from sycllint.cpp.expression import Expr, Name, Opaque
from sycllint.cpp.names import LAUNCHING
from sycllint.cpp.statement import Block, Damaged, Evaluate, Statement
from sycllint.record import NamedTuple
from sycllint.source.span import Span
from sycllint.syntax import fields
from sycllint.syntax.kinds import kinds
from sycllint.syntax.lower.offsets import OFFSETS
from sycllint.syntax.normalize import Applied
from sycllint.syntax.parser import parse_block

# Deeper nesting than this is not written by people (the deepest in our corpus is 74); what is below stays opaque.
# A level takes up to five of the thousand frames that the interpreter allows.
MAX_DEPTH = 128


COMMENT = kinds("comment")
DEFINITIONS = kinds("struct_specifier", "class_specifier", "union_specifier", "enum_specifier")
"""Types of node that may define a class or an enumeration."""

_NAMES = kinds(
    *("identifier", "field_identifier", "type_identifier", "namespace_identifier", "primitive_type"),
    *("this", "true", "false", "null", "nullptr", "auto"),
)
_BRACED = kinds("compound_statement", "declaration_list", "field_declaration_list")

_KEPT_TREES = 100_000
"""Bytes of the texts whose trees are kept: ten to twenty times as much memory."""
_WORTH_PUTTING_OFF = 200
"""Bytes of a body; shorter ones cost no more than the test whether they can wait."""
_SAYS_MORE = re.compile(
    b"|".join(
        [
            *(name.encode() for name in sorted(LAUNCHING)),
            rb"\b(?:struct|class|union|namespace)\b",
            rb"#\s*(?:define|undef|include)|\b(?:push|pop)_macro\b",
        ]
    )
)
"""What makes a body say something to the rest of the file: launches, classes, namespaces, macros, included text."""
_PARTS = (b"struct", b"class", b"union", b"namespace", b"#", b"_macro", *(name.encode() for name in sorted(LAUNCHING)))
"""One of these is in all of that. To find none of them is ten times as fast as to search for the pattern."""

LowerExpression: TypeAlias = "Callable[[Walk, Node], Expr]"
LowerStatement: TypeAlias = "Callable[[Walk, Node, list[Statement]], None]"


def one_line(text: str) -> str:
    """``text`` with each run of white space made one blank."""
    return " ".join(text.split())


def first_inside(node: Node) -> Node | None:
    """The first named child that is no comment."""
    if not node.named_child_count:
        return None
    child = node.named_child(0)
    if child.kind_id not in COMMENT:
        return child
    return next((each for each in node.named_children if each.kind_id not in COMMENT), None)


class _Texts(dict[bytes, str]):
    """Pieces of a file as text, one object for equal pieces of all files."""

    def __missing__(self, raw: bytes) -> str:
        text = self[raw] = intern(raw.decode(errors="replace"))
        return text


class Walk:
    """One pass over one tree; the calls in it are collected in ``calls``.

    ``shift`` is added to every offset, for text parsed out of its place.
    """

    __slots__ = (
        "_expressions",
        "_statements",
        "_texts",
        "applied",
        "before",
        "calls",
        "damaged_launches",
        "depth",
        "holds_function",
        "local",
        "put_off",
        "shift",
        "source",
        "tree",
        "whole",
    )

    def __init__(
        self,
        source: bytes,
        shift: int,
        applied: Mapping[int, tuple[Applied, ...]],
        expressions: Mapping[int, LowerExpression],
        statements: Mapping[int, LowerStatement],
    ) -> None:
        self.source = source
        self.shift = shift
        self.applied = applied
        """Macros in place of attributes, blanked in the source, by the place of what they belong to."""
        self.depth = 0
        self.calls: dict[str, list[Span]] = {}
        """Calls by the unqualified name of what is called, inner ones first."""
        self.damaged_launches: set[Span] = set()
        """Calls by a name that may launch a kernel whose own text does not parse."""
        self.put_off: list[Block] = []
        """Bodies of functions that are lowered when they are first looked at."""
        self.local = False
        """Whether what is being lowered is in a function, or in text too damaged to decide that."""
        self.holds_function = False
        """Whether the body being lowered holds the definition of a function: a brace too few, or too many."""
        self.before: Node | None = None
        """The sibling before the statement that is about to be lowered."""
        self.whole: Walk | None = None
        """The walk over the whole text, in one over the body of a function that was put off."""
        self.tree: KeptTree | None = None
        """What the text was parsed to, as long as it is kept."""
        self._texts = _Texts()
        self._expressions = expressions
        self._statements = statements

    def afresh(self, source: bytes, shift: int) -> Walk:
        """A walk over another text, by the same functions."""
        return Walk(source, shift, self.applied, self._expressions, self._statements)

    def part(self, text: bytes, shift: int, depth: int) -> Walk:
        """A walk over a part of the text, or all of it, ``depth`` deep; what it finds is found by this one."""
        made = self.afresh(text, shift)
        made.calls, made.damaged_launches, made.put_off = self.calls, self.damaged_launches, self.put_off
        made.whole = self
        made.depth = depth
        return made

    def string(self, node: Node) -> str:
        """The text of ``node``, one object for equal texts."""
        return self._texts[self.source[node.start_byte : node.end_byte]]

    def squeezed(self, node: Node) -> str:
        """The text of ``node`` on one line, one object for equal texts."""
        return intern(one_line(self.string(node)))

    def note_call(self, name: str, node: Node, start: int, end: int) -> None:
        """Remember that ``node`` is a call by this name, with this span."""
        span = Span(start, end)
        noted = self.calls.get(name)
        if noted is None:
            self.calls[name] = [span]
        else:
            noted.append(span)
        if name in LAUNCHING and node.has_error:
            self.damaged_launches.add(span)

    def expression(self, node: Node) -> Expr:
        """The expression at ``node``; what is not one becomes ``Opaque``."""
        kind = node.kind_id
        if kind in _NAMES:
            # Half of all expressions: no further call is spent on them.
            start, end = node.start_byte, node.end_byte
            return Name(
                self._texts[self.source[start:end]], None, None, OFFSETS[start + self.shift], OFFSETS[end + self.shift]
            )
        lower = self._expressions.get(kind)
        if lower is None:
            return self.opaque(node)
        depth = self.depth
        if depth >= MAX_DEPTH:
            return Opaque("too deep", (), OFFSETS[node.start_byte + self.shift], OFFSETS[node.end_byte + self.shift])
        self.depth = depth + 1
        result = lower(self, node)
        self.depth = depth
        return result

    def expressions(self, nodes: Iterable[Node]) -> tuple[Expr, ...]:
        """The expressions at ``nodes``, comments left out."""
        return tuple([self.expression(each) for each in nodes if each.kind_id not in COMMENT])

    def inside(self, node: Node) -> tuple[Expr, ...]:
        """The expressions in a list in brackets of some kind, comments left out."""
        count = node.named_child_count
        if not count:
            return ()
        if count == 1:
            # All children, brackets and commas too, would be made for the sake of this one.
            child = node.named_child(0)
            return (self.expression(child),) if child.kind_id not in COMMENT else ()
        return self.expressions(node.named_children)

    def required(self, node: Node, number: int) -> Expr:
        """The expression in a field that the grammar demands; a damaged tree may still lack it."""
        child = node.child_by_field_id(number)
        return self.expression(child) if child is not None else self.nothing(node)

    def nothing(self, node: Node) -> Expr:
        """What stands for an expression missing from ``node``."""
        return Opaque("missing", (), OFFSETS[node.end_byte + self.shift], OFFSETS[node.end_byte + self.shift])

    def opaque(self, node: Node) -> Expr:
        """``node`` under the grammar's name for it, with the expressions inside."""
        self.depth += 1
        parts = self.expressions(node.named_children) if self.depth <= MAX_DEPTH else ()
        self.depth -= 1
        return Opaque(
            intern(node.type), parts, OFFSETS[node.start_byte + self.shift], OFFSETS[node.end_byte + self.shift]
        )

    def unit(self, node: Node) -> Block:
        """The whole file. The tree is not needed after that."""
        unit = self.block_of(node.named_children, node)
        self.before = None
        self._texts.clear()
        return unit

    def statement(self, node: Node, into: list[Statement]) -> None:
        """Append the lowered ``node``; nothing for a node without meaning here."""
        depth = self.depth
        if depth >= MAX_DEPTH:
            return
        self.depth = depth + 1
        lower = self._statements.get(node.kind_id)
        if lower is not None:
            lower(self, node, into)
        elif node.is_named:
            into.append(
                Evaluate(
                    self.expression(node), OFFSETS[node.start_byte + self.shift], OFFSETS[node.end_byte + self.shift]
                )
            )
        self.depth = depth

    def block(self, node: Node) -> Block:
        """A braced body, or a single statement as a block of one."""
        return self.block_of(node.named_children if node.kind_id in _BRACED else [node], node)

    def body(self, node: Node) -> Block:
        """The body of a loop and the like."""
        inner = node.child_by_field_id(fields.BODY)
        if inner is None:
            return self.empty(node)
        return self.block_of(inner.named_children if inner.kind_id in _BRACED else [inner], inner)

    def function_body(self, node: Node) -> Block:
        """The body of a function or a lambda; one that does not end where it seems to is damaged as a whole."""
        outer, self.local = self.local, True
        around, self.holds_function = self.holds_function, False
        block = self.block(node)
        if self.holds_function:
            block = Block((Damaged(block, block.start, block.end),), block.start, block.end)
        self.local = outer
        self.holds_function = self.holds_function or around
        return block

    def body_when_needed(self, node: Node) -> Block:
        """The body of a function, put off where nothing outside it depends on what it says.

        Most functions of a file are never asked about: what launches nothing, declares no type and holds no directive.
        Such a body is parsed again by itself when it is: the tree of a file takes twice the memory of its facts.
        """
        start, end = node.start_byte, node.end_byte
        if (
            end - start < _WORTH_PUTTING_OFF
            or node.kind_id not in _BRACED
            or node.has_error
            or self._says_more(start, end)
        ):
            return self.function_body(node)
        block = (self.whole or self).body_later(OFFSETS[start + self.shift], OFFSETS[end + self.shift], self.depth)
        self.put_off.append(block)
        return block

    def body_later(self, start: int, end: int, depth: int) -> Block:
        """The body of a function between these offsets, to be lowered ``depth`` deep when it is needed."""
        return Block.later(UnreadBody(self, start, end, depth), start, end)

    def _says_more(self, start: int, end: int) -> bool:
        """Whether this text says something to the rest of the file."""
        source = self.source
        for part in _PARTS:
            if source.find(part, start, end) >= 0:
                return _SAYS_MORE.search(source, start, end) is not None
        return False

    def block_of(self, nodes: Iterable[Node], node: Node) -> Block:
        """The nodes as statements, in a block that spans ``node``."""
        statements: list[Statement] = []
        before: Node | None = None
        for each in nodes:
            self.before = before
            self.statement(each, statements)
            before = each
        return Block(tuple(statements), OFFSETS[node.start_byte + self.shift], OFFSETS[node.end_byte + self.shift])

    def empty(self, node: Node) -> Block:
        """What stands for a body missing from ``node``."""
        return Block((), OFFSETS[node.end_byte + self.shift], OFFSETS[node.end_byte + self.shift])


class KeptTree(NamedTuple):
    """A text and the root of its tree; ``start`` is its offset in the file."""

    text: bytes
    start: int
    root: Node


class _KeptTrees:
    """The trees of the files that were read last: bodies put off are likely to be read soon."""

    def __init__(self) -> None:
        self._walks: deque[tuple[Walk, int]] = deque()
        """Each with the bytes of its text."""
        self._bytes = 0

    def keep(self, walk: Walk, tree: KeptTree) -> None:
        """Keep the tree of one more file, and let those go that were kept longest."""
        walk.tree = tree
        self._walks.append((walk, len(tree.text)))
        self._bytes += len(tree.text)
        while self._bytes > _KEPT_TREES:
            oldest, size = self._walks.popleft()
            self._bytes -= size
            oldest.tree = None


kept_trees = _KeptTrees()


class UnreadBody(NamedTuple):
    """A body that was put off: where it stands, and how deep inside others."""

    walk: Walk
    start: int
    end: int
    depth: int

    def read(self) -> tuple[Statement, ...]:
        """The statements of the body, from the tree of the file or, where that is gone, parsed again."""
        walk, start, end, depth = self
        tree = walk.tree
        node = tree.root.descendant_for_byte_range(start - tree.start, end - tree.start) if tree is not None else None
        if tree is not None and node is not None:
            return walk.part(tree.text, tree.start, depth).function_body(node).statements
        text = walk.source[start - walk.shift : end - walk.shift]
        return walk.part(text, start, depth).function_body(parse_block(text)).statements
