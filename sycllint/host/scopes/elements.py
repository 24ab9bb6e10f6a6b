"""Elements of arrays that lead to memory: of pointers, and of containers.

An element is known by its index, a literal or a variable that is not changed in between, until another is set.
"""

from __future__ import annotations

from sycllint.cpp.expression import Expr
from sycllint.host.scopes.offsets import Offsets, shown
from sycllint.host.scopes.receivers import element_of
from sycllint.host.scopes.things import DYING, Kind, Thing
from sycllint.host.scopes.walk_context import WalkContext

_LEADING = (Kind.POINTER, Kind.CONTAINER, Kind.OWNER)
"""Elements that have memory outside the array."""


class Elements:
    """Answers at the place where ``scope`` is."""

    def __init__(self, scope: WalkContext, offsets: Offsets) -> None:
        self._scope = scope
        self._offsets = offsets

    def of(self, owner: Thing, index: Expr) -> Thing | None:
        """``owner[index]``, when that leads to memory and is known again."""
        scope = self._scope
        written = element_of(owner.written) if owner.kind is Kind.OTHER else None
        kind = scope.kind(written) if written is not None else Kind.OTHER
        begins = self._offsets.begins(index) if kind in _LEADING else None
        if begins is None or written is None or not self._offsets.is_kept(begins):
            return None
        found = scope.state.outer.get((owner, begins))
        if found is None:
            made = Thing(
                f"{owner.name}[{shown(begins)}]",
                kind,
                owner.location,
                block=owner.block if kind in DYING else 0,
                automatic=owner.automatic and scope.kinds.ends_with_block(written, kind),
                constant=written.constant,
                type_name=written.name.last,
                written=written,
                owner=owner,
            )
            found = scope.remember((owner, begins), made)
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


def _is_literal(key: object) -> bool:
    return isinstance(key, tuple) and isinstance(key[1], str)
