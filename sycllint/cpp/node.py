"""What all pieces of code have in common, and how they are made."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeVar, dataclass_transform


class Node:
    """A piece of code as written.

    Nodes are the hottest values of the program, one per syntax node. They are never changed once made: the type checker
    holds us to that (``frozen_default``), not the interpreter, which would make building one three times as slow.
    """

    __slots__: tuple[str, ...] = ()

    def __repr__(self) -> str:
        fields = ", ".join(f"{name}={getattr(self, name)!r}" for name in self.__slots__)
        return f"{type(self).__name__}({fields})"


Made = TypeVar("Made")


@dataclass_transform(frozen_default=True)
def node(cls: type[Made]) -> type[Made]:
    """Make a class of fields a node: positional construction, slots, identity as equality."""
    return dataclass(slots=True, eq=False, repr=False)(cls)


def children(parent: Node) -> Iterator[Node]:
    """The nodes directly inside ``parent``, in order."""
    for name in parent.__slots__:
        part = getattr(parent, name)
        if isinstance(part, Node):
            yield part
        elif isinstance(part, tuple):
            yield from _inside(part)


def _inside(parts: tuple[object, ...]) -> Iterator[Node]:
    for part in parts:
        if isinstance(part, Node):
            yield part
        elif isinstance(part, tuple):
            yield from _inside(part)


def walk(root: Node) -> Iterator[Node]:
    """``root`` and every node inside it, outer before inner."""
    stack: list[Node] = [root]
    while stack:
        current = stack.pop()
        yield current
        inside = list(children(current))
        inside.reverse()
        stack.extend(inside)
