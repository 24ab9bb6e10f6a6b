"""The whole story on one screen: paths to files, files to launches, launches and targets to diagnostics."""

from collections.abc import Iterator, Mapping, Sequence

from sycllint.config import Config, Configs
from sycllint.diagnostic import Diagnostic
from sycllint.host.unit import SourceUnit
from sycllint.launch.kernel import KernelLaunch, LaunchKind
from sycllint.launch.merge import merged
from sycllint.pipeline.join import reached, weighed
from sycllint.pipeline.judge import Judge
from sycllint.pipeline.parts import Parts
from sycllint.pipeline.result import Hidden, Hiding, Kernels, LaunchReport, Result
from sycllint.pipeline.run import FileAnalysis, Progress, Run
from sycllint.pipeline.telling import Filters, Telling
from sycllint.registry import AnyRule, rules_on
from sycllint.source.text import SourceFile
from sycllint.target import Target

__all__ = [
    "Filters",
    "Hidden",
    "Hiding",
    "Kernels",
    "LaunchReport",
    "Progress",
    "Result",
    "analyze",
    "check",
    "kernels",
]


def check(
    paths: Sequence[str],
    config: Config | Configs,
    *,
    on_progress: Progress | None = None,
    raise_rule_errors: bool = False,
    texts: Mapping[str, bytes] | None = None,
    filters: Filters | None = None,
) -> Result:
    """Lint the files that ``paths`` stand for, each under the settings that ``config`` has for it.

    Raises ``SycllintError`` before any file is read when a path, target or rule does not exist. After that, a file that
    cannot be read or a rule that crashes is a notice, and the rest is linted; ``raise_rule_errors`` lets our own bugs
    through instead, for tests. ``texts`` stand in for the contents of files on the disk, by path as shown. Ctrl-C ends
    the run with what was found so far.
    """
    configs = config if isinstance(config, Configs) else Configs(config)
    run = Run(configs, raise_our_errors=raise_rule_errors, texts=texts or {})
    listed = run.listed(paths)
    parts = Parts(configs.project, (each for _, each in listed))
    telling = Telling(run, filters or Filters())
    try:
        for file in run.files(listed, on_progress):
            part = parts.of(file.config)
            rules = part.audible(file.source.path)
            judge = Judge.on(run, part.targets.of(file.source.path))
            telling.add(file, judge, rules, weighed(_diagnostics(judge, rules, file), part.severities))
    except KeyboardInterrupt:
        run.interrupt()
    told = telling.told(paths)
    return Result(
        diagnostics=told.diagnostics,
        targets=tuple(device.name for device in parts.devices),
        targets_assumed=parts.assumed,
        checked=run.checked,
        skipped=run.skipped,
        with_parse_errors=run.with_parse_errors,
        notices=run.notices,
        complete=run.complete,
        rules=parts.rules,
        interrupted=run.interrupted,
        hidden=told.hidden,
        mended=told.mended,
        linted=frozenset(telling.linted),
    )


def analyze(paths: Sequence[str], config: Config | Configs | None = None) -> list[Diagnostic]:
    """The diagnostics of ``check``; without ``config``, of a run without configuration."""
    return list(check(paths, config or Config()).diagnostics)


def kernels(
    paths: Sequence[str], config: Config | Configs, *, on_progress: Progress | None = None, raise_errors: bool = False
) -> Kernels:
    """Every launch in the files that ``paths`` stand for, with its occupancy on each target. Errors as in ``check``."""
    configs = config if isinstance(config, Configs) else Configs(config)
    run = Run(configs, raise_our_errors=raise_errors)
    listed = run.listed(paths)
    parts = Parts(configs.project, (each for _, each in listed))
    reports: list[LaunchReport] = []
    try:
        for file in run.files(listed, on_progress):
            on = [Target(device) for device in parts.of(file.config).targets.of(file.source.path).devices]
            reports += [_report(run, launch, file.source, on) for launch in merged(file.launches)]
    except KeyboardInterrupt:
        run.interrupt()
    return Kernels(
        launches=tuple(sorted(reports, key=lambda report: report.launch.location)),
        devices=parts.devices,
        targets_assumed=parts.assumed,
        checked=run.checked,
        skipped=run.skipped,
        with_parse_errors=run.with_parse_errors,
        notices=run.notices,
        complete=run.complete,
        interrupted=run.interrupted,
    )


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
