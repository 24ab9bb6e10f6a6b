"""Loops of device code that do nothing but wait for another work-item to write to memory."""

import re
from collections.abc import Iterator
from functools import cached_property

from sycllint.cpp.expression import Call, Name
from sycllint.cpp.macro_arguments import with_arguments
from sycllint.cpp.spelling import spelled
from sycllint.cpp.statement import If, Loop
from sycllint.device_code.checks.locks import constant, locking
from sycllint.device_code.code import KernelCode
from sycllint.device_code.once import once_per_function
from sycllint.ir import ops
from sycllint.ir.body import Body, Local
from sycllint.ir.ops import NONE
from sycllint.record import record
from sycllint.source.span import Location, Span

_ADDING = frozenset({"fetch_add", "fetch_sub", "fetch_or", "fetch_xor"})
"""What leaves an atomic as it is when it is given 0."""
_MODIFIES = re.compile(r"(?!atomic_(ref|load|fence))(atomic|fetch_|compare_exchange|exchange|store)")
"""Names of what may change an atomic."""
_NESTING = frozenset({ops.IF, ops.LOOP, ops.SWITCH, ops.VARIANT})
_LEAVING = (ops.RETURN, ops.BREAK, ops.GOTO, ops.THROW)
_CHANGING = frozenset(
    {
        *(ops.ADDR_LOCAL, ops.WRITE, ops.UPDATE, ops.SELECT),
        *(ops.NEW, ops.DELETE, ops.LAMBDA, ops.UNSEEN),
    }
)
"""Instructions of which nothing is known, or that change something."""
_ACTING = _CHANGING | {ops.CALL, ops.CONTINUE}


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
    loop: range
    """All of them."""


@once_per_function
def spin_waits(code: KernelCode) -> Iterator[SpinWait]:
    """The spinning loops of the kernel, and of functions that it calls; none inside a loop that takes a lock."""
    if code.mentions(b"root_group"):
        return
    for body in code.lowered:
        locked = 0
        for loop in body.at(ops.LOOP):
            test = _test(body, loop) if loop >= locked else None
            if test is None:
                continue
            if _locks(code, body, test):
                locked = test.loop.stop
                yield _spin_wait(code, body, test, is_lock=True)
            elif test.goes_on and _spins(code, body, test):
                yield _spin_wait(code, body, test, is_lock=False)


def _spin_wait(code: KernelCode, body: Body, test: _Test, *, is_lock: bool) -> SpinWait:
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
    if body.op[condition] == ops.BINARY and body.name(condition) == "&&":
        return None
    next_ = body.labels(loop)[0]
    is_do = node.keyword == "do"
    asked = range(next_, test) if is_do else range(loop + 1, test)
    turned = range(loop + 1, next_) if is_do else range(test + 1, next_)
    if any(each in turned for each in body.at(*_LEAVING)):
        return None
    return _Test(node, condition, True, asked, whole)


def _broken(body: Body, loop: range) -> _Test | None:
    """The condition of ``if (…) break;`` where a loop has no other exit."""
    leaving = [each for each in body.at(*_LEAVING) if each in loop]
    if len(leaving) != 1 or body.op[leaving[0]] != ops.BREAK:
        return None
    branch = leaving[0] - 1
    # What is done before the ``break`` is done when no work-item waits any more.
    if body.op[branch] != ops.IF or body.extra[branch] != leaving[0] + 1:
        return None
    if any(body.op[each] in _NESTING and each < branch < body.extra[each] for each in loop[1:]):
        return None
    node = body.node[branch]
    if not isinstance(node, If) or node.condition is None:
        return None
    return _Test(node, body.a[branch], False, range(loop.start + 1, branch), loop)


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


def _spins(code: KernelCode, body: Body, test: _Test) -> bool:
    """Whether each round of a loop asks the same of memory, which the loop itself does not change."""
    asks = _Question(code, body, test.loop)
    if not asks.is_fixed(test.condition) or not (asks.loads or asks.reads):
        return False
    if not asks.loads and any(
        body.op[each] in _ACTING or (body.op[each] == ops.STORE and body.a[each] not in asks.slots)
        for each in test.loop
    ):
        # Plain memory: only where the loop does nothing else.
        return False
    if any(map(asks.is_work, test.loop)):
        return False
    names = {name for each in asks.asked if (name := body.root(each)) is not None}
    local = {each.name for each in code.local}
    if any(_says_local_type(each) if isinstance(each, Local) else each in local for each in names):
        # Only the own group writes to local memory.
        return False
    others = (each for each in test.loop if each not in asks.answered)
    changed = {name for each in others for name in _changed(body, each, is_asked=each in asks.asked)}
    return names.isdisjoint(changed - {body.locals[each] for each in asks.slots})


