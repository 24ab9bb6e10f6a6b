"""How the work-items of a kernel share global memory: across weak fences, in one element, across work-groups."""

from collections.abc import Collection, Iterator, Sequence
from enum import Enum
from functools import partial
from math import prod

from sycllint.device_code.access_trace.terms import READ, Atom, AtomKind, Operation, Term, atoms, below, conjuncts
from sycllint.device_code.access_trace.trace import (
    Access,
    AccessMode,
    Cycle,
    Event,
    Fence,
    Fork,
    LoopHead,
    MemoryObject,
    Space,
    Sync,
    SyncScope,
    inside,
)
from sycllint.device_code.code import Geometry
from sycllint.device_code.limits import LARGEST
from sycllint.device_code.races.collision_solver import CollisionSolver, Visit
from sycllint.record import field, mutable, record, unique
from sycllint.source.span import Location
from sycllint.values.value import Known, Symbolic, Value, all_known, known

MAX_PENDING = 40
_ORDERING = {Space.LOCAL: Fence.LOCAL, Space.GLOBAL: Fence.GLOBAL}
_IDS = (AtomKind.LOCAL, AtomKind.GROUP)
_NARROW = frozenset({"work_group", "sub_group", "work_item"})


@record
class WeakFence:
    """Work-items exchange memory of one kind across a barrier that orders only the other kind."""

    space: Space
    memory: str
    barrier: Location
    first: Location
    first_text: str
    second: Location
    second_text: str
    near: bool = False
    """It orders the memory within sub-groups, and the work-items are of two."""


@record
class NarrowAtomic:
    """An atomic update of global memory with the scope of a group, of an element that other groups update, too."""

    location: Location
    text: str
    scope: str


class Who(Enum):
    """Which work-items of a launch do something."""

    ALL = "all work-items"
    MANY = "many work-items"
    LEADERS = "one work-item of each work-group"


@record
class SharedSum:
    """Many work-items read, change and write one element of global memory, without an atomic."""

    memory: str
    location: Location
    text: str
    work_items: Value | None
    """Work-items of the launch, all of which do; ``None`` when unknown."""
    who: Who
    atomic: Location | None = None
    """Where others update it atomically at the same time."""


@record
class GroupOverwrite:
    """A work-group writes an element of global memory that another work-group reads in the same launch."""

    memory: str
    read: Location
    read_text: str
    write: Location
    write_text: str


# -------------------------------------------------------------------- fences


@unique
class _PendingVisit:
    visit: Visit
    barrier: Location | None = None
    """The barrier since then that does not order its memory."""
    near: bool = False
    """It orders that within sub-groups."""


