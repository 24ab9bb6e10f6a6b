"""Where the functions of one file begin and end, and so in which of them something is written."""

from bisect import bisect_right
from collections.abc import Iterator
from itertools import accumulate

from sycllint.cpp.statement import Function
from sycllint.facts.called import called_in
from sycllint.facts.file import FileFacts


class FunctionExtents:
    """Where the functions of one file begin and end."""

    def __init__(self, facts: FileFacts) -> None:
        functions = (each.node for declared in facts.functions.values() for each in declared if each.node.body)
        self._functions = sorted(functions, key=lambda each: each.start)
        self._starts = [each.start for each in self._functions]
        self._ends = list(accumulate((each.extent_end for each in self._functions), max))
        self._words: dict[Function, frozenset[str]] = {}

    def callers(self, facts: FileFacts, name: str) -> frozenset[str]:
        """The unqualified names of the functions in which ``name`` is called."""
        functions = (each for span in facts.calls.get(name, ()) for each in self._around(span.start))
        return frozenset(each.name.rpartition("::")[2] for each in functions)

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
