"""Every launch of a run with what it keeps busy on each device: what ``sycllint kernels`` lists."""

import os
from collections.abc import Mapping, Sequence

from sycllint.config import Configs
from sycllint.launch.device_numbers import on_device
from sycllint.launch.kernel import KernelLaunch, LaunchKind
from sycllint.launch.merge import local_tuples, rows, together
from sycllint.launch.not_followed import NotFollowed
from sycllint.observation import LAUNCHES_ALONE
from sycllint.occupancy.filling import Filling, filling
from sycllint.pipeline.parts import Parts
from sycllint.pipeline.result import Coverage, Kernels, LaunchReport
from sycllint.pipeline.run import Progress, Run
from sycllint.pipeline.shards import Shard, share
from sycllint.pipeline.store import Store
from sycllint.source.span import Location
from sycllint.source.text import SourceFile
from sycllint.target import Target
from sycllint.values.value import Known, OneOf


def survey(
    paths: Sequence[str],
    configs: Configs,
    *,
    on_progress: Progress | None,
    raise_errors: bool,
    texts: Mapping[str, bytes],
    shard: Shard | None = None,
    store: Store | None = None,
) -> Kernels:
    """The launches in the files that ``paths`` stand for. Errors, ``texts`` and ``shard`` as in ``check``."""
    run = Run(configs, raise_our_errors=raise_errors, texts=texts, store=store)
    listed = run.listed(paths)
    if store is not None:
        store.expect([candidate.path for candidate, _ in listed])
    if shard is not None:
        listed = share(listed, shard, run.program_of, configs.project.root)
    files = {os.path.normpath(candidate.path) for candidate, _ in listed}
    parts = Parts(configs.project, (each for _, each in listed))
    reports: list[LaunchReport] = []
    elsewhere: dict[tuple[Location, Location], LaunchReport] = {}
    """Those that a call in another of the files decides, each once: mostly that file reports them itself."""
    linked: set[tuple[Location, Location]] = set()
    """Those of them that it does not, as its unit does not hold them."""
    hidden: list[NotFollowed] = []
    try:
        for file in run.files(listed, on_progress, LAUNCHES_ALONE):
            on = [Target(device) for device in parts.of(file.config).targets.of(file.source.path).examples]
            hidden += file.not_followed
            for key, ways in rows(file.launches).items():
                launch = together(ways)
                if launch.row.path == file.source.path or os.path.normpath(launch.row.path) not in files:
                    reports.append(_report(run, launch, ways, file.source, on))
                elif key not in elsewhere:
                    elsewhere[key] = _report(run, launch, ways, file.source, on)
                    linked.update([key] if file.reports(launch) else ())
    except KeyboardInterrupt:
        run.interrupt()
    reporting = {each.launch.row.path for each in reports}
    reports += [each for key, each in elsewhere.items() if key in linked or key[0].path not in reporting]
    return Kernels(
        launches=tuple(sorted(reports, key=lambda report: report.launch.row)),
        devices=parts.examples,
        targets_assumed=parts.assumed,
        checked=run.checked,
        skipped=run.skipped,
        with_parse_errors=run.with_parse_errors,
        notices=run.notices,
        complete=run.complete,
        interrupted=run.interrupted,
        coverage=Coverage(
            len(reports),
            sum(_is_known(each.launch) for each in reports),
            tuple(sorted(hidden)),
            tuple(run.not_parsed),
        ),
        reports=configs.kernel_info.files,
        joined=run.joined,
    )


def _is_known(launch: KernelLaunch) -> bool:
    """Whether the work-group or, without one, the range of a launch is one of finitely many."""
    deciding = launch.local_range or launch.global_range
    if deciding is None:
        return launch.kind is LaunchKind.SINGLE_TASK
    return all(isinstance(each, Known) or (isinstance(each, OneOf) and not each.open) for each in deciding.extents)


def _report(
    run: Run, launch: KernelLaunch, ways: Sequence[KernelLaunch], source: SourceFile, targets: Sequence[Target]
) -> LaunchReport:
    """The report of ``launch``, which is reached in ``ways``."""
    place = f"{source.path}:{source.position(launch.location.span.start).line}"
    decided = {target.name: on_device(launch, target.device) for target in targets}
    shown = next(((name, found) for name, found in decided.items() if found is not None), None)
    occupancies = run.guarded(
        f"{place}: occupancy not computed",
        lambda: {target.name: target.occupancy_of(decided[target.name] or launch) for target in targets},
    )
    fillings = run.guarded(
        f"{place}: occupancy not computed", lambda: {target.name: tuple(_fillings(ways, target)) for target in targets}
    )
    name, reported = shown if shown is not None else (None, launch)
    return LaunchReport(reported, occupancies or {}, fillings or {}, local_tuples(ways), name)


def _fillings(ways: Sequence[KernelLaunch], target: Target) -> list[Filling]:
    """How each way fills the device, each size once."""
    decided = [on_device(each, target.device) or each for each in ways]
    found = (filling(target.device, each, target.occupancy_of(each)) for each in decided)
    return sorted(dict.fromkeys(each for each in found if each is not None), key=_size)


def _size(found: Filling) -> tuple[int, int]:
    return found.items, found.group or 0
