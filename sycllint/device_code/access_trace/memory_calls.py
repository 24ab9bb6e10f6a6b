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
from sycllint.symbols.templates import template_parameter
from sycllint.values.objects import Element, Point

_FENCES = {"local_space": Fence.LOCAL, "global_space": Fence.GLOBAL}
_NEAR = frozenset({"sub_group", "work_item"})
"""Memory scopes that are less than a work-group."""
_SCOPE = 2
"""Position of the scope among the template arguments of ``atomic_ref``, and the arguments of ``fetch_add``."""
_WORDS = frozenset({*_FENCES, *_NEAR, "work_group", "device", "system"})
_MAX_STEPS = 4
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
        """The last word of what an argument names, through constants of the program and arguments of templates."""
        place = self._interpreter.function
        body = getattr(place.node, "body", None)
        found: tuple[Expr, Place] | None = argument, Place(body, place) if body is not None else place
        for _ in range(_MAX_STEPS):
            if found is None or not isinstance(found[0], Name) or _word(found[0]) in _WORDS:
                break
            found = self._named(found[0], found[1])
        return _word(found[0]) if found is not None and isinstance(found[0], Name) else ""

    def _named(self, name: Name, place: Place) -> tuple[Expr, Place] | None:
        """What a constant is initialised with, or what is given for the parameter of a template."""
        evaluator, point = self._evaluator, Point(place, name.start)
        bound = template_parameter(name.text, place)
        if bound is not None:
            owner, index = bound
            frame = evaluator.frames.binding(owner, evaluator.frame)
            given = evaluator.template_arguments.of(owner, index, frame) if frame is not None else None
            if isinstance(given, Element):
                return given.expression, given.point.place
            default = owner.template_parameters[index].default
            return (default, place) if frame is not None and given is None and default is not None else None
        local = evaluator.declarations.variable(name.text, point)
        declared = evaluator.symbols.variables(name, place).declared if local is None else ()
        found: tuple[Node, Place] | None = (local[0], local[1].place) if local is not None else None
        if len(declared) == 1:
            found = declared[0].node, declared[0].place
        around = name.around if found is None else None
        of_class = evaluator.instances.of(around, point) if around is not None else None
        if of_class is not None:
            inside = Place(of_class.struct.node.members, of_class.struct.place)
            found = next(((each, inside) for each in of_class.struct.node.variables if each.name == name.last), None)
        variable = found[0] if found is not None else None
        if found is None or not isinstance(variable, Variable) or len(variable.arguments) != 1:
            return None
        return (variable.arguments[0], found[1]) if _is_constant(variable) else None

    def atomic(self, kind: Name, arguments: tuple[Expr, ...], names: Environment) -> AbstractValue:
        """``atomic_ref(s[i])``, by whatever name: what is done with it is atomic."""
        things = [self._interpreter.thing(each, names) for each in arguments]
        first = things[0] if len(things) == 1 else None
        if not isinstance(first, MemoryElement):
            for each in arguments:
                self._escapes.kept(each, names)
        templates = (self._interpreter.kind(kind).name.arguments or ())[_SCOPE : _SCOPE + 1]
        scope = next(map(self._constant, templates), "")
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

    def through(self, reference: AtomicRef, called: Member, arguments: tuple[Expr, ...]) -> None:
        """A member function of an ``atomic_ref``; behind the operand and the order it may be given another scope."""
        name = called.name
        mode = AccessMode.STORE if name in ("store", "exchange") else AccessMode.ATOMIC
        if reference.element is not None:
            update = name.startswith("fetch_")
            element = _referred(called.object)
            scope = self._constant(arguments[_SCOPE]) if len(arguments) > _SCOPE else reference.scope
            self._state.access(reference.element, mode, element, update=update, scope=scope)


def _word(name: Name) -> str:
    """``device`` of ``memory_scope::device`` and of ``memory_scope_device``."""
    return name.last.removeprefix("memory_scope_")


def _is_constant(variable: Variable) -> bool:
    return variable.type.constant or bool(variable.flags & (CONST | CONSTEXPR))


def _referred(made: Expr) -> Expr:
    """The element as written in ``atomic_ref(element)``."""
    return made.arguments[0] if isinstance(made, Call) and len(made.arguments) == 1 else made
