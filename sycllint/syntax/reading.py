"""The readings of one file: as it stands, and with its preprocessor conditionals settled."""

from collections.abc import Mapping

from tree_sitter import Node, Tree

from sycllint.cpp.statement import Block
from sycllint.record import NamedTuple
from sycllint.source.span import Span
from sycllint.syntax.calls import Calls
from sycllint.syntax.conditionals import Unsettled, guard_blanked, settled
from sycllint.syntax.lower import Lowering
from sycllint.syntax.normalize import Applied, attribute_macros, decorations_blanked
from sycllint.syntax.parser import parse
from sycllint.syntax.recovery import recovered

BOM = b"\xef\xbb\xbf"
_PER_ERROR = 80
"""Bytes of text that do not parse and count as one more error: a line."""


class Reading(NamedTuple):
    """One way to read a file."""

    unit: Block
    calls: Calls
    damaged_launches: frozenset[Span]
    """Calls by a name that may launch a kernel whose own text does not parse."""
    damaged: tuple[Span, ...]
    unsettled: tuple[Unsettled, ...] = ()
    """Conditionals that were settled to make the file parse, without knowing which branch is compiled."""

    @property
    def errors(self) -> int:
        """How many places do not parse."""
        return len(self.damaged)

    @property
    def harm(self) -> int:
        """How much does not parse: an error that swallows much text counts for the several that hide in it."""
        return sum(1 + (each.end - each.start) // _PER_ERROR for each in self.damaged)


def readings(content: bytes, defines: Mapping[str, str]) -> tuple[Reading, Reading | None]:
    """The plain reading, and one with every conditional settled when the plain one has errors."""
    text = decorations_blanked(content)
    if text.startswith(BOM):
        text = b"   " + text[3:]
    text, applied = attribute_macros(guard_blanked(text))
    plain = _read(text, applied)
    if plain.damaged:
        text, plain = _better(text, plain, applied)
    if not plain.damaged:
        return plain, None
    choice = settled(text, defines, plain.damaged)
    return plain, None if choice is None else _read(choice.text, applied)._replace(unsettled=choice.unsettled)


def _better(text: bytes, plain: Reading, applied: Mapping[int, tuple[Applied, ...]]) -> tuple[bytes, Reading]:
    """``text`` with what the grammar stumbles over rewritten, when it parses better so."""
    rewritten = recovered(text)
    if rewritten == text:
        return text, plain
    other = _read(rewritten, applied)
    return (rewritten, other) if other.harm < plain.harm else (text, plain)


def _read(text: bytes, applied: Mapping[int, tuple[Applied, ...]]) -> Reading:
    tree = parse(text)
    lowering = Lowering(text, applied=applied)
    unit = lowering.unit(tree.root_node)
    damaged = tuple(_errors(tree)) if tree.root_node.has_error else ()
    return Reading(unit, Calls(lowering), frozenset(lowering.damaged_launches), damaged)


def _errors(tree: Tree) -> list[Span]:
    """Spans of the outermost error nodes; a missing token is an empty span."""
    found: list[Span] = []
    stack: list[Node] = [tree.root_node]
    while stack:
        node = stack.pop()
        if node.is_error or node.is_missing:
            found.append(Span(node.start_byte, node.end_byte))
        elif node.has_error:
            stack.extend(node.children)
    found.sort()
    return found
