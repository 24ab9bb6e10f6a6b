"""Divergence: whether some work-items of a group may miss a barrier, for all launches of a kernel at once.

Taint spreads from ids through values (*data dependence*), and from what decides whether code runs to what it assigns
(*sync dependence*), in the kernel and those functions it calls that have barriers; of others, all that they give
depends on all that they are handed. The answer is an over-approximation: where it says that nothing diverges,
uniformity has nothing to find.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from sycllint.cpp.expression import Lambda, Member, Name
from sycllint.cpp.place import Place
from sycllint.cpp.statement import Function
from sycllint.dataflow.summaries import Summaries
from sycllint.domains.levels import Level
from sycllint.domains.meaning import LANES, ClassObject, Meaning, Role, Roles, meanings
from sycllint.domains.results import is_atomic, result_of_group_function, takes_lane_of_group
from sycllint.domains.vocabulary import (
    GROUP_FUNCTIONS,
    ID_QUERIES,
    ID_QUERIES_OF_GROUP,
    SUB_GROUP_FUNCTIONS,
    SUB_GROUP_MEMBERS,
)
from sycllint.facts.file import Declared
from sycllint.ir import ops
from sycllint.ir.bodies import bodies
from sycllint.ir.body import Body, Storage
from sycllint.memoized import memoized
from sycllint.record import NamedTuple
from sycllint.symbols.templates import template_parameter
from sycllint.values.evaluate import Evaluator
from sycllint.values.memory import Memo
from sycllint.values.objects import Point

_MAX_TARGETS = 6
_OF_GROUPS = GROUP_FUNCTIONS | SUB_GROUP_FUNCTIONS | SUB_GROUP_MEMBERS
_SYNCHRONISING = _OF_GROUPS | {"barrier", "wait_for", "async_work_group_copy"}
_OF_PART = frozenset({ops.FIELD, ops.ELEM, ops.DEREF, ops.READ, ops.CAST, ops.ADDR})


class Lead(NamedTuple):
    """What a function, and all that it may call, has in it."""

    synchronises: bool = False
    """It has barriers or collectives."""
    is_tainted: bool = False
    """Something in it is not the same for all work-items by itself."""
    is_lost: bool = False


class Divergences:
    """The domain: divergence in the functions of one evaluator."""

    bottom = Lead()

    def __init__(self, evaluator: Evaluator) -> None:
        self._evaluator = evaluator
        self._bodies = bodies.of(evaluator)
        self._leads: Summaries[Lead] = Summaries(self)
        self._sources: dict[Body, _Sources] = {}

    def may_miss(self, function: Lambda | Function, place: Place) -> bool:
        """Whether work-items of a group may part over a barrier or collective of the kernel ``function``."""
        return self._may_miss(self._bodies.of(function, place))

    @memoized
    def _may_miss(self, kernel: Body) -> bool:
        lead = self.lead(kernel)
        return lead.is_lost or (lead.synchronises and self._parts(kernel))

    def _parts(self, kernel: Body) -> bool:
        flows: dict[Body, _Flow] = {}
        waiting = [kernel]
        for body in waiting:
            if body not in flows and self.lead(body).synchronises:
                flows[body] = _Flow(self._sources[body], self, flows)
                waiting += self._sources[body].callees()
        parameters = kernel.function.parameters
        roles = meanings.of(self._evaluator).parameters(parameters, kernel=True)
        for slot, each in enumerate(parameters):
            kind = self._evaluator.types.kind(each.type.name).sycl or each.type.name.last
            if kind == "id" or roles.get(each.name) in (Role.ITEM, Role.WORK_GROUP):
                flows[kernel].assign(slot, True)
        while any(each.is_changed for each in flows.values()):
            for flow in flows.values():
                flow.run()
                if flow.is_missed:
                    return True
        return False

    def lead(self, body: Body) -> Lead:
        """What a function may lead to."""
        return self._leads.of(body)

    def callees(self, body: Body) -> Iterator[Body]:
        """The functions that ``body`` may call."""
        sources = self._sources[body] = _Sources(body, self._evaluator)
        yield from sources.callees()

    def summary(self, body: Body, of: Callable[[Body], Lead]) -> Lead:
        """What ``body`` may lead to, if its callees do what ``of`` says."""
        own = self._sources[body]
        itself = Lead(bool(own.barriers), any(own.sources.values()), own.is_lost)
        return Lead(*map(any, zip(itself, *map(of, own.callees()), strict=True)))


class _Sources:
    """What one body calls, and where in it what is not the same for all work-items comes from."""

    def __init__(self, body: Body, evaluator: Evaluator) -> None:
        self.body = body
        self.evaluator = evaluator
        self._bodies = bodies.of(evaluator)
        self._meanings = meanings.of(evaluator)
        self._roles = Roles(self._meanings, body)
        self.targets: dict[int, list[Body]] = {}
        """By position of a call, the functions that it may run."""
        self.sources: dict[int, bool] = {}
        """By position, whether a value is tainted, of those that do not depend on their operands."""
        self.barriers: set[int] = set()
        """The positions of barriers and collectives."""
        self.is_lost = bool(body.lambdas) or body.function.damaged
        """It has lambdas, or calls what only the way to it explains: then all may depend on the work-item."""
        if not self.is_lost:
            self._prepare()

    def callees(self) -> Iterable[Body]:
        """The functions that the body may call."""
        return (each for found in self.targets.values() for each in found)

    def _prepare(self) -> None:
        """Find out what is called, and where what is not the same for all work-items comes from."""
        body, roles, function = self.body, self._roles, self.body.function
        if isinstance(function, Function):
            struct = self.evaluator.symbols.class_defining(Declared(function, body.place))
            if struct is not None:
                roles.members = self._meanings.members(struct)
        is_kernel = isinstance(function, Lambda) or function.name == "operator()"
        objects = [self._object(slot) for slot in range(len(function.parameters))]
        roles.bind(function.parameters, objects, kernel=is_kernel)
        for position in body.at(ops.DECL, ops.CALL, ops.CONSTRUCT):
            roles.note(position)
            if body.op[position] == ops.CALL:
                self._resolve(position)
                if self.is_lost:
                    return
        for position in body.at(ops.ELEM):
            base = body.a[position]
            role = roles.of(base)
            if role is Role.ITEM or (role is None and self._is_open(base)):
                self.sources[position] = True

    def _object(self, slot: int) -> Meaning | None:
        """The object of a visible class that a parameter is."""
        kind = self.body.function.parameters[slot].type
        if self._meanings.of_type(kind.name) is not None:
            return None
        struct = self._meanings.class_of(kind.name)
        return ClassObject(struct, False) if struct is not None else None

    def _is_open(self, position: int) -> bool:
        """Whether a value is a parameter whose type only the call says."""
        local = self.body.local(position)
        if local is None or local.storage is not Storage.PARAMETER or local.type is None or local.type.pointers:
            return False
        kind = local.type.name
        return kind.text == "auto" or template_parameter(kind.text, self.body.place) is not None

    def _resolve(self, position: int) -> None:
        body = self.body
        name, callee, receiver = body.called(position), body.callee(position), body.a[position]
        source = self._source(position, name)
        if source is not None:
            self.sources[position] = source
        place, call, arguments = body.around_of(position), body.call(position), body.list(position)
        found = self._bodies.called(call, place).found
        followed = [each for each in found if each.node.body is not None and not each.node.damaged]
        if followed:
            self.targets[position] = [self._bodies.of(each.node, each.place) for each in followed]
        # A variable that is called is a lambda, or an object, that is known only by the way to the kernel.
        is_known = bool(found) or isinstance(callee, Member) or self._is_function(callee, receiver, place, call.start)
        is_lost = not is_known and (self._roles.is_held(arguments) or any(map(self._is_open, arguments)))
        self.is_lost = is_lost or len(followed) > _MAX_TARGETS

    def _is_function(self, callee: object, receiver: int, place: Place, start: int) -> bool:
        if not isinstance(callee, Name) or receiver != ops.NONE:
            return False
        return bool(callee.qualifier) or self.evaluator.declarations.type_of(callee, Point(place, start)) is None

    def _source(self, position: int, name: str) -> bool | None:
        """Whether what a call of SYCL's gives differs in a group, whatever it is handed; note barriers."""
        body, receiver = self.body, self.body.a[position]
        arguments, is_member = body.list(position), isinstance(body.callee(position), Member)
        group = self._roles.of(receiver if is_member else arguments[0]) if is_member or arguments else None
        if name in _SYNCHRONISING:
            self.barriers.add(position)
        if name in ID_QUERIES:
            is_of_group = name in ID_QUERIES_OF_GROUP or (name == "get_id" and group is Role.WORK_GROUP)
            return not (is_of_group and group in (Role.ITEM, Role.WORK_GROUP))
        if name not in _OF_GROUPS:
            is_asked = is_member and (group in (Role.ITEM, Role.WORK_GROUP) or group in LANES)
            return True if is_atomic(name) else False if is_asked else None
        if group is not Role.WORK_GROUP and (name in SUB_GROUP_FUNCTIONS or takes_lane_of_group(name)):
            group = Role.SUB_GROUP
        if group is not Role.WORK_GROUP and group is not Role.SUB_GROUP:
            return True
        level = result_of_group_function(name, group, ()).level
        return None if level is Level.UNKNOWN and group is Role.SUB_GROUP else level in (Level.SUB_GROUP, Level.ITEM)


