"""Calls in device code that are followed into the project: functions, methods, constructors, lambdas, macros."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

from sycllint.cpp.expression import Call, Expr, Lambda, Member, Name
from sycllint.cpp.node import Node
from sycllint.cpp.place import Place
from sycllint.cpp.statement import Block, Function, Macro
from sycllint.device_code.access_trace.abstract_values import (
    AbstractValue,
    Data,
    Deferred,
    DeviceClosure,
    Environment,
    MemoryElement,
    Object,
    Pointer,
    Slot,
    holds_group,
    lose,
)
from sycllint.device_code.access_trace.conditions import condition_of
from sycllint.device_code.access_trace.escape_analysis import EscapeAnalysis
from sycllint.device_code.access_trace.initial_values import InitialValues
from sycllint.device_code.access_trace.interpreter import Interpreter, Transfers
from sycllint.device_code.access_trace.memory_calls import MemoryCalls
from sycllint.device_code.access_trace.state import NotFollowedError
from sycllint.device_code.access_trace.terms import TERM, varies
from sycllint.device_code.access_trace.trace import FollowedCall, SyncScope
from sycllint.device_code.macro_hygiene import is_torn
from sycllint.device_code.synchronisation import Waiting
from sycllint.domains.meaning import Role, kind_of
from sycllint.facts.file import Declared
from sycllint.symbols.conversions import ArgumentKind, TypeClass
from sycllint.values.objects import Frame, Point
from sycllint.values.types import plain_type

MAX_CALLS = 10
"""How deep calls are followed."""


class FollowedCalls(Transfers):
    """Those of one walk."""

    def __init__(
        self,
        interpreter: Interpreter,
        escapes: EscapeAnalysis,
        shared: MemoryCalls,
        bindings: InitialValues,
    ) -> None:
        super().__init__(interpreter)
        self._escapes = escapes
        self._shared = shared
        self._bindings = bindings
        self._stack: list[Node] = []

    def macro(self, macro: Macro, use: Call | Name, arguments: tuple[Expr, ...], names: Environment) -> AbstractValue:
        """A macro's body, its parameters standing for the arguments as written."""
        self._state.step()
        function = self._interpreter.function
        parameters = macro.parameters or ()
        if not macro.fits(arguments) or (macro.value is None and macro.body is None):
            if macro.text:
                self.unseen(use, [self._interpreter.thing(each, names) for each in arguments], names, synchronises=True)
            return None
        # What it calls may use it again; its own text may not.
        walked = takewhile(lambda each: isinstance(each, Macro), reversed(self._stack))
        if macro in walked or len(self._stack) >= MAX_CALLS:
            raise NotFollowedError
        inner: Environment = {**names}
        for parameter, argument in macro.handed(arguments):
            inner[parameter] = Deferred(argument, names, function)
        before, macros = self._state.use, self._state.macros
        self._state.use = before or self._state.location(use)
        self._stack.append(macro)
        if isinstance(use, Call):
            self._state.macros = (*macros, (macro, use))
        try:
            if macro.value is not None and is_torn(macro, macro.value, use, None if before else self._text(use)):
                self._escapes.discard(macro.value, inner)
                return None
            if macro.value is not None:
                if (
                    parameters == ()
                    and macro.parameters is None
                    and isinstance(macro.value, Name)
                    and isinstance(use, Call)
                ):
                    renamed = Call(macro.value, use.arguments, use.start, use.end)
                    return self._interpreter.thing(renamed, inner)
                return self._interpreter.thing(macro.value, inner)
            if macro.body is not None:
                self._interpreter.block(macro.body, inner)
            return None
        finally:
            self._stack.pop()
            self._state.use, self._state.macros = before, macros

    def _text(self, use: Node) -> bytes | None:
        """The text of the file in which the function that is being walked uses something."""
        return self._facts.content_at(Place(use, self._interpreter.function))

    def function(self, node: Call, function: Name, names: Environment) -> AbstractValue:
        """A function of the project; a constructor; or one that is not visible."""
        passed = [self._interpreter.thing(each, names) for each in node.arguments]
        overloads = self._evaluator.overloads
        targets = overloads.of_name(function, tuple(map(_kind, passed)), self._interpreter.function)
        found = self._fitting(targets.found, passed)
        if len(found) == 1 and targets.sure:
            own = names.get("this")
            is_method = self._evaluator.symbols.class_of(found[0]) is not None
            made = own.value if isinstance(own, Slot) and is_method else None
            return self._enter(found[0], node, passed, names, made if isinstance(made, Object) else None)
        if len(found) > 1 and targets.sure and self._keep_to_lanes(found, passed):
            self._handed(node, passed, names)
            self._state.sync(SyncScope.SUB_GROUP, node, seen=False)
            return None
        made = self._made_by(function, node, names)
        if made is not None:
            return made
        if not targets.found and self._evaluator.types.kind(function).integer is not None and len(passed) == 1:
            return self._interpreter.number(passed[0], node.arguments[0])
        made_open = self._interpreter.is_open(plain_type(function))
        place = self._interpreter.function
        may_wait = not made_open and self._interpreter.synchronisation.call(function, node.arguments, place)
        return self.unseen(node, passed, names, synchronises=may_wait)

    def method(
        self, node: Call, name: str, made: Object, passed: list[AbstractValue], names: Environment
    ) -> AbstractValue:
        """A method of a class of the project; one that is not visible may do anything to the object."""
        scope = self._evaluator.symbols.scope_of(made.struct)
        targets = self._evaluator.overloads.of_method(name, scope, tuple(map(_kind, passed)))
        found = targets.found
        if targets.sure and (len(found) == 1 or len(set(map(self._body, found))) == 1):
            return self._enter(found[0], node, passed, names, made)
        lose(made)
        may_wait = holds_group(made) or self._interpreter.synchronisation.method(
            name, None, self._interpreter.function, made.struct
        )
        return self.unseen(node, passed, names, synchronises=may_wait)

    def _body(self, declared: Declared[Function]) -> bytes | Function:
        """The text of a function's body: the same in overloads that differ in nothing but a ``const``."""
        body, content = declared.node.body, self._facts.content_at(declared.place)
        return declared.node if body is None or content is None else content[body.start : body.end]

    def _keep_to_lanes(self, found: tuple[Declared[Function], ...], passed: list[AbstractValue]) -> bool:
        """Whether functions that are handed the item synchronise at most the work-items of one sub-group."""
        handed = any(isinstance(each, Role) for each in passed)
        return handed and self._interpreter.synchronisation.who(found) is not Waiting.GROUP

    def _fitting(
        self, found: tuple[Declared[Function], ...], passed: list[AbstractValue]
    ) -> tuple[Declared[Function], ...]:
        """Those of several functions that take pointers to what the arguments lead to."""
        if len(found) < 2 or not any(isinstance(each, Pointer) for each in passed):
            return found
        return tuple(each for each in found if self._takes(each, passed)) or found

    def _takes(self, declared: Declared[Function], passed: list[AbstractValue]) -> bool:
        for parameter, thing in zip(declared.node.parameters, passed, strict=False):
            if isinstance(thing, Pointer) and parameter.type.pointers == 1:
                name = parameter.type.name
                wanted = self._given.views.element(name, Point(declared.place, name.start))
                known = thing.view or thing.memory.element
                if wanted and known and wanted != known:
                    return False
        return True

    def _made_by(self, function: Name, node: Call, names: Environment) -> AbstractValue:
        """The object that a constructor called by its class's name gives."""
        kind = self._interpreter.kind(function)
        if kind.sycl == "atomic_ref":
            return self._shared.atomic(function, node.arguments, names)
        return self._bindings.made(kind.struct, node.arguments, names) if kind.struct is not None else None

    def unseen(
        self, node: Call | Name, passed: list[AbstractValue], names: Environment, *, synchronises: bool = False
    ) -> AbstractValue:
        """A function that is not visible: its arguments escape, and with the item it may wait.

        What it gives is never known: by whatever numbers it is called, it may be the work-item's own.
        """
        if self._handed(node, passed, names) or synchronises:
            self._state.sync(SyncScope.WORK_GROUP, node, seen=False)
        return None

    def _handed(self, node: Call | Name, passed: list[AbstractValue], names: Environment) -> bool:
        """The arguments escape; whether the item or the group is among them."""
        written = node.arguments if isinstance(node, Call) else ()
        held = False
        for thing, expression in zip(passed, written, strict=False):
            held = held or thing in (Role.ITEM, Role.WORK_GROUP) or isinstance(thing, DeviceClosure)
            if isinstance(thing, MemoryElement | DeviceClosure):
                self._escapes.thing(thing)
            else:
                self._interpreter.number(thing, expression)
            self._escapes.changed(expression, names)
        return held

    def made_of(self, passed: Sequence[AbstractValue], name: str = "") -> AbstractValue:
        """A value that depends only on ``passed``: unknown when one of them is, or differs between work-items."""
        if not passed or not all(
            isinstance(each, Data) or (isinstance(each, TERM) and not varies(each)) for each in passed
        ):
            return None
        return Data() if any(isinstance(each, Data) for each in passed) else self._state.fresh(name)

    def _enter(
        self,
        declared: Declared[Function],
        node: Call,
        passed: list[AbstractValue],
        names: Environment,
        made: Object | None = None,
    ) -> AbstractValue:
        function = declared.node
        if function.body is None or function.damaged or function in self._stack or len(self._stack) >= MAX_CALLS:
            return self.unseen(node, passed, names, synchronises=True)
        inner: Environment = {}
        if made is not None:
            inner = {"this": Slot(made), **self._interpreter.objects.every(made)}
        for parameter, thing, written in zip(function.parameters, passed, node.arguments, strict=False):
            self._bindings.bind(inner, parameter, thing, written, names)
            slot = inner.get(parameter.name)
            if isinstance(slot, Slot) and slot.value is None and slot.kind is None:
                slot.kind = parameter.type if self._interpreter.is_open(parameter.type, declared.place) else None
        for parameter in function.parameters[len(passed) :]:
            value = self._interpreter.term(parameter.default, {}) if parameter.default is not None else None
            self._state.declare(inner, parameter.name, value)
        evaluator, outer = self._evaluator, self._evaluator.frame
        explicit = (node.function.arguments if isinstance(node.function, Name | Member) else None) or ()
        point = Point(self._interpreter.function, node.start)
        evaluator.frame = Frame(function, node.arguments, explicit, point, node, outer)
        calls = self._state.calls
        name = function.name.rpartition("::")[2]
        self._state.calls = (*calls, FollowedCall(name, self._state.location(node)))
        result = self._walked(function, function.body, declared.place, inner)
        self._state.calls = calls
        evaluator.frame = outer
        return result

    @property
    def gives_reference(self) -> bool:
        """Whether the function that is being walked returns what an element is, and not its value."""
        function = self._stack[-1] if self._stack else None
        returns = function.returns if isinstance(function, Function | Lambda) else None
        return returns is not None and returns.reference

    def kept(self, kept: DeviceClosure, node: Call, names: Environment) -> AbstractValue:
        """A lambda, with the names it keeps."""
        function = kept.function
        if function in self._stack or len(self._stack) >= MAX_CALLS:
            raise NotFollowedError
        passed = [self._interpreter.thing(each, names) for each in node.arguments]
        inner: Environment = dict(kept.names)
        for parameter, thing, written in zip(function.parameters, passed, node.arguments, strict=False):
            self._bindings.bind(inner, parameter, thing, written, names)
        return self._walked(function, function.body, kept.place, inner)

    def _walked(self, function: Function | Lambda, body: Block, place: Place, inner: Environment) -> AbstractValue:
        """Walk a body; what it returns, when that is plain."""
        state, interpreter = self._state, self._interpreter
        outer, returned = interpreter.function, self._interpreter.returned
        file, state.file = state.file, self._facts.file_at(place)
        use, macros = state.use, state.macros
        if not any(isinstance(each, Macro) for each in place.chain()):
            # What a macro calls stands where it is written.
            state.use, state.macros = None, ()
        guards, exits, aliases = state.guards, state.exits, interpreter.aliases
        state.exits = []
        if isinstance(function, Function):
            interpreter.aliases = {}
        self._interpreter.returned = []
        interpreter.function = place
        self._stack.append(function)
        self._interpreter.block(body, inner)
        self._stack.pop()
        results = self._interpreter.returned
        leaves = state.exits
        interpreter.function, interpreter.returned, interpreter.aliases = outer, returned, aliases
        state.file, state.use, state.macros, state.exits, state.guards = file, use, macros, exits, guards
        if len(results) == 1 and all(each.guards == guards for each in leaves):
            return results[0]
        for each in results:
            lose(each)
        added = [condition_of(each) for one in leaves for each in one.guards[len(guards) :]]
        return self.made_of((*results, *added)) if results else None


def _kind(thing: AbstractValue) -> ArgumentKind | None:
    if isinstance(thing, Role):
        return kind_of(thing)
    return ArgumentKind(TypeClass.LAMBDA) if isinstance(thing, DeviceClosure) else None
