"""What a kernel does to memory, in order: accesses under their conditions, synchronisation, forks and loops."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import Enum
from typing import TypeAlias

from sycllint.cpp.expression import Call, Expr
from sycllint.cpp.macro_arguments import substituted
from sycllint.cpp.node import Node
from sycllint.cpp.place import Place
from sycllint.cpp.spelling import spelled
from sycllint.cpp.statement import Macro
from sycllint.device_code.access_trace.terms import READ, Atom, AtomKind, Term, atoms, varies
from sycllint.record import NamedTuple, field, record, singular, unique
from sycllint.source.span import Location
from sycllint.values.value import Parameter, Value

_OWN = (AtomKind.LOCAL, AtomKind.WIDTH, AtomKind.COUNTER)


class Space(Enum):
    """Who shares an object."""

    LOCAL = "a work-group"
    GLOBAL = "all work-items"
    UNSEEN = "not known"
    """An object of a class that is not visible: it may be local memory, global memory, or the work-item's own."""


class SyncScope(Enum):
    """Who waits for each other."""

    SUB_GROUP = "sub-group"
    WORK_GROUP = "work-group"


@singular
class MemoryObject:
    """One object in memory that work-items share; objects are the same only when they are this one."""

    name: str
    space: Space
    location: Location
    rank: int | None = None
    """Subscripts to an element; ``None`` when its type is not understood."""
    inner: int = 0
    """Subscripts further to a number, where an element is itself an array."""
    count: Value | None = None
    """Elements, when counted."""
    bytes: Value | None = None
    initialised: bool = False
    """It starts with known contents."""
    lost: bool = False
    """Its address went where it is not followed."""
    extents: tuple[Value, ...] = ()
    """Of a local accessor, slowest dimension first."""
    element: str = ""
    """The type of an element; empty when it is not understood."""
    array: bool = False
    """It is one object, an array, and a pointer to it leads to all of that."""
    aside: bool = False
    """It was handed to a function under a condition: often to one for the work-items of one sub-group."""
    viewed: bool = False
    """It is also used as elements of another type, whose offsets are not those of its own elements."""

    def has_row(self, indices: Sequence[object]) -> bool:
        """Whether so many subscripts lead to several elements, which convert to a pointer to the first of them."""
        return self.rank is not None and len(indices) < self.rank + self.inner

    of_objects: bool = False
    """Its elements may be objects of a class, of which work-items may use different members."""
    given: tuple[Expr, Place] | None = None
    """As what the kernel is given it, and where that is written; ``None`` for memory of its own."""
    aliased: bool = False
    """It may be accessed by another name, or on another way to the kernel, too."""

    @property
    def followed(self) -> bool:
        """Whether every access to it is known by its own elements, and who makes it."""
        return not (self.lost or self.viewed or self.aside or self.aliased)


@singular
class Doubt:
    """A condition of which nothing is known. ``agreed`` once it guards a barrier: the author holds it uniform."""

    agreed: bool = False
    data: bool = False
    """It is asked of data: any work-item may find it so."""
    memories: frozenset[int] = frozenset()
    """The local memories, by identity, that the data are read from."""
    ordered: bool = False
    """It asks only whether data are more or less than something, which many may be."""


@record
class Guard:
    """A condition that holds where something happens: ``term`` is not 0, and ``doubt`` falls out as ``positive``."""

    term: Term | None
    doubt: Doubt | None = None
    positive: bool = True

    @property
    def known(self) -> bool:
        """Whether it says for which work-items it holds."""
        return (self.term is not None and self.doubt is None) or (self.doubt is not None and self.doubt.agreed)

    @property
    def possible(self) -> bool:
        """Whether it is known which work-items it may hold for."""
        return self.known or (self.doubt is not None and self.doubt.data)


@singular
class LoopHead:
    """A loop: its counter, and the condition of the iteration with that counter."""

    counter: Atom
    condition: Term | None = None
    synchronises: SyncScope | None = None
    """Its body holds a barrier, so that all work-items of this scope are in the same iteration."""
    is_left: bool = False
    """Its body may leave it, so that it may be over before its condition says so."""


class AccessMode(Enum):
    """What an access does."""

    READ = "read"
    WRITE = "write"
    ATOMIC = "atomic"
    STORE = "atomic store"

    __hash__ = object.__hash__  # that of Enum is a function in Python


class Written(NamedTuple):
    """An expression, and the macros in whose texts it stands, outermost first, each with its use."""

    node: Expr
    macros: tuple[tuple[Macro, Call], ...]

    @property
    def text(self) -> str:
        """As messages show it: in a macro's text with the arguments of its use."""
        node = self.node
        for macro, use in reversed(self.macros):
            node = substituted(node, macro, use)
        return spelled(node)


class FollowedCall(NamedTuple):
    """A call of a function of the project that is walked."""

    function: str
    location: Location


