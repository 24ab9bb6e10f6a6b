"""Wording that the rules on divergent barriers share."""

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


def reached_by(seen: MissedBarrier, who: str) -> str:
    """Who reaches the barrier: ``work-items with `i < n` ``; ``who`` is work-items or lanes."""
    if not seen.condition:
        return f"some {who}"
    return f"{who} {'without' if seen.negated else 'with'} `{seen.condition}`"


_LEAVING = {
    Cause.RETURN: "return",
    Cause.BREAK: "leave the loop",
    Cause.CONTINUE: "skip the rest of the loop body",
    Cause.THROW: "throw",
}


def leaves(seen: MissedBarrier, who: str) -> str:
    """Who jumps away, and how: ``work-items with `i >= n` return``."""
    return f"{reached_by(seen, who)} {_LEAVING[seen.cause]}"


def _related(seen: MissedBarrier, *, at_jump: bool) -> Iterator[Related]:
    if at_jump:
        yield Related(f"`{seen.operation}` is here", seen.location)
    elif seen.condition_location != seen.location:
        yield Related("the condition is here", seen.condition_location)
    if seen.call is not None and seen.call != seen.location:
        yield Related("reached by this call", seen.call)
