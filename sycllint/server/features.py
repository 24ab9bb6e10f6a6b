"""Handlers of the messages of the protocol."""

import sys
from collections.abc import Sequence

from lsprotocol import types

from sycllint.config import FILE_NAMES
from sycllint.pipeline.baselines import NAME as BASELINE
from sycllint.server.actions import FIX_ALL, OPEN_PAGE, SUPPRESS, actions, can_fix_all, fix_all, suppression
from sycllint.server.launch_text import hints, hover, lenses
from sycllint.server.place import offset_at
from sycllint.server.protocol import Server, path_of
from sycllint.server.session import Settings, Snapshot
from sycllint.source.files import shown

_WATCHED = (*FILE_NAMES, BASELINE, ".gitignore", "compile_commands.json", "CMakeLists.txt", "Makefile", "makefile")
"""Files that bear on what is found, beside the sources."""

_SOURCES = "**/*.{c,cc,cp,cpp,cxx,sycl,h,hh,hpp,hxx,ipp,inl,inc,tpp,txx,ixx,cppm}"


def serve(settings: Settings) -> None:
    """Serve a client on stdin and stdout until it says goodbye, or is gone."""
    stdout = sys.stdout.buffer
    sys.stdout = sys.stderr  # what anyone prints must not come between messages
    server = server_of(settings)
    try:
        server.start_io(sys.stdin.buffer, stdout)
    finally:
        server.stop()


def server_of(settings: Settings) -> Server:
    """A server that answers everything here."""
    server = Server(settings)
    for method, answer in (
        (types.INITIALIZE, _initialize),
        (types.INITIALIZED, _initialized),
        (types.SHUTDOWN, _shutdown),
        (types.TEXT_DOCUMENT_DID_OPEN, _changed),
        (types.TEXT_DOCUMENT_DID_CHANGE, _changed),
        (types.TEXT_DOCUMENT_DID_CLOSE, _closed),
        (types.TEXT_DOCUMENT_DID_SAVE, _again),
        (types.WORKSPACE_DID_CHANGE_WATCHED_FILES, _again),
        (types.TEXT_DOCUMENT_HOVER, _hover),
        (types.TEXT_DOCUMENT_CODE_LENS, _code_lens),
        (types.TEXT_DOCUMENT_INLAY_HINT, _inlay_hint),
        (types.CODE_ACTION_RESOLVE, _resolve),
    ):
        server.feature(method)(answer)
    kinds: list[types.CodeActionKind | str] = [types.CodeActionKind.QuickFix, FIX_ALL]
    options = types.CodeActionOptions(kinds, resolve_provider=True)
    server.feature(types.TEXT_DOCUMENT_CODE_ACTION, options)(_code_action)
    server.command(SUPPRESS)(_suppress)
    server.command(OPEN_PAGE)(_open_page)
    return server


# ------------------------------------------------------------------- documents


def _initialize(ls: Server, params: types.InitializeParams) -> None:
    ls.begin(params)


async def _initialized(ls: Server, params: types.InitializedParams) -> None:
    """Register for changes of files on the disk, where the client supports that."""
    workspace = ls.client_capabilities.workspace
    watching = workspace.did_change_watched_files if workspace is not None else None
    if watching is None or not watching.dynamic_registration:
        return
    watchers = [types.FileSystemWatcher(each) for each in (*(f"**/{name}" for name in _WATCHED), _SOURCES)]
    options = types.DidChangeWatchedFilesRegistrationOptions(watchers)
    method = types.WORKSPACE_DID_CHANGE_WATCHED_FILES
    await ls.client_register_capability_async(
        types.RegistrationParams([types.Registration("sycllint-files", method, options)])
    )


def _shutdown(ls: Server, params: object) -> None:
    ls.stop()


def _changed(ls: Server, params: types.DidOpenTextDocumentParams | types.DidChangeTextDocumentParams) -> None:
    ls.take(params.text_document.uri)


def _closed(ls: Server, params: types.DidCloseTextDocumentParams) -> None:
    ls.drop(params.text_document.uri)


