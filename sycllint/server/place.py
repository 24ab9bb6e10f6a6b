"""Places as editors count them: lines and characters from 0, in the units that client and server agreed on."""

from enum import Enum

from sycllint.record import NamedTuple
from sycllint.source.span import Location, Span
from sycllint.source.text import BYTE_ORDER_MARK, SourceFile


class PositionEncoding(Enum):
    """What a character is. Source: Language Server Protocol 3.17, "Position Encoding Kind"."""

    UTF8 = "utf-8"
    UTF16 = "utf-16"
    UTF32 = "utf-32"

    def count(self, text: str) -> int:
        """The length of ``text``."""
        match self:
            case PositionEncoding.UTF8:
                return len(text.encode(errors="replace"))
            case PositionEncoding.UTF16:
                return len(text) + sum(character > "\uffff" for character in text)
            case PositionEncoding.UTF32:
                return len(text)


class LspPosition(NamedTuple):
    """Between two characters of a line; both from 0."""

    line: int
    character: int


class LspRange(NamedTuple):
    """The end is exclusive."""

    start: LspPosition
    end: LspPosition

    def touches(self, other: "LspRange") -> bool:
        """Whether the two have a position in common, an end included."""
        return self.start <= other.end and other.start <= self.end


class LspLocation(NamedTuple):
    """A range of a file, named by its absolute path."""

    path: str
    range: LspRange


def position_at(source: SourceFile, offset: int, units: PositionEncoding) -> LspPosition:
    """The position of a byte; a byte-order mark is no character."""
    line = source.line_of(offset)
    start = _first(source, line)
    before = source.content[start : max(start, min(offset, len(source.content)))]
    return LspPosition(line - 1, len(before) if before.isascii() else units.count(before.decode(errors="replace")))


def range_of(source: SourceFile, span: Span, units: PositionEncoding) -> LspRange:
    """The range of a span of bytes."""
    return LspRange(position_at(source, span.start, units), position_at(source, max(span), units))


def offset_at(source: SourceFile, position: LspPosition, units: PositionEncoding) -> int:
    """The byte at a position; the end of the line, or of the text, for what is beyond it."""
    line = position.line + 1
    if line > source.line_count:
        return len(source.content)
    start, text = _first(source, line), source.line_text(line)
    if text.isascii():
        return start + min(position.character, len(text))
    counted = 0
    for index, character in enumerate(text):
        if counted >= position.character:
            return start + len(text[:index].encode(errors="replace"))
        counted += units.count(character)
    return start + len(text.encode(errors="replace"))


def whole(source: SourceFile, units: PositionEncoding) -> LspRange:
    """The range of the whole text."""
    return LspRange(LspPosition(0, 0), position_at(source, len(source.content), units))


def covers(location: Location, offset: int) -> bool:
    """Whether a byte stands in a span or right after it."""
    return location.span.start <= offset <= location.span.end


def _first(source: SourceFile, line: int) -> int:
    start = source.line_starts[line - 1]
    marked = line == 1 and source.content.startswith(BYTE_ORDER_MARK)
    return start + len(BYTE_ORDER_MARK) if marked else start
