"""How uniform the values of a kernel are, and by which controls some work-items may miss its barriers.

``uniformity(code)`` walks the kernel once per set of launch sizes; what it gives answers for every expression and
statement that was walked, also in the functions that the kernel calls. A node that is reached in several ways has the
highest level of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from sycllint.cpp.expression import Expr
from sycllint.cpp.statement import Statement
from sycllint.kernel.controls import LaneArithmetic, Meeting
from sycllint.kernel.flow import Walk
from sycllint.kernel.indices import Indices
from sycllint.kernel.levels import Level
from sycllint.values.evaluate import Evaluator
from sycllint.values.frame import Frame

if TYPE_CHECKING:
    from sycllint.kernel.analyses import KernelCode

__all__ = ["Level", "Uniformity", "uniformity"]


@dataclass(frozen=True, slots=True, eq=False)
class Uniformity:
    """The answers for one kernel in one launch."""

    indices: Indices
    _walk: Walk

    @property
    def is_known(self) -> bool:
        """False when the kernel could not be followed: then every level is ``UNKNOWN``."""
        return not self._walk.lost

    def level(self, expression: Expr) -> Level:
        """How far the value of ``expression`` is the same where it stands; ``UNKNOWN`` for what was not walked.

        Literals are ``GRID`` and conditions that the size of the launch decides too.
        """
        if self._walk.lost:
            return Level.UNKNOWN
        return self._walk.levels.get(id(expression), Level.UNKNOWN)

    def reached(self, statement: Statement) -> Level:
        """The level of what decides whether ``statement`` runs: conditions and loops around it, and earlier jumps."""
        if self._walk.lost:
            return Level.UNKNOWN
        return self._walk.reached.get(id(statement), Level.UNKNOWN)

    def meetings(self) -> Iterator[Meeting]:
        """Barriers and collectives, each with the understood controls that differ between work-items."""
        if not self._walk.lost:
            yield from self._walk.meetings.values()

    def lanes(self) -> tuple[LaneArithmetic, ...]:
        """Where the kernel takes a local id apart into lane and sub-group; nothing where it asks for the width."""
        return () if self._walk.lost or self._walk.asks_width else tuple(self._walk.lanes.values())


_Key = tuple[object, ...]
_memo: WeakKeyDictionary[Evaluator, tuple[Frame | None, _Key, Uniformity]] = WeakKeyDictionary()


def uniformity(code: KernelCode) -> Uniformity:
    """The uniformity of one kernel; the last answer is kept, since several analyses ask for the same kernel."""
    geometry = code.geometry
    key = (id(code.function), id(geometry))
    kept = _memo.get(code.evaluator)
    if kept is not None and kept[0] is code.evaluator.frame and kept[1] == key:
        return kept[2]
    indices = Indices(geometry.dims, geometry.whole, geometry.local, geometry.sub_group_size)
    walk = Walk(code.evaluator, indices)
    work, free = code.evaluator.work, code.evaluator.free
    code.evaluator.work, code.evaluator.free = 0, {}
    walk.run(code.function, code.place)
    code.evaluator.work, code.evaluator.free = work, free
    found = Uniformity(indices, walk)
    _memo[code.evaluator] = (code.evaluator.frame, key, found)
    return found
