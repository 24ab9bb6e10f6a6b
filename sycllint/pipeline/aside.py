"""Work that a copy of this process does, while this one goes on with what it was at."""

import os
import sys
from collections.abc import Callable
from typing import Generic, TypeVar

Outcome = TypeVar("Outcome")


class Aside(Generic[Outcome]):
    """One piece of work under way."""

    def __init__(self, process: int, reading: int) -> None:
        self._process = process
        self._reading: int | None = reading

    def outcome(self) -> Outcome | None:
        """What came of it, once it is done; ``None`` when the copy failed."""
        import pickle

        reading, self._reading = self._reading, None
        if reading is None:
            return None
        with open(reading, "rb") as stream:
            content = stream.read()
        _, status = os.waitpid(self._process, 0)
        if status:
            return None
        made: Outcome = pickle.loads(content)
        return made

    def end(self) -> None:
        """Nobody wants the outcome any more."""
        import signal
        from contextlib import suppress

        if self._reading is not None:
            os.close(self._reading)
            self._reading = None
        with suppress(OSError):  # it may have ended by itself
            os.kill(self._process, signal.SIGKILL)
            os.waitpid(self._process, 0)


def begun(work: Callable[[], Outcome]) -> Aside[Outcome] | None:
    """``work`` in a copy of this process; ``None`` where there are no safe copies, or no second core to run one."""
    if sys.platform != "linux" or len(os.sched_getaffinity(0)) < 2:
        return None
    reading, writing = os.pipe()
    try:
        process = os.fork()
    except OSError:
        os.close(reading)
        os.close(writing)
        return None
    if process == 0:
        os.close(reading)
        _deliver(work, writing)
    os.close(writing)
    return Aside(process, reading)


def _deliver(work: Callable[[], Outcome], writing: int) -> None:
    """Hand the outcome over, and end: what the process that was copied would do at its end is not ours to do."""
    status = 1
    try:
        import pickle
        import signal

        signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever started us ends us
        with open(writing, "wb") as stream:
            stream.write(pickle.dumps(work()))
        status = 0
    finally:
        os._exit(status)
