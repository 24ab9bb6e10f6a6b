"""Referents: the objects that the variables and values of one body are, refer to or point to.

The answer is an over-approximation and flow-insensitive. Objects are those of the one kind that is asked about: the
variables of the body, and those outside it that it knows by reference, under the names it has for them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias

from sycllint.cpp.expression import Brace, Type
from sycllint.cpp.place import Place
from sycllint.cpp.statement import Struct, Variable
from sycllint.facts.file import Declared
from sycllint.ir import ops
from sycllint.ir.bodies import bodies
from sycllint.ir.body import Body, Local, Storage
from sycllint.values.evaluate import Evaluator

Objects: TypeAlias = frozenset[Local | str]
"""Variables of a body, and the names of captured variables and of members that refer to something."""
MayBe: TypeAlias = Callable[[Type, Place], bool]
"""Whether a variable of a type may be an object of the kind that is asked about, or refer or point to one."""

NONE: Objects = frozenset()
_PASSING = frozenset({"std::move", "std::forward", "std::ref"})
"""Functions whose result is, or refers to, their argument."""


class Referents:
    """Those of one body; its instructions are gone through until they say nothing new."""

    def __init__(self, body: Body, evaluator: Evaluator, may_be: MayBe) -> None:
        self._body = body
        self._symbols = evaluator.symbols
        self._bodies = bodies.of(evaluator)
        self._may_be = may_be
        around = self._symbols.definition(self._symbols.class_around(body.place))
        self._members = {each.name: each for each in self.references(around)} if around is not None else {}
        self.given = frozenset(local for local in body.locals if self._is_given(local))
        """The parameters, and captures with an initializer, that lead to an object of the code outside."""
        self._held = [frozenset({local}) if self._is_object(local) else NONE for local in body.locals]
        self._closures: dict[int, Body] = {}
        self._leads: list[Objects] = []
        self._returning: dict[int, bool] = {}
        self._run()

    def _run(self) -> None:
        before: list[Objects] | None = None
        while before != self._held:
            before = list(self._held)
            self._leads = []
            for position, code in enumerate(self._body.op):
                step = _STEPS.get(code)
                self._leads.append(NONE if step is None else step(self, position))

    # ----------------------------------------------------------------- queries

    def of(self, position: int) -> Objects:
        """The objects that a value or a place is, or leads to."""
        return self._leads[position] if position != ops.NONE else NONE

    def held(self, slot: int) -> Objects:
        """The objects that a variable is, refers to or points to."""
        return self._held[slot]

    def closure(self, value: int) -> Body | None:
        """The lambda that a called value surely is."""
        body = self._body
        if body.op[value] == ops.LAMBDA:
            return body.lambdas[body.extra[value]]
        return self._closures.get(body.a[value]) if body.op[value] == ops.LOAD else None

    def outside(self, objects: Iterable[Local | str]) -> Iterator[str]:
        """The names of those objects that are not the body's own."""
        for each in objects:
            if isinstance(each, str):
                yield each
            elif each in self.given:
                yield each.name

    def is_pointer(self, place: int) -> bool:
        """Whether a place is a pointer itself, and not what it points to."""
        body = self._body
        if body.op[place] in (ops.GLOBAL, ops.FIELD):
            member = self._members.get(body.name(place))
            return member is not None and member.type.pointers > 0
        local = body.local(place)
        return local is not None and local.type is not None and local.type.pointers > 0

    def references(self, struct: Declared[Struct]) -> Iterator[Variable]:
        """The members by which an object of a class leads to an object outside it."""
        for each in struct.node.variables:
            if self.is_writable(each.type, struct.place):
                yield each

    def is_writable(self, kind: Type, place: Place) -> bool:
        """Whether an object may be assigned through a variable of a type that refers or points to it."""
        return is_writable(kind, place, self._may_be)

    def _is_given(self, local: Local) -> bool:
        if local.storage is Storage.CAPTURE:
            return True
        kind = local.type
        return local.storage is Storage.PARAMETER and kind is not None and self.is_writable(kind, self._body.place)

    def _is_object(self, local: Local) -> bool:
        kind = local.type
        if kind is None or local in self.given:
            return local in self.given
        return not (kind.reference or kind.pointers) and self._may_be(kind, self._body.place)

    # ------------------------------------------------------------ instructions

    def _declared(self, position: int) -> Objects:
        body = self._body
        slot, value = body.a[position], body.b[position]
        local = body.locals[slot]
        if value != ops.NONE and (local.type is None or local.is_reference or points(local.type)):
            self._held[slot] |= self.of(value)
            if body.op[value] == ops.LAMBDA:
                self._closures[slot] = body.lambdas[body.extra[value]]
        return NONE

    def _stored(self, position: int) -> Objects:
        body = self._body
        slot = body.a[position]
        kind = body.locals[slot].type
        if kind is None or points(kind):
            self._held[slot] |= self.of(body.b[position])
        self._closures.pop(slot, None)
        return NONE

    def _variable(self, position: int) -> Objects:
        return self._held[self._body.a[position]]

    def _captured(self, position: int) -> Objects:
        return frozenset({self._body.name(position)})

    def _named(self, position: int) -> Objects:
        name = self._body.name(position)
        return frozenset({name}) if name in self._members else NONE

    def _field(self, position: int) -> Objects:
        is_own = self._body.op[self._body.a[position]] == ops.THIS
        return self._named(position) if is_own else NONE

    def _same(self, position: int) -> Objects:
        return self.of(self._body.a[position])

    def _either(self, position: int) -> Objects:
        return self.of(self._body.a[position]) | self.of(self._body.b[position])

    def _listed(self, position: int) -> Objects:
        """A list may become an object that has the addresses in it."""
        body = self._body
        if not isinstance(body.node[position], Brace | Variable):
            return NONE
        addresses = (each for each in body.list(position) if body.op[each] in (ops.ADDR, ops.ADDR_LOCAL))
        return frozenset().union(*map(self.of, addresses))

    def _called(self, position: int) -> Objects:
        """What a function may give back of what it is given."""
        given: Objects = frozenset().union(*map(self.of, self._body.list(position)))
        return given if given and self._may_give_back(position) else NONE

    def _may_give_back(self, position: int) -> bool:
        known = self._returning.get(position)
        if known is None:
            body = self._body
            call, place = body.call(position), body.around_of(position)
            found = self._bodies.called(call, place).found
            types = [each.node.returns for each in found]
            known = any(each is not None and self.is_writable(each, place) for each in types)
            known = known or getattr(call.function, "text", "") in _PASSING
            self._returning[position] = known
        return known


def is_writable(kind: Type, place: Place, may_be: MayBe) -> bool:
    """Whether an object that ``may_be`` asks about may be assigned through a variable of a type."""
    return (kind.reference or points(kind)) and not kind.constant and may_be(kind, place)


def points(kind: Type) -> bool:
    """Whether a variable of a type is a pointer, or may be one."""
    return kind.pointers > 0 or kind.name.last == "auto"


_STEPS: dict[int, Callable[[Referents, int], Objects]] = {
    ops.CAPTURE: Referents._captured,
    ops.GLOBAL: Referents._named,
    ops.DECL: Referents._declared,
    ops.LOAD: Referents._variable,
    ops.STORE: Referents._stored,
    ops.ADDR_LOCAL: Referents._variable,
    ops.FIELD: Referents._field,
    ops.ELEM: Referents._same,
    ops.DEREF: Referents._same,
    ops.ADDR: Referents._same,
    ops.READ: Referents._same,
    ops.CAST: Referents._same,
    ops.SELECT: Referents._either,
    ops.CALL: Referents._called,
    ops.CONSTRUCT: Referents._listed,
}
