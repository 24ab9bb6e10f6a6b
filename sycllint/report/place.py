"""The place of a diagnostic, in lines and columns from 1, the end exclusive."""

from collections.abc import Callable

from sycllint.record import NamedTuple
from sycllint.source.span import Location
from sycllint.source.text import SourceFile

Sources = Callable[[str], SourceFile]
"""The file of a path, as it was linted."""


class SourceRange(NamedTuple):
    """A stretch of a file as people count it, columns in characters."""

    path: str
    line: int
    column: int
    end_line: int
    end_column: int


def read_file(path: str) -> SourceFile:
    """A file as it is on the disk now, to show its lines."""
    with open(path, "rb") as stream:
        return SourceFile(path, stream.read())


def place_of(location: Location, sources: Sources) -> SourceRange:
    """The place of a byte span."""
    source = sources(location.path)
    start, end = location.span
    return SourceRange(location.path, *source.position(start), *source.position(max(start, end)))


def line_text(location: Location, sources: Sources) -> str:
    """``a.cpp:3``."""
    place = place_of(location, sources)
    return f"{place.path}:{place.line}"
