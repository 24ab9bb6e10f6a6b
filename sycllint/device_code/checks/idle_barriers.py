"""Barriers of a kernel's own statements that order no accesses: at its start, at its end, or right after another."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from typing import TYPE_CHECKING

from sycllint.cpp.expression import Call, Member, Name
from sycllint.cpp.statement import Evaluate, Variable
from sycllint.device_code.once import once_per_function
from sycllint.domains.meaning import Meanings, Role, Scope
from sycllint.ir import ops
from sycllint.ir.body import Body
from sycllint.ir.ops import NONE
from sycllint.record import record
from sycllint.source.span import Location

if TYPE_CHECKING:
    from sycllint.device_code.code import KernelCode

_PLAIN = frozenset({ops.CONST, ops.PARAM, ops.CAPTURE, ops.GLOBAL, ops.LOAD, ops.READ, ops.DROP})
"""Instructions of a kernel that does nothing but call one function."""
_QUIET = frozenset(
    {ops.CONST, ops.PARAM, ops.CAPTURE, ops.GLOBAL, ops.THIS, ops.DECL, ops.LOAD, ops.FIELD, ops.ELEM, ops.UNARY}
    | {ops.BINARY, ops.CAST, ops.SELECT, ops.CONSTRUCT, ops.DROP}
)
"""Instructions that touch no memory that another work-item sees."""


class Reason(Enum):
    """Why a barrier orders nothing."""

    FIRST = "first"
    LAST = "last"
    REPEATED = "repeated"


@record
class IdleBarrier:
    """A work-group barrier without accesses before it, after it, or between it and the one before."""

    location: Location
    reason: Reason


@once_per_function
def idle_barriers(code: KernelCode) -> Iterator[IdleBarrier]:
    """The idle barriers among the statements of the kernel, or of the one function that it does nothing but call."""
    body = _followed(code)
    if not code.scan.barriers or body.function.damaged:
        return
    barriers = _barriers(code, body)
    own = {each for statement in barriers for each in _operands(body, statement)}
    busy = [each for each in range(len(body.op)) if each not in own and not _is_quiet(body, each)]
    before = NONE
    for statement, barrier in barriers.items():
        reason = None
        if not busy or statement < busy[0]:
            reason = Reason.FIRST
        elif before != NONE and not any(before < each < statement for each in busy):
            reason = Reason.REPEATED if _orders_no_less(barriers[before], barrier) else None
        if reason is None and statement > busy[-1] and list(barriers)[-1] == statement:
            reason = Reason.LAST
        if reason is not None:
            yield IdleBarrier(code.location(body, statement), reason)
        before = statement


def _followed(code: KernelCode) -> Body:
    """The body of the kernel, or of the function that is all it calls."""
    body = code.graph.body(code.function, code.place)
    edges = code.graph.calls(body)
    alone = len(edges) == 1 and all(each in _PLAIN or each == ops.CALL for each in body.op)
    return edges[0].target if alone and len(body.at(ops.CALL)) == 1 else body


def _barriers(code: KernelCode, body: Body) -> dict[int, Call]:
    """The statements of the function itself that are barriers of the work-group; a declaration may name its group."""
    meanings = Meanings(code.evaluator)
    scope: Scope = dict(meanings.parameters(body.function.parameters, kernel=True))
    found: dict[int, Call] = {}
    for position in body.at(ops.DECL, ops.DROP):
        node = body.node[position]
        if isinstance(node, Variable):
            only = node.arguments[0] if len(node.arguments) == 1 else None
            role = meanings.of_type(node.type.name)
            meaning = role if role is not None else meanings.of(only, scope) if only else None
            if meaning is not None:
                scope[node.name] = meaning
        elif isinstance(node, Evaluate) and body.op[body.a[position]] == ops.CALL and body.depth(position) == 0:
            call = body.call(body.a[position])
            if _is_barrier(call, meanings, scope):
                found[position] = call
    return found


def _is_barrier(call: Call, meanings: Meanings, scope: Scope) -> bool:
    match call:
        case Call(function=Member(object=inner, name="barrier")):
            return meanings.of(inner, scope) in (Role.ITEM, Role.WORK_GROUP)
        case Call(function=Name(last="group_barrier"), arguments=(group, *_)):
            return meanings.of(group, scope) is Role.WORK_GROUP
        case _:
            return False


def _operands(body: Body, position: int) -> Iterator[int]:
    """An instruction, and those that make its operands."""
    waiting = [position]
    for each in waiting:
        yield each
        code = body.op[each]
        if code == ops.CALL:
            waiting += body.list(each)
        if code in (ops.CALL, ops.DROP, ops.READ, ops.FIELD) and body.a[each] != NONE:
            waiting.append(body.a[each])


def _is_quiet(body: Body, position: int) -> bool:
    """Whether an instruction touches no memory that another work-item sees: declarations from ids and arguments."""
    code = body.op[position]
    if code == ops.CALL:
        return body.a[position] != NONE and body.called(position).startswith("get_")
    if code == ops.READ:
        # ``it.get_global_id()[0]``, and members of what is private.
        element = body.a[position]
        base = body.a[element] if body.op[element] in (ops.ELEM, ops.FIELD) else NONE
        is_id = base != NONE and body.op[base] == ops.CALL and _is_quiet(body, base)
        return is_id or body.op[element] == ops.FIELD
    return code in _QUIET or (code == ops.RETURN and position == len(body.op) - 1)


def _orders_no_less(before: Call, barrier: Call) -> bool:
    """Whether all that a barrier orders has been ordered by the one before it: kinds of memory, and how far.

    Without arguments ``nd_item::barrier`` orders both kinds of memory (SYCL 1.2.1, 4.8.1.8) and ``group_barrier`` both
    for the group (SYCL 2020, "group_barrier").
    """
    wanted, given = _extent(barrier), _extent(before)
    return wanted is not None and (given == wanted or (given == () and _is_space(wanted)))


def _extent(barrier: Call) -> tuple[str, ...] | None:
    """The names of a barrier's arguments after its group, ``()`` without any; ``None`` when one is not a name."""
    after = barrier.arguments if isinstance(barrier.function, Member) else barrier.arguments[1:]
    names = tuple(each.last for each in after if isinstance(each, Name))
    if len(names) < len(after):
        return None
    return () if names == ("global_and_local",) else names


def _is_space(extent: tuple[str, ...] | None) -> bool:
    return extent in (("local_space",), ("global_space",))
