"""The processor time and the memory that one file may take: what takes more is given up, and said to be.

Analyses bound their work by counts, so that what they answer never depends on the machine. This limit is for what no
count foresees, a text made to cost much, and far above what any program of people takes.
"""

import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

SECONDS = 20.0
"""Of processor time, for a file of any size."""
SECONDS_PER_MEGABYTE = 10.0
"""More of them, for each million bytes of the file."""


AGAIN = 1.0
"""Seconds after which what has had its time is told so once more: what is raised in a finaliser, say, is lost."""
MEMORY = 2_000_000_000
"""Bytes more than before that the parser may take for a file; most programs' files take a thousandth."""


class GivenUp(BaseException):
    """The file in work has had its time, or its memory.

    No ``Exception``: what goes on after a bug in one rule must not go on after this.
    """

    def __init__(self, limit: str = "") -> None:
        super().__init__(limit)
        self.limit = limit
        """What it takes more of, where that is not the time."""


def seconds_for(size: int) -> float:
    """Seconds that a file of ``size`` bytes may take."""
    return SECONDS + SECONDS_PER_MEGABYTE * size / 1e6


def given_up(path: str, size: int, why: GivenUp) -> str:
    """The notice for a file of ``size`` bytes that took more."""
    limit = why.limit or f"{seconds_for(size):.0f} s of processor time, the limit for a file of its size"
    return f"{path}: not analysed: it takes more than {limit}"


@contextmanager
def bounded(size: int) -> Iterator[None]:
    """``GivenUp`` is raised inside when a file of ``size`` bytes has taken its time.

    Only where signals can be taken: in the main thread, on POSIX systems. Inside of another bound, that one holds.
    """
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return
    if _deadline:
        yield
        return
    seconds = seconds_for(size)
    before = signal.signal(signal.SIGPROF, _end)
    signal.setitimer(signal.ITIMER_PROF, seconds, AGAIN)
    _deadline[:] = (time.process_time() + seconds, _memory() + MEMORY)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
        _deadline.clear()


def is_over() -> bool:
    """Whether ``check`` would raise; to be asked by what no exception ends, as a parser in C."""
    return bool(_deadline) and (time.process_time() >= _deadline[0] or _memory() > _deadline[1])


def check() -> None:
    """Raise ``GivenUp`` when the file in work has had its time or its memory."""
    if _deadline and _memory() > _deadline[1]:
        raise GivenUp(f"{MEMORY / 1e9:.0f} GB of memory to parse, the limit for one file")
    if is_over():
        raise GivenUp


def _memory() -> int:
    """Bytes that this process had at most so far; 0 where the system does not say."""
    try:
        import resource
    except ImportError:
        return 0
    unit = 1 if sys.platform == "darwin" else 1024  # getrusage(2) of macOS and of Linux
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


def _end(*_: object) -> None:
    raise GivenUp


_deadline: list[float] = []
"""Processor time and memory of this process at which the file in work has had its share; nothing without a bound."""
