"""The queues that a function makes itself, of which it is known how they run commands, until something sets them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from sycllint.cpp.expression import Assign, Binary, Brace, Call, Expr, Lambda, Member, Name, New, Unary
from sycllint.cpp.node import Node, children
from sycllint.cpp.place import Place
from sycllint.cpp.statement import VIRTUAL, Damaged, Function, Include, Struct, Variable
from sycllint.facts.file import Declared
from sycllint.host.scopes.things import QueueOrder, Thing
from sycllint.host.scopes.walk_context import WalkContext
from sycllint.host.vocabulary import (
    ALLOCATORS,
    CLASSES,
    FREE_COMMANDS,
    HARMLESS,
    OPERATIONS,
    ORDERING,
    QUIET_QUEUE_METHODS,
    RECORDING,
)
from sycllint.host.written import WrittenNames
from sycllint.memoized import memoized
from sycllint.symbols.arity import accepts
from sycllint.symbols.overloads import OUT_OF_SIGHT
from sycllint.values.evaluate import Evaluator
from sycllint.values.memory import Memo
from sycllint.values.side_effects.library import BY_VALUE, KEEPERS, METHODS_BY_VALUE, SETTERS
from sycllint.values.types import as_type

SHIFTS = frozenset({">>", "<<", "&", "|"})
"""Operators by which objects take what stands beside them: ``archive & object``."""
_LIBRARIES = HARMLESS | {"oneapi", "dpct", "syclcompat"}
"""Namespaces whose functions and classes leave a queue what it is, but for those that hand references on."""
_HANDING_ON = KEEPERS | SETTERS | {"make_unique", "make_shared", "make_from_tuple", "construct_at"}
_READING = frozenset(ALLOCATORS) | BY_VALUE | FREE_COMMANDS.keys() | {"free"}
_METHODS_READING = METHODS_BY_VALUE | OPERATIONS | ORDERING | QUIET_QUEUE_METHODS | RECORDING.keys()
_COPYING = CLASSES | {"stream", "usm_allocator", "command_graph", "sampled_image", "unsampled_image"}
"""Classes of SYCL, which have a copy of the queue they are made from."""
_Receiver: TypeAlias = "tuple[Declared[Function], int]"
"""A visible function, and the position of the parameter by which it is handed a queue."""


class OwnQueues:
    """The queues at the place where ``scope`` is.

    Where they are not ``followed``, each stays what it is, whoever is handed it.
    """

    def __init__(self, scope: WalkContext, *, followed: bool) -> None:
        self._scope = scope
        self._followed = followed
        self._setters = _setters.of(scope.evaluator)
        self.exist = False
        """One was declared: before that there is nothing to follow."""
        self.matter = False
        """Commands count as finished because two queues differ, which then has to be certain."""

    def handed(self, node: Node, given: Iterable[Expr]) -> None:
        """``node`` is given these: a queue among them that it may set is another queue from here on."""
        if not self._followed:
            return
        for position, each in enumerate(given):
            named = self._named_in(each) if type(each) is not Lambda else ()
            if named and self._setters.may_set(node, position, self._scope.place):
                for name in named:
                    self.assigned(self._scope.state.things.get(name))

    def set_later(self, function: Lambda) -> None:
        """A lambda is made: the queues that it sets may be others at any time from here on."""
        for name in self._named_in(function) if self._followed else ():
            if self._setters.may_set_in(function, name, self._scope.place):
                self.assigned(self._scope.state.things.get(name))

    def known(self) -> list[Thing]:
        """Those of the function being walked, and of the functions around its call."""
        around = [self._scope.state.things, *(names for names, *_ in self._scope.callers)]
        return [each for names in around for each in names.values() if each.own] if self.exist else []

    def assigned(self, found: Thing | None) -> None:
        """A variable is assigned, under whatever name."""
        if found is not None and found.own:
            self.forget(found)

    def forget(self, queue: Thing | None = None) -> None:
        """``queue``, or each, may be another from here on, whatever it is called."""
        fresh: dict[Thing, Thing] = {}
        scope = self._scope
        for names in (scope.state.things, *(around for around, *_ in scope.callers)):
            for name, each in names.items():
                if each.own and queue in (None, each):
                    names[name] = fresh.setdefault(each, each.again(own=False, order=QueueOrder.UNKNOWN))

    def _named_in(self, node: Node) -> list[str]:
        things = self._scope.state.things
        if type(node) is Name and node.is_plain:
            return [node.text] if node.text in things and things[node.text].own else []
        return [name for name in sorted(self._scope.names.handed(node) & things.keys()) if things[name].own]


class _QueueSetters:
    """Which code may set a queue that it is handed: all that is not seen to leave the queue what it is."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._symbols = evaluator.symbols
        self._types = evaluator.types
        self._overloads = evaluator.overloads
        self._names = WrittenNames()

    def may_set(self, node: Node, position: int, place: Place) -> bool:
        """Whether a call, an operator, or what makes an object may set what it is given at a position."""
        return self._may_any(self._receivers(node, position, place))

    def may_set_in(self, function: Lambda, name: str, place: Place) -> bool:
        """Whether a lambda at ``place`` may set a queue around it."""
        by_reference = [each.by_reference for each in function.captures if each.name == name]
        is_copied = not any(by_reference) if by_reference else function.default != "&"
        return not is_copied and self._may_any(self._handed_on(function.body, name, place))

    def _may_any(self, receivers: Iterable[_Receiver] | None) -> bool:
        """Whether one of several functions, or of those that they hand the queue on to, may; ``None`` does."""
        waiting = list(receivers or ())
        for declared, position in waiting:
            found = self._received(declared, position)
            if found is None:
                return True
            waiting += [each for each in found if each not in waiting]
        return receivers is None

    @memoized
    def _received(self, declared: Declared[Function], position: int) -> list[_Receiver] | None:
        """What a function hands a parameter on to; ``None`` where it may set what that refers or points to."""
        function = declared.node
        if position >= len(function.parameters):
            return None
        kind = function.parameters[position].type
        is_alias = self._types.kind(kind.name, declared.place).extents is not None
        if kind.constant or not (kind.reference or kind.pointers or is_alias):
            return []
        if function.body is None or function.damaged or function.flags & VIRTUAL:
            return None
        place = Place(function, declared.place)
        made = [value for _, values in function.initializers for value in values]
        if any(function.parameters[position].name in self._names.handed(each) for each in made):
            return self._kept(declared)
        return self._handed_on(function.body, function.parameters[position].name, place)

    def _kept(self, constructor: Declared[Function]) -> list[_Receiver] | None:
        """A constructor puts a queue into a member or a base: that is set by no method, or is a copy."""
        struct = self._symbols.definition(self._symbols.class_around(Place(constructor.node, constructor.place)))
        return None if struct is None or self._may_set_kept(struct.node) else []

    def _may_set_kept(self, struct: Struct) -> bool:
        """Whether a class may set what its members refer or point to."""
        fields = {each.name for each in struct.variables if each.type.reference or each.type.pointers}
        methods = [each for each in struct.functions if each.returns is not None] if fields else []
        handed = (each.body is None or not fields.isdisjoint(self._names.handed(each.body)) for each in methods)
        return bool(struct.bases) or any(handed)

    def _handed_on(self, code: Node, name: str, place: Place) -> list[_Receiver] | None:
        """The functions that code hands a queue called ``name`` on to; ``None`` where it may set the queue."""
        found: list[_Receiver] = []
        pending: list[Node] = [code]
        while pending:
            node = pending.pop()
            given: tuple[Expr, ...] = ()
            match node:
                case Damaged() | Include():
                    return None
                case Assign(left=taken) | Unary(operator="&", operand=taken) if name in self._names.handed(taken):
                    return None
                case Variable(type=kind, arguments=values) if kind.reference or kind.pointers:
                    if any(name in self._names.handed(each) for each in values):
                        return None
                case Lambda(default="=", captures=()):
                    continue
                case Call(arguments=given) | Variable(arguments=given) | New(arguments=given) | Brace(elements=given):
                    pass
                case Binary(left=left, right=right):
                    given = (left, right)
            for position, each in enumerate(given):
                if name in self._names.handed(each):
                    receivers = self._receivers(node, position, place)
                    if receivers is None:
                        return None
                    found += receivers
            pending += children(node)
        return found

    def _receivers(self, node: Node, position: int, place: Place) -> list[_Receiver] | None:
        """The visible functions that are handed what ``node`` is given; ``None`` where what sets it is not visible."""
        match node:
            case Binary(operator=operator):
                return None if operator in SHIFTS else []
            case Call(function=Member(name=name)):
                if name in _METHODS_READING:
                    return []
                found = self._overloads.of(node, place) if self._overloads.is_defined(name) else OUT_OF_SIGHT
                return [(each, position) for each in found.found] if found.found and found.sure else None
            case Call(function=Name(last="make_unique" | "make_shared", arguments=(held,)), arguments=arguments) if (
                made := as_type(held)
            ):
                return self._made(made.name, position, len(arguments), place)
            case Call(function=Name() as callee, arguments=arguments):
                declared = self._symbols.functions(callee, place).declared
                fitting = [(each, position) for each in declared if accepts(each.node, len(arguments))]
                if fitting or not self._symbols.classes(callee, place).declared:
                    is_quiet = callee.last not in _HANDING_ON if _is_of_library(callee) else callee.last in _READING
                    return fitting or ([] if is_quiet else None)
                return self._made(callee, position, len(arguments), place)
            case Variable(type=kind, arguments=arguments) | New(type=kind, arguments=arguments):
                if type(node) is Variable and (kind.pointers or kind.reference):
                    return []
                return self._made(kind.name, position, len(arguments), place)
            case Brace(type=Name() as made, elements=elements):
                return self._made(made, position, len(elements), place)
            case Brace():
                return []
            case _:
                return None

    def _made(self, name: Name, position: int, count: int, place: Place) -> list[_Receiver] | None:
        """The constructors that an object is made by."""
        made = self._types.kind(name, place)
        if made.struct is None:
            is_plain = made.automatic or made.extents is not None or made.is_number or made.sycl in _COPYING
            return [] if is_plain or (_is_of_library(made.name) and made.name.last not in _HANDING_ON) else None
        scope = self._symbols.scope_of(made.struct)
        makers = [each for each in self._symbols.methods(scope.name, scope) if accepts(each.node, count)]
        return [(each, position) for each in makers] or (None if self._may_set_kept(made.struct.node) else [])


def _is_of_library(name: Name) -> bool:
    return name.qualifier.removeprefix("::").partition("::")[0] in _LIBRARIES


_setters = Memo(_QueueSetters)
"""Those of an evaluator."""
