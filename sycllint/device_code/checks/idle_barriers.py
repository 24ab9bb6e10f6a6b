"""Barriers that order no accesses: at a kernel's start, at its end, right after another, or for no shared memory."""

from collections.abc import Iterator
from enum import Enum

from sycllint.cpp.expression import Call, Member, Name
from sycllint.cpp.statement import Evaluate, Macro
from sycllint.device_code.access_trace.terms import AtomKind, Term, atoms, slope
from sycllint.device_code.access_trace.trace import Access, AccessMode, Fence, Space, Sync, SyncScope, Trace, inside
from sycllint.device_code.bodies.reading import is_accessor
from sycllint.device_code.code import KernelCode
from sycllint.device_code.once import once_per_function
from sycllint.domains.meaning import Role, Roles, meanings
from sycllint.domains.results import ADDRESS_MEMBERS, is_plain_function
from sycllint.domains.vocabulary import BARRIERS
from sycllint.ir import ops
from sycllint.ir.body import Body, Local, Storage
from sycllint.ir.ops import NONE
from sycllint.record import record
from sycllint.source.span import Location
from sycllint.values.evaluate import Evaluator

_PLAIN = frozenset({ops.CONST, ops.PARAM, ops.CAPTURE, ops.GLOBAL, ops.LOAD, ops.READ, ops.DROP})
"""Instructions of a kernel that does nothing but call one function."""
_QUIET = frozenset(
    {ops.CONST, ops.PARAM, ops.CAPTURE, ops.GLOBAL, ops.THIS, ops.DECL, ops.LOAD, ops.FIELD, ops.ELEM, ops.UNARY}
    | {ops.BINARY, ops.CAST, ops.SELECT, ops.CONSTRUCT, ops.DROP, ops.IF, ops.ELSE, ops.LOOP, ops.TEST, ops.NEXT}
    | {ops.SCOPE, ops.END}
)
"""Instructions that touch no memory that another work-item sees."""
_STORES = (ops.WRITE, ops.UPDATE)
_CONSTRUCTS = frozenset({ops.IF, ops.LOOP, ops.SWITCH, ops.TRY, ops.SCOPE})


class Reason(Enum):
    """Why a barrier orders nothing.

    No access before it, only reads of what the kernel does not write, none after it, none since the barrier before, or
    none to the kind of memory that it orders.
    """

    FIRST = "first"
    UNWRITTEN = "unwritten"
    LAST = "last"
    REPEATED = "repeated"
    NO_LOCAL = "no local memory"


@record
class IdleBarrier:
    """A work-group barrier that orders no accesses."""

    location: Location
    reason: Reason


@once_per_function
def idle_barriers(code: KernelCode) -> Iterator[IdleBarrier]:
    """The idle barriers of the kernel, or of the one function that is all it calls; repeated ones in any function."""
    kernel = _followed(code)
    for body in dict.fromkeys((kernel, *code.lowered)):
        if not body.function.damaged:
            yield from _idle(code, body, is_kernel=body is kernel)


def _idle(code: KernelCode, body: Body, *, is_kernel: bool) -> Iterator[IdleBarrier]:
    barriers = _barriers(code, body)
    if not barriers:
        return
    own = {*barriers, *body.made_of(*(body.a[each] for each in barriers))}
    memory = _Memory(code.evaluator, body, own)

    def is_busy(position: int) -> bool:
        return position not in own and not memory.is_quiet(position)

    every = range(len(body.op))
    first, last = next(filter(is_busy, every), len(every)), next(filter(is_busy, reversed(every)), NONE)
    latest: dict[int, int] = {}
    for statement, barrier in barriers.items():
        block = _block(body, statement)
        before, latest[block] = latest.get(block, NONE), statement
        reason = None
        end = _loops_end(body, statement)
        if is_kernel and end is not None and end < first:
            reason = Reason.UNWRITTEN if memory.is_read_before(statement) else Reason.FIRST
        elif before != NONE and not any(map(is_busy, range(before + 1, statement))):
            reason = Reason.REPEATED if _orders_no_less(barriers[before], barrier) else None
        if reason is None and is_kernel and NONE < last < statement and _is_last(body, statement, barriers):
            reason = Reason.LAST
        if reason is not None:
            yield IdleBarrier(code.location(body, statement), reason)


