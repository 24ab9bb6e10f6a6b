"""The files of a run to records: out of the cache, from other processes, or linted in this one."""

import os
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Protocol

from sycllint.config import Config
from sycllint.pipeline.linted import Linted
from sycllint.pipeline.parts import MeaningStore, Parts
from sycllint.pipeline.run import Progress, Run
from sycllint.source.files import Candidate

if TYPE_CHECKING:
    from sycllint.pipeline.aside import Aside
    from sycllint.pipeline.store import Store
    from sycllint.pipeline.workers import Batch, Record
    from sycllint.source.disk import Asked, Disk

FILES_WORTH_PROCESSES = 40
"""Below this, starting processes takes longer than they save."""

MANY_FILES = 100
"""To look up fewer in the cache takes less time than to start a second process."""

BATCHES_PER_PROCESS = 8
"""The more, the more evenly the work ends; the fewer, the fewer headers are read twice."""


class Records(MeaningStore, Protocol):
    """Where what files came to is kept from one run to the next; ``pipeline.cache`` keeps it on the disk."""

    takes_texts: bool
    """Texts that stand in for files are distinguished from what is on the disk."""

    @property
    def store(self) -> "Store | None":
        """Where what files and build files say is kept."""

    def find(self, path: str, config: Config, disk: "Disk", /) -> Linted | None:
        """What is known of a file, if all of that still holds for ``disk``."""

    def changed(self, path: str, /) -> int:
        """When a file was changed last, in nanoseconds."""

    def expect(self, files: Iterable[tuple[str, Config]], /) -> None:
        """These files are going to be linted."""

    def keep(self, config: Config, linted: Linted, asked: "Asked | None", /) -> None:
        """Take what an expected file came to; ``asked`` is ``None`` when it was not seen whole."""

    def write(self) -> None:
        """The run is over."""


class Files:
    """The files of one run, as far as they are linted."""

    def __init__(
        self, run: Run, parts: Parts, listed: Sequence[tuple[Candidate, Config]], cache: Records | None
    ) -> None:
        self.linted: list[Linted | None] = [None] * len(listed)
        """In the order of the listing."""
        self._run = run
        self._parts = parts
        self._listed = listed
        self._cache = cache
        self._done = 0

    def lint(self, jobs: int | None, on_progress: Progress | None) -> None:
        """Lint what is not known, in ``jobs`` processes or as many as it pays to have."""
        missing: list[int] = []
        aside: Aside[list[Record]] | None = None
        try:
            for position, number in enumerate(self._newest_first()):
                if not self._is_known(number, on_progress):
                    missing.append(number)
                elif aside is None and jobs != 1 and self._are_all(missing, number, position):
                    aside = self._aside(tuple(missing))
            missing.sort()
            jobs = jobs or _fitting(len(missing))
            self._expect(missing, jobs)
            if self._cache is not None:
                self._cache.expect([(self._listed[number][0].path, self._listed[number][1]) for number in missing])
            records = aside.outcome() if aside is not None else None
            aside = None
            for record in records or ():
                self._keep(record, on_progress)
                missing.remove(record[0])
            for record in self._records(missing, jobs):
                self._keep(record, on_progress)
        finally:
            if aside is not None:
                aside.end()
            if self._cache is not None:
                self._cache.write()

    def _newest_first(self) -> Sequence[int]:
        """All files, folder by folder; the one in which something was changed last comes first."""
        numbers = range(len(self._listed))
        if self._cache is None or len(numbers) < MANY_FILES:
            return numbers
        newest: dict[str, int] = {}
        for number in numbers:
            folder = self._folder(number)
            newest[folder] = max(newest.get(folder, 0), self._cache.changed(self._listed[number][0].path))
        return sorted(numbers, key=lambda number: -newest[self._folder(number)])

    def _folder(self, number: int) -> str:
        return os.path.dirname(self._listed[number][0].path)

    def _are_all(self, missing: Sequence[int], known: int, position: int) -> bool:
        """Whether these may be all that changed: few, with another folder begun and much to be looked up after it."""
        if not missing or len(missing) > FILES_WORTH_PROCESSES or position + MANY_FILES >= len(self._listed):
            return False
        return self._folder(known) != self._folder(missing[-1])

    def _aside(self, changed: Sequence[int]) -> "Aside[list[Record]] | None":
        """Files that are linted by a copy of this process, while the others are looked up."""
        from sycllint.pipeline.aside import begun

        self._expect(changed)
        return begun(lambda: [self._record(number) for number in changed])

    def _expect(self, missing: Sequence[int], processes: int = 1) -> None:
        """These are going to be linted."""
        if self._run.store is not None:
            self._run.store.expect([self._listed[number][0].path for number in missing], processes=processes)

    def _keep(self, record: "Record", on_progress: Progress | None) -> None:
        number, linted, asked = record
        self._take(number, linted, on_progress)
        if self._cache is not None:
            self._cache.keep(self._listed[number][1], linted, asked)

    def _is_known(self, number: int, on_progress: Progress | None) -> bool:
        if self._cache is None:
            return False
        candidate, config = self._listed[number]
        linted = self._cache.find(candidate.path, config, self._run.disk)
        if linted is not None:
            self._take(number, linted, on_progress)
        return linted is not None

    def _take(self, number: int, linted: Linted, on_progress: Progress | None) -> None:
        self.linted[number] = linted
        self._done += 1
        if on_progress is not None:
            on_progress(self._done, len(self._listed))

    def _records(self, missing: Sequence[int], jobs: int) -> "Iterator[Record]":
        if jobs > 1 and len(missing) > 1:
            from sycllint.pipeline.workers import Job, spread

            configs = tuple(part.config for part in self._parts.each)
            job = Job(configs, self._run.texts, self._run.raise_our_errors, self._run.store)
            done: set[int] = set()
            for record in spread(job, self._batches(missing, jobs), jobs, self._run.note):
                done.add(record[0])
                yield record
            missing = [number for number in missing if number not in done]
        for number in missing:
            yield self._record(number)

    def _record(self, number: int) -> "Record":
        from sycllint.pipeline.linter import lint

        candidate, config = self._listed[number]
        return (number, *lint(self._run, candidate, self._parts.of(config)))

    def _batches(self, missing: Sequence[int], jobs: int) -> "list[Batch]":
        """The work in pieces of about the same size, the largest first; files of one folder stay together."""
        numbers = {id(part.config): number for number, part in enumerate(self._parts.each)}
        sizes = {number: max(self._run.disk.stamp(self._listed[number][0].path).size, 1) for number in missing}
        enough = sum(sizes.values()) / (jobs * BATCHES_PER_PROCESS)
        batches: list[tuple[int, Batch]] = []
        folder = ""
        for number in missing:
            candidate, config = self._listed[number]
            here = os.path.dirname(candidate.path)
            size = batches[-1][0] if batches else 0
            if not batches or size >= 2 * enough or (size >= enough and here != folder):
                batches.append((0, []))
            folder = here
            size, batch = batches.pop()
            batch.append((number, candidate, numbers[id(config)]))
            batches.append((size + sizes[number], batch))
        return [batch for _, batch in sorted(batches, key=lambda each: -each[0])]


def _fitting(files: int) -> int:
    """How many processes it pays to have."""
    if files <= FILES_WORTH_PROCESSES:
        return 1
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
