"""The facts of files, kept as long as they are likely to be wanted again."""

from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from sycllint.facts.collect import file_facts
from sycllint.facts.file import FileFacts
from sycllint.facts.postings import Postings
from sycllint.garbage import collect_exempted
from sycllint.record import singular
from sycllint.source.text import SourceFile
from sycllint.stopwatch import phase
from sycllint.supersession import checkpoint
from sycllint.syntax.reading import damaged_places

KEPT_BYTES = 20_000_000
"""Source bytes whose facts are kept: each takes 15 to 20 bytes of memory."""
UNUSED_BYTES = 9_000_000
"""Source bytes whose facts are kept although the files that were looked at last did not ask for them."""
UNUSED_FILES = 75
"""How many files those are."""
UNCOLLECTED_BYTES = 5_000_000
"""Source bytes whose facts may be dropped before the garbage collector looks for those that something still knows."""

_Key: TypeAlias = tuple[str, frozenset[tuple[str, str]]]


@singular
class _KeptFile:
    source: SourceFile
    facts: FileFacts
    turn: int
    """The turn in which it was last asked for."""


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
        self.make = file_facts
        """What makes facts of a path, bytes and macros."""
        self._most = most
        self._kept: OrderedDict[_Key, _KeptFile] = OrderedDict()
        self._bytes = 0
        self._turn = 0
        self._alive: set[int] = set()
        self._dropped = 0
        self._uncollected = 0
        """Source bytes whose facts were dropped since the garbage collector looked at everything."""
        self.drops = 0
        """How many facts were dropped so far."""
        self._readers: dict[frozenset[tuple[str, str]], FactsUnder] = {}
        self.postings = Postings()
        """Which files hold a name."""

    def of(self, path: str, source: SourceFile, defines: Mapping[str, str]) -> FileFacts:
        """The facts of ``source``, which is the file at ``path``, under the macros ``defines``."""
        return self.under(defines).of(path, source)

    def under(self, defines: Mapping[str, str]) -> "FactsUnder":
        """The facts of files under the macros ``defines``."""
        key = frozenset(defines.items())
        if key not in self._readers:
            self._readers[key] = FactsUnder(self, dict(defines))
        return self._readers[key]

    def read(self, path: str, source: SourceFile, defines: Mapping[str, str], key: _Key) -> FileFacts:
        """The facts of ``source``, which names no macros of the build but ``defines``."""
        known = self._kept.get(key)
        if known is not None and known.source.content == source.content and known.source.path == source.path:
            self._kept.move_to_end(key)
            known.turn = self._turn
            return known.facts
        checkpoint()
        with phase("parsing and facts"):
            facts = self.make(source.path, source.content, defines)
        self._bytes += len(source.content) - (0 if known is None else len(known.source.content))
        if known is not None:
            self._let_go(known.facts)
        self._kept[key] = _KeptFile(source, facts, self._turn)
        self._alive.add(id(facts))
        self._kept.move_to_end(key)
        while self._bytes > self._most and len(self._kept) > 1:
            self._drop_first()
        return facts

    def next_file(self) -> None:
        """Another file is looked at: what was not asked for in a long time goes, if it is much."""
        self._turn += 1
        oldest = self._turn - UNUSED_FILES
        while self._bytes > UNUSED_BYTES and next(iter(self._kept.values())).turn < oldest:
            self._drop_first()
        if self._uncollected > UNCOLLECTED_BYTES:
            self._uncollected = 0
            collect_exempted()

    def _drop_first(self) -> None:
        gone, dropped = self._kept.popitem(last=False)
        for each in self._readers.values():
            each.forget(gone[0])
        self._bytes -= len(dropped.source.content)
        self._uncollected += len(dropped.source.content)
        self._let_go(dropped.facts)
        self._dropped += 1
        if self._dropped > 2 * len(self._kept):
            # Most of what the index says is of files that are gone.
            self._dropped = 0
            self.postings = Postings()

    def damaged(self, source: SourceFile, defines: Mapping[str, str]) -> int:
        """How many places of a file do not parse, where nothing else is asked of it."""
        checkpoint()
        with phase("parsing and facts"):
            return len(damaged_places(source.content, defines))

    def _let_go(self, facts: FileFacts) -> None:
        self._alive.discard(id(facts))
        # What was made of the facts knows them, and the collector leaves both out.
        facts.made.clear()
        self.drops += 1

    def prefer(self, keys: Iterable[_Key]) -> None:
        """Drop none of these before all others are dropped; the last of them last."""
        for each in keys:
            if each in self._kept:
                self._kept.move_to_end(each)

    def has_all(self, files: Iterable[FileFacts]) -> bool:
        """Whether none of these facts was dropped; what macros wrote goes with its file."""
        return all(each.origin is not None or id(each) in self._alive for each in files)


class FactsUnder:
    """The facts of files under the same macros, as ``KeptFacts`` has them."""

    def __init__(self, kept: KeptFacts, defines: Mapping[str, str]) -> None:
        self._kept = kept
        self._defines = defines
        self._concerning: dict[str, tuple[bytes, Mapping[str, str], _Key]] = {}
        """By path: the text, which of the macros concern it, and the key of its facts."""

    def of(self, path: str, source: SourceFile) -> FileFacts:
        """The facts of ``source``, which is the file at ``path``."""
        content = source.content
        known = self._concerning.get(path)
        if known is None or known[0] is not content:
            defines = concerning(content, self._defines)
            known = self._concerning[path] = (content, defines, (path, frozenset(defines.items())))
        return self._kept.read(path, source, known[1], known[2])

    def about_to_be_asked(self, paths: Sequence[str]) -> None:
        """These files are asked for next, in this order.

        A unit has most of its headers in common with the last one, so that what was asked for least recently is what
        it asks for next: where not all are kept, each file that is made would drop the next one that it needs.
        """
        known = (self._concerning.get(each) for each in reversed(paths))
        self._kept.prefer(each[2] for each in known if each is not None)

    def forget(self, path: str) -> None:
        """Keep nothing of a file whose facts were dropped."""
        self._concerning.pop(path, None)
