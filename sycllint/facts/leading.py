"""The names of functions that lead to a launch, by the names that functions call: more than do in truth, and cheap."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from itertools import accumulate
from typing import TypeAlias

from sycllint.cpp.statement import Function
from sycllint.facts.called import called_in, words_called
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
        new |= _callers(known & facts.once(words_called), (facts,))
    found = known | new
    while new:
        new = frozenset().union(*(_callers((name,), files.may_call(name)) for name in new)) - found
        found |= new
    return found


def _callers(names: Iterable[str], files: Files) -> frozenset[str]:
    """The unqualified names of the functions of these files in which one of ``names`` is called."""
    return frozenset().union(*(facts.once(FunctionExtents).callers(facts, name) for name in names for facts in files))


def launching(files: Files) -> frozenset[str]:
    """The names of the functions in which a launch is written."""
    return frozenset().union(*(each.once(_launching) for each in files if each.submissions))


def _launching(facts: FileFacts) -> frozenset[str]:
    return frozenset(
        node.name.rpartition("::")[2]
        for each in facts.submissions
        for node in each.place.chain()
        if isinstance(node, Function)
    )


class FunctionExtents:
    """Where the functions of one file begin and end."""

    def __init__(self, facts: FileFacts) -> None:
        functions = (each.node for declared in facts.functions.values() for each in declared if each.node.body)
        self._functions = sorted(functions, key=lambda each: each.start)
        self._starts = [each.start for each in self._functions]
        self._ends = list(accumulate((each.extent_end for each in self._functions), max))
        self._callers: dict[str, frozenset[str]] = {}
        self._words: dict[Function, frozenset[str]] = {}

    def callers(self, facts: FileFacts, name: str) -> frozenset[str]:
        """The unqualified names of the functions in which ``name`` is called."""
        found = self._callers.get(name)
        if found is None:
            functions = (each for span in facts.calls.get(name, ()) for each in self._around(span.start))
            found = self._callers[name] = frozenset(each.name.rpartition("::")[2] for each in functions)
        return found

    def words(self, facts: FileFacts, function: Function) -> frozenset[str]:
        """The words that a function may call, by its text."""
        found = self._words.get(function)
        if found is None:
            found = self._words[function] = called_in(facts.content, function.start, function.extent_end)
        return found

    def _around(self, offset: int) -> Iterator[Function]:
        """The functions around an offset, inner ones first."""
        number = bisect_right(self._starts, offset) - 1
        while number >= 0 and self._ends[number] > offset:
            if self._functions[number].extent_end > offset:
                yield self._functions[number]
            number -= 1
