"""What one file reaches through functions that are written in others: the launches at the far end of its calls.

The graph is made of names: a function is reached where a reached one calls one of its name. That is more than what
is called in truth, and cheap: it only says where a look for the calls that lead to a launch is worth its cost.
"""

from bisect import bisect_left
from collections.abc import Sequence
from typing import TypeAlias

from sycllint.cpp.expression import Call, Expr, Lambda, Member, Name, Number
from sycllint.cpp.place import Place, used_at
from sycllint.cpp.statement import Block, Function, FunctionParameter, TemplateParameter
from sycllint.facts.called import called_at, called_in, names_in, words_called
from sycllint.facts.extents import FunctionExtents
from sycllint.facts.file import FileFacts
from sycllint.facts.leading import Leading
from sycllint.facts.submissions import Submission
from sycllint.launch.call_places import CALL
from sycllint.launch.call_sites import CallSites, Within, may_mean, point_of
from sycllint.launch.macro_launches import offset, possible_launches
from sycllint.record import NamedTuple, record
from sycllint.symbols.unit import Unit
from sycllint.values.evaluate import Evaluator
from sycllint.values.objects import Asked
from sycllint.values.packs import is_pack
from sycllint.values.value import Known, Symbolic, Value

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


@record
class OpenSize:
    """What of a function's arguments decides the size of a launch, whose kernel is the same for all callers."""

    owner: Function
    parameters: frozenset[int] | None
    """Where the parameters start that do, numbers all of them; ``None`` where whatever is around may decide it."""

    def may_depend_on(self, facts: FileFacts, within: Within, sites: CallSites, evaluator: Evaluator) -> bool:
        """Whether a call in ``facts`` may decide the size: through callers that do not, and that are ``within``."""

        def is_own(site: Place) -> bool:
            return evaluator.facts.file_at(used_at(site)).path == facts.path

        waiting = [self]
        for size in waiting:  # it grows meanwhile
            owner, name = size.owner, size.owner.name.rpartition("::")[2]
            if name == CALL or name in evaluator.facts.structs:
                return True
            called = [each for each in sites.places.written(name) if within(each) and may_mean(each.node, owner)]
            called = [each for each in called if is_own(each) or not size._is_written_at(each)]
            called = [each for each in called if sites.may_run(each, owner)]
            callers = [each for each in called if is_own(each) or size._is_open_at(each, evaluator)]
            callers += [each for _, each in sites.mentions(owner)]
            for site in callers:
                if is_own(site) or any(isinstance(each, Lambda) for each in site.chain()):
                    return True
                caller = site.innermost(Function)
                following = size._handed_on(caller, site, evaluator) if caller is not None else None
                if following is not None and following not in waiting:
                    waiting.append(following)
        return False

    def _is_written_at(self, site: Place) -> bool:
        """Whether a call is given plain numbers for all that decides the size, which no name is looked up to see."""
        given = self._arguments(site.node) if isinstance(site.node, Call) else ()
        return bool(given) and all(isinstance(each, Number) and each.text.isdecimal() for each in given)

    def _is_open_at(self, site: Place, evaluator: Evaluator) -> bool:
        """Whether a call does not give numbers for all that decides the size."""
        given = self._given_at(site, evaluator)
        return not given.values or bool(given.asked) or not all(isinstance(each, Known) for each in given.values)

    def _handed_on(self, caller: Function, site: Place, evaluator: Evaluator) -> "OpenSize":
        """What of the arguments of a caller decides the size."""
        given = self._given_at(site, evaluator)
        only_its_own = all(each is caller for each in given.asked)
        return (open_size(caller, given.values) if only_its_own and given.values else None) or OpenSize(caller, None)

    def _given_at(self, site: Place, evaluator: Evaluator) -> "_Given":
        """What a call gives for the parameters that decide the size, whoever calls the function around it."""
        known, key = evaluator.facts.once(_given_by_calls), (site, self)
        if key not in known:
            evaluator.free.clear()
            evaluator.work = 0
            call, values = site.node, tuple[Value, ...]()
            if isinstance(call, Call):
                values = tuple(evaluator.value(each, point_of(site, call)) for each in self._arguments(call))
            known[key] = _Given(values, tuple(evaluator.free.values()))
        return known[key]

    def _arguments(self, call: Call) -> list[Expr]:
        """The arguments of a call for these parameters; none where not each has one."""
        if self.parameters is None or any(map(is_pack, call.arguments)):
            return []
        written = (call.function.arguments if isinstance(call.function, Name | Member) else None) or ()
        pairs: list[tuple[Expr, FunctionParameter | TemplateParameter]] = [
            *zip(call.arguments, self.owner.parameters, strict=False),
            *zip(written, self.owner.template_parameters, strict=False),
        ]
        given = [each for each, parameter in pairs if parameter.start in self.parameters]
        return given if len(given) == len(self.parameters) else []


class _Given(NamedTuple):
    """What a call gives for the parameters that decide a size: nothing where not each has an argument."""

    values: tuple[Value, ...]
    asked: tuple[Asked, ...]
    """Whose parameters the values depend on."""


def _given_by_calls(_: Unit) -> dict[tuple[Place, OpenSize], _Given]:
    """What ``OpenSize`` found that the calls of a unit give, whichever of its files is looked at."""
    return {}


def open_size(owner: Function, extents: tuple[Value, ...]) -> OpenSize | None:
    """The size with these extents of a launch in ``owner``; ``None`` where more than parameters of it decide it."""
    atoms = {atom for each in extents if isinstance(each, Symbolic) for term in each.terms for atom in term.atoms}
    declared = {(each.name, each.start) for each in owner.parameters if not each.pack}
    declared |= {(each.name, each.start) for each in owner.template_parameters if not each.pack}
    named = {(each.text, each.location.span.start) for each in atoms if each.location is not None}
    is_plain = all(isinstance(each, Known | Symbolic) for each in extents) and len(named) == len(atoms)
    if not is_plain or not named or not named <= declared or "::" in owner.name:
        return None
    return OpenSize(owner, frozenset(start for _, start in named))


def leading_in(unit: Unit) -> frozenset[str]:
    """The unqualified names of functions of a unit that lead to a launch."""
    return unit.named.run.once(Leading).of(unit.named)