@mutable
class _Fences:
    """One pass over the events, as for conflicts in local memory; kept is what no full fence has ordered."""

    solver: CollisionSolver
    exchanged: frozenset[int]
    """The memories, by identity, that can be exchanged across a weak fence."""
    found: dict[Location, WeakFence] = field(default_factory=dict)

    def through(self, events: tuple[Event, ...], pending: list[_PendingVisit], offsets: dict[LoopHead, int]) -> None:
        for event in events:
            match event:
                case Access():
                    self._access(event, pending, offsets)
                case Sync(seen=False) | Sync(scope=SyncScope.WORK_GROUP, fence=Fence.BOTH):
                    pending.clear()
                case Sync(scope=SyncScope.WORK_GROUP, fence=Fence.NEAR, location=location):
                    pending[:] = [
                        each if each.barrier is not None else _PendingVisit(each.visit, location, near=True)
                        for each in pending
                    ]
                case Sync(scope=SyncScope.WORK_GROUP, fence=fence, location=location):
                    ordered = Space.LOCAL if fence is Fence.LOCAL else Space.GLOBAL
                    pending[:] = [
                        _PendingVisit(each.visit, each.barrier or location, near=each.near)
                        for each in pending
                        if each.visit.access.memory.space is not ordered
                    ]
                case Fork(arms=arms):
                    self._fork(arms, pending, offsets)
                case Cycle(head=head, events=body):
                    for number in (0, 1) if head.synchronises else (0,):
                        self.through(body, pending, {**offsets, head: number})
                case _:
                    pass

    def _fork(
        self, arms: tuple[tuple[Event, ...], ...], pending: list[_PendingVisit], offsets: dict[LoopHead, int]
    ) -> None:
        ends: list[list[_PendingVisit]] = []
        for arm in arms:
            inner = list(pending)
            self.through(arm, inner, offsets)
            ends.append(inner)
        # What an arm has ordered, or put a barrier behind, counts as ordered.
        before = [each for each in pending if all(each in end for end in ends)]
        new = [each for end in ends for each in end if each not in pending]
        pending[:] = dict.fromkeys([*before, *new])

    def _access(self, access: Access, pending: list[_PendingVisit], offsets: dict[LoopHead, int]) -> None:
        if (
            id(access.memory) not in self.exchanged
            or (access.mode in (AccessMode.ATOMIC, AccessMode.STORE) and not _changes_local(access))
            or not access.possible
        ):
            return
        visit = Visit(access, tuple((head, offsets[head]) for head in access.loops if head in offsets))
        if access.mode is AccessMode.READ and access.location not in self.found:
            for each in pending:
                first = each.visit.access
                if first.memory is not access.memory or each.barrier is None or first.view != access.view:
                    continue
                if first.by_all_alike or (first.by_data and access.by_data and first.indices != (READ,)):
                    # What data choose behind an offset may be the work-item's own part.
                    continue
                if self.solver.collision(each.visit, visit, far=each.near) is not None:
                    self.found[access.location] = WeakFence(
                        access.memory.space,
                        access.memory.name,
                        each.barrier,
                        first.location,
                        first.text,
                        access.location,
                        access.text,
                        each.near,
                    )
                    return
        if access.mode is not AccessMode.READ and len(pending) < MAX_PENDING:
            pending.append(_PendingVisit(visit))


def _changes_local(access: Access) -> bool:
    """Whether local memory is changed atomically: that orders nothing for who reads it plainly later."""
    is_change = access.mode is AccessMode.STORE or (access.mode is AccessMode.ATOMIC and access.update)
    return is_change and access.memory.space is Space.LOCAL


def weak_fences(events: tuple[Event, ...], solver: CollisionSolver) -> Iterator[WeakFence]:
    """Exchanges across barriers of the wrong kind; one for each barrier and memory."""
    exchanged = _exchanged(events)
    if not exchanged:
        return
    fences = _Fences(solver, exchanged)
    fences.through(events, [], {})
    reported: set[tuple[Location, str]] = set()
    for each in fences.found.values():
        if (each.barrier, each.memory) not in reported:
            reported.add((each.barrier, each.memory))
            yield each


def _exchanged(events: tuple[Event, ...]) -> frozenset[int]:
    """The memories, by identity, that are read and written, and not ordered by some barrier of the kernel."""
    weak: set[Space] = set()
    written: set[int] = set()
    read: dict[int, MemoryObject] = {}
    for each in inside(events):
        if isinstance(each, Access):
            if each.mode is AccessMode.WRITE or _changes_local(each):
                written.add(id(each.memory))
            elif each.mode is AccessMode.READ:
                read[id(each.memory)] = each.memory
        elif each.fence is not Fence.BOTH:
            weak |= {space for space, fence in _ORDERING.items() if each.fence is not fence}
    return frozenset(key for key, each in read.items() if key in written and each.space in weak and each.followed)


# ---------------------------------------------------------------------- sums


