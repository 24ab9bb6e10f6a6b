"""Linting in several processes: each takes a batch of files, hands back its records, and takes the next."""

import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

from sycllint.config import Config, Configs
from sycllint.garbage import collect_rarely
from sycllint.pipeline.linted import Linted
from sycllint.pipeline.linter import lint
from sycllint.pipeline.parts import Parts
from sycllint.pipeline.run import Run
from sycllint.record import field, record
from sycllint.source.disk import Asked
from sycllint.source.files import Candidate
from sycllint.stack import with_room

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.context import BaseContext
    from multiprocessing.process import BaseProcess

    from sycllint.pipeline.store import Store

Batch: TypeAlias = list[tuple[int, Candidate, int]]
"""Files: number in the listing, file, number of its settings."""

Record: TypeAlias = tuple[int, Linted, Asked | None]
"""Number in the listing, and what ``lint`` answered."""


@record
class Job:
    """What a process must know beside the files."""

    settings: tuple[Config, ...]
    texts: Mapping[str, bytes]
    raise_our_errors: bool
    store: "Store | None"
    parent: int = field(default_factory=os.getpid)
    """The process that waits for the records."""


@record
class _Worker:
    process: "BaseProcess"
    pipe: "Connection"


def spread(job: Job, batches: Sequence[Batch], jobs: int, note: Callable[[str], None]) -> Iterator[Record]:
    """The records of ``batches`` as they come in.

    A process that dies is reported to ``note``, and what it was at is left out. When the iterator is closed, the
    processes end at once.
    """
    from multiprocessing.connection import wait

    waiting = list(reversed(batches))
    context = _context()
    workers: dict[Connection, _Worker] = {}
    try:
        for _ in range(min(jobs, len(batches))):
            worker = _started(context, job, list(workers))
            worker.pipe.send(waiting.pop())
            workers[worker.pipe] = worker
        while workers:
            ready = wait(list(workers))
            for pipe in list(workers):
                if pipe not in ready:
                    continue
                worker = workers[pipe]
                try:
                    records: list[Record] = worker.pipe.recv()
                    if records:
                        worker.pipe.send(waiting.pop() if waiting else [])
                except (EOFError, OSError):
                    records = []
                yield from records
                if not records:
                    del workers[pipe]
                    worker.process.join()
                    if code := worker.process.exitcode:
                        note(f"a process died (exit code {code}): its files were linted in this one")
    finally:
        for worker in workers.values():
            worker.process.kill()
            worker.process.join()


def _context() -> "BaseContext":
    """How processes start: as copies of this one where that is safe, so that little is loaded twice."""
    import multiprocessing

    if sys.platform != "linux":
        return multiprocessing.get_context("spawn")
    from sycllint.facts.collect import file_facts
    from sycllint.pipeline import project
    from sycllint.registry import all_rules

    all_rules()
    file_facts("", b"void f() { q.submit([&](handler& h) {}); }", {})
    assert project.Project is not None
    return multiprocessing.get_context("fork")


def _started(context: "BaseContext", job: Job, open_pipes: Sequence["Connection"]) -> _Worker:
    ours, theirs = context.Pipe()
    # A copy of this process holds our ends of the pipes, too: with those open, it would never see that we are gone.
    copied = [*open_pipes, ours] if context.get_start_method() == "fork" else []
    process = context.Process(target=_work, args=(job, theirs, copied), daemon=True)  # type: ignore[attr-defined]
    process.start()
    theirs.close()
    return _Worker(process, ours)


def _work(job: Job, pipe: "Connection", copied: Sequence["Connection"]) -> None:
    """Be a worker: in a process of its own, whose pipe leads to the one that has the files."""
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever started us ends us
    for each in copied:
        each.close()
    collect_rarely()
    with_room(lambda: _batches(job, pipe))


def _batches(job: Job, pipe: "Connection") -> None:
    """Lint batch after batch, until an empty one."""
    project = job.settings[0]
    run = Run(Configs(project), job.raise_our_errors, job.texts, store=job.store)
    parts = Parts(project, job.settings, disk=run.disk)
    try:
        while True:
            batch: Batch = pipe.recv()
            records: list[Record] = []
            for number, candidate, at in batch:
                if os.getppid() != job.parent:  # it was killed: no process reads what would be found here
                    return
                records.append((number, *lint(run, candidate, parts.of(job.settings[at]))))
            pipe.send(records)
            if not batch:
                return
    except (EOFError, ConnectionError):  # no process is left to hand it to
        return
