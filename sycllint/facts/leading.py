"""The names of functions that lead to a launch, by the names that functions call: more than do in truth, and cheap."""

from collections import deque
from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from typing import TypeAlias

from sycllint.cpp.statement import Function
from sycllint.facts.called import words_called
from sycllint.facts.extents import FunctionExtents, run_as
from sycllint.facts.file import FileFacts
from sycllint.facts.postings import FileSet

Files: TypeAlias = Iterable[FileFacts]

KEPT_PARTS = 8
"""Parts of which it is kept what leads to a launch in them."""


def leading(
    files: FileSet, also: frozenset[str] = frozenset(), known: frozenset[str] = frozenset(), written: Files = ()
) -> frozenset[str]:
    """The unqualified names of functions in which a launch is written, or a call of one of these, or of ``also``.

    ``known``: what it is of those of the files that are not in ``written``, to begin with.
    """
    new = (launching(written if known else files.files) | also) - known
    for facts in written:
        extents = facts.once(FunctionExtents)
        new = new.union(*(extents.callers(facts, name) for name in known & facts.once(words_called)))
    found = known | new
    while new:
        new = frozenset().union(*map(files.callers, new)) - found
        found |= new
    return found


class Leading:
    """The names that lead to a launch in the units of a run: for the files that many of them hold, found once."""

    def __init__(self) -> None:
        self._parts: deque[tuple[AbstractSet[int], frozenset[str]]] = deque(maxlen=KEPT_PARTS)
        """The numbers of files that several units hold, and the names that lead to a launch in them."""
        self._last: AbstractSet[int] = frozenset()
        """The files of the last unit."""

    def of(self, files: FileSet) -> frozenset[str]:
        """The names of one unit that lead to a launch, as ``leading`` finds them."""
        parts = [each for each in self._parts if each[0] <= files.numbers]
        part, known = max(parts, key=lambda each: len(each[0]), default=(frozenset[int](), frozenset[str]()))
        shared = files.numbers & self._last
        self._last = frozenset(files.numbers)
        if 2 * len(shared - part) > len(files.numbers - part):
            part, known = shared, leading(files.only(shared))
            self._parts.append((part, known))
        return leading(files, known=known, written=files.only(files.numbers - part).files)


def launching(files: Files) -> frozenset[str]:
    """The names of the functions in which a launch is written."""
    return frozenset().union(*(each.once(_launching) for each in files if each.submissions))


def _launching(facts: FileFacts) -> frozenset[str]:
    return frozenset(
        run_as(place) for each in facts.submissions for place in each.place.within() if isinstance(place.node, Function)
    )
