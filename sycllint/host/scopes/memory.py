"""The memory that expressions of host code give access to: pointers, addresses, elements, members, iterators."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from sycllint.cpp.expression import Binary, Brace, Call, Cast, Expr, Index, Member, Name, Number, Type, Unary
from sycllint.cpp.spelling import spelled
from sycllint.cpp.statement import VIRTUAL
from sycllint.host.scopes.code_index import CodeIndex
from sycllint.host.scopes.kinds import element_of
from sycllint.host.scopes.receivers import Receivers
from sycllint.host.scopes.things import Kind, Ref, Thing, settled
from sycllint.host.scopes.touched import written
from sycllint.host.scopes.walk_context import WalkContext
from sycllint.host.vocabulary import ADDRESSES, BEGINNINGS
from sycllint.record import replace
from sycllint.source.span import Location
from sycllint.symbols.arity import accepts

_Declared: TypeAlias = "tuple[tuple[Location, ...], int]"
"""Where a variable, and those that it is a member of, are declared, and in which block."""
_ADDRESSED = (Kind.OBJECT, Kind.ARRAY, Kind.OTHER)
"""Variables whose address is that of their memory."""
_MAX_STEPS = 3
"""How many methods are looked through that give what another gives."""


class MemoryReferences:
    """Answers at the place where ``scope`` is."""

    def __init__(self, scope: WalkContext, receivers: Receivers, code: CodeIndex) -> None:
        self._scope = scope
        self._receivers = receivers
        self._code = code
        self._pointers: dict[_Declared, Thing] = {}

    def __call__(self, expression: Expr) -> Ref | None:
        """The memory that a pointer, an address or an iterator gives access to; ``None`` when that is not followed."""
        match expression:
            case Name(text=text):
                argument = self._scope.argument(text) if self._scope.arguments else None
                if argument is not None:
                    with self._scope.as_written_outside():
                        return self(argument)
                return self._pointed(expression)
            case Member() | Index():
                return self._pointed(expression)
            case Unary(operator="&", operand=operand):
                return self._address(operand)
            case Binary(operator="+", left=left, right=right):
                inner = self(left) if not isinstance(left, Number) else None
                if inner is None:
                    left, right = right, left
                    inner = self(left)
                return self.part(inner, right) if inner is not None else None
            case Binary(operator="-", left=left, right=right):
                inner = self(left)
                taken = Unary("-", right, right.start, right.end)
                return self.part(inner, taken) if inner is not None else None
            case Cast(type=kind, operand=operand) if kind.pointers or kind.name.last == "auto":
                inner = self(operand)
                return inner if inner is None or _is_alike(kind, inner.thing.written) else replace(inner, begins=None)
            case Call(function=Member(object=inner, name=name), arguments=()):
                found = self._scope.thing(inner) if name in ADDRESSES else None
                is_holder = found is not None and found.kind in (Kind.CONTAINER, Kind.OWNER)
                if found is not None and (is_holder or self._scope.kinds.is_list(found)):
                    return Ref(found, begins=() if name in BEGINNINGS else None)
                given = self._part(inner, name, (), expression)
                return self(given) if given is not None else None
            case Call(function=Name() as function, arguments=(only,)) if function.qualifier == "std":
                return self._by_library(function.last, only)
            case _:
                return None

    def _by_library(self, name: str, given: Expr) -> Ref | None:
        """The memory that a function of the C++ library gives access to: ``std::data(v)``."""
        if name == "addressof":
            return self._address(given)
        found = self._scope.thing(given) if name in ADDRESSES else None
        is_memory = found is not None and found.kind in (Kind.CONTAINER, Kind.ARRAY)
        return Ref(found, begins=() if name in BEGINNINGS else None) if found is not None and is_memory else None

    def within(self, inner: Expr, indices: tuple[Expr, ...]) -> Expr | None:
        """The array whose element ``inner[…]`` is at the same indices, by an operator of its class."""
        match self._part(inner, "operator[]", indices, inner):
            case Index(object=array, indices=found) if found == indices:
                return array
            case _:
                return None

    def _part(
        self, inner: Expr, name: str, arguments: tuple[Expr, ...], call: Expr, steps: int = _MAX_STEPS
    ) -> Expr | None:
        """What a method of ``inner`` gives of its object or its arguments, as it would be written here."""
        scope = self._scope
        if not scope.evaluator.overloads.is_defined(name) or not steps:
            return None
        found = self._code.classes.methods(self._receivers.type_of(inner), name)
        fitting = [each for each in found if accepts(each.node, len(arguments))]
        if any(each.node.flags & VIRTUAL or each.node.body is None for each in fitting):
            return None
        parts: list[Expr | None] = []
        for each in fitting:
            value = self._code.only_given(each.node)
            if value is None:
                return None
            members = self._code.classes.members(each)
            parts.append(written(each.node, value, inner, arguments, members, call))
        if len({spelled(each) if each is not None else "" for each in parts}) != 1:
            return None
        match parts[0]:
            case Call(function=Member(object=owner, name=method), arguments=given) as inside:
                is_visible = self._code.classes.methods(self._receivers.type_of(owner), method)
                return self._part(owner, method, given, call, steps - 1) if is_visible else inside
            case part:
                return part

    def made_by(self, call: Expr) -> Sequence[Expr] | None:
        """What the object is made from that a function gives which does nothing else, as it would be written here.

        What means nothing here is a number.
        """
        match call:
            case Call(function=Member(object=inner, name=name), arguments=arguments):
                found = self._code.classes.methods(self._receivers.type_of(inner), name)
                whole: Expr | None = inner
            case Call(function=Name() as name_, arguments=arguments):
                found = self._scope.evaluator.symbols.functions(name_, self._scope.place).declared
                whole = None
            case _:
                return None
        fitting = [each for each in found if accepts(each.node, len(arguments))]
        only = fitting[0].node if len(fitting) == 1 and not fitting[0].node.flags & VIRTUAL else None
        value = self._code.only_given(only) if only is not None else None
        if only is None or not isinstance(value, Brace):
            return None
        members = self._code.classes.members(fitting[0]) if whole is not None else frozenset[str]()
        nothing = Number("0", call.start, call.end)
        return [written(only, each, whole or nothing, arguments, members, call) or nothing for each in value.elements]

    def _pointed(self, variable: Expr) -> Ref | None:
        found = self._scope.thing(variable)
        if found is None:
            return None
        is_memory = found.kind in (Kind.POINTER, Kind.ARRAY) or self._scope.kinds.is_table(found)
        return settled(Ref(found)) if is_memory else None

    def _address(self, operand: Expr) -> Ref | None:
        match operand:
            case Name(text=text):
                argument = self._scope.argument(text) if self._scope.arguments else None
                if argument is not None:
                    with self._scope.as_written_outside():
                        return self._address(argument)
                return self._object(operand)
            case Member(object=inner, name=name):
                return self._object(operand) or self._hidden_member(inner, name)
            case _:
                return self.behind(operand)

    def given(self, argument: Expr, to: Type) -> Ref | None:
        """The memory that a parameter gives access to."""
        return (self.behind(argument) if to.reference else None) or self(argument)

    def behind(self, expression: Expr) -> Ref | None:
        """The memory of an element, or of what a pointer points to."""
        match expression:
            case Index(object=inner, indices=(index,)):
                array = self.element(inner)
                if array is None:
                    return None
                first = getattr(index, "text", "") == "0"
                return array if first else self.part(array, index)
            case Unary(operator="*", operand=pointer):
                return self(pointer)
            case _:
                return None

    def part(self, ref: Ref, offset: Expr, *, whole: bool = False) -> Ref:
        """The part of ``ref`` that begins ``offset`` elements further on."""
        return ref.at((self._scope.number(offset),), whole=whole)

    def _object(self, variable: Expr) -> Ref | None:
        found = self._scope.thing(variable)
        if found is None:
            return None
        if found.kind is Kind.POINTER:
            return Ref(self.itself(found))
        holds = found.kind is Kind.CONTAINER and self._scope.kinds.is_array(found.written)
        return self.referred(found) if found.kind in _ADDRESSED or holds else None

    def itself(self, pointer: Thing) -> Thing:
        """The memory that a pointer takes up, whatever it leads to: it stays the same when the pointer is set."""
        key = _declared(pointer)
        found = self._pointers.get(key)
        if found is None:
            found = self._pointers[key] = Thing(
                pointer.name,
                Kind.OBJECT,
                pointer.location,
                block=key[1],
                automatic=pointer.leaves,
                written=pointer.written,
            )
        return found

    def is_used_itself(self, pointer: Thing) -> Thing | None:
        """The memory that a pointer takes up, where its address was taken before."""
        return self._pointers.get(_declared(pointer)) if self._pointers else None

    @staticmethod
    def referred(thing: Thing) -> Ref:
        """The memory of a variable; of a reference, that of what it refers to."""
        if thing.target is None or thing.kind not in (Kind.OBJECT, Kind.OTHER):
            return Ref(thing)
        return thing.target.of((1,)) if thing.kind is Kind.OBJECT else thing.target

    def _hidden_member(self, inner: Expr, name: str) -> Ref | None:
        """A member, whose address is taken, of an object whose class is not visible."""
        owner = self._scope.thing(inner)
        if owner is None or owner.kind is not Kind.OTHER or owner.holds_queue:
            return None
        made = Thing(f"{owner.name}.{name}", Kind.OTHER, owner.location, block=owner.block, owner=owner)
        self._scope.state.outer[owner, name] = made
        return Ref(made)

    def element(self, inner: Expr) -> Ref | None:
        """The memory whose element ``inner[i]`` is."""
        found = self(inner)
        if found is not None:
            return found
        thing = self._scope.thing(inner)
        return Ref(thing) if thing is not None and thing.kind in (Kind.CONTAINER, Kind.OWNER) else None


def _is_alike(pointer: Type, written: Type | None) -> bool:
    """Whether a pointer counts in the elements of the memory that a variable leads to."""
    element = element_of(written)
    return element is not None and pointer.pointers == element.pointers + 1 and pointer.name.text == element.name.text


def _declared(variable: Thing) -> _Declared:
    owners = list(variable.owners())
    return tuple(each.location for each in owners), owners[-1].block
