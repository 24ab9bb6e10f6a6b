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
    """As written, without template arguments: ``float``, ``ns::Tile``."""
    naming: Naming | None = None
    """What a compiler may call that type, where the source says it whole."""


@record
class Naming:
    """What a compiler may call a kernel, in one way to reach its launch."""

    written: tuple[str, ...]
    """The name type or function object, qualified as written; empty for a lambda without a name."""
    scope: tuple[str, ...]
    """The namespaces and classes around the place where that is written; of a lambda, around its launch."""
    arguments: tuple[Argument, ...] | None = None
    """Its template arguments; ``None`` where none are written, which says nothing of a class template's own."""
    is_declared: bool = False
    """``scope`` is the one in which the class is declared."""
    function: str | None = None
    """The host function around the launch, or around the name where that stands elsewhere."""
    given: tuple[Argument, ...] = ()
    """The template arguments of that function."""
    using: frozenset[str] = frozenset()
    """The namespaces of using directives, any of which may hold the name."""
