"""What expressions of host code do to memory: read it, write it, point elsewhere."""

from __future__ import annotations

from functools import partial

from sycllint.cpp.expression import (
    Assign,
    Binary,
    Brace,
    Call,
    Cast,
    Character,
    Conditional,
    Expr,
    Increment,
    Index,
    Lambda,
    Member,
    Name,
    New,
    Number,
    Opaque,
    SizeOf,
    Text,
    Type,
    Unary,
)
from sycllint.cpp.macro_arguments import is_braced
from sycllint.cpp.node import Node, children
from sycllint.cpp.statement import Variable
from sycllint.host.in_flight.blocking import blocking
from sycllint.host.in_flight.bodies import CalleeWalker
from sycllint.host.in_flight.calls import CallWalker
from sycllint.host.in_flight.handing import Handing, is_event
from sycllint.host.in_flight.owners import Owners
from sycllint.host.in_flight.walking import Expressions, Result, Statements
from sycllint.host.in_flight.watch import Watch
from sycllint.host.records import PlaceholderOnHost, Use
from sycllint.host.scopes.kept_events import command_of
from sycllint.host.scopes.modes import Mode
from sycllint.host.scopes.own_queues import SHIFTS
from sycllint.host.scopes.scope import FunctionScope
from sycllint.host.scopes.things import Command, Kind, Lock, Ref, Thing, settled
from sycllint.host.written import names_in
from sycllint.values.objects import Point
from sycllint.values.types import as_type

MAX_STEPS = 30_000
"""Expressions looked at in one function and what it calls; more ends the walk."""

_QUIET = frozenset({Character, Number, SizeOf, Text})
"""Expressions that evaluate nothing."""
_PLAIN = frozenset({"&&", "||", "==", "!=", ","})
"""Operators that no class needs for an event, or that have a meaning of their own."""
_VALUES = (Kind.OBJECT, Kind.OTHER)
"""Variables that are read where they are named."""


