"""The facts of files, kept as long as they are likely to be wanted again."""

from collections import OrderedDict
from collections.abc import Mapping

from sycllint.facts.collect import file_facts
from sycllint.facts.file import FileFacts
from sycllint.facts.postings import Postings
from sycllint.record import NamedTuple
from sycllint.source.text import SourceFile
from sycllint.stopwatch import phase
from sycllint.supersession import checkpoint

KEPT_BYTES = 13_000_000
"""Source bytes whose facts are kept."""

_Key = tuple[str, frozenset[tuple[str, str]]]


class _Kept(NamedTuple):
    source: SourceFile
    facts: FileFacts


def concerning(content: bytes, defines: Mapping[str, str]) -> Mapping[str, str]:
    """Those of the macros ``defines`` that a file's bytes name, themselves or through the text of another one.

    A file reads the same under the others, so that programs which define them differently share its facts.
    """
    found: dict[str, str] = {}
    texts = [content]
    while texts:
        text = texts.pop()
        named = {name: value for name, value in defines.items() if name not in found and name.encode() in text}
        found.update(named)
        texts += (value.encode() for value in named.values())
    return found


class KeptFacts:
    """Facts by path and macros, those asked for least recently dropped first; of one file only its newest text's."""

    def __init__(self, most: int = KEPT_BYTES) -> None:
        """``most``: source bytes whose facts are kept."""
        self._most = most
        self._kept: OrderedDict[_Key, _Kept] = OrderedDict()
        self._bytes = 0
        self._dropped = 0
        self.postings = Postings()
        """Which files hold a name."""

    def of(self, path: str, source: SourceFile, defines: Mapping[str, str]) -> FileFacts:
        """The facts of ``source``, which is the file at ``path``, under the macros ``defines``."""
        defines = concerning(source.content, defines)
        key = (path, frozenset(defines.items()))
        known = self._kept.get(key)
        if known is not None and known.source.content == source.content and known.source.path == source.path:
            self._kept.move_to_end(key)
            return known.facts
        checkpoint()
        with phase("parsing and facts"):
            facts = file_facts(source.path, source.content, defines)
        self._bytes += len(source.content) - (0 if known is None else len(known.source.content))
        self._kept[key] = _Kept(source, facts)
        self._kept.move_to_end(key)
        while self._bytes > self._most and len(self._kept) > 1:
            _, dropped = self._kept.popitem(last=False)
            self._bytes -= len(dropped.source.content)
            self._dropped += 1
        if self._dropped > 2 * len(self._kept):
            # Most of what the index says is of files that are gone.
            self._dropped = 0
            self.postings = Postings()
        return facts
