"""How uniform the values of a kernel are, and by which controls some work-items may miss its barriers.

``uniformity(code)`` walks the kernel once per set of launch sizes; what it gives answers for every expression and
statement that was walked, also in the functions that the kernel calls. A node that is reached in several ways has the
highest level of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from sycllint.cpp.expression import Expr, Lambda
from sycllint.cpp.statement import Function
from sycllint.kernel.controls import LaneArithmetic, Meeting
from sycllint.kernel.flow import Walk
from sycllint.kernel.indices import Indices
from sycllint.kernel.levels import Level
from sycllint.kernel.meaning import Role
from sycllint.kernel.sight import barrier_part
from sycllint.record import unique
from sycllint.values.memory import Answers

if TYPE_CHECKING:
    from sycllint.kernel.analyses import KernelCode

__all__ = ["Level", "Uniformity", "parted", "uniformity"]


@unique
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

    def meetings(self) -> Iterator[Meeting]:
        """Barriers and collectives, each with the understood controls that differ between work-items."""
        if not self._walk.lost:
            yield from self._walk.meetings.values()

    def lanes(self) -> tuple[LaneArithmetic, ...]:
        """Where the kernel takes a local id apart into lane and sub-group; nothing where it asks for the width."""
        return () if self._walk.lost or self._walk.asks_width else tuple(self._walk.lanes.values())


_parted: Answers[Lambda | Function, bool] = Answers()
_both: Answers[object, Uniformity] = Answers(latest=True)
"""Of the kernel that was walked for barriers and lanes in one."""


def in_one_launch(code: KernelCode) -> object:
    """What a kernel, in one launch and reached in one way, differs in from others."""
    return code.place, code.geometry, code.evaluator.frame


def parted(code: KernelCode) -> bool:
    """Whether something that differs in a group decides whether a barrier or collective is met, in some launch.

    One walk without numbers serves every way to reach the kernel.
    """
    return _parted.of(code.evaluator, code.function, lambda: _is_parted(code))


def _is_parted(code: KernelCode) -> bool:
    frame, code.evaluator.frame = code.evaluator.frame, None
    walk = _walked(code, Indices(None, None, None, None, of_any_shape=True), barrier_part(code), counts=False)
    code.evaluator.frame = frame
    return not walk.lost and any(
        control.level is Level.ITEM or each.role is not Role.SUB_GROUP
        for each in walk.meetings.values()
        for control in each.controls.values()
    )


def uniformity(code: KernelCode, part: frozenset[int] | None = None) -> Uniformity:
    """The uniformity of one kernel, or of the statements that are ``part`` of it, by identity."""
    geometry = code.geometry
    indices = Indices(geometry.dims, geometry.whole, geometry.local, geometry.sub_group_size)
    return Uniformity(indices, _walked(code, indices, part, counts=True))


def both_walked(code: KernelCode, lanes: frozenset[int] | None) -> Uniformity:
    """The uniformity of what bears on the barriers of a kernel, and on its ``lanes``: one walk for both questions."""
    barriers = barrier_part(code)
    part = None if barriers is None or lanes is None else barriers | lanes
    return _both.of(code.evaluator, in_one_launch(code), lambda: uniformity(code, part))


def _walked(code: KernelCode, indices: Indices, part: frozenset[int] | None, *, counts: bool) -> Walk:
    """A walk that leaves the evaluator as it was."""
    evaluator = code.evaluator
    work, free = evaluator.work, evaluator.free
    evaluator.work, evaluator.free = 0, {}
    walk = Walk(evaluator, indices, part, counts=counts)
    walk.run(code.function, code.place)
    evaluator.work, evaluator.free = work, free
    return walk
