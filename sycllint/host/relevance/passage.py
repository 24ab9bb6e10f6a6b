"""The text of one function, and the calls in it that matter: commands, waits, functions that are entered."""

import string
from bisect import bisect_left
from collections.abc import Sequence

from sycllint.cpp.statement import Function
from sycllint.facts.file import FileFacts
from sycllint.host.relevance.wording import code_of
from sycllint.host.vocabulary import ASYNC_FUNCTIONS, OPERATIONS
from sycllint.record import NamedTuple

_LETTERS = frozenset(f"{string.ascii_letters}{string.digits}_")
WAITS = frozenset({"wait", "wait_and_throw", "queues_wait_and_throw"})


class Event(NamedTuple):
    """A call that matters."""

    start: int
    end: int
    name: str


class Passage:
    """One function as it is written. Offsets are those of the file."""

    def __init__(self, facts: FileFacts, function: Function, events: Sequence[Event]) -> None:
        self.start = function.start
        self.end = function.extent_end
        self.text = code_of(facts.content[self.start : self.end].decode("latin-1"))
        """One character for each byte; comments and strings are blank."""
        self._events = events
        self._starts = [each.start for each in events]
        self._commands = frozenset(each for each in events if each.name in OPERATIONS and self._submits(each))

    def slice(self, start: int, end: int) -> str:
        """What is written from ``start`` to ``end``."""
        return self.text[start - self.start : end - self.start]

    def between(self, start: int, end: int) -> Sequence[Event]:
        """The calls that begin in a stretch, outer before inner."""
        return self._events[bisect_left(self._starts, start) : bisect_left(self._starts, end)]

    def has_events(self, start: int, end: int) -> bool:
        """Whether a call that matters begins in a stretch."""
        position = bisect_left(self._starts, start)
        return position < len(self._starts) and self._starts[position] < end

    def forget(self, start: int, end: int) -> None:
        """The calls in a stretch are none of this function."""
        self._events = [each for each in self._events if not start <= each.start < end]
        self._starts = [each.start for each in self._events]

    def is_command(self, event: Event) -> bool:
        """``q.memcpy(…)``, and not ``memcpy(…)``."""
        return event in self._commands

    def _submits(self, event: Event) -> bool:
        name = self._name(event)
        if event.name in ASYNC_FUNCTIONS:
            return name >= 0
        return name >= 0 and self.text[max(name - 20, 0) : name].rstrip().endswith((".", "->"))

    def head(self, event: Event) -> tuple[str, str]:
        """What stands before a call's name, and after it."""
        name = self._name(event)
        if name < 0:
            return "", ""
        start, end = event.start - self.start, event.end - self.start
        return self.text[start:name].rstrip(), self.text[name + len(event.name) : end]

    def _name(self, event: Event) -> int:
        """Where in the text a call's name stands; of a wait the last one, as those are chained: ``a.wait().wait()``."""
        start, end = event.start - self.start, event.end - self.start
        if event.name in WAITS:
            return _last(event.name, self.text, start, end)
        return _first(event.name, self.text, start, end)

    def outside(self, hidden: Sequence[Event]) -> str:
        """The text without that of commands, and without what is ``hidden``."""
        pieces = []
        position = self.start
        for event in sorted((*self._events, *hidden)):
            if event.start >= position and (not event.name or self.is_command(event)):
                pieces.append(self.slice(position, event.start))
                position = event.end
        pieces.append(self.slice(position, self.end))
        return " ; ".join(pieces)


def _first(name: str, text: str, start: int, end: int) -> int:
    """Where ``name`` stands first as a word; -1 when nowhere. Names are many: a pattern for each would cost more."""
    position = text.find(name, start, end)
    while position >= 0 and not _is_word(text, position, position + len(name)):
        position = text.find(name, position + 1, end)
    return position


def _last(name: str, text: str, start: int, end: int) -> int:
    """Where ``name`` stands last as a word; -1 when nowhere."""
    position = text.rfind(name, start, end)
    while position >= 0 and not _is_word(text, position, position + len(name)):
        position = text.rfind(name, start, position + len(name) - 1)
    return position


def _is_word(text: str, start: int, end: int) -> bool:
    return text[start - 1 : start] not in _LETTERS and text[end : end + 1] not in _LETTERS
