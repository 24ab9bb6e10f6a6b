"""How a kernel uses each local memory: beyond its elements, all in one element, before it is written, privately."""

from collections.abc import Container, Iterator, Mapping, Sequence
from math import prod

from sycllint.device_code.access_trace.terms import Atom, AtomKind, Term, atoms, below, bounds, conjuncts
from sycllint.device_code.access_trace.trace import Access, AccessMode, Guard, MemoryObject, by_local_memory
from sycllint.device_code.code import Geometry
from sycllint.device_code.races.collision_solver import CollisionSolver
from sycllint.device_code.races.sampled_groups import SampledGroup
from sycllint.device_code.races.valuations import farthest
from sycllint.record import record, replace
from sycllint.source.span import Location
from sycllint.values.value import Value, all_known

_UNKNOWN = (AtomKind.GIVEN, AtomKind.FRESH, AtomKind.GROUP_RANGE, AtomKind.LOCAL_RANGE, AtomKind.WIDTH)
_STORES = (AccessMode.WRITE, AccessMode.STORE)


@record
class OutOfRange:
    """An index beyond the elements of a local memory."""

    memory: str
    declared: Location
    location: Location
    text: str
    index: int
    count: Value
    """Elements; of the dimension, where there are several."""
    dimension: int | None
    """That of the index, where there are several."""
    work_item: tuple[int, ...]
    """Local id of a work-item that makes the access."""
    by_group: bool
    """The index grows with the work-group: a global id."""
    within_extent: bool = False
    """A condition asks whether a global id is below a number that is not known, which lets whole groups through."""


@record
class Collapse:
    """Work-items that differ in an id which the index leaves out write one element."""

    memory: str
    declared: Location
    location: Location
    text: str
    dimension: int
    """The dimension that is left out."""
    writers: int
    """Work-items that write one element."""
    used: tuple[int, ...]
    """The dimensions in the index."""
    extents: tuple[int, ...]
    """The local range."""


@record
class ReadBeforeWrite:
    """The first access to a local memory does not write it, and it starts with no known contents."""

    memory: str
    declared: Location
    location: Location
    text: str
    atomic: bool


@record
class UsedPrivately:
    """Each element of a local memory is read and written by one work-item alone."""

    memory: str
    declared: Location
    text: str
    bytes: Value | None
    accesses: int


def uses(accesses: Sequence[Access], solver: CollisionSolver, geometry: Geometry) -> Iterator[object]:
    """The records of each local memory that did not escape."""
    for memory, found in by_local_memory(accesses):
        yield from _out_of_range(memory, found, solver, geometry)
        yield from _collapses(memory, found, geometry)
        yield from _read_first(memory, found)
        yield from _private(memory, found, solver)


def _terms(access: Access) -> Iterator[Term]:
    yield from (each for each in access.indices if each is not None)
    yield from (each.term for each in access.guards if each.term is not None)


def _inside(access: Access) -> frozenset[Atom]:
    return frozenset().union(*map(atoms, _terms(access)))


def is_exact(access: Access, given: Container[Atom] = ()) -> bool:
    """Whether every number that decides where and when it happens is known, or among those that are ``given``."""
    if not access.sure or any(each.doubt is not None for each in access.guards):
        return False
    if any(head.condition is None or head.is_left for head in access.loops):
        return False
    return not any(each.kind in _UNKNOWN and each not in given for each in _inside(access))


def _is_exact_within_extents(access: Access) -> bool:
    """The same but for numbers that bound a global id, of which there are some."""
    guards = tuple([each for each in access.guards if not _is_extent_check(each)])
    return len(guards) < len(access.guards) and is_exact(replace(access, guards=guards))


def _is_extent_check(guard: Guard) -> bool:
    """``id < n`` with a global id, however it is written, and several of them."""
    return guard.term is not None and guard.doubt is None and all(map(_is_below_extent, conjuncts(guard.term)))


