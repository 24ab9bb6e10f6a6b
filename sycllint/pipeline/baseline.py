"""A baseline: the findings of a project that were there before, kept so that only new ones are reported.

An entry is known again by its file, its rule and the text at its place without white space. So lines may move, be
indented or broken otherwise; when a file is gone, its entries are looked for in the files that may be its new name.
"""

import os
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence

from sycllint.diagnostic import Diagnostic, Severity
from sycllint.errors import SycllintError
from sycllint.grouping import grouped
from sycllint.record import field, mutable, record
from sycllint.registry import all_rules
from sycllint.source.files import shown
from sycllint.source.regular import regular_content
from sycllint.source.replace import replace_file, write_new
from sycllint.source.text import SourceFile

VERSION = 1
_LARGEST = 500_000_000
"""Bytes of a baseline: a million findings have half of that."""

_FAR = 1200  # bytes around a finding in which its neighbourhood is looked for
_NEAR = 96  # of them, without white space, that make it
_LEVELS = {severity.label: severity for severity in Severity}


@record
class BaselineEntry:
    """One finding that was there before."""

    path: str
    """From the baseline's folder, forward slashes."""
    code: str
    severity: Severity
    text: str
    """Hash of the text at the finding's place."""
    context: str
    """Hash of the same with its neighbourhood."""
    message: str
    """For the reader; it takes no part in finding the entry again."""


@record
class Baseline:
    """One file of entries."""

    file: str
    """As shown."""
    entries: tuple[BaselineEntry, ...] = ()

    @property
    def folder(self) -> str:
        """Absolute path of the directory that paths are relative to."""
        return os.path.dirname(os.path.abspath(self.file))


@record
class Comparison:
    """Findings held against a baseline."""

    known: frozenset[int]
    """Which findings it has, by their number."""
    left: tuple[BaselineEntry, ...]
    """The entries that no finding is."""


def read_baseline(path: str) -> Baseline:
    """The baseline in a file. Raises ``SycllintError`` when there is none that can be read."""
    import json

    try:
        document: object = json.loads(regular_content(path, _LARGEST))
    except FileNotFoundError:
        raise SycllintError(f"{shown(path)}: no such baseline; `sycllint baseline create` writes one") from None
    except OSError as error:
        raise SycllintError(f"not read: {error.strerror}", path=shown(path)) from None
    except (ValueError, RecursionError):
        raise SycllintError("this is not JSON, as a baseline is", path=shown(path)) from None
    if not isinstance(document, dict) or document.get("version") != VERSION:
        raise SycllintError(f"this is not a baseline of version {VERSION}", path=shown(path))
    findings = document.get("findings")
    entries = [_entry(each) for each in findings] if isinstance(findings, list) else [None]
    if None in entries:
        raise SycllintError("an entry of this baseline is broken; `sycllint baseline update` rewrites it",
                            path=shown(path))  # fmt: skip
    return Baseline(shown(path), tuple(each for each in entries if each is not None))


def write_baseline(baseline: Baseline) -> None:
    """Put it in its file."""
    _put(baseline.file, baseline_text(baseline.entries).encode())


def baseline_text(entries: Iterable[BaselineEntry]) -> str:
    """A baseline as it is written, one entry a line, sorted: a change of it reads well as a diff."""
    import json

    lines = [
        json.dumps(
            {
                "path": each.path,
                "code": each.code,
                "severity": each.severity.label,
                "text": each.text,
                "context": each.context,
                "message": each.message,
            }
        )
        for each in sorted(entries, key=lambda each: (each.path, each.code, each.text, each.context))
    ]
    body = "".join(f"\n    {line}{',' if number < len(lines) else ''}" for number, line in enumerate(lines, 1))
    return f'{{\n  "version": {VERSION},\n  "findings": [{body}{chr(10) + "  " if lines else ""}]\n}}\n'


def merged_entries(baselines: Iterable[Sequence[BaselineEntry]]) -> tuple[BaselineEntry, ...]:
    """The entries of several baselines for one folder; what several have is there as often as in the one with most."""
    most: Counter[BaselineEntry] = Counter()
    for entries in baselines:
        most |= Counter(entries)
    return tuple(most.elements())


def entries_of(
    diagnostics: Sequence[Diagnostic], folder: str, sources: Callable[[str], SourceFile]
) -> tuple[BaselineEntry, ...]:
    """What a baseline in ``folder`` keeps of ``diagnostics``, one for one."""
    return tuple(_entry_of(each, folder, sources(each.location.path)) for each in diagnostics)


