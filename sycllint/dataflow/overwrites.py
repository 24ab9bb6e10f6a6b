"""Overwrites: the objects outside a function that it may assign, as a whole, through references and pointers to them.

The answer is an over-approximation. An object that is handed to code that is not visible may be overwritten there, and
one that an object of a class refers to by any method of that class, for these are called in any order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Protocol, TypeAlias

from sycllint.cpp.expression import Brace, Call, Expr, Lambda, Name, New, Type
from sycllint.cpp.node import Node
from sycllint.cpp.place import Place
from sycllint.cpp.statement import VIRTUAL, Function, FunctionParameter, Struct, Variable
from sycllint.dataflow.referents import NONE, Objects, Referents, points
from sycllint.dataflow.summaries import Summaries
from sycllint.facts.file import Declared
from sycllint.ir import ops
from sycllint.ir.bodies import bodies
from sycllint.ir.body import Body, Local
from sycllint.memoized import memoized
from sycllint.record import NamedTuple
from sycllint.symbols.arity import accepts
from sycllint.values.evaluate import Evaluator
from sycllint.values.objects import Point, TypeKind

Outside: TypeAlias = frozenset[str]
"""Objects by the names that a function has for them: parameters, captured variables, members that refer."""

SHIFTS = frozenset({">>", "<<", "&", "|"})
"""Operators by which objects take what stands beside them: ``archive & object``."""


class Subject(Protocol):
    """The kind of object that is asked about, and what code that is not visible does with one."""

    def may_be(self, kind: Type, place: Place) -> bool:
        """Whether a variable of a type may be such an object, or refer or point to one."""

    def is_overwritten_by(self, callee: Expr) -> bool:
        """Whether a function or method that is not visible may overwrite what it is given."""

    def is_overwritten_in(self, made: TypeKind) -> bool:
        """Whether an object of a class that is not visible may overwrite what it is made from."""


class _Binding(NamedTuple):
    """A body that may run, and what its names for objects outside it are here."""

    function: Lambda | Function
    place: Place
    given: Mapping[str, Objects]
    is_closure: bool
    """Other names mean the same in both."""

    def here(self, names: Outside) -> Iterator[Local | str]:
        """The objects that the body calls ``names``."""
        for name in names:
            if name in self.given:
                yield from self.given[name]
            elif self.is_closure:
                yield name


class _Effect(NamedTuple):
    """What one node of the source may overwrite: by itself, and through the bodies that it may run."""

    objects: Objects = NONE
    bindings: tuple[_Binding, ...] = ()


_NOTHING = _Effect()


def _joined(effects: Iterable[_Effect]) -> _Effect:
    parts = [each for each in effects if each is not _NOTHING]
    if len(parts) < 2:
        return parts[0] if parts else _NOTHING
    objects: Objects = frozenset().union(*(each.objects for each in parts))
    return _Effect(objects, tuple(one for each in parts for one in each.bindings))


class Overwrites:
    """The domain, for one kind of object and one evaluator."""

    bottom: Outside = frozenset()

    def __init__(self, evaluator: Evaluator, subject: Subject) -> None:
        self._evaluator = evaluator
        self._subject = subject
        self._bodies = bodies.of(evaluator)
        self._summaries: Summaries[Outside] = Summaries(self)

    def at(self, node: Node, place: Place, handed: frozenset[int] | None = None) -> frozenset[str]:
        """The variables that a call, an operator, a lambda or an object that is made may overwrite, by their names.

        ``node`` stands in the function around ``place``; a lambda may do so at any time after it is made. ``handed``:
        the arguments of a call that may lead to an object, by position, where that is known.
        """
        around = next((each for each in place.within() if isinstance(each.node, Function | Lambda)), None)
        if around is None:
            return frozenset()
        if self._spares_all(node, place, handed):
            return frozenset()
        assert isinstance(around.node, Function | Lambda)
        effect = self._walk(self._bodies.of(around.node, around)).effects.get(node, _NOTHING)
        found = set(effect.objects)
        for each in effect.bindings:
            found.update(each.here(self._summaries.of(self._target(each))))
        return frozenset(each.name if isinstance(each, Local) else each for each in found)

    def _spares_all(self, node: Node, place: Place, handed: frozenset[int] | None) -> bool:
        """Whether a call or a declaration overwrites nothing, whatever it is given; a call, where it is ``handed``.

        Most do not, and then the function around it need not be gone through for what the arguments lead to.
        """
        evaluator = self._evaluator
        match node:
            case Variable(type=kind):
                known = evaluator.types.kind(kind.name, place)
                is_spared = known.struct is None and not self._subject.is_overwritten_in(known)
                return is_spared or kind.reference or kind.pointers > 0
            case Call(function=Name() as name, arguments=arguments):
                is_plain = name.text not in evaluator.facts.macros and name.text not in evaluator.defines
                if not is_plain or evaluator.declarations.type_of(name, Point(place, node.start)) is not None:
                    return False
                found = evaluator.overloads.of(node, place).found
                if not found and self._is_out_of_sight(name, place):
                    return not self._subject.is_overwritten_by(name)
                positions = frozenset(range(len(arguments))) if handed is None else handed
                return bool(found) and all(self._spares(each, positions) for each in found)
            case _:
                return False

    def _is_out_of_sight(self, name: Name, place: Place) -> bool:
        """Whether a name is that of no function or class that is visible."""
        symbols = self._evaluator.symbols
        return not symbols.functions(name, place).declared and not symbols.classes(name, place).declared

    def _spares(self, declared: Declared[Function], handed: frozenset[int]) -> bool:
        function = declared.node
        names = {each.name for each in _taking(function, handed)}
        if not _is_followed(function):
            return False
        return not names or names.isdisjoint(self._summaries.of(self._bodies.of(function, declared.place)))

    def callees(self, body: Body) -> Iterator[Body]:
        """The bodies that may run with an object from outside ``body``."""
        return map(self._target, self._walk(body).passed_on)

    def summary(self, body: Body, of: Callable[[Body], Outside]) -> Outside:
        """What ``body`` may overwrite itself, and through what it hands on."""
        walk = self._walk(body)
        found = {each for effect in walk.effects.values() for each in effect.objects}
        for binding in walk.passed_on:
            found.update(binding.here(of(self._target(binding))))
        return frozenset(walk.referents.outside(found))

    def _target(self, binding: _Binding) -> Body:
        return self._bodies.of(binding.function, binding.place)

    @memoized
    def _walk(self, body: Body) -> _OverwriteWalk:
        return _OverwriteWalk(body, self._evaluator, self._subject)


class _OverwriteWalk:
    """What the instructions of one body do."""

    def __init__(self, body: Body, evaluator: Evaluator, subject: Subject) -> None:
        self.referents = Referents(body, evaluator, subject.may_be)
        self.effects: dict[Node, _Effect] = {}
        self._body = body
        self._of = self.referents.of
        self._subject = subject
        self._symbols = evaluator.symbols
        self._bodies = bodies.of(evaluator)
        self._types = evaluator.types
        for position, code in enumerate(body.op):
            step = _STEPS.get(code)
            effect = step(self, position) if step is not None else _NOTHING
            if effect is not _NOTHING:
                node = body.node[position]
                self.effects[node] = _joined((self.effects.get(node, _NOTHING), effect))
        self.passed_on = [each for effect in self.effects.values() for each in effect.bindings if self._passes(each)]
        """The bodies that may run with an object from outside this one."""

    def _passes(self, binding: _Binding) -> bool:
        return binding.is_closure or any(any(self.referents.outside(each)) for each in binding.given.values())

    def _given(self, position: int) -> list[Objects]:
        return [self._of(each) for each in self._body.list(position)]

    # ------------------------------------------------------------ instructions

    def _written(self, position: int) -> _Effect:
        body = self._body
        node, place, value = body.node[position], body.a[position], body.b[position]
        if isinstance(node, Function):
            return self._initialized(node, body.name(place), self._given(value))
        overwritten = NONE if self.referents.is_pointer(place) else self._of(place)
        if value != ops.NONE and body.op[value] != ops.READ:
            # An address is kept, and whoever finds it may use it.
            overwritten |= self._of(value)
        return _Effect(overwritten) if overwritten else _NOTHING

    def _operated(self, position: int) -> _Effect:
        body = self._body
        taken = self._of(body.a[position]) | self._of(body.b[position])
        return _Effect(taken) if taken and body.name(position) in SHIFTS else _NOTHING

    def _unseen(self, position: int) -> _Effect:
        may_write = self._body.a[position] & ops.MAY_WRITE
        return _Effect(frozenset(self.referents.given)) if may_write else _NOTHING

    def _closed_over(self, position: int) -> _Effect:
        """A lambda may be called with what it captures by reference, or points to."""
        body = self._body
        inner = body.lambdas[body.extra[position]]
        function = inner.function
        assert isinstance(function, Lambda)
        by_reference = {each.name for each in function.captures if each.by_reference}
        by_copy = {each.name for each in function.captures if not each.by_reference}
        slots = {local: slot for slot, local in enumerate(body.locals)}
        given: dict[str, Objects] = {}
        for name, local in inner.around.items():
            is_shared = name in by_reference or (function.default == "&" and name not in by_copy)
            held = self.referents.held(slots[local]) if local in slots else frozenset({name})
            given[name] = held if is_shared else _copied(local, held)
        number = body.b[position]
        values = body.lists[number] if number != ops.NONE else ()
        made = (each for each in function.captures if each.value is not None)
        for each, value in zip(made, values, strict=False):
            given[each.name] = NONE if body.op[value] == ops.READ and not each.by_reference else self._of(value)
        given.update(dict.fromkeys((each.name for each in function.parameters), NONE))
        return _Effect(NONE, (_Binding(function, inner.place, given, True),))

    def _called(self, position: int) -> _Effect:
        body = self._body
        arguments = self._given(position)
        if not any(arguments):
            return _NOTHING
        receiver = body.a[position]
        closure = self.referents.closure(receiver) if receiver != ops.NONE else None
        if closure is not None:
            return self._handed(closure.function, closure.place, arguments)
        place = body.around_of(position)
        found = self._bodies.called(body.call(position), place).found
        return self._any(found, arguments) if found else self._out_of_sight(body.callee(position), arguments, place)

    def _made_for_variable(self, position: int) -> _Effect:
        body = self._body
        node, value = body.node[position], body.b[position]
        if value == ops.NONE or not isinstance(node, Variable) or node.type.reference or node.type.pointers:
            return _NOTHING
        made = body.node[value]
        is_list = body.op[value] == ops.CONSTRUCT and (made is node or getattr(made, "type", None) is None)
        arguments = self._given(value) if is_list else [self._of(value)]
        return self._made(node.type.name, arguments, body.around_of(position))

    def _made_by_itself(self, position: int) -> _Effect:
        node = self._body.node[position]
        kind = node.type if isinstance(node, Brace) else node.type.name if isinstance(node, New) else None
        place = self._body.around_of(position)
        return self._made(kind, self._given(position), place) if isinstance(kind, Name) else _NOTHING

    # ------------------------------------------------------------------- calls

    def _out_of_sight(self, callee: Expr, arguments: Sequence[Objects], place: Place) -> _Effect:
        """The effect of a call without a visible body."""
        if isinstance(callee, Name):
            declared = self._symbols.functions(callee, place).declared
            fitting = [each for each in declared if accepts(each.node, len(arguments))]
            if fitting:
                return self._any(fitting, arguments)
            if self._symbols.classes(callee, place).declared:
                return self._made(callee, arguments, place)
        return _Effect(frozenset().union(*arguments)) if self._subject.is_overwritten_by(callee) else _NOTHING

    def _any(self, found: Iterable[Declared[Function]], arguments: Sequence[Objects]) -> _Effect:
        return _joined(self._handed(each.node, each.place, arguments) for each in found)

    def _handed(self, function: Lambda | Function, place: Place, arguments: Sequence[Objects]) -> _Effect:
        """What one function does with the objects that it is given."""
        parameters = function.parameters
        given: dict[str, Objects] = dict.fromkeys((each.name for each in parameters), NONE)
        taken: Objects = NONE
        for parameter, objects in zip(_taking(function, range(len(arguments))), arguments, strict=False):
            if objects and self.referents.is_writable(parameter.type, place):
                given[parameter.name] |= objects
                taken |= objects
        if not taken:
            return _NOTHING
        if not _is_followed(function):
            return _Effect(taken)
        return _Effect(NONE, (_Binding(function, place, given, False),))

    # ----------------------------------------------------------------- classes

    def _made(self, name: Name, arguments: Sequence[Objects], place: Place) -> _Effect:
        """What an object of a class may do with the objects that it is made from, now or later."""
        if not any(arguments):
            return _NOTHING
        handed: Objects = frozenset().union(*arguments)
        effects: list[_Effect] = []
        seen: set[Struct] = set()
        waiting = [(name, place)]
        while waiting:
            kind = self._types.kind(*waiting.pop())
            struct = kind.struct
            if struct is None:
                effects.append(_Effect(handed) if self._subject.is_overwritten_in(kind) else _NOTHING)
                continue
            if struct.node in seen:  # ``template <int N> class Level : Level<N - 1>`` is a base of itself by its name.
                continue
            seen.add(struct.node)
            scope = self._symbols.scope_of(struct)
            makers = [each for each in self._symbols.methods(scope.name, scope) if accepts(each.node, len(arguments))]
            if makers:
                effects.append(self._any([each for each in makers if each.node.body is not None] or makers, arguments))
            else:
                effects.append(self._kept(struct, None, handed))
                waiting += ((base, struct.place) for base in struct.node.bases)
        return _joined(effects)

    def _initialized(self, maker: Function, member: str, arguments: Sequence[Objects]) -> _Effect:
        """What a constructor gives a member, or a base class."""
        if not any(arguments):
            return _NOTHING
        struct = self._symbols.definition(self._symbols.class_around(self._body.place))
        declared = struct.node.variables if struct is not None else ()
        field = next((each for each in declared if each.name == member), None)
        if struct is None or field is None:
            return self._made(Name(member, None, None, maker.start, maker.start), arguments, self._body.place)
        if field.type.reference or field.type.pointers:
            return self._kept(struct, member, frozenset().union(*arguments))
        return self._made(field.type.name, arguments, self._body.place)

    def _kept(self, struct: Declared[Struct], member: str | None, objects: Objects) -> _Effect:
        """What the methods of a class do with objects to which ``member``, or any of its members, refers."""
        names = [each.name for each in self.referents.references(struct) if member in (None, each.name)]
        if not names:
            return _NOTHING
        scope = self._symbols.scope_of(struct)
        given = dict.fromkeys(names, objects)
        bindings: list[_Binding] = []
        for method in struct.node.members.statements:
            if isinstance(method, Function):
                found = self._symbols.methods(method.name, scope)
                defined = [each for each in found if each.node.body is not None]
                is_special = method.returns is None or method.name.startswith("operator=")
                if not defined and not is_special:
                    return _Effect(objects)
                bindings += [_Binding(each.node, each.place, given, False) for each in defined]
        return _Effect(NONE, tuple(bindings))


def _is_followed(function: Lambda | Function) -> bool:
    """Whether a call of a function surely runs its body, and all of that can be read."""
    is_virtual = isinstance(function, Function) and function.flags & VIRTUAL
    return not (function.body is None or function.damaged or is_virtual)


def _taking(function: Lambda | Function, positions: Iterable[int]) -> list[FunctionParameter]:
    """The parameters that take the arguments at some positions; the last takes all that follow."""
    parameters = function.parameters
    return [parameters[min(each, len(parameters) - 1)] for each in positions] if parameters else []


def _copied(local: Local, held: Objects) -> Objects:
    """What a copy of a variable leads to: what it points to."""
    if local.is_reference or local.type is None or not points(local.type):
        return NONE
    return held if local.type.pointers else held - {local}


_STEPS: dict[int, Callable[[_OverwriteWalk, int], _Effect]] = {
    ops.WRITE: _OverwriteWalk._written,
    ops.UPDATE: _OverwriteWalk._written,
    ops.BINARY: _OverwriteWalk._operated,
    ops.UNSEEN: _OverwriteWalk._unseen,
    ops.LAMBDA: _OverwriteWalk._closed_over,
    ops.CALL: _OverwriteWalk._called,
    ops.DECL: _OverwriteWalk._made_for_variable,
    ops.CONSTRUCT: _OverwriteWalk._made_by_itself,
    ops.NEW: _OverwriteWalk._made_by_itself,
}