def sums(accesses: Sequence[Access], geometry: Geometry) -> Iterator[SharedSum]:
    """Updates of one element by all work-items of a launch."""
    extents = geometry.whole
    if not extents:
        return
    exact = all_known(extents)
    if _is_of_one(geometry):
        return
    atomics = [each for each in accesses if each.mode in (AccessMode.ATOMIC, AccessMode.STORE)]
    locked = bool(atomics)
    between_groups = any(each.memory.space is Space.GLOBAL for each in atomics)
    for position, access in enumerate(accesses):
        if access.memory.space is not Space.GLOBAL or access.mode is not AccessMode.WRITE:
            continue
        if not (access.update or _reads_itself(accesses, position)):
            continue
        doubts = [each.doubt for each in access.guards if each.doubt is not None]
        if not access.memory.followed or None in access.indices:
            continue
        if access.by_data and (locked or not (access.by_data_alone and access.counts)):
            # Data may say which element is whose; but counting is for those of several.
            continue
        if not _is_understood(access):
            continue
        chosen = access.index_atoms
        kinds = {atom.kind for atom in chosen}
        if kinds & {AtomKind.FRESH, AtomKind.WIDTH}:
            continue
        tests = _tests(access)
        # Atomics in global memory may be a lock between the groups.
        if access.update and not (doubts or between_groups) and _is_of_each_group(access, geometry):
            yield SharedSum(access.memory.name, access.location, access.text, None, Who.LEADERS)
            continue
        if kinds & {*_IDS}:
            if not (locked or access.by_data or doubts) and _is_shared_in_a_dimension(chosen, tests, extents, accesses):
                yield SharedSum(access.memory.name, access.location, access.text, None, Who.MANY)
            continue
        picked = {atom.kind for each in tests for atom in atoms(each)}
        if not access.by_data and not doubts and not picked & {*_IDS, AtomKind.FRESH, AtomKind.WIDTH, AtomKind.GIVEN}:
            items = extents[0] if len(extents) == 1 and exact is not None else None
            yield SharedSum(access.memory.name, access.location, access.text, items, Who.ALL)
            continue
        who = _who(tests, geometry, by_data=bool(doubts))
        # A work-item that others wait for may hold a lock, or be the last one to come.
        if who is not None and not locked:
            yield SharedSum(access.memory.name, access.location, access.text, None, who)


def beside_atomics(accesses: Sequence[Access], geometry: Geometry) -> Iterator[SharedSum]:
    """Plain updates of elements that other work-items update atomically; one for each memory."""
    if not geometry.whole or _is_of_one(geometry):
        return
    atomics = [each for each in accesses if each.mode is AccessMode.ATOMIC and each.update and _is_chosen_alike(each)]
    for memory in {id(each.memory): each.memory for each in atomics}.values():
        for access in accesses:
            if access.memory is not memory or access.mode is not AccessMode.WRITE or not access.update:
                continue
            if not _is_chosen_alike(access):
                continue
            beside = next((each for each in atomics if each.memory is memory and _may_be_one(each, access)), None)
            if beside is not None:
                yield SharedSum(memory.name, access.location, access.text, None, Who.MANY, beside.location)
                break


def _is_of_each_group(access: Access, geometry: Geometry) -> bool:
    """Whether each of several work-groups updates the element with one of its work-items: no group's id chooses it."""
    kinds = {atom.kind for atom in access.index_atoms}
    if AtomKind.LOCAL not in kinds or AtomKind.GROUP in kinds or access.by_data or _one_group(geometry):
        return False
    if all_known(geometry.local or ()) is None:
        # What a caller chooses may be as much as there is.
        return False
    return not any(map(_is_of_group, _tests(access)))


def _is_chosen_alike(access: Access) -> bool:
    """Whether many work-items surely come to an access of global memory, and no id of theirs chooses the element."""
    if access.memory.space is not Space.GLOBAL or not access.memory.followed or None in access.indices:
        return False
    chosen = {atom.kind for atom in access.index_atoms}
    tests = ({atom.kind for atom in atoms(each)} for each in _tests(access) if not _is_bound(each))
    return (
        _is_understood(access)
        and not chosen & {*_IDS, AtomKind.FRESH, AtomKind.WIDTH, AtomKind.COUNTER}
        and not any(each & {*_IDS, AtomKind.FRESH} for each in tests)
    )


