"""Which of the conflicts of a kernel are worth a word of their own, and how they are put."""

from collections.abc import Iterator

from sycllint.device_code.races.barrier_intervals import Conflict, Order
from sycllint.diagnostic import Evidence, Related
from sycllint.launch.kernel import KernelLaunch
from sycllint.rule import Finding


def read_after_write(launch: KernelLaunch) -> Iterator[Conflict]:
    """Reads of what another work-item wrote; one for each place that reads."""
    seen: set[object] = set()
    for each in launch.kernel.seen.of(Conflict):
        if each.order is Order.READ_AFTER_WRITE and each.second not in seen:
            seen.add(each.second)
            yield each


def write_after_read(launch: KernelLaunch) -> Iterator[Conflict]:
    """Writes over what another work-item reads; one for each place that writes.

    Not those between two places that a missing barrier the other way round is already reported for.
    """
    said = {frozenset((each.first, each.second)) for each in read_after_write(launch)}
    seen: set[object] = set()
    for each in launch.kernel.seen.of(Conflict):
        if each.order is Order.WRITE_AFTER_READ and each.second not in seen:
            seen.add(each.second)
            if frozenset((each.first, each.second)) not in said:
                yield each


def doing(conflict: Conflict) -> str:
    """What the first of the two does to the element."""
    if conflict.order is Order.READ_AFTER_WRITE:
        return "updates" if conflict.atomic[0] else "writes"
    return "update" if conflict.atomic[0] else "read"


def done(conflict: Conflict) -> str:
    """What the second of the two does to the element."""
    return "updated" if conflict.atomic[1] else "read"


def between(conflict: Conflict) -> str:
    """Which work-items meet, where no number had to be assumed: `` (work-items 0 and 128)``."""
    if not conflict.proved or conflict.writer == conflict.reader:
        return ""
    first, second = sorted((conflict.writer, conflict.reader))
    return f" (work-items {first} and {second})"


def cure(conflict: Conflict, where: str) -> str:
    """A barrier, where one may stand; in a branch that not all work-items take, none may."""
    if conflict.divergent:
        return "No barrier may stand in a divergent branch: split the branch around one, or tighten its condition."
    return f"Put a `group_barrier` {where}."


def evidence(conflict: Conflict) -> Evidence:
    """How surely two work-items meet."""
    return Evidence.PROVED if conflict.proved else Evidence.DERIVED


def finding(conflict: Conflict, verdict: str, help_: str) -> Finding:
    """``conflict`` told at the later of its two places."""
    first = "updates" if conflict.atomic[0] else "writes" if conflict.order is Order.READ_AFTER_WRITE else "reads"
    return Finding(
        location=conflict.second,
        subject=f"`{conflict.second_text}`",
        verdict=verdict,
        evidence=evidence(conflict),
        device_specific=False,
        related=(
            Related(f"`{conflict.first_text}` {first} it here", conflict.first),
            Related(f"`{conflict.memory}` is declared here", conflict.declared),
        ),
        help=help_,
    )
