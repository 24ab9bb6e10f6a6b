"""Places as editors count them: lines and characters from 0, in the units that client and server agreed on."""

from lsprotocol.types import Position, PositionEncodingKind, Range

from sycllint.source.span import Location, Span
from sycllint.source.text import BYTE_ORDER_MARK, SourceFile


def length(text: str, units: PositionEncodingKind) -> int:
    """The length of ``text``."""
    match units:
        case PositionEncodingKind.Utf8:
            return len(text.encode(errors="replace"))
        case PositionEncodingKind.Utf16:
            return len(text) + sum(character > "\uffff" for character in text)
        case PositionEncodingKind.Utf32:
            return len(text)


def touch(one: Range, other: Range) -> bool:
    """Whether two ranges have a position in common, an end included."""
    return one.start <= other.end and other.start <= one.end


def position_at(source: SourceFile, offset: int, units: PositionEncodingKind) -> Position:
    """The position of a byte; a byte-order mark is no character."""
    line = source.line_of(offset)
    start = _first(source, line)
    before = source.content[start : max(start, min(offset, len(source.content)))]
    return Position(line - 1, len(before) if before.isascii() else length(before.decode(errors="replace"), units))


def range_of(source: SourceFile, span: Span, units: PositionEncodingKind) -> Range:
    """The range of a span of bytes."""
    return Range(position_at(source, span.start, units), position_at(source, max(span), units))


def offset_at(source: SourceFile, position: Position, units: PositionEncodingKind) -> int:
    """The byte at a position; the end of the line, or of the text, for what is beyond it."""
    line = position.line + 1
    if line > source.line_count:
        return len(source.content)
    start, text = _first(source, line), source.line_text(line)
    counted = 0
    for index, character in enumerate(text):
        if counted >= position.character:
            return start + len(text[:index].encode(errors="replace"))
        counted += length(character, units)
    return start + len(text.encode(errors="replace"))


def covers(location: Location, offset: int) -> bool:
    """Whether a byte stands in a span or right after it."""
    return location.span.start <= offset <= location.span.end


def _first(source: SourceFile, line: int) -> int:
    start = source.line_starts[line - 1]
    marked = line == 1 and source.content.startswith(BYTE_ORDER_MARK)
    return start + len(BYTE_ORDER_MARK) if marked else start
