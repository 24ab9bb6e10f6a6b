"""Conflicts in local memory: accesses by different work-items to one element that no barrier separates.

The events of a kernel are passed in order. What happened since the last barrier on any way here is kept, and each new
access is tried against it. A body that holds a barrier is passed twice, so that the end of one iteration meets the
beginning of the next.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from enum import Enum

from sycllint.device_code.access_trace.terms import Atom, AtomKind, Operation, varies
from sycllint.device_code.access_trace.trace import (
    Access,
    AccessMode,
    Cycle,
    Event,
    FollowedCall,
    Fork,
    Guard,
    LoopHead,
    Space,
    Sync,
    SyncScope,
    inside,
)
from sycllint.device_code.races.collision_solver import Collision, CollisionSolver, Visit
from sycllint.record import field, mutable, record, replace, unique
from sycllint.source.span import Location

MAX_PAIRS = 600
"""Pairs of accesses that are tried in one kernel."""
MAX_PENDING = 60
"""Accesses kept since the last barrier."""


class Order(Enum):
    """Which of two accesses comes first in the text."""

    READ_AFTER_WRITE = "read after write"
    WRITE_AFTER_READ = "write after read"


@record
class Conflict:
    """Two work-items of a group touch one element of local memory, one of them writes, and nothing orders them."""

    order: Order
    memory: str
    declared: Location
    """Where the memory is declared."""
    first: Location
    first_text: str
    second: Location
    second_text: str
    next_iteration: bool
    """``second`` is in the next iteration of a loop that both are in."""
    barriers: bool
    """The kernel holds a barrier somewhere, or what may be one."""
    update: bool
    """One is part of ``a op= b``, in whatever words."""
    whole: bool
    """Both are: several work-items update the element at once."""
    writer: int
    reader: int
    """Linear local ids of two work-items that meet."""
    proved: bool
    """No number had to be assumed."""
    near: bool = False
    """Only work-items of one sub-group meet, in a function for those: the author takes them to run in lockstep."""
    atomic: tuple[bool, ...] = (False, False)
    """Whether ``first`` and ``second`` are atomic."""
    divergent: bool = False
    """Both stand in one branch that not all work-items of the group take."""
    calls: tuple[FollowedCall, ...] = ()
    """Two calls of one function, where ``first`` is reached by the one and ``second`` by the other; else empty."""


_ORDERS = {
    (AccessMode.WRITE, AccessMode.READ): Order.READ_AFTER_WRITE,
    (AccessMode.WRITE, AccessMode.ATOMIC): Order.READ_AFTER_WRITE,
    (AccessMode.ATOMIC, AccessMode.READ): Order.READ_AFTER_WRITE,
    (AccessMode.READ, AccessMode.WRITE): Order.WRITE_AFTER_READ,
    (AccessMode.STORE, AccessMode.ATOMIC): Order.READ_AFTER_WRITE,
    (AccessMode.ATOMIC, AccessMode.WRITE): Order.WRITE_AFTER_READ,
}
"""Pairs of accesses that need an order, and which of the two waits for the other. To read what others then update
atomically is usual: it spares the atomic."""


@unique
class _Pending:
    """An access since the last barrier of the group; ``far`` once its sub-group has synchronised."""

    visit: Visit
    far: bool = False


@mutable
class _Interval:
    """What happened since the last barrier, on some way here."""

    pending: list[_Pending] = field(default_factory=list)

    def copy(self) -> _Interval:
        return _Interval(list(self.pending))


def exchanges(solver: CollisionSolver, events: tuple[Event, ...], accesses: Sequence[Access]) -> Iterator[Conflict]:
    """Reads of global memory that another work-item of the group wrote before; none where atomics may order them."""
    written = {
        id(each.memory) for each in accesses if each.mode is AccessMode.WRITE and each.memory.space is Space.GLOBAL
    }
    if not written or not any(each.mode is AccessMode.READ and id(each.memory) in written for each in accesses):
        return
    if any(each.mode in (AccessMode.ATOMIC, AccessMode.STORE) for each in accesses):
        return
    for conflict in Intervals(solver, events, Space.GLOBAL).conflicts():
        if conflict.order is Order.READ_AFTER_WRITE and conflict.barriers and not conflict.near:
            yield replace(conflict, proved=False)


class Intervals:
    """One pass over the events of a kernel."""

    def __init__(self, solver: CollisionSolver, events: tuple[Event, ...], space: Space = Space.LOCAL) -> None:
        self._solver = solver
        self._events = events
        self._space = space
        self._barriers = False
        by_mode: dict[str, set[int]] = {mode.value: set() for mode in AccessMode}
        for each in inside(events):
            if isinstance(each, Sync):
                self._barriers = self._barriers or each.waits
            elif each.memory.space is space and not each.memory.lost:
                by_mode[each.mode._value_].add(id(each.memory))
        # What is stored and loaded atomically alone orders work-items itself.
        read, written, updated, stored = (by_mode[mode.value] for mode in AccessMode)
        self._shared = (read & written) | (updated & (read | written | stored))
        """The local memories, by identity, in which there can be a conflict."""
        self._pairs = 0
        self._found: dict[tuple[AccessMode, Location], Conflict] = {}

    def conflicts(self) -> tuple[Conflict, ...]:
        """The first conflict of each kind at each place, in the order in which they are met."""
        if self._shared:
            self._pass(self._events, _Interval(), {})
        return tuple(_without_echoes(self._found.values()))

    def _pass(self, events: tuple[Event, ...], interval: _Interval, offsets: dict[LoopHead, int]) -> None:
        for event in events:
            match event:
                case Access():
                    self._access(event, interval, offsets)
                case Sync(scope=SyncScope.WORK_GROUP):
                    interval.pending.clear()
                case Sync():
                    interval.pending[:] = [_Pending(each.visit, True) for each in interval.pending]
                case Fork():
                    self._fork(event, interval, offsets)
                case Cycle(head=head, events=body):
                    self._cycle(head, body, interval, offsets)

    def _fork(self, fork: Fork, interval: _Interval, offsets: dict[LoopHead, int]) -> None:
        """What is pending after any arm; what was before it, only when no arm can have ordered it."""
        before = interval.pending[:]
        ends: list[_Pending] = []
        for arm in fork.arms:
            inner = interval.copy()
            self._pass(arm, inner, offsets)
            ends += inner.pending
        kept = dict.fromkeys(ends)
        if fork.scope is SyncScope.WORK_GROUP:
            for each in before:
                kept.pop(each, None)
        interval.pending[:] = kept

    def _cycle(
        self, head: LoopHead, body: tuple[Event, ...], interval: _Interval, offsets: dict[LoopHead, int]
    ) -> None:
        before = interval.pending[:]
        # Without a barrier work-items are in any two iterations; the second pass meets the end of an earlier one.
        for number in (0, 1) if head.synchronises else (0, 0):
            self._pass(body, interval, {**offsets, head: number})
        if head.synchronises is SyncScope.WORK_GROUP:
            kept = dict.fromkeys(interval.pending)
            for each in before:
                kept.pop(each, None)
            interval.pending[:] = kept

    def _access(self, access: Access, interval: _Interval, offsets: dict[LoopHead, int]) -> None:
        if access.mode is AccessMode.ATOMIC and not access.update:
            return
        if id(access.memory) not in self._shared or not access.possible:
            return
        if self._space is Space.GLOBAL and not (access.sure and access.memory.followed):
            return
        visit = Visit(access, tuple((head, offsets[head]) for head in access.loops if head in offsets))
        known = False
        for each in interval.pending:
            before = each.visit.access
            if before is access:
                known = known or each.visit.offsets == visit.offsets
            elif before.memory is access.memory and (before.mode, access.mode) in _ORDERS:
                self._pair(each, visit)
        if len(interval.pending) < MAX_PENDING and not known:
            interval.pending.append(_Pending(visit))

    def _pair(self, pending: _Pending, visit: Visit) -> None:
        first, second = pending.visit.access, visit.access
        if first.by_data and second.by_data and not (_is_update(first, second) and _counts(first, second)):
            return
        if first.view != second.view or self._pairs >= MAX_PAIRS:
            return
        key = (first.mode, second.location)
        if key in self._found or _harmless(first, second):
            return
        self._pairs += 1
        meeting = self._solver.collision(pending.visit, visit, far=pending.far)
        if meeting is not None:
            self._found[key] = self._conflict(pending.visit, visit, meeting)

    def _conflict(self, first: Visit, second: Visit, meeting: Collision) -> Conflict:
        a, b = first.access, second.access
        after_write = _ORDERS[a.mode, b.mode] is Order.READ_AFTER_WRITE
        near = a.memory.aside and self._barriers and self._solver.collision(first, second, far=True) is None
        one, other = self._linear(meeting.first), self._linear(meeting.second)
        later = any(first.offset(head) < second.offset(head) for head in a.loops if head in b.loops)
        return Conflict(
            order=_ORDERS[a.mode, b.mode],
            memory=a.memory.name,
            declared=a.memory.location,
            first=a.location,
            first_text=a.text,
            second=b.location,
            second_text=b.text,
            next_iteration=later,
            barriers=self._barriers,
            update=a.update or b.update,
            whole=_is_update(a, b),
            writer=one if after_write else other,
            reader=other if after_write else one,
            proved=meeting.proved and not near and not {AccessMode.ATOMIC, AccessMode.STORE} & {a.mode, b.mode},
            near=near,
            atomic=tuple(each.mode is AccessMode.ATOMIC for each in (a, b)),
            divergent=any(each in b.guards and _parts_group(each) for each in a.guards),
            calls=_calls_of_one(a, b),
        )

    def _linear(self, lane: tuple[int, ...]) -> int:
        linear = 0
        for each, extent in zip(lane, self._solver.samples[0].local, strict=True):
            linear = linear * extent + each
        return linear


def _is_update(first: Access, second: Access) -> bool:
    """Whether two accesses are the read and the write of one ``a op= b``."""
    return first.update and second.update and first.location == second.location


def _counts(first: Access, second: Access) -> bool:
    """Whether an update at an index from data counts: others may be of elements that the data give to one each."""
    return first.by_data_alone and (first.counts or second.counts)


def _calls_of_one(first: Access, second: Access) -> tuple[FollowedCall, ...]:
    """The two calls of one function in which the ways to two accesses part; empty where they do not part so."""
    parted = next((pair for pair in zip(first.calls, second.calls, strict=False) if pair[0] != pair[1]), None)
    return parted if parted is not None and parted[0].function == parted[1].function else ()


def _parts_group(guard: Guard) -> bool:
    """Whether it holds for some work-items of a group only, as far as is known."""
    return (guard.doubt is not None and not guard.doubt.agreed) or (guard.term is not None and varies(guard.term))


def _without_echoes(found: Iterable[Conflict]) -> Iterator[Conflict]:
    """Without what is said again: in lockstep every step but the first meets the one before it."""
    reported: set[Location] = set()
    for each in found:
        if not each.near or each.declared not in reported:
            yield each
        if each.near:
            reported.add(each.declared)


def _harmless(first: Access, second: Access) -> bool:
    """Whether no work-item can see a difference: the reader has just written that very value itself, or it was there.

    The first is ``found = false; … while (!found)`` by all work-items, the second ``if (found) found = true``.
    """
    if first.mode is AccessMode.ATOMIC and any(
        head in second.loops for head in first.loops if head.synchronises is None
    ):
        # Work-items often ask once more what others have made of it meanwhile.
        return True
    if first.mode is AccessMode.WRITE:
        return first.by_all_alike
    if first.mode is AccessMode.ATOMIC:
        return False
    if any(each.doubt is not None and id(first.memory) in each.doubt.memories for each in second.guards):
        # What is written depends on what was read there: a work-item that reads what it could spoil may not write it.
        return True
    if not second.by_all_alike or not isinstance(second.value, int) or not second.value:
        return False
    return any(
        isinstance(each.term, Operation)
        and each.term.operator == "!="
        and isinstance(each.term.operands[0], Atom)
        and each.term.operands[0].kind is AtomKind.FRESH
        and each.term.operands[0].text == second.text
        for each in second.guards
    )
