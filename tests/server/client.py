"""An editor for tests: a real client that starts a real server in a folder and records what the server sends."""

import asyncio
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from cattrs import Converter
from lsprotocol import types
from pygls.lsp.client import LanguageClient
from pygls.protocol import default_converter

PATIENCE = 60.0
"""Seconds after which a server that says nothing has failed a test."""


def _converter() -> Converter:
    """Reads a code action with a command as one: lsprotocol by itself takes it for the command."""
    converter: Converter = default_converter()
    union = types.Command | types.CodeAction
    converter.register_structure_hook(union, lambda each, _: converter.structure(each, types.CodeAction))
    return converter


class Editor:
    """A client, the texts that it has open, and what was published for each file."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.client = LanguageClient("tests", "1", converter_factory=_converter)
        self.published: dict[str, types.PublishDiagnosticsParams] = {}
        """By URI, the last."""
        self.publications: list[types.PublishDiagnosticsParams] = []
        self.shown: list[str] = []
        self.logged: list[str] = []
        self.applied: list[types.WorkspaceEdit] = []
        self.opened: list[str] = []
        self.refreshed = 0
        self.versions: dict[str, int] = {}
        self.texts: dict[str, str] = {}
        self._news = asyncio.Event()
        self._listen()

    def _listen(self) -> None:
        client = self.client

        @client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def published(params: types.PublishDiagnosticsParams) -> None:
            self.published[params.uri] = params
            self.publications.append(params)
            self._news.set()

        @client.feature(types.WINDOW_SHOW_MESSAGE)
        def shown(params: types.ShowMessageParams) -> None:
            self.shown.append(params.message)
            self._news.set()

        @client.feature(types.WINDOW_LOG_MESSAGE)
        def logged(params: types.LogMessageParams) -> None:
            self.logged.append(params.message)
            self._news.set()

        @client.feature(types.WORKSPACE_APPLY_EDIT)
        def apply(params: types.ApplyWorkspaceEditParams) -> types.ApplyWorkspaceEditResult:
            self.applied.append(params.edit)
            self._news.set()
            return types.ApplyWorkspaceEditResult(applied=True)

        @client.feature(types.WORKSPACE_CODE_LENS_REFRESH)
        def refresh(params: None) -> None:
            self.refreshed += 1
            self._news.set()

        @client.feature(types.WINDOW_SHOW_DOCUMENT)
        def show(params: types.ShowDocumentParams) -> types.ShowDocumentResult:
            self.opened.append(params.uri)
            self._news.set()
            return types.ShowDocumentResult(success=True)

    def uri(self, name: str) -> str:
        return (self.folder / name).as_uri()

    def open(self, name: str, text: str | None = None) -> str:
        """Open a file; with ``text``, one whose text is not that on the disk."""
        uri = self.uri(name)
        self.versions[uri] = 1
        self.texts[uri] = (self.folder / name).read_bytes().decode() if text is None else text
        item = types.TextDocumentItem(uri, "cpp", 1, self.texts[uri])
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))
        return uri

    def change(self, uri: str, text: str) -> int:
        """Edit an open file; the version of the new text."""
        self.versions[uri] += 1
        self.texts[uri] = text
        document = types.VersionedTextDocumentIdentifier(self.versions[uri], uri)
        whole = types.TextDocumentContentChangeWholeDocument(text)
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(document, [whole]))
        return self.versions[uri]

    def save(self, uri: str) -> None:
        """Write an open file to the disk."""
        Path(uri.removeprefix("file://")).write_bytes(self.texts[uri].encode())
        self.client.text_document_did_save(types.DidSaveTextDocumentParams(types.TextDocumentIdentifier(uri)))

    def close(self, uri: str) -> None:
        self.client.text_document_did_close(types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(uri)))

    async def until(self, condition: Callable[[], object]) -> None:
        """Wait until something holds."""
        async with asyncio.timeout(PATIENCE):
            while not condition():
                self._news.clear()
                await self._news.wait()

    async def diagnostics(self, uri: str) -> list[types.Diagnostic]:
        """What is published for the newest text of an open file."""
        await self.until(lambda: uri in self.published and self.published[uri].version == self.versions[uri])
        await self.quiet(uri)
        return list(self.published[uri].diagnostics)

    async def quiet(self, uri: str) -> None:
        """Wait until the server has processed all that it was sent so far."""
        everything = types.Range(types.Position(0, 0), types.Position(0, 0))
        document = types.TextDocumentIdentifier(uri)
        await self.client.text_document_inlay_hint_async(types.InlayHintParams(document, everything))

    async def codes(self, uri: str) -> list[str | int | None]:
        """The codes of those, in order."""
        return [each.code for each in await self.diagnostics(uri)]


def capabilities(
    *, encoding: types.PositionEncodingKind | None = None, resolves: bool = True
) -> types.ClientCapabilities:
    """A client that can do what most can."""
    resolve = types.ClientCodeActionResolveOptions(["edit"]) if resolves else None
    return types.ClientCapabilities(
        workspace=types.WorkspaceClientCapabilities(
            code_lens=types.CodeLensWorkspaceClientCapabilities(refresh_support=True)
        ),
        general=types.GeneralClientCapabilities(position_encodings=[encoding] if encoding else None),
        text_document=types.TextDocumentClientCapabilities(
            code_action=types.CodeActionClientCapabilities(resolve_support=resolve)
        ),
    )


@asynccontextmanager
async def editing(
    folder: Path,
    *arguments: str,
    wishes: dict[str, Any] | None = None,
    can: types.ClientCapabilities | None = None,
    command: tuple[str, ...] = (sys.executable, "-m", "sycllint"),
) -> AsyncIterator[Editor]:
    """An editor in ``folder`` with a server that is started with ``arguments``."""
    editor = Editor(folder)
    client = editor.client
    await client.start_io(*command, "server", *arguments, cwd=folder)
    try:
        await client.initialize_async(
            types.InitializeParams(
                capabilities=can or capabilities(), root_uri=folder.as_uri(), initialization_options=wishes
            )
        )
        client.initialized(types.InitializedParams())
        yield editor
    finally:
        async with asyncio.timeout(PATIENCE):
            await client.shutdown_async(None)
            client.exit(None)
            await client.stop()


def edit(folder: Path, scenario: Callable[[Editor], Awaitable[None]], *arguments: str, **wishes: Any) -> None:
    """Run a scenario with an editor."""

    async def run() -> None:
        async with editing(folder, *arguments, **wishes) as editor:
            await scenario(editor)

    asyncio.run(run())