def _is_below_extent(condition: Term) -> bool:
    sides = below(condition)
    if sides is None:
        return False
    item, end = ({each.kind for each in atoms(side)} for side in sides)
    return AtomKind.GROUP in item and item.isdisjoint(_UNKNOWN) and end == {AtomKind.GIVEN}


def _is_tested(access: Access) -> bool:
    """Whether a condition is on what the index is made of: without a sign, less than zero is a large number there."""
    inside = access.index_atoms
    return any(each.term is not None and not inside.isdisjoint(atoms(each.term)) for each in access.guards)


def _out_of_range(
    memory: MemoryObject, found: list[Access], solver: CollisionSolver, geometry: Geometry
) -> Iterator[OutOfRange]:
    sizes = _extents(memory, found)
    extents = all_known(sizes)
    if not extents or not solver.certain:
        return
    groups = geometry.last_group
    possible = possible_ids(found, solver.samples[0].local)
    reported: set[Location] = set()
    for access in found:
        if access.location in reported or access.view or len(access.indices) != len(extents):
            continue
        if all(stays(index, extent, possible) for index, extent in zip(access.indices, extents, strict=True)):
            continue
        is_sure = is_exact(access)
        if not is_sure and (_is_of_group(access) or not _is_exact_within_extents(access)):
            continue
        of_group = is_sure and any(each.kind is AtomKind.GROUP for each in _inside(access))
        if of_group and groups is None:
            continue
        index, dimension, culprit = first_outside(
            access, extents, solver, solver.samples[0], groups if of_group else None
        )
        if index is None:
            index = _grows(access, solver, groups) if len(extents) == 1 else None
        if index is None:
            continue
        reported.add(access.location)
        yield OutOfRange(
            memory.name,
            memory.location,
            access.location,
            access.text,
            index,
            sizes[dimension],
            dimension if len(sizes) > 1 else None,
            culprit,
            _is_of_group(access),
            not is_sure,
        )


def _is_of_group(access: Access) -> bool:
    """Whether the index itself, and not a condition around it, has the work-group in it."""
    return any(each.kind is AtomKind.GROUP for each in access.index_atoms)


def _extents(memory: MemoryObject, found: list[Access]) -> tuple[Value, ...]:
    """The extents of a memory; none where it is not known how many indices lead to an element."""
    if memory.rank == 1 and memory.count is not None:
        return (memory.count,)
    is_whole = memory.rank in (None, len(memory.extents)) and not memory.inner
    return memory.extents if is_whole and all(len(each.indices) == len(memory.extents) for each in found) else ()


def possible_ids(
    accesses: Sequence[Access], local: tuple[int, ...], last: tuple[int, ...] = ()
) -> dict[Atom, tuple[int, int]]:
    """What local ids and counters of loops may be, as far as is known, and ids of groups up to the ``last`` one's."""
    possible = {Atom(AtomKind.LOCAL, each): (0, extent - 1) for each, extent in enumerate(local)}
    possible |= {Atom(AtomKind.GROUP, each): (0, group) for each, group in enumerate(last)}
    for head in {id(each): each for access in accesses for each in access.loops}.values():
        end = farthest(head)
        if end is not None:
            possible[head.counter] = (0, end)
    return possible


def stays(index: Term | None, extent: int, possible: dict[Atom, tuple[int, int]]) -> bool:
    """Whether an index is surely that of an element."""
    reached = None if index is None else bounds(index, possible)
    return reached is not None and reached[0] >= 0 and reached[1] < extent


def first_outside(
    access: Access,
    extents: tuple[int, ...],
    solver: CollisionSolver,
    sample: SampledGroup,
    groups: tuple[int, ...] | None,
    given: Mapping[Atom, int] | None = None,
) -> tuple[int | None, int, tuple[int, ...]]:
    """The first index that no element has, its dimension, and the work-item that makes the access."""
    for lane, indices in solver.elements(access, sample, groups, given):
        for dimension, (index, extent) in enumerate(zip(indices, extents, strict=True)):
            if not 0 <= index < extent and not (index < 0 and _is_tested(access)):
                return index, dimension, lane
    return None, 0, ()


