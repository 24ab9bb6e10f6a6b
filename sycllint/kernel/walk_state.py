"""Where a walk through device code stands: what names hold, the conditions around it, and what it has met so far."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import count
from typing import TypeAlias

from sycllint.cpp.expression import Expr, Lambda, Type
from sycllint.cpp.node import Node
from sycllint.cpp.place import Place
from sycllint.cpp.spelling import spelled
from sycllint.cpp.statement import Struct
from sycllint.domains.meaning import Role
from sycllint.facts.file import Declared, FileFacts
from sycllint.kernel.queries import Ids
from sycllint.kernel.terms import READ, TERM, Atom, Kind, Operation, Term, atoms, operation, varies
from sycllint.kernel.trace import Access, Branch, Doubt, Event, Guard, LoopHead, Memory, Mode, Scope, Space, Sync
from sycllint.record import field, mutable, record, singular
from sycllint.source.span import Location
from sycllint.values.arithmetic import IntegerType

_GIVEN = (Kind.GIVEN, Kind.FRESH)
MAX_STEPS = 6_000
"""Statements and calls walked in one kernel."""


class NotFollowedError(Exception):
    """The code does something that is not followed, and may mean anything for all the rest."""


@record
class Pointer:
    """The address of an element."""

    memory: Memory
    indices: tuple[Term | None, ...]
    view: str = ""


@record
class Element:
    """An element, or a row of elements, that has not been read or written yet."""

    memory: Memory
    indices: tuple[Term | None, ...]
    view: str = ""


PLACES = (Pointer, Element)
"""What leads to memory; for ``isinstance``, which makes a union anew each time it is asked."""


@record
class Kept:
    """A lambda in device code, and the names it sees."""

    function: Lambda
    place: Place
    names: Names


@record
class Deferred:
    """An argument of a macro: an expression that is looked at where the macro's body names it."""

    expression: Expr
    names: Names
    place: Place


@record
class AtomicRef:
    """A ``sycl::atomic_ref`` to an element; ``None`` when that is not known."""

    element: Element | None


@record
class Data:
    """A number that each work-item has read for itself, or made of such; as a condition, one that holds for some."""

    among: Term = 1
    """Where it can hold: the work-items for which this does."""
    like: Term | None = 0
    """What it may be: what was read may be 0."""
    memories: frozenset[int] = frozenset()
    """The local memories, by identity, that it was read from."""
    ordered: bool = False
    """As a condition: it asks only whether data are more or less than something, which many may be."""


@singular
class Object:
    """An object of a class of the project."""

    struct: Declared[Struct]
    members: dict[str, Slot | Element]
    given: tuple[Expr, Place] | None = None
    """As what, and where, the kernel was given it: its members are there once they are asked for."""


Thing: TypeAlias = int | Atom | Operation | Pointer | Element | Ids | Role | Kept | AtomicRef | Data | Object | None
"""What an expression of device code stands for; ``None`` when that is not known."""


@singular
class Slot:
    """A variable of one work-item, and what it holds where the walk stands."""

    value: Thing = None
    kind: Type | None = None
    """The type of an object that nothing else is known of."""
    waits: bool = False
    """Its class is out of sight and it was made from an item or a group: whatever is done with it may be a barrier."""
    integer: IntegerType | None = None
    """Its type, where that is one of fewer bits than most numbers have."""
    fixed: bool = False
    """It is const."""
    shared: bool = False
    """Somebody has a reference to it: what it holds is not known any more, whatever is assigned."""


VALUES = (*TERM, Data)
"""Numbers, and what is known only to have been read."""
Condition: TypeAlias = Term | Data | None
"""What decides whether something happens; ``None`` when that is not known."""
Names: TypeAlias = dict[str, Slot | Element | Deferred]


@record
class Exit:
    """A way out of a loop or function, and the guards around it."""

    keyword: str
    guards: tuple[Guard, ...]


@mutable
class Way:
    """What variables hold at the end of one of several ways: those written on it, and those of its own."""

    written: dict[Slot, Thing] = field(default_factory=dict)
    declared: list[Slot] = field(default_factory=list)


