"""Divergence: whether some work-items of a group may miss a barrier, for all launches of a kernel at once.

A function is summarised by what decides over its barriers, its result and what it assigns through references: the
work-item, or what it is handed. Taint spreads from ids through values (*data dependence*), and from what decides
whether code runs to what it assigns (*sync dependence*). The answer is an over-approximation: where it says that
nothing diverges, uniformity has nothing to find.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import reduce
from operator import or_
from typing import TypeAlias

from sycllint.cpp.expression import Lambda, Member, Name
from sycllint.cpp.place import Place
from sycllint.cpp.statement import Function
from sycllint.dataflow.summaries import Summaries
from sycllint.domains.levels import Level
from sycllint.domains.meaning import LANES, ClassObject, Meaning, Role, Roles, declared_type, meanings
from sycllint.domains.outside import is_visible
from sycllint.domains.results import SELECTIONS, is_atomic, result_of_group_function, takes_lane_of_group
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
from sycllint.ir.lower_expressions import AND, OR
from sycllint.record import NamedTuple
from sycllint.symbols.templates import template_parameter
from sycllint.values.evaluate import Evaluator
from sycllint.values.memory import Memo
from sycllint.values.objects import Point

Taint: TypeAlias = int
"""A set as a number: ``_ITEM``, ``_SUB_GROUP``, ``_OBJECT``, and a bit for each parameter."""
_ITEM, _SUB_GROUP, _OBJECT = 1, 2, 4
"""The work-item, its sub-group, and the object that a method is called on."""
_THERE = 8
"""In what decides over barriers: there is one."""
_INVISIBLE = 16
"""A constant that is not visible: what is computed with it is not understood, and parts no group."""
_FIRST = 32
"""The bit of the first parameter."""
_OWN = _ITEM | _SUB_GROUP | _THERE
"""What means the same in a function and in its caller."""
_MAX_TARGETS = 6
_OF_GROUPS = GROUP_FUNCTIONS | SUB_GROUP_FUNCTIONS | SUB_GROUP_MEMBERS
_SYNCHRONISING = _OF_GROUPS | {"barrier", "wait_for", "async_work_group_copy"}
_DECIDING = frozenset({ops.IF, ops.LOOP, ops.SWITCH})
_OF_PART = frozenset({ops.FIELD, ops.ELEM, ops.DEREF, ops.READ, ops.CAST, ops.ADDR})


class Divergence(NamedTuple):
    """What of a function depends on which of what it is given."""

    result: Taint = 0
    given: tuple[Taint, ...] = ()
    """What it assigns through each parameter that is a reference."""
    barriers: Taint = 0
    """What decides whether barriers and collectives of a work-group in it are reached."""
    exchanges: Taint = 0
    """The same for those of a sub-group."""


class Divergences:
    """The domain: divergence in the functions of one evaluator."""

    bottom = Divergence()

    def __init__(self, evaluator: Evaluator) -> None:
        self._evaluator = evaluator
        self._bodies = bodies.of(evaluator)
        self._summaries: Summaries[Divergence] = Summaries(self)
        self._walks: dict[Body, _Walk] = {}

    def may_miss(self, function: Lambda | Function, place: Place) -> bool:
        """Whether work-items of a group may part over a barrier or collective of the kernel ``function``."""
        given = _ITEM
        roles = meanings.of(self._evaluator).parameters(function.parameters, kernel=True)
        for number, each in enumerate(function.parameters):
            kind = self._evaluator.types.kind(each.type.name).sycl or each.type.name.last
            if kind == "id" or roles.get(each.name) in (Role.ITEM, Role.WORK_GROUP):
                given |= _FIRST << number
        found = self._summaries.of(self._bodies.of(function, place))
        return bool(found.barriers & (given | _SUB_GROUP) or found.exchanges & given)

    def callees(self, body: Body) -> Iterator[Body]:
        """The functions that ``body`` may call."""
        walk = self._walks[body] = _Walk(body, self._evaluator)
        yield from walk.callees()

    def summary(self, body: Body, of: Callable[[Body], Divergence]) -> Divergence:
        """What ``body`` does if its callees do what ``of`` says."""
        return self._walks[body].run(of)


class _Open:
    """A construct that the walk is in."""

    __slots__ = ("around", "begin", "code")

    def __init__(self, begin: int, code: int, around: Taint) -> None:
        self.begin = begin
        self.code = code
        self.around = around
        """What decides over what follows it."""


class _Walk:
    """Passes over the instructions of one body, until they say nothing new."""

    def __init__(self, body: Body, evaluator: Evaluator) -> None:
        self._body = body
        self._evaluator = evaluator
        self._bodies = bodies.of(evaluator)
        self._meanings = meanings.of(evaluator)
        self._roles = Roles(self._meanings, body)
        self._targets: dict[int, list[Body]] = {}
        """By position of a call, the functions that it may run."""
        self._sources: dict[int, Taint] = {}
        """By position, what a value depends on apart from its operands."""
        self._closed: set[int] = set()
        """The positions of calls that depend on nothing else."""
        self._selections: set[int] = set()
        """Those of exchanges with a lane that is given."""
        self._barriers: dict[int, bool] = {}
        """By position of a barrier or collective, whether it is surely one of a sub-group."""
        self._same = list(range(len(body.locals)))
        """By slot, the one that stands for all variables that may be one, as a reference is what it refers to."""
        self._slots = [0] * len(body.locals)
        """By such a slot, what the variables depend on."""
        for slot in range(len(body.function.parameters)):
            self._slots[slot] = _FIRST << slot
        self._controls: dict[int, Taint] = {}
        """By the beginning of a loop or a ``switch``, what decides over who is in it."""
        self._exits: dict[int, Taint] = {}
        """By the position from which on work-items are missing, what decides over that."""
        self._values: list[Taint] = [0] * len(body.op)
        self._inner: dict[int, list[Divergence]] = {}
        self._named: dict[int, Taint] = {}
        """By position of a name from outside, what it is."""
        self._opened: list[_Open] = []
        self._control = self._result = self._left = self._missed = self._exchanges = 0
        self._is_lost = bool(body.lambdas) or body.function.damaged
        """It has lambdas, or calls what only the way to it explains: then all may depend on the work-item."""
        if not self._is_lost:
            self._prepare()

    def callees(self) -> Iterator[Body]:
        """The functions that the body may call."""
        for found in self._targets.values():
            yield from found

    # ------------------------------------------------------------- preparation

    def _prepare(self) -> None:
        """Find out what is called, and where what is not the same for all work-items comes from."""
        body, roles, function = self._body, self._roles, self._body.function
        if isinstance(function, Function):
            symbols = self._evaluator.symbols
            struct = symbols.definition(symbols.class_of(Declared(function, body.place)))
            if struct is not None:
                roles.members = self._meanings.members(struct)
        is_kernel = isinstance(function, Lambda) or function.name == "operator()"
        objects = [self._object(slot) for slot in range(len(function.parameters))]
        roles.bind(function.parameters, objects, kernel=is_kernel)
        for position in body.at(ops.DECL, ops.CALL, ops.CONSTRUCT):
            roles.note(position)
            if body.op[position] == ops.CALL:
                self._resolve(position)
                if self._is_lost:
                    return
        for position in body.at(ops.ELEM):
            base = body.a[position]
            role = roles.of(base)
            if role is Role.ITEM or (role is None and self._is_open(base)):
                self._sources[position] = _ITEM

    def _object(self, slot: int) -> Meaning | None:
        """The object of a visible class that a parameter is."""
        kind = self._body.function.parameters[slot].type
        if self._meanings.of_type(kind.name) is not None:
            return None
        struct = self._meanings.class_of(kind.name)
        return ClassObject(struct, False) if struct is not None else None

    def _is_open(self, position: int) -> bool:
        """Whether a value is a parameter whose type only the call says."""
        local = self._body.local(position)
        if local is None or local.storage is not Storage.PARAMETER or local.type is None or local.type.pointers:
            return False
        kind = local.type.name
        return kind.text == "auto" or template_parameter(kind.text, self._body.place) is not None

    def _resolve(self, position: int) -> None:
        body = self._body
        name, callee, receiver = body.called(position), body.callee(position), body.a[position]
        source = self._source(position, name)
        if source:
            self._sources[position] = source
        place, call, arguments = body.around_of(position), body.call(position), body.list(position)
        passed = (None,) * len(arguments)
        found: tuple[Declared[Function], ...] = ()
        if isinstance(callee, Member):
            found = self._meanings.called_on(None, name, call, passed, place).found
            if receiver != ops.NONE and body.op[receiver] == ops.THIS:
                found += self._meanings.called(Name(name, None, None, 0, 0), call, passed, place).found
        elif isinstance(callee, Name) and receiver == ops.NONE:
            found = self._meanings.called(callee, call, passed, place).found
        followed = [each for each in found if each.node.body is not None and not each.node.damaged]
        if followed:
            self._targets[position] = [self._bodies.of(each.node, each.place) for each in followed]
        # A variable that is called is a lambda, or an object, that is known only by the way to the kernel.
        is_known = bool(found) or isinstance(callee, Member) or self._is_function(callee, receiver, place, call.start)
        is_lost = not is_known and (self._roles.is_held(arguments) or any(map(self._is_open, arguments)))
        self._is_lost = is_lost or len(followed) > _MAX_TARGETS

    def _is_function(self, callee: object, receiver: int, place: Place, start: int) -> bool:
        if not isinstance(callee, Name) or receiver != ops.NONE:
            return False
        return bool(callee.qualifier) or self._evaluator.declarations.type_of(callee, Point(place, start)) is None

    def _source(self, position: int, name: str) -> Taint:
        """What a call of SYCL's gives that is not the same for all work-items of a group; note barriers."""
        body, receiver = self._body, self._body.a[position]
        arguments, is_member = body.list(position), isinstance(body.callee(position), Member)
        group = self._roles.of(receiver if is_member else arguments[0]) if is_member or arguments else None
        if (
            name in _OF_GROUPS
            and group is not Role.WORK_GROUP
            and (name in SUB_GROUP_FUNCTIONS or takes_lane_of_group(name))
        ):
            group = Role.SUB_GROUP
        if name in _SYNCHRONISING:
            self._barriers[position] = group in LANES
        if is_member and (group in (Role.ITEM, Role.WORK_GROUP) or group in LANES):
            self._closed.add(position)
        if name in ID_QUERIES:
            is_of_group = name in ID_QUERIES_OF_GROUP or (name == "get_id" and group is Role.WORK_GROUP)
            if is_of_group and group in (Role.ITEM, Role.WORK_GROUP):
                return 0
            return _SUB_GROUP if is_of_group and group is Role.SUB_GROUP else _ITEM
        if name not in _OF_GROUPS:
            return _ITEM if is_atomic(name) else 0
        if group is not Role.WORK_GROUP and group is not Role.SUB_GROUP:
            return _ITEM
        level = result_of_group_function(name, group, ()).level
        if level is Level.UNKNOWN and group is Role.SUB_GROUP:
            self._closed.discard(position)
            if name in SELECTIONS and len(arguments) == 3:
                self._selections.add(position)
            return 0
        self._closed.add(position)
        return {Level.SUB_GROUP: _SUB_GROUP, Level.ITEM: _ITEM}.get(level, 0)

    # --------------------------------------------------------------- variables

    def _root(self, position: int) -> int:
        """The slot of the variable that a place is, or is part of; ``NONE`` of one outside."""
        body = self._body
        while position != ops.NONE and body.op[position] in _OF_PART:
            position = body.a[position]
        is_slot = position != ops.NONE and body.op[position] in (ops.LOAD, ops.ADDR_LOCAL)
        return body.a[position] if is_slot else ops.NONE

    def _unite(self) -> None:
        """Let references stand for what they refer to."""
        body = self._body
        for position in body.at(ops.DECL):
            if body.locals[body.a[position]].is_reference:
                for each in body.initial(position):
                    other = self._root(each)
                    if other != ops.NONE:
                        kept, gone = self._same[other], self._same[body.a[position]]
                        self._same = [kept if each == gone else each for each in self._same]

    def _assign(self, slot: int, taint: Taint) -> None:
        if slot != ops.NONE:
            self._slots[self._same[slot]] |= (taint | self._control) & ~_INVISIBLE

    # ------------------------------------------------------------------ passes

    def run(self, of: Callable[[Body], Divergence]) -> Divergence:
        """What the body does, if its callees do what ``of`` says."""
        count = len(self._body.function.parameters)
        if self._is_lost:
            return Divergence(_ITEM, (_ITEM,) * count, _ITEM | _THERE, _ITEM | _THERE)
        inner = {position: [of(each) for each in found] for position, found in self._targets.items()}
        known = [each for found in inner.values() for each in found]
        if not self._barriers and not any(each.barriers or each.exchanges for each in known):
            return self._without_barriers(count, known)
        self._inner = inner
        self._unite()
        before: object = None
        while before != (before := (self._slots[:], dict(self._controls), dict(self._exits))):
            self._pass()
        given = tuple(self._slots[self._same[slot]] | self._left for slot in range(count))
        return Divergence(self._result | self._left, given, self._missed, self._exchanges)

    def _without_barriers(self, count: int, inner: Sequence[Divergence]) -> Divergence:
        """Of what has none, all depends on all."""
        taint = _union(self._sources.values()) | _OBJECT | (_FIRST << count) - _FIRST
        for each in inner:
            taint |= _union((each.result, *each.given)) & _OWN
        return Divergence(taint, (taint,) * count)

    def _pass(self) -> None:
        self._control = 0
        self._opened.clear()
        values, steps = self._values, _STEPS
        for position, code in enumerate(self._body.op):
            step = steps.get(code)
            if step is not None:
                values[position] = step(self, position) or 0

    def _loaded(self, position: int) -> Taint:
        return self._slots[self._same[self._body.a[position]]]

    def _outer(self, position: int) -> Taint:
        found = self._named.get(position)
        if found is None:
            node, evaluator = self._body.node[position], self._evaluator
            found = _OBJECT
            if isinstance(node, Name) and node.last not in evaluator.facts.enumerators:
                point = Point(self._body.around_of(position), node.start)
                declared = declared_type(evaluator, node, point)
                found = _OBJECT if is_visible(node, point, declared) else _INVISIBLE
            self._named[position] = found
        return found

    def _operand(self, position: int) -> Taint:
        return self._values[self._body.a[position]]

    def _field(self, position: int) -> Taint:
        is_own = self._body.op[self._body.a[position]] == ops.THIS
        return _OBJECT if is_own else self._operand(position)

    def _combined(self, position: int) -> Taint:
        body = self._body
        taint = self._values[body.a[position]] | self._values[body.b[position]]
        if taint & _INVISIBLE and body.op[position] == ops.BINARY:
            operator = body.name(position)
            return taint & ~_INVISIBLE if operator in AND or operator in OR else _INVISIBLE
        return taint

    def _made(self, position: int) -> Taint:
        return _union(self._values[each] for each in self._body.operands(position)) | self._sources.get(position, 0)

    def _selected(self, position: int) -> Taint:
        body = self._body
        return self._combined(position) | self._values[body.a[body.a[position - 1]]]

    def _declared(self, position: int) -> None:
        body = self._body
        given = body.b[position]
        self._assign(body.a[position], self._values[given] if given != ops.NONE else 0)

    def _stored(self, position: int) -> Taint:
        taint = self._values[self._body.b[position]]
        self._assign(self._body.a[position], taint)
        return taint

    def _written(self, position: int) -> Taint:
        target, by = self._body.a[position], self._body.b[position]
        taint = self._values[target] | (self._values[by] if by != ops.NONE else 0)
        self._assign(self._root(target), taint)
        return taint

    # ----------------------------------------------------------------- control

    def _opens(self, position: int) -> None:
        body = self._body
        code, condition = body.op[position], body.a[position]
        self._opened.append(_Open(position, code, self._control))
        self._control |= self._controls.get(position, 0)
        if code in _DECIDING and condition != ops.NONE:
            self._control |= self._values[condition]

    def _tested(self, position: int) -> None:
        condition = self._body.a[position]
        if condition != ops.NONE:
            self._control |= self._decide(self._opened[-1], self._values[condition])

    def _next(self, position: int) -> None:
        loop = self._opened[-1]
        self._control = loop.around | self._controls.get(loop.begin, 0)

    def _ends(self, position: int) -> None:
        if self._opened and self._opened[-1].begin == self._body.a[position]:
            self._control = self._opened.pop().around

    def _returned(self, position: int) -> None:
        given, control = self._body.a[position], self._control
        self._result |= self._values[given] if given != ops.NONE else 0
        self._left |= control
        if control:
            loop = next((each.begin for each in self._opened if each.code == ops.LOOP), position)
            self._exits[loop] = self._exits.get(loop, 0) | control

    def _broken(self, position: int) -> None:
        target = next((each for each in reversed(self._opened) if each.code in (ops.LOOP, ops.SWITCH)), None)
        if target is not None:
            self._decide(target, self._control)

    def _continued(self, position: int) -> None:
        """Who goes on with the next iteration misses the rest of this one."""
        for each in reversed(self._opened):
            if each.code == ops.LOOP:
                break
            each.around |= self._control

    def _decide(self, opened: _Open, taint: Taint) -> Taint:
        found = self._controls[opened.begin] = self._controls.get(opened.begin, 0) | taint
        return found

    # ------------------------------------------------------------------- calls

    def _called(self, position: int) -> Taint:
        body = self._body
        arguments, receiver = body.list(position), body.a[position]
        taints = [self._values[each] for each in arguments]
        whole = _OBJECT if receiver == ops.NONE or body.op[receiver] == ops.THIS else self._values[receiver]
        result = self._sources.get(position, 0)
        of_lanes = self._barriers.get(position)
        barriers, exchanges = _THERE if of_lanes is False else 0, _THERE if of_lanes else 0
        for target, inner in zip(self._targets.get(position, ()), self._inner.get(position, ()), strict=True):
            result |= _in_caller(inner.result, taints, whole)
            barriers |= _in_caller(inner.barriers, taints, whole)
            exchanges |= _in_caller(inner.exchanges, taints, whole)
            for parameter, each, assigned in zip(target.function.parameters, arguments, inner.given, strict=False):
                if parameter.type.reference:
                    self._assign(self._root(each), _in_caller(assigned, taints, whole))
        if position not in self._targets:
            result |= self._unfollowed(position, taints, whole)
        missing = self._control | _union(taint for start, taint in self._exits.items() if start <= position)
        self._missed |= barriers | missing if barriers else 0
        self._exchanges |= (exchanges | missing) & ~_SUB_GROUP if exchanges else 0
        return result

    def _unfollowed(self, position: int, taints: Sequence[Taint], whole: Taint) -> Taint:
        """What a function gives that is not visible."""
        body, receiver = self._body, self._body.a[position]
        if position in self._closed:
            return 0
        if position in self._selections and not taints[-1]:
            return _SUB_GROUP
        taint = _union(taints)
        if receiver != ops.NONE:
            taint |= whole
            if not isinstance(body.callee(position), Member):
                # A lambda may change what it is given.
                for each in body.list(position):
                    self._assign(self._root(each), taint)
        return taint


