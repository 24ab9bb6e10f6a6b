"""The findings as compact JSON: rows of numbers into tables of texts, files, rules and source lines."""

from collections.abc import Iterable, Sequence

from sycllint.diagnostic import Diagnostic, Evidence
from sycllint.heads import AnyRule
from sycllint.record import field, singular
from sycllint.report.formats.html.pool import Interned, page_text, source_text
from sycllint.report.json import Json
from sycllint.report.place import SourceRange, Sources, place_of
from sycllint.report.rule_pages.page import markdown
from sycllint.source.edit import Applicability
from sycllint.source.span import Location

AROUND = 2
"""Lines of source shown before and after a place."""
TALLEST = 6
"""Lines shown of a place that has more."""
WIDEST = 320
"""Characters of a source line in the page: a generated line can hold a megabyte."""

_EVIDENCE = tuple(Evidence)


@singular
class Excerpts:
    """The source lines that the page shows, by the number of their file: each once, however many findings show it."""

    sources: Sources
    files: Interned = field(default_factory=Interned)
    _lines: dict[int, dict[int, str]] = field(default_factory=dict)

    def place(self, location: Location) -> list[Json]:
        """``[file, line, column, end_line, end_column]``; the lines around it come into the page."""
        place = place_of(location, self.sources)
        file = self.files.of(place.path)
        self._keep(file, place)
        return [file, *place[1:]]

    def point(self, location: Location) -> list[Json]:
        """``[file, line]``, of which no source is shown."""
        place = place_of(location, self.sources)
        return [self.files.of(place.path), place.line]

    def _keep(self, file: int, place: SourceRange) -> None:
        kept, source = self._lines.setdefault(file, {}), self.sources(place.path)
        last = min(place.end_line, place.line + TALLEST) + AROUND
        for number in range(max(place.line - AROUND, 1), min(last, source.line_count) + 1):
            if number not in kept:
                text = source.line_text(number)
                kept[number] = source_text(text if len(text) <= WIDEST else text[: WIDEST - 1] + "…")

    @property
    def lines(self) -> Json:
        """For each file, in the order of their numbers, its lines by line number."""
        return [
            {str(line): text for line, text in sorted(self._lines.get(file, {}).items())}
            for file in range(len(self.files.all))
        ]


def findings_data(
    diagnostics: Sequence[Diagnostic], excerpts: Excerpts, texts: Interned, rules: Interned
) -> list[Json]:
    """A row for each finding.

    ``[severity, rule, message, help, targets, evidence, fix, place, related]``: ``severity`` 1 to 3, ``rule`` the
    number of ``[code, name]`` in ``rules``, ``help`` and ``fix`` -1 for none, else ``fix`` with whether it is safe.
    """
    return [_row(each, excerpts, texts, rules) for each in diagnostics]


def pages_data(rules: Iterable[AnyRule], diagnostics: Iterable[Diagnostic]) -> dict[str, Json]:
    """By code the summary and the page, as Markdown, of each rule that has a finding."""
    codes = {each.code for each in diagnostics}
    return {
        rule.code: [page_text(rule.summary).replace("``", "`"), page_text(markdown(rule.page)), rule.family]
        for rule in rules
        if rule.code in codes
    }


def _row(each: Diagnostic, excerpts: Excerpts, texts: Interned, rules: Interned) -> Json:
    return [
        int(each.severity),
        rules.of([texts.of(each.code), texts.of(each.name)]),
        texts.of(each.message),
        texts.optional(each.help),
        texts.of(", ".join(each.targets)),
        _EVIDENCE.index(each.evidence),
        -1 if (fix := each.fix) is None else [texts.of(fix.description), int(fix.applicability is Applicability.SAFE)],
        excerpts.place(each.location),
        [[texts.of(other.message), *excerpts.place(other.location)] for other in each.related],
    ]
