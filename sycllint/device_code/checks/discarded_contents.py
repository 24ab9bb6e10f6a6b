"""Elements of buffers that a kernel reads although its accessor has discarded what was in them."""

from collections.abc import Iterator, Sequence

from sycllint.cpp.expression import Brace, Call, Expr, Lambda, Name
from sycllint.cpp.node import Node, walk
from sycllint.cpp.place import Place
from sycllint.cpp.statement import Struct, Variable
from sycllint.device_code.access_trace.terms import AtomKind, Term, atoms
from sycllint.device_code.access_trace.trace import Access, AccessMode, MemoryObject, Space, accesses_of
from sycllint.device_code.access_trace.tracing import walked
from sycllint.device_code.code import KernelCode
from sycllint.facts.file import FileFacts
from sycllint.record import record
from sycllint.source.span import Location
from sycllint.symbols.initialization import initialization
from sycllint.values.objects import Point

DISCARDING = ("no_init", "noinit", "discard_write", "discard_read_write")
"""Properties and access modes by which an accessor begins without contents (SYCL 2020, "Access modes")."""
_STORES = (AccessMode.WRITE, AccessMode.STORE)
_CHOOSING = (AtomKind.LOCAL, AtomKind.GROUP, AtomKind.COUNTER)
_MAX_STEPS = 3
"""Names, of aliases and constants, that lie between an accessor and the property."""


@record
class DiscardedRead:
    """A kernel reads an element before it has written any, through an accessor without contents."""

    accessor: str
    declared: Location
    property: str
    text: str
    """The element; empty where it is read in a function that the kernel calls, or by another name."""
    location: Location
    """Of the read, or of the call in the kernel that leads to it."""
    inner: Location
    """Of the read."""
    updated: bool
    """It is changed by what is in it, ``a[i] += x``; otherwise its value is used."""


def discarded_reads(code: KernelCode) -> Iterator[DiscardedRead]:
    """The first access through each such accessor, where that is a read."""
    if not _may_discard(code):
        return
    trace = walked(code)
    if trace is None:
        return
    found: dict[int, tuple[MemoryObject, list[Access]]] = {}
    for each in accesses_of(trace):
        if each.memory.space is Space.GLOBAL and each.memory.followed:
            found.setdefault(id(each.memory), (each.memory, []))[1].append(each)
    for memory, accesses in found.values():
        first = accesses[0]
        if not _reads_what_was_there(first, accesses):
            continue
        accessor = _accessor(code, memory.name)
        word = _discarding(code, *accessor, _MAX_STEPS) if accessor is not None else ""
        if accessor is not None and word:
            variable, point = accessor
            declared = code.evaluator.facts.location(variable, point.place)
            is_update = first.update or first.mode is AccessMode.ATOMIC
            text = first.text if not first.calls and memory.name in first.text else ""
            at = first.calls[0].location if first.calls else first.location
            yield DiscardedRead(variable.name, declared, word, text, at, first.location, is_update)


def _may_discard(code: KernelCode) -> bool:
    """Whether an accessor may be declared without contents around the kernel or its launch, or by an alias."""
    unit = code.evaluator.facts
    places = [each for each in (code.place, code.submitted) if each is not None]
    texts = [None if each.enclosing.is_repeated else unit.content_at(each) for each in places]
    words = [each.encode() for each in DISCARDING]
    if any(text is None or any(word in text for word in words) for text in texts):
        return True
    return any(facts.once(_has_discarding_alias) for word in words for facts in unit.named.spelling(word))


def _has_discarding_alias(facts: FileFacts) -> bool:
    """Whether an alias outside functions names such a property or mode."""
    aliases = (each.node for found in facts.aliases.values() for each in found)
    return any(isinstance(node, Name) and node.last in DISCARDING for each in aliases for node in walk(each.type))


def _reads_what_was_there(first: Access, accesses: Sequence[Access]) -> bool:
    """Whether the first access to memory surely finds what was in it before the kernel."""
    if first.mode in _STORES or not all(each.doubt is None and _chooses(each.term) for each in first.guards):
        return False
    around = set(map(id, first.loops))
    stores = [each for each in accesses if each.mode in _STORES and around.intersection(map(id, each.loops))]
    # A later iteration reads what an earlier one wrote, and the first may be left out by the data.
    return first.update and all(each.update for each in stores) if stores else True


def _chooses(condition: Term | None) -> bool:
    """Whether a condition chooses work-items or iterations: another may ask whether anything is in the buffer."""
    return condition is not None and any(each.kind in _CHOOSING for each in atoms(condition))


# ------------------------------------------------------------------ declarations


def _accessor(code: KernelCode, name: str) -> tuple[Variable, Point] | None:
    """The declaration of the accessor that a kernel names, or has as a member."""
    if not isinstance(code.function, Lambda):
        return _member(code, name)
    return _declared(code, Name(name, None, None, code.function.start, code.function.start), code.place)


def _declared(code: KernelCode, name: Name, place: Place) -> tuple[Variable, Point] | None:
    found = code.evaluator.declarations.nearest(name.text, Point(place, name.start))
    if found is None or not isinstance(found[0], Variable) or isinstance(found[1].node, Struct):
        return None
    return found[0], Point(found[1], found[0].start)


def _member(code: KernelCode, name: str) -> tuple[Variable, Point] | None:
    """What a member of the kernel's object is made from, where the launch makes the object."""
    submitted, struct = code.submitted, code.place.innermost(Struct)
    if submitted is None or struct is None:
        return None
    for made in _makers(submitted.node, struct.name):
        kind, given = (made.function, made.arguments) if isinstance(made, Call) else (made.type, made.elements)
        declared = code.evaluator.types.kind(kind, submitted).struct if isinstance(kind, Name) else None
        if declared is None or declared.node is not struct:
            continue
        how = initialization(code.evaluator.symbols, declared, given)
        value = how.kept.get(name) if how is not None else None
        return _declared(code, value, submitted) if isinstance(value, Name) else None
    return None


def _makers(launch: Node, name: str) -> Iterator[Call | Brace]:
    for each in walk(launch):
        match each:
            case Call(function=Name(last=last)) | Brace(type=Name(last=last)) if last == name:
                yield each
            case _:
                pass


def _discarding(code: KernelCode, variable: Variable, point: Point, steps: int) -> str:
    """The property or the mode with which a variable, or the list that it is made from, discards contents."""
    written: list[Expr] = [*variable.arguments, variable.type.name]
    alias = code.evaluator.types.alias(variable.type.name)
    if alias is not None:
        written.append(alias.node.type.name)
    names = [each for part in written for each in walk(part) if isinstance(each, Name)]
    for each in names:
        if each.last in DISCARDING:
            return each.last
    for each in names if steps else ():
        found = _declared(code, each, point.place)
        inner = _discarding(code, *found, steps - 1) if found is not None and _is_list(found[0]) else ""
        if inner:
            return inner
    return ""


def _is_list(variable: Variable) -> bool:
    """Whether a variable may be a list of properties, or a tag: a buffer or another accessor has its own."""
    return variable.type.name.last in ("property_list", "auto", "no_init", "mode_tag_t")
