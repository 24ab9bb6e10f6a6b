"""The files of a run to records: out of the cache, from other processes, or linted in this one."""

import os
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from sycllint.config import Config
from sycllint.pipeline.linted import Linted
from sycllint.pipeline.parts import Parts
from sycllint.pipeline.run import Progress, Run
from sycllint.source.disk import Asked
from sycllint.source.files import Candidate

if TYPE_CHECKING:
    from sycllint.pipeline.cache import Cache
    from sycllint.pipeline.workers import Batch

FILES_WORTH_PROCESSES = 40
"""Below this, starting processes takes longer than they save."""

BATCHES_PER_PROCESS = 8
"""The more, the more evenly the work ends; the fewer, the fewer headers are read twice."""


class Files:
    """The files of one run, as far as they are linted."""

    def __init__(
        self, run: Run, parts: Parts, listed: Sequence[tuple[Candidate, Config]], cache: "Cache | None"
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
        missing = [number for number in range(len(self._listed)) if not self._is_known(number, on_progress)]
        if self._cache is not None:
            self._cache.expect([(self._listed[number][0].path, self._listed[number][1]) for number in missing])
        try:
            for number, linted, asked in self._records(missing, jobs or _fitting(len(missing))):
                self._take(number, linted, on_progress)
                if self._cache is not None:
                    self._cache.keep(self._listed[number][1], linted, asked)
        finally:
            if self._cache is not None:
                self._cache.write()

    def _is_known(self, number: int, on_progress: Progress | None) -> bool:
        if self._cache is None:
            return False
        candidate, config = self._listed[number]
        linted = self._cache.find(candidate.path, config)
        if linted is not None:
            self._take(number, linted, on_progress)
        return linted is not None

    def _take(self, number: int, linted: Linted, on_progress: Progress | None) -> None:
        self.linted[number] = linted
        self._done += 1
        if on_progress is not None:
            on_progress(self._done, len(self._listed))

    def _records(self, missing: Sequence[int], jobs: int) -> Iterator[tuple[int, Linted, Asked | None]]:
        if jobs > 1 and len(missing) > 1:
            from sycllint.pipeline.workers import Job, spread

            job = Job(tuple(part.config for part in self._parts.each), self._run.texts, self._run.raise_our_errors)
            done: set[int] = set()
            for record in spread(job, self._batches(missing, jobs), jobs, self._run.note):
                done.add(record[0])
                yield record
            missing = [number for number in missing if number not in done]
        for number in missing:
            from sycllint.pipeline.linter import lint

            candidate, config = self._listed[number]
            yield (number, *lint(self._run, candidate, self._parts.of(config)))

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
