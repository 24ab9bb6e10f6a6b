"""Lint files and directories.

Each finding names the line, the number, the limit and the device. Without a target in the configuration or on
the command line, Tiger Lake (tgl) is assumed.
"""

import argparse
import os
import sys

from sycllint.cli.parser import CommandParser, add_display, add_paths, add_rule_choice, config_of, paths_of
from sycllint.cli.terminal import ProgressBar, complain, has_color, has_hyperlinks, width_of, write
from sycllint.diagnostic import Severity
from sycllint.errors import SycllintError
from sycllint.pipeline import Result, check
from sycllint.report import FORMATS, render
from sycllint.report.display import printable
from sycllint.report.summary import shown_notices, summary
from sycllint.source.text import SourceFile

_THRESHOLDS = {"error": Severity.ERROR, "warning": Severity.WARNING, "note": Severity.NOTE, "never": None}


def add_arguments(parser: CommandParser) -> None:
    """The arguments of ``sycllint check``."""
    add_paths(parser)
    add_rule_choice(parser)
    output = parser.add_argument_group("output")
    formats = f"full (default), {', '.join(FORMATS[1:])}"
    output.add_argument("-f", "--format", choices=FORMATS, default="full", metavar="FORMAT", help=formats)
    output.add_argument("-o", "--output", metavar="FILE", help="write the findings there instead of to stdout")
    output.add_argument(
        "--fail-on", choices=tuple(_THRESHOLDS), default="warning", metavar="SEVERITY",
        help="exit with 1 from here up: error, warning (default), note, or never",
    )  # fmt: skip
    add_display(parser)


def run(arguments: argparse.Namespace) -> int:
    """Lint, write what was found, and say with the exit code whether it matters."""
    file: str | None = arguments.output
    if file is not None and not os.path.isdir(os.path.dirname(os.path.abspath(file))):
        raise SycllintError(f"-o {file}: there is no such directory")
    config = config_of(arguments)
    with ProgressBar(quiet=arguments.quiet) as progress:
        result = check(paths_of(arguments), config, on_progress=progress)
    color = file is None and has_color(arguments.color, sys.stdout)
    text = render(
        arguments.format,
        result,
        color=color,
        width=width_of(sys.stdout),
        hyperlinks=has_hyperlinks(color, sys.stdout),
        sources=read_file,
    )
    if arguments.quiet:
        text = text.removesuffix(summary(result) + "\n")
    write(text, file)
    if arguments.format != "full" or file is not None:
        account(result, quiet=arguments.quiet)
    return exit_code(result, _THRESHOLDS[arguments.fail_on])


def exit_code(result: Result, threshold: Severity | None) -> int:
    """130 after Ctrl-C, 3 for an incomplete run, 1 for a finding of at least ``threshold``, else 0."""
    if result.interrupted:
        return 130
    if not result.complete:
        return 3
    found = threshold is not None and any(each.severity >= threshold for each in result.diagnostics)
    return 1 if found else 0


def account(result: Result, *, quiet: bool) -> None:
    """The notices and the summary on stderr, for output that does not end with them.

    A quiet run still says why it is incomplete.
    """
    if not (quiet and result.complete):
        for notice in shown_notices(result.notices):
            complain(f"notice: {printable(notice)}")
    if not quiet:
        complain(summary(result))


def read_file(path: str) -> SourceFile:
    """The file again, to show its lines."""
    with open(path, "rb") as stream:
        return SourceFile(path, stream.read())
