"""HostObjects that are made from values, or are copies of others: what their members lead to."""

from __future__ import annotations

from collections.abc import Sequence

from sycllint.cpp.expression import Brace, Call, Expr, Lambda, Name, Opaque, Type
from sycllint.cpp.statement import STATIC, Struct, Variable
from sycllint.facts.file import Declared
from sycllint.host.scopes.declarations import HostDeclarations
from sycllint.host.scopes.receivers import Receivers, field_of
from sycllint.host.scopes.things import Kind, Ref, Thing, settled
from sycllint.host.scopes.walk_context import WalkContext
from sycllint.symbols.initialization import initialization

_LEADING = (Kind.POINTER, Kind.QUEUE, Kind.EVENT)


class HostObjects:
    """Answers at the place where ``scope`` is."""

    def __init__(self, scope: WalkContext, receivers: Receivers, declarations: HostDeclarations) -> None:
        self._scope = scope
        self._receivers = receivers
        self._declarations = declarations

    def declared(self, made: Thing, variable: Variable) -> None:
        """A variable is initialised: with values, with what its constructor is given, or as a copy."""
        arguments, struct = variable.arguments, self._struct(made)
        if struct is None:
            return
        only = arguments[0] if len(arguments) == 1 else None
        constructed = self._constructed(only)
        source = self._scope.thing(only) if only is not None and constructed is None else None
        if constructed is not None and constructed[1] is struct:
            self._made(made, struct, constructed[2])
        elif source is not None and self._is_object(source) and self._struct(source) is struct:
            self.copied(source, made)
        elif variable.style in ("(", "{") or (isinstance(only, Brace) and only.type is None):
            self._made(made, struct, arguments)

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
            if part is not None:
                self._set(to, field, part, None)

    def _is_object(self, thing: Thing) -> bool:
        return thing.kind in (Kind.OBJECT, Kind.OTHER) and self._struct(thing) is not None

    def _struct(self, thing: Thing) -> Declared[Struct] | None:
        written = thing.written
        if written is None or written.pointers or written.extents:
            return None
        return self._scope.evaluator.types.kind(written.name).struct

    def _made(self, made: Thing, struct: Declared[Struct], arguments: Sequence[Expr]) -> None:
        """An object is made from values, or by a constructor that puts some of its arguments into members."""
        how = initialization(self._scope.evaluator.symbols, struct, arguments)
        if how is None or any(isinstance(each, Opaque) for each in how.arguments):
            return
        constructor = how.constructor.node if how.constructor is not None else None
        changed = self._scope.names.assigned(constructor) if constructor is not None else frozenset()
        for name, value in how.kept.items():
            field = field_of(struct.node, name)
            if field is not None and name not in changed:
                self._set(made, field, self._scope.thing(value), value)

    def _set(self, owner: Thing, field: Variable, given: Thing | None, value: Expr | None) -> None:
        """A member of a new object is made from ``value``, or is a copy of the member ``given`` of another."""
        scope, key = self._scope, (owner, field.name)
        kind = scope.kind(field.type)
        if given is not None and (field.type.reference or given.kind in (Kind.QUEUE, Kind.LAMBDA)):
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
        elif kind is Kind.POINTER and value is not None:
            scope.state.outer[key] = self._declarations.pointing(fresh, value).again(owner=owner)
        elif kind is Kind.POINTER and given is not None:
            scope.state.outer[key] = fresh.again(target=settled(Ref(given)))
        elif kind in (Kind.OBJECT, Kind.OTHER):
            source = self.of(value) if value is not None else given
            if source is not None:
                self.copied(source, part)
