"""Diagnostics to text: each format is a function from a result and its sources to a string."""

from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from sycllint.errors import SycllintError
from sycllint.source.text import SourceFile

if TYPE_CHECKING:
    from sycllint.pipeline import Result

_RENDERED_BY = {
    "full": "full.render",
    "concise": "concise.render",
    "grouped": "grouped.render",
    "json": "json.render",
    "jsonl": "json.render_lines",
    "sarif": "sarif.render",
    "sarif-full": "sarif.render_everything",
    "gcc": "concise.render_as_gcc",
    "github": "github.render",
    "gitlab": "gitlab.render",
    "rdjson": "rdjson.render",
    "junit": "xml.render_as_junit",
    "checkstyle": "xml.render_as_checkstyle",
    "markdown": "markdown.render",
    "html": "html.render",
}
FORMATS = tuple(_RENDERED_BY)
"""What ``--format`` accepts."""

FOR_PEOPLE = frozenset({"full", "concise", "grouped"})
"""Formats that one reads; ``--statistics`` stands in for them."""

SUMMARISED = frozenset({"full", "grouped"})
"""Formats that end with the notices and the summary."""


def render(
    format: str,  # noqa: A002 - the word of the command line
    result: "Result",
    *,
    color: bool,
    width: int,
    hyperlinks: bool,
    sources: Callable[[str], SourceFile],
    fold_notes: bool = False,
) -> str:
    """The whole output of ``check`` in one format, with its final newline; ``""`` when the format has nothing to say.

    ``width`` is in terminal cells. ``fold_notes``: ``full`` has one line for the notes of each rule; every other format
    has every finding. ``sources`` gives the file of a path as it was linted. Raises ``SycllintError`` for
    a format that is not in ``FORMATS``.
    """
    if format not in FORMATS:
        raise SycllintError(f"unknown format {format!r}; the formats are {', '.join(FORMATS)}")
    # Formats for programs depend on nothing but what was found.
    shown: dict[str, object] = {"color": color} if format in FOR_PEOPLE else {}
    if format == "full":
        shown |= {"width": width, "hyperlinks": hyperlinks, "fold_notes": fold_notes}
    module, _, function = _RENDERED_BY[format].partition(".")
    text: str = getattr(import_module(f"{__name__}.formats.{module}"), function)(result, remembered(sources), **shown)
    return text


def require(format: str) -> None:  # noqa: A002 - the word of the command line
    """Raise ``SycllintError`` when a package that the format needs is not installed."""
    from importlib.util import find_spec

    if format == "html" and find_spec("jinja2") is None:
        raise SycllintError("-f html needs Jinja2, which is not installed: pip install 'sycllint[html]'")


def remembered(sources: Callable[[str], SourceFile]) -> Callable[[str], SourceFile]:
    """``sources``, each file asked for once; a file that has gone since it was linted is an empty one."""

    @cache
    def source(path: str) -> SourceFile:
        try:
            return sources(path)
        except OSError:
            return SourceFile(path, b"")

    return source
