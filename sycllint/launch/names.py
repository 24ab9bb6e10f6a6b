"""By which names a compiler may know a kernel: its name type or function object, or the function around its lambda.

A compiler calls a kernel by its whole name, namespaces and template arguments included. What the source says of that is
kept with the launch, as far as it is known.
"""

from __future__ import annotations

from sycllint.record import record


@record
class Argument:
    """A template argument as far as the source says it: a number or a type; neither is known of most."""

    number: int | None = None
    type: str | None = None
    """As written behind aliases, without template arguments and declarators: ``float``, ``ns::Tile``."""
    namings: tuple[Naming, ...] = ()
    """What a compiler may call that type."""
    declarators: str = ""
    """What qualifies the type or makes a pointer or a reference of it, as compilers write it behind: `` const*``."""


@record
class Arguments:
    """A list of template arguments, packs spelled out."""

    listed: tuple[Argument, ...] = ()
    """The first of them: all that the source says."""
    is_whole: bool = False
    """No others follow: not out of a pack, by default, nor deduced."""


@record
class Component:
    """One of the names that a qualified name consists of."""

    name: str
    arguments: Arguments | None = None
    """``None`` where it is no template, or nothing is known of them."""


@record
class Naming:
    """What a compiler may call a kernel, in one way to reach its launch."""

    written: tuple[Component, ...]
    """The name type or function object, qualified as written; empty for a lambda without a name."""
    scope: tuple[Component, ...]
    """The namespaces and classes around the place where that is written; of a lambda, around its launch."""
    is_declared: bool = False
    """``scope`` is the one in which the class is declared."""
    function: Component | None = None
    """The host function around the launch, or around the name where that stands elsewhere."""
    using: frozenset[str] = frozenset()
    """The namespaces of using directives, any of which may hold the name."""
