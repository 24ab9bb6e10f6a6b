"""The whole story on one screen: paths to files, files to launches, launches and targets to diagnostics."""

import re
from collections.abc import Iterator, Mapping, Sequence

from sycllint.config import Config
from sycllint.diagnostic import Diagnostic
from sycllint.host.unit import SourceUnit
from sycllint.launch.kernel import KernelLaunch, LaunchKind
from sycllint.launch.merge import merged
from sycllint.pipeline.join import distinct, reached
from sycllint.pipeline.judge import Judge
from sycllint.pipeline.result import Kernels, LaunchReport, Result
from sycllint.pipeline.run import FileAnalysis, Progress, Run
from sycllint.pipeline.targets import Targets
from sycllint.registry import AnyRule, chosen_rules, rules_on
from sycllint.source.files import shown
from sycllint.source.text import SourceFile
from sycllint.target import Target

__all__ = ["Kernels", "LaunchReport", "Progress", "Result", "analyze", "check", "in_test_tree", "kernels"]

_TEST_DIRECTORY = re.compile(r"tests?|testing|unittests?")
_TEST_FILE = re.compile(r"test_.*|.*_tests?")


def check(
    paths: Sequence[str],
    config: Config,
    *,
    on_progress: Progress | None = None,
    raise_rule_errors: bool = False,
    texts: Mapping[str, bytes] | None = None,
) -> Result:
    """Lint the files that ``paths`` stand for.

    Raises ``SycllintError`` before any file is read when a path, target or rule does not exist. After that, a file that
    cannot be read or a rule that crashes is a notice, and the rest is linted; ``raise_rule_errors`` lets our own bugs
    through instead, for tests. ``texts`` stand in for the contents of files on the disk, by path as shown. Ctrl-C ends
    the run with what was found so far.
    """
    rules = chosen_rules(config)
    targets = Targets(config)
    run = Run(config, raise_our_errors=raise_rule_errors, texts=texts or {})
    found: list[Diagnostic] = []
    try:
        for file in run.files(paths, on_progress):
            muted = in_test_tree(file.source.path, config.root)
            audible = [rule for rule in rules if not (muted and rule.muted_in_tests)]
            found += _diagnostics(Judge.on(run, targets.of(file.source.path)), audible, file)
    except KeyboardInterrupt:
        run.interrupt()
    return Result(
        diagnostics=tuple(distinct(found)),
        targets=tuple(device.name for device in targets.devices),
        targets_assumed=targets.assumed,
        checked=run.checked,
        skipped=run.skipped,
        with_parse_errors=run.with_parse_errors,
        notices=run.notices,
        complete=run.complete,
        rules=rules,
        interrupted=run.interrupted,
    )


def analyze(paths: Sequence[str], config: Config | None = None) -> list[Diagnostic]:
    """The diagnostics of ``check``; without ``config``, of a run without configuration."""
    return list(check(paths, config or Config()).diagnostics)


def kernels(
    paths: Sequence[str], config: Config, *, on_progress: Progress | None = None, raise_errors: bool = False
) -> Kernels:
    """Every launch in the files that ``paths`` stand for, with its occupancy on each target. Errors as in ``check``."""
    targets = Targets(config)
    run = Run(config, raise_our_errors=raise_errors)
    reports: list[LaunchReport] = []
    try:
        for file in run.files(paths, on_progress):
            on = [Target(device) for device in targets.of(file.source.path).devices]
            reports += [_report(run, launch, file.source, on) for launch in merged(file.launches)]
    except KeyboardInterrupt:
        run.interrupt()
    return Kernels(
        launches=tuple(sorted(reports, key=lambda report: report.launch.location)),
        devices=targets.devices,
        targets_assumed=targets.assumed,
        checked=run.checked,
        skipped=run.skipped,
        with_parse_errors=run.with_parse_errors,
        notices=run.notices,
        complete=run.complete,
        interrupted=run.interrupted,
    )


def in_test_tree(path: str, root: str) -> bool:
    """Whether a file is a test by its name or by that of a directory between ``root`` and it.

    Odd sizes are deliberate there, and rules on waste stay silent (``Rule.muted_in_tests``).
    """
    *directories, name = shown(path, root).lower().split("/")
    stem = name.partition(".")[0]
    return any(map(_TEST_DIRECTORY.fullmatch, directories)) or _TEST_FILE.fullmatch(stem) is not None


def _diagnostics(judge: Judge, rules: Sequence[AnyRule], file: FileAnalysis) -> Iterator[Diagnostic]:
    for launch in file.launches:
        if launch.kind is LaunchKind.OMP_TARGET:
            continue  # its rules are on the source unit: those on launches speak of SYCL
        place = f"{file.source.path}:{file.source.position(launch.location.span.start).line}"
        for on_launch in rules_on(KernelLaunch, rules):
            yield from reached(launch, judge.diagnostics(on_launch, launch, place))
    if file.unit.seen.records:
        for on_unit in rules_on(SourceUnit, rules):
            yield from judge.diagnostics(on_unit, file.unit, file.source.path)


def _report(run: Run, launch: KernelLaunch, source: SourceFile, targets: Sequence[Target]) -> LaunchReport:
    place = f"{source.path}:{source.position(launch.location.span.start).line}"
    occupancies = run.guarded(
        f"{place}: occupancy not computed", lambda: {target.name: target.occupancy_of(launch) for target in targets}
    )
    return LaunchReport(launch, occupancies or {})
