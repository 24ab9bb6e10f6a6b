"""The text of one function, and the calls in it that matter: commands, waits, functions that are entered."""

import re
from bisect import bisect_left
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from sycllint.cpp.statement import Function
from sycllint.facts.file import FileFacts
from sycllint.host.vocabulary import OPERATIONS
from sycllint.host.wording import code_of

WAITS = frozenset({"wait", "wait_and_throw", "queues_wait_and_throw"})


class Event(NamedTuple):
    """A call that matters."""

    start: int
    end: int
    name: str


@lru_cache(maxsize=512)
def _first(name: str) -> re.Pattern[str]:
    """The name of a call in its text; of a wait the last one, as those are chained: ``a.wait().wait()``."""
    return re.compile(rf"(?s:.*)\b{re.escape(name)}\b" if name in WAITS else rf"\b{re.escape(name)}\b")


class Passage:
    """One function as it is written. Offsets are those of the file."""

    def __init__(self, facts: FileFacts, function: Function, events: Sequence[Event]) -> None:
        self.start = function.start
        self.end = function.extent_end
        self.text = code_of(facts.content[self.start : self.end].decode("latin-1"))
        """One character for each byte; comments and strings are blank."""
        self._events = events
        self._starts = [each.start for each in events]
        self._heads: dict[Event, tuple[str, str]] = {}

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
        return event.name in OPERATIONS and self.head(event)[0].endswith((".", "->"))

    def head(self, event: Event) -> tuple[str, str]:
        """What stands before a call's name, and after it."""
        known = self._heads.get(event)
        if known is None:
            text = self.slice(event.start, event.end)
            match = _first(event.name).search(text)
            name = match.end() - len(event.name) if match is not None else 0
            known = (text[:name].rstrip(), text[match.end() :]) if match is not None else ("", "")
            self._heads[event] = known
        return known

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
