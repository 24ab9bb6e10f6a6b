"""How work-items lie next to each other in a local memory, and how far into it they reach."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise, product
from math import prod
from typing import TYPE_CHECKING

from sycllint.kernel.meetings import Lane, Lanes
from sycllint.kernel.terms import Atom, Kind, Term, UndefinedError, atoms, evaluate
from sycllint.kernel.trace import Access, Memory, Space
from sycllint.record import record
from sycllint.source.span import Location
from sycllint.values.value import known

if TYPE_CHECKING:
    from sycllint.kernel.analyses import Geometry

NEIGHBOURS = 16
"""Work-items whose elements must be equally far from each other."""
MAX_GROUP = 1024
"""Work-items that are all tried for the last element; no device has larger groups (``sycllint devices``)."""
MAX_ACCESSES = 12
_FIXED = frozenset({Kind.LOCAL, Kind.LOCAL_RANGE})
_MOVING = (Kind.COUNTER, Kind.GROUP)
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


def layout(accesses: Sequence[Access], lanes: Lanes, geometry: Geometry) -> Iterator[Stride | Reach]:
    """What is seen of each local memory whose elements and range are known."""
    local = tuple(known(each) for each in geometry.local or ())
    groups: dict[int, tuple[Memory, list[Access]]] = {}
    for each in accesses:
        if each.memory.space is Space.LOCAL and each.memory.followed:
            groups.setdefault(id(each.memory), (each.memory, []))[1].append(each)
    for memory, found in groups.values():
        extents = tuple(known(each) for each in memory.extents)
        count, size = known(memory.count), known(memory.bytes)
        if not count or not size or None in local or None in extents or len(extents) != memory.rank:
            continue
        group = tuple(each for each in local if each is not None)
        shape = tuple(each for each in extents if each is not None)
        yield from _strides(memory, found, group, shape, size // count)
        highest = _reach(found, lanes, group, shape) if len(found) <= MAX_ACCESSES else None
        if highest is not None and highest[0] + 1 < count:
            yield Reach(memory.name, memory.location, highest[0], count, size, highest[1])


def _strides(
    memory: Memory, found: list[Access], group: tuple[int, ...], shape: tuple[int, ...], element: int
) -> Iterator[Stride]:
    if not group or group[-1] < NEIGHBOURS:
        return
    told: set[Location] = set()
    row: list[Lane] = [(*(0,) * (len(group) - 1), each) for each in range(NEIGHBOURS)]
    for access in found:
        if access.location in told or access.view or not access.sure or len(access.indices) != len(shape):
            continue
        apart = {_distance(access, row, group, shape, moving) for moving in _TRIES}
        distance = apart.pop()
        if not apart and distance:
            told.add(access.location)
            yield Stride(memory.name, memory.location, access.location, access.text, abs(distance) * element, element)


def _distance(
    access: Access, row: list[Lane], group: tuple[int, ...], shape: tuple[int, ...], moving: int
) -> int | None:
    """Elements from one work-item of a row to the next; ``None`` when it changes, or is not known."""
    inside = frozenset().union(*(atoms(each) for each in access.indices if each is not None))
    if any(each.kind not in _FIXED and each.kind not in _MOVING for each in inside):
        return None
    numbers = {each: moving for each in inside if each.kind in _MOVING}
    offsets: list[int] = []
    for lane in row:
        at = _placed(lane, group, numbers)
        offset = _offset(access, shape, at)
        if offset is None or not _comes(access, at):
            return None
        offsets.append(offset)
    steps = {after - before for before, after in pairwise(offsets)}
    return steps.pop() if len(steps) == 1 else None


def _placed(lane: Lane, group: tuple[int, ...], numbers: Mapping[Atom, int]) -> dict[Atom, int]:
    """The ids of one work-item, with the local range and ``numbers``."""
    at = dict(numbers)
    for dimension, (own, extent) in enumerate(zip(lane, group, strict=True)):
        at[Atom(Kind.LOCAL, dimension)] = own
        at[Atom(Kind.LOCAL_RANGE, dimension)] = extent
    return at


def _offset(access: Access, shape: tuple[int, ...], at: Mapping[Atom, int]) -> int | None:
    """The element in the order of memory; ``None`` when it is not known, or beyond an extent."""
    offset = 0
    for index, extent in zip(access.indices, shape, strict=True):
        number = _number(index, at)
        if number is None:
            return None
        offset = offset * extent + number
    return offset


def _number(term: Term | None, at: Mapping[Atom, int]) -> int | None:
    if term is None:
        return None
    try:
        return evaluate(term, at)
    except (UndefinedError, KeyError):
        return None


def _comes(access: Access, at: Mapping[Atom, int]) -> bool:
    """Whether the work-item makes the access, when those of its group do that are within the bounds of the data."""
    for guard in access.guards:
        if guard.term is None:
            return False
        kinds = {each.kind for each in atoms(guard.term)}
        if Kind.GROUP in kinds or Kind.LOCAL not in kinds:
            continue
        if not _number(guard.term, at):
            return False
    return True


def _reach(
    found: list[Access], lanes: Lanes, group: tuple[int, ...], shape: tuple[int, ...]
) -> tuple[int, Location] | None:
    """The last element accessed, and where; ``None`` when an access is not the same in every iteration and group."""
    if not lanes.certain or prod(group) > MAX_GROUP or not all(_is_fixed(each, shape) for each in found):
        return None
    half = prod(shape) // 2
    # Some of them show at once that most of the memory is used.
    for tried in (lanes.worlds[0].lanes, tuple(product(*(range(extent) for extent in group)))):
        highest = max((_last(each, tried, group, shape), each.location.span.start, each.location) for each in found)
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


def _last(access: Access, tried: Sequence[Lane], group: tuple[int, ...], shape: tuple[int, ...]) -> int:
    """The last element that one of the work-items accesses; -1 when none does, all of them when one is not known."""
    highest = -1
    for lane in tried:
        at = _placed(lane, group, {})
        if _comes(access, at):
            offset = _offset(access, shape, at)
            if offset is None:
                return prod(shape)
            highest = max(highest, offset)
    return highest
