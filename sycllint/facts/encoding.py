"""The facts of a file as bytes and back. Bodies that had been put off are put off again."""

from collections.abc import Mapping, Sequence
from functools import cache
from operator import attrgetter
from typing import Any

from sycllint.cpp import expression, statement
from sycllint.cpp.node import Node
from sycllint.cpp.place import Place
from sycllint.cpp.statement import Block
from sycllint.encoding import Codec, Codecs, by_fields, decoded, encoded
from sycllint.facts.file import Declared, FileFacts, MacroUse
from sycllint.facts.regions import Clause, OpenMPDirective, TargetRegion
from sycllint.facts.submissions import Submission
from sycllint.record import field_names
from sycllint.source.span import Span
from sycllint.syntax.calls import Calls
from sycllint.syntax.conditionals import Unsettled
from sycllint.syntax.lower import Lowering
from sycllint.syntax.lower.walk import UnreadBody, Walk
from sycllint.syntax.normalize import Applied

_FIELDS = tuple(name for name in field_names(FileFacts) if name not in ("path", "content", "made"))
_values = attrgetter(*_FIELDS)


def encoded_facts(facts: FileFacts) -> bytes:
    """All of the facts but the path and the bytes of the file, which the reader has."""
    return encoded(_values(facts), _codecs(facts.content), (facts.content,))


def decoded_facts(data: bytes, path: str, content: bytes) -> FileFacts:
    """The facts of a file with these bytes. Raises ``Undecodable`` for what ``encoded_facts`` did not write."""
    values = decoded(data, _codecs(content), (content,))
    return FileFacts(path, content, **dict(zip(_FIELDS, values, strict=True)))


def _codecs(content: bytes) -> Codecs:
    """A codec for each class in facts; a parsed text is stored as the lines in which it differs from ``content``."""

    def of_walk(walk: Walk) -> Sequence[object]:
        return (content, _changes(content, walk.source), walk.shift, walk.applied, walk.calls)

    walks = Codec(of_walk, _walk)
    return {**_plain_codecs(), Lowering: walks, Walk: walks}


@cache
def _plain_codecs() -> Codecs:
    nodes = [
        each
        for module in (expression, statement)
        for each in vars(module).values()
        if isinstance(each, type) and issubclass(each, Node) and each.__module__ == module.__name__
    ]
    records = (Place, Span, Declared, MacroUse, Submission, Unsettled, Applied, Clause, OpenMPDirective, TargetRegion)
    return {
        **by_fields(*nodes, *records),
        Block: Codec(_of_block, _block, lambda block: (block.start, block.end)),
        Calls: Codec(attrgetter("parts"), Calls),
    }


def _of_block(block: Block) -> Sequence[object]:
    return tuple(block.unread) if isinstance(block.unread, UnreadBody) else (block.statements,)


def _block(first: Any, *rest: Any) -> Block:
    if isinstance(first, Walk):
        return first.body_later(*rest[:-2])
    return Block(first, *rest)


def _changes(content: bytes, source: bytes) -> tuple[tuple[int, bytes], ...] | bytes:
    """The lines of ``source`` that differ from those of ``content``, by number; all of it where it has not as many."""
    lines, others = content.split(b"\n"), source.split(b"\n")
    if len(lines) != len(others):
        return source
    return tuple(
        (number, other) for number, (line, other) in enumerate(zip(lines, others, strict=True)) if line != other
    )


def _walk(
    content: bytes,
    changes: tuple[tuple[int, bytes], ...] | bytes,
    shift: int,
    applied: Mapping[int, tuple[Applied, ...]],
    calls: Mapping[str, list[Span]],
) -> Walk:
    if isinstance(changes, bytes):
        content = changes
    elif changes:
        lines = content.split(b"\n")
        for number, line in changes:
            lines[number] = line
        content = b"\n".join(lines)
    walk = Lowering(content, shift, applied)
    walk.calls.update(calls)
    return walk
