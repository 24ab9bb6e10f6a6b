"""Local memory by which only the work-items of one sub-group exchange data, as shuffles do without any."""

from collections.abc import Iterator, Sequence
from itertools import product
from math import prod

from sycllint.device_code.access_trace.terms import AtomKind
from sycllint.device_code.access_trace.trace import Access, AccessMode, by_local_memory
from sycllint.device_code.limits import LARGEST
from sycllint.device_code.races.collision_solver import CollisionSolver
from sycllint.device_code.races.sampled_groups import SampledGroup
from sycllint.record import record, replace
from sycllint.source.span import Location
from sycllint.values.value import Value


@record
class WithinSubGroup:
    """A local memory of which each work-item reads only what its own sub-group wrote, and some read a neighbour's."""

    memory: str
    declared: Location
    location: Location
    """Of a read of a neighbour's element."""
    text: str
    width: int
    bytes: Value | None


def within_sub_groups(accesses: Sequence[Access], solver: CollisionSolver) -> Iterator[WithinSubGroup]:
    """Such memories of a launch whose group and sub-group sizes are known, where nothing is left out by a condition."""
    if not (solver.certain and solver.width_known):
        return
    sample = solver.samples[0]
    items = prod(sample.local)
    if items > LARGEST or items % sample.width or items <= sample.width:
        return
    everyone = _everyone(sample)
    for memory, found in by_local_memory(accesses):
        read = _neighbour(found, solver, everyone) if all(map(_is_plain, found)) else None
        if read is not None:
            yield WithinSubGroup(memory.name, memory.location, read.location, read.text, sample.width, memory.bytes)


def _everyone(sample: SampledGroup) -> SampledGroup:
    """The group with all of its work-items."""
    lanes = tuple(product(*map(range, sample.local)))
    return replace(sample, lanes=lanes, ids=tuple(zip(*lanes, strict=True)))


def _is_plain(access: Access) -> bool:
    """Whether all work-items make the access once, each at an element that its local id decides."""
    if (
        access.guards
        or access.loops
        or access.view
        or not access.sure
        or access.mode not in (AccessMode.READ, AccessMode.WRITE)
    ):
        return False
    return all(each.kind in (AtomKind.LOCAL, AtomKind.LOCAL_RANGE) for each in access.index_atoms)


def _neighbour(found: list[Access], solver: CollisionSolver, sample: SampledGroup) -> Access | None:
    """A read of what another work-item wrote, when each is of the reader's own sub-group."""
    writes = [each for each in found if each.mode is AccessMode.WRITE]
    if len(writes) != 1:
        return None
    writers = {element: lane for lane, element in solver.indices(writes[0], sample)}
    if len(writers) != len(sample.lanes):
        return None
    across: Access | None = None
    for access in found:
        for lane, element in solver.indices(access, sample) if access is not writes[0] else ():
            writer = writers.get(element)
            if writer is None or sample.sub_group(writer, sample.width) != sample.sub_group(lane, sample.width):
                return None
            if writer != lane:
                across = across or access
    return across
