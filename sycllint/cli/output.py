"""The outputs of findings: one or several, each in its format, to stdout or into a file."""

import argparse
import os
import sys
from collections import Counter
from collections.abc import Sequence

from sycllint.cli.terminal import complain, complain_of, has_color, has_hyperlinks, width_of, write, write_aside
from sycllint.diagnostic import Severity
from sycllint.errors import SycllintError
from sycllint.nearest import suggestion
from sycllint.pipeline import Result
from sycllint.record import NamedTuple, replace
from sycllint.report import FOR_PEOPLE, FORMATS, SUMMARISED, render, require
from sycllint.report.place import Sources
from sycllint.report.terminal.summary import summary
from sycllint.stopwatch import Stopwatch

STDOUT = "-"
SUMMARY_FILE = "GITHUB_STEP_SUMMARY"
"""The environment's name for the file whose Markdown GitHub shows on the page of a job."""

IN_GITHUB = "GITHUB_ACTIONS"
"""``true`` in every job of GitHub Actions (GitHub Docs, "Default environment variables")."""

SEVERITIES = {"error": Severity.ERROR, "warning": Severity.WARNING, "note": Severity.NOTE}


class Output(NamedTuple):
    """One of the outputs of a run."""

    format: str
    file: str | None = None
    """``None`` for stdout."""
    option: str = "-o"
    """How the user named the file."""


def outputs_of(arguments: argparse.Namespace) -> tuple[Output, ...]:
    """What ``arguments`` ask for. Raises ``SycllintError``, before any work, for what cannot be written."""
    # The page of a pull request shows the lines of ``github`` in the code.
    default = "github" if os.environ.get(IN_GITHUB) == "true" else "full"
    asked: list[Output] = arguments.formats or [Output(default)]
    plain = [each for each in asked if each.file is None]
    if len(plain) > 1:
        raise SycllintError(
            f"-f {plain[0].format} and -f {plain[1].format} both go to stdout; -f {plain[1].format}:FILE names a file"
        )
    if arguments.output is not None:
        if not plain:
            raise SycllintError(f"-o {arguments.output}: every format has its file")
        asked = [each._replace(file=arguments.output) if each.file is None else each for each in asked]
    files = [os.path.abspath(each.file) for each in asked if each.file is not None]
    if twice := [file for file, count in Counter(files).items() if count > 1]:
        raise SycllintError(f"two formats go to the file {twice[0]}")
    for each in asked:
        _check(each)
    return tuple(asked)


def write_outputs(outputs: Sequence[Output], arguments: argparse.Namespace, result: Result, sources: Sources) -> None:
    """Write every output, and on stderr what those on stdout leave out."""
    summarised = False
    for each in outputs:
        if each.file is None and arguments.statistics and each.format in FOR_PEOPLE:
            write(_statistics(result, color=has_color(arguments.color, sys.stdout)))
            continue
        _write(each, arguments, result, sources)
        summarised |= each.file is None and each.format in SUMMARISED
    if arguments.statistics and not any(each.file is None and each.format in FOR_PEOPLE for each in outputs):
        write_aside(_statistics(result, color=has_color(arguments.color, sys.stderr)))
    if arguments.summary:
        _append_summary(result, sources)
    if not summarised:
        account(result, quiet=arguments.quiet)


def reported(arguments: argparse.Namespace, result: Result) -> Result:
    """``result`` without findings below ``--min-severity``, which count for nothing."""
    least = SEVERITIES.get(arguments.min_severity, Severity.NOTE)
    return replace(result, diagnostics=tuple(each for each in result.diagnostics if each.severity >= least))


def account(result: Result, *, quiet: bool) -> None:
    """The notices and the summary on stderr, for output that does not end with them.

    A quiet run still says why it is incomplete.
    """
    if not (quiet and result.complete):
        complain_of(result.notices)
    if not quiet:
        complain(summary(result))


def account_for_time(timings: Stopwatch) -> None:
    """The phases and the slowest files on stderr."""
    from sycllint.report.terminal.statistics import table_of_times

    write_aside(table_of_times(timings))


def output_of(text: str) -> Output:
    """A format, with or without its file, as it is written."""
    name, _, file = text.partition(":")
    if name not in FORMATS:
        hint = suggestion(name, FORMATS, f"the formats are {', '.join(FORMATS)}")
        raise argparse.ArgumentTypeError(f"unknown format {name!r}; {hint}")
    if text != name and not file:
        raise argparse.ArgumentTypeError(f"{text} names no file after the colon")
    return Output(name, None if file in ("", STDOUT) else file, f"-f {name}:")


def _check(output: Output) -> None:
    require(output.format)
    if output.file is None:
        return
    if not os.path.isdir(os.path.dirname(os.path.abspath(output.file))):
        raise SycllintError(f"{_named(output)}: there is no such directory")
    if os.path.isdir(output.file):
        raise SycllintError(f"{_named(output)}: a directory, not a file")


def _named(output: Output) -> str:
    return f"{output.option}{output.file}" if output.option.endswith(":") else f"{output.option} {output.file}"


def _write(output: Output, arguments: argparse.Namespace, result: Result, sources: Sources) -> None:
    color = output.file is None and has_color(arguments.color, sys.stdout)
    text = render(
        output.format,
        result,
        color=color,
        width=width_of(sys.stdout),
        hyperlinks=has_hyperlinks(color, sys.stdout),
        sources=sources,
        fold_notes=arguments.show != "notes" and arguments.min_severity != "note",
    )
    if arguments.quiet and output.format in SUMMARISED:
        text = text.removesuffix(summary(result) + "\n")
    write(text, output.file, option=output.option)


def _statistics(result: Result, *, color: bool) -> str:
    from sycllint.report.terminal.statistics import table
    from sycllint.report.terminal.style import Style

    return table(result.diagnostics, Style(color=color))


def _append_summary(result: Result, sources: Sources) -> None:
    page = render("markdown", result, color=False, width=0, hyperlinks=False, sources=sources)
    file = os.environ.get(SUMMARY_FILE)
    if not file:
        write_aside(page)
        return
    try:
        with open(file, "a", encoding="utf-8", errors="backslashreplace", newline="\n") as stream:
            stream.write(page)
    except OSError as error:
        raise SycllintError(f"{SUMMARY_FILE}={file}: not written: {error.strerror}") from None
