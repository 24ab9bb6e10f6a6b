"""Arrays that work-items change in place: one writes what another one reads, in kernels without barriers."""

from collections.abc import Iterator, Sequence

from sycllint.device_code.access_trace.trace import Access, AccessMode, Event, Space, Sync, inside
from sycllint.device_code.code import Geometry
from sycllint.device_code.races.barrier_intervals import Intervals, Order
from sycllint.device_code.races.collision_solver import collision_solver
from sycllint.record import record, replace
from sycllint.source.span import Location
from sycllint.values.value import Known, known

_ORDERING = (AccessMode.ATOMIC, AccessMode.STORE)
_SHAPES = ((64,), (8, 8), (4, 4, 4))
"""Groups that stand for those of a launch whose runtime chooses them."""


@record
class InPlace:
    """A work-item writes an element of global memory that another one reads, and nothing orders the two."""

    memory: str
    read: Location
    read_text: str
    write: Location
    write_text: str


def in_place(events: tuple[Event, ...], accesses: Sequence[Access], geometry: Geometry) -> Iterator[InPlace]:
    """One for each array; none where anything may order the work-items."""
    read, written = (
        {id(each.memory): each.memory for each in accesses if each.mode is mode and each.memory.space is Space.GLOBAL}
        for mode in (AccessMode.READ, AccessMode.WRITE)
    )
    both = {each.name for key, each in read.items() if key in written and not each.of_objects}
    if not both or any(isinstance(each, Sync) or each.mode in _ORDERING for each in inside(events)):
        return
    solver = collision_solver(_grouped(geometry), accesses)
    if solver is None:
        return
    for each in Intervals(solver, events, Space.GLOBAL).conflicts():
        if each.first_text == each.second_text or each.memory not in both:
            continue
        both.remove(each.memory)
        places = (each.first, each.first_text), (each.second, each.second_text)
        writes, reads = places if each.order is Order.READ_AFTER_WRITE else reversed(places)
        yield InPlace(each.memory, *reads, *writes)


def _grouped(geometry: Geometry) -> Geometry:
    """The launch with a shape of its groups."""
    if geometry.local is not None or not geometry.whole:
        return geometry
    extents = zip(_SHAPES[len(geometry.whole) - 1], map(known, geometry.whole), strict=True)
    return replace(geometry, local=tuple([Known(usual if n is None else min(usual, n)) for usual, n in extents]))
