"""Suppressions applied: which findings they silence, and what is wrong with the suppressions themselves."""

from bisect import bisect_right
from collections.abc import Callable, Collection, Iterator, Sequence
from datetime import date

from sycllint.diagnostic import Diagnostic
from sycllint.record import field, mutable, record
from sycllint.registry import all_rules, closest_word, codes_of
from sycllint.source.edit import Applicability, Edit, Fix
from sycllint.source.faults import ExpiredSuppression, UnexplainedSuppression, UnknownSuppression, UnusedSuppression
from sycllint.source.span import Location
from sycllint.source.suppress import FAR, Flaw, Flawed, Suppression, Suppressions, SuppressionScope, Word, suppressions
from sycllint.source.text import SourceFile

OWN_FAMILY = "SYC0"
"""The rules on suppressions. Only a word that names them silences them: else none could be found unused."""

_ORDER = {SuppressionScope.STATEMENT: 0, SuppressionScope.RANGE: 1, SuppressionScope.FILE: 2}

_WRONG = {
    Flaw.VERB: "unknown directive `{word}` in suppression",
    Flaw.LIST: "malformed list of rules in suppression: `{word}`",
    Flaw.DATE: "`until={word}` is not a date of the form 2027-03-31",
    Flaw.OPENING: "suppression range ends here, but none was begun",
    Flaw.LIMIT: "this file suppresses more than {word} rules one by one; from here on its suppressions are not read",
}


@record
class Silenced:
    """A finding that is not reported, and the comment that suppresses it."""

    diagnostic: Diagnostic
    suppression: Suppression


@mutable
class _File:
    """One file with suppressions, and which of their words silenced something."""

    source: SourceFile
    said: Suppressions
    ran: frozenset[str]
    """Codes of the rules that looked at it."""
    judged: bool
    """It was one of the files to lint and was understood, so what is unused is known."""
    includers: frozenset[str]
    """Absolute paths of the files through which something may be found in it."""
    used: set[Word] = field(default_factory=set)
    _near: list[tuple[int, int, int]] | None = None
    """First line, number and last line of those of a statement, sorted."""
    _wide: tuple[Suppression, ...] = ()
    """The others, those that reach less far first."""

    def reaching(self, first: int, last: int) -> Iterator[Suppression]:
        """Those that may reach a line from ``first`` to ``last``: the one that reaches least far first."""
        found = self.said.found
        if self._near is None:
            self._near = sorted(
                (min(word.first for word in each.words), number, max(word.last for word in each.words))
                for number, each in enumerate(found)
                if each.scope is SuppressionScope.STATEMENT and each.words
            )
            wide = [each for each in found if each.scope is not SuppressionScope.STATEMENT]
            self._wide = tuple(sorted(wide, key=lambda each: _ORDER[each.scope]))
        near: list[int] = []
        at = bisect_right(self._near, (last, len(found), 0))
        while at and self._near[at - 1][0] >= first - FAR:  # no statement has more lines than it has bytes
            at -= 1
            if self._near[at][2] >= first:
                near.append(self._near[at][1])
        yield from (found[number] for number in sorted(near))
        yield from self._wide


