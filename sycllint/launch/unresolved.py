"""What is not known of a launch, and why: each number with the reason and the place where the trail ends."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from sycllint.grouping import grouped
from sycllint.launch.kernel import KernelLaunch
from sycllint.record import record
from sycllint.source.span import Location
from sycllint.values.value import DEVICE_PROPERTY, Known, OneOf, Symbolic, Unknown, Value


@record
class Unresolved:
    """One number of one launch that depends on something unknown."""

    number: str
    """Which: ``global``, ``local``, ``sub-group``, ``registers``, ``local memory``, ``barrier``."""
    reason: str
    location: Location
    """Where the trail ends; the launch when that is not known."""
    launch: Location


def unresolved(launch: KernelLaunch) -> tuple[Unresolved, ...]:
    """What is unknown of ``launch``, each reason once for each number.

    What is asked of the device is not, because the program adapts to it; nor is a choice among known values.
    """
    found: dict[Unresolved, None] = {}
    for number, value in _numbers(launch):
        for reason, location in reasons(value):
            found[Unresolved(number, reason, location or launch.location, launch.location)] = None
    kernel = launch.kernel
    if launch.barrier is None:
        reason = (
            "the kernel's definition is not visible" if not kernel.body_found
            else "the kernel calls a function whose definition is not visible" if kernel.calls_unknown
            else "the compiler chooses how the reduction combines the threads of a team"
        )  # fmt: skip
        found[Unresolved("barrier", reason, launch.location, launch.location)] = None
    return tuple(found)


def by_reason(found: Iterable[Unresolved]) -> Mapping[str, Sequence[Unresolved]]:
    """What is unknown by reason, the one that most launches have first."""
    groups = grouped((each.reason, each) for each in found)
    return dict(sorted(groups.items(), key=lambda group: (-len({each.launch for each in group[1]}), group[0])))


def reasons(value: Value) -> Iterator[tuple[str, Location | None]]:
    """Why ``value`` is not known, and where."""
    match value:
        case Unknown(reason=reason, location=location):
            yield reason, location
        case Symbolic(terms=terms) if not value.asks_device:
            for term in terms:
                for atom in term.atoms:
                    if DEVICE_PROPERTY not in (atom.text, *atom.roots) and not atom.text.startswith("{"):
                        yield atom.reason, atom.location
        case OneOf(open=True):
            yield "other values are possible", None
        case Known() | OneOf() | Symbolic():
            return


def _numbers(launch: KernelLaunch) -> Iterator[tuple[str, Value]]:
    for name, extents in (("global", launch.global_range), ("local", launch.local_range)):
        for extent in extents.extents if extents is not None else ():
            yield name, extent
    for name, demand in (("sub-group", launch.sub_group_size), ("registers", launch.register_count)):
        if demand is not None:
            yield name, demand.value
    if launch.local_memory.allocations:
        for allocation in launch.local_memory.allocations:
            yield "local memory", allocation.bytes
    else:
        yield "local memory", launch.local_memory.total
