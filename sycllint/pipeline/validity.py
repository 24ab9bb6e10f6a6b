"""Whether what was asked of the disk would be answered the same today.

A stamp that has not changed is taken for a file that has not, if the file was at rest when it was read; else its bytes
are read again. Each file and folder is looked at once a run.
"""

import os
from collections.abc import Callable
from functools import cached_property

from sycllint.memoized import memoized
from sycllint.pipeline.stored import Json, Stale, as_list, as_number, as_text, read_answer
from sycllint.source.disk import LARGEST, SETTLED, Disk, DiskCache
from sycllint.source.glance import NOTHING, Stamp, digest_of, listed, outlined, stamp_of, state_of
from sycllint.source.regular import regular_content


class Validity:
    """The disk as it is at ``now``, nanoseconds since 1970, taken before the first look at it."""

    def __init__(self, now: int, memory: Callable[[], DiskCache] = DiskCache) -> None:
        """``memory`` has the outlines that are known; those that are looked at are added."""
        self._now = now
        self._memory = memory
        self._outlines: dict[str, str] = {}

    def holds(self, nodes: list[Json], number: int, known: dict[int, bool]) -> tuple[bool, bool]:
        """Whether node ``number`` and all below it hold, and whether any holds though files had changed their stamps.

        Such nodes get the new ones. ``known`` are the nodes that were asked about before. Raises ``Stale`` for what
        is no node.
        """
        if number in known:
            return known[number], False
        known[number] = False  # also for a node that is said to be below itself
        if not 0 <= number < len(nodes):
            raise Stale
        node = as_list(nodes[number], 8)
        renewed = False
        for below in as_list(node[7]):
            held, new = self.holds(nodes, as_number(below), known)
            renewed |= new
            if not held:
                return False, renewed
        for folder, name, state in map(_three, as_list(node[5])):
            if self._state(os.path.join(folder, name)) != state:
                return False, renewed
        made = as_number(node[0])
        check = (self._content, self._outline, self._listing, self._states)
        for kind, holds in enumerate(check, start=1):
            for each in as_list(node[kind]):
                entry = as_list(each)
                path = as_text(entry[0])
                stamp = self.stamp(path or ".")
                same = [*stamp] == entry[1:4] and (bool(entry[4]) or stamp == NOTHING)
                if same and stamp.changed < made - SETTLED:
                    continue
                if not holds(path, stamp, entry):
                    return False, renewed
                # Folders above a project change all the time, and what is asked of them is soon asked again.
                if holds != self._states:
                    entry[1:4] = stamp
                    node[0] = self._now
                    renewed = True
        for each in as_list(node[6]):
            question, answered = read_answer(each)
            today = self._disk.answers(question, answered)
            if today is None:
                return False, renewed
            if today != answered:
                as_list(each)[4:6] = today
                renewed = True
        known[number] = True
        return True, renewed

    @memoized
    def stamp(self, path: str) -> Stamp:
        """Size and times of a file, as they are in this run."""
        return stamp_of(path)

    @cached_property
    def _disk(self) -> Disk:
        """The disk as questions are asked of it."""
        return Disk(memory=self._memory())

    def _content(self, path: str, stamp: Stamp, entry: list[Json]) -> bool:
        digest = as_text(entry[4])
        return self._digest(path) == digest if digest else stamp == NOTHING

    def _outline(self, path: str, stamp: Stamp, entry: list[Json]) -> bool:
        return self._content(path, stamp, entry) or self._outlines.get(path) == as_text(entry[5])

    def _states(self, path: str, stamp: Stamp, entry: list[Json]) -> bool:
        found = entry[4]
        if not isinstance(found, dict):
            raise Stale
        return all(self._state(os.path.join(path, name)) == state for name, state in found.items())

    @memoized
    def _state(self, path: str) -> str:
        return state_of(path)

    def _listing(self, path: str, stamp: Stamp, entry: list[Json]) -> bool:
        return self._listed(path) == as_text(entry[4])

    @memoized
    def _listed(self, path: str) -> str:
        return listed(path).digest

    @memoized
    def _digest(self, path: str) -> str:
        try:
            content: bytes | None = regular_content(path, LARGEST)
        except OSError:
            content = None
        self._outlines[path] = "" if content is None else outlined(content).digest
        return "" if content is None else digest_of(content)


def _three(value: Json) -> tuple[str, str, str]:
    first, second, third = as_list(value, 3)
    return as_text(first), as_text(second), as_text(third)