_STEPS: dict[int, Callable[[_Walk, int], Taint | None]] = {
    ops.CAPTURE: _Walk._outer,
    ops.GLOBAL: _Walk._outer,
    ops.DECL: _Walk._declared,
    ops.LOAD: _Walk._loaded,
    ops.STORE: _Walk._stored,
    ops.ADDR_LOCAL: _Walk._loaded,
    ops.FIELD: _Walk._field,
    ops.ELEM: _Walk._made,
    ops.DEREF: _Walk._operand,
    ops.ADDR: _Walk._operand,
    ops.READ: _Walk._operand,
    ops.WRITE: _Walk._written,
    ops.UPDATE: _Walk._written,
    ops.UNARY: _Walk._operand,
    ops.BINARY: _Walk._combined,
    ops.CAST: _Walk._operand,
    ops.SELECT: _Walk._selected,
    ops.CALL: _Walk._called,
    ops.CONSTRUCT: _Walk._made,
    ops.IF: _Walk._opens,
    ops.LOOP: _Walk._opens,
    ops.TEST: _Walk._tested,
    ops.NEXT: _Walk._next,
    ops.SWITCH: _Walk._opens,
    ops.TRY: _Walk._opens,
    ops.SCOPE: _Walk._opens,
    ops.END: _Walk._ends,
    ops.BREAK: _Walk._broken,
    ops.CONTINUE: _Walk._continued,
    ops.RETURN: _Walk._returned,
    ops.THROW: _Walk._returned,
}


def _union(taints: Iterable[Taint]) -> Taint:
    return reduce(or_, taints, 0)


def _in_caller(taint: Taint, given: Sequence[Taint], whole: Taint) -> Taint:
    """What a callee depends on, as the caller has it."""
    found = taint & _OWN
    if taint & _OBJECT:
        found |= whole
    bit = _FIRST
    for each in given:
        if taint & bit:
            found |= each
        bit <<= 1
    return found


divergences = Memo(Divergences)
"""Those of an evaluator."""
