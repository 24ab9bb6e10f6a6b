"""Objects that are made from values, or are copies of others: what their members lead to."""

from __future__ import annotations

from collections.abc import Sequence

from sycllint.cpp.expression import Brace, Call, Expr, Lambda, Name, New, Opaque, Type
from sycllint.cpp.statement import STATIC, Struct, Variable
from sycllint.facts.file import Declared
from sycllint.host.scopes.classes import field_of
from sycllint.host.scopes.declarations import HostDeclarations
from sycllint.host.scopes.kept_events import KeptEvents
from sycllint.host.scopes.member_queues import member_queues
from sycllint.host.scopes.memory import MemoryReferences
from sycllint.host.scopes.receivers import Receivers
from sycllint.host.scopes.things import Kind, Ref, Thing, settled
from sycllint.host.scopes.walk_context import WalkContext
from sycllint.record import replace
from sycllint.symbols.initialization import Initialization, initialization
from sycllint.values.types import as_type

_LEADING = (Kind.POINTER, Kind.QUEUE, Kind.EVENT)


class HostObjects:
    """Answers at the place where ``scope`` is."""

    def __init__(
        self,
        scope: WalkContext,
        receivers: Receivers,
        memory: MemoryReferences,
        declarations: HostDeclarations,
        events: KeptEvents,
    ) -> None:
        self._scope = scope
        self._receivers = receivers
        self._memory = memory
        self._declarations = declarations
        self._events = events

    def declared(self, made: Thing, variable: Variable) -> Initialization | None:
        """A variable is initialised: with values, with what its constructor is given, or as a copy.

        The constructor, where that may do more with its members than to put arguments into them.
        """
        arguments = variable.arguments
        only = arguments[0] if len(arguments) == 1 else None
        struct = self._struct(made)
        if struct is None:
            allocated = self._allocated(only)
            return self._made(made, *allocated) if allocated is not None else None
        constructed = self._constructed(only)
        source = self._scope.thing(only) if only is not None and constructed is None else None
        if constructed is not None and constructed[1] is struct:
            return self._made(made, struct, constructed[2])
        if source is not None and self._is_object(source) and self._struct(source) is struct:
            self.copied(source, made)
            return None
        given = self._memory.made_by(only) if isinstance(only, Call) and variable.style == "=" else None
        if given is not None:
            self._made(made, struct, given)
            return None
        is_made = variable.style != "=" or (isinstance(only, Brace) and only.type is None)
        return self._made(made, struct, arguments) if is_made and not variable.flags & STATIC else None

    def _allocated(self, value: Expr | None) -> tuple[Declared[Struct], Sequence[Expr]] | None:
        """The class of which an object is made in memory of the heap, and what it is made from."""
        match value:
            case New(type=written, arguments=given):
                held: Type | None = written
            case Call(function=Name(last="make_unique" | "make_shared", arguments=(first,)), arguments=given):
                held = as_type(first)
            case _:
                return None
        struct = self._receivers.constructed(held.name) if held is not None and not held.pointers else None
        return (struct, given) if struct is not None else None

    def of(self, value: Expr) -> Thing | None:
        """The object that an expression is: a variable, or a temporary one that is made there."""
        constructed = self._constructed(value)
        if constructed is None:
            found = self._scope.thing(value)
            return found if found is not None and self._is_object(found) else None
        kind, struct, given = constructed
        written = Type(kind, 0, False, False, (), kind.start, kind.end)
        location = self._scope.location(value)
        made = Thing(kind.last, Kind.OBJECT, location, type_name=kind.last, written=written)
        self._made(made, struct, given)
        return made

    def _constructed(self, value: Expr | None) -> tuple[Name, Declared[Struct], Sequence[Expr]] | None:
        """The class of which an expression makes an object, and what it is made from."""
        match value:
            case Call(function=Name() as kind, arguments=given) | Brace(type=Name() as kind, elements=given):
                struct = self._receivers.constructed(kind)
                return (kind, struct, given) if struct is not None else None
            case _:
                return None

    def handed(self, source: Thing, parameter: Thing) -> Thing:
        """A parameter that is a copy of an object; its type may be that of a template."""
        if self._struct(parameter) is None:
            parameter = parameter.again(kind=source.kind, written=source.written)
        self.copied(source, parameter)
        return parameter

    def copied(self, source: Thing, to: Thing) -> None:
        """``to`` is a copy of an object: its members lead where those of the other do."""
        struct = self._struct(source)
        for field in struct.node.variables if struct is not None else ():
            kind = self._scope.kind(field.type)
            is_known = kind in _LEADING or (source, field.name) in self._scope.state.outer
            part = self._scope.member_of(source, field.name) if is_known and not field.flags & STATIC else None
            if part is not None and struct is not None:
                self._set(to, struct, field, part, None)

    def _is_object(self, thing: Thing) -> bool:
        return thing.kind in (Kind.OBJECT, Kind.OTHER) and self._struct(thing) is not None

    def _struct(self, thing: Thing) -> Declared[Struct] | None:
        written = thing.written
        if written is None or written.pointers or written.extents:
            return None
        return self._scope.evaluator.types.kind(written.name).struct

    def initialised(self, owner: Thing, struct: Declared[Struct], field: Variable, values: tuple[Expr, ...]) -> None:
        """The constructor of an object gives a member its value."""
        scope, only = self._scope, values[0] if len(values) == 1 else None
        given = scope.thing(only) if only is not None else None
        if scope.kind(field.type) is not Kind.QUEUE:
            if only is not None and not field.flags & STATIC:
                self._set(owner, struct, field, given, only)
        elif not field.flags & STATIC and member_queues.of(scope.evaluator).is_kept(struct, field):
            part = scope.member_of(owner, field.name)
            variable = replace(field, arguments=values, style="(")
            if part is not None:
                made = self._declarations.queue(part.with_unknown_value(), variable, given)
                scope.state.outer[owner, field.name] = made

    @staticmethod
    def lock(owner: Thing, field: Variable) -> Thing:
        """A host accessor that is a member: it ends with its object."""
        return Thing(
            f"{owner.name}.{field.name}",
            Kind.HOST_ACCESSOR,
            owner.location,
            block=owner.block,
            written=field.type,
            owner=owner,
        )

    def _made(self, made: Thing, struct: Declared[Struct], arguments: Sequence[Expr]) -> Initialization | None:
        """An object is made from values, or by a constructor that puts some of its arguments into members."""
        how = initialization(self._scope.evaluator.symbols, struct, arguments)
        if how is None or any(isinstance(each, Opaque) for each in how.arguments):
            return None
        constructor = how.constructor.node if how.constructor is not None else None
        changed = self._scope.names.assigned(constructor) if constructor is not None else frozenset()
        for name, value in how.kept.items():
            field = field_of(struct.node, name)
            if field is not None and name not in changed:
                self._set(made, struct, field, self._scope.thing(value), value)
        for field in struct.node.variables if constructor is None else ():
            if field.name not in how.kept and self._scope.kind(field.type) is Kind.QUEUE:
                self.initialised(made, struct, field, field.arguments)
        return how if constructor is not None and constructor.body is not None else None

    def _set(
        self, owner: Thing, struct: Declared[Struct], field: Variable, given: Thing | None, value: Expr | None
    ) -> None:
        """A member of a new object is made from ``value``, or is a copy of the member ``given`` of another."""
        scope, key = self._scope, (owner, field.name)
        kind = scope.kind(field.type)
        if given is not None and given.kind is Kind.QUEUE:
            if member_queues.of(scope.evaluator).is_kept(struct, field):
                scope.state.outer[key] = given
            return
        if given is not None and (field.type.reference or given.kind is Kind.LAMBDA):
            scope.state.outer[key] = given
            return
        part = scope.member_of(owner, field.name)
        if part is None:
            return
        fresh = part.with_unknown_value()
        if isinstance(value, Lambda):
            scope.state.outer[key] = self._declarations.holding(fresh, value)
        elif kind is Kind.EVENT and given is not None:
            scope.state.outer[key] = fresh.again(command=given.command)
        elif kind is Kind.EVENTS:
            commands = (
                self._events.given((value,))
                if value is not None
                else self._events.listed(given)
                if given is not None
                else None
            )
            scope.state.outer[key] = fresh
            if commands is not None:
                self._events.has(fresh, commands)
        elif kind is Kind.POINTER and value is not None:
            scope.state.outer[key] = self._declarations.pointing(fresh, value).again(owner=owner)
        elif kind is Kind.POINTER and given is not None:
            scope.state.outer[key] = fresh.again(target=settled(Ref(given)))
        elif kind in (Kind.OBJECT, Kind.OTHER):
            source = self.of(value) if value is not None else given
            if source is not None:
                self.copied(source, part)
