"""What all pieces of code have in common, and how they are made."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, TypeVar, dataclass_transform


class Node:
    """A piece of code as written.

    Nodes are the hottest values of the program, one per syntax node. They are never changed once made: the type checker
    holds us to that (``frozen_default``), not the interpreter, which would make building one three times as slow.
    """

    __slots__: tuple[str, ...] = ()
    inner_fields: ClassVar[tuple[str, ...]] = ()
    """Names of the fields that may hold nodes."""

    def __reduce__(self) -> tuple[type[Node], tuple[object, ...]]:
        """Class and fields: half as deep for the pickler as what a dataclass does by itself."""
        return type(self), tuple([getattr(self, name) for name in self.__slots__])

    def __repr__(self) -> str:
        fields = ", ".join(f"{name}={getattr(self, name)!r}" for name in self.__slots__)
        return f"{type(self).__name__}({fields})"


Made = TypeVar("Made")

_PLAIN = frozenset({"int", "str", "bool", "tuple[str, ...] | None"})
"""Annotations, as text, of fields that hold no nodes."""


@dataclass_transform(frozen_default=True)
def node(cls: type[Made]) -> type[Made]:
    """Make a class of fields a node: positional construction, slots, identity as equality."""
    made = dataclass(slots=True, eq=False, repr=False)(cls)
    fields = made.__annotations__
    made.inner_fields = tuple(name for name, kind in fields.items() if kind not in _PLAIN)  # type: ignore[attr-defined]
    return made


def children(parent: Node) -> list[Node]:
    """The nodes directly inside ``parent``, in order."""
    found: list[Node] = []
    for name in parent.inner_fields:
        part = getattr(parent, name)
        if part is None:
            continue
        if isinstance(part, tuple):
            _inside(part, found)
        else:
            found.append(part)
    return found


def _inside(parts: tuple[object, ...], found: list[Node]) -> None:
    for part in parts:
        if isinstance(part, Node):
            found.append(part)
        elif isinstance(part, tuple):
            _inside(part, found)


def walk(root: Node) -> Iterator[Node]:
    """``root`` and every node inside it, outer before inner."""
    stack: list[Node] = [root]
    while stack:
        current = stack.pop()
        yield current
        inside = children(current)
        inside.reverse()
        stack.extend(inside)
