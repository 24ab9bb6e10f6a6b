"""The nodes of a function by kind, each with the place it stands in; the text of the macros it uses is part of it."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import repeat
from typing import Generic, TypeVar

from sycllint.cpp.expression import Call, Cast, Character, Lambda, Member, Name, Number, SizeOf, Text, Unary
from sycllint.cpp.node import Node, children
from sycllint.cpp.place import Place
from sycllint.cpp.statement import (
    Arm,
    Block,
    Case,
    Function,
    If,
    Jump,
    Loop,
    Macro,
    RangeLoop,
    Struct,
    Switch,
    Try,
    Variants,
)
from sycllint.record import NamedTuple
from sycllint.values.evaluate import Evaluator
from sycllint.values.objects import Point

MAX_EXPANSION = 4
"""How deep macros are looked into."""

NodeKind = TypeVar("NodeKind", bound=Node, covariant=True)
Raw = dict[type[Node], list[tuple[Node, Place]]]

_SCOPES = frozenset({Arm, Block, Case, If, Lambda, Loop, RangeLoop, Switch, Try, Variants})
"""Nodes that what is inside has to know of."""
_LEAVES = frozenset({Text, Character, SizeOf, Struct, Function, Macro})
_UNASKED = frozenset({Block, Cast, Jump, Member, Unary})
"""Kinds that no analysis asks for: a fifth of all nodes."""


class Spot(NamedTuple, Generic[NodeKind]):
    """A node, and the innermost statement with a scope around it."""

    node: NodeKind
    place: Place


class Spots:
    """What is written in one function."""

    def __init__(self, raw: Raw) -> None:
        self._raw = raw
        self._made: dict[type[Node], list[Spot[Node]]] = {}

    def of(self, kind: type[NodeKind]) -> list[Spot[NodeKind]]:
        """The nodes of one kind, in the order in which they are written."""
        found = self._made.get(kind)
        if found is None:
            found = self._made[kind] = [Spot(*each) for each in self._written(kind)]
        return found  # type: ignore[return-value]

    def nodes(self, kind: type[NodeKind]) -> list[NodeKind]:
        """The same without their places."""
        return [each for each, _ in self._written(kind)]  # type: ignore[misc]

    def _written(self, kind: type[Node]) -> Iterable[tuple[Node, Place]]:
        assert kind not in _UNASKED, kind
        return self._raw.get(kind, ())


class Gatherer:
    """Reads the functions of one file."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._macros = evaluator.macros
        self._table = evaluator.facts.macros
        self._named: dict[str, bool] = {}
        """Whether some macro has that name."""
        self._steady: dict[str, Macro] = {}
        """The macros that are the same from one end of the function to the other."""
        self._flat: dict[Macro, dict[type[Node], list[Node]] | None] = {}
        """The nodes of a macro's text, where they have one place and use no other macro."""
        self._ends: tuple[Point, ...] = ()
        self._raw: Raw = {}

    def spots(self, function: Lambda | Function, place: Place) -> Spots:
        """The nodes of ``function``, which stands at ``place``."""
        self._raw = {}
        self._steady.clear()
        body = function.body
        if body is not None and not function.damaged:
            around = Place(body, place)
            self._ends = Point(around, body.start), Point(around, body.end)
            self._gather(body, around, 0)
        return Spots(self._raw)

    def _gather(self, node: Node, place: Place, depth: int) -> None:
        # The type checker does not learn from ``kind`` what ``child`` is, and a cast would be a call for each node.
        raw, named = self._raw, self._named
        for child in type(node).inside(node):
            kind = type(child)
            if kind in _LEAVES:
                continue
            if kind is Name:
                text: str = child.text  # type: ignore[attr-defined]
                if text not in named:
                    named[text] = text in self._table
                if named[text]:
                    self._expand(child, child, place, depth)  # type: ignore[arg-type]
                elif child.arguments or child.scope is not None:  # type: ignore[attr-defined]
                    self._gather(child, place, depth)
                continue
            if kind not in _UNASKED:
                if kind in raw:
                    raw[kind].append((child, place))
                else:
                    raw[kind] = [(child, place)]
                if kind is Number or (kind is Arm and self._macros.arm(child, place) is False):  # type: ignore[arg-type]
                    continue
            self._gather(child, Place(child, place) if kind in _SCOPES else place, depth)
            if kind is Call:
                function = child.function  # type: ignore[attr-defined]
                if type(function) is Name and named[function.text]:
                    self._expand(child, function, place, depth)

    def _expand(self, use: Node, name: Name, place: Place, depth: int) -> None:
        """Add the text of the macro ``name``."""
        macro = self._macro(name, place)
        if macro is None or (macro.parameters is None) is (type(use) is Call) or depth >= MAX_EXPANSION:
            return
        text: Node | None = macro.body if macro.body is not None else macro.value
        if text is None:
            return
        around = Place(macro, Place(use, place))
        flat = self._flattened(macro, text)
        if flat is not None:
            for kind, nodes in flat.items():
                self._raw.setdefault(kind, []).extend(zip(nodes, repeat(around)))
        elif type(text) in _SCOPES:
            self._gather(text, Place(text, around), depth + 1)
        else:
            self._raw.setdefault(type(text), []).append((text, around))
            self._gather(text, around, depth + 1)
            used = text.function if isinstance(text, Call) else text
            if isinstance(used, Name) and used.text in self._table:
                self._expand(text, used, around, depth + 1)

    def _macro(self, name: Name, place: Place) -> Macro | None:
        """The macro that is meant; looked up once for all its uses, when both ends of the function mean the same."""
        found = self._steady.get(name.text)
        if found is None:
            found = self._macros.macro(name, Point(place, name.start))
            if found is not None and all(self._macros.macro(name, end) is found for end in self._ends):
                self._steady[name.text] = found
        return found

    def _flattened(self, macro: Macro, text: Node) -> dict[type[Node], list[Node]] | None:
        if macro not in self._flat:
            found: dict[type[Node], list[Node]] = {type(text): [text]}
            is_use = isinstance(text, Name) and text.text in self._table
            is_flat = type(text) not in _SCOPES and not is_use and self._flatten(text, found)
            self._flat[macro] = found if is_flat else None
        return self._flat[macro]

    def _flatten(self, node: Node, found: dict[type[Node], list[Node]]) -> bool:
        """Add what is inside ``node``; ``False`` when a place, or a macro, is among it."""
        for child in children(node):
            kind = type(child)
            if kind in _SCOPES:
                return False
            if kind in _LEAVES:
                continue
            if kind is Name:
                if child.text in self._table:  # type: ignore[attr-defined]
                    return False
            elif kind not in _UNASKED:
                found.setdefault(kind, []).append(child)
            if kind is not Number and not self._flatten(child, found):
                return False
        return True