class _Question:
    """What a value is worked out from in one round of a loop, or in one run of a function."""

    def __init__(self, code: KernelCode, body: Body, within: range, *, depth: int = 0) -> None:
        self.asked = dict[int, bool]()
        """By instruction, whether it is fixed; while that is found out it is not, as it depends on the round before."""
        self.slots = set[int]()
        """The variables that are set on the way."""
        self.answered = set[int]()
        """Calls that surely change nothing."""
        self.loads = False
        """An atomic is loaded, not surely one in local memory."""
        self.reads = False
        """Plain memory is read."""
        self._code, self._body, self._within, self._depth = code, body, within, depth
        self._open = set[int]()

    @cached_property
    def _targets(self) -> dict[int, Body]:
        """By call, the function that it runs."""
        body = self._body
        return {each.position: each.target for each in self._code.graph.calls(body) if each.body is body}

    def is_fixed(self, position: int) -> bool:
        """Whether a value is the same in each round as long as memory is: none is counted, and nothing is changed."""
        if position == NONE:
            return True
        if position not in self.asked:
            self.asked[position] = False
            self.asked[position] = self._is_fixed(position)
        return self.asked[position]

    def _is_fixed(self, position: int) -> bool:
        body, code = self._body, self._body.op[position]
        self.reads |= code in (ops.ELEM, ops.DEREF)
        if code == ops.LOAD:
            return self._is_fixed_variable(body.a[position])
        if code == ops.CALL and not self._is_question(position):
            return False
        operands = body.operands(position)
        if position in self.answered and position not in self._targets:
            # Behind the atomic stand orders and scopes of memory.
            operands = operands[:1]
        return code not in _CHANGING and all(map(self.is_fixed, operands))

    def is_work(self, position: int) -> bool:
        """Whether an instruction changes memory, so that the loop may bring about itself what it asks for."""
        body = self._body
        if body.op[position] in (ops.WRITE, ops.UPDATE):
            return not isinstance(body.root(body.a[position]), Local)
        return body.op[position] == ops.CALL and not self._is_question(position)

    def _is_fixed_variable(self, slot: int) -> bool:
        """Whether what a variable is set to depends neither on what it was nor on what is not fixed."""
        body = self._body
        sets = [each for each in body.at(ops.STORE, ops.DECL) if body.a[each] == slot and each in self._within]
        if not sets:
            return True
        if slot in self._open:
            return False
        self._open.add(slot)
        around = (body.a[each] for each in body.at(ops.IF) if any(each < one < body.extra[each] for one in sets))
        fixed = all(self.is_fixed(each) for each in (*(body.b[one] for one in sets), *around) if each in self._within)
        self._open.discard(slot)
        self.slots.add(slot)
        return fixed

    def _is_question(self, call: int) -> bool:
        """Whether a call changes no memory, as far as is known."""
        body, target = self._body, self._targets.get(call)
        if target is None:
            loads = _is_load(self._code, body, call)
        else:
            inner = _Question(self._code, target, range(len(target.op)), depth=self._depth + 1)
            if self._depth or target.at(ops.WRITE, ops.UPDATE, ops.LOOP):
                return False
            if not all(inner.is_fixed(target.a[each]) for each in target.at(ops.RETURN)):
                return False
            loads = inner.loads
        self.loads |= loads
        if loads or target is not None:
            self.answered.add(call)
            return True
        return _MODIFIES.match(body.called(call)) is None


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


def _is_load(code: KernelCode, body: Body, call: int) -> bool:
    """Whether a call reads an atomic that is not surely in local memory, and leaves it as it is."""
    name, is_member = body.called(call), body.a[call] != NONE
    given = body.list(call)[0 if is_member else 1 :]
    if is_member is name.startswith("atomic_") or (is_member and _is_local(body, call)):
        return False
    if name.removeprefix("atomic_") == "load":
        return True
    return name.removeprefix("atomic_") in _ADDING and bool(given) and constant(code, body, given[0]) == 0
