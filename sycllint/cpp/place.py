"""The place of a piece of code: the chain of everything around it, and how to find it by offset."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias, TypeVar, cast

from sycllint.cpp.expression import Capture, Lambda, Member
from sycllint.cpp.node import Node, children
from sycllint.cpp.statement import Alias, Arm, Function, Include, Macro, Struct, Variable
from sycllint.record import field, singular, unique
from sycllint.source.span import Span

_UNBOUNDED = (Member, Variable, Capture, Arm)
"""Nodes whose span does not enclose what they hold: a member and a variable have their name's, the others none."""
REPEATED = frozenset({Include, Macro})
"""Kinds of code that may stand in several places."""
_Kind = TypeVar("_Kind", bound=Node)
Template: TypeAlias = Function | Struct | Alias | Lambda
_ENCLOSING = frozenset({Function, Struct, Alias, Lambda, *REPEATED})


@unique
class Enclosing:
    """What stands around a place, as far as the meaning of the names there depends on it."""

    templates: tuple[Template, ...]
    """Those with parameters, innermost first."""
    is_repeated: bool
    """It is the text of a macro or of an included file, which may stand in several places."""


@singular
class Place:
    """``node`` and what is around it, innermost first; the file's own block is last."""

    node: Node
    outer: Place | None
    enclosing: Enclosing = field(init=False, repr=False)
    """What is around, this place included."""

    def __init__(self, node: Node, outer: Place | None) -> None:
        self.node = node
        self.outer = outer
        around = _NOTHING if outer is None else outer.enclosing
        self.enclosing = self._with_own(around) if type(node) in _ENCLOSING else around

    def _with_own(self, around: Enclosing) -> Enclosing:
        node = self.node
        if type(node) in REPEATED:
            return Enclosing(around.templates, True)
        template = cast("Template", node)
        if not template.template_parameters:
            return around
        return Enclosing((template, *around.templates), around.is_repeated)

    @property
    def occurrence(self) -> tuple[Node, Place | None]:
        """What identifies the code here: its node, with what is around that where it may stand in several places."""
        return self.node, self.outer if self.enclosing.is_repeated else None

    def chain(self) -> Iterator[Node]:
        """The nodes from here outwards."""
        place: Place | None = self
        while place is not None:
            yield place.node
            place = place.outer

    def around(self, kind: type[Node]) -> Place | None:
        """The place of the first node of a kind from here outwards."""
        place: Place | None = self
        while place is not None:
            if type(place.node) is kind:
                return place
            place = place.outer
        return None

    def innermost(self, kind: type[_Kind]) -> _Kind | None:
        """The first node of a kind from here outwards."""
        found = self.around(kind)
        return None if found is None else cast("_Kind", found.node)

    def within(self, node: Node | None = None) -> Iterator[Place]:
        """The places from here outwards, as far as that of ``node``, which is left out."""
        place: Place | None = self
        while place is not None and place.node is not node:
            yield place
            place = place.outer


_NOTHING = Enclosing((), False)


def put_on(place: Place, use: Place) -> Place:
    """``place``, inside a macro, with what is around ``use`` around it: its names are then those of that place."""
    nodes: list[Node] = []
    for node in place.chain():
        nodes.append(node)
        if isinstance(node, Macro):
            break
    for node in reversed(nodes):
        use = Place(node, use)
    return use


def used_at(place: Place) -> Place:
    """The use of the outermost macro around ``place``; ``place`` itself outside macros."""
    found = place
    if not place.enclosing.is_repeated:
        return found
    for each in place.within():
        if isinstance(each.node, Macro) and each.outer is not None:
            found = each.outer
    return found


def macros_around(place: Place, end: Node | None = None) -> Iterator[Place]:
    """The macros in whose text the code at ``place`` is written, innermost first: not those that it is given to.

    Only those inside of ``end``, where that is around it.
    """
    for each in place.within(end):
        if isinstance(each.node, Include) and not each.node.path:
            return
        if isinstance(each.node, Macro):
            yield each


def span_of(node: Node) -> Span:
    """The span that ``node`` gives itself; an empty one before the file for the few nodes that have none."""
    return Span(getattr(node, "start", -1), getattr(node, "end", -1))


def descend(root: Node, start: int, end: int, kind: type[Node]) -> Place | None:
    """The innermost node of ``kind`` with exactly this span, with everything around it."""
    span = Span(start, end)
    return locate(root, (span,), kind).get(span)


def locate(root: Node, spans: Iterable[Span], kind: type[Node]) -> dict[Span, Place]:
    """For each span the innermost node of ``kind`` that covers just that, with everything around it.

    One walk finds them all, and enters only what holds one of them. Spans without such a node are left out.
    """
    ordered = sorted(set(spans))
    found: dict[Span, Place] = {}
    if ordered:
        _locate(Place(root, None), ordered, kind, found)
    return found


def around(root: Node, offsets: Iterable[int]) -> Iterator[Place]:
    """The places of all nodes that hold one of these offsets, outer before inner."""
    return inside(Place(root, None), offsets)


def inside(root: Place, offsets: Iterable[int]) -> Iterator[Place]:
    """The same from a place on."""
    ordered = [Span(each, each) for each in sorted(offsets)]
    stack = [root]
    while stack:
        place = stack.pop()
        yield place
        stack.extend(
            Place(each, place)
            for each in children(place.node)
            if isinstance(each, _UNBOUNDED) or _holds_one(each, ordered)
        )


def _locate(place: Place, spans: Sequence[Span], kind: type[Node], found: dict[Span, Place]) -> None:
    node = place.node
    for child in children(node):
        if isinstance(child, _UNBOUNDED) or _holds_one(child, spans):
            _locate(Place(child, place), spans, kind, found)
    if isinstance(node, kind):
        span = span_of(node)
        position = bisect_left(spans, span)
        if position < len(spans) and spans[position] == span:
            found.setdefault(span, place)


def _holds_one(node: Node, spans: Sequence[Span]) -> bool:
    start, end = getattr(node, "start", -1), getattr(node, "end", -1)
    if type(node) is Function:
        end = node.extent_end
    position = bisect_left(spans, (start,))
    return position < len(spans) and spans[position].start < end
