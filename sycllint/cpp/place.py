"""Where a piece of code stands: the chain of everything around it, and how to find it by offset."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sycllint.cpp.expression import Capture, Member
from sycllint.cpp.node import Node, children
from sycllint.cpp.statement import Arm, Function, Variable

_UNBOUNDED = (Member, Variable, Capture, Arm)
"""Nodes whose span does not enclose what they hold: a member and a variable have their name's, the others none."""


@dataclass(frozen=True, slots=True, eq=False)
class Place:
    """``node`` and what is around it, innermost first; the file's own block is last."""

    node: Node
    outer: Place | None

    def chain(self) -> Iterator[Node]:
        """The nodes from here outwards."""
        place: Place | None = self
        while place is not None:
            yield place.node
            place = place.outer


def descend(root: Node, start: int, end: int, kind: type[Node]) -> Place | None:
    """The innermost node of ``kind`` with exactly this span, with everything around it."""
    return _descend(Place(root, None), start, end, kind)


def _descend(place: Place, start: int, end: int, kind: type[Node]) -> Place | None:
    node = place.node
    for child in children(node):
        if not isinstance(child, _UNBOUNDED):
            last = child.extent_end if isinstance(child, Function) else getattr(child, "end", end)
            if getattr(child, "start", start) > start or last < end:
                continue
        found = _descend(Place(child, place), start, end, kind)
        if found is not None:
            return found
    if isinstance(node, kind) and getattr(node, "start", -1) == start and getattr(node, "end", -1) == end:
        return place
    return None
