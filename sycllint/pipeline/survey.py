"""Every launch of a run with what it keeps busy on each device: what ``sycllint kernels`` lists."""

from collections.abc import Mapping, Sequence

from sycllint.config import Configs
from sycllint.launch.kernel import KernelLaunch
from sycllint.launch.merge import merged
from sycllint.pipeline.parts import Parts
from sycllint.pipeline.result import Kernels, LaunchReport
from sycllint.pipeline.run import Progress, Run
from sycllint.source.text import SourceFile
from sycllint.target import Target


def survey(
    paths: Sequence[str],
    configs: Configs,
    *,
    on_progress: Progress | None,
    raise_errors: bool,
    texts: Mapping[str, bytes],
) -> Kernels:
    """The launches in the files that ``paths`` stand for. Errors and ``texts`` as in ``check``."""
    run = Run(configs, raise_our_errors=raise_errors, texts=texts, looks=False)
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


def _report(run: Run, launch: KernelLaunch, source: SourceFile, targets: Sequence[Target]) -> LaunchReport:
    place = f"{source.path}:{source.position(launch.location.span.start).line}"
    occupancies = run.guarded(
        f"{place}: occupancy not computed", lambda: {target.name: target.occupancy_of(launch) for target in targets}
    )
    return LaunchReport(launch, occupancies or {})
