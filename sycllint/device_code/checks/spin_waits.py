"""Loops of device code that do nothing but wait for another work-item to write to memory."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from sycllint.cpp.expression import Call, Name
from sycllint.cpp.macro_arguments import with_arguments
from sycllint.cpp.spelling import spelled
from sycllint.cpp.statement import If, Loop
from sycllint.device_code.checks.locks import locking
from sycllint.device_code.once import once_per_function
from sycllint.ir import ops
from sycllint.ir.body import Body, Local
from sycllint.ir.ops import NONE
from sycllint.record import record
from sycllint.source.span import Location, Span

if TYPE_CHECKING:
    from sycllint.device_code.code import KernelCode

_COMPARISONS = frozenset({"==", "!=", "<", ">", "<=", ">="})
_BOTH = frozenset({"&&", "and"})
_NESTING = frozenset({ops.IF, ops.LOOP, ops.SWITCH, ops.VARIANT})
_LEAVING = frozenset({ops.RETURN, ops.BREAK, ops.CONTINUE, ops.GOTO, ops.THROW})


@record
class SpinWait:
    """A loop without another exit than what memory holds."""

    location: Location
    """Of its condition."""
    condition: str
    """By which it goes on."""
    is_lock: bool
    """It ends by an exchange that succeeds only once another work-item has released what it holds."""


@record
class _Test:
    """What alone ends a loop."""

    node: Loop | If
    condition: int
    """The value that is asked."""
    goes_on: bool
    """With which truth of it the loop goes on."""
    asked: range
    """The instructions that work it out."""
    turned: range
    """The others, in the body of the loop."""
    loop: range
    """All of them."""


@once_per_function
def spin_waits(code: KernelCode) -> Iterator[SpinWait]:
    """The spinning loops of the kernel, and of functions that it calls; none inside a loop that takes a lock."""
    if not code.scan.loops or code.mentions(b"root_group"):
        return
    for body in code.lowered:
        locked = 0
        for loop in body.at(ops.LOOP):
            test = _test(body, loop) if loop >= locked else None
            if test is None:
                continue
            if _locks(code, body, test):
                locked = test.loop.stop
                yield _told(code, body, test, is_lock=True)
            elif test.goes_on and _spins(body, test):
                yield _told(code, body, test, is_lock=False)


def _told(code: KernelCode, body: Body, test: _Test, *, is_lock: bool) -> SpinWait:
    condition = test.node.condition
    assert condition is not None
    path = code.location(body, test.loop.start).path
    text = spelled(with_arguments(condition, body.around_of(test.loop.start)))
    if not test.goes_on:
        text = f"!{text}" if isinstance(condition, Call) else f"!({text})"
    return SpinWait(Location(path, Span(condition.start, condition.end)), text, is_lock)


def _test(body: Body, loop: int) -> _Test | None:
    """The condition of a loop that nothing else ends, or that of the only ``break`` of one without an end."""
    node, test, end = body.node[loop], body.b[loop], body.extra[loop]
    if not isinstance(node, Loop):
        return None
    whole = range(loop, end)
    condition = body.a[test]
    if node.condition is None or body.op[condition] == ops.CONST:
        return _broken(body, whole)
    if body.op[condition] == ops.BINARY and body.name(condition) in _BOTH:
        return None
    next_ = next(each for each in whole if body.op[each] == ops.NEXT and body.node[each] is node)
    is_do = node.keyword == "do"
    asked = range(next_, test) if is_do else range(loop + 1, test)
    turned = range(loop + 1, next_) if is_do else range(test + 1, next_)
    if any(body.op[each] in _LEAVING for each in turned):
        return None
    return _Test(node, condition, True, asked, turned, whole)


def _broken(body: Body, loop: range) -> _Test | None:
    """The condition of ``if (…) break;`` where a loop has no other exit."""
    leaving = [each for each in loop if body.op[each] in _LEAVING]
    if len(leaving) != 1 or body.op[leaving[0]] != ops.BREAK:
        return None
    branch = leaving[0] - 1
    # What is done before the ``break`` is done while nobody waits any more.
    if body.op[branch] != ops.IF or body.extra[branch] != leaving[0] + 1:
        return None
    if any(body.op[each] in _NESTING and each < branch < body.extra[each] for each in loop[1:]):
        return None
    node = body.node[branch]
    if not isinstance(node, If) or node.condition is None:
        return None
    return _Test(node, body.a[branch], False, range(loop.start + 1, branch), range(branch + 1, loop.stop), loop)


def _locks(code: KernelCode, body: Body, test: _Test) -> bool:
    """Whether what ends a loop is an exchange that fails as long as another work-item holds a lock."""
    lock = locking(code, body, test.condition, test.asked, test.loop, goes_on=test.goes_on)
    if lock is None or _is_local(body, lock.call):
        return False
    names = {name for each in lock.named if (name := body.root(each)) is not None}
    arrays = {each.name for each in code.local}
    if any(_says_local_type(each) if isinstance(each, Local) else each in arrays for each in names):
        return False
    changed = {
        name
        for each in test.loop
        if each not in lock.named
        for name in _changed(body, each, is_asked=each in test.asked)
    }
    return names.isdisjoint(changed)


def _spins(body: Body, test: _Test) -> bool:
    """Whether a loop goes on by what it loads, and does not change itself."""
    calls = [each for each in test.asked if body.op[each] == ops.CALL]
    loads = any(_is_load(body, each) for each in calls)
    # Plain memory: only where the loop does nothing at all.
    compares = _compares(body, test.condition) and any(_reads(body, each) for each in test.asked)
    if not loads and (calls or test.turned or not compares):
        return False
    names = {name for each in test.asked if (name := body.root(each)) is not None}
    if any(isinstance(each, Local) and _says_local_type(each) for each in names):
        # Atomic references to local memory: only the own group writes there.
        return False
    changed = {name for each in test.loop for name in _changed(body, each, is_asked=each in test.asked)}
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
            if not is_asked and body.called(position) != "load":
                yield body.root(body.a[position])


def _says_local_type(variable: Local) -> bool:
    return variable.type is not None and _says_local(variable.type.name)


def _says_local(kind: Name) -> bool:
    if kind.last == "local_accessor":
        return True
    return any(isinstance(each, Name) and each.last in ("local_space", "work_group") for each in kind.arguments or ())


def _is_local(body: Body, call: int) -> bool:
    """Whether the type of an atomic that is made where it is used, or of the function, says local memory."""
    made = body.a[call] if body.a[call] != NONE else call
    function = body.callee(made) if body.op[made] == ops.CALL else None
    return isinstance(function, Name) and _says_local(function)


def _is_load(body: Body, call: int) -> bool:
    """Whether a call reads an atomic that is not surely in local memory."""
    if body.called(call) == "atomic_load" and body.a[call] == NONE:
        return True
    if body.called(call) != "load" or body.a[call] == NONE or body.list(call):
        return False
    return not _is_local(body, call)


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
