"""The time of a run, by phase and by file.

Nothing is measured until a ``Stopwatch`` is entered; until then a phase costs a comparison. What is measured inside a
phase is not counted to it, so that the phases add up.
"""

from time import perf_counter
from typing import Self


class Stopwatch:
    """Seconds of what is done while it is entered, in this process."""

    def __init__(self) -> None:
        self.phases: dict[str, float] = {}
        self.files: dict[str, float] = {}
        self.whole = 0.0
        """From the beginning to the end."""
        self._stack: list[str] = []
        self._start = self._since = 0.0

    def __enter__(self) -> Self:
        self._start = self._since = perf_counter()
        _running.append(self)
        return self

    def __exit__(self, *_: object) -> None:
        _running.remove(self)
        self.whole = perf_counter() - self._start

    def enter(self, name: str) -> None:
        """What follows belongs to the phase ``name``."""
        self._count()
        self._stack.append(name)

    def leave(self) -> None:
        """What follows belongs to the phase around."""
        self._count()
        self._stack.pop()

    def count_file(self, path: str, seconds: float) -> None:
        """Add to the time of a file."""
        self.files[path] = self.files.get(path, 0.0) + seconds

    def _count(self) -> None:
        now = perf_counter()
        if self._stack:
            name = self._stack[-1]
            self.phases[name] = self.phases.get(name, 0.0) + now - self._since
        self._since = now


_running: list[Stopwatch] = []


class phase:  # noqa: N801 - read as a word: with phase("rules")
    """A stretch of a run that has a name."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def __enter__(self) -> None:
        if _running:
            _running[-1].enter(self.name)

    def __exit__(self, *_: object) -> None:
        if _running:
            _running[-1].leave()


class file_time:  # noqa: N801 - read as a word
    """All that is done for one file."""

    __slots__ = ("path", "start")

    def __init__(self, path: str) -> None:
        self.path = path

    def __enter__(self) -> None:
        self.start = perf_counter()

    def __exit__(self, *_: object) -> None:
        if _running:
            _running[-1].count_file(self.path, perf_counter() - self.start)
