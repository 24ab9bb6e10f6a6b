"""Loops of device code that do nothing but wait for another work-item to write to memory."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from sycllint.cpp.expression import Name
from sycllint.cpp.spelling import spelled
from sycllint.cpp.statement import Loop
from sycllint.ir import ops
from sycllint.ir.body import Body, Local
from sycllint.ir.ops import NONE
from sycllint.kernel.once import once_per_function
from sycllint.record import record
from sycllint.source.span import Location, Span

if TYPE_CHECKING:
    from sycllint.kernel.analyses import KernelCode

_COMPARISONS = frozenset({"==", "!=", "<", ">", "<=", ">="})
_BOTH = frozenset({"&&", "and"})
_LEAVING = frozenset({ops.RETURN, ops.BREAK, ops.CONTINUE, ops.GOTO, ops.THROW})


@record
class SpinWait:
    """A loop without another exit than what memory holds."""

    location: Location
    """Of its condition."""
    condition: str


@once_per_function
def spin_waits(code: KernelCode) -> Iterator[SpinWait]:
    """The spinning loops of the kernel, and of functions that it calls."""
    if not code.scan.loops or code.mentions(b"root_group"):
        return
    for body in code.lowered:
        for loop in body.at(ops.LOOP):
            node = body.node[loop]
            if isinstance(node, Loop) and node.condition is not None and _spins(body, loop, node):
                path = code.location(body, loop).path
                span = Span(node.condition.start, node.condition.end)
                yield SpinWait(Location(path, span), spelled(node.condition))


def _spins(body: Body, loop: int, node: Loop) -> bool:
    test, end = body.b[loop], body.extra[loop]
    next_ = next(each for each in range(loop, end) if body.op[each] == ops.NEXT and body.node[each] is node)
    asked = range(next_, test) if node.keyword == "do" else range(loop + 1, test)
    turned = range(loop + 1, next_) if node.keyword == "do" else range(test + 1, next_)
    condition = body.a[test]
    if body.op[condition] == ops.BINARY and body.name(condition) in _BOTH:
        return False
    calls = [each for each in asked if body.op[each] == ops.CALL]
    loads = any(_is_load(body, each) for each in calls)
    # Plain memory: only where the loop does nothing at all.
    if not loads and (calls or turned or not _compares(body, condition) or not any(_reads(body, e) for e in asked)):
        return False
    if any(body.op[each] in _LEAVING for each in turned):
        return False
    names = {name for each in asked if (name := body.root(each)) is not None}
    if any(isinstance(each, Local) and each.type is not None and _says_local(each.type.name) for each in names):
        # Atomic references to local memory: only the own group writes there.
        return False
    changed = {name for each in range(loop, end) for name in _changed(body, each, is_asked=each in asked)}
    return names.isdisjoint(changed)


def _changed(body: Body, position: int, *, is_asked: bool) -> Iterator[Local | str | None]:
    """What an instruction of the loop may change."""
    match body.op[position]:
        case ops.STORE:
            yield body.locals[body.a[position]]
        case ops.WRITE | ops.UPDATE | ops.ADDR | ops.ADDR_LOCAL:
            yield body.root(position if body.op[position] == ops.ADDR_LOCAL else body.a[position])
        case ops.CALL:
            yield from map(body.root, body.list(position))
            if not is_asked:
                yield body.root(body.a[position])


def _says_local(kind: Name) -> bool:
    return any(isinstance(each, Name) and each.last in ("local_space", "work_group") for each in kind.arguments or ())


def _is_load(body: Body, call: int) -> bool:
    """Whether a call reads an atomic that is not surely in local memory."""
    if body.called(call) == "atomic_load" and body.a[call] == NONE:
        return True
    if body.called(call) != "load" or body.a[call] == NONE or body.list(call):
        return False
    made = body.a[call]
    function = body.callee(made) if body.op[made] == ops.CALL else None
    return not (isinstance(function, Name) and _says_local(function))


def _reads(body: Body, position: int) -> bool:
    return body.op[position] in (ops.ELEM, ops.DEREF)


def _compares(body: Body, condition: int) -> bool:
    match body.op[condition]:
        case ops.BINARY:
            return body.name(condition) in _COMPARISONS
        case ops.UNARY:
            return body.name(condition) == "!"
        case ops.READ:
            return _reads(body, body.a[condition])
        case _:
            return False
