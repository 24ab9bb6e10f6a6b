"""The readings of one file: as it stands, and with its preprocessor conditionals settled."""

from collections.abc import Mapping, Sequence

from tree_sitter import Node, Tree

from sycllint.cpp.statement import Block
from sycllint.record import NamedTuple
from sycllint.source.span import Span
from sycllint.syntax.calls import Calls
from sycllint.syntax.conditionals import Unsettled, guard_blanked, settled
from sycllint.syntax.lower import Lowering
from sycllint.syntax.lower.walk import KeptTree, kept_trees
from sycllint.syntax.normalize import DECORATED, Applied, attribute_macros, decorations_blanked
from sycllint.syntax.parser import parse

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
    def harm(self) -> int:
        """How much does not parse."""
        return harm_of(self.damaged)


def readings(content: bytes, defines: Mapping[str, str]) -> tuple[Reading, Reading | None]:
    """The plain reading, and one with every conditional settled when the plain one has errors.

    Where both have, they are read again without the constructs that the grammar is known not to parse, if that is
    better.
    """
    best, applied = _best(content, defines)
    plain, *settled_ = (_read(each, content, applied) for each in best)
    return plain, settled_[0] if settled_ else None


def damaged_places(content: bytes, defines: Mapping[str, str]) -> tuple[Span, ...]:
    """What does not parse in the better of the ``readings``, without reading it."""
    best, _ = _best(content, defines)
    return min((each.damaged for each in best), key=harm_of)


def harm_of(damaged: Sequence[Span]) -> int:
    """How much does not parse: an error that swallows much text counts for the several that hide in it."""
    return sum(1 + (each.end - each.start) // _PER_ERROR for each in damaged)


class _Parsed(NamedTuple):
    """A text, and the tree that it is parsed to from its first byte that is no white space on."""

    text: bytes
    start: int
    """The offset of that byte."""
    tree: Tree
    damaged: tuple[Span, ...]
    unsettled: tuple[Unsettled, ...] = ()


def _parsed(text: bytes, unsettled: tuple[Unsettled, ...] = ()) -> _Parsed:
    # What a macro writes stands behind as many blanks as there is text before its use.
    start = len(text) - len(text.lstrip())
    tree = parse(text[start:])
    return _Parsed(text, start, tree, tuple(_errors(tree, start)) if tree.root_node.has_error else (), unsettled)


def _best(content: bytes, defines: Mapping[str, str]) -> tuple[tuple[_Parsed, ...], Mapping[int, tuple[Applied, ...]]]:
    """What is read of a file: as it stands and, where that has errors, settled; and the macros that were left out."""
    text = decorations_blanked(content)
    if text.startswith(BOM):
        text = b"   " + text[3:]
    text, applied = attribute_macros(guard_blanked(text))
    if DECORATED.search(text) is not None:
        # Loaded where it is needed: its patterns take as long as a small file.
        from sycllint.syntax.recovery import undecorated

        text = undecorated(text)
    best = parsed = _settled(_parsed(text), defines)
    if _harm(parsed):
        from sycllint.syntax.recovery import recovered

        rewritten = recovered(text, min((each.damaged for each in parsed), key=harm_of))
        again = _parsed(rewritten) if rewritten != text else parsed[0]
        if harm_of(again.damaged) < harm_of(parsed[0].damaged):
            best = min(parsed, _settled(again, defines), key=_harm)
    return best, applied


def _settled(plain: _Parsed, defines: Mapping[str, str]) -> tuple[_Parsed, ...]:
    """The text as it stands and, where that has errors, with its conditionals settled, too."""
    choice = settled(plain.text, defines, plain.damaged) if plain.damaged else None
    return (plain,) if choice is None else (plain, _parsed(choice.text, choice.unsettled))


def _harm(parsed: tuple[_Parsed, ...]) -> int:
    """The damage of the better one."""
    return min(harm_of(each.damaged) for each in parsed)


def _read(parsed: _Parsed, content: bytes, applied: Mapping[int, tuple[Applied, ...]]) -> Reading:
    text = parsed.text
    lowering = Lowering(text[parsed.start :], parsed.start, applied)
    tree = KeptTree(lowering.source, parsed.start, parsed.tree.root_node)
    unit = lowering.unit(tree.root)
    if lowering.put_off:
        kept_trees.keep(lowering, tree)
    # Only the bodies are looked at again, and the file's own bytes are kept in any case.
    is_content = all(content[each.start : each.end] == text[each.start : each.end] for each in lowering.put_off)
    lowering.source, lowering.shift = content if is_content else text, 0
    return Reading(unit, Calls(lowering), frozenset(lowering.damaged_launches), parsed.damaged, parsed.unsettled)


def _errors(tree: Tree, start: int) -> list[Span]:
    """Spans of the outermost error nodes in a text from ``start`` on; a missing token is an empty span.

    The name that the grammar misses in ``template class A<int>;`` is none.
    """
    found: list[Span] = []
    stack: list[Node] = [tree.root_node]
    while stack:
        node = stack.pop()
        if node.type == "template_instantiation":
            stack.extend(each for each in node.children if not each.is_missing)
        elif node.is_error or node.is_missing:
            found.append(Span(node.start_byte + start, node.end_byte + start))
        elif node.has_error:
            stack.extend(node.children)
    found.sort()
    return found
