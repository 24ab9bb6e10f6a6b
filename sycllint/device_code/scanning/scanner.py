"""The pass over a kernel, and over what it may call, that fills its scan."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeAlias

from sycllint.cpp.expression import Brace, Call, Expr, Lambda, Member, Name, Opaque, Type
from sycllint.cpp.node import Node, walk
from sycllint.cpp.place import Place, macros_around
from sycllint.cpp.statement import CONST, STATIC, Arm, Block, Function, If, Struct, Variable
from sycllint.device_code.group_functions import GroupFunction
from sycllint.device_code.scanning.scan import Scan, Sized, Ways
from sycllint.domains.library import is_part
from sycllint.domains.meaning import (
    LANES,
    ClassObject,
    KnownLambda,
    Meaning,
    Pack,
    Renamed,
    Role,
    Roles,
    hands_on,
    is_array,
    meanings,
)
from sycllint.domains.results import is_group_function, is_of_sycl, is_plain_function
from sycllint.domains.vocabulary import (
    EXCHANGING,
    GROUP_FUNCTIONS,
    GROUP_HANDLES,
    LOCAL_ALLOCATORS,
    LOCAL_SCRATCH,
    STATIC_LOCAL,
    SUB_GROUP_FUNCTIONS,
    SUB_GROUP_MEMBERS,
    may_synchronise,
)
from sycllint.facts.file import Declared
from sycllint.ir import ops
from sycllint.ir.bodies import bodies
from sycllint.ir.body import Body, InstructionOrigin, Storage
from sycllint.record import NamedTuple
from sycllint.source.span import Location, Span
from sycllint.symbols.overloads import OUT_OF_SIGHT, CallTargets
from sycllint.symbols.templates import template_parameter
from sycllint.values.certainty import guessed, guessed_names, truth
from sycllint.values.evaluate import Evaluator
from sycllint.values.objects import Closure, Instance, Point
from sycllint.values.types import plain_type
from sycllint.values.value import known

if TYPE_CHECKING:
    from sycllint.device_code.synchronisation import Synchronisation

MAX_CALLS = 12
"""How deep calls are followed."""
MAX_OVERLOADS = 6
_CONTROL = (ops.LOOP, ops.IF, ops.ELSE, ops.VARIANT, ops.END)
_SEEN = (*_CONTROL, ops.CALL, ops.CONSTRUCT, ops.DECL, ops.LAMBDA, ops.UNSEEN)
"""Instructions that a scan looks at."""
_NAMING = (ops.LOAD, ops.ADDR_LOCAL, ops.CAPTURE)
"""Those that may name a lambda."""
Passed: TypeAlias = tuple[Meaning | None, ...]
"""What arguments stand for."""


class _Site(NamedTuple):
    """Where something is called, or named that is called elsewhere."""

    roles: Roles
    position: int
    depth: int
    """How many calls lead to the function with it."""
    body: Body
    """The function with it."""
    made: Call | None = None
    """The call of a constructor that is not written as one."""

    @property
    def place(self) -> Place:
        """The innermost statement with a scope around it."""
        return self.body.around_of(self.position)

    @property
    def call(self) -> Call:
        """The call as an expression."""
        return self.made if self.made is not None else self.body.call(self.position)


class _Opened(NamedTuple):
    """An ``if``, or a conditional of the preprocessor, that the pass is in."""

    begin: int
    end: int
    ways: Ways | None
    """``None`` where it is known which arm is compiled."""

    def part(self) -> None:
        """The next of its arms begins."""
        if self.ways is not None:
            self.ways.part()


class Scanner:
    """One scan of one kernel."""

    def __init__(self, evaluator: Evaluator) -> None:
        self.scan = Scan()
        self._evaluator = evaluator
        self._facts = evaluator.facts
        self._bodies = bodies.of(evaluator)
        self._meanings = meanings.of(evaluator)
        self._way = evaluator.frame
        """The call path to the kernel, where it is scanned for one: then it does not show what depends on the path."""
        self._entered: dict[object, tuple[Location, ...]] = {}
        """The barriers of each function already entered, by what it was handed."""

    def kernel(self, function: Lambda | Function, place: Place) -> Scan:
        """The scan of a lambda, of the call operator of a function object, or of another function."""
        self.scan.body_found = function.body is not None and not function.damaged
        roles = Roles(self._meanings, self._bodies.of(function, place))
        if isinstance(function, Function):
            self._join(roles, Declared(function, place))
        roles.bind(function.parameters, (), kernel=True)
        self._pass(roles, 0)
        return self.scan

    # ------------------------------------------------------------ instructions

    def _pass(self, roles: Roles, depth: int) -> None:
        """All instructions of a function, whose parameters are bound."""
        body = roles.body
        self._guess(body)
        blocks = [node for each in body.regions if isinstance(node := each.place.node, Block)]
        self.scan.statements += sum([len(each.statements) for each in blocks])
        names_lambdas = self._names_lambdas(roles)
        callees = {body.a[each] for each in body.at(ops.CALL)} if names_lambdas else set()
        initial = map(body.initial, body.at(ops.DECL) if body.lambdas else ())
        kept = callees.union(*(each for each in initial if len(each) == 1))
        opened: list[_Opened] = []
        resume = 0
        for position in body.at(*_SEEN, *(_NAMING if names_lambdas else ())):
            code = body.op[position]
            if position < resume:
                continue
            if code in _CONTROL:
                resume = self._control(body, position, opened)
                continue
            if code == ops.CALL:
                self._call(_Site(roles, position, depth, body))
                roles.make(position)
            elif code == ops.CONSTRUCT:
                roles.make(position)
            elif code == ops.DECL:
                self._declared(_Site(roles, position, depth, body))
            elif code == ops.UNSEEN:
                if body.extra[position] != ops.SYNTAX and body.a[position] & ops.MAY_SYNC:
                    self.scan.calls_unknown = True
            elif code == ops.LAMBDA:
                if position not in kept:
                    made = KnownLambda(body.lambdas[body.extra[position]], roles)
                    self._closure(made, (), _Site(roles, position, depth, body))
            elif position not in callees and isinstance(named := roles.of(position), KnownLambda):
                self._closure(named, (), _Site(roles, position, depth, body))

    def _guess(self, body: Body) -> None:
        """Branches of a function that were left out to read the file may synchronise, too."""
        block = body.function.body
        if block is not None:
            names = guessed_names(self._facts, body.place, Span(block.start, block.end))
            if any(name in GROUP_FUNCTIONS or may_synchronise(name, shouted=False) for name in names):
                self.scan.calls_unknown = True

    def _names_lambdas(self, roles: Roles) -> bool:
        known = any(isinstance(each, KnownLambda) for each in roles.slots.values())
        return known or roles.around is not None or bool(roles.body.lambdas)

    def _control(self, body: Body, position: int, opened: list[_Opened]) -> int:
        """Where ways part and meet; the position to go on at."""
        code, node = body.op[position], body.node[position]
        if code == ops.LOOP:
            location = self._facts.location(*body.origin(position))
            if location not in self.scan.loops:
                self.scan.loops.append(location)
        elif code == ops.IF and isinstance(node, If):
            opened.append(_Opened(position, body.extra[position], Ways(self.scan)))
            opened[-1].part()
        elif code == ops.VARIANT:
            return self._arm(body, position, opened)
        elif opened and code == ops.ELSE and body.a[position] == opened[-1].begin:
            opened[-1].part()
        elif opened and position == opened[-1].end:
            begin, _, ways = opened.pop()
            if ways is not None and isinstance(node, If):
                ways.meet(self._taken(body, begin, node, ways.barriers))
            elif ways is not None:
                ways.join()
        return position

    def _arm(self, body: Body, position: int, opened: list[_Opened]) -> int:
        """An arm of a conditional of the preprocessor: where one is surely compiled, all others are passed over."""
        if body.b[position] == ops.NONE:
            arms = [position, *body.labels(position)]
            sure = next((each for each in arms if body.a[each] == ops.YES), None)
            open_arms = [body.node[each] for each in arms if body.a[each] == ops.PERHAPS]
            is_complete = any(isinstance(each, Arm) and each.keyword == "else" for each in open_arms)
            ways = Ways(self.scan, count=len(open_arms), is_complete=is_complete) if sure is None else None
            opened.append(_Opened(position, body.extra[position], ways))
            if sure is not None:
                return sure + 1
        elif opened[-1].ways is None:
            return opened[-1].end
        if body.a[position] == ops.PERHAPS:
            opened[-1].part()
        return position

    def _taken(self, body: Body, begin: int, node: If, barriers: Sequence[object]) -> bool | None:
        """Which branch is surely taken; asked only where one of them has a barrier."""
        if node.condition is None or not any(barriers):
            return None
        evaluator, point = self._evaluator, Point(body.around_of(begin), node.start + 1)
        before, evaluator.free = evaluator.free, {}
        known = truth(evaluator, node.condition, point)
        if evaluator.free:
            self.scan.questions.append((node.condition, point, evaluator.frame))
        before.update(evaluator.free)
        evaluator.free = before
        return known

    # ---------------------------------------------------------------- barriers

    def _at(self, site: _Site) -> Location:
        return self._facts.location(*site.body.origin(site.position))

    def _barrier(self, site: _Site) -> None:
        """A barrier of the work-group; in a macro's text it is where the macro is used: its author sees that line."""
        node, place = _use(site) or site.body.origin(site.position)
        location = self._facts.location(node, place)
        if guessed(self._facts, place, location.span.start):
            self.scan.calls_unknown = True
        else:
            self.scan.reach([location])

    def _lanes(self, site: _Site) -> None:
        """An operation of a sub-group."""
        location = self._at(site)
        if location not in self.scan.sub_group_operations:
            self.scan.sub_group_operations.append(location)

    def _unseen(self, passed: Passed) -> None:
        """A function that is not visible: with the item it can synchronise."""
        if any(map(_holds_item, passed)):
            self.scan.calls_unknown = self.scan.barriers_unknown = True

    # ------------------------------------------------------------ declarations

    def _declared(self, site: _Site) -> None:
        body, position, roles = site.body, site.position, site.roles
        local, variable = body.locals[body.a[position]], body.node[position]
        if not isinstance(variable, Variable) or local.type is None or local.storage is Storage.ELEMENT:
            return
        kind, here = local.type, Place(variable, site.place)
        found: Meaning | None = self._meanings.of_type(kind.name)
        if found is None:
            found = self._initial(site, kind, variable, body.initial(position))
        roles.slots[body.a[position]] = found if found is not None else Role.OTHER
        if not variable.flags & (STATIC | CONST) and is_array(variable, self._evaluator, here):
            made = self._sized(variable.name, "", variable.type, Point(site.place, variable.start), self._at(site))
            if not any(each.location == made.location and each.bytes == made.bytes for each in self.scan.arrays):
                self.scan.arrays.append(made)
        if kind.name.last in STATIC_LOCAL and kind.name.arguments:
            self._local(variable.name, kind.name.arguments[0], here, self._at(site))

    def _local(self, name: str, element: Expr, place: Place, where: Location) -> None:
        """Local memory for an object of the type ``element``, which is written at ``place``."""
        kind = plain_type(element) if isinstance(element, Name) else element
        if isinstance(kind, Type):
            made = self._sized(name, kind.name.text, kind, Point(place, kind.start), where)
        else:
            unknown = self._evaluator.unknown("the size of a local allocation", None)
            made = Sized(name, "", unknown, where, None, Point(place, where.span.start), self._evaluator.frame)
        self.scan.local.append(made)

    def _sized(self, name: str, element: str, kind: Type, point: Point, where: Location) -> Sized:
        evaluator = self._evaluator
        asked, evaluator.free = evaluator.free, {}
        size = evaluator.sizes.of_type(kind, point)
        is_open = self._way is not None or bool(evaluator.free)
        evaluator.free = asked | evaluator.free
        calls = evaluator.frames.within(evaluator.frame, self._way)
        return Sized(name, element, size, where, kind, point, calls, is_open)

    def _initial(self, site: _Site, kind: Type, variable: Variable, given: tuple[int, ...]) -> Meaning | None:
        """What a variable stands for by its initialiser and class."""
        body, roles = site.body, site.roles
        only = given[0] if len(given) == 1 else ops.NONE
        if kind.name.last in GROUP_HANDLES and given:
            return roles.of(given[0])
        struct = self._evaluator.types.kind(kind.name, site.place).struct
        if only != ops.NONE and body.op[only] == ops.LAMBDA:
            return KnownLambda(body.lambdas[body.extra[only]], roles)
        is_held = roles.is_held(given)
        if struct is not None:
            if is_held:
                self._construct(struct, variable, variable.arguments, given, site)
            return ClassObject(struct, is_held)
        is_plain = self._is_plain(kind)
        if only != ops.NONE and (is_plain or kind.pointers or kind.reference):
            meaning = roles.of(only)
            if meaning is not None:
                return meaning
            named = body.a[only] if body.op[only] == ops.ADDR else only
            name = body.node[named]
            if body.op[named] == ops.GLOBAL and isinstance(name, Name) and name.last in self._facts.functions:
                return Renamed(name)
            if body.op[only] == ops.CALL and roles.is_held(body.list(only)):
                return self._result(body.callee(only), site.place)
        if is_held and not is_plain:
            # The class is not visible and its object is made from the item: what it does with it is not known.
            self.scan.calls_unknown = True
            return ClassObject(None, True)
        return None

    def _is_plain(self, kind: Type) -> bool:
        resolved = self._evaluator.types.kind(kind.name)
        library = bool(kind.name.qualifier) and is_plain_function(kind.name, self._facts.namespaces)
        return library or resolved.is_number or resolved.automatic

    def _result(self, function: Expr, place: Place) -> Meaning | None:
        """What a function that is handed the item gives back: it may hold it."""
        if not isinstance(function, Name):
            return None
        if function.qualifier and is_plain_function(function, self._facts.namespaces):
            return None
        for each in self._evaluator.symbols.functions(function, place).declared:
            returns = each.node.returns
            kind = self._evaluator.types.kind(returns.name, each.place) if returns is not None else None
            if kind is not None and kind.struct is None and not kind.automatic:
                return None
            return ClassObject(kind.struct if kind is not None else None, True)
        return ClassObject(None, True)

    # ------------------------------------------------------------------- calls

    def _call(self, site: _Site) -> None:
        body, callee = site.body, site.body.callee(site.position)
        passed = self._passed(site)
        if isinstance(callee, Member):
            self._member(site, callee, passed)
        elif isinstance(callee, Name):
            self._free(site, callee, passed)
        elif isinstance(callee, Call | Brace):
            self._called_object(site, self._made(site, callee), passed)
        elif isinstance(callee, Lambda) and body.op[body.a[site.position]] == ops.LAMBDA:
            self._closure(KnownLambda(body.lambdas[body.extra[body.a[site.position]]], site.roles), passed, site)
        else:
            self._unseen(passed)

    def _passed(self, site: _Site) -> Passed:
        """What a call hands over: each argument's meaning, those of a pack one by one."""
        body, roles = site.body, site.roles
        passed: list[Meaning | None] = []
        for each in body.list(site.position):
            node = body.node[each]
            if body.op[each] == ops.LAMBDA:
                passed.append(KnownLambda(body.lambdas[body.extra[each]], roles))
            elif body.op[each] == ops.UNSEEN and isinstance(node, Opaque) and node.is_pack:
                passed.extend(_expanded(roles, node))
            else:
                passed.append(roles.of(each))
        return tuple(passed)

    def _made(self, site: _Site, made: Call | Brace) -> Meaning | None:
        """What an object that is made to be called stands for; its class may be known here alone."""
        meaning = site.roles.of(site.body.a[site.position])
        kind = made.function if isinstance(made, Call) else made.type
        if meaning is not None or not isinstance(kind, Name):
            return meaning
        struct = self._evaluator.kind(kind, Point(site.place, made.start)).struct
        if struct is None:
            return None
        return ClassObject(struct, site.roles.is_held(site.body.operands(site.body.a[site.position])))

    def _member(self, site: _Site, function: Member, passed: Passed) -> None:
        """``object.name(…)``."""
        name, inner, place = site.body.called(site.position), function.object, site.place
        if isinstance(inner, Call | Brace):
            receiver = self._made(site, inner)
        else:
            receiver = site.roles.of(site.body.a[site.position])
        is_own = isinstance(receiver, ClassObject)
        if name in ("barrier", "wait", "wait_for") and name in self._facts.functions and is_own:
            self._method(site, name, receiver, passed)
        elif name == "barrier":
            if receiver in LANES:
                self._lanes(site)
            elif receiver in (Role.ITEM, Role.WORK_GROUP):
                self._barrier(site)
            else:
                self.scan.calls_unknown = True
        elif receiver in LANES and name in SUB_GROUP_MEMBERS:
            self._lanes(site)
        elif name in ("parallel_for_work_item", "wait_for", "async_work_group_copy"):
            self._barrier(site)
        elif isinstance(receiver, ClassObject) and (receiver.holds or any(map(_holds_item, passed))):
            self._method(site, name, receiver, passed)
        elif isinstance(inner, Name) and inner.text == "this":
            targets = self._meanings.called_on(None, name, site.call, passed, place)
            around = self._meanings.called(Name(name, None, None, 0, 0), site.call, passed, place)
            self._targets(site, around if around.found else targets, passed)
        elif any(map(_holds_item, passed)):
            declared = self._type_of(inner, place)
            struct = self._evaluator.types.kind(declared.name, place).struct if declared is not None else None
            self._targets(site, self._meanings.called_on(struct, name, site.call, passed, place), passed)
        elif name in self._facts.macros or self._may_wait(function, place):
            self.scan.calls_unknown = True

    def _type_of(self, receiver: Expr, place: Place) -> Type | None:
        if not isinstance(receiver, Name):
            return None
        return self._evaluator.declarations.type_of(receiver, Point(place, receiver.start))

    def _may_wait(self, function: Member, place: Place) -> bool:
        """Whether a method is one of an object that is declared with a class that is not visible."""
        declared = self._type_of(function.object, place) if not is_part(function.name) else None
        if declared is None:
            return False
        kind = self._evaluator.types.kind(declared.name, place)
        if kind.struct is not None or kind.automatic or template_parameter(declared.name.text, place):
            return False
        return _synchronisation(self._evaluator).method(function.name, declared, place)

    def _free(self, site: _Site, function: Name, passed: Passed) -> None:
        """``name(…)``: of SYCL, kept under a name, or of the project."""
        qualifier, _, last = function.text.rpartition("::")
        sycl = not qualifier or is_of_sycl(qualifier, self._facts.namespaces)
        if last in LOCAL_ALLOCATORS and function.arguments and sycl:
            self._local(last, function.arguments[0], site.place, self._at(site))
            return
        if last in LOCAL_SCRATCH:
            size = self._evaluator.unknown("scratch memory of a size given at launch", site.call)
            point = Point(site.place, site.call.start)
            self.scan.local.append(Sized(last, "", size, self._at(site), None, point, self._evaluator.frame))
            return
        if is_group_function(function, self._facts.namespaces):
            self._group_function(site, last, passed)
            return
        if last in SUB_GROUP_FUNCTIONS and passed and passed[0] in LANES and last not in self._facts.functions:
            self._lanes(site)
            return
        callee = site.body.a[site.position]
        kept = None
        if not qualifier:
            kept = site.roles.of(callee) if callee != ops.NONE else site.roles.own(last)
        if isinstance(kept, KnownLambda):
            self._closure(kept, passed, site)
        elif isinstance(kept, ClassObject):
            self._called_object(site, kept, passed)
        elif qualifier and (sycl or function.qualifier.startswith("std")):
            self.scan.calls_unknown = self.scan.calls_unknown or may_synchronise(last, shouted=False)
        else:
            named = kept.function if isinstance(kept, Renamed) else function
            self._called(site, named, passed, is_outside=not qualifier and kept is None)

    def _called(self, site: _Site, function: Name, passed: Passed, *, is_outside: bool) -> None:
        """A function of the project, a constructor, a lambda or function object from around the kernel, or neither."""
        last, place, call = function.last, site.place, site.call
        targets = self._meanings.called(function, call, passed, place)
        if targets.found:
            # Arithmetic of many types synchronises nothing.
            if len(targets.found) <= MAX_OVERLOADS or any(map(_holds_item, passed)):
                self._targets(site, targets, passed)
            return
        struct = self._evaluator.types.kind(function, place).struct
        if struct is not None:
            if any(map(_holds_item, passed)):
                self._construct(struct, call, call.arguments, site.body.list(site.position), site)
            return
        point = Point(place, call.start)
        is_object = is_outside and self._meanings.may_be_object(function, place, call.start)
        result = self._evaluator.lookup.name(function, point) if is_object else None
        if isinstance(result, Closure):
            self._closure(KnownLambda(self._bodies.of(result.function, result.place), None), passed, site)
        elif isinstance(result, Instance):
            self._called_object(site, ClassObject(result.struct, False), passed)
        elif (made := self._meanings.class_of_object(function, place)) is not None:
            self._called_object(site, ClassObject(made, False), passed)
        elif self._evaluator.kind(function, point).is_number:
            return
        elif last in self._facts.macros or _synchronisation(self._evaluator).call(function, call.arguments, place):
            self.scan.calls_unknown = True
            self._unseen(passed)
        elif self._meanings.of_type(function) is None:
            self._unseen(passed)

    def _group_function(self, site: _Site, last: str, passed: Passed) -> None:
        role = passed[0] if passed else None
        if role is Role.WORK_GROUP:
            self._barrier(site)
            if last in EXCHANGING:
                self.scan.group_functions[self._at(site)] = GroupFunction(last, self._element_bytes(site))
        elif role in LANES or last.startswith(("joint_matrix", "shift_", "permute_", "select_")):
            self._lanes(site)
        else:
            self.scan.calls_unknown = True

    def _element_bytes(self, site: _Site) -> int | None:
        """Bytes of the value that a group function is handed."""
        arguments = site.call.arguments
        if len(arguments) < 2:
            return None
        found = self._evaluator.static_types.of(arguments[1], Point(site.place, site.call.start))
        return known(self._evaluator.sizes.of_type(found.type, found.point)) if found is not None else None

    # ---------------------------------------------------------------- entering

    def _join(self, roles: Roles, declared: Declared[Function]) -> None:
        """Let names stand for the members of the class around a method."""
        struct = self._evaluator.symbols.class_defining(declared)
        if struct is not None:
            roles.members = self._meanings.members(struct)

    def _targets(self, site: _Site, targets: CallTargets, passed: Passed) -> None:
        """What a call may run; more than one are ways of which one is taken."""
        if not targets.sure or not targets.found:
            self._unseen(passed)
        if len(targets.found) == 1 and targets.sure:
            self._function(site, targets.found[0], passed)
        elif targets.found:
            ways = Ways(self.scan, count=len(targets.found), is_complete=targets.sure)
            for each in targets.found:
                ways.part()
                self._function(site, each, passed)
            ways.join()

    def _method(self, site: _Site, name: str, thing: Meaning | None, passed: Passed) -> None:
        """A method of a class of the project, or one that is not visible."""
        struct = thing.struct if isinstance(thing, ClassObject) else None
        targets = OUT_OF_SIGHT
        if struct is not None:
            targets = self._meanings.called_on(struct, name, site.call, passed, site.place)
        if not targets.found:
            self.scan.calls_unknown = True
        self._targets(site, targets, passed)

    def _called_object(self, site: _Site, thing: Meaning | None, passed: Passed) -> None:
        """``object(it)``: the call operator of its class."""
        if not isinstance(thing, ClassObject) or thing.struct is None:
            self._unseen(passed)
        elif thing.holds or any(map(_holds_item, passed)):
            self._method(site, "operator()", thing, passed)

    def _construct(
        self,
        struct: Declared[Struct],
        node: Variable | Call,
        arguments: tuple[Expr, ...],
        given: Sequence[int],
        site: _Site,
    ) -> None:
        """An object is made from the item: its constructors see it."""
        passed = tuple(map(site.roles.of, given))
        named = Name(struct.node.name, None, None, struct.node.start, struct.node.end)
        call = Call(named, arguments, node.start, node.end)
        targets = self._meanings.called_on(struct, struct.node.name, call, passed, site.place)
        if targets.found:
            self._targets(site._replace(made=call), targets, passed)

    def _function(self, site: _Site, declared: Declared[Function], passed: Passed) -> None:
        node, call, evaluator = declared.node, site.call, self._evaluator
        templates = (call.function.arguments if isinstance(call.function, Name | Member) else None) or ()

        def run() -> None:
            if node.damaged:
                self.scan.calls_unknown = True
            roles = Roles(self._meanings, self._bodies.of(node, declared.place))
            self._join(roles, declared)
            roles.bind(node.parameters, passed)
            outer, point = evaluator.frame, Point(site.place, call.start)
            evaluator.frame = evaluator.frames.made(node, call.arguments, templates, point, call, outer)
            self._pass(roles, site.depth + 1)
            evaluator.frame = outer

        if node.body is not None:
            self._enter(site, node, passed, run)

    def _closure(self, kept: KnownLambda, passed: Passed, site: _Site) -> None:
        """A lambda, with the names it keeps."""

        def run() -> None:
            roles = Roles(self._meanings, kept.body, kept.around)
            roles.bind(kept.body.function.parameters, passed)
            self._pass(roles, site.depth + 1)

        self._enter(site, kept.body.function, passed, run)

    def _enter(self, site: _Site, function: Node, passed: Passed, run: Callable[[], None]) -> None:
        """Run once for each function and what it is handed; the barriers count each time."""
        key = function, tuple(map(_key, passed))
        found = self._entered.get(key)
        if found is None and site.depth >= MAX_CALLS:
            self.scan.calls_unknown = True
            return
        if found is None:
            self._entered[key] = ()
            before, self.scan.barriers = self.scan.barriers, []
            run()
            found = self._entered[key] = tuple(self.scan.barriers)
            self.scan.barriers = before
        if found and _use(site) is not None:
            self._barrier(site)
        else:
            self.scan.reach(found)


