"""A part of a file that is mapped into memory: of a large library, only what is asked for is read."""

import mmap
import re
import struct
from collections.abc import Iterator
from contextlib import contextmanager

from sycllint.record import NamedTuple
from sycllint.source.regular import opened

_STEP = 1 << 24
"""Bytes that are searched before their pages are given back, a multiple of the page size."""


class Window(NamedTuple):
    """The bytes from ``start`` to ``end`` of ``content``; offsets in the methods count from ``start``."""

    content: bytes | mmap.mmap
    start: int
    end: int

    @property
    def size(self) -> int:
        """In bytes."""
        return self.end - self.start

    def part(self, at: int, size: int) -> "Window":
        """``size`` bytes from ``at``, or as many of them as there are."""
        start = min(self.start + max(at, 0), self.end)
        return Window(self.content, start, min(start + max(size, 0), self.end))

    def copy(self) -> bytes:
        """The bytes themselves."""
        return self.content[self.start : self.end]

    def begins(self, mark: bytes) -> bool:
        """Whether these are the first bytes."""
        return self.part(0, len(mark)).copy() == mark

    def numbers(self, form: str, at: int) -> tuple[int, ...]:
        """Integers in the form of ``struct`` at ``at``; empty when they are not all inside."""
        size = struct.calcsize(form)
        if at < 0 or self.start + at + size > self.end:
            return ()
        found: tuple[int, ...] = struct.unpack(form, self.part(at, size).copy())
        return found

    def text(self, at: int) -> str:
        """The ASCII text from ``at`` to the next zero byte."""
        end = self.content.find(b"\0", self.start + at, self.end)
        return self.part(at, end - self.start - at).copy().decode("ascii", "replace") if end >= 0 else ""

    def find(self, pattern: re.Pattern[bytes], at: int, longest: int) -> int:
        """The offset of the first match of ``pattern``, of at most ``longest`` bytes, from ``at``; -1 without one."""
        here = self.start + at
        while here < self.end:
            stop = min(here // _STEP * _STEP + _STEP, self.end)
            found = pattern.search(self.content, here, min(stop + longest - 1, self.end))
            if found is not None:
                return found.start() - self.start
            _give_back(self.content, here, stop)
            here = stop
        return -1


@contextmanager
def mapped(path: str) -> Iterator[Window]:
    """The whole of a file, mapped as long as the context lasts. Raises ``OSError``, also for no regular file."""
    with opened(path) as stream:
        size = stream.seek(0, 2)
        if not size:
            yield Window(b"", 0, 0)
            return
        with mmap.mmap(stream.fileno(), size, access=mmap.ACCESS_READ) as content:
            yield Window(content, 0, size)


def _give_back(content: bytes | mmap.mmap, start: int, stop: int) -> None:
    """Let the system take the pages of what was searched: it reads them again should they be asked for."""
    if isinstance(content, mmap.mmap) and hasattr(mmap, "MADV_DONTNEED"):
        first = start // _STEP * _STEP
        content.madvise(mmap.MADV_DONTNEED, first, stop - first)
