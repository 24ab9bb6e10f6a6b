"""From all that was found to what is reported: suppressions, the baseline, changed lines, in that order."""

import os
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from sycllint.diagnostic import Diagnostic
from sycllint.memoized import memoized
from sycllint.pipeline.join import distinct, of_one_launch, weighed
from sycllint.pipeline.linted import Linted
from sycllint.pipeline.parts import ResolvedSettings
from sycllint.pipeline.result import Hidden, Hiding
from sycllint.pipeline.run import Run
from sycllint.record import NamedTuple
from sycllint.source.comments import may_suppress
from sycllint.source.span import Location
from sycllint.source.text import SourceFile

if TYPE_CHECKING:
    from datetime import date

    from sycllint.pipeline.baseline import Baseline, BaselineEntry
    from sycllint.pipeline.baselines import Baselines
    from sycllint.pipeline.suppression import Silence
    from sycllint.source.changes import Changes


class Filters(NamedTuple):
    """What is not reported, beside what comments in the source suppress."""

    baselines: "Baselines | None" = None
    changes: "Changes | None" = None
    """Only findings on lines that changed."""
    today: "date | None" = None
    """The day by which suppressions expire; by default the one on which the run is made."""


class Reported(NamedTuple):
    """The findings of a run, sorted by path, place and code."""

    diagnostics: tuple[Diagnostic, ...]
    hidden: tuple[Hidden, ...]
    absent: "tuple[BaselineEntry, ...]"
    """Entries of baselines that are no longer found."""


class FindingFilter:
    """The findings so far, and what filters them: suppressions, the baseline, changed lines."""

    def __init__(self, run: Run, filters: Filters) -> None:
        self.run = run
        self.filters = filters
        self.linted: dict[str, frozenset[str]] = {}
        """By path, the codes of the rules that looked at the file."""
        self._found: list[Diagnostic] = []
        self._parts: dict[str, ResolvedSettings] = {}
        """Those of files with suppressions."""
        self._quiet: set[str] = set()
        """Files that say nothing about findings."""
        self._silence: Silence | None = None

    def add(self, file: Linted, part: ResolvedSettings) -> None:
        """Take the findings of one file."""
        self._found += file.diagnostics
        self.linted[file.path] = part.codes(file.path)
        if not file.suppresses:
            self._quiet.add(file.path)
            return
        self._the_silence().read(
            self._source(file.path),
            self.linted[file.path],
            judged=file.whole and not part.config.narrowed,
            includers=frozenset(file.includers),
        )
        self._parts[file.path] = part

    def reported(self, paths: Sequence[str]) -> Reported:
        """What is reported for a run over ``paths``."""
        reported, hidden = self._without_silenced(distinct(self._found))
        reported, known, gone = self._without_known(reported, paths)
        hidden += (Hidden(each, Hiding.BASELINE) for each in known)
        reported, unchanged = self._only_changed(reported)
        hidden += (Hidden(each, Hiding.UNCHANGED) for each in unchanged)
        hidden.sort(key=lambda each: (each.diagnostic.location, each.diagnostic.code, each.diagnostic.message))
        return Reported(tuple(of_one_launch(reported)), tuple(hidden), tuple(gone))

    # ---------------------------------------------------------- suppressions

    def _without_silenced(self, found: list[Diagnostic]) -> tuple[list[Diagnostic], list[Hidden]]:
        """Those that no comment silences, with what is to be said of the comments; and those that one does."""
        elsewhere = {each.location.path for each in found} - self.linted.keys()
        if self._silence is None and not any(may_suppress(self._source(path).content) for path in elsewhere):
            return found, []
        silence = self._the_silence()
        reported, silenced = silence.split(found)
        about, quiet = silence.split(list(self._about_suppressions(silence)))
        reported = sorted([*reported, *about], key=lambda each: (each.location, each.code, each.message))
        return reported, [
            Hidden(each.diagnostic, Hiding.SUPPRESSED, each.suppression.reason) for each in (*silenced, *quiet)
        ]

    def _the_silence(self) -> "Silence":
        if self._silence is None:
            from datetime import datetime

            from sycllint.pipeline.suppression import Silence

            today = self.filters.today or datetime.now().astimezone().date()
            self._silence = Silence(self._source, today, self._quiet)
        return self._silence

    def _about_suppressions(self, silence: "Silence") -> Iterator[Diagnostic]:
        """What the rules on suppressions find, now that it is known which silenced something."""
        from sycllint.host.unit import SourceUnit
        from sycllint.observation import Observations
        from sycllint.pipeline.judge import Judge
        from sycllint.registry import rules_on

        for path, records in silence.records(frozenset(map(os.path.abspath, self.linted))):
            part = self._parts.get(path)
            if part is None:
                continue
            judge = Judge.on(self.run, part.targets.of(path))
            unit = SourceUnit(path, Observations.gathered(records))
            for rule in rules_on(SourceUnit, part.audible(path)):
                if rule.concerns(unit.seen.kinds):
                    yield from weighed(judge.diagnostics(rule, unit, path), part.severities)

    # -------------------------------------------------------------- baseline

    def _without_known(
        self, reported: Sequence[Diagnostic], paths: Sequence[str]
    ) -> "tuple[list[Diagnostic], list[Diagnostic], list[BaselineEntry]]":
        """Those that no baseline has, those that one has, and the entries that are no longer found."""
        if self.filters.baselines is None:
            return list(reported), [], []
        groups: dict[str, tuple[Baseline, list[Diagnostic]]] = {}
        # A folder that was searched may have lost its files.
        for path in (*self.linted, *(os.path.join(each, "any") for each in paths if os.path.isdir(each))):
            if (baseline := self.filters.baselines.of(path)) is not None:
                groups.setdefault(baseline.file, (baseline, []))
        for each in reported:
            if (baseline := self.filters.baselines.of(each.location.path)) is not None:
                groups.setdefault(baseline.file, (baseline, []))[1].append(each)
        if not groups:
            return list(reported), [], []
        from sycllint.pipeline.baseline import absent_entries, compare, entries_of

        known: set[int] = set()
        gone: list[BaselineEntry] = []
        for baseline, here in groups.values():
            comparison = compare(entries_of(here, baseline.folder, self._source), baseline)
            known |= {id(here[number]) for number in comparison.known}
            gone += absent_entries(comparison.left, baseline, self.linted, paths, self.run.includers)
        new = [each for each in reported if id(each) not in known]
        return new, [each for each in reported if id(each) in known], gone

    # --------------------------------------------------------- changed lines

    def _only_changed(self, reported: Sequence[Diagnostic]) -> tuple[list[Diagnostic], list[Diagnostic]]:
        changes = self.filters.changes
        if changes is None:
            return list(reported), []
        new: list[Diagnostic] = []
        old: list[Diagnostic] = []
        for each in reported:
            places = (each.location, *(related.location for related in each.related))
            (new if any(self._changed(place, changes) for place in places) else old).append(each)
        return new, old

    def _changed(self, place: Location, changes: "Changes") -> bool:
        source = self._source(place.path)
        first = source.line_of(place.span.start)
        return changes.touch(place.path, first, max(first, source.line_of(place.span.end - 1)))

    @memoized
    def _source(self, path: str) -> SourceFile:
        return self.run.source(path)
