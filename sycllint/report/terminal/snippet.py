"""A source frame: numbered lines in a gutter, and marks under the spans of a diagnostic."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import groupby

from sycllint.record import record, replace
from sycllint.report.place import SourceRange
from sycllint.report.terminal.display import Line, cells, lay_out, printable
from sycllint.report.terminal.style import Ink, Style
from sycllint.source.text import SourceFile

ELLIPSIS = "…"
PRIMARY = "^"
SECONDARY = "-"

_SMALLEST_WINDOW = 20  # cells of source that are shown however narrow the terminal
_LAID_OUT = 4_000  # characters of a line that are laid out at all: a generated line can hold a megabyte
_LEAD_IN = 8  # cells of source kept before a mark that is wider than the window


@record
class Mark:
    """A stretch of one line, in characters from 0, the end exclusive and past the start; ``label`` stands after it."""

    line: int
    start: int
    end: int
    symbol: str
    ink: Ink
    label: str = ""


def marks(place: SourceRange, source: SourceFile, *, symbol: str, ink: Ink, label: str = "") -> Iterator[Mark]:
    """The marks of one place: one for a place within a line, one on the first and one on the last line otherwise."""
    line, start, end_line, end = place.line, place.column - 1, place.end_line, place.end_column - 1
    if end == 0 and end_line > line:  # up to and with a line end
        end_line, end = end_line - 1, len(source.line_text(end_line - 1))
    if end_line == line:
        yield Mark(line, start, max(end, start + 1), symbol, ink, label)
        return
    yield Mark(line, start, max(len(source.line_text(line).rstrip()), start + 1), symbol, ink)
    last = source.line_text(end_line)
    indent = len(last) - len(last.lstrip())
    yield Mark(end_line, min(indent, max(end - 1, 0)), max(end, 1), symbol, ink, label)


def gutter_width(marks: Sequence[Mark]) -> int:
    """Cells of the largest line number."""
    return len(str(max(mark.line for mark in marks)))


@record
class CodeFrame:
    """The marked lines of one file; ``gutter`` is the room for line numbers, ``width`` that of everything, in cells."""

    source: SourceFile
    style: Style
    gutter: int
    width: int

    def lines(self, marks: Sequence[Mark]) -> Iterator[str]:
        """The marked lines in order, each followed by its marks; a gap is ``...``, a gap of one line is shown."""
        yield self._bar()
        before: int | None = None
        for number, group in groupby(sorted(marks, key=lambda mark: (mark.line, mark.start)), lambda mark: mark.line):
            if before is not None and number == before + 2:
                yield from self._line(before + 1, [])
            elif before is not None and number > before + 1:
                yield self.style.ink("...", Ink.GUTTER)
            yield from self._line(number, list(group))
            before = number

    def _bar(self, number: int | str = "") -> str:
        return self.style.ink(f"{number:>{self.gutter}} |", Ink.GUTTER)

    def _line(self, number: int, marks: Sequence[Mark]) -> Iterator[str]:
        text = self.source.line_text(number)
        skipped = _skipped(text, marks)
        near = [replace(mark, start=mark.start - skipped, end=min(mark.end - skipped, _LAID_OUT)) for mark in marks]
        line = lay_out(text[skipped : skipped + _LAID_OUT])
        first, last = _window(line, near, max(self.width - self.gutter - 3, _SMALLEST_WINDOW))
        cut_left, cut_right = skipped + first > 0, skipped + last < len(text)
        shown = (ELLIPSIS if cut_left else "") + "".join(line.glyphs[first:last]) + (ELLIPSIS if cut_right else "")
        yield self._bar(number) + f" {shown}".rstrip()
        shift = int(cut_left) - line.cell(first)
        limit = line.cell(last) + shift + 1 if cut_right else None
        for row in _rows(near):
            yield f"{self._bar()} {self._marks(row, line, shift, limit)}"

    def _marks(self, row: Sequence[Mark], line: Line, shift: int, limit: int | None) -> str:
        """The marks of a row, ``shift`` cells to the right of where the line has them, inside the window."""
        out, at = "", 0
        for mark in row:
            start = max(line.cell(mark.start) + shift, 0)
            end = line.cell(mark.end) + shift
            if limit is not None:
                start, end = min(start, limit - 1), min(end, limit)
            written = mark.symbol * max(end - start, 1)
            if mark.label:
                written += f" {printable(mark.label)}"
            out += " " * (start - at) + self.style.ink(written, mark.ink)
            at = start + cells(written)
        return out


def _skipped(text: str, marks: Sequence[Mark]) -> int:
    """Characters at the start of an immense line that are not even laid out."""
    start = min((mark.start for mark in marks), default=0)
    return max(start - _LAID_OUT // 2, 0) if len(text) > _LAID_OUT else 0


def _window(line: Line, marks: Sequence[Mark], room: int) -> tuple[int, int]:
    """The characters of the line to show, first and end: all, or what fits into ``room`` cells around the marks."""
    count = len(line.glyphs)
    if line.width <= room:
        return 0, count
    room -= 2  # an ellipsis on each side
    start = line.cell(min((mark.start for mark in marks), default=0))
    end = line.cell(max((mark.end for mark in marks), default=0))
    if end - start > room:  # the finding itself comes before what explains it
        start = line.cell(min((mark.start for mark in marks if mark.symbol == PRIMARY), default=0))
        end = start + room - 2 * _LEAD_IN
    left = 0 if end <= room else min(start - (room - (end - start)) // 2, line.width - room)
    first = bisect_left(line.starts, max(left, 0))
    last = max(bisect_right(line.starts, line.starts[first] + room) - 1, first)
    return first, last


def _rows(marks: Sequence[Mark]) -> list[list[Mark]]:
    """Marks by row: a mark joins the row above while it starts after it and nothing is written between."""
    rows: list[list[Mark]] = []
    for mark in marks:
        if rows and not rows[-1][-1].label and rows[-1][-1].end < mark.start:
            rows[-1].append(mark)
        else:
            rows.append([mark])
    return rows