def _grows(access: Access, solver: CollisionSolver, groups: tuple[int, ...] | None) -> int | None:
    """The highest element in the last work-group, where the index is a global id that has grown till there."""
    if groups is None or max(groups) < 1 or not _is_of_group(access):
        return None
    first, last = (
        max((index for _, (index,) in solver.elements(access, solver.samples[0], each)), default=-1)
        for each in ((0,) * len(groups), groups)
    )
    # ``global_id % local_range`` does not grow.
    return last if last >= 0 and 0 <= first < last else None


def _collapses(memory: MemoryObject, found: list[Access], geometry: Geometry) -> Iterator[Collapse]:
    """Writes whose index, conditions and loops leave out a dimension in which the group is wider than one."""
    exact = all_known(geometry.local or ())
    if not exact:
        return
    for access in found:
        if access.mode is not AccessMode.WRITE or access.update or not access.sure:
            continue
        inside = _inside(access)
        for head in access.loops:
            inside |= atoms(head.condition) if head.condition is not None else frozenset()
        if any(head.condition is None for head in access.loops) or any(each.doubt for each in access.guards):
            continue
        ids = {each.key for each in inside if each.kind is AtomKind.LOCAL}
        used = tuple(sorted(each for each in ids if isinstance(each, int)))
        left_out = [each for each, extent in enumerate(exact) if extent > 1 and each not in ids]
        if not used or not left_out or not any(_differs(access, each, exact, used) for each in left_out):
            continue
        writers = prod(exact[each] for each in left_out)
        yield Collapse(memory.name, memory.location, access.location, access.text, left_out[-1], writers, used, exact)


def _differs(access: Access, dimension: int, extents: tuple[int, ...], used: tuple[int, ...]) -> bool:
    """Whether the value surely depends on the id in ``dimension``, or all write one element with one of many values."""
    own = Atom(AtomKind.LOCAL, dimension)
    if access.value is not None:
        return own in atoms(access.value)
    if own in access.read_by:
        return True
    return all(extents[each] == 1 for each in used)


def _read_first(memory: MemoryObject, found: list[Access]) -> Iterator[ReadBeforeWrite]:
    first = found[0]
    if memory.initialised or first.mode in _STORES or any(each.doubt is not None for each in first.guards):
        return
    around = set(map(id, first.loops))
    if any(each.mode in _STORES and around.intersection(map(id, each.loops)) for each in found):
        # A later iteration reads what an earlier one wrote; the first may be left out by the data.
        return
    if first.update and first.mode is AccessMode.READ and len(found) <= 1:
        return
    yield ReadBeforeWrite(memory.name, memory.location, first.location, first.text, first.mode is AccessMode.ATOMIC)


def _private(memory: MemoryObject, found: list[Access], solver: CollisionSolver) -> Iterator[UsedPrivately]:
    """All accesses have one index, and no two work-items the same."""
    first = found[0]
    modes = {each.mode for each in found}
    if modes != {AccessMode.READ, AccessMode.WRITE} or any(
        each.indices != first.indices or each.view for each in found
    ):
        return
    if None in first.indices or any(
        each.kind not in (AtomKind.LOCAL, AtomKind.LOCAL_RANGE) for each in first.index_atoms
    ):
        return
    if all(_is_injective(first, solver, sample) for sample in solver.samples):
        yield UsedPrivately(memory.name, memory.location, first.text, memory.bytes, len(found))


def _is_injective(access: Access, solver: CollisionSolver, sample: SampledGroup) -> bool:
    elements = [element for _, element in solver.indices(access, sample)]
    return len(elements) == len(sample.lanes) and len(set(elements)) == len(elements)
