"""How work-items lie next to each other in a local memory, and how far into it they reach."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import compress, pairwise, product, repeat
from math import prod

from sycllint.device_code.access_trace.terms import (
    Atom,
    AtomKind,
    AtomValues,
    Column,
    LocalIds,
    UndefinedError,
    along,
    atoms,
    column,
    every,
    slope,
)
from sycllint.device_code.access_trace.trace import Access, MemoryObject, by_local_memory
from sycllint.device_code.code import Geometry
from sycllint.device_code.limits import LARGEST
from sycllint.device_code.races.collision_solver import CollisionSolver
from sycllint.record import record
from sycllint.source.span import Location
from sycllint.values.value import all_known, known

NEIGHBOURS = 16
"""Work-items whose elements must be equally far from each other."""
MAX_ACCESSES = 12
_FIXED = frozenset({AtomKind.LOCAL, AtomKind.LOCAL_RANGE})
_MOVING = (AtomKind.COUNTER, AtomKind.GROUP)
_TRIES = (0, 3)
"""Numbers of iterations and of groups between which the distance must not change."""


@record
class Stride:
    """Neighbouring work-items access elements of a local memory that lie apart."""

    memory: str
    declared: Location
    location: Location
    text: str
    bytes: int
    """From the element of one work-item to that of the next."""
    element: int
    """Bytes of one element."""


@record
class Reach:
    """The last element of a local memory that any work-item accesses, where there are more."""

    memory: str
    declared: Location
    highest: int
    count: int
    bytes: int
    """Of the whole memory."""
    location: Location
    """The access that reaches farthest."""


def layout(accesses: Sequence[Access], solver: CollisionSolver, geometry: Geometry) -> Iterator[Stride | Reach]:
    """What is seen of each local memory whose elements and range are known."""
    group = all_known(geometry.local or ())
    if group is None:
        return
    for memory, found in by_local_memory(accesses):
        shape = all_known(memory.extents)
        count, size = known(memory.count), known(memory.bytes)
        if not count or not size or shape is None or len(shape) != memory.rank:
            continue
        yield from _strides(memory, found, group, shape, size // count)
        highest = _reach(found, solver, group, shape) if len(found) <= MAX_ACCESSES else None
        if highest is not None and highest[0] + 1 < count:
            yield Reach(memory.name, memory.location, highest[0], count, size, highest[1])


def _ranges(group: tuple[int, ...]) -> dict[Atom, int]:
    return {Atom(AtomKind.LOCAL_RANGE, dimension): extent for dimension, extent in enumerate(group)}


def _flat(indices: Iterable[int | Column], shape: tuple[int, ...]) -> int | Column:
    """The element in the order of memory."""
    offset: int | Column = 0
    for index, extent in zip(indices, shape, strict=True):
        offset = along(lambda rows, one, extent=extent: rows * extent + one, (offset, index))
    return offset


def _offsets(access: Access, shape: tuple[int, ...], numbers: AtomValues, ids: LocalIds) -> int | Column | None:
    """The element that each work-item accesses; ``None`` when it is not known for one of them."""
    try:
        return _flat([column(each, numbers, ids) for each in access.indices if each is not None], shape)
    except (UndefinedError, LookupError):
        return None


def _comes(access: Access, numbers: AtomValues, ids: LocalIds) -> int | Column | None:
    """Which work-items make the access, when those of its group do that are within the bounds of the data.

    ``None`` when a condition is not known.
    """
    conditions: list[int | Column] = []
    for guard in access.guards:
        if guard.term is None:
            return None
        kinds = {each.kind for each in atoms(guard.term)}
        if AtomKind.GROUP in kinds or AtomKind.LOCAL not in kinds:
            continue
        try:
            conditions.append(column(guard.term, numbers, ids))
        except (UndefinedError, LookupError):
            return None
    return along(every, conditions)


# ------------------------------------------------------------------- strides


def _strides(
    memory: MemoryObject, found: list[Access], group: tuple[int, ...], shape: tuple[int, ...], element: int
) -> Iterator[Stride]:
    if not group or group[-1] < NEIGHBOURS:
        return
    reported: set[Location] = set()
    for access in found:
        if access.location in reported or access.view or not access.sure or len(access.indices) != len(shape):
            continue
        distance = abs(_distance(access, group, shape) or 0)
        if distance > 1:
            reported.add(access.location)
            yield Stride(memory.name, memory.location, access.location, access.text, distance * element, element)


def _distance(access: Access, group: tuple[int, ...], shape: tuple[int, ...]) -> int | None:
    """Elements from one work-item of a row to the next; ``None`` when it changes, or is not known."""
    terms = [each for each in access.indices if each is not None]
    own = Atom(AtomKind.LOCAL, len(group) - 1)
    slopes = [each for each in (slope(term, own) for term in terms) if each is not None]
    if len(slopes) == len(terms) and _flat(slopes, shape) in (-1, 0, 1):
        # Most are neighbours, or all at one element: there nothing has to be tried.
        return None
    inside = frozenset().union(*map(atoms, terms))
    if any(each.kind not in _FIXED and each.kind not in _MOVING for each in inside):
        return None
    row: LocalIds = (*[0] * (len(group) - 1), range(NEIGHBOURS))
    apart: set[int | None] = set()
    for moving in _TRIES:
        numbers = _ranges(group) | {each: moving for each in inside if each.kind in _MOVING}
        offsets, comes = _offsets(access, shape, numbers, row), _comes(access, numbers, row)
        all_come = comes if comes is None or isinstance(comes, int) else all(comes)
        apart.add(_step(offsets) if offsets is not None and all_come else None)
    return apart.pop() if len(apart) == 1 else None


def _step(offsets: int | Column) -> int | None:
    """From each number to the next, when that is always the same."""
    if isinstance(offsets, int):
        return 0
    steps = {after - before for before, after in pairwise(offsets)}
    return steps.pop() if len(steps) == 1 else None


# --------------------------------------------------------------------- reach


def _reach(
    found: list[Access], solver: CollisionSolver, group: tuple[int, ...], shape: tuple[int, ...]
) -> tuple[int, Location] | None:
    """The last element accessed, and where; ``None`` when an access is not the same in every iteration and group."""
    if not solver.certain or prod(group) > LARGEST or not all(_is_fixed(each, shape) for each in found):
        return None
    half = prod(shape) // 2
    # Some of them show at once that most of the memory is used.
    for tried in (solver.samples[0].lanes, product(*(range(extent) for extent in group))):
        ids = tuple(zip(*tried, strict=True))
        highest = max((_last(each, ids, group, shape), each.location.span.start, each.location) for each in found)
        if not 0 <= highest[0] < half:
            return None
    return highest[0], highest[2]


def _is_fixed(access: Access, shape: tuple[int, ...]) -> bool:
    if not access.sure or access.view or len(access.indices) != len(shape) or None in access.indices:
        return False
    terms = [each for each in access.indices if each is not None]
    for guard in access.guards:
        if guard.term is None:
            return False
        terms.append(guard.term)
    return all(each.kind in _FIXED for term in terms for each in atoms(term))


def _last(access: Access, ids: Sequence[Column], group: tuple[int, ...], shape: tuple[int, ...]) -> int:
    """The last element that one of the work-items accesses; -1 when none does, all of them when one is not known."""
    numbers = _ranges(group)
    offsets, comes = _offsets(access, shape, numbers, ids), _comes(access, numbers, ids)
    if offsets is None or comes is None:
        return prod(shape)
    each_comes = repeat(comes, len(ids[0])) if isinstance(comes, int) else comes
    return max(compress(repeat(offsets) if isinstance(offsets, int) else offsets, each_comes), default=-1)
