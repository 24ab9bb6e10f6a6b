"""The classes that host code has objects of: their members, what they inherit, and which methods may be others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from sycllint.cpp.expression import Name, Type
from sycllint.cpp.place import Place
from sycllint.cpp.statement import VIRTUAL, Function, Struct, Variable
from sycllint.facts.file import Declared
from sycllint.host.vocabulary import CLASSES, HARMLESS, HOLDERS, LISTS
from sycllint.memoized import memoized
from sycllint.symbols.scope import Scope, ScopeKind
from sycllint.symbols.spelling import components
from sycllint.values.evaluate import Evaluator
from sycllint.values.types import as_type


class HostClasses:
    """Answers for one unit."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._types = evaluator.types
        self._symbols = evaluator.symbols

    def field(self, owner: Type | None, name: str) -> Variable | None:
        """The data member ``name`` of an object, or of what a pointer points to."""
        found = (self.own_field(struct.node, name) for struct in self._structs(owner))
        return next((each for each in found if each is not None), None)

    def own_field(self, struct: Struct, name: str) -> Variable | None:
        """The data member ``name`` that a class itself declares."""
        return self._fields(struct).get(name)

    @memoized
    def _fields(self, struct: Struct) -> Mapping[str, Variable]:
        # Of several, in branches of a conditional, it is the first.
        return {each.name: each for each in reversed(struct.variables)}

    @memoized
    def has_pointers(self, owner: Type | None) -> bool:
        """Whether an object, or what a pointer points to, has members that are no numbers."""
        members = (each.type for struct in self._structs(owner) for each in struct.node.variables)
        return any(each.pointers or not self._types.kind(each.name).is_number for each in members)

    def around(self, place: Place) -> Iterator[Struct]:
        """The classes around a place: those it stands in, and that of a member function defined elsewhere."""
        for scope in self._symbols.scopes.at(place).outwards():
            if scope.kind is ScopeKind.CLASS:
                found = [each.node for each in self._lineage(scope)]
                # Of several definitions it is the one around.
                inside = (node for node in place.chain() if isinstance(node, Struct))
                own = next((each for each in inside if each.name == scope.name), None)
                if own is not None and own not in found:
                    yield own
                yield from found

    def methods_around(self, place: Place, name: str) -> list[Function]:
        """The methods called ``name`` that the classes around a place declare."""
        return [each for struct in self.around(place) for each in self._methods(struct).get(name, ())]

    @memoized
    def _methods(self, struct: Struct) -> Mapping[str, list[Function]]:
        found: dict[str, list[Function]] = {}
        for each in struct.functions:
            found.setdefault(each.name, []).append(each)
        return found

    def is_around(self, declared: Declared[Function], place: Place) -> bool:
        """Whether a function is a method of a class around a place."""
        owner = self._symbols.class_of(declared)
        if owner is None:
            return False
        around = self._symbols.scopes.at(place).outwards()
        own = (each for scope in around if scope.kind is ScopeKind.CLASS for each in self._lineage(scope))
        return any(self._symbols.scope_of(each) is owner for each in own)

    def may_inherit(self, place: Place) -> bool:
        """Whether a class around a place has a base that is not visible, and so methods that are not."""
        scopes = self._symbols.scopes
        around = scopes.at(place).outwards()
        return any(scopes.has_unseen_base(each) for each in around if each.kind is ScopeKind.CLASS)

    # --------------------------------------------------------------- methods

    def methods(self, owner: Type | None, name: str) -> Sequence[Declared[Function]]:
        """What ``object.name`` may mean, of an object or of what a pointer leads to."""
        structs = self._structs(owner)
        return self._symbols.methods(name, self._symbols.scope_of(structs[0])) if structs else ()

    def members(self, method: Declared[Function]) -> frozenset[str]:
        """The names of the members and methods of the class that a method is one of, and of its bases."""
        owner = self._symbols.class_of(method)
        return self._names(owner) if owner is not None else frozenset()

    @memoized
    def _names(self, scope: Scope) -> frozenset[str]:
        names: set[str] = set()
        for struct in self._lineage(scope):
            names.update(each.name for each in struct.node.variables)
            names.update(each.name for each in struct.node.functions)
        return frozenset(names)

    def is_hidden(self, owner: Type | None, name: str) -> bool:
        """Whether the body of a method is not visible, where the object's class is not of the library."""
        if owner is None or owner.extents or owner.pointers > 1:
            return False
        known = self._types.kind(owner.name)
        if known.automatic or known.floating or known.extents is not None or known.integer is not None:
            return False
        if known.name.qualifier.partition("::")[0] in HARMLESS or known.name.last in LISTS | HOLDERS | CLASSES:
            return False
        bodies = [each for each in self.methods(owner, name) if each.node.body is not None]
        return not bodies or any(map(self.is_virtual, bodies))

    @memoized
    def is_virtual(self, declared: Declared[Function]) -> bool:
        """Whether a derived class may have a method of its own in place of this."""
        owner = self._symbols.class_of(declared)
        if owner is None:
            return False
        alike = self._symbols.methods(components(declared.node.name)[-1], owner)
        return any(each.node.flags & VIRTUAL for each in alike)

    def allocates(self, kind: Type) -> bool:
        """Whether a class, or one that it inherits from, may have an ``operator new`` of its own."""
        known = self._types.kind(kind.name)
        if known.struct is None:
            is_class = known.integer is None and not known.floating and known.name.last != "bool"
            return is_class and not kind.extents and known.name.qualifier.partition("::")[0] not in HARMLESS
        scope = self._symbols.scope_of(known.struct)
        structs = self._lineage(scope)
        scopes, definition = self._symbols.scopes, self._symbols.definition
        bases = (base for each in structs for base in scopes.bases(self._symbols.scope_of(each)))
        if not structs or any(base is None or definition(base) is None for base in bases):
            return True
        return any(each.name.startswith("operator new") for struct in structs for each in struct.node.functions)

    # --------------------------------------------------------------- lineage

    def _structs(self, owner: Type | None) -> Sequence[Declared[Struct]]:
        """The class of an object, a pointer or a smart pointer, with its base classes."""
        return self._leading_to(owner.name, owner.pointers) if owner is not None and not owner.extents else ()

    @memoized
    def _leading_to(self, name: Name, pointers: int) -> Sequence[Declared[Struct]]:
        known = self._types.kind(name)
        if known.extents is not None:
            pointers += known.extents.pointers
            known = self._types.kind(known.extents.name)
        if pointers > 1 or (known.extents is not None):
            return ()
        if known.name.last in HOLDERS and known.name.arguments and not pointers:
            held = as_type(known.name.arguments[0])
            if held is None or held.pointers or held.extents:
                return ()
            known = self._types.kind(held.name)
        if known.struct is None:
            return ()
        scope = self._symbols.scope_of(known.struct)
        alike = self._symbols.scopes.named(self._symbols.scopes.types, scope.name)
        is_only = all(self._symbols.scope_of(each) is scope for each, _ in alike if isinstance(each.node, Struct))
        return self._lineage(scope) if is_only else ()

    @memoized
    def _lineage(self, scope: Scope) -> Sequence[Declared[Struct]]:
        """The visible definitions of a class and of its bases, direct and indirect."""
        classes = [scope]
        for each in classes:
            bases = self._symbols.scopes.bases(each)
            classes += [base for base in bases if base is not None and all(base is not one for one in classes)]
        known = (self._symbols.definition(each) for each in classes)
        return tuple(each for each in known if each is not None)


def field_of(struct: Struct, name: str) -> Variable | None:
    """The same as ``own_field``, of a class that is asked about once."""
    return next((each for each in struct.variables if each.name == name), None)
