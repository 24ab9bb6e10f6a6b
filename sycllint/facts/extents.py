"""The extents of the functions of one file, and which function contains an offset."""

from bisect import bisect_right
from collections.abc import Iterator
from itertools import accumulate

from sycllint.cpp.place import Place
from sycllint.cpp.statement import Function, Struct
from sycllint.facts.called import called_at, called_in, callers_among_macros
from sycllint.facts.file import FileFacts

_CALL = "operator()"


def run_as(place: Place) -> str:
    """The unqualified name that is written to run the function at ``place``; of a call operator, that of its class."""
    around = (node for node in place.chain() if isinstance(node, Function | Struct))
    name = ""
    for node in around:
        name = node.name.rpartition("::")[2]
        if name != _CALL:
            break
    return name


class FunctionExtents:
    """The begin and end of each function of one file."""

    def __init__(self, facts: FileFacts) -> None:
        functions = [each for declared in facts.functions.values() for each in declared if each.node.body]
        self._functions = sorted((each.node for each in functions), key=lambda each: each.start)
        self._names = {each.node: run_as(each.place) for each in functions}
        self._starts = [each.start for each in self._functions]
        self._ends = list(accumulate((each.extent_end for each in self._functions), max))
        self._words: dict[Function, frozenset[str]] = {}

    def callers(self, facts: FileFacts, name: str) -> frozenset[str]:
        """The unqualified names of the functions, and of the macros, in which ``name`` may be called: by their text.

        No body is read for an identifier.
        """
        is_word = name.isidentifier()
        offsets = called_at(facts.content, name) if is_word else (each.start for each in facts.calls.get(name, ()))
        names = frozenset[str]().union(*map(self.names_around, offsets))
        return names | facts.once(callers_among_macros).get(name, frozenset())

    def names_around(self, offset: int) -> frozenset[str]:
        """The unqualified names of the functions in which something is written."""
        return frozenset(self._names[each] for each in self.around(offset))

    def words(self, facts: FileFacts, function: Function) -> frozenset[str]:
        """The words that a function may call, by its text."""
        found = self._words.get(function)
        if found is None:
            found = self._words[function] = called_in(facts.content, function.start, function.extent_end)
        return found

    def around(self, offset: int) -> Iterator[Function]:
        """The functions around an offset, inner ones first."""
        number = bisect_right(self._starts, offset) - 1
        while number >= 0 and self._ends[number] > offset:
            if self._functions[number].extent_end > offset:
                yield self._functions[number]
            number -= 1
