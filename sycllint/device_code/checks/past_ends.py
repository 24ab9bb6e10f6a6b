"""Indices of arrays in global memory that no element has: ``a[id + 1]`` in the last work-item, ``a[group * size]``."""

from collections.abc import Iterator
from itertools import chain, islice, product

from sycllint.cpp.expression import Name
from sycllint.device_code.access_trace.terms import Atom, AtomKind, Operation, Term, atoms, slope
from sycllint.device_code.access_trace.trace import Access, Space, accesses_of
from sycllint.device_code.access_trace.tracing import walked
from sycllint.device_code.checks.bounds import unguarded_accesses
from sycllint.device_code.checks.host_arrays import Allocation, allocation
from sycllint.device_code.checks.local_use import first_outside, is_exact, possible_ids, stays
from sycllint.device_code.code import Geometry, KernelCode
from sycllint.device_code.races.collision_solver import CollisionSolver
from sycllint.device_code.races.sampled_groups import Lane, sample_of
from sycllint.grouping import grouped
from sycllint.record import record, replace
from sycllint.source.span import Location
from sycllint.values.value import Value, all_known, known

MAX_ITEMS = 64
"""Work-items for which an index is evaluated."""


@record
class PastEnd:
    """An element that does not exist."""

    array: str
    allocated: Location
    location: Location
    text: str
    index: int
    item: tuple[int, ...]
    """The global id of a work-item that accesses it."""
    group: tuple[int, ...] | None
    """Set where the index grows with the work-group otherwise than a global id does: a group that accesses such an
    element, in one dimension the first."""
    whole: tuple[int, ...]
    """The global range of the launch."""
    local: tuple[int, ...]
    """Its local range; the same as the global one where the runtime chooses."""
    count: Value
    """Elements of the array."""


@record
class _Launch:
    """The ranges of a launch whose numbers are known."""

    whole: tuple[int, ...]
    local: tuple[int, ...]

    @property
    def last_group(self) -> tuple[int, ...]:
        return tuple([items // size - 1 for items, size in zip(self.whole, self.local, strict=True)])

    def group_of(self, item: tuple[int, ...]) -> tuple[int, ...]:
        return tuple([at // size for at, size in zip(item, self.local, strict=True)])

    def lane_of(self, item: tuple[int, ...]) -> Lane:
        return tuple([at % size for at, size in zip(item, self.local, strict=True)])

    def item(self, group: tuple[int, ...], lane: Lane) -> tuple[int, ...]:
        return tuple([at * size + own for at, size, own in zip(group, self.local, lane, strict=True)])


def past_ends(code: KernelCode) -> Iterator[PastEnd]:
    """The first such access to each array, where every number is known."""
    launch = _launch(code.geometry)
    arrays = _made(code) if launch is not None else {}
    if launch is None or not arrays:
        return
    if code.geometry.local is None:
        code = replace(code, geometry=replace(code.geometry, local=code.geometry.whole))
    trace = walked(code)
    accesses = accesses_of(trace) if trace is not None else []
    possible = possible_ids(accesses, launch.local, launch.last_group)
    solver = CollisionSolver((sample_of(launch.local),), certain=True, width_known=False)
    told = {each.array for each in unguarded_accesses(code)}
    for access in accesses:
        name = access.memory.name
        array = arrays.get(name) if access.memory.space is Space.GLOBAL else None
        if array is None or name in told or len(access.indices) != 1 or access.view:
            continue
        count = known(array.count) or 0
        if stays(access.indices[0], count, possible) or not is_exact(access):
            continue
        found = _first(access, solver, count, launch)
        if found is not None:
            told.add(name)
            where = (array.location, access.location, access.text)
            yield PastEnd(name, *where, *found, launch.whole, launch.local, array.count)


def _launch(geometry: Geometry) -> _Launch | None:
    """The ranges, where all numbers are known; one group where the kernel cannot ask for its own."""
    whole = all_known(geometry.whole or ())
    local = whole if geometry.local is None else all_known(geometry.local)
    if geometry.has_offset or not whole or not local or len(whole) != len(local) or 0 in local:
        return None
    return None if any(items % size for items, size in zip(whole, local, strict=True)) else _Launch(whole, local)


def _made(code: KernelCode) -> dict[str, Allocation]:
    """The arrays in the kernel of which the host allocates a known number of elements, by their names."""
    start = code.function.start
    names = [Name(each, None, None, start, start) for each in sorted(code.bodies[0].spots.from_outside)]
    found = {each.text: allocation(code, code.bodies[0], each, code.place) for each in names}
    return {name: each for name, each in found.items() if each is not None and known(each.count)}


def _first(
    access: Access, solver: CollisionSolver, count: int, launch: _Launch
) -> tuple[int, tuple[int, ...], tuple[int, ...] | None] | None:
    """An index that no element has, the global id of a work-item with it, its group where the index goes by that."""
    sample = solver.samples[0]
    items = ((launch.group_of(each), launch.lane_of(each)) for each in _work_items(access, launch))
    for group, lanes in grouped(items).items():
        index, _, lane = first_outside(access, (count,), solver, sample.of(lanes), group)
        if index is None:
            continue
        item = launch.item(group, lane)
        if not _goes_by_group(access, launch.local):
            return index, item, None
        index, first = _in_first_group(access, solver, count, index, group)
        return index, item, first
    return None


def _work_items(access: Access, launch: _Launch) -> Iterator[tuple[int, ...]]:
    """Global ids at the ends of the range, of its first and its last group, and at the numbers in conditions."""
    numbers = {each for guard in access.guards if guard.term is not None for each in _numbers(guard.term)}
    asked = {*numbers, *(each - 1 for each in numbers)}
    sides = ({0, size - 1, end - size, end - 1, *asked} for end, size in zip(launch.whole, launch.local, strict=True))
    tried = [sorted(each for each in side if 0 <= each < end) for side, end in zip(sides, launch.whole, strict=True)]
    return islice(product(*tried), MAX_ITEMS)


def _numbers(term: Term) -> Iterator[int]:
    if isinstance(term, int):
        yield term
    elif isinstance(term, Operation):
        yield from chain.from_iterable(map(_numbers, term.operands))


def _goes_by_group(access: Access, local: tuple[int, ...]) -> bool:
    """Whether the index has the id of the group in it, and not as a global id has."""
    index = access.indices[0]
    assert index is not None
    groups = [each.key for each in atoms(index) if each.kind is AtomKind.GROUP and isinstance(each.key, int)]
    for dimension in groups:
        item, group = slope(index, Atom(AtomKind.LOCAL, dimension)), slope(index, Atom(AtomKind.GROUP, dimension))
        if item is None or group is None or group != item * local[dimension]:
            return True
    return False


def _in_first_group(
    access: Access, solver: CollisionSolver, count: int, index: int, group: tuple[int, ...]
) -> tuple[int, tuple[int, ...]]:
    """The first group with such an index, in one dimension, and that, where ``group`` has ``index``."""
    if len(group) > 1:
        return index, group
    below, above = 0, group[0]
    while below < above:
        middle = (below + above) // 2
        inner, _, _ = first_outside(access, (count,), solver, solver.samples[0], (middle,))
        if inner is None:
            below = middle + 1
        else:
            above, index = middle, inner
    return index, (above,)
