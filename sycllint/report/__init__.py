"""Diagnostics to text: one module per format, each a function from a result and its sources to a string."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from sycllint.errors import SycllintError
from sycllint.source.text import SourceFile

if TYPE_CHECKING:
    from sycllint.pipeline import Result
    from sycllint.report.place import Sources

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
        case _:
            return _for_programs(format)(result, files)


def _for_programs(format: str) -> "Callable[[Result, Sources], str]":  # noqa: A002
    """The formats that depend on nothing but what was found."""
    match format:
        case "json":
            from sycllint.report.formats.json import render
        case "jsonl":
            from sycllint.report.formats.jsonl import render
        case "sarif":
            from sycllint.report.formats.sarif import render
        case "sarif-full":
            from sycllint.report.formats.sarif_full import render
        case "gcc":
            from sycllint.report.formats.gcc import render
        case "github":
            from sycllint.report.formats.github import render
        case "gitlab":
            from sycllint.report.formats.gitlab import render
        case "rdjson":
            from sycllint.report.formats.rdjson import render
        case "junit":
            from sycllint.report.formats.junit import render
        case "checkstyle":
            from sycllint.report.formats.checkstyle import render
        case "markdown":
            from sycllint.report.formats.markdown import render
        case "html":
            from sycllint.report.formats.html import render
        case _:
            raise SycllintError(f"unknown format {format!r}; the formats are {', '.join(FORMATS)}")
    return render


def remembered(sources: Callable[[str], SourceFile]) -> Callable[[str], SourceFile]:
    """``sources``, each file asked for once; a file that has gone since it was linted is an empty one."""
    files: dict[str, SourceFile] = {}

    def source(path: str) -> SourceFile:
        file = files.get(path)
        if file is None:
            try:
                file = sources(path)
            except OSError:
                file = SourceFile(path, b"")
            files[path] = file
        return file

    return source