def _synchronisation(evaluator: Evaluator) -> Synchronisation:
    """Who may wait in code that is not entered; loaded where it is asked."""
    from sycllint.device_code.synchronisation import synchronisation

    return synchronisation.of(evaluator)


def _use(site: _Site) -> InstructionOrigin | None:
    """The outermost use of a macro in the function, in whose text something stands."""
    found = None
    for each in macros_around(site.place, site.body.function.body):
        outer = each.outer
        if outer is not None and outer.outer is not None:
            found = InstructionOrigin(outer.node, outer.outer)
    return found


def _expanded(roles: Roles, pack: Opaque) -> Passed:
    """What the arguments stand for that ``pack...`` or ``f(pack)...`` is."""
    names = {each.text for each in walk(pack) if isinstance(each, Name)}
    current: Roles | None = roles
    while current is not None:
        for slot, meaning in current.slots.items():
            if isinstance(meaning, Pack) and current.body.locals[slot].name in names:
                return meaning.arguments
        current = current.around
    return (None,)


def _holds_item(meaning: Meaning | None) -> bool:
    """Whether what is handed over can synchronise the work-group."""
    if isinstance(meaning, Pack):
        return any(map(_holds_item, meaning.arguments))
    return hands_on(meaning)


def _key(meaning: Meaning | None) -> object:
    match meaning:
        case KnownLambda(body=body):
            return body
        case Renamed(function=function):
            return function
        case ClassObject(holds=holds):
            return holds
        case Pack(arguments=arguments):
            return tuple(map(_key, arguments))
        case _:
            return meaning
