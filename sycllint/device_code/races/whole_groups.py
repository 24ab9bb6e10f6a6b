"""Every work-item of one work-group from the middle of a launch, and what terms are for each of them.

Of the numbers that a kernel is given, those in an index are taken as strides wider than any group, all others as bounds
that no index comes near: so the group is one that no border of the data cuts.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import prod

from sycllint.device_code.access_trace.iterations import turns_of
from sycllint.device_code.access_trace.terms import Atom, AtomKind, Column, Term, UndefinedError, atoms, column
from sycllint.device_code.access_trace.trace import Access
from sycllint.device_code.code import Geometry
from sycllint.device_code.limits import LARGEST
from sycllint.record import record
from sycllint.values.value import all_known, known

MAX_VISITS = 100_000
"""Work-items times iterations in which one access is tried."""
_STRIDE, _APART, _BOUND = 1_000_003, 4099, 10**15
_LARGE = (AtomKind.GIVEN, AtomKind.GROUP_RANGE)
_INNER = 2
"""The id of the group that is looked at, where there are as many: those at the edge of a launch may do less."""

ElementIndex = tuple[int, ...]


@record
class WholeGroup:
    """A group of a known shape."""

    extents: tuple[int, ...]
    ids: tuple[int, ...]
    """The group's own."""

    @property
    def lanes(self) -> list[tuple[int, ...]]:
        """The local ids of its work-items, in the order of their linear ids."""
        return list(product(*map(range, self.extents)))

    def next(self, dimension: int) -> WholeGroup:
        """Its neighbour in one dimension."""
        moved = tuple(each + (place == dimension) for place, each in enumerate(self.ids))
        return WholeGroup(self.extents, moved)

    def values(self, term: Term) -> Sequence[int] | None:
        """``term`` for each work-item; ``None`` when that depends on more than ids and numbers the kernel is given."""
        numbers = self._numbers((), (term,))
        found = self._columns((term,), numbers) if numbers is not None else None
        return found[0] if found is not None else None

    def reached(self, access: Access) -> list[tuple[int, ElementIndex]] | None:
        """Which work-items, by linear id, access which elements; ``None`` when that depends on something else."""
        indices = tuple([each for each in access.indices if each is not None])
        guards = tuple([each.term for each in access.guards if each.term is not None and each.doubt is None])
        if len(indices) < len(access.indices) or len(guards) < len(access.guards) or access.by_data:
            return None
        inside = frozenset().union(*map(atoms, indices))
        counters = {each.counter: turns_of(each) for each in access.loops if each.counter in inside}
        turns = [each for each in counters.values() if each is not None]
        numbers = self._numbers(indices, guards)
        if numbers is None or len(turns) < len(counters) or prod((*self.extents, *turns)) > MAX_VISITS:
            return None
        found: list[tuple[int, ElementIndex]] = []
        for iterations in product(*map(range, turns)):
            numbers.update(zip(counters, iterations, strict=True))
            columns = self._columns((*indices, *guards), numbers)
            if columns is None:
                return None
            for lane, row in enumerate(zip(*columns, strict=True)):
                if all(row[len(indices) :]):
                    found.append((lane, row[: len(indices)]))
        return found

    def _numbers(self, indices: tuple[Term, ...], conditions: tuple[Term, ...]) -> dict[Atom, int] | None:
        """What stands for each atom but local ids; ``None`` where nothing can stand for one."""
        strides = frozenset().union(*map(atoms, indices))
        found: dict[Atom, int] = {}
        for atom in sorted(strides.union(*map(atoms, conditions)), key=lambda each: (each.kind.value, each.text)):
            match atom.kind:
                case AtomKind.LOCAL:
                    continue
                case AtomKind.LOCAL_RANGE | AtomKind.GROUP if isinstance(atom.key, int):
                    found[atom] = (self.extents if atom.kind is AtomKind.LOCAL_RANGE else self.ids)[atom.key]
                case AtomKind.COUNTER:
                    found[atom] = 0
                case kind if kind in _LARGE:
                    found[atom] = _STRIDE + _APART * len(found) if atom in strides else _BOUND
                case _:
                    return None
        return found

    def _columns(self, terms: tuple[Term, ...], numbers: dict[Atom, int]) -> list[Column] | None:
        """Each term for each work-item; ``None`` when one has no result."""
        lanes = self.lanes
        ids = tuple(zip(*lanes, strict=True))
        try:
            found = [column(each, numbers, ids) for each in terms]
        except (UndefinedError, LookupError):
            return None
        return [[each] * len(lanes) if isinstance(each, int) else each for each in found]


def inner_group(geometry: Geometry) -> WholeGroup | None:
    """A group in the middle of a launch; ``None`` when its shape is not known, or it is too large to be looked at."""
    exact = all_known(geometry.local or ())
    if not exact or not 1 < prod(exact) <= LARGEST or geometry.dims != len(exact):
        return None
    whole = [known(each) for each in geometry.whole or ()]
    groups = [a // b if a else None for a, b in zip(whole, exact, strict=True)] if len(whole) == len(exact) else []
    ids = [_INNER if each is None else min(_INNER, (each - 1) // 2) for each in groups]
    return WholeGroup(exact, tuple(ids or [_INNER] * len(exact)))
