"""The names of functions that lead to a launch, by the names that functions call: more than do in truth, and cheap."""

from collections.abc import Iterable
from typing import TypeAlias

from sycllint.cpp.statement import Function
from sycllint.facts.called import words_called
from sycllint.facts.extents import FunctionExtents, run_as
from sycllint.facts.file import FileFacts
from sycllint.facts.postings import FileSet

Files: TypeAlias = Iterable[FileFacts]


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


def launching(files: Files) -> frozenset[str]:
    """The names of the functions in which a launch is written."""
    return frozenset().union(*(each.once(_launching) for each in files if each.submissions))


def _launching(facts: FileFacts) -> frozenset[str]:
    return frozenset(
        run_as(place) for each in facts.submissions for place in each.place.within() if isinstance(place.node, Function)
    )
