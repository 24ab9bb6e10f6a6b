"""Findings by the hundred on one line: for people, those of one rule in one file that are only counted."""

from collections import Counter
from collections.abc import Iterator, Sequence

from sycllint.diagnostic import Diagnostic
from sycllint.record import replace
from sycllint.source.edit import Applicability


def tallied(diagnostics: Sequence[Diagnostic]) -> Iterator[Diagnostic]:
    """``diagnostics``, with all of one rule, severity and file that have a tally as one, where the first of them is."""
    groups: dict[object, list[Diagnostic]] = {}
    for each in diagnostics:
        key = (each.code, each.severity, each.location.path) if each.tally else id(each)
        groups.setdefault(key, []).append(each)
    for group in groups.values():
        yield group[0] if len(group) == 1 else _counted(group)


def _counted(group: Sequence[Diagnostic]) -> Diagnostic:
    """``43 outdated names in this file: 31 `cl::sycl`, 7 `target::local`, 5 `gpu_selector`; `--fix` updates 41``."""
    counts = Counter(each.tally for each in group).most_common()
    safe = sum(each.fix is not None and each.fix.applicability is Applicability.SAFE for each in group)
    kinds = ", ".join(f"{count} `{tally}`" for tally, count in counts)
    updates = f"; `--fix` updates {'all' if safe == len(group) else safe}" if safe else ""
    message = f"{len(group)} outdated names in this file: {kinds}{updates}"
    return replace(group[0], message=message, related=(), help=_shared(group), fix=None)


def _shared(group: Sequence[Diagnostic]) -> str:
    """The advice that all have in common."""
    helps = {each.help for each in group}
    return helps.pop() if len(helps) == 1 else ""
