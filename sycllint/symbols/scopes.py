"""Scopes of a unit: in which one a place stands, of which one a declaration is a member, and which one a name means.

Lookup as in C++: from the innermost scope outwards, the first with the name hides the others (unqualified); or in one
scope, its inline namespaces, its base classes, its using declarations and directives (qualified). Where a declaration
stands before or after its use does not count.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from sycllint.cpp.expression import Lambda, Name
from sycllint.cpp.node import Node
from sycllint.cpp.place import Place
from sycllint.cpp.statement import (
    Alias,
    Block,
    Enum,
    Enumerator,
    Friend,
    Function,
    Namespace,
    NamespaceAlias,
    Struct,
    UsingName,
    UsingNamespace,
)
from sycllint.facts.file import Declared
from sycllint.record import NamedTuple, singular
from sycllint.symbols.scope import Scope, ScopeKind
from sycllint.symbols.spelling import components
from sycllint.symbols.templates import template_parameter
from sycllint.symbols.unit import DeclarationIndex, Unit

AnyDeclared: TypeAlias = Declared[Any]
Compiled: TypeAlias = Callable[[Place], bool | None]
"""Whether the code at a place is compiled; ``None`` where that is not known."""

_OPENING = frozenset({Namespace, Struct, Enum, Function})
_OF_BLOCKS = (Alias, Enum, NamespaceAlias, Struct, UsingName, UsingNamespace)
"""What a block of a function declares that lookup asks for."""


@singular
class Pool:
    """Declarations among which a name is looked for: what one kind of name may be."""

    indices: tuple[DeclarationIndex[Any], ...]
    kinds: tuple[type[Node], ...]


class _Local(NamedTuple):
    """What a block of a function declares."""

    members: tuple[AnyDeclared, ...] = ()
    introduced: tuple[Declared[UsingName], ...] = ()
    directives: tuple[Declared[UsingNamespace], ...] = ()


_NOTHING = _Local()


class Scopes:
    """Scopes and lookup for one unit. What ``compiled`` denies is not declared."""

    def __init__(self, unit: Unit, compiled: Compiled) -> None:
        self.unit = unit
        self._compiled = compiled
        self.top = Scope(ScopeKind.GLOBAL, "", None, False)
        self.variables = Pool((unit.variables, unit.enumerators), ())
        self.functions = Pool((unit.functions,), ())
        self.types = Pool((unit.structs, unit.aliases, unit.enums), (Alias, Enum))
        self.templates = Pool((unit.templates,), ())
        self._scoping = Pool((unit.spaces, unit.structs, unit.enums, unit.renamed, unit.aliases), _OF_BLOCKS)
        self._opened: dict[Node, Scope] = {}
        self._children: dict[tuple[Scope, str], Scope] = {}
        self._homes: dict[Node, Scope] = {}
        self._named: dict[tuple[Pool, str], tuple[tuple[AnyDeclared, Scope], ...]] = {}
        self._shown: dict[tuple[Pool, str], dict[Scope, list[AnyDeclared]]] = {}
        """Those of a name by the scopes that they show in."""
        self._resolved: dict[tuple[tuple[str, ...], Scope], Scope | None] = {}
        self._aliased: dict[Node, Scope | None] = {}
        self._bases: dict[Scope, tuple[Scope | None, ...]] = {}
        self._locals: dict[Scope, _Local] = {}
        self._directives: dict[Scope, list[Declared[UsingNamespace]]] | None = None
        self._nominated: dict[Scope, list[Scope]] = {}

    # ---------------------------------------------------------------- places

    def at(self, place: Place | None) -> Scope:
        """The scope in which the code at ``place`` stands: of a class or a function that is what is inside it."""
        blocks: list[Place] = []
        current = place
        opened = self._opened
        while current is not None:
            node = current.node
            kind = type(node)
            if kind is Block:
                found = opened.get(node)
                if found is not None:
                    return self._blocks(blocks, found) if blocks else found
                blocks.append(current)
            elif kind in _OPENING:
                found = opened.get(node)
                if found is None:
                    found = opened[node] = self._open(node, current)
                return self._blocks(blocks, found, is_local=kind is Function)
            elif kind is Lambda:
                return self._blocks(blocks, self.at(current.outer), is_local=True)
            current = current.outer
        return self._blocks(blocks, self.top)

    def _blocks(self, blocks: list[Place], scope: Scope, *, is_local: bool | None = None) -> Scope:
        """The scope of the innermost of ``blocks``, which stand inside one another in ``scope``."""
        for place in reversed(blocks):
            assert isinstance(place.node, Block)
            local = _local(place.node, place) if (_is_local(place) if is_local is None else is_local) else _NOTHING
            if local is not _NOTHING:
                scope = Scope(ScopeKind.BLOCK, "", scope, False)
                self._locals[scope] = local
            self._opened[place.node] = scope
        return scope

    def _open(self, node: Node, place: Place) -> Scope:
        outer = self.at(place.outer)
        match node:
            case Namespace(name="extern"):
                return outer
            case Namespace(name=name):
                return self._child(outer, ScopeKind.NAMESPACE, name, transparent=(node.inline or not name) or None)
            case Struct(name="") | Enum(name=""):
                kind = ScopeKind.CLASS if isinstance(node, Struct) else ScopeKind.ENUM
                return Scope(kind, "", outer, True)
            case Struct(name=name):
                *around, last = components(name)
                return self._child(self._around(tuple(around), place), ScopeKind.CLASS, last)
            case Enum(name=name):
                *around, last = components(name)
                scope = self._around(tuple(around), place)
                return self._child(scope, ScopeKind.ENUM, last, transparent=not node.scoped)
            case Function(name=name) if "::" in name:
                return self._around(components(name)[:-1], place)
            case _:
                return outer

    def _child(self, outer: Scope, kind: ScopeKind, name: str, *, transparent: bool | None = None) -> Scope:
        """The scope of a name in another one; ``transparent``: what a declaration of it says of that."""
        found = self._children.get((outer, name))
        if found is None:
            found = self._children[outer, name] = Scope(kind, name, outer, bool(transparent))
        elif transparent not in (None, found.transparent):
            found.transparent = not found.transparent
            self._shown.clear()
        return found

    def _around(self, qualifier: tuple[str, ...], place: Place) -> Scope:
        """The scope named by the qualifier of a declaration at ``place``: one of its own where none is visible."""
        if not qualifier:
            return self.at(place.outer)
        found = self.resolve(qualifier, place.outer)
        if found is not None:
            return found
        scope = self.top if not qualifier[0] else self.at(place.outer)
        for each in qualifier:
            scope = self._child(scope, ScopeKind.CLASS, each) if each else scope
        return scope

    def home(self, declared: AnyDeclared) -> Scope:
        """The scope of which a declaration is a member."""
        node = declared.node
        found = self._homes.get(node)
        if found is None:
            found = self._homes[node] = self._home(node, declared.place)
        return found

    def _home(self, node: Node, place: Place) -> Scope:
        if type(node) in (Namespace, Struct, Enum):
            return self.at(place).outer or self.top
        around = place.outer
        if around is not None and type(around.node) is Friend:
            return self.at(around.outer).namespace
        name = getattr(node, "name", "")
        if "::" in name and not isinstance(node, Enumerator | UsingName | UsingNamespace | NamespaceAlias):
            return self._around(components(name)[:-1], place)
        return self.at(around)

    # ---------------------------------------------------------------- lookup

    def named(self, pool: Pool, last: str) -> tuple[tuple[AnyDeclared, Scope], ...]:
        """Every declaration of an unqualified name, with the scope of which it is a member."""
        key = (pool, last)
        found = self._named.get(key)
        if found is None:
            self._named[key] = ()
            declared = (each for index in pool.indices for each in index.get(last))
            found = self._named[key] = tuple((each, self.home(each)) for each in self._openings(declared))
        return found

    def _openings(self, declared: Iterable[AnyDeclared]) -> Iterator[AnyDeclared]:
        """What is compiled of some declarations; of a namespace that is opened again and again, once."""
        opened: set[Scope] = set()
        for each in declared:
            node = each.node
            is_again = type(node) is Namespace and not node.inline and self.at(each.place) in opened
            if is_again or self._compiled(each.place) is False:
                continue
            if type(node) is Namespace:
                opened.add(self.at(each.place))
            yield each

    def inside(self, pool: Pool, last: str, scope: Scope, depth: int = 0) -> list[AnyDeclared]:
        """What ``scope::last`` may mean."""
        found = self._own(pool, last, scope, depth)
        if found or depth >= MAX_DEPTH:
            return found
        if scope.kind is ScopeKind.CLASS:
            for base in self.bases(scope):
                if base is not None and base is not scope:
                    if base.name == last:
                        found += [each for each, _ in self.named(pool, last) if self._is(each, base)]
                    found += self.inside(pool, last, base, depth + 1)
        elif scope.is_namespace:
            for each in self._opened_to(scope):
                found += self._own(pool, last, each, depth + 1)
        return _distinct(found)

    def _own(self, pool: Pool, last: str, scope: Scope, depth: int) -> list[AnyDeclared]:
        """What is declared in a scope, or brought into it by using declarations."""
        found = [*self._showing(pool, last).get(scope, ())]
        local = self._locals.get(scope, _NOTHING)
        found += [each for each in local.members if each.node.name == last and isinstance(each.node, pool.kinds)]
        introduced = [each for each in self.unit.introduced.get(last) if scope in self.home(each).shown_in()]
        introduced += [each for each in local.introduced if components(each.node.name)[-1] == last]
        for each in introduced if depth < MAX_DEPTH else ():
            target = self.resolve(components(each.node.name)[:-1], each.place.outer)
            if target is not None and target is not scope:
                found += self.inside(pool, last, target, depth + 1)
        return found

    def _showing(self, pool: Pool, last: str) -> Mapping[Scope, Sequence[AnyDeclared]]:
        """The declarations of an unqualified name by each scope ``s`` for which ``s::name`` finds them."""
        key = (pool, last)
        found = self._shown.get(key)
        if found is None:
            found = {}
            for each, home in self.named(pool, last):
                for scope in home.shown_in():
                    found.setdefault(scope, []).append(each)
            if found:  # nothing is found while it is being looked for
                self._shown[key] = found
        return found

    def outwards(self, pool: Pool, last: str, place: Place | None) -> list[AnyDeclared]:
        """What ``last`` may mean at ``place``, without a qualifier."""
        pending: list[tuple[Scope, Scope]] = []
        for scope in self.at(place).outwards():
            found = self._own(pool, last, scope, 0)
            if not found and scope.kind is ScopeKind.CLASS:
                found = self.inside(pool, last, scope)
            pending += [(_common(scope.namespace, each), each) for each in self._opened_to(scope)]
            for where, opened in pending:
                if where is scope:
                    found += self._own(pool, last, opened, 1)
            if found:
                return _distinct(found)
        return []

    def bases(self, scope: Scope) -> tuple[Scope | None, ...]:
        """The base classes of a class; ``None`` for one that is not visible."""
        found = self._bases.get(scope)
        if found is None:
            self._bases[scope] = ()
            bases = [(base, each.place) for each in self.definitions(scope) for base in each.node.bases]
            found = self._bases[scope] = tuple(dict.fromkeys(self.meant(base, place.outer) for base, place in bases))
        return found

    def _is(self, declared: AnyDeclared, scope: Scope) -> bool:
        return type(declared.node) is Struct and self.at(declared.place) is scope

    def definitions(self, scope: Scope) -> list[Declared[Struct]]:
        """The visible definitions of a class, its specialisations among them."""
        return [each for each, _ in self.named(self.types, scope.name) if self._is(each, scope)]

    def forwards(self, struct: Declared[Struct]) -> list[Declared[Struct]]:
        """The declarations of a class template beside its definition."""
        home = self.home(struct)
        return [each for each, around in self.named(self.templates, struct.node.name) if around is home]

    def has_unseen_base(self, scope: Scope, depth: int = 0) -> bool:
        """Whether a class inherits, at some depth, from a class that is not visible."""
        return depth >= MAX_DEPTH or any(
            base is None or (base is not scope and self.has_unseen_base(base, depth + 1)) for base in self.bases(scope)
        )

    # ---------------------------------------------------------------- scopes

    def meant(self, name: Name, place: Place | None) -> Scope | None:
        """The class, namespace or enumeration that ``name`` means at ``place``; ``None`` when it is not visible."""
        parts = components(name.text)
        if name.scope is None:
            return self.resolve(parts, place)
        around = self.meant(name.scope, place)
        return None if around is None else self._descended(around, parts)

    def resolve(self, parts: tuple[str, ...], place: Place | None) -> Scope | None:
        """The scope that a qualifier names at ``place``; ``None`` when it is not visible, or one of several."""
        if not parts:
            return None
        if place is not None and template_parameter(parts[0], place) is not None:
            return None
        start = self.at(place)
        key = (parts, start)
        if key not in self._resolved:
            self._resolved[key] = None
            first = self.top if not parts[0] else self._one(self._openable(parts[0], place))
            self._resolved[key] = None if first is None else self._descended(first, parts[1:])
        return self._resolved[key]

    def _openable(self, last: str, place: Place | None) -> Sequence[AnyDeclared]:
        """What may be the scope ``last`` at ``place``: most that are named are of headers that are not visible."""
        if self.named(self._scoping, last) or self.unit.introduced.get(last):
            return self.outwards(self._scoping, last, place)
        # Only a block declares what the unit does not know by name.
        is_in_block = any(each.kind is ScopeKind.BLOCK for each in self.at(place).outwards())
        return self.outwards(self._scoping, last, place) if is_in_block else ()

    def _descended(self, scope: Scope, parts: Sequence[str]) -> Scope | None:
        found: Scope | None = scope
        for each in parts:
            if found is None:
                return None
            if each == found.name and found.kind is ScopeKind.CLASS and not self._own(self._scoping, each, found, 0):
                continue
            found = self._one(self.inside(self._scoping, each, found))
        return found

    def _one(self, declared: Iterable[AnyDeclared]) -> Scope | None:
        found = dict.fromkeys(map(self._scope_of, declared))
        return next(iter(found)) if len(found) == 1 else None

    def _scope_of(self, declared: AnyDeclared) -> Scope | None:
        """The scope that a declaration opens or stands for."""
        match declared.node:
            case NamespaceAlias(target=target):
                return self.resolve(components(target), declared.place.outer)
            case Alias(type=kind) as alias:
                if kind.pointers or kind.extents:
                    return None
                if alias not in self._aliased:
                    self._aliased[alias] = None  # the answer for an alias that leads back to itself
                    self._aliased[alias] = self.meant(kind.name, declared.place.outer)
                return self._aliased[alias]
            case _:
                return self.at(declared.place)

    # ------------------------------------------------------ using directives

    def _opened_to(self, scope: Scope) -> list[Scope]:
        """The namespaces that the using directives in ``scope`` name, and those that these name in turn."""
        found = self._nominated.get(scope)
        if found is None:
            found = self._nominated[scope] = []
            for each in self._directives_in(scope):
                target = self.resolve(components(each.node.name), each.place.outer)
                for opened in () if target is None else (target, *self._opened_to(target)):
                    if opened is not scope and opened not in found:
                        found.append(opened)
        return found

    def _directives_in(self, scope: Scope) -> Sequence[Declared[UsingNamespace]]:
        if scope.kind is ScopeKind.BLOCK:
            return self._locals[scope].directives
        if self._directives is None:
            self._directives = {}
            for file in self.unit.files:
                for each in file.directives:
                    self._directives.setdefault(self.at(each.place.outer), []).append(each)
        return self._directives.get(scope, ())


MAX_DEPTH = 8
"""How many base classes and using declarations are looked through for one name."""


def _is_local(place: Place) -> bool:
    """Whether a block stands in a function."""
    for node in place.chain():
        if type(node) in _OPENING or type(node) is Lambda:
            return type(node) is Function or type(node) is Lambda
    return False


def _local(block: Block, place: Place) -> _Local:
    found = [each for each in block.statements if isinstance(each, _OF_BLOCKS)]
    if not found:
        return _NOTHING
    declared: list[AnyDeclared] = [Declared(each, Place(each, place)) for each in found]
    return _Local(
        tuple(each for each in declared if isinstance(each.node, Alias | Enum | NamespaceAlias)),
        tuple(each for each in declared if isinstance(each.node, UsingName)),
        tuple(each for each in declared if isinstance(each.node, UsingNamespace)),
    )


def _common(first: Scope, second: Scope) -> Scope:
    """The innermost namespace that holds two others."""
    return next(each for each in first.outwards() if second.is_in(each))


def _distinct(found: list[AnyDeclared]) -> list[AnyDeclared]:
    return found if len(found) < 2 else list({each.node: each for each in found}.values())
