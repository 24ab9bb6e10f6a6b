"""Calls of device code that make shared memory, change it atomically, or order it."""

from __future__ import annotations

import re

from sycllint.cpp.expression import Call, Expr, Member, Name, Type
from sycllint.cpp.node import Node
from sycllint.cpp.place import Place
from sycllint.cpp.statement import CONST, CONSTEXPR, Variable
from sycllint.device_code.access_trace.abstract_values import (
    PLACES,
    AbstractValue,
    AtomicRef,
    Environment,
    MemoryElement,
    Pointer,
)
from sycllint.device_code.access_trace.escape_analysis import EscapeAnalysis
from sycllint.device_code.access_trace.interpreter import Interpreter, Transfers
from sycllint.device_code.access_trace.trace import AccessMode, Fence, MemoryObject, Space, Sync, SyncScope
from sycllint.domains.vocabulary import FENCES
from sycllint.values.objects import Point

_FENCES = {"local_space": Fence.LOCAL, "global_space": Fence.GLOBAL}
_NEAR = frozenset({"sub_group", "work_item"})
"""Memory scopes that are less than a work-group."""
_SCOPE = 2
"""Position of the scope among the template arguments of ``atomic_ref``."""
_MAX_STEPS = 3
"""How many constants lie between a barrier and its fence."""
_UPDATES = re.compile(r"add|sub|inc|dec|min|max|and|or", re.IGNORECASE)
"""Atomic functions that change what is there, and do not replace it."""


class MemoryCalls(Transfers):
    """Those of one walk."""

    def __init__(self, interpreter: Interpreter, escapes: EscapeAnalysis) -> None:
        super().__init__(interpreter)
        self._escapes = escapes
        self._made: dict[int, MemoryObject] = {}

    @property
    def made(self) -> tuple[MemoryObject, ...]:
        """Local memory that the kernel made."""
        return tuple(self._made.values())

    def fence(self, node: Call, name: str) -> None:
        """A fence does not wait; but programs often assume that a sub-group runs in lockstep across it.

        Together with atomics it may well make others wait, as anything else that has the word in its name may.
        """
        is_known = name in FENCES
        scope = SyncScope.SUB_GROUP if is_known and not self._given.has_flags else SyncScope.WORK_GROUP
        self._state.sync(scope, node, seen=False, waits=not is_known)

    def barrier(self, node: Call, scope: SyncScope) -> None:
        """``it.barrier(fence_space)``; without an argument both kinds of memory are ordered."""
        fence = _FENCES.get(self._constant(node.arguments[0]), Fence.BOTH) if node.arguments else Fence.BOTH
        self._state.sync(scope, node, fence)

    def within_scope(self, node: Call) -> None:
        """``group_barrier(group, memory_scope)``: all wait, and what they wrote is ordered within the scope."""
        if self._constant(node.arguments[1]) in _NEAR:
            self._state.events[-1] = Sync(SyncScope.WORK_GROUP, self._state.location(node), Fence.NEAR)

    def _constant(self, argument: Expr) -> str:
        """The last word of what an argument names, through constants of the program."""
        evaluator, place = self._interpreter.evaluator, self._interpreter.function
        body = getattr(place.node, "body", None)
        inside = Place(body, place) if body is not None else place
        for _ in range(_MAX_STEPS):
            if not isinstance(argument, Name) or argument.last in _FENCES or argument.last in _NEAR:
                break
            found = evaluator.declarations.variable(argument.text, Point(inside, argument.start))
            declared = evaluator.symbols.variables(argument, place).declared if found is None else ()
            variable = found[0] if found is not None else declared[0].node if len(declared) == 1 else None
            if not isinstance(variable, Variable) or len(variable.arguments) != 1 or not _is_constant(variable):
                return ""
            argument = variable.arguments[0]
        return argument.last if isinstance(argument, Name) else ""

    def atomic(self, kind: Name, arguments: tuple[Expr, ...], names: Environment) -> AbstractValue:
        """``atomic_ref(s[i])``, by whatever name: what is done with it is atomic."""
        things = [self._interpreter.thing(each, names) for each in arguments]
        first = things[0] if len(things) == 1 else None
        if not isinstance(first, MemoryElement):
            for each in arguments:
                self._escapes.kept(each, names)
        templates = (self._evaluator.types.kind(kind).name.arguments or ())[_SCOPE : _SCOPE + 1]
        scope = next((each.last.removeprefix("memory_scope_") for each in templates if isinstance(each, Name)), "")
        return AtomicRef(first if isinstance(first, MemoryElement) else None, scope)

    def atomically(self, node: Call, last: str, names: Environment) -> AbstractValue:
        """A function with ``atomic`` in its name: an atomic access to what it is handed first."""
        mode = AccessMode.STORE if "store" in last or "exch" in last.lower() else AccessMode.ATOMIC
        for position, each in enumerate(node.arguments):
            thing = self._interpreter.thing(each, names)
            if position == 0 and isinstance(thing, PLACES):
                element = MemoryElement(thing.memory, thing.indices, thing.view)
                self._state.access(
                    element, mode, each, update=_UPDATES.search(last.lower().replace("atomic", "")) is not None
                )
            else:
                self._interpreter.number(thing, each)
        return None

    def allocate(self, node: Node, kind: Expr, text: str, *, initialised: bool) -> Pointer:
        """Local memory made in the kernel: one object for each place."""
        found = self._made.get(id(node))
        if found is None:
            rank = len(kind.extents) if isinstance(kind, Type) else 0
            found = MemoryObject(text, Space.LOCAL, self._state.location(node), rank, initialised=initialised)
            found.element = self._element(kind, node)
            if isinstance(kind, Type):
                found.extents = tuple(self._given.value(each, self._interpreter.function) for each in kind.extents)
            self._made[id(node)] = found
        return Pointer(found, ())

    def _element(self, kind: Expr, node: Node) -> str:
        name = kind.name if isinstance(kind, Type) else kind
        if not isinstance(name, Name):
            return ""
        return self._given.views.element(name, Point(self._interpreter.function, getattr(node, "start", 0)))

    def through(self, reference: AtomicRef, called: Member) -> None:
        """A member function of an ``atomic_ref``."""
        name = called.name
        mode = AccessMode.STORE if name in ("store", "exchange") else AccessMode.ATOMIC
        if reference.element is not None:
            update = name.startswith("fetch_")
            element = _referred(called.object)
            self._state.access(reference.element, mode, element, update=update, scope=reference.scope)


def _is_constant(variable: Variable) -> bool:
    return variable.type.constant or bool(variable.flags & (CONST | CONSTEXPR))


def _referred(made: Expr) -> Expr:
    """The element as written in ``atomic_ref(element)``."""
    return made.arguments[0] if isinstance(made, Call) and len(made.arguments) == 1 else made
