"""Elements of arrays that lead to memory: of pointers, and of containers.

An element is known by the number that its index is, until another is set.
"""

from __future__ import annotations

from sycllint.cpp.expression import Expr
from sycllint.cpp.spelling import spelled as _shown
from sycllint.host.scopes.kinds import element_of
from sycllint.host.scopes.things import DYING, Key, Kind, Thing
from sycllint.host.scopes.walk_context import WalkContext
from sycllint.values.symbolic import constant

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
        known = self._key(index) if kind in _LEADING else None
        if known is None or written is None:
            return None
        found = scope.state.outer.get((owner, known))
        if found is None:
            made = Thing(
                f"{owner.name}[{_shown(index)}]",
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

    def _key(self, index: Expr) -> Key | None:
        """By what an index is known again, which is one number; ``None`` of all others."""
        value = self._scope.extents.value(self._scope.number(index))
        number = constant(value) if value is not None else None
        return value.terms if value is not None and number is None else str(number) if number is not None else None


def _is_literal(key: object) -> bool:
    return isinstance(key, tuple) and isinstance(key[1], str)
