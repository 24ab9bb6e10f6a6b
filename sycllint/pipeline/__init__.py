"""The whole story on one screen: paths to files, files to launches, launches and targets to diagnostics."""

import re
from collections.abc import Iterator, Sequence

from sycllint.config import Config, target_devices
from sycllint.diagnostic import Diagnostic, Severity
from sycllint.hardware.device import Device
from sycllint.launch.kernel import KernelLaunch
from sycllint.launch.merge import merged
from sycllint.pipeline.join import Verdict, distinct, join, reached, severity, weakened
from sycllint.pipeline.result import Kernels, LaunchReport, Result
from sycllint.pipeline.run import Progress, Run
from sycllint.registry import LaunchRule, chosen_rules
from sycllint.rule import Finding
from sycllint.source.files import shown
from sycllint.source.text import SourceFile
from sycllint.target import Target

__all__ = ["Kernels", "LaunchReport", "Progress", "Result", "analyze", "check", "in_test_tree", "kernels"]

ASSUMED_TARGET = "tgl"
"""What a run is checked against when no target is configured."""

_TEST_DIRECTORY = re.compile(r"tests?|testing|unittests?")
_TEST_FILE = re.compile(r"test_.*|.*_tests?")


def check(
    paths: Sequence[str], config: Config, *, on_progress: Progress | None = None, raise_rule_errors: bool = False
) -> Result:
    """Lint the files that ``paths`` stand for.

    Raises ``SycllintError`` before any file is read when a path, target or rule does not exist. After that, a file that
    cannot be read or a rule that crashes is a notice, and the rest is linted; ``raise_rule_errors`` lets our own bugs
    through instead, for tests. Ctrl-C ends the run with what was found so far.
    """
    rules = chosen_rules(config)
    devices = _devices(config)
    run = Run(config, raise_our_errors=raise_rule_errors)
    found: list[Diagnostic] = []
    try:
        for source, launches in run.files(paths, on_progress):
            muted = in_test_tree(source.path, config.root)
            audible = [rule for rule in rules if not (muted and rule.muted_in_tests)]
            targets = [Target(device) for device in devices]
            for launch in launches:
                for rule in audible:
                    found += reached(launch, join(rule, _verdicts(run, rule, launch, source, targets)))
    except KeyboardInterrupt:
        run.interrupt()
    return Result(
        diagnostics=tuple(distinct(found)),
        targets=tuple(device.name for device in devices),
        targets_assumed=not config.targets,
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
    devices = _devices(config)
    run = Run(config, raise_our_errors=raise_errors)
    reports: list[LaunchReport] = []
    try:
        for source, launches in run.files(paths, on_progress):
            targets = [Target(device) for device in devices]
            reports += [_report(run, launch, source, targets) for launch in merged(launches)]
    except KeyboardInterrupt:
        run.interrupt()
    return Kernels(
        launches=tuple(sorted(reports, key=lambda report: report.launch.location)),
        targets=tuple(device.name for device in devices),
        targets_assumed=not config.targets,
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


def _devices(config: Config) -> tuple[Device, ...]:
    if config.targets:
        return target_devices(config)
    from sycllint.hardware.profiles import device

    return (device(ASSUMED_TARGET),)


def _verdicts(
    run: Run, rule: LaunchRule, launch: KernelLaunch, source: SourceFile, targets: Sequence[Target]
) -> list[Verdict]:
    found = [(target, finding) for target in targets for finding in _findings(run, rule, launch, source, target)]
    if run.config.targets:
        return [Verdict(target.name, finding) for target, finding in found]
    # The target is our guess, so what hangs on it is not proved, unless it is so on every Intel GPU we know.
    return [
        Verdict(target.name, finding if _everywhere(run, rule, launch, source, finding) else weakened(finding))
        for target, finding in found
    ]


def _everywhere(run: Run, rule: LaunchRule, launch: KernelLaunch, source: SourceFile, finding: Finding) -> bool:
    if not finding.device_specific:
        return True
    if severity(rule, finding) is not Severity.ERROR:
        return False
    from sycllint.hardware.profiles import intel_devices

    return all(
        any(
            other.location == finding.location and severity(rule, other) is Severity.ERROR
            for other in _findings(run, rule, launch, source, Target(device))
        )
        for device in intel_devices()
    )


def _findings(
    run: Run, rule: LaunchRule, launch: KernelLaunch, source: SourceFile, target: Target
) -> Iterator[Finding]:
    place = f"{source.path}:{source.position(launch.location.span.start).line}"
    yield from run.guarded(f"{place}: {rule.code} crashed", lambda: list(rule.check(launch, target))) or ()


def _report(run: Run, launch: KernelLaunch, source: SourceFile, targets: Sequence[Target]) -> LaunchReport:
    place = f"{source.path}:{source.position(launch.location.span.start).line}"
    occupancies = run.guarded(
        f"{place}: occupancy not computed", lambda: {target.name: target.occupancy_of(launch) for target in targets}
    )
    return LaunchReport(launch, occupancies or {})
