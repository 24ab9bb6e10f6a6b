"""Where a walk through device code stands: what names hold, the conditions around it, and what it has met so far."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import count

from sycllint.cpp.expression import Call, Expr
from sycllint.cpp.node import Node
from sycllint.cpp.spelling import spelled
from sycllint.cpp.statement import Block, Macro
from sycllint.device_code.access_trace.abstract_values import (
    AbstractValue,
    Condition,
    Data,
    Environment,
    MemoryElement,
    Slot,
    lose,
)
from sycllint.device_code.access_trace.terms import READ, Atom, AtomKind, Operation, Term, atoms, varies
from sycllint.device_code.access_trace.trace import (
    Access,
    AccessMode,
    Branch,
    Event,
    Fence,
    FollowedCall,
    Guard,
    LoopHead,
    Space,
    Sync,
    SyncScope,
    Written,
)
from sycllint.facts.file import FileFacts
from sycllint.record import field, mutable, record
from sycllint.source.span import Location

MAX_STEPS = 6_000
"""Statements and calls walked in one kernel."""


class NotFollowedError(Exception):
    """The code does something that is not followed, and may mean anything for all the rest."""


@record
class Exit:
    """A way out of a loop or function, and the guards around it."""

    keyword: str
    guards: tuple[Guard, ...]


@mutable
class BranchState:
    """What variables hold at the end of one of several ways: those written on it, and those of its own."""

    written: dict[Slot, AbstractValue] = field(default_factory=dict)
    declared: list[Slot] = field(default_factory=list)


@mutable
class TraceState:
    """The walk so far."""

    file: FileFacts
    before: dict[Slot, AbstractValue | Slot] = field(default_factory=dict)
    """What variables held at the last fork, of those that were written since; for one declared since, itself."""
    unseen: int = 0
    """How often something was met that may be a barrier."""
    guards: tuple[Guard, ...] = ()
    loops: tuple[LoopHead, ...] = ()
    events: list[Event] = field(default_factory=list)
    exits: list[Exit] = field(default_factory=list)
    branches: list[Branch] = field(default_factory=list)
    use: Location | None = None
    """Where the macro whose text is being walked is used."""
    macros: tuple[tuple[Macro, Call], ...] = ()
    """The macros whose texts are being walked, outermost first, each with its use."""
    calls: tuple[FollowedCall, ...] = ()
    """The functions that are being walked, outermost first."""
    steps: int = 0
    by_data: bool = False
    """An index was read from memory."""
    numbers: count[int] = field(default_factory=count)

    def step(self) -> None:
        """Count one step; a kernel that takes too many is given up."""
        self.steps += 1
        if self.steps > MAX_STEPS:
            raise NotFollowedError

    def location(self, node: Node) -> Location:
        """Where ``node`` is; inside a macro, where the macro is used."""
        if self.use is not None:
            return self.use
        start = getattr(node, "start", 0)
        return self.file.location(start, getattr(node, "end", start))

    def declare(self, names: Environment, name: str, value: AbstractValue) -> None:
        """A new variable."""
        slot = names[name] = Slot(value)
        self.before[slot] = slot

    def put(self, slot: Slot, value: AbstractValue) -> None:
        """Write to a variable."""
        if slot not in self.before:
            self.before[slot] = slot.value
        if slot.shared:
            lose(value)
            value = None
        slot.value = value

    def branch(self, condition: Expr, value: Condition, ways: Sequence[Sequence[Node]], *, chosen: bool) -> None:
        """The way from here on is chosen by ``value``, which is written as ``condition``."""
        if isinstance(value, Operation | Atom) and value.local:
            self.branches.append(
                Branch(
                    value,
                    chosen,
                    tuple([tuple(each) for each in ways]),
                    self.guards,
                    self.location(condition),
                    Written(condition, self.macros),
                )
            )

    def on_way(
        self, guard: Guard, walk: Callable[[Block, Environment], bool], block: Block, names: Environment
    ) -> tuple[BranchState, tuple[Event, ...], bool]:
        """What ``block`` writes under ``guard``, which is undone, what is met in it, and whether its end is reached."""
        outer = self.before, self.events, self.guards
        before = self.before = {}
        events = self.events = []
        self.under(guard)
        is_reached = walk(block, names)
        self.before, self.events, self.guards = outer
        way = BranchState()
        for slot, held in before.items():
            if held is slot:
                way.declared.append(slot)
            else:
                way.written[slot] = slot.value
                # A slot stands for itself only, as was just asked: this is what it held.
                slot.value = held  # type: ignore[assignment]
        return way, tuple(events), is_reached

    def go(self, way: BranchState) -> None:
        """Do what was tried."""
        for slot, value in way.written.items():
            self.put(slot, value)
        for slot in way.declared:
            self.before[slot] = slot

    def fresh(self, text: str = "") -> Term:
        """A number that all work-items of the group agree on, of which nothing else is known."""
        return Atom(AtomKind.FRESH, (next(self.numbers), tuple(each.counter for each in self.loops)), text)

    def under(self, guard: Guard) -> None:
        """From here on ``guard`` holds."""
        if guard.term != 1:
            self.guards = (*self.guards, guard)

    @contextmanager
    def collecting(self) -> Iterator[list[Event]]:
        """What is met inside goes to a list of its own."""
        before, self.events = self.events, []
        yield self.events
        self.events = before

    def sync(
        self, scope: SyncScope, node: Node, fence: Fence = Fence.BOTH, *, seen: bool = True, waits: bool = True
    ) -> None:
        """All work-items of ``scope`` wait for each other here, or may."""
        self.events.append(Sync(scope, self.location(node), fence, seen, waits))
        self.unseen += not seen
        if scope is SyncScope.WORK_GROUP:
            for guard in self.guards:
                if guard.doubt is not None:
                    guard.doubt.agreed = True

    def access(
        self,
        element: MemoryElement,
        mode: AccessMode,
        node: Expr,
        *,
        update: bool = False,
        value: Term | None = None,
        counts: bool = False,
        read_by: frozenset[Atom] = frozenset(),
        scope: str = "",
    ) -> None:
        """Something reads or writes ``element``, which is written as ``node``."""
        self.events.append(
            Access(
                element.memory,
                element.indices,
                mode,
                self.guards,
                self.loops,
                self.location(node),
                Written(node, self.macros),
                element.view,
                update,
                value,
                counts,
                read_by,
                self.by_data and any(each is not None and READ in atoms(each) for each in element.indices),
                self.calls,
                scope,
            )
        )

    def read(self, element: MemoryElement, node: Expr, *, update: bool = False) -> Term | Data:
        """What ``element`` holds: the same for all work-items that read the same element."""
        self.access(element, AccessMode.READ, node, update=update)
        if all(each is not None and not varies(each) for each in element.indices):
            return self.fresh(spelled(node))
        found = (atoms(each) for each in element.indices if each is not None)
        read_by: frozenset[Atom] = frozenset().union(*found)
        if element.memory.space is not Space.LOCAL:
            return Data(read_by=read_by)
        memory = id(element.memory)
        return Data(memories=frozenset((memory,)), read_by=read_by, elements=frozenset(((memory, element.indices),)))
