"""An inverted index over the files of a run: which of them declare a name, and which may call it.

A unit has hundreds of files and is asked for thousands of names, most of which none or one of its files holds.
"""

import re
from collections.abc import Callable, KeysView, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import TypeVar, cast

from sycllint.facts.called import words_called
from sycllint.facts.extents import FunctionExtents
from sycllint.facts.file import FileFacts
from sycllint.facts.writers import Writers
from sycllint.record import NamedTuple

Made = TypeVar("Made")

DECLARED = (
    "functions",
    "structs",
    "templates",
    "variables",
    "enumerators",
    "aliases",
    "macros",
    "enums",
    "spaces",
    "renamed",
    "introduced",
)
"""The mappings of ``FileFacts`` from a name to its declarations."""
_CALLED = "called"


class Postings:
    """The numbers of the files that hold a name, by kind of name. Files are added when they are first asked for."""

    def __init__(self) -> None:
        self._count = 0
        self._lists: dict[str, dict[str, list[int]]] = {kind: {} for kind in (*DECLARED, _CALLED)}
        self._read: set[int] = set()
        """Files whose called words are in."""
        self._writers: dict[re.Pattern[str], Writers] = {}
        self._spelling: dict[bytes, Spelling] = {}
        self._callers: dict[str, Callers] = {}
        self._made: dict[object, object] = {}

    def once(self, make: Callable[[], Made]) -> Made:
        """What ``make``, a class, keeps of the files of the run."""
        if make not in self._made:
            self._made[make] = make()
        return cast("Made", self._made[make])

    def number(self, facts: FileFacts) -> int:
        """The number of a file."""
        found = facts.made.get(self)
        if isinstance(found, int):
            return found
        facts.made[self] = number = self._count
        self._count += 1
        for kind in DECLARED:
            self._add(kind, number, getattr(facts, kind))
        return number

    def read_calls(self, number: int, facts: FileFacts) -> None:
        """Have the words that a file may call among the names."""
        if number not in self._read:
            self._read.add(number)
            self._add(_CALLED, number, facts.once(words_called))

    def writers(self, text: re.Pattern[str]) -> Writers:
        """The macros that may write ``text``."""
        if text not in self._writers:
            self._writers[text] = Writers(text)
        return self._writers[text]

    def callers(self, name: str) -> "Callers":
        """The callers of ``name`` that were found so far."""
        if name not in self._callers:
            self._callers[name] = Callers(set(), {})
        return self._callers[name]

    def spelling(self, word: bytes) -> "Spelling":
        """In which files these bytes stand, as far as that was asked."""
        if word not in self._spelling:
            self._spelling[word] = Spelling(set(), set())
        return self._spelling[word]

    def of(self, kind: str) -> Mapping[str, Sequence[int]]:
        """By name, the numbers of the files that hold it."""
        return self._lists[kind]

    def _add(self, kind: str, number: int, names: Mapping[str, object] | frozenset[str]) -> None:
        lists = self._lists[kind]
        for name in names:
            if name in lists:
                lists[name].append(number)
            else:
                lists[name] = [number]


class Spelling(NamedTuple):
    """The numbers of the files that were looked through for some bytes, and of those that hold them."""

    looked: set[int]
    holding: set[int]


class Callers(NamedTuple):
    """The numbers of the files that were looked through for calls of a name, and the functions in which there are."""

    looked: set[int]
    found: dict[int, frozenset[str]]
    """By the number of a file; without those that have none."""


class FileSet:
    """Files in an order, and which of them hold a name."""

    def __init__(self, files: Sequence[FileFacts], postings: Postings | None = None) -> None:
        """``postings``: of a run, to share what is known of a file with other sets that hold it."""
        self.files = tuple(files)
        self.run = postings or Postings()
        self._positions = {self.run.number(each): position for position, each in enumerate(self.files)}
        self._has_calls = False

    @property
    def numbers(self) -> KeysView[int]:
        """The numbers of the files, unique within the run."""
        return self._positions.keys()

    def only(self, numbers: AbstractSet[int]) -> "FileSet":
        """The subset with these numbers."""
        return FileSet([self.files[each] for number, each in self._positions.items() if number in numbers], self.run)

    def declaring(self, kind: str, name: str) -> list[FileFacts]:
        """The files that declare a name, in order; ``kind``: one of ``DECLARED``."""
        return self._holding(kind, name)

    def declared(self, kind: str) -> KeysView[str]:
        """The names that these files declare, and those of other files of the run; ``kind`` as in ``declaring``."""
        return self.run.of(kind).keys()

    def may_call(self, name: str) -> list[FileFacts]:
        """The files in which something of this unqualified name may be called, in order."""
        if not name.isidentifier():
            return [*self.files]
        self._read_calls()
        return self._holding(_CALLED, name)

    def callers(self, name: str) -> set[str]:
        """The unqualified names of the functions in which ``name`` is called."""
        self._read_calls()
        looked, found = self.run.callers(name)
        numbers = self._numbers(_CALLED, name) if name.isidentifier() else self._positions.keys()
        for number in numbers - looked:
            looked.add(number)
            facts = self.files[self._positions[number]]
            callers = facts.once(FunctionExtents).callers(facts, name)
            if callers:
                found[number] = callers
        return set().union(*(found[number] for number in found.keys() & numbers))

    def _read_calls(self) -> None:
        if not self._has_calls:
            self._has_calls = True
            for number, position in self._positions.items():
                self.run.read_calls(number, self.files[position])

    def spells(self, word: bytes) -> bool:
        """Whether these bytes stand anywhere in the text of the files."""
        return bool(self._spelling(word))

    def spelling(self, word: bytes) -> list[FileFacts]:
        """The files in whose text these bytes stand, in order."""
        return [self.files[each] for each in sorted(map(self._positions.__getitem__, self._spelling(word)))]

    def _spelling(self, word: bytes) -> AbstractSet[int]:
        looked, holding = self.run.spelling(word)
        for number in self._positions.keys() - looked:
            looked.add(number)
            if word in self.files[self._positions[number]].content:
                holding.add(number)
        return holding & self._positions.keys()

    def writers(self, text: re.Pattern[str]) -> Writers:
        """The macros that may write ``text``: all that do in these files are among them."""
        writers = self.run.writers(text)
        for each in self.files:
            if each.macros:
                writers.take(each)
        return writers

    def _holding(self, kind: str, name: str) -> list[FileFacts]:
        return [self.files[each] for each in sorted(map(self._positions.__getitem__, self._numbers(kind, name)))]

    def _numbers(self, kind: str, name: str) -> AbstractSet[int]:
        """The numbers of those files that hold a name."""
        return self._positions.keys() & self.run.of(kind).get(name, ())
