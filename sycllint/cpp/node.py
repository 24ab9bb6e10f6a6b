"""What all pieces of code have in common, and how they are made."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from operator import attrgetter, or_
from typing import Any, ClassVar, TypeVar, dataclass_transform

from sycllint.record import unique


class Node:
    """A piece of code as written.

    Nodes are the hottest values of the program, one per syntax node. They are never changed once made: the type checker
    holds us to that (``frozen_default``), not the interpreter, which would make building one three times as slow.
    """

    __slots__: tuple[str, ...] = ()
    inside: ClassVar[Callable[[Any], Sequence[Node]]]
    """The nodes directly inside one of this class."""

    def __repr__(self) -> str:
        fields = ", ".join(f"{name}={getattr(self, name)!r}" for name in self.__slots__)
        return f"{type(self).__name__}({fields})"


Made = TypeVar("Made")

_PLAIN = frozenset({"int", "str", "bool", "tuple[str, ...] | None"})
"""Annotations, as text, of fields that hold no nodes."""
_LIST = re.compile(r"tuple\[\w+, \.\.\.\]")


@dataclass_transform(frozen_default=True)
def node(cls: type[Made]) -> type[Made]:
    """Make a class of fields a node: positional construction, slots, identity as equality."""
    made = unique(cls)
    made.inside = staticmethod(_reader(made.__annotations__))  # type: ignore[attr-defined]
    return made


def children(parent: Node) -> Sequence[Node]:
    """The nodes directly inside ``parent``, in order."""
    return type(parent).inside(parent)


def _reader(annotations: dict[str, str]) -> Callable[[Any], Sequence[Node]]:
    """What reads the nodes out of a class's fields: one lookup for the shapes that most nodes have."""
    kinds = {name: kind for name, kind in annotations.items() if kind not in _PLAIN}
    names = tuple(kinds)
    lists = [_LIST.fullmatch(kind) is not None for kind in kinds.values()]
    single = [kind.isidentifier() for kind in kinds.values()]
    if not names:
        return lambda _: ()
    read: Callable[[Any], Any] = attrgetter(*names)
    if lists == [True]:
        return read
    if single == [True]:
        return lambda parent: (read(parent),)
    if all(single):
        return read
    if single == [True, False] and lists == [False, True]:
        one, rest = map(attrgetter, names)
        return lambda parent: (one(parent), *rest(parent))
    optional = [kind.removesuffix(" | None").isidentifier() for kind in kinds.values()]
    if len(names) > 1 and all(optional):
        return lambda parent: [each for each in read(parent) if each is not None]
    perhaps = [_LIST.fullmatch(kind.removesuffix(" | None")) is not None for kind in kinds.values()]
    if len(names) > 1 and all(map(or_, optional, perhaps)):
        nothing = (None,) * len(names)
        return lambda parent: () if (parts := read(parent)) == nothing else _flat(parts)
    return lambda parent: _gathered([getattr(parent, name) for name in names], [])


def _flat(parts: tuple[Any, ...]) -> list[Node]:
    """The nodes that are ``parts`` or in one of them."""
    found: list[Node] = []
    for part in parts:
        if type(part) is tuple:
            found += part
        elif part is not None:
            found.append(part)
    return found


def _gathered(parts: Sequence[object], found: list[Node]) -> list[Node]:
    """The nodes among ``parts``, at any depth of tuples."""
    for part in parts:
        if isinstance(part, Node):
            found.append(part)
        elif isinstance(part, tuple):
            _gathered(part, found)
    return found


def walk(root: Node) -> Iterator[Node]:
    """``root`` and every node inside it, outer before inner."""
    stack: list[Node] = [root]
    while stack:
        current = stack.pop()
        yield current
        inside = type(current).inside(current)
        if inside:
            stack += inside[::-1]


def rebuilt(root: Node, change: Callable[[Node], Node | None]) -> Any:
    """``root`` with what ``change`` gives for nodes in it, outer ones first; for ``None``, with those inside it so."""
    made = change(root)
    if made is not None:
        return made
    values: list[Any] = [getattr(root, name) for name in root.__slots__]
    changed = [_value_rebuilt(each, change) for each in values]
    is_same = all(new is old for new, old in zip(changed, values, strict=True))
    return root if is_same else type(root)(*changed)


def _value_rebuilt(value: Any, change: Callable[[Node], Node | None]) -> Any:
    """A field of a node: a node, a list of them, or neither."""
    if isinstance(value, Node):
        return rebuilt(value, change)
    if isinstance(value, tuple) and value:
        made = tuple([_value_rebuilt(each, change) for each in value])
        return value if all(new is old for new, old in zip(made, value, strict=True)) else made
    return value
