"""Diagnostics to text: one module per format, each a function from a result and its sources to a string."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from sycllint.errors import SycllintError
from sycllint.source.text import SourceFile

if TYPE_CHECKING:
    from sycllint.pipeline import Result

FORMATS = ("full", "concise", "json", "sarif", "github")
"""What ``--format`` accepts."""


def render(
    format: str,  # noqa: A002 - the word of the command line
    result: "Result",
    *,
    color: bool,
    width: int,
    hyperlinks: bool,
    sources: Callable[[str], SourceFile],
) -> str:
    """The whole output of ``check`` in one format, with its final newline; ``""`` when the format has nothing to say.

    ``width`` is in terminal cells. ``sources`` gives the file of a path as it was linted. Raises ``SycllintError`` for
    a format that is not in ``FORMATS``.
    """
    files = remembered(sources)
    match format:
        case "full":
            from sycllint.report import full

            return full.render(result, files, color=color, width=width, hyperlinks=hyperlinks)
        case "concise":
            from sycllint.report import concise

            return concise.render(result, files, color=color)
        case "json":
            from sycllint.report import json

            return json.render(result, files)
        case "sarif":
            from sycllint.report import sarif

            return sarif.render(result, files)
        case "github":
            from sycllint.report import github

            return github.render(result, files)
        case _:
            raise SycllintError(f"unknown format {format!r}; the formats are {', '.join(FORMATS)}")


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