def _is_last(body: Body, statement: int, barriers: dict[int, Call]) -> bool:
    return list(barriers)[-1] == statement and body.depth(statement) == 0


def _block(body: Body, position: int) -> int:
    """The number of the innermost statement with a scope around an instruction; a macro's text is none."""
    number = body.region[position]
    while isinstance(body.regions[number].place.node, Macro) and body.regions[number].parent != number:
        number = body.regions[number].parent
    return number


def _loops_end(body: Body, position: int) -> int | None:
    """Where the outermost loop around an instruction ends, or its own position; ``None`` for one in a branch."""
    around = [each for each in range(position) if body.op[each] in _CONSTRUCTS and body.extra[each] > position]
    if any(body.op[each] not in (ops.LOOP, ops.SCOPE) for each in around):
        return None
    return max((body.extra[each] for each in around), default=position)


def _followed(code: KernelCode) -> Body:
    """The body of the kernel, or of the function that is all it calls."""
    body = code.graph.body(code.function, code.place)
    edges = code.graph.calls(body)
    alone = len(edges) == 1 and all(each in _PLAIN or each == ops.CALL for each in body.op)
    return edges[0].target if alone and len(body.at(ops.CALL)) == 1 else body


def _barriers(code: KernelCode, body: Body) -> dict[int, Call]:
    """The statements of the function itself that are barriers of the work-group; a declaration may name its group."""
    found: dict[int, Call] = {}
    if not any(body.called(each) in BARRIERS for each in body.at(ops.CALL)):
        return found
    roles = Roles(meanings.of(code.evaluator), body)
    roles.bind(body.function.parameters, (), kernel=True)
    for position in body.at(ops.DECL, ops.DROP, ops.CALL, ops.CONSTRUCT):
        node = body.node[position]
        if body.op[position] != ops.DROP:
            roles.note(position)
        elif isinstance(node, Evaluate) and body.op[body.a[position]] == ops.CALL:
            call = body.node[body.a[position]]
            # An overloaded operator is a call, too.
            if isinstance(call, Call) and _is_barrier(roles, body.a[position]):
                found[position] = call
    return found


def _is_barrier(roles: Roles, position: int) -> bool:
    match roles.body.callee(position), roles.body.list(position):
        case Member(name="barrier"), _:
            return roles.of(roles.body.a[position]) in (Role.ITEM, Role.WORK_GROUP)
        case Name(last="group_barrier"), (group, *_):
            return roles.of(group) is Role.WORK_GROUP
        case _:
            return False


