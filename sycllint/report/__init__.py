"""Diagnostics to text: one module per format, each a function from a result and its sources to a string."""

from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from sycllint.errors import SycllintError
from sycllint.source.text import SourceFile

if TYPE_CHECKING:
    from sycllint.pipeline import Result

FORMATS = (
    "full",
    "concise",
    "grouped",
    "json",
    "jsonl",
    "sarif",
    "sarif-full",
    "gcc",
    "github",
    "gitlab",
    "rdjson",
    "junit",
    "checkstyle",
    "markdown",
    "html",
)
"""What ``--format`` accepts."""

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
    files = remembered(sources)
    match format:
        case "full":
            from sycllint.report.formats import full

            return full.render(result, files, color=color, width=width, hyperlinks=hyperlinks, fold_notes=fold_notes)
        case "concise":
            from sycllint.report.formats import concise

            return concise.render(result, files, color=color)
        case "grouped":
            from sycllint.report.formats import grouped

            return grouped.render(result, files, color=color)
        case _ if format in FORMATS:
            # Those for programs depend on nothing but what was found.
            text: str = import_module(f"{__name__}.formats.{format.replace('-', '_')}").render(result, files)
            return text
        case _:
            raise SycllintError(f"unknown format {format!r}; the formats are {', '.join(FORMATS)}")


def remembered(sources: Callable[[str], SourceFile]) -> Callable[[str], SourceFile]:
    """``sources``, each file asked for once; a file that has gone since it was linted is an empty one."""

    @cache
    def source(path: str) -> SourceFile:
        try:
            return sources(path)
        except OSError:
            return SourceFile(path, b"")

    return source
