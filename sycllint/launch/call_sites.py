"""The calls of each function of a unit, by what they mean where they stand."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations
from operator import itemgetter
from typing import TypeAlias

from sycllint.cpp.expression import Brace, Call, Expr, Lambda, Member, Name, Unary
from sycllint.cpp.node import Node
from sycllint.cpp.place import Place, descend
from sycllint.cpp.statement import Function, FunctionParameter, Struct, Variable
from sycllint.facts.file import Declared
from sycllint.launch.call_places import CALL, call_places
from sycllint.record import NamedTuple
from sycllint.symbols.arity import accepts
from sycllint.symbols.candidates import Kinds
from sycllint.symbols.conversions import ArgumentKind
from sycllint.symbols.taken import Taken
from sycllint.symbols.templates import instantiable, template_parameter
from sycllint.symbols.unit import Unit
from sycllint.values.deduction.constraints import conditions, holds
from sycllint.values.evaluate import Evaluator
from sycllint.values.objects import Frame, Point
from sycllint.values.packs import forwarded, handed_on, is_pack

MAX_OPEN = 12
"""Calls of which the way says whether they mean a function; where there are more, none is followed."""

_Written: TypeAlias = tuple[str, int, int]
Within: TypeAlias = Callable[[Place], bool]
"""Whether a call may lead to what is asked for."""


class _Sites(NamedTuple):
    """Calls, numbered as they stand in the unit."""

    waiting: list[tuple[int, Place]]
    """Those that were not looked at."""
    open: list[tuple[int, Place]]
    """Those of which the way to them says which function they mean."""


class CallSites:
    """Call sites of one unit, found once per name."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._evaluator = evaluator
        self.places = call_places.of(evaluator)
        """Calls by the names that they are written with."""
        self._called: dict[str, dict[_Written, list[tuple[int, Place]]]] = {}
        """By name, the calls of each function that were looked at, numbered as they stand in the unit."""
        self._waiting: dict[str, list[tuple[int, Place]]] = {}
        """The others."""
        self._looked: set[tuple[Function, bool]] = set()
        """Functions of which all calls that are within were looked at, and whether all were."""
        self._sites: dict[tuple[str, bool], dict[int | None, _Sites]] = {}
        """Calls by a name, those within and all, by the number of their arguments."""
        self._open: dict[int, list[Declared[Function]]] = {}
        """Which calls these are, by identity, and between which functions the conditions of templates decide."""
        self._met: dict[Frame, bool | None] = {}
        """Whether open calls meet the conditions of what they are bound to."""
        self._never_met: set[Frame] = set()
        """Those of which that is not known, and asks for nothing."""
        self._mentions: dict[Function, list[tuple[Name, Place]]] = {}
        self._given: dict[str, list[tuple[ArgumentKind | None, ...]]] = {}
        """What calls of each function that hands a pack on are given, by its name."""

    def of(self, owner: Function, within: Within | None = None) -> list[Place]:
        """The calls of a function, of those that are ``within``.

        That is the same function each time: what it leaves out is not looked at.
        """
        name = owner.name.rpartition("::")[2]
        if not name:
            return []
        called = sorted(self._by_function(owner, name, within), key=itemgetter(0))
        found = [*(site for _, site in called), *self._open_to(owner, name, within)]
        return found if within is None else list(filter(within, found))

    def of_lambda(self, kept: Place, within: Within | None = None) -> list[Place]:
        """The calls of the lambda at a place by the variable that it is kept in, of those that are ``within``."""
        owner, variable = kept.node, kept.outer.node if kept.outer is not None else None
        if not isinstance(owner, Lambda) or not isinstance(variable, Variable) or not variable.name:
            return []
        places = [*self.places.written(variable.name), *self.places.written(CALL)]
        found = [site for site in places if _fits(owner, site) and is_call_of(site.node, variable.name)]
        return found if within is None else list(filter(within, found))

    def _by_function(self, owner: Function, name: str, within: Within | None) -> list[tuple[int, Place]]:
        """The calls of a function, numbered as they stand in the unit.

        A call is left out when it may mean more than one and no C++ front end decides which. Those that no
        argument list of the function fits are not looked at.
        """
        known = self._called.setdefault(name, {})
        if (owner, within is None) not in self._looked:
            self._looked.add((owner, within is None))
            waiting = self._waiting.get(name)
            if waiting is None:
                waiting = list(enumerate(self.places.all(name)))
            self._waiting[name] = []
            is_maker = name in self._evaluator.facts.structs
            for number, site in waiting:
                if (within is None or within(site)) and may_mean(site.node, owner, is_maker=is_maker):
                    for each in self.callees(site):
                        known.setdefault(_written_as(each.node), []).append((number, site))
                else:
                    self._waiting[name].append((number, site))
        return known.get(_written_as(owner), [])

    def _open_to(self, owner: Function, name: str, within: Within | None) -> Iterator[Place]:
        """The calls that run a member function where a template's argument, or a specialisation, is of its class.

        Also those of which conditions of function templates, or classes of arguments, say on the way which one they
        mean.
        """
        if self.class_of(owner) is None and not conditions(self._evaluator, owner) and not self._may_be_tagged(owner):
            return
        by_number = self._sites_by_number(name, within)
        numbers = [each for each in by_number if each is None or accepts(owner, each)]
        sites = sorted((each for number in numbers for each in self._open_of(by_number[number])), key=itemgetter(0))
        fitting = [site for _, site in sites if self._may_run_open(site, owner)]
        yield from fitting if len(fitting) <= MAX_OPEN else ()

    def _sites_by_number(self, name: str, within: Within | None) -> dict[int | None, _Sites]:
        """The calls by a name by the number of their arguments; ``None`` where a pack is handed on."""
        key = (name, within is None)
        found = self._sites.get(key)
        if found is None:
            found = self._sites[key] = {}
            for position, site in enumerate(self.places.all(name)):
                call = site.node
                if isinstance(call, Call) and (within is None or within(site)):
                    number = None if any(map(is_pack, call.arguments)) else len(call.arguments)
                    found.setdefault(number, _Sites([], [])).waiting.append((position, site))
        return found

    def _open_of(self, sites: _Sites) -> list[tuple[int, Place]]:
        """The calls of which the way says which function they mean: others are not looked at again."""
        waiting, sites.waiting[:] = [*sites.waiting], []
        for position, site in waiting:
            call = site.node
            if not isinstance(call, Call) or self.callees(site):
                continue
            conditional = self._conditional(site, call)
            if conditional or self._is_dependent(call, site) or self._is_specialised(call, site):
                sites.open.append((position, site))
                self._open[id(call)] = conditional
        return sites.open

    def goes_on_through_list(self, frame: Frame) -> bool:
        """Whether ``frame`` binds a function by its call of itself with the rest of a list."""
        owner = frame.owner
        return isinstance(owner, Function) and self._evaluator.template_arguments.is_next(owner, frame)

    def _may_run_open(self, site: Place, owner: Function) -> bool:
        call = site.node
        between = self._open[id(call)]
        if not isinstance(call, Call) or (not between and self.class_of(owner) is None):
            return False
        if not between and self._is_specialised(call, site):
            between = self._targets(call, site)
        return any(each.node is owner for each in between) if between else accepts(owner, len(call.arguments))

    def may_run(self, site: Place, owner: Function) -> bool:
        """Whether a call is one of those that ``of`` gives for a function."""
        targets = self.callees(site)
        if targets or not isinstance(site.node, Call):
            return any(_written_as(each.node) == _written_as(owner) for each in targets)
        conditional = self._conditional(site, site.node)
        if conditional:
            return any(_written_as(each.node) == _written_as(owner) for each in conditional)
        is_open = self._is_dependent(site.node, site) or self._is_specialised(site.node, site)
        return self.class_of(owner) is not None and is_open

    def is_open(self, call: Call) -> bool:
        """Whether the way to a call, of those that ``of`` gave, says which function it means."""
        return id(call) in self._open

    def meets(self, frame: Frame) -> bool | None:
        """Whether the call that ``frame`` binds, an open one, meets the conditions of that function and of no other.

        ``None`` where that is not known; also where it is not these that decide which function is meant.
        """
        if frame not in self._met:
            evaluator = self._evaluator
            free, work, evaluator.free, evaluator.work = evaluator.free, evaluator.work, {}, 0
            self._met[frame] = self._meets_alone(frame)
            between = self._open[id(frame.call)]
            if self._met[frame] is None and between and not evaluator.free:
                if any(conditions(evaluator, each.node) for each in between):
                    self._never_met.add(frame)
                else:
                    # The class of an argument that is one of several, as under a conditional, may be the right one.
                    self._met[frame] = True
            evaluator.free, evaluator.work = free, work
        return self._met[frame]

    def is_never_known(self, frame: Frame) -> bool:
        """Whether it is not known what ``meets`` says of a call, and no longer way to it says more."""
        return self.meets(frame) is None and frame in self._never_met

    def _meets_alone(self, frame: Frame) -> bool | None:
        made, between = self._evaluator.frames.made, self._open[id(frame.call)]
        own = next((each for each in between if each.node is frame.owner), None)
        tags = self._tags(between)
        answer = self._holds(own, frame, tags) if own is not None else None
        for each in between if answer else ():
            bound = made(each.node, frame.arguments, frame.templates, frame.point, frame.call, frame.outer)
            if each is not own and self._holds(each, bound, tags) is not False:
                return None
        return answer

    def _holds(self, function: Declared[Function], frame: Frame, tags: Sequence[int]) -> bool | None:
        """Whether a call meets the conditions of a function, and its arguments are of the classes of the parameters."""
        answers = [holds(self._evaluator, function, frame), *(self._suits(function, frame, each) for each in tags)]
        return False if False in answers else None if None in answers else True

    def _suits(self, function: Declared[Function], frame: Frame, index: int) -> bool | None:
        """Whether an argument is of the class of the parameter at ``index``; ``None`` where that is not known."""
        evaluator, argument = self._evaluator, frame.arguments[index]
        typed = evaluator.under(frame.outer, evaluator.static_types.of, argument, frame.point)
        if typed is None or typed.type.pointers or typed.type.extents or any(map(is_pack, frame.arguments)):
            return None
        given = evaluator.under(typed.frame, evaluator.instances.of, typed.type.name, typed.point)
        wanted = evaluator.symbols.classes(function.node.parameters[index].type.name, function.place)
        if given is None or not wanted.sure:
            return None
        if any(
            (each.node.name, each.scope) == (given.struct.node.name, given.struct.scope) for each in wanted.declared
        ):
            return True
        return None if given.struct.node.bases else False

    def _may_be_tagged(self, owner: Function) -> bool:
        """Whether the class of an argument may decide between a function and another one of its name."""
        facts = self._evaluator.facts
        is_one_of_several = len(facts.functions.get(owner.name.rpartition("::")[2])) > 1
        return is_one_of_several and any(self._class_named(owner, index) for index in range(len(owner.parameters)))

    def _tags(self, functions: Sequence[Declared[Function]]) -> list[int]:
        """The parameters that are of another class of the project in each of several functions."""
        nodes = [each.node for each in functions]
        if not nodes:
            return []
        named = [[self._class_named(each, index) for each in nodes] for index in range(len(nodes[0].parameters))]
        return [index for index, names in enumerate(named) if all(names) and len(set(names)) == len(nodes)]

    def _class_named(self, function: Function, index: int) -> str:
        """The class of the project that a parameter of a function has the type of."""
        kind = function.parameters[index].type if index < len(function.parameters) else None
        if kind is None or kind.pointers or any(each.name == kind.name.text for each in function.template_parameters):
            return ""
        return kind.name.last if kind.name.last in self._evaluator.facts.structs else ""

    def class_of(self, owner: Function) -> Struct | None:
        """The class in which a member function is defined."""
        unit = self._evaluator.facts
        known = unit.once(_classes_of_functions)
        classes = known.get(owner.name)
        if classes is None:
            declared = reversed(unit.functions.get(owner.name))
            classes = known[owner.name] = {each.node: each.place.innermost(Struct) for each in declared}
        return classes.get(owner)

    def _is_dependent(self, call: Call, site: Place) -> bool:
        """Whether the class whose member function is called depends on template arguments."""
        match call.function:
            case Name(scope=Name()):
                return True
            case Name(text=text) if "::" in text:
                return template_parameter(text.partition("::")[0], site) is not None
            case Member(object=Name() as called_on) | (Name() as called_on):
                found = self._evaluator.declarations.nearest(called_on.text, point_of(site, call))
                parameter = found[0] if found is not None else None
                if not isinstance(parameter, FunctionParameter):
                    return False
                text = parameter.type.name.text
                return text == "auto" or template_parameter(text, site) is not None
            case Call(function=Name() as made) | Brace(type=Name() as made):
                return template_parameter(made.text, site) is not None
            case _:
                return False

    def _is_specialised(self, call: Call, site: Place) -> bool:
        """Whether a member function is called that specialisations of one class template have each of their own."""
        found = {self.class_of(each.node) for each in self._targets(call, site)}
        classes = [each for each in found if each is not None]
        is_one_template = len({each.name for each in classes}) == 1 and None not in found
        return is_one_template and len(classes) > 1 and any(each.specialization is not None for each in classes)

    def callees(self, site: Place) -> list[Declared[Function]]:
        """The function that a call means; one for each way to compile the unit, where conditionals decide."""
        known = self._evaluator.facts.once(_callees_of_calls)
        found = known.get(site)
        if found is None:
            found = known[site] = self._callees(site, site.node) if isinstance(site.node, Call) else []
        return found

    def _callees(self, site: Place, call: Call) -> list[Declared[Function]]:
        evaluator = self._evaluator
        targets = self._targets(call, site)
        if len(targets) < 2 or evaluator.template_arguments.is_walk([each.node for each in targets]):
            return targets
        here = Taken(site)
        together = [(each, taken) for each in targets if not (taken := Taken(each.place)).contradicts(here)]
        if together and all(one[1].contradicts(other[1]) for one, other in combinations(together, 2)):
            return [each for each, _ in together]
        meant = evaluator.callee(call, site)
        return [each for each in targets if each.node is meant][:1]

    def _targets(self, call: Call, site: Place) -> list[Declared[Function]]:
        """The functions that a call may mean, by its arguments and what it says of templates."""
        known = self._evaluator.facts.once(_targets_of_calls)
        found = known.get(site)
        if found is None:
            found = known[site] = self._fitting(call, site)
        return found

    def _fitting(self, call: Call, site: Place) -> list[Declared[Function]]:
        of = self._evaluator.overloads.of
        meant_by = [each for kinds in self._arguments(call, site) for each in of(call, site, kinds).found]
        targets = [each for each in dict.fromkeys(meant_by) if self._takes(each, call, site)]
        if len(targets) < 2:
            return targets
        around = site.innermost(Struct)
        if around is not None and around.specialization is not None and on_this(call):
            # Lookup finds those of all specialisations.
            targets = [each for each in targets if self.class_of(each.node) is around] or targets
        return [each for each in targets if self._meets(each, call, site) is not False]

    def _meets(self, declared: Declared[Function], call: Call, site: Place) -> bool | None:
        """Whether a call meets the conditions of a function, however it is reached."""
        if not conditions(self._evaluator, declared.node):
            return True
        evaluator, frame = self._evaluator, self.binding(declared.node, site, call, None)
        free, work, evaluator.free, evaluator.work = evaluator.free, evaluator.work, {}, 0
        answer = holds(evaluator, declared, frame)
        evaluator.free, evaluator.work = free, work
        return answer

    def _conditional(self, site: Place, call: Call) -> list[Declared[Function]]:
        """The functions of which conditions on the arguments of templates, or the class of an argument, choose one."""
        targets = self._targets(call, site)
        if len(targets) < 2:
            return []
        is_conditional = any(conditions(self._evaluator, each.node) for each in targets)
        return targets if is_conditional or self._tags(targets) else []

    def _arguments(self, call: Call, site: Place) -> Sequence[Kinds | None]:
        """The kinds of a call's arguments, a pack spelled out in each way in which the function around is given it.

        ``None`` where the arguments are as they are written.
        """
        packs = [index for index, each in enumerate(call.arguments) if is_pack(each)]
        pack = handed_on(call.arguments[packs[0]], site) if len(packs) == 1 else None
        if pack is None:
            return (None,)
        kinds = self._evaluator.overloads.kinds(call.arguments, site, call.start)
        before, after = kinds[: packs[0]], kinds[packs[0] + 1 :]
        return [(*before, *given, *after) for given in self._packs(*pack)]

    def _packs(self, owner: Function | Lambda, index: int) -> list[tuple[ArgumentKind | None, ...]]:
        """The kinds of what the pack at ``index`` of the parameters of ``owner`` is given, by calls of its name."""
        name = owner.name.rpartition("::")[2] if isinstance(owner, Function) else ""
        known = self._given.get(name)
        if known is None:
            # A call of the function in itself hands on what it was given.
            self._given[name] = []
            known = self._given[name] = list(dict.fromkeys(self._given_by_calls(name)))
        return list(dict.fromkeys(each[index:] for each in known if len(each) >= index))

    def _given_by_calls(self, name: str) -> Iterator[tuple[ArgumentKind | None, ...]]:
        for site in self.places.written(name) if name else ():
            if isinstance(site.node, Call):
                call = site.node
                for kinds in self._arguments(call, site):
                    written = (
                        self._evaluator.overloads.kinds(call.arguments, site, call.start) if kinds is None else kinds
                    )
                    yield tuple(written)

    def _takes(self, declared: Declared[Function], call: Call, site: Place) -> bool:
        """Whether a function can be called with the template arguments of a call."""
        function = declared.node
        given = (call.function.arguments if isinstance(call.function, Name | Member) else None) or ()
        if given and self._evaluator.symbols.is_constructor(declared):
            # They are those of its class.
            return True
        point = Point(site, call.start)
        return (not function.template_parameters and not given) or instantiable(
            function, given, lambda name: self._evaluator.declarations.type_of(name, point) is not None
        )

    def mentions(self, owner: Function) -> list[tuple[Name, Place]]:
        """Where a function is named as a value, as an argument or in a table: the instances of a template."""
        found = self._mentions.get(owner)
        if found is None:
            name, functions = owner.name.rpartition("::")[2], self._evaluator.symbols.functions
            named = self.places.instances(name) if owner.template_parameters else self.places.values(name)
            found = [each for each in named if any(one.node is owner for one in functions(*each).declared)]
            self._mentions[owner] = found = [each for each in found if not self._is_variable(*each)]
        return found

    def _is_variable(self, name: Name, place: Place) -> bool:
        return self._evaluator.argument_kinds.is_variable(name, place, name.start)

    def place_of(self, owner: Lambda, near: Iterable[Place]) -> Place | None:
        """Where a lambda of the unit stands, ``near`` being places that are likely to be in it."""
        for place in near:
            for each in place.within():
                if each.node is owner:
                    return each
        for facts in self._evaluator.facts.files:
            found = descend(facts.unit, owner.start, owner.end, Lambda)
            if found is not None and found.node is owner:
                return found
        return None

    def binding(
        self, owner: Function | Lambda, site: Place, call: Call, outer: Frame | None, of_class: tuple[Expr, ...] = ()
    ) -> Frame:
        """What ``call``, at ``site``, binds of ``owner``; ``of_class`` are the arguments of its class template."""
        written = call.function.arguments if isinstance(call.function, Name | Member) else None
        templates = (*of_class, *(written or ()))
        return self._evaluator.frames.made(owner, call.arguments, templates, point_of(site, call), call, outer)


