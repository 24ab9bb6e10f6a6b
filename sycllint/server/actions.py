"""What an editor offers to do about a finding: edits of open and other files, each made as a whole."""

import os
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher

from lsprotocol import types

from sycllint.diagnostic import Diagnostic
from sycllint.pipeline.fixing import apply_fixes
from sycllint.pipeline.silencing import comments_before, is_about_suppressions
from sycllint.server.place import range_of, touch
from sycllint.server.problems import problem, range_in
from sycllint.server.session import Session, Snapshot
from sycllint.source.edit import Applicability, Edit, line_end_of
from sycllint.source.span import Location, Span
from sycllint.source.text import SourceFile

REASON = "<reason>"
"""The placeholder for the reason in a new suppression."""

FIX_ALL = "source.fixAll.sycllint"
"""The kind of the action that makes all safe fixes."""

SUPPRESS = "sycllint.suppress"
"""Command: write a suppression; its arguments are a URI, an offset, codes and the reason."""

OPEN_PAGE = "sycllint.openPage"
"""Command: show the page of a rule; its argument is a code."""


def actions(
    snapshot: Snapshot, path: str, where: types.Range, units: types.PositionEncodingKind, *, asks: bool
) -> Iterator[types.CodeAction]:
    """What can be done about the findings in a range of a file (by path as shown).

    ``asks``: the client asks for the reason of a suppression; else it gets a comment with a gap for it.
    """
    found = snapshot.diagnostics.get(path, ())
    here = [each for each in found if touch(range_in(each.location, snapshot, units), where)]
    for each in here:
        if each.fix is not None and each.fix.edits:
            safe = each.fix.applicability is Applicability.SAFE
            title = each.fix.description if safe else f"{each.fix.description} (may change what the program does)"
            action = _action(_capital(title), each, snapshot, units)
            action.is_preferred = safe or None
            action.edit = edits(each.fix.edits, snapshot, units)
            yield action
    for each in _distinct(here):
        if not is_about_suppressions(each):
            yield from _suppressing(each, snapshot, units, asks=asks)
    for each in _distinct(here):
        action = _action(f"Open the page of {each.code} {each.name}", each, snapshot, units)
        action.command = types.Command(action.title, OPEN_PAGE, arguments=[each.code])
        yield action


def can_fix_all(snapshot: Snapshot, path: str) -> bool:
    """Whether a safe fix is waiting in a file."""
    fixes = (each.fix for each in snapshot.diagnostics.get(path, ()))
    return any(fix is not None and fix.edits and fix.applicability is Applicability.SAFE for fix in fixes)


def fix_all(session: Session, snapshot: Snapshot, path: str, units: types.PositionEncodingKind) -> types.WorkspaceEdit:
    """The safe fixes of one file (by path as shown), as ``sycllint check --fix`` makes them."""
    setup = session.setup([path])
    fixed = apply_fixes([path], setup.configs, filters=setup.filters, texts=snapshot.texts)
    changes: dict[str, Sequence[types.TextEdit]] = {
        _uri(snapshot, each.path): list(_differences(SourceFile(each.path, each.before), each.after, units))
        for each in fixed.files
    }
    return types.WorkspaceEdit(changes=changes)


def suppression(
    snapshot: Snapshot, path: str, offset: int, codes: Sequence[str], reason: str, units: types.PositionEncodingKind
) -> types.WorkspaceEdit:
    """The comment that silences findings on a line of a file (by path as shown); nothing where none can stand."""
    place = Location(path, Span(offset, offset))
    comments, _ = comments_before(snapshot.source(path), [(place, code) for code in codes], " ".join(reason.split()))
    return edits(comments, snapshot, units)


def edits(made: Iterable[Edit], snapshot: Snapshot, units: types.PositionEncodingKind) -> types.WorkspaceEdit:
    """Edits of bytes as edits of text; a line end is written as the file writes its own."""
    found: dict[str, list[types.TextEdit]] = {}
    for each in sorted(dict.fromkeys(made), key=lambda edit: edit.location):
        source = snapshot.source(each.location.path)
        text = each.text.replace("\n", line_end_of(source.content))
        change = types.TextEdit(range_of(source, each.location.span, units), text)
        found.setdefault(_uri(snapshot, each.location.path), []).append(change)
    return types.WorkspaceEdit(changes={**found})


def _action(title: str, each: Diagnostic, snapshot: Snapshot, units: types.PositionEncodingKind) -> types.CodeAction:
    """A way to deal with one finding, of which nothing but the title is known."""
    return types.CodeAction(title, types.CodeActionKind.QuickFix, [problem(each, snapshot, units)])


def _suppressing(
    each: Diagnostic, snapshot: Snapshot, units: types.PositionEncodingKind, *, asks: bool
) -> Iterator[types.CodeAction]:
    action = _action(f"Suppress {each.code} here", each, snapshot, units)
    path, offset = each.location.path, each.location.span.start
    if asks:
        action.title += " …"
        action.command = types.Command(action.title, SUPPRESS, arguments=[_uri(snapshot, path), offset, [each.code]])
        yield action
        return
    action.edit = suppression(snapshot, path, offset, [each.code], REASON, units)
    if action.edit.changes:
        yield action


def _uri(snapshot: Snapshot, path: str) -> str:
    return snapshot.documents.uri_of(os.path.abspath(path))


def _distinct(diagnostics: Sequence[Diagnostic]) -> list[Diagnostic]:
    """The first of each rule."""
    return list({each.code: each for each in reversed(diagnostics)}.values())[::-1]


def _differences(source: SourceFile, after: bytes, units: types.PositionEncodingKind) -> Iterator[types.TextEdit]:
    """The lines that differ, so that cursors and folds elsewhere stay where they are."""
    old, new = source.content.splitlines(keepends=True), after.splitlines(keepends=True)
    ends = [*source.line_starts[: len(old)], len(source.content)]
    for tag, first, last, from_, to in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag != "equal":
            text = b"".join(new[from_:to]).decode(errors="replace")
            yield types.TextEdit(range_of(source, Span(ends[first], ends[last]), units), text)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
