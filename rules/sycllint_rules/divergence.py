"""How the rules of this pack speak of a barrier that some work-items miss."""

from collections.abc import Callable, Iterator

from sycllint.device_code.checks.missed_barriers import Cause, MissedBarrier
from sycllint.diagnostic import Evidence, Related, Severity
from sycllint.launch.kernel import KernelLaunch
from sycllint.rule import Finding

JUMPS = frozenset({Cause.RETURN, Cause.BREAK, Cause.CONTINUE, Cause.THROW})


def missed(launch: KernelLaunch, wanted: Callable[[MissedBarrier], bool]) -> Iterator[MissedBarrier]:
    """The barriers of a launch that some work-items may miss in the way that is ``wanted``."""
    return (each for each in launch.kernel.seen.of(MissedBarrier) if wanted(each))


def finding(seen: MissedBarrier, subject: str, verdict: str, cure: str, *, at_jump: bool = False) -> Finding:
    """An error when the numbers of the launch prove it, a warning otherwise."""
    here = seen.jump if at_jump and seen.jump is not None else seen.location
    return Finding(
        location=here,
        subject=subject,
        verdict=verdict,
        evidence=Evidence.PROVED if seen.proved else Evidence.DERIVED,
        severity=None if seen.proved else Severity.WARNING,
        device_specific=False,
        related=tuple(_related(seen, at_jump=at_jump)),
        help=cure,
    )


def holds(seen: MissedBarrier) -> str:
    """Where the barrier is met: ``where i < n holds``."""
    if not seen.condition:
        return "under a condition that parts the group"
    return f"where {seen.condition} {'does not hold' if seen.negated else 'holds'}"


def _related(seen: MissedBarrier, *, at_jump: bool) -> Iterator[Related]:
    if at_jump:
        yield Related(f"{seen.operation} is met here", seen.location)
    elif seen.condition_location != seen.location:
        yield Related("the condition", seen.condition_location)
    if seen.call is not None and seen.call != seen.location:
        yield Related("reached by this call", seen.call)