def _callees_of_calls(_: Unit) -> dict[Place, list[Declared[Function]]]:
    """What ``CallSites.callees`` said of the calls of a unit, whichever of its files is looked at."""
    return {}


def _targets_of_calls(_: Unit) -> dict[Place, list[Declared[Function]]]:
    """The same of ``CallSites._targets``."""
    return {}


def _classes_of_functions(_: Unit) -> dict[str, dict[Function, Struct | None]]:
    """By name what ``CallSites.class_of`` said of the functions of a unit."""
    return {}


def on_this(call: Call) -> bool:
    """Whether a member function is called on the object that the caller is a member function of."""
    match call.function:
        case Name(text=text):
            return "::" not in text
        case Member(object=Name(text="this")):
            return True
        case _:
            return False


def point_of(site: Place, call: Call) -> Point:
    """Where the arguments of a call are looked up."""
    return Point(site.outer if site.outer is not None else site, call.start)


def _written_as(owner: Function) -> _Written:
    """What is the same of a function in each reading of its file: where there are two, each has nodes of its own."""
    return owner.name, owner.start, owner.extent_end


def may_mean(call: Node, function: Function, *, is_maker: bool = False) -> bool:
    """Whether a call of its name may run a function, by the number of arguments and the explicit template arguments.

    ``is_maker``: it may be a constructor, whose template arguments are those of its class.
    """
    if not isinstance(call, Call):
        return False
    if not accepts(function, len(call.arguments)) and not any(map(is_pack, call.arguments)):
        return False
    given = (call.function.arguments if isinstance(call.function, Name | Member) else None) or ()
    return is_maker or not (function.template_parameters or given) or instantiable(function, given, _is_no_value)


def _is_no_value(_: Name) -> bool:
    return False


def is_call_of(node: Node, name: str) -> bool:
    """``name(n)``, ``name.operator()(n)``, ``std::forward<F>(name)(n)``, ``(*name)(n)``."""
    match node:
        case (
            Call(function=Name(text=text))
            | Call(function=Member(object=Name(text=text), name="operator()"))
            | Call(function=Unary(operator="*", operand=Name(text=text)))
        ):
            return text == name
        case Call(function=Call() as handed):
            called = forwarded(handed)
            return called is not None and called.text == name
        case _:
            return False


def _fits(owner: Lambda, site: Place) -> bool:
    return isinstance(site.node, Call) and len(site.node.arguments) == len(owner.parameters)