@unique
class Access:
    """One access to an element. An index of ``None`` is not known."""

    memory: MemoryObject
    indices: tuple[Term | None, ...]
    mode: AccessMode
    guards: tuple[Guard, ...]
    loops: tuple[LoopHead, ...]
    location: Location
    written: Written
    view: str = ""
    """The element's type when that is not the object's own."""
    update: bool = False
    """It is half of ``a op= b``, or writes what was calculated from the element of local memory itself."""
    value: Term | None = None
    """What is written, when that is known."""
    counts: bool = False
    """It adds a number that all work-items agree on."""
    read_by: frozenset[Atom] = frozenset()
    """For a write: the ids that decide from which elements the value was read."""
    by_data: bool = False
    """An index was read from memory."""
    calls: tuple[FollowedCall, ...] = ()
    """The calls by which it is reached, outermost first."""
    scope: str = ""
    """The ``memory_scope`` of an update by an ``atomic_ref``; empty for a default."""

    @property
    def text(self) -> str:
        """The element as messages show it."""
        return self.written.text

    @property
    def index_atoms(self) -> frozenset[Atom]:
        """What its indices are made of, as far as they are known."""
        return frozenset().union(*(atoms(each) for each in self.indices if each is not None))

    @property
    def by_data_alone(self) -> bool:
        """Whether data choose among all elements: what they choose behind an offset may be the work-item's own part."""
        read = [atoms(each) for each in self.indices if each is not None and READ in atoms(each)]
        return bool(read) and not any(atom.kind in _OWN for each in read for atom in each)

    @property
    def sure(self) -> bool:
        """Whether it is known which work-items get here, and at which element."""
        return not self.by_data and None not in self.indices and all(each.known for each in self.guards)

    @property
    def possible(self) -> bool:
        """Whether it is known which work-items may get here, and at which element: the data decide about the rest."""
        return None not in self.indices and all(each.possible for each in self.guards)

    @property
    def by_all_alike(self) -> bool:
        """A write in which every work-item that gets here puts the same value into the same element."""
        if any(each.doubt is not None and each.doubt.data and not each.doubt.agreed for each in self.guards):
            return False
        terms = (self.value, *self.indices, *(each.term for each in self.guards if each.doubt is None))
        return all(each is not None and not varies(each) for each in terms)


class Fence(Enum):
    """Which memory is ordered."""

    BOTH = "local and global"
    LOCAL = "local"
    GLOBAL = "global"
    NEAR = "within sub-groups"


@unique
class Sync:
    """A barrier, a collective that waits like one, or code that is not visible and may wait."""

    scope: SyncScope
    location: Location
    fence: Fence = Fence.BOTH
    seen: bool = True
    """It is surely one."""
    waits: bool = True
    """It does more than a fence, which orders memory and by itself makes no work-item wait."""


@unique
class Fork:
    """Ways of which one is taken."""

    arms: tuple[tuple[Event, ...], ...]
    scope: SyncScope | None
    """The widest whose work-items wait for each other in one of them."""

    @classmethod
    def of(cls, arms: Iterable[tuple[Event, ...]]) -> Fork:
        """With what is met in each way."""
        ways = tuple(arms)
        return cls(ways, widest(each for arm in ways for each in arm))


@unique
class Cycle:
    """A loop's condition, body and update, once."""

    head: LoopHead
    events: tuple[Event, ...]

    @property
    def scope(self) -> SyncScope | None:
        """The widest whose work-items wait for each other in it."""
        return self.head.synchronises


Event: TypeAlias = Access | Sync | Fork | Cycle


def inside(events: tuple[Event, ...] | list[Event]) -> Iterator[Access | Sync]:
    """The accesses and synchronisations of ``events``, in the order of the text."""
    for event in events:
        match event:
            case Fork(arms=arms):
                for arm in arms:
                    yield from inside(arm)
            case Cycle(events=body):
                yield from inside(body)
            case _:
                yield event


def widest(events: Iterable[Event]) -> SyncScope | None:
    """The widest scope whose work-items wait for each other in ``events``."""
    scopes = {each.scope for each in events if not isinstance(each, Access)}
    return next((each for each in (SyncScope.WORK_GROUP, SyncScope.SUB_GROUP) if each in scopes), None)


def accesses_of(trace: Trace) -> list[Access]:
    """All accesses, in the order of the text."""
    return [each for each in inside(trace.events) if isinstance(each, Access)]


def by_local_memory(accesses: Iterable[Access]) -> Iterable[tuple[MemoryObject, list[Access]]]:
    """The accesses to each local memory that did not escape."""
    groups: dict[int, tuple[MemoryObject, list[Access]]] = {}
    for each in accesses:
        if each.memory.space is Space.LOCAL and each.memory.followed:
            groups.setdefault(id(each.memory), (each.memory, []))[1].append(each)
    return groups.values()


@unique
class Branch:
    """A branch whose way depends on the work-item."""

    value: Term
    """The condition; of a ``switch``, what it chooses by."""
    chosen: bool
    """It is a ``switch``."""
    ways: tuple[tuple[Node, ...], ...]
    """The statements of each."""
    guards: tuple[Guard, ...]
    location: Location
    written: Written
    """The condition."""


@record
class Trace:
    """All that one kernel does to the memory that was watched."""

    events: tuple[Event, ...]
    memories: tuple[MemoryObject, ...]
    dims: int | None
    branches: tuple[Branch, ...] = ()
    parameters: Mapping[str, Parameter] = field(default_factory=dict)
    """What numbers that the kernel is given are made of, by the keys of their atoms."""
