"""Dispatch played through over time: how many threads the device holds until the launch is done. It explains, no more.

No rule reads it, because no document says how work-groups are dispatched. The assumptions, each named where it acts:

A1. Depth first: the next work-group goes to the lowest core that accepts one. Both guides imply it: seven groups fill
    one Xe-core of Gen9 (oneAPI-samples, notebook "Thread Mapping and GPU Occupancy", section "GPU Occupancy Calculation
    Example").
A2. Over-dispatch: a core accepts a group while it has one free thread context; the rest of the group waits there. The
    guide says that a group may be dispatched in part (oneAPI GPU Optimization Guide, "SYCL Thread Mapping and GPU
    Occupancy", section "Impact of Work-item Synchronization Within Work-group").
A3. A group with a barrier works only once all its threads are resident, and frees them together; without a barrier
    each thread goes on its own.
A4. Queue ahead, off unless asked for: a core whose last group, without a barrier, is split goes on accepting until a
    whole group waits there. It is fitted to one measurement, VectorAdd3<8, 320, 8> with 224 and then 96 threads (same
    page, section "A Detailed Example"), and predicts nothing.

Groups take equally long, except for those said to end first. The guide calls its own reading of the measurement a
guess.
"""

from collections import deque
from heapq import heappop, heappush

from sycllint.errors import SycllintError
from sycllint.grouping import grouped
from sycllint.occupancy.occupancy import Limiter, Occupancy
from sycllint.record import record, replace

MAX_GROUPS = 100_000
"""Work-groups that are played through: about a second."""

EARLY = 0.5
"""How long a group that ends first works, where the others work 1. It says an order; it is no measurement."""

_PER_GROUP = frozenset({Limiter.LOCAL_MEMORY, Limiter.BARRIERS, Limiter.GROUPS})
"""What a group holds as a whole from its first thread on. Threads and registers come thread by thread."""


@record
class Dispatch:
    """A launch of ``groups`` work-groups on ``cores`` cores, and the assumptions under which it is played through."""

    groups: int
    cores: int
    barrier: bool
    partial: bool
    """A2; without it a core accepts whole groups only, as the arithmetic of AMD and NVIDIA has them."""
    queue_ahead: bool = False
    """A4."""
    ends_first: frozenset[int] = frozenset()
    """Linear ids, from 0, of groups that work half as long as the others."""


@record
class Phase:
    """A stretch of time, in units of one group's work, in which the device holds as many threads throughout."""

    start: float
    end: float
    threads: int
    per_core: tuple[int, ...]
    """Threads on each core as the phase begins, lowest core first."""
    waiting: int
    """Threads that wait on a core for a context as the phase begins."""


@record
class Timeline:
    """The phases of a launch, in order, without gaps."""

    phases: tuple[Phase, ...]
    contexts: int
    """Thread contexts of all cores, occupied or not."""

    @property
    def end(self) -> float:
        """How long the launch takes, in units of one group's work."""
        return self.phases[-1].end

    def share(self, phase: Phase) -> float:
        """The part of the device's contexts that a phase occupies, 0 to 1."""
        return phase.threads / self.contexts

    @property
    def average(self) -> float:
        """The share over all phases, by their length."""
        busy = sum(phase.threads * (phase.end - phase.start) for phase in self.phases)
        return busy / (self.contexts * self.end)


@record
class FirstEnd:
    """What the device would hold if one group of these cores ended before all others."""

    cores: tuple[int, ...]
    group: int
    """A group, by its linear id."""
    threads: int


def timeline(occupancy: Occupancy, dispatch: Dispatch) -> Timeline:
    """Play the launch through. ``SycllintError`` when it cannot run, has no groups, or has more than ``MAX_GROUPS``."""
    _refuse(occupancy, dispatch)
    state = _State(occupancy, dispatch)
    phases: list[Phase] = []
    start = 0.0
    state.dispatch()
    while state.running:
        now = state.snapshot(start)
        end = state.advance()
        if phases and phases[-1].threads == now.threads:
            phases[-1] = replace(phases[-1], end=end)
        else:
            phases.append(replace(now, end=end))
        start = end
    return Timeline(tuple(phases), dispatch.cores * occupancy.threads_per_core)


def first_ends(occupancy: Occupancy, dispatch: Dispatch) -> tuple[FirstEnd, ...]:
    """The second phases that one early group could give: cores that hold the same share an entry, lowest core first.

    Empty without a barrier, where threads end one by one.
    """
    _refuse(occupancy, dispatch)
    if not dispatch.barrier:
        return ()
    state = _State(occupancy, dispatch)
    state.dispatch()
    alike = grouped(
        ((core.resident, core.waiting_threads), (number, group))
        for number, core in enumerate(state.cores)
        if (group := core.complete_group()) is not None
    )
    found = []
    for cores in alike.values():
        group = cores[-1][1]
        early = timeline(occupancy, replace(dispatch, ends_first=frozenset({group})))
        after = next(phase.threads for phase in early.phases if phase.start <= EARLY < phase.end)
        found.append(FirstEnd(tuple(number for number, _ in cores), group, after))
    return tuple(found)


