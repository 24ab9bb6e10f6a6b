"""Ends of arrays in global memory that the offset of a work-group goes past: ``group * n`` in an array of ``n``."""

from collections.abc import Iterator

from sycllint.cpp.expression import Name
from sycllint.device_code.access_trace.terms import Atom, AtomKind, atoms, slope
from sycllint.device_code.access_trace.trace import Access, Space, accesses_of
from sycllint.device_code.access_trace.tracing import walked
from sycllint.device_code.checks.host_arrays import Allocation, allocation
from sycllint.device_code.checks.local_use import is_exact, last_group
from sycllint.device_code.checks.traffic import asks_for_groups
from sycllint.device_code.code import KernelCode
from sycllint.device_code.races.collision_solver import CollisionSolver, collision_solver
from sycllint.record import record
from sycllint.source.span import Location
from sycllint.values.value import Value, known


@record
class PastEnd:
    """An element that does not exist, at an index that grows with the work-group otherwise than a global id does."""

    array: str
    allocated: Location
    location: Location
    text: str
    index: int
    group: tuple[int, ...]
    """A work-group that accesses it: the first that does, in one dimension."""
    groups: tuple[int, ...]
    """How many there are."""
    count: Value
    """Elements of the array."""


def past_ends(code: KernelCode) -> Iterator[PastEnd]:
    """The first such access to each array, where every number is known."""
    last = last_group(code.geometry)
    if last is None or not any(last) or not asks_for_groups(code):
        return
    made = _made(code)
    trace = walked(code) if made else None
    accesses = accesses_of(trace) if trace is not None else []
    solver = collision_solver(code.geometry, accesses) if accesses else None
    if solver is None or not solver.certain:
        return
    told: set[str] = set()
    for access in accesses:
        memory = access.memory
        array = made.get(memory.name) if memory.space is Space.GLOBAL else None
        if array is None or memory.name in told or not _goes_by_group(access, solver):
            continue
        group = _first(access, solver, last, array)
        if group is not None:
            told.add(memory.name)
            yield PastEnd(
                memory.name,
                array.location,
                access.location,
                access.text,
                *group,
                tuple([each + 1 for each in last]),
                array.count,
            )


def _made(code: KernelCode) -> dict[str, Allocation]:
    """The arrays in the kernel of which the host allocates a known number of elements, by their names."""
    start = code.function.start
    names = [Name(each, None, None, start, start) for each in sorted(code.bodies[0].spots.from_outside)]
    found = {each.text: allocation(code, code.bodies[0], each, code.place) for each in names}
    return {name: each for name, each in found.items() if each is not None and known(each.count)}


def _goes_by_group(access: Access, solver: CollisionSolver) -> bool:
    """Whether the one index, of which everything is known, has the id of the group in it and not as a global id has."""
    (index, *others) = access.indices
    if others or index is None or access.view or not is_exact(access):
        return False
    extents = solver.samples[0].local
    groups = [each.key for each in atoms(index) if each.kind is AtomKind.GROUP and isinstance(each.key, int)]
    for dimension in groups:
        item, group = slope(index, Atom(AtomKind.LOCAL, dimension)), slope(index, Atom(AtomKind.GROUP, dimension))
        if item is None or group is None or group != item * extents[dimension]:
            return True
    return False


def _first(
    access: Access, solver: CollisionSolver, last: tuple[int, ...], array: Allocation
) -> tuple[int, tuple[int, ...]] | None:
    """An element past the end, and a group that accesses it."""
    count = known(array.count) or 0

    def past(groups: tuple[int, ...]) -> int | None:
        reached = (index for _, (index,) in solver.elements(access, solver.samples[0], groups) if index >= count)
        return min(reached, default=None)

    found = past(last)
    if found is None or len(last) > 1:
        return None if found is None else (found, last)
    below, above = 0, last[0]
    while below < above:
        middle = (below + above) // 2
        inner = past((middle,))
        if inner is None:
            below = middle + 1
        else:
            above, found = middle, inner
    return found, (above,)
