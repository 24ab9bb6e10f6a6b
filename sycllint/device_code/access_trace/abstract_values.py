"""What expressions and variables of device code stand for, as functions of the work-item."""

from __future__ import annotations

from typing import TypeAlias

from sycllint.cpp.expression import Expr, Lambda, Type
from sycllint.cpp.place import Place
from sycllint.cpp.statement import Struct
from sycllint.device_code.access_trace.id_queries import Ids
from sycllint.device_code.access_trace.terms import TERM, Atom, Operation, Term
from sycllint.device_code.access_trace.trace import (
    MemoryObject,
)
from sycllint.domains.meaning import Role
from sycllint.facts.file import Declared
from sycllint.record import field, record, singular
from sycllint.values.arithmetic import IntegerType


@record
class Pointer:
    """The address of an element."""

    memory: MemoryObject
    indices: tuple[Term | None, ...]
    view: str = ""


@record
class MemoryElement:
    """An element, or a row of elements, that has not been read or written yet."""

    memory: MemoryObject
    indices: tuple[Term | None, ...]
    view: str = ""


PLACES = (Pointer, MemoryElement)
"""Values that lead to memory; a tuple for ``isinstance``, which would make a union again at each call."""


@record
class DeviceClosure:
    """A lambda in device code, and the names it sees."""

    function: Lambda
    place: Place
    names: Environment


@record
class Deferred:
    """An argument of a macro: an expression that is looked at where the macro's body names it."""

    expression: Expr
    names: Environment
    place: Place


@record
class AtomicRef:
    """A ``sycl::atomic_ref`` to an element; ``None`` when that is not known."""

    element: MemoryElement | None
    scope: str = ""
    """Its ``memory_scope`` as written; empty for a default."""


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
    read_by: frozenset[Atom] = field(default=frozenset(), compare=False)
    """The ids that decide which elements were read."""
    elements: frozenset[tuple[int, tuple[Term | None, ...]]] = field(default=frozenset(), compare=False)
    """The elements of local memories that it was calculated from."""


@singular
class Object:
    """An object of a class of the project."""

    struct: Declared[Struct]
    members: dict[str, Slot | MemoryElement]
    given: tuple[Expr, Place] | None = None
    """As what, and where, the kernel was given it: its members are there once they are asked for."""


AbstractValue: TypeAlias = (
    int | Atom | Operation | Pointer | MemoryElement | Ids | Role | DeviceClosure | AtomicRef | Data | Object | None
)
"""What an expression of device code stands for; ``None`` when that is not known."""


@singular
class Slot:
    """A variable of one work-item, and what it holds where the walk stands."""

    value: AbstractValue = None
    kind: Type | None = None
    """The type of an object that nothing else is known of."""
    waits: bool = False
    """Its class is not visible and it was made from an item or a group: whatever is done with it may be a barrier."""
    integer: IntegerType | None = None
    """Its type, where that is known and one of integers."""
    fixed: bool = False
    """It is const."""
    shared: bool = False
    """A reference to it has escaped: its value is not known any more, whatever is assigned."""


VALUES = (*TERM, Data)
"""Numbers, and what is known only to have been read."""
Condition: TypeAlias = Term | Data | None
"""What decides whether something happens; ``None`` when that is not known."""
Environment: TypeAlias = dict[str, Slot | MemoryElement | Deferred]


def lose(value: AbstractValue | Deferred | Slot) -> None:
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


def part(whole: Data) -> Data:
    """A member, a component or an element of what was read."""
    return Data(memories=whole.memories, read_by=whole.read_by)


LOADED = Data()
"""What was read, and nothing else is known of."""
