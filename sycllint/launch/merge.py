"""Several call paths to one submission, merged into one launch: each number becomes the set of its values."""

from collections.abc import Callable, Iterable, Sequence
from itertools import product

from sycllint.grouping import grouped
from sycllint.launch.circumstances import Circumstances
from sycllint.launch.kernel import Kernel, KernelLaunch, Range, Required
from sycllint.launch.memory import LocalMemory, PrivateMemory
from sycllint.record import replace
from sycllint.source.span import Location
from sycllint.values.arithmetic import join
from sycllint.values.symbolic import settled
from sycllint.values.value import Known, OneOf, Unknown, Value, possible


def rows(launches: Iterable[KernelLaunch]) -> dict[tuple[Location, Location], list[KernelLaunch]]:
    """The ways to each submission of each row, in the order of their first ones."""
    return grouped(((launch.row, launch.location), launch) for launch in launches)


def merged(launches: Iterable[KernelLaunch]) -> list[KernelLaunch]:
    """One launch for each submission of each row, in the order of their first ways."""
    return [together(ways) for ways in rows(launches).values()]


def local_tuples(ways: Sequence[KernelLaunch]) -> tuple[tuple[int, ...], ...]:
    """The local ranges that one submission has on its ways, the dimensions together, ascending.

    Empty when it is one, and when some may not be visible or are not distinguished.
    """
    found: set[tuple[int, ...]] = set()
    for launch in ways:
        listed = _listed(launch.local_range) if launch.local_range is not None else []
        if not listed or (launch.open and not launch.is_general):
            return ()
        found.update(listed)
    return tuple(sorted(found)) if len(found) > 1 and len({len(each) for each in found}) == 1 else ()


def _listed(local: Range) -> list[tuple[int, ...]]:
    """The sizes of a local range; empty when they are not known, or more than one dimension is one of several."""
    found: list[tuple[int, ...]] = []
    for extents in local.ways or (local.extents,):
        several = [each for each in extents if isinstance(each, OneOf)]
        if len(several) > 1 or any(each.open for each in several):
            return []
        columns = [[each.value for each in possible(extent)] for extent in extents]
        if not all(columns):
            return []
        found += product(*columns)
    return found


def together(group: Sequence[KernelLaunch]) -> KernelLaunch:
    """One launch for all ways to one row, of which there is at least one."""
    first = group[0]
    if len(group) == 1:
        return first
    is_open = any(launch.open for launch in group)

    def both(values: Sequence[Value]) -> Value:
        return _joined(values, is_open)

    return replace(
        first,
        global_range=_ranges([launch.global_range for launch in group], both),
        local_range=_ranges([launch.local_range for launch in group], both),
        work_group_size=_optional([launch.work_group_size for launch in group], both),
        sub_group_size=_required([launch.sub_group_size for launch in group], both),
        required_work_group=_ranges([launch.required_work_group for launch in group], both),
        register_count=_required([launch.register_count for launch in group], both),
        local_memory=LocalMemory(
            first.local_memory.allocations,
            both([launch.local_memory.total for launch in group]),
            min(launch.local_memory.at_least for launch in group),
        ),
        private_memory=PrivateMemory(
            first.private_memory.arrays, both([launch.private_memory.total for launch in group])
        ),
        kernel=_named([launch.kernel for launch in group]),
        compiled=tuple(dict.fromkeys(report for launch in group for report in launch.compiled)),
        circumstances=Circumstances.of_all(launch.circumstances for launch in group),
        reached=first.reached[: first.decided],
        open=is_open,
    )


def _named(kernels: Sequence[Kernel]) -> Kernel:
    """The first, with all names that the kernel has."""
    return replace(kernels[0], names=tuple(dict.fromkeys(name for each in kernels for name in each.names)))


def _joined(values: Sequence[Value], is_open: bool) -> Value:
    """The set of all ``values``; open when there are other ways and the visible ways differ."""
    known = {each.value for each in values if isinstance(each, Known)}
    if len(known) == 1 and all(isinstance(each, Known) for each in values):
        return values[0]
    return settled(join(list(values), is_open=is_open and any(isinstance(each, Known | OneOf) for each in values)))


def _optional(values: Sequence[Value | None], both: Callable[[Sequence[Value]], Value]) -> Value | None:
    present = [each for each in values if each is not None]
    if not present:
        return None
    return both(present) if len(present) == len(values) else Unknown("chosen by the runtime on some ways only")


def _ranges(ranges: Sequence[Range | None], both: Callable[[Sequence[Value]], Value]) -> Range | None:
    present = [each for each in ranges if each is not None]
    if len(present) < len(ranges) or not present:
        return None
    if len({len(each.extents) for each in present}) > 1:
        unknown = Unknown("of different dimensions on different ways", present[0].location)
        return Range((unknown,) * len(present[0].extents), present[0].location)
    columns = zip(*(each.extents for each in present), strict=True)
    return Range(tuple(both(column) for column in columns), present[0].location)


def _required(demands: Sequence[Required | None], both: Callable[[Sequence[Value]], Value]) -> Required | None:
    present = [each for each in demands if each is not None]
    if not present:
        return None
    values = [each.value for each in present]
    if len(present) < len(demands):
        values.append(Unknown("demanded on some ways only", present[0].location))
    return Required(both(values), present[0].location)
