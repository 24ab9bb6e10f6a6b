"""What of a function's arguments decides the size of a launch, and through which calls that leads to a file."""

from collections.abc import Iterator, Sequence
from itertools import chain

from sycllint.cpp.expression import Call, Expr, Lambda, Member, Name, Number, Opaque, Type
from sycllint.cpp.node import walk
from sycllint.cpp.place import Place, used_at
from sycllint.cpp.statement import Function, FunctionParameter, Struct, TemplateParameter
from sycllint.facts.file import FileFacts
from sycllint.launch.call_places import CALL
from sycllint.launch.call_sites import CallSites, Within, may_mean, point_of
from sycllint.record import NamedTuple, record
from sycllint.symbols.unit import Unit
from sycllint.values.evaluate import Evaluator
from sycllint.values.objects import Asked
from sycllint.values.packs import is_pack
from sycllint.values.value import Known, Symbolic, Value

MAX_BY_NAME = 16
"""Functions that are followed by their names alone; where there are more, a call may lead anywhere."""


@record
class OpenSize:
    """What of a function's arguments decides the size of a launch, whose kernel is the same for all callers."""

    owner: Function
    parameters: frozenset[int] | None
    """Where the parameters start that do, those of its template among them; ``None`` where whatever is around may."""

    def may_depend_on(self, facts: FileFacts, within: Within, sites: CallSites, evaluator: Evaluator) -> bool:
        """Whether a call in ``facts`` may decide the size: through callers that do not, and that are ``within``."""

        def is_own(site: Place) -> bool:
            return evaluator.facts.file_at(used_at(site)).path == facts.path

        waiting, seen = [self], {self}
        for size in waiting:  # it grows meanwhile
            owner, name = size.owner, size.owner.name.rpartition("::")[2]
            if name == CALL or name in evaluator.facts.structs:
                return True
            own, others = list[Place](), list[Place]()
            for each in filter(within, _named_as(owner, name, sites, evaluator)):
                (own if is_own(each) else others).append(each)
            mentioned = [each for _, each in sites.mentions(owner)]
            if any(map(is_own, mentioned)) or any(_may_run(each, owner, sites, evaluator) for each in own):
                return True
            # Where anything around may decide, to go one call further costs less than to resolve it.
            if size.parameters is not None:
                open_ = (each for each in others if not size._is_written_at(each))
                others = [each for each in open_ if _may_run(each, owner, sites, evaluator)]
            elif len(waiting) > MAX_BY_NAME:
                return True
            # What a function is given that is handed on is not seen where that is done.
            around = size if owner.template_parameters else OpenSize(owner, None)
            decided = (size._decided_at(each, evaluator) for each in others)
            for following in chain(decided, (around._decided_at(each, evaluator) for each in mentioned)):
                if following is True:
                    return True
                if following is not False and following not in seen:
                    seen.add(following)
                    waiting.append(following)
        return False

    def _decided_at(self, site: Place, evaluator: Evaluator) -> "OpenSize | bool":
        """What decides the size where it is decided around a call; otherwise whether anything may."""
        caller = site.innermost(Function)
        handed = self._handed_on(caller, site, evaluator.facts) if caller is not None else None
        if caller is not None and handed is not None:
            return OpenSize(caller, handed) if handed else False
        given = self._given_at(site, evaluator) if self.parameters is not None else _NOTHING
        if given.values and not given.asked and all(isinstance(each, Known) for each in given.values):
            return False
        if any(isinstance(each, Lambda) and not _is_command_group(each) for each in site.chain()):
            return True
        if caller is None:
            return False
        only_its_own = all(each is caller for each in given.asked)
        return (open_size(caller, given.values) if only_its_own and given.values else None) or OpenSize(caller, None)

    def _is_written_at(self, site: Place) -> bool:
        """Whether a call is given plain numbers for all that decides the size, which no name is looked up to see."""
        given = self._arguments(site.node) if isinstance(site.node, Call) else ()
        return bool(given) and all(isinstance(each, Number) and each.text.isdecimal() for each in given)

    def _handed_on(self, caller: Function, site: Place, unit: Unit) -> frozenset[int] | None:
        """Where the parameters of a caller start that decide what a call gives; ``None`` where that is not evident.

        It is where what the call gives is written, not by a macro, with nothing but parameters of the function that
        calls, and names from outside of all functions and classes.
        """
        call = site.node
        if not isinstance(call, Call) or self.parameters is None or "::" in caller.name:
            return None
        given = self._written(call)
        is_plain = used_at(site) is site and not any(isinstance(each, Struct) for each in site.chain())
        if given is None or not is_plain:
            return None
        known = {each.name: each.start for each in _parameters(caller) if each.name}
        local = unit.once(_declared_inside)
        if caller not in local:
            local[caller] = frozenset(_declared_in(caller))
        found: set[int] = set()
        for node in (node for each in given for node in walk(each)):
            name = node.text.partition("::")[0] if isinstance(node, Name) else ""
            if name in known:
                found.add(known[name])
            is_hidden = isinstance(node, Lambda) or (isinstance(node, Opaque) and not is_pack(node))
            if is_hidden or name in local[caller] or name in unit.macros or name == "this":
                return None
        return frozenset(found)

    def _written(self, call: Call) -> list[Expr] | None:
        """All of a call from which these parameters may be known; ``None`` where one is known from elsewhere."""
        assert self.parameters is not None
        owner, found = self.owner, list[Expr]()
        written = (call.function.arguments if isinstance(call.function, Name | Member) else None) or ()
        for place, parameter in enumerate(owner.parameters):
            if parameter.start in self.parameters:
                given = _at(place, parameter, call.arguments)
                if not given:
                    return None
                found += given
        for place, each in enumerate(owner.template_parameters):
            if each.start not in self.parameters:
                continue
            given = _at(place, each, written)
            if not given or each.pack or any(map(is_pack, given)):
                for index, parameter in enumerate(owner.parameters):
                    if _is_named(each.name, parameter.type):
                        given = [*given, *_at(index, parameter, call.arguments)]
            if not given:
                return None
            found += given
        return found

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
        """The arguments of a call for these parameters; none where not each has one that is a value."""
        if self.parameters is None or any(map(is_pack, call.arguments)):
            return []
        written = (call.function.arguments if isinstance(call.function, Name | Member) else None) or ()
        pairs: list[tuple[Expr, FunctionParameter | TemplateParameter]] = [
            *zip(call.arguments, self.owner.parameters, strict=False),
            *((given, each) for given, each in zip(written, self.owner.template_parameters, strict=False) if each.type),
        ]
        given = [each for each, parameter in pairs if parameter.start in self.parameters]
        return given if len(given) == len(self.parameters) else []


