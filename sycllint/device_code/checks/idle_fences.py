"""Barriers that order local memory only, in kernels whose work-items share nothing that a barrier could order."""

from __future__ import annotations

from collections.abc import Iterator

from sycllint.device_code.access_trace.terms import Atom, AtomKind, Term, atoms, slope
from sycllint.device_code.access_trace.trace import Access, AccessMode, Fence, Space, Sync, SyncScope, Trace, inside
from sycllint.device_code.checks.idle_barriers import IdleBarrier, Reason

_FIXED = frozenset({AtomKind.LOCAL, AtomKind.GROUP, AtomKind.LOCAL_RANGE, AtomKind.GROUP_RANGE, AtomKind.GIVEN})
"""Numbers that stay what they are while a work-item runs."""


def idle_fences(trace: Trace, dims: int | None) -> Iterator[IdleBarrier]:
    """The barriers for local memory of a kernel without any, where each work-item keeps to elements of its own."""
    events = list(inside(trace.events))
    barriers = [each for each in events if isinstance(each, Sync)]
    accesses = [each for each in events if isinstance(each, Access)]
    is_followed = all(each.space is Space.GLOBAL and not (each.lost or each.viewed) for each in trace.memories)
    if dims is None or not is_followed or not all(each.seen for each in barriers):
        return
    if any(each.scope is SyncScope.WORK_GROUP and each.fence is not Fence.LOCAL for each in barriers):
        # It orders for whom the others need not.
        return
    if _are_own(accesses, dims):
        for location in dict.fromkeys(each.location for each in barriers if each.fence is Fence.LOCAL):
            yield IdleBarrier(location, Reason.NO_LOCAL)


def _are_own(accesses: list[Access], dims: int) -> bool:
    """Whether no work-item touches an element that another one writes; elements are told apart by known indices."""
    written = {id(each.memory) for each in accesses if each.mode is not AccessMode.READ}
    places: dict[int, tuple[Term | None, ...]] = {}
    for access in accesses:
        if id(access.memory) not in written:
            continue
        is_own = access.mode in (AccessMode.READ, AccessMode.WRITE) and _is_own(access.indices, dims)
        if not is_own or places.setdefault(id(access.memory), access.indices) != access.indices:
            return False
    return bool(written)


def _is_own(indices: tuple[Term | None, ...], dims: int) -> bool:
    """Whether an index is one work-item's: it grows with each local id, and stays the same while the kernel runs."""
    if len(indices) != 1 or indices[0] is None:
        return False
    index, used = indices[0], atoms(indices[0])
    own = [each for each in used if each.kind is AtomKind.LOCAL]
    is_fixed = all(each.kind in _FIXED for each in used)
    return is_fixed and len(own) == dims and all(_grows(index, each) for each in own)


def _grows(index: Term, own: Atom) -> bool:
    return bool(slope(index, own))
