"""Files to records in one process: each is read, analysed and judged by the rules that are on for it."""

import os
from collections.abc import Iterator, Sequence

from sycllint.diagnostic import Diagnostic
from sycllint.heads import AnyRule
from sycllint.host.unit import SourceUnit
from sycllint.launch.kernel import KernelLaunch, LaunchKind
from sycllint.patience import GivenUp, bounded, given_up
from sycllint.pipeline.join import reached, weighed
from sycllint.pipeline.judge import Judge
from sycllint.pipeline.linted import Linted
from sycllint.pipeline.parts import ResolvedSettings
from sycllint.pipeline.run import FileAnalysis, Run
from sycllint.registry import rules_on
from sycllint.source.comments import may_suppress
from sycllint.source.disk import Asked
from sycllint.source.files import Candidate
from sycllint.stopwatch import file_time, phase


def lint(run: Run, candidate: Candidate, part: ResolvedSettings) -> tuple[Linted, Asked | None]:
    """One file, and what of the disk that rests on; ``None`` for that, when files changed on the way.

    The account of ``run`` itself is left alone.
    """
    own = run.apart()
    size = run.disk.stamp(candidate.path).size
    with run.disk.asking() as asked, file_time(candidate.path):
        try:
            with bounded(size):
                linted = _linted(own, candidate, part)
        except GivenUp as why:
            notices = (*own.notices, given_up(candidate.path, size, why))
            linted = Linted(candidate.path, read=False, skipped=1, notices=notices, complete=False)
    return linted, asked if run.disk.sure_of(asked) else None


def _linted(run: Run, candidate: Candidate, part: ResolvedSettings) -> Linted:
    for file in run.files([(candidate, part.config)], None, part.wanted(candidate.path)):
        path = file.source.path
        choice = part.targets.of(path)
        suppresses = may_suppress(file.source.content)
        diagnostics: tuple[Diagnostic, ...] = ()
        if file.launches or file.unit.seen.records:  # without either, no rule is loaded
            with phase("rules"):
                found = _diagnostics(Judge.on(run, choice), part.audible(path), file)
                diagnostics = tuple(weighed(found, part.severities))
        if run.resident is not None:
            run.resident.take(file)
        return Linted(
            path,
            diagnostics=diagnostics,
            devices=tuple(device.name for device in choice.devices),
            assumed=choice.assumed,
            whole=file.whole,
            suppresses=suppresses,
            includers=tuple(sorted(run.includers(path, part.config))) if suppresses else (),
            checked=run.checked,
            skipped=run.skipped,
            with_parse_errors=run.with_parse_errors,
            notices=run.notices,
            complete=run.complete,
        )
    return Linted(candidate.path, read=False, skipped=run.skipped, notices=run.notices, complete=run.complete)


def _diagnostics(judge: Judge, rules: Sequence[AnyRule], file: FileAnalysis) -> Iterator[Diagnostic]:
    on_launches = rules_on(KernelLaunch, rules) if file.launches else ()
    path = os.path.normpath(file.source.path)
    for launch in file.launches:
        if launch.kind is LaunchKind.OMP_TARGET:
            continue  # its rules are on the source unit: those on launches are about SYCL
        place = f"{file.source.path}:{file.source.line_of(launch.location.span.start)}"
        kinds, is_here = launch.kernel.seen.kinds, file.reports(launch)
        for on_launch in on_launches:
            said = judge.diagnostics(on_launch, launch, place) if on_launch.concerns(kinds) else []
            if not is_here and not on_launch.seen:
                # Of a launch that another file decides, only the kernel is this file's, with what it calls elsewhere.
                said = [each for each in said if each.location.path == path]
            if said:
                yield from reached(launch, said)
    kinds = file.unit.seen.kinds
    for on_unit in rules_on(SourceUnit, rules) if kinds else ():
        if on_unit.concerns(kinds):
            yield from judge.diagnostics(on_unit, file.unit, file.source.path)
