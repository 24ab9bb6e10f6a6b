"""Work that is no longer wanted ends early: an editor has sent a newer text.

A long piece of work passes checkpoints. Nothing is looked at there until somebody is ``superseding``; until then a
checkpoint costs a comparison.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager


class Superseded(BaseException):
    """Nobody waits for the answer any more. Not an ``Exception``: it is no failure, and nothing recovers from it."""


@contextmanager
def superseding(stale: Callable[[], bool]) -> Iterator[None]:
    """Checkpoints inside raise ``Superseded`` once ``stale`` says so. One piece of work at a time in a process."""
    _asked.append(stale)
    try:
        yield
    finally:
        _asked.pop()


def checkpoint() -> None:
    """A place where work can be given up without leaving anything half done."""
    if _asked and _asked[-1]():
        raise Superseded


_asked: list[Callable[[], bool]] = []
