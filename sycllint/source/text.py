"""A source file: its bytes as they lie on the disk, and the table of its lines.

Inside the program a place is a byte offset. Lines and columns exist only at the edges, and are computed here: no
encoding is assumed to be valid, a byte-order mark is not a column, and CR LF, LF and CR each end a line.
"""

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate

from sycllint.record import field, record
from sycllint.source.span import Position

BYTE_ORDER_MARK = b"\xef\xbb\xbf"


@record
class SourceFile:
    """One file. ``path`` is what the user sees: relative to the working directory, forward slashes.

    Offsets count bytes of ``content``, the byte-order mark included; an offset past the end means the end.
    """

    path: str
    content: bytes = field(repr=False)
    _starts: list[int] = field(default_factory=list, init=False, repr=False, compare=False)

    @property
    def line_starts(self) -> Sequence[int]:
        """Byte offset of the first byte of each line; worked out once, when first asked for."""
        if not self._starts:
            self._starts.extend(accumulate(map(len, self.content.splitlines(keepends=True)), initial=0))
            if len(self._starts) > 1 and self.content[-1:] not in b"\r\n":
                self._starts.pop()
        return self._starts

    @property
    def line_count(self) -> int:
        """Lines as an editor counts them: the empty one after a final line end is a line."""
        return len(self.line_starts)

    def line_of(self, offset: int) -> int:
        """The line of a byte, from 1."""
        return bisect_right(self.line_starts, min(max(offset, 0), len(self.content)))

    def position(self, offset: int) -> Position:
        """Line and column, both from 1, the column in characters; a byte that is no UTF-8 is one character."""
        line, before = self._before(offset)
        return Position(line, len(before) + 1)

    def byte_position(self, offset: int) -> Position:
        """Line and column, both from 1, the column in bytes; a byte-order mark is three of them."""
        offset = min(max(offset, 0), len(self.content))
        line = self.line_of(offset)
        return Position(line, offset - self.line_starts[line - 1] + 1)

    def utf16_column(self, offset: int) -> int:
        """The column from 1 in UTF-16 code units, as SARIF and language servers count."""
        _, before = self._before(offset)
        return 1 + len(before) + sum(character > "\uffff" for character in before)

    def line_text(self, line: int) -> str:
        """The text of ``line`` (from 1) without its line end or byte-order mark; ``""`` for a line there is not."""
        starts = self.line_starts
        if not 1 <= line <= len(starts):
            return ""
        end = starts[line] if line < len(starts) else len(self.content)
        return _decode(self.content[self._first_column(line) : end].rstrip(b"\r\n"))

    def _before(self, offset: int) -> tuple[int, str]:
        """The line of ``offset`` and the text of that line before it."""
        offset = min(max(offset, 0), len(self.content))
        line = self.line_of(offset)
        return line, _decode(self.content[self._first_column(line) : offset])

    def _first_column(self, line: int) -> int:
        start = self.line_starts[line - 1]
        return start + len(BYTE_ORDER_MARK) if line == 1 and self.content.startswith(BYTE_ORDER_MARK) else start


def _decode(content: bytes) -> str:
    return content.decode("utf-8", errors="replace")