def _is_of_one(geometry: Geometry) -> bool:
    """Whether a launch has one work-item at most."""
    exact = all_known(geometry.whole or ())
    return exact is not None and prod(exact) <= 1


def _is_understood(access: Access) -> bool:
    """Whether all conditions around an access are understood, or ask whether data are more or less than something."""
    return all(each.doubt.ordered if each.doubt is not None else each.term is not None for each in access.guards)


def _tests(access: Access) -> list[Term]:
    """The conditions around an access, each by itself."""
    return [part for guard in access.guards if guard.term is not None for part in conjuncts(guard.term)]


def _may_be_one(first: Access, second: Access) -> bool:
    return first.indices == second.indices or (first.by_data_alone and second.by_data_alone)


def _is_shared_in_a_dimension(
    chosen: Collection[Atom], tests: Sequence[Term], extents: Sequence[Value], accesses: Sequence[Access]
) -> bool:
    """Whether an element is that of all work-items along a dimension of several, in which nothing picks one of them.

    Of a dimension that the kernel does not ask for, and whose extent is not known, there may be one work-item.
    """
    for dimension, extent in enumerate(extents):
        is_along = partial(_is_id, dimension)
        if any(map(is_along, chosen)) or not isinstance(extent, Known | Symbolic):
            continue
        if extent.value > 1 if isinstance(extent, Known) else any(map(is_along, _asked(accesses))):
            return all(_is_bound(each) or not any(map(is_along, atoms(each))) for each in tests)
    return False


def _is_id(dimension: int, atom: Atom) -> bool:
    return atom.kind in _IDS and atom.key == dimension


def _asked(accesses: Sequence[Access]) -> Iterator[Atom]:
    """What elements of memory are chosen by."""
    return (atom for access in accesses for atom in access.index_atoms)


def _reads_itself(accesses: Sequence[Access], position: int) -> bool:
    """Whether the right side of the assignment, which is what was read last and stands behind it, has the element.

    All that a macro accesses stands where it is used: there, what was read before counts unless the value is another.
    """
    write = accesses[position]
    for each in reversed(accesses[:position]):
        where = each.location
        if each.mode is not AccessMode.READ or where.path != write.location.path:
            return False
        if where.span.start <= write.location.span.end and not (where == write.location and write.value is None):
            return False
        if each.memory is write.memory and each.indices == write.indices:
            return True
    return False


def _who(tests: Sequence[Term], geometry: Geometry, *, by_data: bool) -> Who | None:
    """Which of many work-items pass all of ``tests``, and what data decide; ``None`` where it may be one."""
    leaders = 0
    for each in tests:
        if _is_lane_picked(each):
            leaders += 1
        elif not _is_bound(each):
            return None
    if leaders and (by_data or _one_group(geometry)):
        return None
    return Who.LEADERS if leaders else Who.MANY


def _is_bound(test: Term) -> bool:
    """``id < n``, however it is written, for a number that is given, or is more than one."""
    sides = below(test)
    if sides is None:
        return False
    left, right = sides
    kinds = {each.kind for each in atoms(left)}
    if AtomKind.LOCAL not in kinds or AtomKind.COUNTER in kinds:
        return False
    return right > 1 if isinstance(right, int) else isinstance(right, Atom) and right.kind is AtomKind.GIVEN


def _is_lane_picked(test: Term) -> bool:
    """``local id == number``, in which no group's id is asked for."""
    match test:
        case (
            Operation(operator="==", operands=(Atom(kind=AtomKind.LOCAL), int()) | (int(), Atom(kind=AtomKind.LOCAL)))
            | Operation(operator="!", operands=(Atom(kind=AtomKind.LOCAL),))
            | Operation(operator="!", operands=(Operation(operator="!=", operands=(Atom(kind=AtomKind.LOCAL), int())),))
        ):
            return True
        case _:
            return False


