"""Fewer lines for people: the notes of one rule as one line, findings that say the same as one."""

from collections.abc import Iterator, Sequence

from sycllint.diagnostic import Diagnostic
from sycllint.grouping import grouped
from sycllint.report.place import Sources, place_of
from sycllint.report.terminal.display import aligned, printable
from sycllint.report.terminal.style import INK_OF, Ink, Style
from sycllint.report.terminal.summary import plural


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