class _Flow:
    """What depends on the work-item in one function, in one kernel: passes over it until they say nothing new."""

    def __init__(self, sources: _Sources, domain: Divergences, flows: dict[Body, _Flow]) -> None:
        self._sources = sources
        self._domain = domain
        self._flows = flows
        self._body = body = sources.body
        self.is_changed = True
        """Another pass may say more."""
        self.is_missed = False
        """Work-items may part over one of its barriers."""
        self.result = False
        self._object = False
        """The object is tainted that it is called on."""
        self._callers: set[_Flow] = set()
        self._slots = [False] * len(body.locals)
        """By slot that stands for it, whether a variable is tainted."""
        self._same = list(range(len(body.locals)))
        """By slot, the one that stands for all variables that may be one, as a reference is what it refers to."""
        self._control = [False] * len(body.op)
        """By position, whether only some work-items may reach it."""
        self._values = [False] * len(body.op)
        for position in body.at(ops.DECL):
            if body.locals[body.a[position]].is_reference:
                for each in body.initial(position):
                    self._unite(self._root(each), body.a[position])

    def _unite(self, kept: int, gone: int) -> None:
        if kept != ops.NONE:
            kept, gone = self._same[kept], self._same[gone]
            self._same = [kept if each == gone else each for each in self._same]

    def _root(self, position: int) -> int:
        """The slot of the variable that a place is, or is part of; ``NONE`` of one outside."""
        body = self._body
        while position != ops.NONE and body.op[position] in _OF_PART:
            position = body.a[position]
        is_slot = position != ops.NONE and body.op[position] in (ops.LOAD, ops.ADDR_LOCAL)
        return body.a[position] if is_slot else ops.NONE

    def assign(self, slot: int, taint: bool) -> None:
        """A variable gets a value."""
        if slot != ops.NONE and taint and not self._slots[self._same[slot]]:
            self._slots[self._same[slot]] = self.is_changed = True

    def run(self) -> None:
        """Pass over the body until that says nothing new."""
        if not self.is_changed:
            return
        values = self._values
        steps = [(position, _STEPS[code]) for position, code in enumerate(self._body.op) if code in _STEPS]
        before = self.result, self._given()
        while self.is_changed:
            self.is_changed = False
            for position, step in steps:
                values[position] = bool(step(self, position))
        if before != (self.result, self._given()):
            for each in self._callers:
                each.is_changed = True

    def _given(self) -> list[bool]:
        """What it assigns through each parameter that is a reference."""
        return [self._slots[self._same[slot]] for slot in range(len(self._body.function.parameters))]

    # ------------------------------------------------------------------ values

    def _loaded(self, position: int) -> bool:
        return self._slots[self._same[self._body.a[position]]]

    def _outer(self, _: int) -> bool:
        return self._object

    def _operand(self, position: int) -> bool:
        return self._values[self._body.a[position]]

    def _field(self, position: int) -> bool:
        is_own = self._body.op[self._body.a[position]] == ops.THIS
        return self._object if is_own else self._operand(position)

    def _combined(self, position: int) -> bool:
        return self._values[self._body.a[position]] or self._values[self._body.b[position]]

    def _made(self, position: int) -> bool:
        return position in self._sources.sources or any(self._values[each] for each in self._body.operands(position))

    def _selected(self, position: int) -> bool:
        return self._combined(position) or self._values[self._body.a[self._body.a[position - 1]]]

    def _stored(self, position: int) -> bool:
        """``DECL`` and ``STORE``."""
        given = self._body.b[position]
        taint = given != ops.NONE and self._values[given]
        self.assign(self._body.a[position], taint or self._control[position])
        return taint

    def _written(self, position: int) -> bool:
        target, by = self._body.a[position], self._body.b[position]
        taint = self._values[target] or (by != ops.NONE and self._values[by])
        self.assign(self._root(target), taint or self._control[position])
        return taint

    # ----------------------------------------------------------------- control

    def _part(self, begin: int, end: int, taint: bool) -> None:
        """Work-items part over the instructions behind ``begin`` up to ``end``."""
        if taint and not all(self._control[begin + 1 : end]):
            self._control[begin + 1 : end] = [True] * (end - begin - 1)
            self.is_changed = True

    def _decides(self, position: int) -> None:
        """An ``IF``, ``SWITCH`` or ``LOOP``, or the test of a loop."""
        body, condition = self._body, self._body.a[position]
        begin = position if body.op[position] != ops.TEST else self._around(position, ops.LOOP)[-1]
        if condition != ops.NONE:
            self._part(begin, body.extra[begin], self._values[condition])

    def _around(self, position: int, *codes: int) -> list[int]:
        """The beginnings of the constructs around an instruction, from the outside in."""
        return [each for each in self._body.at(*codes) if each < position < self._body.extra[each]]

    def _returned(self, position: int) -> None:
        """Who leaves misses what follows, and in a loop what comes in other iterations."""
        given, control = self._body.a[position], self._control[position]
        self.result = self.result or control or (given != ops.NONE and self._values[given])
        if control:
            self._part(next(iter(self._around(position, ops.LOOP)), position), len(self._control), control)
            for slot in range(len(self._body.function.parameters)):
                self.assign(slot, control)

    def _broken(self, position: int) -> None:
        begin = next(reversed(self._around(position, ops.LOOP, ops.SWITCH)), ops.NONE)
        if begin != ops.NONE:
            self._part(begin, self._body.extra[begin], self._control[position])

    def _continued(self, position: int) -> None:
        """Who goes on with the next iteration misses the rest of this one."""
        begin = next(reversed(self._around(position, ops.LOOP)), ops.NONE)
        if begin != ops.NONE:
            self._part(position, self._body.labels(begin)[0], self._control[position])

    # ------------------------------------------------------------------- calls

    def _called(self, position: int) -> bool:
        body, sources = self._body, self._sources
        arguments, receiver = body.list(position), body.a[position]
        taints = [self._values[each] for each in arguments]
        whole = self._object if receiver == ops.NONE or body.op[receiver] == ops.THIS else self._values[receiver]
        if position in sources.barriers:
            self._meet(position)
        targets = sources.targets.get(position, ())
        entered = [self._entered(position, each, taints, whole) for each in targets]
        if targets:
            return any(entered) or sources.sources.get(position, False)
        result = sources.sources.get(position)
        return self._unfollowed(position, taints, whole) if result is None else result

    def _meet(self, position: int) -> None:
        """A barrier, or a call that leads to one."""
        self.is_missed = self.is_missed or self._control[position]

    def _entered(self, position: int, target: Body, taints: Sequence[bool], whole: bool) -> bool:
        """What a function gives that is called."""
        body, callee = self._body, self._flows.get(target)
        if callee is None:
            result = whole or any(taints) or self._domain.lead(target).is_tainted
            given: Sequence[bool] = [result] * len(taints)
        else:
            self._meet(position)
            callee._callers.add(self)
            if whole and not callee._object:
                callee._object = callee.is_changed = True
            for slot, taint in enumerate(taints[: len(target.function.parameters)]):
                callee.assign(slot, taint)
            result, given = callee.result, callee._given()
        for parameter, each, taint in zip(target.function.parameters, body.list(position), given, strict=False):
            if parameter.type.reference:
                self.assign(self._root(each), taint or self._control[position])
        return result

    def _unfollowed(self, position: int, taints: Sequence[bool], whole: bool) -> bool:
        """What a function gives that is not visible."""
        body, taint = self._body, any(taints)
        if body.a[position] == ops.NONE:
            return taint
        if not isinstance(body.callee(position), Member):
            # A lambda may change what it is given.
            for each in body.list(position):
                self.assign(self._root(each), taint or whole or self._control[position])
        return taint or whole


_STEPS: dict[int, Callable[[_Flow, int], bool | None]] = {
    **dict.fromkeys((ops.CAPTURE, ops.GLOBAL), _Flow._outer),
    **dict.fromkeys((ops.LOAD, ops.ADDR_LOCAL), _Flow._loaded),
    **dict.fromkeys((ops.DEREF, ops.ADDR, ops.READ, ops.UNARY, ops.CAST), _Flow._operand),
    **dict.fromkeys((ops.DECL, ops.STORE), _Flow._stored),
    **dict.fromkeys((ops.WRITE, ops.UPDATE), _Flow._written),
    **dict.fromkeys((ops.ELEM, ops.CONSTRUCT), _Flow._made),
    **dict.fromkeys((ops.IF, ops.LOOP, ops.SWITCH, ops.TEST), _Flow._decides),
    **dict.fromkeys((ops.RETURN, ops.THROW), _Flow._returned),
    ops.FIELD: _Flow._field,
    ops.BINARY: _Flow._combined,
    ops.SELECT: _Flow._selected,
    ops.CALL: _Flow._called,
    ops.BREAK: _Flow._broken,
    ops.CONTINUE: _Flow._continued,
}


divergences = Memo(Divergences)
"""Those of an evaluator."""