def _refuse(occupancy: Occupancy, dispatch: Dispatch) -> None:
    if occupancy.groups_per_core < 1:
        raise SycllintError(occupancy.why)
    if dispatch.groups < 1 or dispatch.cores < 1:
        raise SycllintError("a timeline needs at least one work-group and one core")
    if dispatch.groups > MAX_GROUPS:
        raise SycllintError(
            f"a timeline of {dispatch.groups} work-groups is too long; at most {MAX_GROUPS} are played through"
        )
    if beyond := sorted(group for group in dispatch.ends_first if not 0 <= group < dispatch.groups):
        raise SycllintError(f"there is no work-group {beyond[0]}; their linear ids are 0 to {dispatch.groups - 1}")


class _Core:
    """One core: its free contexts, the groups it holds, and the threads that wait for a context."""

    __slots__ = ("free", "held", "slots", "waiting")

    def __init__(self, slots: int) -> None:
        self.slots = slots
        self.free = slots
        self.held: dict[int, int] = {}
        """Threads not yet ended of each group held."""
        self.waiting: deque[tuple[int, int]] = deque()
        """Groups, each with its threads that wait; only the first may be split."""

    @property
    def resident(self) -> int:
        return self.slots - self.free

    @property
    def waiting_threads(self) -> int:
        return sum(threads for _, threads in self.waiting)

    def complete_group(self) -> int | None:
        """The last group of which no thread waits."""
        begun = {group for group, _ in self.waiting}
        return next((group for group in reversed(self.held) if group not in begun), None)


class _State:
    """All cores at one moment, the groups not yet handed out, and the ends that are due."""

    def __init__(self, occupancy: Occupancy, dispatch: Dispatch) -> None:
        self._dispatch = dispatch
        self._threads = occupancy.threads_per_group
        self._most_groups = _most_groups(occupancy, partial=dispatch.partial)
        self.cores = [_Core(occupancy.usable_threads_per_core) for _ in range(dispatch.cores)]
        self._next = 0
        self._now = 0.0
        self._ends: list[tuple[float, int, int, int]] = []
        """Time, core, group, threads: a heap."""
        self._accepting = list(range(dispatch.cores))
        """Cores that may accept a group: a heap, so that the lowest comes first (A1)."""

    @property
    def running(self) -> bool:
        return bool(self._ends)

    def snapshot(self, start: float) -> Phase:
        per_core = tuple(core.resident for core in self.cores)
        return Phase(start, start, sum(per_core), per_core, sum(core.waiting_threads for core in self.cores))

    def dispatch(self) -> None:
        """Hand out groups until no core accepts one."""
        while self._next < self._dispatch.groups and self._accepting:
            number = self._accepting[0]
            core = self.cores[number]
            if not self._accepts(core):
                heappop(self._accepting)
                continue
            core.held[self._next] = self._threads
            core.waiting.append((self._next, self._threads))
            self._next += 1
            self._settle(number)

    def advance(self) -> float:
        """Go to the next end, let all threads that end then go, and fill their contexts. The time."""
        self._now = self._ends[0][0]
        freed = set()
        while self._ends and self._ends[0][0] == self._now:
            _, number, group, threads = heappop(self._ends)
            core = self.cores[number]
            core.free += threads
            core.held[group] -= threads
            if not core.held[group]:
                del core.held[group]
            freed.add(number)
        for number in freed:
            self._settle(number)
            heappush(self._accepting, number)
        self.dispatch()
        return self._now

    def _accepts(self, core: _Core) -> bool:
        if len(core.held) >= self._most_groups:
            return False
        if not self._dispatch.partial:
            return core.free >= self._threads
        if core.free:
            return True
        if not self._dispatch.queue_ahead or self._dispatch.barrier or not core.waiting:
            return False
        return all(threads < self._threads for _, threads in core.waiting)

    def _settle(self, number: int) -> None:
        """Give free contexts to waiting threads, the earliest group first, and start what may work (A3)."""
        core = self.cores[number]
        while core.free and core.waiting:
            group, threads = core.waiting[0]
            placed = min(core.free, threads)
            core.free -= placed
            if placed < threads:
                core.waiting[0] = (group, threads - placed)
            else:
                core.waiting.popleft()
            if not self._dispatch.barrier:
                self._start(number, group, placed)
            elif placed == threads:
                self._start(number, group, self._threads)

    def _start(self, number: int, group: int, threads: int) -> None:
        length = EARLY if group in self._dispatch.ends_first else 1.0
        heappush(self._ends, (self._now + length, number, group, threads))


def _most_groups(occupancy: Occupancy, *, partial: bool) -> int:
    """Groups that a core holds at once, begun ones included."""
    if not partial:
        return occupancy.groups_per_core
    return min((groups for limiter, groups in occupancy.limits if limiter in _PER_GROUP), default=MAX_GROUPS)
