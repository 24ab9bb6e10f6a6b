"""Open documents to what is known of them: the diagnostics of ``sycllint check``, and their launches."""

from collections.abc import Callable, Mapping, Sequence

from sycllint.config import Configs
from sycllint.diagnostic import Diagnostic
from sycllint.errors import SycllintError
from sycllint.grouping import grouped
from sycllint.pipeline import Filters, check
from sycllint.pipeline.cache import Cache
from sycllint.pipeline.resident import Resident
from sycllint.record import NamedTuple, field, record
from sycllint.server.documents import Document, Documents
from sycllint.server.records import Launches, Remembered, unsaved
from sycllint.source.disk import Disk
from sycllint.source.files import shown
from sycllint.source.text import SourceFile


class Setup(NamedTuple):
    """The settings of one run, as its command line and the configuration on the disk have them."""

    configs: Configs
    filters: Filters
    cache: Cache | None


Settings = Callable[[Sequence[str]], Setup]
"""The settings for paths, read at each call. Raises ``SycllintError`` for what is wrong in them."""


@record
class Snapshot:
    """Open documents and all that is known of them.

    The diagnostics are those of ``sycllint check`` over the open documents in a folder where their texts are saved.
    """

    documents: Documents = Documents()
    diagnostics: Mapping[str, tuple[Diagnostic, ...]] = field(default_factory=dict)
    """By path as shown; also of files that are not open, as of a header in which something was found."""
    launches: Mapping[str, Launches] = field(default_factory=dict)
    """By path as shown; nothing of an open document whose diagnostics an earlier run left."""
    source: Callable[[str], SourceFile] = field(default=lambda path: SourceFile(path, b""), compare=False, repr=False)
    """The text of a path as shown, as it was linted."""
    fault: SycllintError | None = None
    """The error in the configuration; nothing was linted then."""
    notices: tuple[str, ...] = ()
    texts: Mapping[str, bytes] = field(default_factory=dict)
    """The unsaved ones, by path as shown."""
    checked: frozenset[str] = frozenset()
    """Paths of the files that were linted."""

    @property
    def unknown(self) -> frozenset[str]:
        """Open documents whose launches were not looked for."""
        return self.checked - self.launches.keys()


class Session:
    """The state that is kept from one run over the open documents to the next. Not thread-safe."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._records = Remembered()
        self._resident = Resident(take=self._records.take)

    def look(self, documents: Documents, relint: frozenset[str] = frozenset()) -> Snapshot:
        """The snapshot of ``documents``. ``relint``: paths that are linted again where their record has no launches.

        A mistake in the configuration is the ``fault`` of the answer; ``Superseded`` passes through.
        """
        paths = sorted(map(name_of, documents))
        open_texts = {name_of(each): each.content for each in documents}
        disk = Disk(memory=self._resident.memory)
        texts = unsaved(open_texts, disk)
        if not paths:
            return Snapshot(documents)
        try:
            setup = self._settings(paths)
            self._records.begin(None if texts else setup.cache, relint)
            result = check(
                paths,
                setup.configs,
                texts=texts,
                filters=setup.filters,
                cache=self._records,
                resident=self._resident,
            )
        except SycllintError as error:
            return Snapshot(documents, fault=error, source=_sources(texts), texts=texts)
        finally:
            self._records.end(paths)
        found = grouped((each.location.path, each) for each in result.diagnostics)
        return Snapshot(
            documents,
            {path: tuple(diagnostics) for path, diagnostics in found.items()},
            dict(self._records.launches),
            _sources(texts),
            notices=result.notices,
            texts=texts,
            checked=result.linted,
        )

    def setup(self, paths: Sequence[str]) -> Setup:
        """The settings for paths, as they are now."""
        return self._settings(paths)


def name_of(document: Document) -> str:
    """The path of a document as every output writes it."""
    return shown(document.path)


def _sources(texts: Mapping[str, bytes]) -> Callable[[str], SourceFile]:
    # Without the session's memory: a snapshot is read while the session is at its next look.
    disk = Disk(texts)
    return lambda path: disk.source(path) or SourceFile(path, b"")
