"""Barriers and collectives that some work-items of a group may miss, and by what."""

from collections.abc import Iterator
from enum import Enum

from sycllint.cpp.macro_arguments import with_arguments
from sycllint.cpp.spelling import spelled
from sycllint.device_code.code import KernelCode
from sycllint.device_code.uniformity import may_diverge, uniformity
from sycllint.domains.controls import Control, ReachedBarrier
from sycllint.domains.indices import Padding
from sycllint.domains.levels import Level
from sycllint.domains.meaning import Role
from sycllint.record import record
from sycllint.source.span import Location
from sycllint.values.certainty import guessed


class Cause(Enum):
    """What keeps work-items from a barrier."""

    BRANCH = "branch"
    LOOP = "loop"
    RETURN = "return"
    BREAK = "break"
    CONTINUE = "continue"
    THROW = "throw"


@record
class MissedBarrier:
    """A barrier or collective that the work-items of one group may not all reach."""

    location: Location
    operation: str
    """Its name: ``barrier``, ``group_barrier``, ``reduce_over_group`` …"""
    in_sub_group: bool
    """It is one of a sub-group."""
    cause: Cause
    condition: str
    """As written; empty when there is no text for it."""
    condition_location: Location
    negated: bool
    """The barrier stands where the condition does not hold."""
    jump: Location | None
    call: Location | None
    """The call in the kernel by which it is reached, when it stands in another function."""
    proved: bool
    """The numbers of the launch say that some work-items of a group miss it and others do not."""
    padding: Padding | None
    in_both: bool
    """Both branches have as many barriers: each work-item meets one, but not the same."""


def missed_barriers(code: KernelCode) -> Iterator[MissedBarrier]:
    """One record for each condition, loop or jump that parts a group, with the first barrier missed by it."""
    if not may_diverge(code):
        return
    reported: set[tuple[object, ...]] = set()
    for barrier in uniformity(code).reached_barriers():
        if guessed(code.evaluator.facts, barrier.place, barrier.location.span.start):
            continue
        for control in _outermost(barrier):
            key = (control.kind, control.location, control.jump, barrier.role)
            if key not in reported:
                reported.add(key)
                yield _record(barrier, control)


def _outermost(barrier: ReachedBarrier) -> Iterator[Control]:
    """The controls to report: each jump, and of branches and loops the outermost that is divergent."""
    kinds: set[str] = set()
    for control in barrier.controls.values():
        parts = control.level is Level.ITEM if barrier.role is Role.SUB_GROUP else control.level.diverges
        once = control.jump is None or barrier.role is Role.SUB_GROUP
        if parts and not (once and control.kind in kinds):
            kinds.add(control.kind)
            yield control


def _record(barrier: ReachedBarrier, control: Control) -> MissedBarrier:
    condition = with_arguments(control.condition, control.place) if control.condition is not None else None
    return MissedBarrier(
        location=barrier.location,
        operation=barrier.name,
        in_sub_group=barrier.role is Role.SUB_GROUP,
        cause=Cause(control.kind),
        condition=spelled(condition) if condition is not None else "",
        condition_location=control.location,
        negated=control.negated,
        jump=control.jump,
        call=barrier.call,
        proved=bool(control.proof) and not barrier.undecided and not control.in_both,
        padding=control.proof if isinstance(control.proof, Padding) else None,
        in_both=control.in_both,
    )
