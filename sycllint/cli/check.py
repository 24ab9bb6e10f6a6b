"""Lint files and directories.

Each finding names the line, the number, the limit and the device. Without a target in the configuration or on
the command line, Tiger Lake (tgl) is assumed.
"""

import argparse
import os
import sys

from sycllint.cli.parser import CommandParser, add_display, add_paths, add_rule_choice, config_of, paths_of
from sycllint.cli.terminal import ProgressBar, complain, has_color, has_hyperlinks, width_of, write, write_bytes
from sycllint.diagnostic import Severity
from sycllint.errors import SycllintError
from sycllint.pipeline import Result, check
from sycllint.report import FORMATS, render
from sycllint.report.display import printable
from sycllint.report.summary import plural, shown_notices, summary
from sycllint.source.text import SourceFile

_THRESHOLDS = {"error": Severity.ERROR, "warning": Severity.WARNING, "note": Severity.NOTE, "never": None}


def add_arguments(parser: CommandParser) -> None:
    """The arguments of ``sycllint check``."""
    add_paths(parser)
    add_rule_choice(parser)
    fixes = parser.add_argument_group("fixes")
    fixes.add_argument("--fix", action="store_true", help="make the safe fixes, then tell what is left")
    fixes.add_argument("--diff", action="store_true", help="print what --fix would change, and change nothing")
    fixes.add_argument(
        "--unsafe-fixes",
        action="store_true",
        help="with --fix or --diff: also those that may change what the code does",
    )
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
    if arguments.fix and arguments.diff:
        raise SycllintError("--fix and --diff exclude each other")
    if arguments.unsafe_fixes and not (arguments.fix or arguments.diff):
        raise SycllintError("--unsafe-fixes goes with --fix or --diff")
    if arguments.fix or arguments.diff:
        return _run_fixing(arguments, file)
    config = config_of(arguments)
    with ProgressBar(quiet=arguments.quiet) as progress:
        result = check(paths_of(arguments), config, on_progress=progress)
    return _told(arguments, result, file)


def _run_fixing(arguments: argparse.Namespace, file: str | None) -> int:
    """Fix and tell what is left; with ``--diff`` print the changes instead, and exit with 1 when there are any."""
    from sycllint.pipeline.mend import mend, write_files

    config = config_of(arguments)
    with ProgressBar(quiet=arguments.quiet) as progress:
        mending = mend(paths_of(arguments), config, unsafe=arguments.unsafe_fixes, on_progress=progress)
    if not arguments.diff:
        mending = write_files(mending)
        code = _told(arguments, mending.result, file)
        if not arguments.quiet:
            complain(f"{plural(mending.fixed, 'fix', 'fixes')} made in {plural(len(mending.files), 'file')}")
        return code
    from sycllint.report.patch import patch

    write_bytes(patch(mending.files, color=file is None and has_color(arguments.color, sys.stdout)), file)
    if not arguments.quiet:
        for notice in shown_notices(mending.result.notices):
            complain(f"notice: {printable(notice)}")
        complain(f"{plural(mending.fixed, 'fix', 'fixes')} to make in {plural(len(mending.files), 'file')}")
    if mending.result.interrupted or not mending.result.complete:
        return exit_code(mending.result, None)
    return 1 if mending.files else 0


def _told(arguments: argparse.Namespace, result: Result, file: str | None) -> int:
    """Write what was found; the exit code."""
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