def _again(ls: Server, params: object) -> None:
    """Look again: a file on the disk has changed."""
    ls.scheduler.change(ls.scheduler.documents.again())


# -------------------------------------------------------------------- launches


async def _hover(ls: Server, params: types.HoverParams) -> types.Hover | None:
    snapshot, path = await _of(ls, params.text_document.uri)
    if path is None:
        return None
    return hover(snapshot, path, offset_at(snapshot.source(path), params.position, ls.units), ls.units)


async def _code_lens(ls: Server, params: types.CodeLensParams) -> list[types.CodeLens]:
    snapshot, path = await _of(ls, params.text_document.uri)
    return lenses(snapshot, path, ls.units) if path is not None else []


async def _inlay_hint(ls: Server, params: types.InlayHintParams) -> list[types.InlayHint]:
    snapshot, path = await _of(ls, params.text_document.uri)
    found = hints(snapshot, path, ls.units) if path is not None else []
    first, last = params.range.start.line, params.range.end.line
    return [each for each in found if first <= each.position.line <= last]


# --------------------------------------------------------------------- actions


async def _code_action(ls: Server, params: types.CodeActionParams) -> list[types.CodeAction]:
    snapshot, path = await _of(ls, params.text_document.uri)
    if path is None:
        return []
    wanted = params.context.only
    found: list[types.CodeAction] = []
    if _is_wanted(types.CodeActionKind.QuickFix.value, wanted):
        found += actions(snapshot, path, params.range, ls.units, asks=ls.asks_reasons)
    if _is_wanted(FIX_ALL, wanted) and can_fix_all(snapshot, path):
        all_of_them = types.CodeAction("Make all safe fixes in this file", kind=FIX_ALL, data=params.text_document.uri)
        found.append(all_of_them if _resolves_edits(ls) else await _resolve(ls, all_of_them))
    return found


async def _resolve(ls: Server, params: types.CodeAction) -> types.CodeAction:
    """Work out the edits of an action that takes a while."""
    if params.kind == FIX_ALL and isinstance(params.data, str):
        snapshot, path = await _of(ls, params.data)
        if path is not None:
            units = ls.units
            params.edit = await ls.scheduler.in_session(lambda session: fix_all(session, snapshot, path, units))
    return params


async def _suppress(ls: Server, uri: str, offset: int, codes: list[str], reason: str) -> None:
    """Write a suppression before a line; the client has asked for the reason."""
    snapshot, path = await _of(ls, uri)
    if path is None:
        return
    edit = suppression(snapshot, path, offset, codes, reason, ls.units)
    await ls.workspace_apply_edit_async(types.ApplyWorkspaceEditParams(edit, "suppress"))


async def _open_page(ls: Server, code: str) -> str:
    """Show the page of a rule; the path of its file for a client that shows it by itself."""
    path = ls.page(code)
    if not ls.shows_pages:
        await ls.window_show_document_async(
            types.ShowDocumentParams(ls.scheduler.documents.uri_of(path), take_focus=True)
        )
    return path


# ----------------------------------------------------------------------- values


async def _of(ls: Server, uri: str) -> tuple[Snapshot, str | None]:
    """The newest snapshot, and the path of a document as it has it."""
    snapshot = await ls.scheduler.current()
    path = path_of(uri)
    return snapshot, None if path is None or path not in snapshot.documents.open else shown(path)


def _is_wanted(kind: str, wanted: Sequence[types.CodeActionKind | str] | None) -> bool:
    """Whether a client asks for actions of a kind: ``source`` and ``source.fixAll`` stand for all below them."""
    if wanted is None:
        return True
    names = (each.value if isinstance(each, types.CodeActionKind) else each for each in wanted)
    return any(kind == name or kind.startswith(f"{name}.") or name == "" for name in names)


def _resolves_edits(ls: Server) -> bool:
    document = ls.client_capabilities.text_document
    action = document.code_action if document is not None else None
    support = action.resolve_support if action is not None else None
    return support is not None and "edit" in support.properties
