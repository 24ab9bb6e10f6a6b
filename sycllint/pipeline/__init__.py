"""The whole story on one screen: paths to files, files to records of what was found, those to what is reported."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from sycllint.config import Config, Configs
from sycllint.diagnostic import Diagnostic
from sycllint.packs import left_out
from sycllint.pipeline.files import Files, Records
from sycllint.pipeline.filtering import Filters, FindingFilter
from sycllint.pipeline.parts import Parts
from sycllint.pipeline.result import Hidden, Hiding, Kernels, LaunchReport, Result
from sycllint.pipeline.run import Progress, Run
from sycllint.pipeline.shards import Shard, share
from sycllint.stopwatch import phase

if TYPE_CHECKING:
    from sycllint.pipeline.asked import Paths
    from sycllint.pipeline.resident import Resident

__all__ = [
    "Filters",
    "Hidden",
    "Hiding",
    "Kernels",
    "LaunchReport",
    "Progress",
    "Result",
    "Shard",
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
    cache: "Records | None" = None,
    jobs: int | None = 1,
    shard: Shard | None = None,
    resident: "Resident | None" = None,
) -> Result:
    """Lint the files that ``paths`` stand for, each under the settings that ``config`` has for it.

    Raises ``SycllintError`` before any file is read when a path, target or rule does not exist. After that, a file that
    cannot be read or a rule that crashes is a notice, and the rest is linted; ``raise_rule_errors`` lets our own bugs
    through instead, for tests. ``texts`` stand in for the contents of files on the disk, by path as shown; a run with
    texts takes and leaves nothing in a ``cache`` that does not distinguish them. ``jobs``: processes; ``None`` for as
    many as it pays to have. ``shard``: only this part of the files. ``resident``: what earlier runs of this process
    left. Ctrl-C ends the run with what was found so far.
    """
    configs = config if isinstance(config, Configs) else Configs(config)
    kept = cache if cache is not None and (cache.takes_texts or not texts) else None
    store = None if kept is None else kept.store
    run = Run(configs, raise_our_errors=raise_rule_errors, texts=texts or {}, resident=resident, store=store)
    with phase("finding files"):
        listed = run.listed(paths)
        if shard is not None:
            listed = share(listed, shard, run.program_of, configs.project.root)
    parts = Parts(configs.project, (each for _, each in listed), cache=kept, disk=run.disk)
    files = Files(run, parts, listed, None if left_out() else kept)
    filtered = FindingFilter(run, filters or Filters())
    try:
        files.lint(jobs, on_progress)
    except KeyboardInterrupt:
        run.interrupt()
    for sentence in left_out():
        run.failed(sentence)
    found = [(each, settings) for each, (_, settings) in zip(files.linted, listed, strict=True) if each is not None]
    for each, settings in found:
        run.take(each)
        if each.read:
            filtered.add(each, parts.of(settings))
    with phase("suppressions and baseline"):
        reported = filtered.reported(paths)
    targets, assumed = parts.targets((of, each.devices, each.assumed) for each, of in found if each.read)
    return Result(
        diagnostics=reported.diagnostics,
        targets=targets,
        targets_assumed=assumed,
        checked=run.checked,
        skipped=run.skipped,
        with_parse_errors=run.with_parse_errors,
        notices=run.notices,
        complete=run.complete,
        rules=parts.rules,
        interrupted=run.interrupted,
        hidden=reported.hidden,
        absent=reported.absent,
        linted=frozenset(filtered.linted),
        not_parsed=tuple(each.path for each, _ in found if each.with_parse_errors),
        shard=shard,
        launches=lambda: kernels(paths, configs, texts=texts, shard=shard, cache=kept),
    )


def analyze(
    paths: "Paths", config: Config | Configs | None = None, *, targets: str | Iterable[str] | None = None
) -> list[Diagnostic]:
    """The diagnostics of ``check`` for a file, a folder, or several.

    Without ``config``, those of a run without configuration. ``targets``, names of devices, replace those of
    ``config``. Errors as in ``check``; an argument of another type raises ``TypeError``.
    """
    from sycllint.pipeline.asked import names_of, settings_of

    return list(check(names_of(paths), settings_of(config, targets)).diagnostics)


def kernels(
    paths: Sequence[str],
    config: Config | Configs,
    *,
    on_progress: Progress | None = None,
    raise_errors: bool = False,
    texts: Mapping[str, bytes] | None = None,
    shard: Shard | None = None,
    cache: "Records | None" = None,
) -> Kernels:
    """Every launch in the files that ``paths`` stand for, with its occupancy on each target.

    Errors, ``texts`` and ``shard`` as in ``check``. Of a ``cache`` it takes what files and build files say.
    """
    from sycllint.pipeline.survey import survey

    return survey(
        paths,
        config if isinstance(config, Configs) else Configs(config),
        on_progress=on_progress,
        raise_errors=raise_errors,
        texts=texts or {},
        shard=shard,
        store=None if cache is None else cache.store,
    )
