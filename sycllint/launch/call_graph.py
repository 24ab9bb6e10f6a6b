"""What one file reaches through functions that are written in others: the launches at the far end of its calls.

The graph is made of names: a function is reached where a reached one calls one of its name. That is more than what
is called in truth, and cheap: it only says where a look for the calls that lead to a launch is worth its cost.
"""

from collections.abc import Iterator

from sycllint.cpp.place import Place
from sycllint.cpp.statement import Function
from sycllint.facts.called import called_in, names_in, words_called
from sycllint.facts.extents import FunctionExtents
from sycllint.facts.file import FileFacts
from sycllint.facts.leading import Leading, sycl_aliases
from sycllint.facts.submissions import Submission, may_be_sycl_launch
from sycllint.record import record
from sycllint.symbols.unit import Unit

MAX_REACHED = 1000
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

    def __init__(self, unit: Unit) -> None:
        self._unit = unit
        self._leading = unit.once(leading_in)
        self._aliases = unit.once(sycl_names)
        self._classes = self._leading & unit.named.declared("structs")
        """Names that classes have whose objects may run a launch when they are made or called."""
        self._macros = self._leading & unit.named.declared("macros")

    def reached_from(self, facts: FileFacts) -> ReachedLaunches:
        """What the calls written in ``facts`` lead to."""
        functions: dict[Function, None] = {}
        # What macros used in the file write is its own, whoever calls it.
        written = [each for each in self._unit.files if each.path == facts.path and each is not facts]
        submissions = [(home, each) for home in written for each in possible_launches(home, self._aliases)]
        names = {name for name in self._leading & facts.once(words_called) if name in facts.calls}
        names |= {name for name in self._classes if names_in(facts, name)}
        waiting = sorted(names)
        for name in waiting:  # it grows meanwhile: near functions come before far ones
            if len(functions) >= MAX_REACHED:
                break
            if name in self._macros:
                written_by_macros = self._words(name) & self._leading - names
                names |= written_by_macros
                waiting += sorted(written_by_macros)
            for home, function in self._run_as(name):
                if function.body is None or function in functions:
                    continue
                functions[function] = None
                if home.submissions and home.path != facts.path:
                    submissions += ((home, each) for each in self._inside(home, function))
                found = (home.once(FunctionExtents).words(home, function) & self._leading) - names
                names |= found
                waiting += sorted(found)
        return ReachedLaunches(frozenset(functions), tuple(submissions))

    def _inside(self, facts: FileFacts, function: Function) -> Iterator[Submission]:
        inside = possible_launches(facts, self._aliases)
        return (each for each in inside if function.start <= each.start < function.extent_end)

    def _run_as(self, name: str) -> Iterator[tuple[FileFacts, Function]]:
        """The functions of a name, and the call operators of the classes of that name, with their files."""
        for home in self._unit.named.declaring("functions", name):
            yield from ((home, each.node) for each in home.functions[name])
        for home in self._unit.named.declaring("structs", name) if name in self._classes else ():
            for struct in home.structs[name]:
                inside = struct.node.members.statements
                yield from ((home, each) for each in inside if isinstance(each, Function) and each.name == "operator()")

    def _words(self, name: str) -> frozenset[str]:
        """The words that the macros of a name may call."""
        macros = (each.node for each in self._unit.macros.get(name))
        texts = [each.text.encode("utf-8", "surrogateescape") for each in macros if each.parameters is not None]
        return frozenset().union(*(called_in(each, 0, len(each)) for each in texts))


def leading_in(unit: Unit) -> frozenset[str]:
    """The unqualified names of functions of a unit that lead to a launch."""
    return unit.named.run.once(Leading).of(unit.named)


def sycl_names(unit: Unit) -> frozenset[str]:
    """The names that the namespace aliases of a unit give to namespaces of SYCL's."""
    return sycl_aliases(unit.files)


def possible_launches(facts: FileFacts, aliases: frozenset[str]) -> list[Submission]:
    """The calls in a file that may launch a kernel of SYCL's, whose namespaces ``aliases`` are other names of."""
    return [each for each in facts.submissions if may_be_sycl_launch(each, aliases)]


def function_around(place: Place) -> Function | None:
    """The innermost function around a place."""
    return next((node for node in place.chain() if isinstance(node, Function)), None)