@mutable
class State:
    """The walk so far."""

    file: FileFacts
    before: dict[Slot, Thing | Slot] = field(default_factory=dict)
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

    def declare(self, names: Names, name: str, value: Thing) -> None:
        """A new variable."""
        slot = names[name] = Slot(value)
        self.before[slot] = slot

    def put(self, slot: Slot, value: Thing) -> None:
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
                    spelled(condition),
                )
            )

    @contextmanager
    def tried(self) -> Iterator[Way]:
        """What is written inside is taken back after it, and told."""
        outer = self.before
        before = self.before = {}
        way = Way()
        yield way
        self.before = outer
        for slot, held in before.items():
            if held is slot:
                way.declared.append(slot)
            else:
                way.written[slot] = slot.value
                # A slot stands for itself only, as was just asked: this is what it held.
                slot.value = held  # type: ignore[assignment]

    def go(self, way: Way) -> None:
        """Do what was tried."""
        for slot, value in way.written.items():
            self.put(slot, value)
        for slot in way.declared:
            self.before[slot] = slot

    def fresh(self, text: str = "") -> Term:
        """A number that all work-items of the group agree on, of which nothing else is known."""
        return Atom(Kind.FRESH, (next(self.numbers), tuple(each.counter for each in self.loops)), text)

    def under(self, guard: Guard) -> None:
        """From here on ``guard`` holds."""
        if guard.term != 1:
            self.guards = (*self.guards, guard)

    @contextmanager
    def guarded(self, guard: Guard) -> Iterator[None]:
        """``guard`` holds inside."""
        before = self.guards
        self.under(guard)
        yield
        self.guards = before

    @contextmanager
    def collecting(self) -> Iterator[list[Event]]:
        """What is met inside goes to a list of its own."""
        before, self.events = self.events, []
        yield self.events
        self.events = before

    def sync(self, scope: Scope, node: Node, *, seen: bool = True) -> None:
        """All work-items of ``scope`` wait for each other here, or may."""
        self.events.append(Sync(scope, self.location(node), seen=seen))
        self.unseen += not seen
        if scope is Scope.WORK_GROUP:
            for guard in self.guards:
                if guard.doubt is not None:
                    guard.doubt.agreed = True

    def access(
        self,
        element: Element,
        mode: Mode,
        node: Expr,
        *,
        update: bool = False,
        value: Term | None = None,
        copied: tuple[Term | None, ...] = (),
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
                spelled(node),
                element.view,
                update,
                value,
                copied,
                self.by_data and any(each is not None and READ in atoms(each) for each in element.indices),
            )
        )

    def read(self, element: Element, node: Expr, *, update: bool = False) -> Term | Data:
        """What ``element`` holds: the same for all work-items that read the same element."""
        self.access(element, Mode.READ, node, update=update)
        if all(each is not None and not varies(each) for each in element.indices):
            return self.fresh(spelled(node))
        return _LOADED if element.memory.space is not Space.LOCAL else Data(memories=frozenset((id(element.memory),)))


def lose(value: Thing | Deferred | Slot) -> None:
    """``value`` goes where it is not followed."""
    if value is None or isinstance(value, VALUES):
        return
    if isinstance(value, AtomicRef):
        value = value.element
    if isinstance(value, Object):
        for each in value.members.values():
            lose(each.value if isinstance(each, Slot) else each)
        return
    if isinstance(value, PLACES):
        value.memory.lost = True


def holds_group(made: Object) -> bool:
    """Whether an object has kept an item or a group, so that its methods may wait."""
    return any(isinstance(each, Slot) and isinstance(each.value, Role) for each in made.members.values())


def member_tag(name: str) -> int:
    """A subscript for a member of an element, far from any index: elements with other members do not meet."""
    return -int.from_bytes(name.encode()[:12], "big") - 1


_LOADED = Data()


def guards_of(condition: Condition) -> tuple[Guard, Guard]:
    """What holds where ``condition`` does, and where it does not."""
    doubt = None if isinstance(condition, TERM) else _doubt_about(condition)
    return when(condition, doubt), unless(condition, doubt)


