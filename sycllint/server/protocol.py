"""The language server protocol: pygls and lsprotocol on one side, ``Scheduler`` and plain values on the other.

Everything here runs on the event loop's thread; what takes time is run by ``Scheduler``.
"""

import os
import tempfile

from lsprotocol import types
from pygls.lsp.server import LanguageServer
from pygls.uris import to_fs_path

from sycllint.server.documents import Document
from sycllint.server.launch_text import lenses
from sycllint.server.problems import problems
from sycllint.server.scheduler import Scheduler
from sycllint.server.session import Settings, Snapshot, name_of
from sycllint.version import __version__


class Server(LanguageServer):
    """One client, its open documents, and what was published to it last."""

    scheduler: Scheduler

    def __init__(self, settings: Settings) -> None:
        super().__init__("sycllint", __version__, text_document_sync_kind=types.TextDocumentSyncKind.Full)
        self._settings = settings
        self._published: dict[str, tuple[int | None, list[types.Diagnostic]]] = {}
        """By absolute path: the version and the problems that were published last."""
        self._lenses: dict[str, tuple[int | None, list[types.CodeLens]]] = {}
        """By absolute path: the version and the lenses of the last snapshot."""
        self._complaint = ""
        """The last error of the configuration."""
        self._noticed: frozenset[str] = frozenset()
        self._pages: str | None = None
        self.asks_reasons = False
        """The client asks for the reason of a suppression."""
        self.shows_pages = False
        """The client shows the page of a rule that it is given the path of."""

    # ---------------------------------------------------------------- session

    def begin(self, params: types.InitializeParams) -> None:
        """Settle in the client's folder and take its wishes."""
        folders = [each.uri for each in params.workspace_folders or ()]
        root = to_fs_path(folders[0] if folders else params.root_uri or "") if folders or params.root_uri else None
        if root is not None and os.path.isdir(root):
            os.chdir(root)
        wishes = params.initialization_options if isinstance(params.initialization_options, dict) else {}
        self.asks_reasons = wishes.get("asksReason") is True
        self.shows_pages = wishes.get("showsPages") is True
        self.scheduler = Scheduler(self._settings, self.publish, self.failed)

    def stop(self) -> None:
        """No more looks."""
        if hasattr(self, "scheduler"):
            self.scheduler.stop()

    @property
    def units(self) -> types.PositionEncodingKind:
        """The position encoding that client and server agreed on."""
        return types.PositionEncodingKind(self.server_capabilities.position_encoding or "utf-16")

    def take(self, uri: str) -> None:
        """Take the newest text of a document."""
        path = path_of(uri)
        if path is not None:
            text = self.workspace.get_text_document(uri)
            document = Document(path, uri, text.version, text.source.encode(errors="surrogatepass"))
            self.scheduler.change(self.scheduler.documents.with_(document))

    def drop(self, uri: str) -> None:
        """A document is closed."""
        path = path_of(uri)
        if path is not None:
            self.scheduler.change(self.scheduler.documents.without(path))

    # ---------------------------------------------------------------- telling

    def publish(self, snapshot: Snapshot) -> None:
        """Send what changed; nothing of a text that was edited in between."""
        found = problems(snapshot, self.units)
        for path in self._published.keys() - found.keys():
            found[path] = []
        for path, here in found.items():
            document = snapshot.documents.open.get(path)
            newest = self.scheduler.documents.open.get(path)
            if newest is not document:
                continue
            version = document.version if document is not None else None
            if self._published.get(path) != (version, here):
                uri = self.scheduler.documents.uri_of(path)
                self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, here, version))
            if here or document is not None:
                self._published[path] = (version, here)
            else:
                self._published.pop(path, None)
        self._refresh(snapshot)
        self._tell_fault(snapshot)
        for notice in snapshot.notices:
            if notice not in self._noticed:
                self.log(notice, types.MessageType.Warning)
        self._noticed = frozenset(snapshot.notices)

    def _refresh(self, snapshot: Snapshot) -> None:
        """Have lenses and hints asked for again where they changed and the text did not."""
        shown_now: dict[str, tuple[int | None, list[types.CodeLens]]] = {}
        for document in snapshot.documents:
            if snapshot.launches.get(name_of(document)) is not None:
                found = lenses(snapshot, name_of(document), self.units)
                shown_now[document.path] = (document.version, found)
        changed = any(
            path in self._lenses and self._lenses[path][0] == version and self._lenses[path][1] != found
            for path, (version, found) in shown_now.items()
        )
        self._lenses = shown_now
        can = self.client_capabilities.workspace
        if changed and can is not None and can.code_lens is not None and can.code_lens.refresh_support:
            self.workspace_code_lens_refresh(None)
        if changed and can is not None and can.inlay_hint is not None and can.inlay_hint.refresh_support:
            self.workspace_inlay_hint_refresh(None)

    def _tell_fault(self, snapshot: Snapshot) -> None:
        complaint = "" if snapshot.fault is None else str(snapshot.fault)
        if complaint and complaint != self._complaint:
            message = types.ShowMessageParams(types.MessageType.Error, f"sycllint: {complaint}")
            self.window_show_message(message)
        self._complaint = complaint

    def failed(self, crash: BaseException) -> None:
        """A look crashed: the documents keep what was said of them."""
        what = " ".join(f"{type(crash).__name__}: {crash}".split())
        self.log(f"internal error: {what}; report this bug", types.MessageType.Error)

    def log(self, text: str, kind: types.MessageType) -> None:
        """A line for the client's log."""
        self.window_log_message(types.LogMessageParams(kind, text))

    # ----------------------------------------------------------------- values

    def page(self, code: str) -> str:
        """The path of a file with the page of a rule."""
        from sycllint.registry import find_rule
        from sycllint.report.rule_pages.page import markdown

        rule = find_rule(code)
        if self._pages is None:
            self._pages = tempfile.mkdtemp(prefix="sycllint-")
        path = os.path.join(self._pages, f"{rule.code}.md")
        with open(path, "w", encoding="utf-8") as stream:
            stream.write(f"# {rule.code} {rule.name}\n\n{markdown(rule.page)}")
        return path


def path_of(uri: str) -> str | None:
    """The absolute path of a document; ``None`` of one that is no file, as one that was never saved."""
    path = to_fs_path(uri) if uri.startswith("file:") else None
    return None if path is None else os.path.abspath(path)
