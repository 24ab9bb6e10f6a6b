"""Record current findings so that only new ones are reported.

create writes a baseline with all that is found; update adds what is new and drops what is gone; prune only drops. The
file is .sycllint-baseline.json in the project's root unless --baseline names another; `sycllint check` finds it there.
"""

import argparse
import os

from sycllint.cli.parser import configs_of, paths_of
from sycllint.cli.terminal import ProgressBar, complain, complain_of
from sycllint.errors import SycllintError
from sycllint.pipeline import Filters, Hiding, check
from sycllint.pipeline.baseline import Baseline, BaselineEntry, compare, entries_of, read_baseline, write_baseline
from sycllint.pipeline.baselines import NAME, Baselines
from sycllint.pipeline.result import Result
from sycllint.pipeline.run import Run
from sycllint.report.terminal.summary import plural
from sycllint.source.files import shown


def run(arguments: argparse.Namespace) -> int:
    """Lint and write the baseline; 3, and nothing written, when not everything could be linted."""
    configs = configs_of(arguments)
    paths = paths_of(arguments)
    file = arguments.baseline or os.path.join(configs.project.root, NAME)
    old = _old(arguments.action, file)
    with ProgressBar(quiet=arguments.quiet) as progress:
        result = check(paths, configs, on_progress=progress, filters=Filters(Baselines(old)), shard=arguments.shard)
    if not (arguments.quiet and result.complete):
        complain_of(result.notices)
    if not result.complete:
        complain(f"{shown(file)} is left as it is: not everything could be linted")
        return 130 if result.interrupted else 3
    known = [each.diagnostic for each in result.hidden if each.why is Hiding.BASELINE]
    found = entries_of([*known, *result.diagnostics], old.folder, Run(configs).source)
    entries, sentence = _merged(arguments.action, found, old, result)
    write_baseline(Baseline(old.file, entries))
    if not arguments.quiet:
        complain(f"{old.file}: {sentence}")
    return 0


def _old(action: str, file: str) -> Baseline:
    """The baseline as it is; for ``create`` there must be none yet."""
    if action != "create":
        return read_baseline(file)
    if os.path.lexists(file):
        raise SycllintError(f"{shown(file)} exists; `sycllint baseline update` brings it up to date")
    return Baseline(shown(file))


def _merged(
    action: str, found: tuple[BaselineEntry, ...], old: Baseline, result: Result
) -> tuple[tuple[BaselineEntry, ...], str]:
    """The new entries, and the sentence that says which old ones were kept."""
    comparison = compare(found, old)
    gone = set(map(id, result.absent))
    unseen = tuple(each for each in comparison.left if id(each) not in gone)
    known = tuple(each for number, each in enumerate(found) if number in comparison.known)
    if action == "prune":
        return (*known, *unseen), f"{plural(len(known) + len(unseen), 'finding')} kept, {len(gone)} dropped"
    sentence = plural(len(found) + len(unseen), "finding")
    if action == "update":
        sentence += f": {len(found) - len(known)} added, {len(gone)} dropped"
    return (*found, *unseen), sentence
