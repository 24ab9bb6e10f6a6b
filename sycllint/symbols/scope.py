"""Scope: a namespace, class, enumeration or block that declares names; one object for all its openings in a unit."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum as Enumeration

from sycllint.record import singular


class ScopeKind(Enumeration):
    """What a scope is."""

    GLOBAL = "global namespace"
    NAMESPACE = "namespace"
    CLASS = "class"
    ENUM = "enumeration"
    BLOCK = "block"


@singular
class Scope:
    """One scope of a unit; equal only to itself."""

    kind: ScopeKind
    name: str
    """Unqualified; empty for an anonymous one, a block and the global namespace."""
    outer: Scope | None
    """The scope in which it is declared; ``None`` for the global namespace."""
    transparent: bool
    """Its names are also those of the scope around it: inline and anonymous namespaces, unscoped enumerations."""

    def outwards(self) -> Iterator[Scope]:
        """This scope and those around it, innermost first."""
        scope: Scope | None = self
        while scope is not None:
            yield scope
            scope = scope.outer

    def shown_in(self) -> Iterator[Scope]:
        """The scopes ``s`` for which ``s::name`` finds what is declared here: it, and those it is transparent in."""
        scope: Scope | None = self
        while scope is not None:
            yield scope
            scope = scope.outer if scope.transparent else None

    def is_in(self, scope: Scope) -> bool:
        """Whether it is ``scope`` or declared in it, at any depth."""
        return any(each is scope for each in self.outwards())

    @property
    def is_namespace(self) -> bool:
        """Whether it is a namespace, the global one included."""
        return self.kind is ScopeKind.NAMESPACE or self.kind is ScopeKind.GLOBAL

    @property
    def namespace(self) -> Scope:
        """The innermost namespace around it, itself if it is one."""
        scope = self
        while not scope.is_namespace:
            assert scope.outer is not None
            scope = scope.outer
        return scope

    @property
    def path(self) -> tuple[str, ...]:
        """The names of the scopes around a member of it, outermost first; those without a name are left out."""
        names = [each.name for each in self.outwards() if each.name]
        names.reverse()
        return tuple(names)
