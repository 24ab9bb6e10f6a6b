"""Mod/ref: the memory that a function reads and writes through pointers, references and accessors from outside it.

What a summary says is sure: an access stands in the code, though perhaps in a branch. What is not followed is said
nothing of: targets that are not certain, arms of ``#if`` that perhaps are compiled, text that does not parse. Where a
pointer goes that leaves what is followed is said by ``escapes``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TypeAlias

from sycllint.cpp.expression import Brace, Call, Index, Member, Name
from sycllint.cpp.place import Place
from sycllint.cpp.statement import STATIC, VIRTUAL, Function, FunctionParameter, Return, Variable
from sycllint.dataflow.summaries import Summaries
from sycllint.ir import ops
from sycllint.ir.bodies import bodies
from sycllint.ir.body import Body, Storage
from sycllint.record import NamedTuple
from sycllint.values.evaluate import Evaluator
from sycllint.values.memory import Memo
from sycllint.values.objects import Point

Path: TypeAlias = tuple[str, ...]
"""A pointer by the name that it has outside: a parameter, a captured variable or a member, and the members after it."""

Called: TypeAlias = "tuple[Path, tuple[Path | None, ...]]"
"""A function object from outside, and the pointers from outside that it is called with."""

_ATOMICS = frozenset({"atomic_ref", "atomic"})
_MAX_PATH = 4
"""Members that a path has at most: a function that calls itself with a member of its argument has no longer ones."""


class ModRef(NamedTuple):
    """Pointers from outside a function that it reads and writes through, and those that it hands on."""

    reads: frozenset[Path] = frozenset()
    writes: frozenset[Path] = frozenset()
    escapes: frozenset[Path] = frozenset()
    """They are given to a function that is not followed, stored or returned."""
    calls: frozenset[Called] = frozenset()
    """Function objects from outside that it calls."""


NOTHING = ModRef()


class Binding(NamedTuple):
    """What a call hands to a parameter of its target, or a lambda captures, by the name that it has inside."""

    target: Body
    given: Mapping[str, Path | None]
    """Of names that are in the target as outside, there is none."""
    is_closure: bool


class Method(NamedTuple):
    """A method that a call runs."""

    body: Body
    fields: frozenset[str]
    """The data members of its class."""
    element: str
    """The one of them to an element of which it gives a reference; empty where it may do more."""


class ModRefs:
    """The domain: mod/ref of the functions of one evaluator."""

    bottom = NOTHING

    def __init__(self, evaluator: Evaluator) -> None:
        self._overloads = evaluator.overloads
        self._symbols = evaluator.symbols
        self._types = evaluator.types
        self._bodies = bodies.of(evaluator)
        self._typed = evaluator.static_types.of if evaluator.overloads.is_defined("operator[]") else None
        """Where a class of the project may have elements."""
        self._summaries: Summaries[ModRef] = Summaries(self)
        self._walks: dict[Body, _ModRefWalk] = {}

    def of(self, body: Body) -> ModRef:
        """What a function or a lambda does."""
        return self._summaries.of(body)

    def callees(self, body: Body) -> Iterator[Body]:
        """The functions that ``body`` surely calls, and the lambdas in it."""
        walk = self._walks[body] = _ModRefWalk(body, self)
        for each in walk.bindings:
            yield each.target

    def summary(self, body: Body, of: Callable[[Body], ModRef]) -> ModRef:
        """What ``body`` does itself, and through its callees to what it hands them."""
        walk = self._walks[body]
        reads, writes, escapes, calls = set(walk.reads), set(walk.writes), set(walk.escapes), set(walk.calls)
        for each in walk.bindings:
            inner = of(each.target)
            reads.update(_outside(inner.reads, each))
            writes.update(_outside(inner.writes, each))
            escapes.update(_outside(inner.escapes, each))
            for function, given in inner.calls:
                handed = tuple([next(_outside((path,), each), None) if path else None for path in given])
                calls.update((path, handed) for path in _outside((function,), each))
        return ModRef(frozenset(reads), frozenset(writes), frozenset(escapes), frozenset(calls))

    def is_number(self, body: Body, slot: int) -> bool:
        """Whether a variable is a number, or refers to one."""
        kind = body.locals[slot].type
        return kind is not None and not kind.pointers and self._types.kind(kind.name, body.place).is_number

    def method_of(self, node: Call | Index, place: Place) -> Method | None:
        """The one visible method that a call, or the operator for an element, surely runs on an object."""
        if isinstance(node, Call):
            return self._method(node, place)
        typed = self._typed(node.object, Point(place, node.start)) if self._typed is not None else None
        if typed is None or typed.type.pointers or typed.type.extents:
            return None
        operator = Member(node.object, "operator[]", None, node.start, node.end)
        return self._method(Call(operator, node.indices, node.start, node.end), place)

    def is_in_class(self, body: Body) -> bool:
        """Whether a body is that of a method, or stands in one."""
        return self._symbols.class_around(body.place) is not None

    def is_field(self, body: Body, name: str) -> bool:
        """Whether the class around a body has a data member of this name."""
        struct = self._symbols.definition(self._symbols.class_around(body.place))
        return struct is not None and any(each.name == name for each in struct.node.variables)

    def target(self, body: Body, position: int) -> Body | None:
        """The one visible free function that a call surely runs."""
        return self.function_of(body.call(position), body.around_of(position))

    def function_of(self, call: Call, place: Place) -> Body | None:
        """The same of a call at ``place``."""
        callee = call.function
        if not isinstance(callee, Name) or not self._overloads.is_defined(callee.last):
            return None
        found, sure = self._bodies.called(call, place)
        if len(found) != 1 or not sure or found[0].node.damaged or found[0].node.flags & VIRTUAL:
            return None
        is_method = self._symbols.class_of(found[0]) is not None
        return None if is_method else self._bodies.of(found[0].node, found[0].place)

    def _method(self, call: Call, place: Place) -> Method | None:
        callee = call.function
        name = callee.name if isinstance(callee, Member) else callee.last if isinstance(callee, Name) else ""
        if not name or not (self._overloads.is_defined(name) or self._overloads.is_defined("operator()")):
            return None
        found, sure = self._bodies.called(call, place)
        if len(found) != 1 or not sure or found[0].node.damaged or found[0].node.flags & (VIRTUAL | STATIC):
            return None
        owner = self._symbols.class_of(found[0])
        struct = self._symbols.definition(owner) if owner is not None else None
        if struct is None or self._symbols.is_constructor(found[0]):
            return None
        fields = frozenset(each.name for each in struct.node.variables if not each.flags & STATIC)
        return Method(self._bodies.of(found[0].node, found[0].place), fields, _element_of(found[0].node, fields))


def _element_of(method: Function, fields: frozenset[str]) -> str:
    """The data member to an element of which a method gives a reference, where it does nothing else."""
    statements = method.body.statements if method.body is not None else ()
    if method.returns is None or not method.returns.reference or len(statements) != 1:
        return ""
    match statements[0]:
        case Return(value=Index(object=Name(text=text) | Member(object=Name(text="this"), name=text))) if (
            text in fields
        ):
            return text
        case _:
            return ""


def _outside(paths: Iterable[Path], binding: Binding) -> Iterator[Path]:
    """What paths of a callee are in its caller; names that mean the same in both stay as they are."""
    for first, *members in paths:
        if first in binding.given:
            outside = binding.given[first]
            if outside is not None and len(outside) + len(members) <= _MAX_PATH:
                yield (*outside, *members)
        elif binding.is_closure:
            yield (first, *members)


class _ModRefWalk:
    """One pass over the instructions of a body.

    ``_pointers`` has, by position, the pointer that a value is, or the variable that a place is part of; ``_memory``
    the pointer that leads to a place.
    """

    def __init__(self, body: Body, domain: ModRefs) -> None:
        self._body = body
        self._domain = domain
        self.reads: set[Path] = set()
        self.writes: set[Path] = set()
        self.escapes: set[Path] = set()
        self.calls: set[Called] = set()
        self.bindings: list[Binding] = []
        self._pointers: list[Path | None] = [None] * len(body.op)
        self._memory: list[Path | None] = [None] * len(body.op)
        self._held: list[Path | None] = [None] * len(body.locals)
        """By slot: the pointer that it holds or refers to, or that leads to what it refers to."""
        self._referred: list[Path | None] = [None] * len(body.locals)
        """By slot of a reference: the pointer that leads to what it refers to."""
        self._closures: dict[int, Body] = {}
        """By slot, the lambda that it holds."""
        self._given = _given(body)
        """Places of which no more is taken here than a reference, or that are set."""
        self._run()

    def _run(self) -> None:
        body = self._body
        skipped = list(_uncertain(body))
        is_sure = not skipped and not any(each.is_guessed for each in body.regions)
        steps = _STEPS
        for position, code in enumerate(body.op):
            step = steps.get(code)
            if step is None:
                continue
            if is_sure or not (
                any(begin <= position < end for begin, end in skipped) or body.regions[body.region[position]].is_guessed
            ):
                step(self, position)
            elif code == ops.STORE:
                self._held[body.a[position]] = None

    def _pointer(self, position: int) -> Path | None:
        return self._pointers[position] if position != ops.NONE else None

    def _place(self, position: int) -> Path | None:
        return self._memory[position] if position != ops.NONE else None

    def _note(self, into: set[Path], path: Path | None) -> None:
        if path:
            into.add(path)

    # ----------------------------------------------------------------- locals

    def _parameter(self, position: int) -> None:
        slot = self._body.a[position]
        local = self._body.locals[slot]
        self._held[slot] = (local.name,) if local.name else None
        if local.is_reference and self._domain.is_number(self._body, slot):
            self._referred[slot] = self._held[slot]

    def _declared(self, position: int) -> None:
        body = self._body
        slot, value = body.a[position], body.b[position]
        local = body.locals[slot]
        if value == ops.NONE or local.storage is not Storage.VARIABLE:
            return
        if _is_atomic(local.node):
            for each in body.list(value) if body.op[value] == ops.CONSTRUCT else (value,):
                self._atomic(each)
            return
        if body.op[value] == ops.CONSTRUCT and len(body.list(value)) == 1:
            (value,) = body.list(value)
        self._held[slot] = self._handed(value, is_reference=local.is_reference)
        if local.is_reference:
            self._referred[slot] = self._place(value)
        elif body.op[value] == ops.LAMBDA:
            self._closures[slot] = body.lambdas[body.extra[value]]

    def _stored(self, position: int) -> None:
        slot, value = self._body.a[position], self._body.b[position]
        if self._held[slot] != self._pointer(value):
            self._held[slot] = None

    def _loaded(self, position: int) -> None:
        slot = self._body.a[position]
        self._pointers[position] = self._held[slot]
        self._memory[position] = self._referred[slot]

    def _named(self, position: int) -> None:
        self._pointers[position] = (self._body.name(position),)

    def _this(self, position: int) -> None:
        self._pointers[position] = ()

    # ----------------------------------------------------------------- places

    def _field(self, position: int) -> None:
        body, base = self._body, self._body.a[position]
        whole = self._pointer(base)
        if self._memory[base] is not None and body.op[base] != ops.LOAD:
            self._memory[position] = self._memory[base]
        elif whole is not None and len(whole) < _MAX_PATH:
            self._pointers[position] = (*whole, body.name(position))

    def _object(self, place: int) -> Path | None:
        """The pointer or variable that a place is a member of, where it is a member."""
        body = self._body
        if body.op[place] != ops.FIELD or self._memory[place] is not None:
            return None
        while body.op[place] == ops.FIELD:
            place = body.a[place]
        return self._pointer(place)

    def _element(self, position: int) -> None:
        base = self._body.a[position]
        whole = self._pointer(base)
        node = self._body.node[position]
        operator = (
            self._domain.method_of(node, self._body.around_of(position)) if whole and type(node) is Index else None
        )
        if whole and operator is not None and operator.element:
            self._memory[position] = (*whole, operator.element)
            return
        self._note(self.reads, self._object(base))
        if self._body.op[base] in (ops.ELEM, ops.DEREF) or (
            self._body.op[base] == ops.FIELD and self._memory[base] is not None
        ):
            # A pointer in memory, or a part of an array.
            self._note(self.reads, self._memory[base])
        else:
            self._memory[position] = self._pointer(base)

    def _read(self, position: int) -> None:
        place = self._body.a[position]
        if position not in self._given:
            self._note(self.reads, self._memory[place] or self._object(place))
        if self._memory[place] is None or self._body.op[place] == ops.LOAD:
            self._pointers[position] = self._pointers[place]

    def _written(self, position: int) -> None:
        body, place = self._body, self._body.a[position]
        self._note(self.writes, self._memory[place] or self._object(place))
        if body.op[position] == ops.UPDATE:
            self._note(self.reads, self._memory[place])
        elif self._memory[place] is not None or body.op[place] != ops.GLOBAL:
            self._note(self.escapes, self._pointer(body.b[position]))

    def _address(self, position: int) -> None:
        self._pointers[position] = self._memory[self._body.a[position]]

    def _same(self, position: int) -> None:
        self._pointers[position] = self._pointer(self._body.a[position])

    def _calculated(self, position: int) -> None:
        if self._body.name(position) in ("+", "-"):
            self._same(position)

    # ------------------------------------------------------------------ calls

    def _called(self, position: int) -> None:
        body = self._body
        arguments = body.list(position)
        if body.called(position) in _ATOMICS:
            for each in arguments:
                self._atomic(each)
            return
        receiver = body.a[position]
        if body.b[position] != ops.NONE and receiver != ops.NONE and not isinstance(body.callee(position), Name):
            # A method reads its object.
            is_member = body.op[receiver] == ops.FIELD
            whole = self._object(receiver) if is_member else self._pointer(receiver)
            self._note(self.reads, self._place(receiver) or whole)
        target = self._closure(receiver) if receiver != ops.NONE else None
        if target is None and self._of_object(position):
            return
        function = self._function_object(position) if target is None else None
        if function:
            self.calls.add((function, tuple([self._handed(each, is_reference=False) for each in arguments])))
        if target is None and not any(self._handed(each, is_reference=True) for each in arguments):
            return
        target = self._domain.target(body, position) if target is None else target
        if target is None:
            for each in arguments:
                self._note(self.escapes, self._pointer(each))
            return
        given: dict[str, Path | None] = dict.fromkeys((each.name for each in target.function.parameters), None)
        for parameter, each in zip(target.function.parameters, arguments, strict=False):
            given[parameter.name] = self._handed(each, is_reference=parameter.type.reference)
        is_closure = any(target is each for each in body.lambdas)
        self.bindings.append(Binding(target, {**self._captured(target), **given} if is_closure else given, is_closure))

    def _of_object(self, position: int) -> bool:
        """Bind the method that a call runs on an object from outside; false where there is none.

        A function object is called by who made it: of that only the reference that it gives is followed.
        """
        body, receiver, callee = self._body, self._body.a[position], self._body.callee(position)
        is_own = receiver == ops.NONE or body.op[receiver] == ops.THIS
        whole = () if is_own else self._pointer(receiver)
        if whole is None or len(whole) >= _MAX_PATH or (is_own and not self._domain.is_in_class(body)):
            return False
        method = self._domain.method_of(body.call(position), body.around_of(position))
        if method is None:
            return False
        if method.element:
            self._memory[position] = (*whole, method.element)
            if position not in self._given:
                self._note(self.reads, self._memory[position])
        if not is_own and isinstance(callee, Name):
            return False
        given: dict[str, Path | None] = {each: (*whole, each) for each in method.fields}
        given.update(dict.fromkeys((each.name for each in method.body.function.parameters), None))
        for parameter, each in zip(method.body.function.parameters, body.list(position), strict=False):
            given[parameter.name] = self._handed(each, is_reference=parameter.type.reference)
        self.bindings.append(Binding(method.body, given, is_closure=False))
        return True

    def _function_object(self, position: int) -> Path | None:
        """The variable or member from outside that is called, as a function object is."""
        receiver, callee = self._body.a[position], self._body.callee(position)
        if isinstance(callee, Name) and receiver != ops.NONE:
            return self._pointer(receiver)
        is_own = receiver == ops.NONE or self._body.op[receiver] == ops.THIS
        name = self._body.called(position) if is_own else ""
        return (name,) if name and self._domain.is_field(self._body, name) else None

    def _handed(self, value: int, *, is_reference: bool) -> Path | None:
        """The pointer that a parameter or a variable has: the value, or the memory in which a reference finds it."""
        if not is_reference:
            return self._pointer(value)
        place = self._body.a[value] if self._body.op[value] == ops.READ else value
        return self._pointer(value) or self._place(place) or self._pointer(place)

    def _closure(self, value: int) -> Body | None:
        """The lambda that a called value surely is."""
        body = self._body
        if body.op[value] == ops.LAMBDA:
            return body.lambdas[body.extra[value]]
        return self._closures.get(body.a[value]) if body.op[value] == ops.LOAD else None

    def _made(self, position: int) -> None:
        """Bind the body of a lambda where it is made, as it may be called from there on."""
        inner = self._body.lambdas[self._body.extra[position]]
        captured = self._captured(inner)
        values = [each.name for each in getattr(inner.function, "captures", ()) if each.value is not None]
        number = self._body.b[position]
        given = self._body.lists[number] if number != ops.NONE else ()
        captured.update(zip(values, map(self._pointer, given), strict=False))
        parameters = dict.fromkeys((each.name for each in inner.function.parameters), None)
        self.bindings.append(Binding(inner, {**captured, **parameters}, True))

    def _captured(self, inner: Body) -> dict[str, Path | None]:
        """What the variables of this body are to a lambda in it."""
        numbers = {id(local): slot for slot, local in enumerate(self._body.locals)}
        around = ((name, numbers.get(id(local))) for name, local in inner.around.items())
        return {name: self._held[slot] for name, slot in around if slot is not None}

    def _constructed(self, position: int) -> None:
        node = self._body.node[position]
        if isinstance(node, Brace) and isinstance(node.type, Name) and node.type.last in _ATOMICS:
            for each in self._body.list(position):
                self._atomic(each)

    def _atomic(self, value: int) -> None:
        """An atomic reference to what was read for a value."""
        place = self._body.a[value] if self._body.op[value] == ops.READ else value
        self._note(self.reads, self._memory[place])
        self._note(self.writes, self._memory[place])

    def _returned(self, position: int) -> None:
        self._note(self.escapes, self._pointer(self._body.a[position]))


_STEPS: dict[int, Callable[[_ModRefWalk, int], None]] = {
    ops.PARAM: _ModRefWalk._parameter,
    ops.CAPTURE: _ModRefWalk._named,
    ops.GLOBAL: _ModRefWalk._named,
    ops.THIS: _ModRefWalk._this,
    ops.DECL: _ModRefWalk._declared,
    ops.LOAD: _ModRefWalk._loaded,
    ops.STORE: _ModRefWalk._stored,
    ops.FIELD: _ModRefWalk._field,
    ops.ELEM: _ModRefWalk._element,
    ops.DEREF: _ModRefWalk._element,
    ops.ADDR: _ModRefWalk._address,
    ops.READ: _ModRefWalk._read,
    ops.WRITE: _ModRefWalk._written,
    ops.UPDATE: _ModRefWalk._written,
    ops.BINARY: _ModRefWalk._calculated,
    ops.CAST: _ModRefWalk._same,
    ops.CALL: _ModRefWalk._called,
    ops.CONSTRUCT: _ModRefWalk._constructed,
    ops.LAMBDA: _ModRefWalk._made,
    ops.RETURN: _ModRefWalk._returned,
}


def _is_atomic(node: object) -> bool:
    return isinstance(node, Variable | FunctionParameter) and node.type.name.last in _ATOMICS


def _given(body: Body) -> frozenset[int]:
    """What a function returns by reference, the places that it sets, and what references are declared with."""
    returns = body.function.returns
    found = {body.a[each] for each in body.at(ops.RETURN)} if returns is not None and returns.reference else set[int]()
    found.update(body.a[each] for each in body.at(ops.WRITE))
    found.update(body.b[each] for each in body.at(ops.DECL) if body.locals[body.a[each]].is_reference)
    return frozenset(found)


def _uncertain(body: Body) -> Iterator[tuple[int, int]]:
    """The instructions of arms that are perhaps compiled."""
    variants = body.at(ops.VARIANT)
    following = {body.b[each]: each for each in variants}
    for each in variants:
        if body.a[each] == ops.PERHAPS:
            yield each, following.get(each, body.extra[each])


mod_refs = Memo(ModRefs)
"""Those of an evaluator."""
