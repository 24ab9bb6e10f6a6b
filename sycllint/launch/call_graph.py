"""What one file reaches through functions that are written in others: the launches at the far end of its calls.

The graph is made of names: a function is reached where a reached one calls one of its name. That is more than what
is called in truth, and cheap: it only says where a look for the calls that lead to a launch is worth its cost.
"""

from bisect import bisect_left
from collections.abc import Sequence
from typing import TypeAlias

from sycllint.cpp.statement import Block, Function
from sycllint.facts.called import called_at, called_in, names_in, words_called
from sycllint.facts.extents import FunctionExtents
from sycllint.facts.file import FileFacts
from sycllint.facts.leading import Leading
from sycllint.facts.submissions import Submission
from sycllint.launch.macro_launches import offset, possible_launches
from sycllint.record import record
from sycllint.symbols.unit import Unit
from sycllint.values.evaluate import Evaluator

MAX_REACHED = 1500
"""Functions of other files that are looked at for one file; what lies beyond is not followed."""


@record
class ReachedLaunches:
    """What the calls in one file lead to."""

    functions: frozenset[Function]
    """Functions that are reached and lead to a launch, those of the file among them."""
    submissions: tuple[tuple[FileFacts, Submission], ...]
    """Launches written in them, in other files than that one."""


class LaunchCallGraph:
    """The functions of one unit that lead to a launch."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._evaluator = evaluator
        self._unit = unit = evaluator.facts
        self._leading = unit.once(leading_in)
        self._classes = self._leading & unit.named.declared("structs")
        """Names that classes have whose objects may run a launch when they are made or called."""
        self._macros = self._leading & unit.named.declared("macros")
        self._run = unit.once(_run_by_names)

    def reached_from(self, facts: FileFacts) -> ReachedLaunches:
        """What the calls written in ``facts`` lead to."""
        functions: dict[Function, None] = {}
        # What macros used in the file write is its own, whoever calls it.
        written = [each for each in self._unit.files if each.path == facts.path and each is not facts]
        launches: dict[Block, list[Submission]] = {}
        submissions = [(home, each) for home in written for each in possible_launches(home, self._evaluator)]
        words = self._leading & facts.once(words_called)
        names = {name for name in words if next(called_at(facts.content, name), None) is not None}
        names |= {name for name in self._classes if names_in(facts, name)}
        waiting = sorted(names)
        for name in waiting:  # it grows meanwhile: near functions come before far ones
            if len(functions) >= MAX_REACHED:
                break
            if name in self._macros:
                written_by_macros = self._words(name) & self._leading - names
                names |= written_by_macros
                waiting += sorted(written_by_macros)
            for home, function, called in self._run_as(name):
                if function in functions:
                    continue
                functions[function] = None
                inside = launches.get(home.unit)
                if inside is None:
                    inside = [] if home.path == facts.path else possible_launches(home, self._evaluator)
                    launches[home.unit] = inside
                if inside:
                    submissions += ((home, each) for each in _within(function, inside))
                found = called - names
                names |= found
                waiting += sorted(found)
        return ReachedLaunches(frozenset(functions), tuple(submissions))

    def _run_as(self, name: str) -> "_RunAs":
        """The functions of a name, and the call operators of the classes of that name."""
        if name not in self._run:
            self._run[name] = self._run_by(name)
        return self._run[name]

    def _run_by(self, name: str) -> "_RunAs":
        found: list[tuple[FileFacts, Function]] = []
        for home in self._unit.named.declaring("functions", name):
            found += ((home, each.node) for each in home.functions[name])
        for home in self._unit.named.declaring("structs", name) if name in self._classes else ():
            for struct in home.structs[name]:
                inside = struct.node.members.statements
                found += ((home, each) for each in inside if isinstance(each, Function) and each.name == "operator()")
        return [
            (home, each, home.once(FunctionExtents).words(home, each) & self._leading)
            for home, each in found
            if each.body is not None
        ]

    def _words(self, name: str) -> frozenset[str]:
        """The words that the macros of a name may call."""
        macros = (each.node for each in self._unit.macros.get(name))
        texts = [each.text.encode("utf-8", "surrogateescape") for each in macros if each.parameters is not None]
        return frozenset().union(*(called_in(each, 0, len(each)) for each in texts))


def _within(function: Function, launches: Sequence[Submission]) -> Sequence[Submission]:
    """The launches in a function, of those of its file in their order."""
    first, behind = (bisect_left(launches, each, key=offset) for each in (function.start, function.extent_end))
    return launches[first:behind]


_RunAs: TypeAlias = list[tuple[FileFacts, Function, frozenset[str]]]
"""Functions with their files, and the words each may call that lead to a launch."""


def _run_by_names(_: Unit) -> dict[str, _RunAs]:
    """What ``LaunchCallGraph`` found to be run by the names of a unit, whichever of its files is looked at."""
    return {}


def leading_in(unit: Unit) -> frozenset[str]:
    """The unqualified names of functions of a unit that lead to a launch."""
    return unit.named.run.once(Leading).of(unit.named)
