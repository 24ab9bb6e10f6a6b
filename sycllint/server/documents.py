"""The texts that an editor has open: a frozen set of them, replaced as a whole with each edit."""

from collections.abc import Iterator, Mapping

from pygls.uris import from_fs_path

from sycllint.record import NamedTuple, field, record, replace


class Document(NamedTuple):
    """One open text. ``path`` is absolute; ``uri`` is how the client names it."""

    path: str
    uri: str
    version: int | None
    content: bytes


@record
class Documents:
    """All open texts, as of one moment."""

    number: int = 0
    """The version of the set: it grows with every change of a document, and with every other reason to lint again."""
    open: Mapping[str, Document] = field(default_factory=dict)
    """By absolute path."""

    def with_(self, document: Document) -> "Documents":
        """A copy with one document added or replaced."""
        return replace(self, number=self.number + 1, open={**self.open, document.path: document})

    def without(self, path: str) -> "Documents":
        """A copy without one document."""
        left = {each: document for each, document in self.open.items() if each != path}
        return replace(self, number=self.number + 1, open=left)

    def again(self) -> "Documents":
        """A copy with the same texts, to be linted again."""
        return replace(self, number=self.number + 1)

    def uri_of(self, path: str) -> str:
        """The URI that the client uses for a file, by absolute path."""
        document = self.open.get(path)
        return document.uri if document is not None else from_fs_path(path) or ""

    def __iter__(self) -> Iterator[Document]:
        return iter(self.open.values())
