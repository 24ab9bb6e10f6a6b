"""What one file reaches through functions that are written in others: the launches at the far end of its calls.

The graph is made of names: a function is reached where somebody in reach calls one of its name. That is more than what
is called in truth, and cheap: it only says where a look for the calls that lead to a launch is worth its cost.
"""

from bisect import bisect_right
from collections.abc import Iterator
from itertools import accumulate

from sycllint.cpp.place import Place
from sycllint.cpp.statement import Function
from sycllint.facts.called import called_in, words_called
from sycllint.facts.file import FileFacts
from sycllint.facts.generated import launching
from sycllint.facts.submissions import Submission
from sycllint.record import record
from sycllint.symbols.unit import Unit

MAX_REACHED = 400
"""Functions of other files that are looked at for one file; what lies beyond is not followed."""


@record
class Reached:
    """What the calls in one file lead to."""

    functions: frozenset[Function]
    """Functions that somebody in reach calls and that lead to a launch, those of the file among them."""
    submissions: tuple[tuple[FileFacts, Submission], ...]
    """Launches written in them, in other files than that one."""


class CallGraph:
    """The functions of one unit that lead to a launch."""

    def __init__(self, unit: Unit) -> None:
        self._unit = unit
        self._leading = unit.once(_leading)

    def reached_from(self, facts: FileFacts) -> Reached:
        """What the calls written in ``facts`` lead to."""
        functions: dict[Function, None] = {}
        # What macros used in the file write is its own, whoever calls it.
        written = [each for each in self._unit.files if each.path == facts.path and each is not facts]
        submissions = [(home, each) for home in written for each in home.submissions]
        names = {name for name in self._leading & facts.once(words_called) if name in facts.calls}
        waiting = sorted(names)
        for name in waiting:  # it grows meanwhile: near functions come before far ones
            if len(functions) >= MAX_REACHED:
                break
            for home in self._unit.named.declaring("functions", name):
                for declared in home.functions[name]:
                    if declared.node.body is None or declared.node in functions:
                        continue
                    functions[declared.node] = None
                    if home.path != facts.path:
                        submissions += ((home, each) for each in _inside(home, declared.node))
                    found = (home.once(_Bodies).words(home, declared.node) & self._leading) - names
                    names |= found
                    waiting += sorted(found)
        return Reached(frozenset(functions), tuple(submissions))


def _leading(unit: Unit) -> frozenset[str]:
    """The names of functions in which a launch is written, or a call of one of these, in the files of one unit."""
    found = new = launching(unit.files)
    while new:
        callers = (facts.once(_Bodies).callers(facts, name) for name in new for facts in unit.named.may_call(name))
        new = frozenset().union(*callers) - found
        found |= new
    return found


class _Bodies:
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


def _inside(facts: FileFacts, function: Function) -> Iterator[Submission]:
    return (each for each in facts.submissions if function.start <= each.start < function.extent_end)


def function_around(place: Place) -> Function | None:
    """The innermost function around a place."""
    return next((node for node in place.chain() if isinstance(node, Function)), None)
