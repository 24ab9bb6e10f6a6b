"""The processor time that one file may take: what takes more is given up, and said to be.

Analyses bound their work by counts, so that what they answer never depends on the machine. This limit is for what no
count foresees, a text made to cost much, and far above what any program of people takes.
"""

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

SECONDS = 20.0
"""Of processor time, for a file of any size."""
SECONDS_PER_MEGABYTE = 10.0
"""More of them, for each million bytes of the file."""


class OutOfTime(BaseException):
    """The time is over. No ``Exception``: what goes on after a bug in one rule must not go on after this."""


def seconds_for(size: int) -> float:
    """Seconds that a file of ``size`` bytes may take."""
    return SECONDS + SECONDS_PER_MEGABYTE * size / 1e6


def given_up(path: str, size: int) -> str:
    """The notice for a file that took more."""
    limit = f"{seconds_for(size):.0f} s of processor time, the limit for a file of its size"
    return f"{path}: not analysed: it takes more than {limit}"


@contextmanager
def bounded(size: int) -> Iterator[None]:
    """``OutOfTime`` is raised inside when a file of ``size`` bytes has taken its time.

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
    signal.setitimer(signal.ITIMER_PROF, seconds)
    _deadline.append(time.process_time() + seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
        _deadline.clear()


def is_over() -> bool:
    """Whether the time is over; to be asked by what goes on although ``OutOfTime`` was raised, as parsers in C do."""
    return bool(_deadline) and time.process_time() >= _deadline[0]


def _end(*_: object) -> None:
    raise OutOfTime


_deadline: list[float] = []
"""Processor time of this process at which the file in work has had its time; nothing without a bound."""