class _Given(NamedTuple):
    """What a call gives for the parameters that decide a size: nothing where not each has an argument."""

    values: tuple[Value, ...]
    asked: tuple[Asked, ...]
    """Whose parameters the values depend on."""


_NOTHING = _Given((), ())


def _given_by_calls(_: Unit) -> dict[tuple[Place, OpenSize], _Given]:
    """What ``OpenSize`` found that the calls of a unit give, whichever of its files is looked at."""
    return {}


def _calls_by_name(_: Unit) -> dict[Function, list[Place]]:
    """By function the calls of a unit that may mean it by what they are written with, as far as that was asked."""
    return {}


def _named_as(owner: Function, name: str, sites: CallSites, evaluator: Evaluator) -> list[Place]:
    known = evaluator.facts.once(_calls_by_name)
    if owner not in known:
        known[owner] = [each for each in sites.places.written(name) if may_mean(each.node, owner)]
    return known[owner]


def _calls_that_run(_: Unit) -> dict[tuple[Place, Function], bool]:
    """Whether calls of a unit may run a function, as far as that was asked."""
    return {}


def _may_run(site: Place, owner: Function, sites: CallSites, evaluator: Evaluator) -> bool:
    known = evaluator.facts.once(_calls_that_run)
    if (site, owner) not in known:
        known[site, owner] = sites.may_run(site, owner)
    return known[site, owner]


def _declared_inside(_: Unit) -> dict[Function, frozenset[str]]:
    """The names that functions of a unit declare in their bodies, as far as that was asked."""
    return {}


def _declared_in(function: Function) -> Iterator[str]:
    """The names that the body of a function declares, those in its lambdas and classes among them."""
    for node in walk(function.body) if function.body is not None else ():
        name = getattr(node, "name", None)
        if name and isinstance(name, str) and not isinstance(node, Member):
            yield name


def _at(place: int, parameter: FunctionParameter | TemplateParameter, arguments: Sequence[Expr]) -> Sequence[Expr]:
    """The arguments of which one, or some, may be that of the parameter at a place: all from an earlier pack on."""
    first = next((index for index, each in enumerate(arguments[:place]) if is_pack(each)), place)
    is_one = first == place and not parameter.pack and not any(map(is_pack, arguments[place : place + 1]))
    return arguments[first : place + 1] if is_one else arguments[first:]


def _is_command_group(closure: Lambda) -> bool:
    """Whether a lambda is given a handler and nothing else, so that who calls it decides nothing."""
    return all(each.type.name.last == "handler" for each in closure.parameters)


def _parameters(function: Function) -> list[FunctionParameter | TemplateParameter]:
    return [*function.parameters, *function.template_parameters]


def _is_named(name: str, kind: Type) -> bool:
    """Whether a type is written with a name."""
    return any(isinstance(node, Name) and node.text == name for node in walk(kind))


def open_size(owner: Function, extents: tuple[Value, ...]) -> OpenSize | None:
    """The size with these extents of a launch in ``owner``; ``None`` where more than parameters of it decide it.

    Constants in a class that is a parameter of the template count as that parameter.
    """
    atoms = {atom for each in extents if isinstance(each, Symbolic) for term in each.terms for atom in term.atoms}
    declared = {(each.name, each.start) for each in _parameters(owner) if not each.pack}
    classes = {each.name: each.start for each in owner.template_parameters if each.type is None and not each.pack}
    if not atoms or not all(isinstance(each, Known | Symbolic) for each in extents) or "::" in owner.name:
        return None
    found: set[int] = set()
    for each in atoms:
        around, _, member = each.text.partition("::")
        if each.location is None:
            return None
        if (each.text, each.location.span.start) in declared:
            found.add(each.location.span.start)
        elif around in classes and member.isidentifier() and around not in _declared_in(owner):
            found.add(classes[around])
        else:
            return None
    return OpenSize(owner, frozenset(found))
