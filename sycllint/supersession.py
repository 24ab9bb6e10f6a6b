"""Work that is no longer wanted ends early: an editor has sent a newer text.

A long piece of work passes checkpoints. Outside a ``superseding`` block a checkpoint costs one comparison.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager


class Superseded(BaseException):
    """The answer is no longer wanted. Not an ``Exception``: it is no failure, and nothing recovers from it."""


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
