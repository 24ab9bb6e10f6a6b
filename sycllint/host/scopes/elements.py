"""Elements of arrays that lead to memory: of pointers, and of containers.

An element is known by its index, a literal or a variable that is not changed in between, until another is set.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from sycllint.cpp.expression import Binary, Expr, Name, Number
from sycllint.cpp.statement import Function, Loop
from sycllint.host.scopes.receivers import element_of
from sycllint.host.scopes.things import DYING, Kind, Offset, Thing
from sycllint.host.scopes.walk_context import WalkContext
from sycllint.host.written import counters

_WHOLE_NUMBER = re.compile(r"([1-9]\d*|0)[uUlLzZ]*")
_MOST_DEEP = 3
_LEADING = (Kind.POINTER, Kind.CONTAINER, Kind.OWNER)
"""Elements that have memory outside the array."""


class Elements:
    """Answers at the place where ``scope`` is."""

    def __init__(self, scope: WalkContext) -> None:
        self._scope = scope

    def of(self, owner: Thing, index: Expr) -> Thing | None:
        """``owner[index]``, when that leads to memory and is known again."""
        scope = self._scope
        written = element_of(owner.written) if owner.kind is Kind.OTHER else None
        kind = scope.kind(written) if written is not None else Kind.OTHER
        known = self._known(index) if kind in _LEADING else None
        if known is None or written is None or not self._is_kept(known):
            return None
        found = scope.state.outer.get((owner, known))
        if found is None:
            made = Thing(
                f"{owner.name}[{_shown(known)}]",
                kind,
                owner.location,
                block=owner.block if kind in DYING else 0,
                automatic=owner.automatic and scope.kinds.ends_with_block(written, kind),
                constant=written.constant,
                type_name=written.name.last,
                written=written,
                owner=owner,
            )
            found = scope.remember((owner, known), made)
        return found

    def set(self, part: Thing, value: Thing | None) -> None:
        """An element points to ``value``, or to something unknown; the same for others whose index may be the same."""
        outer = self._scope.state.outer
        key = next((each for each, thing in outer.items() if thing is part), None)
        for each in [each for each in outer if isinstance(each, tuple) and each[0] is part.owner]:
            if each is key or not (_is_literal(each) and _is_literal(key)):
                del outer[each]
        if key is not None and value is not None:
            outer[key] = value
            # Commands may write it by another index.
            self._scope.state.written |= {value}

    def _known(self, index: Expr, depth: int = 0) -> Offset | None:
        """By what an index is known again, as long as its variables keep their values; ``None`` of all others."""
        match index:
            case Number(text=text) if number := _WHOLE_NUMBER.fullmatch(text):
                return number[1]
            case Name(text=text):
                found = self._scope.state.things.get(text)
                return found if found is not None and found.kind is Kind.OBJECT else None
            case Binary(operator="+" | "-" | "*" | "/" as operator, left=left, right=right) if depth < _MOST_DEEP:
                one, other = self._known(left, depth + 1), self._known(right, depth + 1)
                return (operator, one, other) if one is not None and other is not None else None
            case _:
                return None

    def _is_kept(self, offset: Offset) -> bool:
        """Whether variables keep the values of their declarations, or of one pass of the loop that counts them."""
        if isinstance(offset, str):
            return True
        around = next((each for each in self._scope.place.chain() if isinstance(each, Function)), None)
        return around is not None and self._scope.names.changed(around).isdisjoint(_names(offset))


def _is_literal(key: object) -> bool:
    return isinstance(key, tuple) and isinstance(key[1], str)


def _names(offset: Offset) -> Iterator[str]:
    match offset:
        case str():
            return
        case (_, left, right):
            yield from (*_names(left), *_names(right))
        case _:
            yield offset.name


def count(loop: Loop, things: dict[str, Thing]) -> None:
    """In another pass a counter has another value, and what it is an index of is another element."""
    things.update({name: things[name].again() for name in counters(loop) if name in things})


def _shown(offset: Offset) -> str:
    """An index as a message shows it."""
    match offset:
        case str():
            return offset
        case (operator, left, right):
            return f"{_shown(left)} {operator} {_shown(right)}"
        case _:
            return offset.name