class Acts(Expressions):
    """Expressions of one walk."""

    def __init__(self, scope: FunctionScope, watch: Watch, statements: Statements) -> None:
        self._scope = scope
        self._watch = watch
        self._course = statements
        self._handing = Handing(self, scope, watch)
        self.bodies = CalleeWalker(self, statements, self._handing, scope, watch)
        self.owners = Owners(scope, watch)
        self._calls = CallWalker(self, self.bodies, self._handing, self.owners, scope, watch)
        self.steps = 0

    # ------------------------------------------------------------ expression

    def evaluate(self, expression: Expr, *, alone: bool = False, bound: bool = False) -> Result:
        """What ``expression`` does. ``alone`` when it is a statement; ``bound`` when only a reference is made to it."""
        self.steps += 1
        if self.steps > MAX_STEPS:
            self._watch.waited_for_all()
            self._scope.state.over = True
        if self._scope.state.over or type(expression) in _QUIET:
            return None
        match expression:
            case Name():
                return self._name(expression, bound=bound)
            case Index(object=inner, indices=indices):
                for index in indices:
                    self.evaluate(index)
                self._element(inner, expression, Use.READ, indices)
                return self._event_in(expression)
            case Unary(operator="*", operand=operand):
                return self._dereference(operand, expression)
            case Unary(operator="&", operand=operand):
                return self._address(operand)
            case Member():
                return self._member(expression, bound=bound)
            case Assign():
                self._assign(expression)
            case Increment(operand=operand):
                self._store(operand, expression, None)
            case Call():
                result = self._calls.call(expression, alone=alone)
                if type(result) is Command:
                    self._scope.submitted[expression] = result
                else:
                    self._scope.submitted.pop(expression, None)
                if self._scope.queues.exist:
                    self._scope.queues.handed(expression, expression.arguments)
                return result
            case Binary(operator=operator) if operator not in _PLAIN:
                self._binary(expression)
            case Conditional(condition=condition, then=then, otherwise=otherwise):
                self.evaluate(condition)
                self._either(condition, then, otherwise)
            case Binary(operator="&&" | "||" as operator, left=left, right=right):
                self.evaluate(left)
                is_and = operator == "&&"
                self._either(left, right if is_and else None, None if is_and else right)
            case Cast(type=kind, operand=operand):
                is_discarded = kind.name.last == "void" and not kind.pointers
                if not kind.pointers:
                    self.made(kind, (operand,))
                return self.evaluate(operand, bound=bound or is_discarded or bool(kind.pointers))
            case Lambda():
                self._watch.escaped(self._handing.named_memory(expression))
                self._lambda(expression)
            case Opaque(kind="delete_expression", parts=parts):
                for part in parts:
                    self._handing.freed(part, expression, "delete")
            case Opaque(kind=kind) if is_braced(expression) or "await" in kind or "asm" in kind:
                # Statements that a macro is given it may make a kernel of.
                self._watch.escaped(self._handing.named_memory(expression))
                self._watch.waited_for_all()
            case New(arguments=given) | Brace(elements=given):
                return self._object(expression, given)
            case _:
                return self.inside(expression)
        return None

    def _binary(self, expression: Binary) -> None:
        left, right = expression.left, expression.right
        one, other = self.evaluate(left), self.evaluate(right)
        if self._scope.queues.exist and expression.operator in SHIFTS:
            self._scope.queues.handed(expression, (left, right))
        if self._scope.state.flights:
            self._operated(one, other)
            for value, operand in ((one, left), (other, right)):
                if type(value) is Thing and value.kind is Kind.CONTAINER:
                    # It reads the elements; ``>>`` of a stream may set them, which is no better.
                    self._watch.used(Ref(value), operand, Use.READ)

    def _lambda(self, expression: Lambda) -> None:
        """A lambda is made; what it captures by a value of its own is evaluated now."""
        for each in expression.captures:
            if each.value is not None:
                self.evaluate(each.value, bound=True)
        self.bodies.by_itself(expression)
        if self._scope.queues.exist:
            self._scope.queues.set_later(expression)

    def _object(self, expression: New | Brace, given: tuple[Expr, ...]) -> Result:
        """An object is made in an expression."""
        found = self.inside(expression)
        made = expression.type
        if made is not None:
            if self._scope.queues.exist:
                self._scope.queues.handed(expression, given)
            self.made(made if isinstance(made, Type) else as_type(made), given)
        return found

    def made(self, kind: Type | None, given: tuple[Expr, ...]) -> None:
        """An object of a type is constructed: a constructor that is not visible may wait for its arguments."""
        scope = self._scope
        if kind is not None and self.owners.exist:
            self.owners.made(kind, given)
        if kind is None or not scope.state.flights or not any(map(scope.mentions_queue, given)):
            return
        if blocking.of(scope.evaluator).may_block(kind, len(given), scope.place):
            self._watch.waited_for_all()

    def condition(self, expression: Expr) -> None:
        """A condition; an object of the project that has an event may wait for it when it is converted."""
        self.evaluate(expression)
        found = self._scope.thing(expression)
        if found is None or not found.holds_queue or found.kind not in _VALUES or found.written is None:
            return
        known = self._scope.evaluator.types.kind(found.written.name)
        if known.struct is not None:
            self._watch.waited_for_all()

    def _operated(self, *operands: Result) -> None:
        """An operator of a class is given an event: it may wait for it."""
        if any(map(is_event, operands)):
            self._watch.waited_for_all()

    def inside(self, node: Node) -> Result:
        """Everything in ``node``; what it is when that is one expression."""
        found: Result = None
        parts = children(node)
        for child in parts:
            found = self.evaluate(child)  # type: ignore[arg-type]
        return found if len(parts) == 1 else None

    def _either(self, condition: Expr, then: Expr | None, otherwise: Expr | None) -> None:
        """Expressions of which the condition, already evaluated, chooses one."""
        taken = self._course.truth(condition, condition.start)
        ways = [each for each, when in ((then, True), (otherwise, False)) if taken is None or taken is when]
        self._course.chosen(condition, [partial(self._way, each) for each in ways])

    def _way(self, expression: Expr | None) -> None:
        if expression is not None:
            self.evaluate(expression)

    def _name(self, name: Name, *, bound: bool) -> Result:
        scope = self._scope
        argument = scope.argument(name.text) if scope.arguments else None
        if argument is not None:
            with scope.as_written_outside():
                return self.evaluate(argument, bound=bound)
        found = scope.state.things.get(name.text)
        if found is None:
            if name.text in scope.facts.macros:
                return self.bodies.macro(name, name, ())
            found = scope.outside_function(name.text)
        if found is not None and found.kind in _VALUES and not bound:
            self._watch.used(Ref(found), name, Use.READ)
        elif found is not None and found.kind is Kind.POINTER:
            self._watch.escaped((found, found.memory))
            self._itself(found, name, Use.READ)
        return found

    def _itself(self, pointer: Thing, node: Node, use: Use) -> None:
        """A pointer, which may be what a command copies, is read or set."""
        itself = self._scope.memory.is_used_itself(pointer)
        if itself is not None:
            self._watch.used(Ref(itself), node, use)

    def _element(self, inner: Expr, node: Node, use: Use, indices: tuple[Expr, ...]) -> None:
        """``inner[i]`` is read or written."""
        scope = self._scope
        ref = scope.memory.element(inner)
        if ref is not None:
            if scope.state.flights and len(indices) == 1:
                ref = scope.memory.part(ref, indices[0], whole=ref.whole).of((1,))
            self._watch.used(ref, node, use)
            return
        thing = scope.thing(inner)
        given = scope.memory.within(inner, indices) if _may_have_operator(thing) else None
        if given is not None:
            self._element(given, node, use, indices)
        elif thing is not None and thing.kind is Kind.ACCESSOR:
            self.placeholder(thing, node)
        elif not isinstance(inner, Name):
            self.evaluate(inner)

    def _event_in(self, element: Index) -> Thing | None:
        """The event that an element is."""
        found = self._scope.thing(element) if self._scope.kinds.lists_events else None
        return found if found is not None and found.kind is Kind.EVENT else None

    def _dereference(self, operand: Expr, node: Node) -> Result:
        thing = self._scope.thing(operand)
        if thing is not None and thing.kind in (Kind.QUEUE, Kind.EVENT):
            return thing
        ref = self._scope.memory(operand)
        if ref is not None:
            self._watch.used(ref.of((1,)), node, Use.READ)
        self.evaluate(operand)
        return None

    def referred(self, expression: Expr) -> Result:
        """A reference is made to ``expression``: of an element, a member or what is pointed to nothing is read."""
        is_star = isinstance(expression, Unary) and expression.operator == "*"
        is_behind = is_star or isinstance(expression, Index | Member)
        return self._address(expression) if is_behind else self.evaluate(expression, bound=True)

    def _address(self, operand: Expr) -> Result:
        match operand:
            case Name():
                return self._scope.thing(operand)
            case Unary(operator="*", operand=pointer):
                return self.evaluate(pointer, bound=True)
            case Index(object=inner, indices=indices):
                if not isinstance(inner, Name):
                    self._decayed(inner)
                for index in indices:
                    self.evaluate(index)
                event = self._event_in(operand)
                if event is not None and event.owner is not None:
                    self._scope.unsettled(event.owner)
                    return Thing(event.name, Kind.EVENT, event.location)
                return self._scope.thing(operand)
            case Member(object=inner):
                self.referred(inner)
                return self._scope.thing(operand)
            case _:
                self.evaluate(operand, bound=True)
        return None

    def _decayed(self, inner: Expr) -> None:
        """An array or a pointer whose element is referred to: only the pointer is read."""
        written = self._scope.receivers.type_of(inner)
        if isinstance(inner, Member) and (written is None or written.extents):
            self._address(inner)
        else:
            self.evaluate(inner)

    def _member(self, node: Member, *, bound: bool) -> Thing | None:
        scope, inner = self._scope, node.object
        part, whole = scope.thing(node), scope.thing(inner)
        if part is not None and part.kind in _VALUES and not bound:
            self._watch.used(Ref(part), node, Use.READ)
        elif part is not None and part.kind is Kind.POINTER:
            self._watch.escaped((part, part.memory))
        if whole is not None and (whole.kind is Kind.POINTER or (part is not None and whole.kind is Kind.OBJECT)):
            # Of the object only this member is used.
            self._watch.used(Ref(whole.memory, whole=part is None), node, Use.READ)
        elif isinstance(inner, Index) and (written := scope.receivers.type_of(node)) is not None and written.extents:
            # An array, of which only the address is taken.
            self._address(inner)
        else:
            self.evaluate(inner)
        return part

    # ----------------------------------------------------------- assignments

    def _assign(self, node: Assign) -> None:
        value = self.evaluate(node.right, bound=isinstance(node.left, Name) and self._is_pointer(node.left))
        if node.operator != "=":
            self._operated(value)
        if type(value) is Thing and value.kind is Kind.CONTAINER:
            self.copied(node.right, value)
        self._store(node.left, node, node.right if node.operator == "=" else None, value)

    def copied(self, value: Expr, container: Thing) -> None:
        """A container is copied, with what is in it, unless it is the result of a call, as of ``std::move``."""
        if isinstance(value, Name | Member):
            self._watch.used(Ref(container), value, Use.READ)

    def _is_pointer(self, name: Name) -> bool:
        found = self._scope.thing(name)
        return found is not None and found.kind is Kind.POINTER

    def _store(self, target: Expr, node: Node, right: Expr | None, value: Result = None) -> None:
        """``target`` gets a new value; ``right`` when that is one expression."""
        scope = self._scope
        match target:
            case Name(text=text):
                argument = scope.argument(text)
                if argument is not None:
                    with scope.as_written_outside():
                        self._store(argument, node, right, value)
                    return
                found = scope.thing(target)
                if found is None:
                    return
                self._set(found, target, node, right, value)
            case Index(object=inner, indices=indices):
                for index in indices:
                    self.evaluate(index)
                self._element(inner, node, Use.WRITTEN, indices)
                event = self._event_in(target)
                if event is not None and event.owner is not None:
                    scope.events.set(event.owner, event, command_of(value))
                self._store_element(target, node, right)
                scope.events.kept(target, command_of(value))
            case Unary(operator="*", operand=operand):
                ref = scope.memory(operand)
                if ref is not None:
                    self._watch.used(ref.of((1,)), node, Use.WRITTEN)
                else:
                    self.evaluate(operand)
                if scope.queues.exist:
                    scope.queues.assigned(scope.thing(operand))
                scope.events.kept(target, command_of(value))
            case Member(object=inner):
                self._store_member(target, node, right, value)
                scope.events.kept(target, command_of(value))
            case _:
                self.evaluate(target)
                for each in names_in(target) if scope.queues.exist else ():
                    scope.queues.assigned(scope.state.things.get(each))

    def _store_element(self, target: Index, node: Node, right: Expr | None) -> None:
        """An element gets a new value, by which an array of pointers leads elsewhere."""
        scope = self._scope
        part = scope.thing(target)
        owner = scope.thing(target.object) if part is None else None
        if owner is not None and owner.kind is Kind.OTHER:
            # It may be any.
            scope.unsettled(owner)
        elif part is not None and part.kind is Kind.CONTAINER:
            self._watch.used(Ref(part), node, Use.WRITTEN)
        elif part is not None and part.kind is not Kind.EVENT:
            known = right if part.kind is Kind.POINTER else None
            scope.elements.set(
                part, scope.declarations.pointing(part.with_unknown_value(), known) if known is not None else None
            )

    def _store_member(self, target: Member, node: Node, right: Expr | None, value: Result) -> None:
        """A member gets a new value; one that leads somewhere leads elsewhere."""
        scope = self._scope
        part, whole = scope.thing(target), scope.thing(target.object)
        if whole is not None and whole.kind in (Kind.POINTER, Kind.OBJECT):
            ref = settled(Ref(whole))
            self._watch.used(ref if part is None else Ref(ref.thing, whole=False), node, Use.WRITTEN)
        else:
            self.evaluate(target.object)
        if part is None:
            scope.unsettled()
            return
        if part.kind is Kind.OBJECT or part.kind is Kind.CONTAINER:
            self._watch.used(Ref(part), node, Use.WRITTEN)
        scope.reset(target, part, right, command_of(value))

    def _set(self, found: Thing, name: Name, node: Node, right: Expr | None, value: Result) -> None:
        scope = self._scope
        if found.kind is Kind.OWNER or found.holds_queue:
            self._watch.object_ended(found)
        fresh = found.with_unknown_value().again(automatic=found.automatic, loops=found.loops, owner=None)
        match found.kind:
            case Kind.OBJECT | Kind.CONTAINER:
                self._watch.used(Ref(found), node, Use.WRITTEN)
                scope.unsettled(found)
            case Kind.EVENT:
                scope.rebind(name.text, fresh.again(command=command_of(value)))
                scope.events.kept(name, command_of(value))
            case Kind.POINTER:
                self._itself(found, node, Use.WRITTEN)
                scope.rebind(name.text, scope.declarations.pointing(fresh, right) if right is not None else fresh)
            case Kind.LAMBDA | Kind.QUEUE | Kind.BUFFER | Kind.OWNER | Kind.HOST_ACCESSOR | Kind.ACCESSOR:
                if found.kind is Kind.BUFFER:
                    # The buffer that it was may end here.
                    self._watch.settled(found)
                scope.queues.assigned(found)
                given = scope.thing(right) if right is not None and found.kind is Kind.QUEUE else None
                is_queue = given is not None and given.kind is Kind.QUEUE
                scope.rebind(name.text, given if given is not None and is_queue else fresh, is_itself=is_queue)
            case _:
                holds = found.holds_queue or (right is not None and scope.mentions_queue(right))
                if holds or found.kind is Kind.OTHER:
                    # An iterator or a smart pointer leads elsewhere.
                    scope.rebind(name.text, fresh.again(holds_queue=True) if holds else fresh)

    # -------------------------------------------------------------- accessors

    def host_accessor(self, made: Thing, arguments: tuple[Expr, ...], node: Variable) -> None:
        """A host accessor is declared: it waits for the buffer's commands, and locks the buffer."""
        scope = self._scope
        buffer = scope.declarations.locked_buffer(arguments[0]) or scope.thing(arguments[0])
        if buffer is None or buffer.kind is not Kind.BUFFER:
            self._watch.waited_for_all()
            return
        self._watch.settled(buffer)
        place = scope.place if scope.site is None and made.owner is None else None
        point = Point(scope.place, node.start)
        match arguments:
            case (Call(function=Member(name="get_access" | "get_host_access")) as asked,):
                mode = scope.modes.asked(asked, point)
            case _:
                mode = scope.modes.declared(node, point)
        self._watch.locked(Lock(made, buffer, mode is Mode.WRITES, place), node)

    def accessor(self, made: Thing, node: Variable) -> None:
        """An accessor is declared in host code; only one made from a buffer alone is remembered."""
        scope = self._scope
        first = node.arguments[0] if node.arguments else None
        buffer = scope.thing(first) if first is not None else None
        given = names_in(node.type.name) if node.type.name.arguments else set()
        others = [scope.thing(each) for each in node.arguments[1:]]
        handled = any(each is not None and each.kind is Kind.HANDLER for each in others)
        is_host = any("host" in each for each in given)
        known = all(
            "::" in each.text or each.text in ("read_only", "write_only", "read_write", "no_init")
            for each in node.arguments[1:]
            if isinstance(each, Name)
        )
        if buffer is None or buffer.kind is not Kind.BUFFER or handled or is_host or not known:
            scope.state.things[made.name] = made.again(kind=Kind.OTHER)

    def placeholder(self, accessor: Thing, node: Node) -> None:
        """An accessor without a handler is indexed."""
        if accessor.block and not any(isinstance(each, Lambda) for each in self._scope.place.chain()):
            location = self._scope.location(node)
            self._watch.note(PlaceholderOnHost(accessor.name, location, accessor.location))

    def traversed(self, range_: Expr, node: Node) -> None:
        """``for (x : range)`` reads every element."""
        thing = self._scope.thing(range_)
        if thing is not None and thing.kind in (Kind.CONTAINER, Kind.ARRAY):
            self._watch.used(Ref(thing), range_, Use.READ)
        elif thing is not None and thing.kind is Kind.EVENTS:
            self._scope.unsettled(thing)
        match range_:
            case (
                Call(function=Name(last="span"), arguments=(first, *_))
                | Brace(type=Name(last="span"), elements=(first, *_))
            ):
                ref = self._scope.memory(first)
                if ref is not None:
                    self._watch.used(ref, range_, Use.READ)


def _may_have_operator(thing: Thing | None) -> bool:
    """Whether a variable is an object of a class, whose elements it may give by an operator."""
    return thing is not None and thing.kind in _VALUES and thing.written is not None
