"""Stencils in global memory: arrays of which each work-item reads its own element and those around it."""

from collections import Counter
from collections.abc import Iterator, Sequence
from math import prod

from sycllint.cpp.expression import Index
from sycllint.cpp.statement import Loop
from sycllint.device_code.access_trace.trace import Access, AccessMode, MemoryObject, Space, accesses_of
from sycllint.device_code.access_trace.tracing import walked
from sycllint.device_code.affine.subscripts import element_bytes, root_of
from sycllint.device_code.code import KernelCode
from sycllint.device_code.races.whole_groups import WholeGroup, inner_group
from sycllint.device_code.spelling import spelled
from sycllint.grouping import grouped
from sycllint.record import record
from sycllint.source.span import Location

MAX_REACH = 32
"""Elements between the first and the last that a work-item reads along one dimension: what is farther is no stencil."""
_ROW = 10**9
"""Elements between rows of an accessor with several dimensions, whose lengths do not matter: more than in any index."""
_FEW = 3
"""Work-items that read one element; below that, a tile saves nothing that its barrier would not cost."""


@record
class Stencil:
    """An array that work-items of one group read several times over, and no local memory in the kernel."""

    array: str
    location: Location
    text: str
    """One read."""
    readers: int
    """Work-items of a group that read one element, where most do."""
    extents: tuple[int, ...]
    """The local range."""
    tile: tuple[int, ...]
    """The elements that a group reads, in the dimensions of its local range."""
    element_bytes: int | None


def stencils(code: KernelCode) -> Iterator[Stencil]:
    """At most one for each array that the kernel only reads."""
    group = inner_group(code.geometry)
    if group is None or not _may_repeat(code):
        return
    trace = walked(code)
    if trace is None or any(each.space is Space.LOCAL for each in trace.memories):
        return
    reads = grouped((id(each.memory), each) for each in accesses_of(trace))
    for found in reads.values():
        memory = found[0].memory
        seen = memory.space is Space.GLOBAL and not (memory.lost or memory.viewed)
        repeated = any(each.loops for each in found) or len({each.indices for each in found}) >= _FEW
        if seen and repeated and all(each.mode is AccessMode.READ for each in found):
            stencil = _stencil(code, group, memory, found)
            if stencil is not None:
                yield stencil


def _may_repeat(code: KernelCode) -> bool:
    """Whether some array is subscripted several times, in a loop, or in a function that may be called several times."""
    if code.local or code.scan.local:
        return False
    for number, body in enumerate(code.bodies):
        spots = body.of(Index)
        roots = Counter(spelled(root) for each in spots if (root := root_of(each.node)) is not None)
        looped = any(isinstance(node, Loop) for each in spots for node in each.place.chain())
        if looped or any(count >= _FEW for count in roots.values()) or (number and spots):
            return True
    return False


def _stencil(code: KernelCode, group: WholeGroup, memory: MemoryObject, reads: Sequence[Access]) -> Stencil | None:
    own = _offsets(group, reads)
    if own is None:
        return None
    first, offsets = own
    steps = _steps(group, first, reads)
    if not steps or not _follows(group, first, steps):
        return None
    widths = _widths(offsets, steps)
    readers = max(Counter(start + each for start in first for each in offsets).values())
    if widths is None or readers < _FEW:
        return None
    access = reads[0]
    tile = tuple(extent + width for extent, width in zip(group.extents, widths, strict=True))
    return Stencil(
        memory.name, access.location, access.text, readers, group.extents, tile, _bytes(code, access.location)
    )


def _offsets(group: WholeGroup, reads: Sequence[Access]) -> tuple[list[int], tuple[int, ...]] | None:
    """The first element of each work-item, and how far those that it reads are from it, when that is alike for all."""
    elements: list[set[int]] = [set() for _ in group.lanes]
    for access in reads:
        reached = group.reached(access)
        if reached is None:
            return None
        for lane, element in reached:
            elements[lane].add(_linear(element))
    if not all(elements):
        return None
    first = [min(each) for each in elements]
    shapes = {tuple(sorted(each - start for each in own)) for own, start in zip(elements, first, strict=True)}
    return (first, shapes.pop()) if len(shapes) == 1 else None


def _linear(element: Sequence[int]) -> int:
    total = 0
    for each in element:
        total = total * _ROW + each
    return total


def _steps(group: WholeGroup, first: Sequence[int], reads: Sequence[Access]) -> list[int]:
    """Elements between neighbours in each dimension; empty when they share one, or that is not known.

    Where a group has but one work-item, by the next group: 0 when there is none.
    """
    steps: list[int] = []
    for dimension, extent in enumerate(group.extents):
        if extent > 1:
            steps.append(first[prod(group.extents[dimension + 1 :])] - first[0])
        else:
            beside = _offsets(group.next(dimension), reads)
            steps.append(beside[0][0] - first[0] if beside is not None else 0)
    shared = any(step == 0 < extent - 1 for step, extent in zip(steps, group.extents, strict=True))
    return [] if shared else steps


def _follows(group: WholeGroup, first: Sequence[int], steps: Sequence[int]) -> bool:
    """Whether the element of a work-item is its local ids times ``steps``, in all of the group."""
    return all(
        start - first[0] == sum(one * step for one, step in zip(lane, steps, strict=True))
        for lane, start in zip(group.lanes, first, strict=True)
    )


def _widths(offsets: Sequence[int], steps: Sequence[int]) -> list[int] | None:
    """How far the elements around a work-item's own reach along each dimension; ``None`` when they are no such."""
    order = sorted(range(len(steps)), key=lambda each: -abs(steps[each]))
    along: list[list[int]] = [[] for _ in steps]
    for offset in offsets:
        rest = offset
        for dimension in order:
            whole = round(rest / steps[dimension]) if steps[dimension] else 0
            along[dimension].append(whole)
            rest -= whole * steps[dimension]
        if rest:
            return None
    widths = [max(each) - min(each) for each in along]
    return widths if max(widths) <= MAX_REACH else None


def _bytes(code: KernelCode, location: Location) -> int | None:
    """The size of the element that is read at ``location``."""
    for body in code.bodies:
        for spot in body.of(Index):
            if code.reading.location(spot) == location:
                return element_bytes(code, spot)
    return None
