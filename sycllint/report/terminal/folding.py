"""Fewer lines for people: notes of one rule are a line, findings that say the same or are only counted are one."""

from collections import Counter
from collections.abc import Iterator, Sequence

from sycllint.diagnostic import Diagnostic
from sycllint.grouping import grouped
from sycllint.record import replace
from sycllint.report.place import Sources, place_of
from sycllint.report.terminal.display import aligned, printable
from sycllint.report.terminal.style import INK_OF, Ink, Style
from sycllint.report.terminal.summary import plural
from sycllint.source.edit import Applicability


def alike(diagnostics: Sequence[Diagnostic]) -> Iterator[tuple[Diagnostic, list[Diagnostic]]]:
    """The first of those that say the same by the same rule at the same severity, and the others, in their order."""
    groups: dict[object, list[Diagnostic]] = {}
    for each in diagnostics:
        causes = tuple((other.message, other.location) for other in each.related if other.location != each.location)
        groups.setdefault((each.code, each.severity, each.message, each.help, causes), []).append(each)
    for first, *others in groups.values():
        yield first, others


def folded(notes: Sequence[Diagnostic], sources: Sources, style: Style) -> list[str]:
    """A head, then a line for each rule: how often, its name, and where first."""
    rules = grouped((each.code, each) for each in notes)
    rows = []
    for code, found in rules.items():
        place = place_of(found[0].location, sources)
        at = printable(f"{place.path}:{place.line}:{place.column}")
        files = len({each.location.path for each in found})
        where = f"first {at}" if len(found) > 1 else at
        rows.append((code, found[0].name, str(len(found)), f"{where}, {files} files" if files > 1 else where))
    ink = INK_OF[notes[0].severity]
    head = style.ink(plural(len(notes), "note"), ink)
    hint = style.ink("`--show notes` shows each in full", Ink.QUIET)
    return [f"{head} of {plural(len(rules), 'rule')} ({hint})", *(f"  {line}" for line in aligned(rows))]


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
    helps = {each.help for each in group}
    return replace(group[0], message=message, related=(), help=helps.pop() if len(helps) == 1 else "", fix=None)
