"""Text in terminal cells: widths, tabs, and no control character."""

import unicodedata
from collections.abc import Sequence

from sycllint.record import record

TAB_WIDTH = 4
"""Cells from one tab stop to the next in shown source lines."""

_REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
_CONTROL_PICTURES = 0x2400  # U+2400 to U+241F picture the controls U+0000 to U+001F (Unicode, block "Control Pictures")
_DELETE = "\x7f"

# Marks that reorder what is shown (Unicode Standard Annex 9, "Bidirectional Character Types"): source that reads
# differently from what it says is shown as it lies in the file.
_REORDERING = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")

_UNSHOWABLE = frozenset({"Cc", "Cs", "Zl", "Zp"})
_ZERO_WIDTH = frozenset({"Mn", "Me", "Cf"})


def printable(text: str) -> str:
    """``text`` on one line, each control character as its picture, so that no escape sequence survives."""
    return text if text.isascii() and text.isprintable() else "".join(map(_shown, text))


def cells(text: str) -> int:
    """Terminal cells that printable ``text`` fills: wide characters two, combining ones none."""
    return len(text) if text.isascii() else sum(map(_cells_of, text))


def _shown(character: str) -> str:
    if character < " ":
        return chr(_CONTROL_PICTURES + ord(character))
    if character == _DELETE:
        return "\N{SYMBOL FOR DELETE}"
    unshowable = character in _REORDERING or unicodedata.category(character) in _UNSHOWABLE
    return _REPLACEMENT if unshowable else character


def _cells_of(character: str) -> int:
    if character.isascii():
        return 1
    if unicodedata.category(character) in _ZERO_WIDTH:
        return 0
    return 2 if unicodedata.east_asian_width(character) in ("W", "F") else 1


def aligned(rows: Sequence[Sequence[str]], separator: str = "  ") -> list[str]:
    """The rows of a table as lines, each column as wide as its widest printable cell."""
    widths = [max(map(cells, column)) for column in zip(*rows, strict=True)]
    return [
        separator.join(text + " " * (width - cells(text)) for text, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]


@record
class Line:
    """A source line laid out: what each character looks like, and the cell it starts in.

    ``starts`` has one entry more than ``glyphs``: the width of the line.
    """

    glyphs: tuple[str, ...]
    starts: tuple[int, ...]

    @property
    def width(self) -> int:
        """Cells of the whole line."""
        return self.starts[-1]

    def cell(self, character: int) -> int:
        """The cell in which a character (from 0) starts; past the end, one cell for each."""
        last = len(self.glyphs)
        return self.starts[character] if character <= last else self.width + character - last


def lay_out(text: str) -> Line:
    """The line in cells, tabs expanded."""
    glyphs: list[str] = []
    starts = [0]
    for character in text:
        at = starts[-1]
        glyph = " " * (TAB_WIDTH - at % TAB_WIDTH) if character == "\t" else printable(character)
        glyphs.append(glyph)
        starts.append(at + cells(glyph))
    return Line(tuple(glyphs), tuple(starts))