@mutable
class Silence:
    """The suppressions of one run."""

    sources: Callable[[str], SourceFile]
    today: date
    quiet: Collection[str] = ()
    """Files known to hold none."""
    _files: dict[str, _File | None] = field(default_factory=dict)

    def read(self, source: SourceFile, ran: frozenset[str], *, judged: bool, includers: frozenset[str]) -> None:
        """Take the suppressions of a file that was linted."""
        said = suppressions(source)
        file = _File(source, said, ran, judged, includers)
        self._files[source.path] = file if said.found or said.flawed else None

    def split(self, diagnostics: Sequence[Diagnostic]) -> tuple[list[Diagnostic], list[Silenced]]:
        """Those that are reported, and those that are suppressed."""
        reported: list[Diagnostic] = []
        silenced: list[Silenced] = []
        for each in diagnostics:
            by = self._by(each)
            if by is None:
                reported.append(each)
            else:
                silenced.append(Silenced(each, by))
        return reported, silenced

    def records(self, linted: frozenset[str]) -> Iterator[tuple[str, list[object]]]:
        """What is to be said of the suppressions themselves, by file, for the rules that judge it.

        ``linted`` has the absolute paths of the files of the run: what is unused in a header is known when all that
        include it were looked at.
        """
        for path, file in self._files.items():
            if file is None:
                continue
            records: list[object] = [_flawed(each) for each in file.said.flawed]
            for suppression in file.said.found:
                records += _faults(suppression, file, self.today, judged=file.judged and file.includers <= linted)
            if records:
                yield path, records

    def _by(self, diagnostic: Diagnostic) -> Suppression | None:
        """What silences a finding: the suppression that reaches least far, and of that all words that mean it."""
        file = self._file(diagnostic.location.path)
        if file is None:
            return None
        start, end = diagnostic.location.span
        lines = (file.source.line_of(start), file.source.line_of(max(start, end - 1)))
        for suppression in file.reaching(*lines):
            if suppression.until is not None and suppression.until < self.today:
                continue
            words = [each for each in suppression.words if _means(each, diagnostic.code, lines)]
            if words:
                file.used.update(words)
                return suppression
        return None

    def _file(self, path: str) -> _File | None:
        """The suppressions of a file, also of one that only a finding leads to."""
        if path in self.quiet:
            return None
        if path not in self._files:
            source = self.sources(path)
            said = suppressions(source)
            self._files[path] = _File(source, said, frozenset(), False, frozenset()) if said.found else None
        return self._files[path]


def _means(word: Word, code: str, lines: tuple[int, int]) -> bool:
    if not any(word.first <= line <= word.last for line in lines) or code not in codes_of(word.text):
        return False
    return not code.startswith(OWN_FAMILY) or _names_own(word)


def _faults(suppression: Suppression, file: _File, today: date, *, judged: bool) -> Iterator[object]:
    unknown = [each for each in suppression.words if not codes_of(each.text)]
    for word in unknown:
        yield _unknown(suppression, word)
    if suppression.until is not None and suppression.until < today:
        yield ExpiredSuppression(suppression.location, suppression.until, suppression.removal())
        return
    if not suppression.reason:
        yield UnexplainedSuppression(suppression.location)
    unused = [each for each in suppression.words if each not in file.used and _would_report(each, file)]
    if judged and unused:
        yield _unused(suppression, unused)


def _would_report(word: Word, file: _File) -> bool:
    """Whether all rules that a word means, but those that are not enabled, have looked at the file."""
    codes = codes_of(word.text)
    if _names_own(word):
        return False
    off = {rule.code for rule in all_rules() if not rule.enabled or rule.code.startswith(OWN_FAMILY)}
    return bool(codes & file.ran) and codes <= file.ran | off


def _names_own(word: Word) -> bool:
    """Whether a word means rules on suppressions, and no others."""
    return all(code.startswith(OWN_FAMILY) for code in codes_of(word.text))


def _unused(suppression: Suppression, unused: Sequence[Word]) -> UnusedSuppression:
    for_others = len(suppression.entries) > len(suppression.words)
    if len(unused) == len(suppression.words) and not for_others:
        return UnusedSuppression(suppression.location, (), suppression.removal())
    fix = suppression.without(each.entry for each in unused)
    return UnusedSuppression(unused[0].location, tuple(each.text for each in unused), fix)


def _unknown(suppression: Suppression, word: Word) -> UnknownSuppression:
    close = closest_word(word.text)
    if close is None:
        return UnknownSuppression(word.location, word.text, None, suppression.without([word.entry]))
    start = word.location.span.end - len(word.text.encode(errors="surrogateescape"))
    place = Location(word.location.path, word.location.span._replace(start=start))
    # Which rule was meant is a guess, and so is whether it should be silent.
    fix = Fix(f"write {close}", (Edit(place, close),), Applicability.UNSAFE)
    return UnknownSuppression(word.location, word.text, close, fix)


def _flawed(flawed: Flawed) -> UnknownSuppression:
    sentence = _WRONG[flawed.flaw].format(word=flawed.word)
    return UnknownSuppression(flawed.location, "", None, flawed.fix, sentence)
