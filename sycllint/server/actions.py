"""What an editor offers to do about a finding: edits of open and other files, each made as a whole."""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from enum import Enum

from sycllint.diagnostic import Diagnostic
from sycllint.pipeline.fixing import apply_fixes
from sycllint.pipeline.silencing import comments_before, is_about_suppressions
from sycllint.record import NamedTuple, record
from sycllint.server.place import LspRange, PositionEncoding, range_of
from sycllint.server.problems import range_in
from sycllint.server.session import Session, Snapshot
from sycllint.source.edit import Applicability, Edit, line_end_of
from sycllint.source.span import Location, Span
from sycllint.source.text import SourceFile

REASON = "<reason>"
"""The placeholder for the reason in a new suppression."""


class TextEdit(NamedTuple):
    """``text`` in place of a range."""

    range: LspRange
    text: str


Changes = Mapping[str, tuple[TextEdit, ...]]
"""Edits by absolute path, in order, of which no two overlap."""


class ActionKind(Enum):
    """What an action is for. Source: Language Server Protocol 3.17, "Code Action Kind"."""

    FIX = "quickfix"
    FIX_ALL = "source.fixAll.sycllint"


@record
class Suppress:
    """A suppression to be written before a line, once its author has said why."""

    path: str
    """Absolute."""
    offset: int
    codes: tuple[str, ...]


@record
class Action:
    """One thing to do. ``changes`` are made; else ``page`` is shown; else ``suppress`` asks for a reason."""

    title: str
    kind: ActionKind
    solves: tuple[Diagnostic, ...] = ()
    preferred: bool = False
    """The one that an editor takes when asked to fix without asking which way."""
    changes: Changes | None = None
    page: str | None = None
    """The code of the rule whose page is to be opened."""
    suppress: Suppress | None = None


def actions(snapshot: Snapshot, path: str, where: LspRange, units: PositionEncoding, *, asks: bool) -> Iterator[Action]:
    """What can be done about the findings in a range of a file (by path as shown).

    ``asks``: the client asks for the reason of a suppression; else it gets a comment with a gap for it.
    """
    found = snapshot.diagnostics.get(path, ())
    here = [each for each in found if range_in(each.location, snapshot, units).touches(where)]
    for each in here:
        if each.fix is not None and each.fix.edits:
            safe = each.fix.applicability is Applicability.SAFE
            title = each.fix.description if safe else f"{each.fix.description} (may change what the program does)"
            changes = edits(each.fix.edits, snapshot, units)
            yield Action(_capital(title), ActionKind.FIX, (each,), preferred=safe, changes=changes)
    for each in _distinct(here):
        if not is_about_suppressions(each):
            yield from _suppressing(each, snapshot, units, asks=asks)
    for each in _distinct(here):
        yield Action(f"Open the page of {each.code} {each.name}", ActionKind.FIX, (each,), page=each.code)


def can_fix_all(snapshot: Snapshot, path: str) -> bool:
    """Whether a safe fix is waiting in a file."""
    fixes = (each.fix for each in snapshot.diagnostics.get(path, ()))
    return any(fix is not None and fix.edits and fix.applicability is Applicability.SAFE for fix in fixes)


def fix_all(session: Session, snapshot: Snapshot, path: str, units: PositionEncoding) -> Changes:
    """The safe fixes of one file (by path as shown), as ``sycllint check --fix`` makes them."""
    setup = session.setup([path])
    fixed = apply_fixes([path], setup.configs, filters=setup.filters, texts=snapshot.texts)
    return {
        os.path.abspath(each.path): tuple(_differences(SourceFile(each.path, each.before), each.after, units))
        for each in fixed.files
    }


def suppression(snapshot: Snapshot, wanted: Suppress, path: str, reason: str, units: PositionEncoding) -> Changes:
    """The comment that silences findings on a line of a file (by path as shown); nothing where none can stand."""
    source = snapshot.source(path)
    place = Location(path, Span(wanted.offset, wanted.offset))
    comments, _ = comments_before(source, [(place, code) for code in wanted.codes], " ".join(reason.split()))
    return edits(comments, snapshot, units)


def edits(made: Iterable[Edit], snapshot: Snapshot, units: PositionEncoding) -> Changes:
    """Edits of bytes as edits of text; a line end is written as the file writes its own."""
    found: dict[str, list[TextEdit]] = {}
    for each in sorted(dict.fromkeys(made), key=lambda edit: edit.location):
        source = snapshot.source(each.location.path)
        text = each.text.replace("\n", line_end_of(source.content))
        place = range_of(source, each.location.span, units)
        found.setdefault(os.path.abspath(each.location.path), []).append(TextEdit(place, text))
    return {path: tuple(changes) for path, changes in found.items()}


def _suppressing(each: Diagnostic, snapshot: Snapshot, units: PositionEncoding, *, asks: bool) -> Iterator[Action]:
    title = f"Suppress {each.code} here"
    wanted = Suppress(os.path.abspath(each.location.path), each.location.span.start, (each.code,))
    if asks:
        yield Action(f"{title} …", ActionKind.FIX, (each,), suppress=wanted)
        return
    changes = suppression(snapshot, wanted, each.location.path, REASON, units)
    if changes:
        yield Action(title, ActionKind.FIX, (each,), changes=changes)


def _distinct(diagnostics: Sequence[Diagnostic]) -> list[Diagnostic]:
    """The first of each rule."""
    return list({each.code: each for each in reversed(diagnostics)}.values())[::-1]


def _differences(source: SourceFile, after: bytes, units: PositionEncoding) -> Iterator[TextEdit]:
    """The lines that differ, so that cursors and folds elsewhere stay where they are."""
    old, new = source.content.splitlines(keepends=True), after.splitlines(keepends=True)
    ends = [*source.line_starts[: len(old)], len(source.content)]
    for tag, first, last, from_, to in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag != "equal":
            text = b"".join(new[from_:to]).decode(errors="replace")
            yield TextEdit(range_of(source, Span(ends[first], ends[last]), units), text)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