def when(condition: Condition, doubt: Doubt | None = None) -> Guard:
    """What holds where ``condition`` does."""
    if isinstance(condition, TERM):
        return Guard(operation("!=", condition, 0))
    among = condition.among if condition is not None else 1
    return Guard(None if among == 1 else operation("!=", among, 0), doubt or _doubt_about(condition), True)


def unless(condition: Condition, doubt: Doubt | None = None) -> Guard:
    """What holds where ``condition`` does not."""
    if isinstance(condition, TERM):
        return Guard(operation("!", condition))
    return Guard(None, doubt or _doubt_about(condition), False)


def _doubt_about(condition: Data | None) -> Doubt:
    if condition is None:
        return Doubt()
    return Doubt(data=True, memories=condition.memories, ordered=condition.ordered)


def conjunction(guards: tuple[Guard, ...]) -> Condition:
    """All of ``guards`` as one condition; 1 when there are none."""
    result: Condition = 1
    for each in guards:
        result = combined("&&", result, condition_of(each))
    return result


def condition_of(guard: Guard) -> Condition:
    """``guard`` as a condition."""
    if guard.doubt is None:
        return guard.term
    if not guard.doubt.data:
        return None
    among = 1 if guard.term is None else guard.term
    return Data(among, memories=guard.doubt.memories, ordered=guard.doubt.ordered)


def combined(operator: str, left: Condition, right: Condition) -> Condition:
    """Two conditions by ``&&`` or ``||``."""
    if not (isinstance(left, Data) or isinstance(right, Data)):
        if left == 1 and operator == "&&":
            return right
        return operation(operator, left, right)
    first, second = (each.among if isinstance(each, Data) else each for each in (left, right))
    among = operation("&&" if operator in ("&&", "and") else "||", first, second)
    ordered = all(each.ordered for each in (left, right) if isinstance(each, Data))
    return None if among is None else Data(among, memories=_memories(left, right), ordered=ordered)


def _memories(*parts: Condition) -> frozenset[int]:
    found: frozenset[int] = frozenset()
    for each in parts:
        if isinstance(each, Data) and each.memories:
            found = found | each.memories
    return found


_ORDERS = frozenset({"<", "<=", ">", ">="})
_COMPARISONS = _ORDERS | {"==", "!="}


def calculated(operator: str, left: Condition, right: Condition) -> Condition:
    """``left operator right``: what is made of what was read, and of numbers that all agree on, is data too."""
    # Most are numbers: they are passed on with a look at their classes and no call.
    first = left if left.__class__ is Data else None
    second = right if right.__class__ is Data else None
    if first is None and second is None:
        return operation(operator, left, right)  # type: ignore[arg-type]
    if left is None or right is None:
        return None
    memories = (first or _LOADED).memories | (second or _LOADED).memories
    if operator in _COMPARISONS:
        return Data(memories=memories, ordered=operator in _ORDERS)
    other = right if second is None else left if first is None else 0
    if isinstance(other, TERM) and varies(other):
        return None
    return Data(like=operation(operator, _likely(left), _likely(right)), memories=memories)


def chosen(condition: Condition, *values: Condition) -> Condition:
    """One of two ``values``, the first where ``condition`` holds."""
    if isinstance(condition, TERM) and all(each is None or isinstance(each, TERM) for each in values):
        return operation("?", condition, *values)  # type: ignore[arg-type]
    if condition is None or any(each is None for each in values):
        return None
    if any(isinstance(each, TERM) and varies(each) for each in values):
        return None
    if isinstance(condition, TERM) and varies(condition) and not any(a.kind in _GIVEN for a in atoms(condition)):
        # Of which work-items hold data, the ids tell.
        return None
    likely = [_likely(each) for each in values]
    return Data(like=0 if 0 in likely else likely[0], memories=_memories(condition, *values))


def _likely(value: Condition) -> Term | None:
    return value.like if isinstance(value, Data) else value
