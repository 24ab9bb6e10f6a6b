"""Every launch of a run with what it keeps busy on each device: what ``sycllint kernels`` lists."""

from collections.abc import Mapping, Sequence

from sycllint.config import Configs
from sycllint.launch.kernel import KernelLaunch
from sycllint.launch.merge import merged
from sycllint.observation import LAUNCHES_ALONE
from sycllint.occupancy.filling import Filling, filling
from sycllint.pipeline.parts import Parts
from sycllint.pipeline.result import Kernels, LaunchReport
from sycllint.pipeline.run import Progress, Run
from sycllint.pipeline.shards import Shard, share
from sycllint.source.span import Location
from sycllint.source.text import SourceFile
from sycllint.target import Target


def survey(
    paths: Sequence[str],
    configs: Configs,
    *,
    on_progress: Progress | None,
    raise_errors: bool,
    texts: Mapping[str, bytes],
    shard: Shard | None = None,
) -> Kernels:
    """The launches in the files that ``paths`` stand for. Errors, ``texts`` and ``shard`` as in ``check``."""
    run = Run(configs, raise_our_errors=raise_errors, texts=texts)
    listed = run.listed(paths)
    if shard is not None:
        listed = share(listed, shard, run.program_of, configs.project.root)
    parts = Parts(configs.project, (each for _, each in listed))
    reports: list[LaunchReport] = []
    try:
        for file in run.files(listed, on_progress, LAUNCHES_ALONE):
            on = [Target(device) for device in parts.of(file.config).targets.of(file.source.path).devices]
            ways: dict[Location, list[KernelLaunch]] = {}
            for launch in file.launches:
                ways.setdefault(launch.location, []).append(launch)
            reports += [
                _report(run, launch, ways[launch.location], file.source, on) for launch in merged(file.launches)
            ]
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


def _report(
    run: Run, launch: KernelLaunch, ways: Sequence[KernelLaunch], source: SourceFile, targets: Sequence[Target]
) -> LaunchReport:
    """The report of ``launch``, which is reached in ``ways``."""
    place = f"{source.path}:{source.position(launch.location.span.start).line}"
    occupancies = run.guarded(
        f"{place}: occupancy not computed", lambda: {target.name: target.occupancy_of(launch) for target in targets}
    )
    fillings = run.guarded(
        f"{place}: occupancy not computed", lambda: {target.name: tuple(_fillings(ways, target)) for target in targets}
    )
    return LaunchReport(launch, occupancies or {}, fillings or {})


def _fillings(ways: Sequence[KernelLaunch], target: Target) -> list[Filling]:
    """How each way fills the device, each size once."""
    found = (filling(target.device, each, target.occupancy_of(each)) for each in ways)
    return sorted(dict.fromkeys(each for each in found if each is not None), key=_size)


def _size(found: Filling) -> tuple[int, int]:
    return found.items, found.group or 0