def compare(found: Sequence[BaselineEntry], baseline: Baseline) -> Comparison:
    """Which of ``found`` the baseline has. Each entry stands for one finding that weighs no more than it did.

    First those whose neighbourhood is the same, then those that have the same text in the same file. Entries of files
    that are gone are looked for elsewhere, by neighbourhood, then by text in files of the same name and in those where
    others of the same file were found.
    """
    matching = _Matching(found, dict(enumerate(baseline.entries)))
    matching.round(lambda entry: (entry.path, entry.code, entry.context))
    matching.round(lambda entry: (entry.path, entry.code, entry.text))
    gone = _gone(baseline)
    if gone:
        matching.left, kept = _split(matching.left, gone)
        matching.round(lambda entry: (_name(entry), entry.code, entry.context))
        matching.round(lambda entry: (entry.code, entry.context))
        matching.round(lambda entry: (matching.moves.get(entry.path, entry.path), entry.code, entry.text))
        matching.round(lambda entry: (_name(entry), entry.code, entry.text))
        matching.left |= kept
    return Comparison(frozenset(matching.known), tuple(matching.left[each] for each in sorted(matching.left)))


@mutable
class _Matching:
    """Findings and entries that have not met yet, by number."""

    found: Sequence[BaselineEntry]
    left: dict[int, BaselineEntry]
    known: set[int] = field(default_factory=set)
    moves: dict[str, str] = field(default_factory=dict)
    """Where entries of a file were found, when not in it."""

    def round(self, key: Callable[[BaselineEntry], Hashable]) -> None:
        """Let those meet that have the same key."""
        waiting = grouped((key(entry), number) for number, entry in self.left.items())
        for number, entry in enumerate(self.found):
            candidates = [] if number in self.known else waiting.get(key(entry), [])
            match = next((each for each in candidates if self.left[each].severity >= entry.severity), None)
            if match is not None:
                candidates.remove(match)
                self.known.add(number)
                self.moves.setdefault(self.left.pop(match).path, entry.path)


def _split(
    entries: dict[int, BaselineEntry], gone: frozenset[str]
) -> tuple[dict[int, BaselineEntry], dict[int, BaselineEntry]]:
    """Those of files that are gone, and the others."""
    return (
        {number: each for number, each in entries.items() if each.path in gone},
        {number: each for number, each in entries.items() if each.path not in gone},
    )


def _gone(baseline: Baseline) -> frozenset[str]:
    paths = {entry.path for entry in baseline.entries}
    return frozenset(each for each in paths if not os.path.exists(os.path.join(baseline.folder, each)))


def _name(entry: BaselineEntry) -> str:
    return entry.path.rpartition("/")[2]


def _entry_of(diagnostic: Diagnostic, folder: str, source: SourceFile) -> BaselineEntry:
    start, end = diagnostic.location.span
    content = source.content
    span = _bare(content[start:end])
    after = _bare(content[end : end + _FAR])[:_NEAR]
    before = _bare(content[max(0, start - _FAR) : start])[-_NEAR:]
    return BaselineEntry(
        path=shown(diagnostic.location.path, folder),
        code=diagnostic.code,
        severity=diagnostic.severity,
        text=_hash(span + after[: _NEAR // 4]),
        context=_hash(before + b"\0" + span + b"\0" + after),
        message=diagnostic.message,
    )


def _bare(text: bytes) -> bytes:
    """Without white space, and without the line splices of macros."""
    return b"".join(text.split()).replace(b"\\", b"")


def _hash(text: bytes) -> str:
    import hashlib

    return hashlib.sha256(text).hexdigest()[:16]


def _entry(value: object) -> BaselineEntry | None:
    match value:
        case {
            "path": str(path),
            "code": str(code),
            "severity": str(severity),
            "text": str(text),
            "context": str(context),
            "message": str(message),
        } if severity in _LEVELS:
            return BaselineEntry(path, code, _LEVELS[severity], text, context, message)
        case _:
            return None


def _put(path: str, text: bytes) -> None:
    try:
        old: bytes | None = regular_content(path, _LARGEST)
    except FileNotFoundError:
        old = None
    except OSError as error:
        raise SycllintError(f"{shown(path)}: not written: {error.strerror}") from None
    try:
        if old is None:
            write_new(path, text)
        elif complaint := replace_file(path, old, text):
            raise SycllintError(complaint)
    except OSError as error:
        raise SycllintError(f"{shown(path)}: not written: {error.strerror}") from None


def absent_entries(
    left: Sequence[BaselineEntry],
    baseline: Baseline,
    linted: Mapping[str, frozenset[str]],
    paths: Sequence[str],
    includers: Callable[[str], frozenset[str]],
) -> Iterator[BaselineEntry]:
    """Those of ``left`` that a run over ``paths`` would have found, were they still there.

    Their file was linted by their rule (``linted`` has the codes by path), and so were all files that include it
    (``includers``, absolute paths); or it has gone from a directory that was searched.
    """
    rules = {rule.code for rule in all_rules()}
    ran = {shown(path, baseline.folder): (path, codes) for path, codes in linted.items()}
    seen = frozenset(map(os.path.abspath, linted))
    searched = tuple(os.path.join(os.path.abspath(path), "") for path in paths if os.path.isdir(path))
    for entry in left:
        place = os.path.normpath(os.path.join(baseline.folder, entry.path))
        if entry.path in ran:
            path, codes = ran[entry.path]
            if (entry.code in codes or entry.code not in rules) and includers(path) <= seen:
                yield entry
        elif not os.path.exists(place) and place.startswith(searched):
            yield entry
