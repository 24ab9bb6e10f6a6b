"""Lint files and directories.

Each finding names the line, the number, the limit and the device. Without a target in the configuration or on
the command line, findings are judged for all Intel GPUs.
"""

import argparse
import os
import sys

from sycllint.cli.output import SEVERITIES, Output, account_for_time, outputs_of, reported, write_outputs
from sycllint.cli.parser import cache_of, configs_of
from sycllint.cli.scope import RunScope, baselines_of, scope_of
from sycllint.cli.terminal import ProgressBar, complain, complain_of, has_color, write, write_bytes
from sycllint.config import Configs
from sycllint.diagnostic import Severity
from sycllint.errors import SycllintError
from sycllint.pipeline import Filters, Result, check
from sycllint.report.schemas import published
from sycllint.report.terminal.summary import plural
from sycllint.stopwatch import Stopwatch, phase

THRESHOLDS = {**SEVERITIES, "never": None}
DEFAULT_THRESHOLD = "warning"


def run(arguments: argparse.Namespace) -> int:
    """Lint, write what was found, and say with the exit code whether it matters."""
    if arguments.schema:
        write(published("check"), arguments.output)
        return 0
    outputs = outputs_of(arguments)
    _check_fixes(arguments)
    _check_codes(arguments)
    if arguments.watch:
        from sycllint.cli.watch import watch

        return watch(lambda: _lint(arguments, outputs), arguments.paths or [os.curdir])
    if arguments.fix or arguments.diff:
        return _run_fixing(arguments, outputs)
    if arguments.add_ignore is not None:
        return _run_silencing(arguments, outputs)
    if arguments.timings:
        with Stopwatch() as timings:
            result = _lint(arguments, outputs)
        account_for_time(timings)
    else:
        result = _lint(arguments, outputs)
    return _exit_code(arguments, result)


def _lint(arguments: argparse.Namespace, outputs: tuple[Output, ...]) -> Result:
    """Lint once and write what was found."""
    scope, configs, filters = _asked(arguments)
    with ProgressBar(quiet=arguments.quiet) as progress:
        result = check(
            scope.paths,
            configs,
            on_progress=progress,
            texts=scope.texts,
            filters=filters,
            cache=None if arguments.timings else cache_of(arguments, configs),
            jobs=1 if arguments.timings else arguments.jobs,
            shard=arguments.shard,
        )
    result = reported(arguments, result)
    with phase("writing"):
        write_outputs(outputs, arguments, result, scope.source)
    return result


def _asked(arguments: argparse.Namespace) -> tuple[RunScope, Configs, Filters]:
    """What a run is about, under which settings, and what of it is reported."""
    scope = scope_of(arguments)
    configs = configs_of(arguments, scope.paths)
    return scope, configs, Filters(baselines_of(arguments), scope.changes)


def _check_codes(arguments: argparse.Namespace) -> None:
    """Refuse what contradicts itself."""
    others = (("--exit-zero", arguments.exit_zero), ("--fail-on", arguments.fail_on is not None))
    for option, given in others if arguments.max_warnings is not None else ():
        if given:
            raise SycllintError(f"--max-warnings and {option} exclude each other")


def warnings_of(text: str) -> int:
    """A number of warnings as it is written."""
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of warnings: write 0 or more")
    return int(text)


def _check_fixes(arguments: argparse.Namespace) -> None:
    """Refuse what cannot be done together."""
    chosen = [
        option
        for option, given in (
            ("--fix", arguments.fix and not arguments.diff),
            ("--diff", arguments.diff),
            ("--add-ignore", arguments.add_ignore is not None),
        )
        if given
    ]
    if len(chosen) > 1:
        raise SycllintError(f"{chosen[0]} and {chosen[1]} exclude each other")
    if arguments.unsafe_fixes and not (arguments.fix or arguments.diff):
        raise SycllintError("--unsafe-fixes goes with --fix or --diff")
    if chosen and arguments.shard is not None:
        raise SycllintError(f"{chosen[0]} changes files, those of all shards at once; it does not go with --shard")
    if chosen and (arguments.staged or arguments.diff_base is not None or arguments.diff_file is not None):
        raise SycllintError(f"{chosen[0]} changes whole files; --staged, --diff-base and --diff-file are about lines")
    if arguments.watch and (chosen or "-" in arguments.paths or arguments.files_from == "-"):
        raise SycllintError(f"--watch reads files again and again; it does not go with {(*chosen, 'stdin')[0]}")
    if arguments.timings and (chosen or arguments.watch):
        raise SycllintError(
            f"--timings is about one run that only reports; it does not go with {(*chosen, '--watch')[0]}"
        )
    if chosen and chosen != ["--diff"] and "-" in arguments.paths:
        raise SycllintError(f"{chosen[0]} changes files; --diff prints what it would change in the text on stdin")


