"""Places in a file: byte spans inside the program, lines and columns at its edges."""

from sycllint.record import NamedTuple


class Span(NamedTuple):
    """Half-open range of byte offsets into one file."""

    start: int
    end: int


class Position(NamedTuple):
    """A place as people count it: line and column from 1, the column in characters."""

    line: int
    column: int


class Location(NamedTuple):
    """A span of a named file. ``path`` is written as the user would: relative, forward slashes."""

    path: str
    span: Span
