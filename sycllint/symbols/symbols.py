"""Symbols: the declarations that a name may mean where it stands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Generic

from sycllint.cpp.expression import Name
from sycllint.cpp.place import Place
from sycllint.cpp.statement import Alias, Enumerator, Function, Struct, Variable
from sycllint.facts.file import Declared
from sycllint.record import record
from sycllint.symbols.scope import Scope, ScopeKind
from sycllint.symbols.scopes import AnyDeclared, Compiled, Pool, Scopes
from sycllint.symbols.spelling import components
from sycllint.symbols.templates import template_parameter
from sycllint.symbols.unit import Kind, Unit


@record
class Meant(Generic[Kind]):
    """The declarations that a name may mean: of one scope, of those that it inherits from, or of a project."""

    declared: tuple[Declared[Kind], ...] = ()
    sure: bool = True
    """Lookup found them. Otherwise no visible scope declares the name, and these are all that the unit has."""


class Symbols:
    """Answers for one unit, each found once. What ``compiled`` denies is not declared."""

    def __init__(self, unit: Unit, compiled: Compiled) -> None:
        self.unit = unit
        self.scopes = Scopes(unit, compiled)
        self._found: dict[tuple[Pool, str, Scope], Meant[Any]] = {}
        self._nothing: Meant[Any] = Meant()

    def variables(self, name: Name, place: Place | None) -> Meant[Variable | Enumerator]:
        """The variables of namespaces and classes, and the enumerators, that ``name`` may mean at ``place``."""
        return self._meant(self.scopes.variables, name, place)

    def functions(self, name: Name, place: Place | None) -> Meant[Function]:
        """The functions that ``name`` may mean in a call at ``place``, by lookup alone."""
        return self._meant(self.scopes.functions, name, place)

    def classes(self, name: Name, place: Place | None) -> Meant[Struct]:
        """The definitions of the class that ``name`` is at ``place``, its specialisations among them."""
        found = self._meant(self.scopes.types, name, place)
        return Meant(tuple(each for each in found.declared if type(each.node) is Struct), found.sure)

    def templates(self, name: Name, place: Place | None) -> Meant[Struct]:
        """The declarations of the class template that ``name`` is at ``place``, its definition aside."""
        return self._meant(self.scopes.templates, name, place)

    def aliases(self, name: Name, place: Place | None) -> Meant[Alias]:
        """The aliases that ``name`` may be at ``place``: several where conditionals that are not decided say which."""
        if components(name.text)[-1] not in self.unit.aliases and self.scopes.at(place).is_namespace:
            return self._nothing  # no block around declares a type
        found = self._meant(self.scopes.types, name, place)
        return Meant(tuple(each for each in found.declared if type(each.node) is Alias), found.sure)

    def class_around(self, place: Place | None) -> Scope | None:
        """The class whose members may be named without a qualifier at ``place``, the innermost of several."""
        scopes = self.scopes.at(place).outwards()
        return next((each for each in scopes if each.kind is ScopeKind.CLASS), None)

    def may_hide(self, text: str, place: Place) -> bool:
        """Whether a name hides a global one: that of a member of a class or a parameter of a template around ``place``.

        A base that is not visible may have members of any name.
        """
        if template_parameter(text, place) is not None:
            return True
        pools = (self.scopes.variables, self.scopes.functions)
        return any(
            self.scopes.has_unseen_base(scope) or any(self.scopes.inside(pool, text, scope) for pool in pools)
            for scope in self.scopes.at(place).outwards()
            if scope.kind is ScopeKind.CLASS
        )

    def class_of(self, declared: AnyDeclared) -> Scope | None:
        """The class of which a declaration is a member; ``None`` for a member of a namespace."""
        home = self.scopes.home(declared)
        return home if home.kind is ScopeKind.CLASS else None

    def methods(self, name: str, scope: Scope) -> Sequence[Declared[Function]]:
        """The member functions that ``object.name`` may mean, of an object of a class."""
        return self.scopes.inside(self.scopes.functions, name, scope)

    def is_constructor(self, declared: Declared[Function]) -> bool:
        """Whether a function is a constructor of its class."""
        home = self.class_of(declared)
        return home is not None and components(declared.node.name)[-1] == home.name

    def constructors(self, struct: Declared[Struct]) -> list[Declared[Function]]:
        """The constructors of a class, wherever they are defined."""
        scope = self.scope_of(struct)
        return [each for each in self.methods(scope.name, scope) if self.is_constructor(each)]

    def definition(self, scope: Scope | None) -> Declared[Struct] | None:
        """The one definition of a class; ``None`` where there are several, or none is visible."""
        found = self.scopes.definitions(scope) if scope is not None else []
        return found[0] if len(found) == 1 else None

    def class_defining(self, function: Declared[Function]) -> Declared[Struct] | None:
        """The class whose member function it is: the one that it stands in, or the one definition of what it names."""
        around = function.place.outer.outer if function.place.outer is not None else None
        if around is not None and isinstance(around.node, Struct):
            return Declared(around.node, around)
        return self.definition(self.class_of(function)) if "::" in function.node.name else None

    def scope_of(self, struct: Declared[Struct]) -> Scope:
        """The scope that a class is."""
        return self.scopes.at(struct.place)

    # ---------------------------------------------------------------- lookup

    def _meant(self, pool: Pool, name: Name, place: Place | None) -> Meant[Any]:
        if name.scope is not None:
            return self._qualified(pool, name, components(name.text), place)
        parts = components(name.text)
        is_declared = self.scopes.named(pool, parts[-1]) or self.unit.introduced.get(parts[-1])
        if not is_declared and pool is not self.scopes.types:
            return self._nothing
        is_dependent = place is not None and place.enclosing.templates and (len(parts) > 1 or pool is self.scopes.types)
        if is_dependent and place is not None and template_parameter(parts[0], place) is not None:
            return self._nothing
        key = (pool, name.text, self.scopes.at(place))
        found = self._found.get(key)
        if found is None:
            found = self._qualified(pool, name, parts, place) if len(parts) > 1 else self._plain(pool, parts[0], place)
            self._found[key] = found
        return found

    def _plain(self, pool: Pool, last: str, place: Place | None) -> Meant[Any]:
        found = self.scopes.outwards(pool, last, place)
        return Meant(tuple(found)) if found else self._only(pool, last)

    def _only(self, pool: Pool, last: str) -> Meant[Any]:
        """The declarations of a name that no enclosing scope has, where all are of one scope.

        A header that is not visible may name that scope in a using directive, or a macro may open it.
        """
        named = self.scopes.named(pool, last)
        homes = {home for _, home in named}
        if pool is self.scopes.variables or len(homes) != 1:
            return self._nothing
        (home,) = homes
        if home.kind is ScopeKind.BLOCK or (pool is self.scopes.functions and home.kind is ScopeKind.CLASS):
            return self._nothing
        return Meant(tuple(each for each, _ in named), sure=False)

    def _qualified(self, pool: Pool, name: Name, parts: tuple[str, ...], place: Place | None) -> Meant[Any]:
        *around, last = parts
        if name.scope is not None:
            inner = Name("::".join(around), None, name.scope, name.start, name.end) if around else name.scope
            scope = self.scopes.meant(inner, place)
            return Meant(tuple(self.scopes.inside(pool, last, scope))) if scope is not None else self._nothing
        scope = self.scopes.top if around == [""] else self.scopes.resolve(tuple(around), place)
        if scope is not None:
            return Meant(tuple(self.scopes.inside(pool, last, scope)))
        wanted = tuple(each for each in around if each)
        ending = [each for each, home in self.scopes.named(pool, last) if home.path[-len(wanted) :] == wanted]
        return Meant(tuple(ending), sure=False)
