"""Data races of a kernel: conflicts grouped by the missing barrier, and the wording of their findings."""

from collections.abc import Iterable, Iterator

from sycllint.device_code.races.barrier_intervals import Conflict, Order
from sycllint.diagnostic import Evidence, Related
from sycllint.launch.kernel import KernelLaunch
from sycllint.record import record, replace
from sycllint.rule import Finding
from sycllint.source.span import Location

MOST_PLACES = 8
"""Other places of a race that are reported beside its worst conflict, at most."""


@record
class Race:
    """Conflicts with one cause: accesses in a stretch of code or in iterations of a loop, without a barrier between."""

    worst: Conflict
    """The first of those with the strongest evidence."""
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


def joined(races: Iterable[Race]) -> tuple[Race, ...]:
    """One race for each of the local memories, with the places of the others in the same order."""
    found: list[Race] = []
    seen: set[Location] = set()
    for race in races:
        memories = _memories(race)
        known = next((each for each in found if memories & _memories(each)), None)
        if known is None or not memories <= seen:
            found.append(race)
            seen |= memories
        elif known.worst.order is race.worst.order:
            places = {each.second: each for each in (race.worst, *race.others, *known.others)}
            places.pop(known.worst.second, None)
            found[found.index(known)] = Race(known.worst, tuple(sorted(places.values(), key=lambda each: each.second)))
    return tuple(found)


def _memories(race: Race) -> set[Location]:
    return {each.declared for each in (race.worst, *race.others)}


def _race(stretch: Iterable[Conflict], order: Order) -> Iterator[Race]:
    places = {each.second: each for each in reversed([each for each in stretch if each.order is order])}
    found = sorted(places.values(), key=lambda each: (not each.proved, each.second))
    if found:
        others = sorted(found[1:], key=lambda each: each.second)
        yield Race(found[0], tuple(others))


def updates(launch: KernelLaunch) -> Iterator[Race]:
    """Updates of one element by several work-items at once: one race for each memory."""
    found: dict[Location, list[Conflict]] = {}
    for each in launch.kernel.seen.of(Conflict):
        if each.whole:
            found.setdefault(each.declared, []).append(replace(each, order=Order.READ_AFTER_WRITE))
    for conflicts in found.values():
        yield from _race(conflicts, Order.READ_AFTER_WRITE)


def _stretches(launch: KernelLaunch) -> list[list[Conflict]]:
    """The conflicts of a kernel that a barrier would solve, grouped by the one that is missing."""
    found: list[tuple[object, int, int, list[Conflict]]] = []
    conflicts = [each for each in launch.kernel.seen.of(Conflict) if not each.whole]
    for each in sorted(conflicts, key=lambda each: min(each.first, each.second)):
        places = (each.first, each.second)
        begin, end = min(place.span.start for place in places), max(place.span.end for place in places)
        # Conflicts with the next iteration need a barrier at the end of the loop; reads and writes need different ones.
        key = (each.first.path, each.second.path, each.next_iteration and each.order)
        around = next((one for one in found if one[0] == key and begin < one[2]), None)
        if around is None or each.first.path != each.second.path:
            found.append((key, begin, end, [each]))
        else:
            found.remove(around)
            found.append((key, around[1], max(end, around[2]), [*around[3], each]))
    # The steps of one sum, each `a[i] += a[i - d]` in some words that reads what others write in it, lack the same.
    causes: dict[object, list[Conflict]] = {}
    for number, (_, _, _, conflicts) in enumerate(found):
        first = conflicts[0]
        is_sum = all(each.update for each in conflicts)
        causes.setdefault((first.declared, first.second_text) if is_sum else number, []).extend(conflicts)
    return list(causes.values())


def doing(conflict: Conflict) -> str:
    """The first access of the two, as a verb."""
    if conflict.order is Order.READ_AFTER_WRITE:
        return "updates" if conflict.atomic[0] else "writes"
    return "update" if conflict.atomic[0] else "read"


def done(conflict: Conflict) -> str:
    """The second access of the two, as a participle."""
    return "updated" if conflict.atomic[1] else "read"


def between(conflict: Conflict) -> str:
    """The two work-items of a proved conflict: `` (work-items 0 and 128)``; ``""`` where a number was assumed."""
    if not conflict.proved or conflict.writer == conflict.reader:
        return ""
    first, second = sorted((conflict.writer, conflict.reader))
    return f" (work-items {first} and {second})"


def cure(conflict: Conflict, where: str) -> str:
    """The advice to add a barrier, or, in a divergent branch, to split the branch first."""
    if conflict.divergent:
        return "No barrier may stand in a divergent branch: split the branch around one, or tighten its condition."
    return f"Put a `group_barrier` {where}."


def later(conflict: Conflict) -> str:
    """When the second access happens: ``in the next iteration ``, in a function's next call; ``""`` further down."""
    if conflict.next_iteration:
        return "in the next iteration "
    return f"in the next call of `{conflict.calls[0].function}` " if conflict.calls else ""


def evidence(conflict: Conflict) -> Evidence:
    """Proved where no number had to be assumed."""
    return Evidence.PROVED if conflict.proved else Evidence.DERIVED


def finding(race: Race, verdict: str, help_: str) -> Finding:
    """``race`` reported at the later place of its worst conflict."""
    conflict = race.worst
    first = "updates" if conflict.atomic[0] else "writes" if conflict.order is Order.READ_AFTER_WRITE else "reads"
    accessed = () if conflict.whole else (Related(f"`{conflict.first_text}` {first} it here", conflict.first),)
    return Finding(
        location=conflict.second,
        subject=f"`{conflict.second_text}`",
        verdict=verdict,
        evidence=evidence(conflict),
        device_specific=False,
        related=(
            *accessed,
            Related(f"`{conflict.memory}` is declared here", conflict.declared),
            *_calls(conflict),
            *(Related(f"`{each.second_text}` here, too", each.second) for each in race.others[:MOST_PLACES]),
        ),
        help=help_,
    )


def _calls(conflict: Conflict) -> Iterator[Related]:
    """Both calls of a function that conflicts with its next call."""
    if conflict.calls and not conflict.next_iteration:
        for name, call in zip(("first", "next"), conflict.calls, strict=True):
            yield Related(f"the {name} call of `{call.function}`", call.location)
