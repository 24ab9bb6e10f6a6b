"""Which of the conflicts of a kernel are worth a word of their own, and how they are put."""

from collections.abc import Iterable, Iterator

from sycllint.device_code.races.barrier_intervals import Conflict, Order
from sycllint.diagnostic import Evidence, Related
from sycllint.launch.kernel import KernelLaunch
from sycllint.record import record
from sycllint.rule import Finding

MOST_PLACES = 8
"""Of one race that are told besides the worst."""


@record
class Race:
    """Conflicts with one cause: the accesses of a stretch of code, or of the turns of a loop, that no barrier parts."""

    worst: Conflict
    """The first of those that are surest."""
    others: tuple[Conflict, ...]
    """One for each other place that comes too late or too early."""


def read_after_write(launch: KernelLaunch) -> Iterator[Race]:
    """Reads of what another work-item wrote."""
    for stretch in _stretches(launch):
        yield from _race(stretch, Order.READ_AFTER_WRITE)


def write_after_read(launch: KernelLaunch) -> Iterator[Race]:
    """Writes over what another work-item reads.

    Not those between two places that a missing barrier the other way round is already reported for, nor the ``a op= b``
    of a stretch that is.
    """
    stretches = _stretches(launch)
    reads = [each for stretch in stretches for each in stretch if each.order is Order.READ_AFTER_WRITE]
    said = {frozenset((each.first, each.second)) for each in reads}
    for stretch in stretches:
        is_said = any(each.order is Order.READ_AFTER_WRITE for each in stretch)
        left = [
            each
            for each in stretch
            if frozenset((each.first, each.second)) not in said and not (is_said and each.update)
        ]
        yield from _race(left, Order.WRITE_AFTER_READ)


def _race(stretch: Iterable[Conflict], order: Order) -> Iterator[Race]:
    places = {each.second: each for each in reversed([each for each in stretch if each.order is order])}
    found = sorted(places.values(), key=lambda each: (not each.proved, each.second))
    if found:
        others = sorted(found[1:], key=lambda each: each.second)
        yield Race(found[0], tuple(others))


def _stretches(launch: KernelLaunch) -> list[list[Conflict]]:
    """The conflicts of a kernel, those together between whose places the same barrier may be missing."""
    found: list[tuple[object, int, int, list[Conflict]]] = []
    for each in sorted(launch.kernel.seen.of(Conflict), key=lambda each: min(each.first, each.second)):
        places = (each.first, each.second)
        begin, end = min(place.span.start for place in places), max(place.span.end for place in places)
        # What meets in the next turn waits at the end of the loop, and reads and writes for different barriers.
        key = (each.first.path, each.second.path, each.next_iteration and each.order)
        around = next((one for one in found if one[0] == key and begin < one[2]), None)
        if around is None or each.first.path != each.second.path:
            found.append((key, begin, end, [each]))
        else:
            found.remove(around)
            found.append((key, around[1], max(end, around[2]), [*around[3], each]))
    # The steps of one sum, each `a[i] += a[i - d]` that reads what others write in it, lack the same.
    causes: dict[object, list[Conflict]] = {}
    for number, (_, _, _, conflicts) in enumerate(found):
        first = conflicts[0]
        is_sum = all(each.update for each in conflicts)
        causes.setdefault((first.declared, first.second_text) if is_sum else number, []).extend(conflicts)
    return list(causes.values())


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


def later(conflict: Conflict) -> str:
    """When the second of the two comes, unless further down: ``in the next iteration ``, in a function's next call."""
    if conflict.next_iteration:
        return "in the next iteration "
    return f"in the next call of `{conflict.calls[0].function}` " if conflict.calls else ""


def evidence(conflict: Conflict) -> Evidence:
    """How surely two work-items meet."""
    return Evidence.PROVED if conflict.proved else Evidence.DERIVED


def finding(race: Race, verdict: str, help_: str) -> Finding:
    """``race`` told at the later place of its worst conflict."""
    conflict = race.worst
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
            *_calls(conflict),
            *(Related(f"`{each.second_text}` here, too", each.second) for each in race.others[:MOST_PLACES]),
        ),
        help=help_,
    )


def _calls(conflict: Conflict) -> Iterator[Related]:
    """Both calls of a function that meets itself."""
    if conflict.calls and not conflict.next_iteration:
        for name, call in zip(("first", "next"), conflict.calls, strict=True):
            yield Related(f"the {name} call of `{call.function}`", call.location)
