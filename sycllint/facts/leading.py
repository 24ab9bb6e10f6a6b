"""The names of functions that lead to a launch, by the names that functions call: more than do in truth, and cheap."""

from collections import deque
from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet
from typing import TypeAlias, cast

from sycllint.cpp.names import ENQUEUE_FUNCTIONS, LAUNCHING, LAUNCHING_FREELY
from sycllint.cpp.statement import Function
from sycllint.facts.called import callers_among_macros, words_called
from sycllint.facts.extents import FunctionExtents, run_as
from sycllint.facts.file import FileFacts
from sycllint.facts.postings import FileSet
from sycllint.facts.submissions import may_be_sycl_launch

Files: TypeAlias = Iterable[FileFacts]

KEPT_PARTS = 8
"""Parts of which it is kept what leads to a launch in them."""


def leading(
    files: FileSet,
    aliases: frozenset[str],
    also: frozenset[str] = frozenset(),
    known: frozenset[str] = frozenset(),
    written: Files = (),
) -> frozenset[str]:
    """The unqualified names of functions in which a launch is written, or a call of one of these, or of ``also``.

    ``aliases``: other names of SYCL's namespaces. ``known``: what it is of those of the files that are not in
    ``written``, to begin with.
    """
    new = (launching(written if known else files.files, aliases) | also) - known
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
        self._parts: deque[tuple[AbstractSet[int], frozenset[str], frozenset[str]]] = deque(maxlen=KEPT_PARTS)
        """The numbers of files that several units hold, SYCL's other names, and the names that lead to a launch."""
        self._last: AbstractSet[int] = frozenset()
        """The files of the last unit."""

    def of(self, files: FileSet) -> frozenset[str]:
        """The names of one unit that lead to a launch, as ``leading`` finds them."""
        aliases = sycl_aliases(files.files)
        parts = [(part, known) for part, names, known in self._parts if names == aliases and part <= files.numbers]
        part, known = max(parts, key=lambda each: len(each[0]), default=(frozenset[int](), frozenset[str]()))
        shared = files.numbers & self._last
        self._last = frozenset(files.numbers)
        if 2 * len(shared - part) > len(files.numbers - part):
            part, known = shared, leading(files.only(shared), aliases)
            self._parts.append((part, aliases, known))
        return leading(files, aliases, known=known, written=files.only(files.numbers - part).files)


def launching(files: Files, aliases: frozenset[str]) -> frozenset[str]:
    """The names of the functions and macros in which a launch may be written.

    ``aliases``: other names of SYCL's namespaces.
    """
    found: set[str] = set()
    for facts in files:
        found |= facts.once(_launching_macros)
        if facts.submissions:
            key = (launching, aliases)
            if key not in facts.made:
                facts.made[key] = frozenset(_around_launches(facts, aliases))
            found |= cast("frozenset[str]", facts.made[key])
    return frozenset(found)


def _launching_macros(facts: FileFacts) -> frozenset[str]:
    """The macros of a file in whose text a launching function may be called."""
    called = facts.once(callers_among_macros)
    return frozenset().union(*(called[each] for each in (LAUNCHING | LAUNCHING_FREELY) & called.keys()))


def _around_launches(facts: FileFacts, aliases: frozenset[str]) -> Iterator[str]:
    for each in facts.submissions:
        if may_be_sycl_launch(each, aliases):
            yield from (run_as(place) for place in each.place.within() if isinstance(place.node, Function))


def sycl_aliases(files: Files) -> frozenset[str]:
    """The names that namespace aliases in some files give to namespaces of SYCL's.

    The empty name is one where the namespace of sycl_ext_oneapi_enqueue_functions is opened.
    """
    named = {name: target for each in files for name, target in each.namespaces.items() if "sycl" in target}
    opened = (named.get(name, name) for each in files for name in each.using)
    is_opened = any(name.endswith(ENQUEUE_FUNCTIONS) for name in opened)
    return frozenset((*named, "") if is_opened else named)