class _Memory:
    """What a body changes that other work-items may see, and so which of its reads no barrier orders."""

    def __init__(self, evaluator: Evaluator, body: Body, barriers: set[int]) -> None:
        self._evaluator = evaluator
        self._body = body
        self._changed: set[Local | str | None] = {
            self._root(body.a[each]) for each in body.at(*_STORES) if not self._is_private(body.a[each])
        }
        self._is_open = (
            None in self._changed
            or any(
                each not in barriers and not self._is_query(each)
                for each in body.at(ops.CALL, ops.ADDR, ops.UNSEEN, ops.LAMBDA)
            )
            or any(self._is_stream(each) for each in body.at(ops.BINARY))
        )
        """Something may change memory by another name: a call that is handed it, a pointer made from another."""
        self._parts = {body.a[each] for each in body.at(ops.ELEM, ops.FIELD, ops.CALL)}
        """The objects that elements and members are taken of, and whose methods are called."""

    def is_quiet(self, position: int) -> bool:
        """Whether an instruction touches no memory that another work-item may change, and changes none."""
        body, code = self._body, self._body.op[position]
        if code == ops.CALL:
            return self._is_query(position)
        if code == ops.READ:
            return self._is_read_of_unchanged(body.a[position])
        if code in _STORES:
            return self._is_private(body.a[position])
        if code == ops.CAPTURE and position not in self._parts:
            # An accessor without dimensions is read by its name.
            return not is_accessor(self._evaluator, body.name(position), body.place, body.function.start)
        if code == ops.STORE:
            return self._is_number(body.locals[body.a[position]])
        return code in _QUIET or (code == ops.RETURN and position == len(body.op) - 1)

    def is_read_before(self, position: int) -> bool:
        """Whether memory is read in front of an instruction."""
        body = self._body
        reads = (body.a[each] for each in body.at(ops.READ) if each < position)
        return any(body.root(place) is not None and not self._is_private(place) for place in reads)

    def _is_query(self, position: int) -> bool:
        """Whether an instruction is a call that asks an item for an id, or computes a number from numbers."""
        body = self._body
        if body.op[position] != ops.CALL:
            return False
        if body.a[position] != NONE:
            return body.called(position).startswith("get_") and body.called(position) not in ADDRESS_MEMBERS
        called = body.called(position)
        # Unqualified, so that only functions of mathematics count: ``sycl::`` has group functions, too.
        return bool(called) and is_plain_function(Name(called, None, None, 0, 0), {})

    def _is_read_of_unchanged(self, place: int) -> bool:
        """``it.get_global_id()[0]``, members of what is private, and memory that nothing here writes."""
        body = self._body
        base = body.a[place] if body.op[place] in (ops.ELEM, ops.FIELD) else NONE
        if (base != NONE and body.op[base] == ops.CALL and self._is_query(base)) or body.op[place] == ops.FIELD:
            return True
        root = self._root(place)
        return self._is_private(place) or (not self._is_open and root is not None and root not in self._changed)

    def _root(self, place: int) -> Local | str | None:
        """What a place is part of; ``None`` for what is found through a variable of the function itself."""
        root = self._body.root(place)
        is_made_here = isinstance(root, Local) and root.storage is not Storage.PARAMETER and root in self._body.locals
        return None if is_made_here else root

    def _is_private(self, place: int) -> bool:
        """Whether a place is a number, or an element of an array, that the function itself declares."""
        root = self._body.root(place)
        return isinstance(root, Local) and self._is_number(root)

    def _is_number(self, local: Local) -> bool:
        kind = local.type
        if kind is None or local.is_reference or kind.pointers:
            return False
        return self._evaluator.types.kind(kind.name, self._body.place).is_number

    def _is_stream(self, position: int) -> bool:
        """Whether an operator may be one of a class, which changes what is on its right: ``settings >> tile[lid]``."""
        body, left = self._body, self._body.a[position]
        if body.name(position) not in (">>", "<<") or body.op[left] not in (ops.GLOBAL, ops.CAPTURE, ops.LOAD):
            return False
        local = body.local(left)
        return local is None or not self._is_number(local)


def _orders_no_less(before: Call, barrier: Call) -> bool:
    """Whether all that a barrier orders has been ordered by the one before it: kinds of memory, and how far.

    Without arguments ``nd_item::barrier`` orders both kinds of memory (SYCL 1.2.1, 4.8.1.8) and ``group_barrier`` both
    for the group (SYCL 2020, "group_barrier").
    """
    wanted, given = _extent(barrier), _extent(before)
    return wanted is not None and (given == wanted or (given == () and wanted in (("local_space",), ("global_space",))))


def _extent(barrier: Call) -> tuple[str, ...] | None:
    """The names of a barrier's arguments after its group, ``()`` without any; ``None`` when one is not a name."""
    after = barrier.arguments if isinstance(barrier.function, Member) else barrier.arguments[1:]
    names = tuple(each.last for each in after if isinstance(each, Name))
    if len(names) < len(after):
        return None
    return () if names == ("global_and_local",) else names


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
    """Whether no work-item touches an element that another one writes; elements are distinguished by known indices."""
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
    return is_fixed and len(own) == dims and all(slope(index, each) for each in own)
