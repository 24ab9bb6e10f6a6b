"""The processor time and the memory that one file may take: what takes more is given up, and said to be.

Analyses bound their work by counts, so that what they answer never depends on the machine. This limit is for what no
count foresees, a text made to cost much, and far above what any program of people takes.
"""

import math
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

SECONDS = 20.0
"""The processor time for a file of any size."""
SECONDS_PER_MEGABYTE = 10.0
"""More of them, for each million bytes of the file."""
MEMORY = 2_000_000_000
"""Bytes more than before that the process may take for a file; most programs' files take a thousandth."""
UNFINISHED = 1.5
"""What the parser may still take for each byte of memory that it took for a text it has not read to its end.

Operators without an operand, ``****``, stay on its stack; where they end in an error, it takes 2.5 times as much as
before (``benchmarks/bombs.py``), and asks for nothing meanwhile.
"""
TICK = 0.5
"""Seconds of processor time from one look at what a file has taken to the next.

There is no last one: what is raised in a finaliser, say, is lost.
"""


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
    """``GivenUp`` is raised inside when a file of ``size`` bytes has taken its time or its memory.

    Only where signals can be taken: in the main thread, on POSIX systems. Inside of another bound, that one holds.
    """
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return
    if _limits:
        yield
        return
    seconds = seconds_for(size)
    before = signal.signal(signal.SIGPROF, _look)
    _limits.append((time.process_time() + seconds, memory() + MEMORY))
    signal.setitimer(signal.ITIMER_PROF, min(seconds, TICK), TICK)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
        _limits.clear()


@contextmanager
def uncounted() -> Iterator[None]:
    """What is done inside is for all files of a project, and not counted as the work for one.

    Without a bound meanwhile: it is for work that is known to end, as reading files and looking for words in them.
    """
    if _limits in ([], [_UNBOUNDED]):
        yield
        return
    [(last, most)] = _limits
    began, before = time.process_time(), _most_memory()
    _limits[:] = [_UNBOUNDED]
    try:
        yield
    finally:
        took = time.process_time() - began
        _limits[:] = [(last + took, most + (max(memory() - before, 0) if took > TICK else 0))]


def over(since: int | None = None) -> GivenUp | None:
    """What ``check`` would raise; to be asked by what no exception ends, as a parser in C.

    Such a one says how much ``memory`` was in use when it began: for what it took since, it may take ``UNFINISHED``
    times as much again.
    """
    if not _limits:
        return None
    [(last, most)] = _limits
    if time.process_time() >= last:
        return GivenUp()
    if _with_the_rest(_most_memory(), since) <= most or _with_the_rest(memory(), since) <= most:
        return None
    what = "memory" if since is None else "memory to parse"
    return GivenUp(f"{MEMORY / 1e9:g} GB of {what}, the limit for one file")


def check() -> None:
    """Raise ``GivenUp`` when the file in work has had its time or its memory."""
    why = over()
    if why is not None:
        raise why


def memory() -> int:
    """Bytes that this process has in use; that it had at most, where the system does not say; 0 if not even that."""
    try:
        status = os.open("/proc/self/statm", os.O_RDONLY)
    except OSError:
        return _most_memory()
    try:
        return int(os.read(status, 100).split()[1]) * os.sysconf("SC_PAGE_SIZE")  # proc_pid_statm(5): resident pages
    finally:
        os.close(status)


def _most_memory() -> int:
    """Bytes that this process had at most so far, which costs less to ask; 0 where the system does not say."""
    try:
        import resource
    except ImportError:
        return 0
    unit = 1 if sys.platform == "darwin" else 1024  # getrusage(2) of macOS and of Linux
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


def _with_the_rest(in_use: int, since: int | None) -> float:
    """Bytes in use, and those that what has begun at ``since`` may still take."""
    return in_use if since is None else in_use + UNFINISHED * (in_use - since)


def _look(_: int, frame: FrameType | None) -> None:
    if not _is_importing(frame):
        check()


def _is_importing(frame: FrameType | None) -> bool:
    """Whether a module is being loaded: half of one would be all that later files get; the next look ends the file."""
    while frame is not None:
        if frame.f_globals.get("__name__") == "importlib._bootstrap":
            return True
        frame = frame.f_back
    return False


_UNBOUNDED = (math.inf, math.inf)
_limits: list[tuple[float, float]] = []
"""Processor time and memory of this process at which the file in work has had its share; nothing without a bound."""