# -------------------------------------------------------------------- scopes


def narrow_atomics(accesses: Sequence[Access], geometry: Geometry) -> Iterator[NarrowAtomic]:
    """Updates that are atomic within a group, of elements of global memory that do not depend on the group."""
    if not _many_groups(geometry):
        return
    reported: set[Location] = set()
    for each in accesses:
        if each.scope not in _NARROW or each.memory.space is not Space.GLOBAL or each.location in reported:
            continue
        if not (each.update and each.memory.followed) or None in each.indices:
            continue
        if each.by_data and not each.by_data_alone:
            continue
        kinds = {atom.kind for atom in each.index_atoms}
        if kinds & {AtomKind.GROUP, AtomKind.FRESH, AtomKind.WIDTH} or any(map(_is_of_group, _tests(each))):
            continue
        reported.add(each.location)
        yield NarrowAtomic(each.location, each.text, each.scope)


def _is_of_group(test: Term) -> bool:
    """Whether work-groups differ in a condition, other than in ``id < n``."""
    return any(each.kind is AtomKind.GROUP for each in atoms(test)) and below(test) is None


def _many_groups(geometry: Geometry) -> bool:
    """Whether the launch has several work-groups, as far as its sizes are known."""
    if geometry.local is not None:
        return not _one_group(geometry)
    exact = all_known(geometry.whole or ())
    return exact is None or prod(exact) > LARGEST


# -------------------------------------------------------------------- groups


def overwrites(accesses: Sequence[Access], geometry: Geometry) -> Iterator[GroupOverwrite]:
    """Elements at the group's own id that are written while other groups read them among all elements."""
    if _one_group(geometry):
        return
    reported: set[str] = set()
    for write in accesses:
        if not _is_shared(write, AccessMode.WRITE) or write.memory.name in reported or len(write.indices) != 1:
            continue
        index = write.indices[0]
        if not isinstance(index, Atom) or index.kind is not AtomKind.GROUP:
            continue
        for read in accesses:
            if read.memory is write.memory and _is_shared(read, AccessMode.READ) and _is_global_id(read, index):
                reported.add(write.memory.name)
                yield GroupOverwrite(write.memory.name, read.location, read.text, write.location, write.text)
                break


def _is_shared(access: Access, mode: AccessMode) -> bool:
    return (
        access.memory.space is Space.GLOBAL
        and access.mode is mode
        and access.sure
        and access.memory.followed
        and not access.update
        and not any(each.doubt is not None for each in access.guards)
    )


def _is_global_id(access: Access, group: Atom) -> bool:
    """Whether the index is the global id, plus whole strides of all work-items."""
    if len(access.indices) != 1 or access.indices[0] is None:
        return False
    kinds = atoms(access.indices[0])
    own = Atom(AtomKind.LOCAL, group.key)
    allowed = (AtomKind.LOCAL_RANGE, AtomKind.GROUP_RANGE, AtomKind.COUNTER)
    return own in kinds and group in kinds and all(each in (own, group) or each.kind in allowed for each in kinds)


def _one_group(geometry: Geometry) -> bool:
    """Whether the launch may have one work-group only, as far as its sizes are known."""
    whole, local = geometry.whole or (), geometry.local or ()
    if not whole or len(whole) != len(local):
        return True
    pairs = list(zip(whole, local, strict=True))
    numbers = [(known(a), known(b)) for a, b in pairs]
    if all(a is not None and b is not None for a, b in numbers):
        return all(a == b for a, b in numbers)
    return all(a == b or (isinstance(a, Symbolic) and isinstance(b, Symbolic) and a.terms == b.terms) for a, b in pairs)