def _run_silencing(arguments: argparse.Namespace, outputs: tuple[Output, ...]) -> int:
    """Write suppressions and report what is left."""
    from sycllint.pipeline.fixing import write_files
    from sycllint.pipeline.silencing import silence

    scope, configs, filters = _asked(arguments)
    reason = " ".join(arguments.add_ignore.split())
    with ProgressBar(quiet=arguments.quiet) as progress:
        silenced = silence(scope.paths, configs, reason, filters=filters, on_progress=progress)
    silenced = write_files(silenced, scope.paths)
    code = _report(arguments, silenced.result, scope, outputs)
    if not arguments.quiet:
        count, files = plural(silenced.fixed, "finding"), plural(len(silenced.files), "file")
        complain(f"{count} suppressed in {files}")
    return code


def _run_fixing(arguments: argparse.Namespace, outputs: tuple[Output, ...]) -> int:
    """Fix and report what is left; with ``--diff`` print the changes instead, and exit with 1 when there are any."""
    from sycllint.pipeline.fixing import apply_fixes, write_files

    scope, configs, filters = _asked(arguments)
    with ProgressBar(quiet=arguments.quiet) as progress:
        fixed = apply_fixes(
            scope.paths,
            configs,
            unsafe=arguments.unsafe_fixes,
            on_progress=progress,
            filters=filters,
            texts=scope.texts,
        )
    if not arguments.diff:
        fixed = write_files(fixed, scope.paths)
        code = _report(arguments, fixed.result, scope, outputs)
        if not arguments.quiet:
            complain(f"{plural(fixed.fixed, 'fix', 'fixes')} made in {plural(len(fixed.files), 'file')}")
        return code
    from sycllint.report.terminal.patch import patch

    file: str | None = arguments.output
    write_bytes(patch(fixed.files, color=file is None and has_color(arguments.color, sys.stdout)), file)
    if not arguments.quiet:
        complain_of(fixed.result.notices)
        complain(f"{plural(fixed.fixed, 'fix', 'fixes')} to make in {plural(len(fixed.files), 'file')}")
    if fixed.result.interrupted or not fixed.result.complete:
        return exit_code(fixed.result, None)
    return 1 if fixed.files else 0


def _report(arguments: argparse.Namespace, result: Result, scope: RunScope, outputs: tuple[Output, ...]) -> int:
    """Write what was found; the exit code."""
    result = reported(arguments, result)
    write_outputs(outputs, arguments, result, scope.source)
    return _exit_code(arguments, result)


def _exit_code(arguments: argparse.Namespace, result: Result) -> int:
    """The exit code that the arguments ask for."""
    if arguments.max_warnings is None:
        return exit_code(result, None if arguments.exit_zero else THRESHOLDS[arguments.fail_on or DEFAULT_THRESHOLD])
    warnings = sum(each.severity is Severity.WARNING for each in result.diagnostics)
    return exit_code(result, Severity.WARNING if warnings > arguments.max_warnings else Severity.ERROR)


def exit_code(result: Result, threshold: Severity | None) -> int:
    """130 after Ctrl-C, 3 for an incomplete run, 1 for a finding of at least ``threshold``, else 0."""
    if result.interrupted:
        return 130
    if not result.complete:
        return 3
    found = threshold is not None and any(each.severity >= threshold for each in result.diagnostics)
    return 1 if found else 0
