"""Variables that a loop changes, and those that each of its iterations moves by as much: ``i += step``."""

from __future__ import annotations

from collections.abc import Iterator

from sycllint.ir import ops
from sycllint.ir.body import Body
from sycllint.record import NamedTuple

_PURE = frozenset(
    {
        *(ops.CONST, ops.CAPTURE, ops.GLOBAL, ops.LOAD, ops.FIELD, ops.ELEM, ops.READ),
        *(ops.UNARY, ops.BINARY, ops.CAST, ops.CALL),
    }
)
_BRANCHES = frozenset({ops.IF, ops.LOOP, ops.SWITCH, ops.TRY})
_LEFT = frozenset({ops.FIELD, ops.ELEM, ops.READ, ops.UNARY, ops.BINARY, ops.CAST})


class Update(NamedTuple):
    """What each iteration does once to a variable: it adds ``step``, or subtracts it."""

    operator: str
    """``+`` or ``-``."""
    step: int
    """The position of the value; ``NONE`` for one."""


def stored(body: Body, begin: int) -> frozenset[int]:
    """The slots that the loop at ``begin`` stores to."""
    return frozenset([body.a[each] for each in body.inside(begin, ops.STORE)])


def update(body: Body, begin: int, slot: int) -> Update | None:
    """The one change of a variable that every iteration of the loop at ``begin`` makes once."""
    stores = [each for each in body.inside(begin, ops.STORE) if body.a[each] == slot]
    if len(stores) != 1 or not _runs_always(body, begin, stores[0]):
        return None
    value = _declared(body, body.b[stores[0]], begin)
    if body.op[value] == ops.UNARY and body.name(value) in ("++", "--") and _is(body, body.a[value], slot):
        return Update(body.name(value)[0], ops.NONE)
    if body.op[value] != ops.BINARY or body.name(value) not in ("+", "-"):
        return None
    left, right, operator = body.a[value], body.b[value], body.name(value)
    if _is(body, left, slot):
        return Update(operator, right)
    return Update(operator, left) if operator == "+" and _is(body, right, slot) else None


def fixed(body: Body, position: int, begin: int) -> list[int] | None:
    """The instructions that make a value, in order, where the loop at ``begin`` changes nothing that it is made of."""
    changed = stored(body, begin)
    found: list[int] = []
    waiting = [position]
    while waiting:
        current = waiting.pop()
        code = body.op[current]
        if code not in _PURE or (code == ops.LOAD and body.a[current] in changed):
            return None
        if code == ops.UNARY and body.name(current) in ("++", "--"):
            return None
        found.append(current)
        if code in _LEFT or (code == ops.CALL and body.a[current] != ops.NONE):
            waiting.append(body.a[current])
        if code == ops.CALL or (code == ops.ELEM and body.extra[current] != ops.NONE):
            waiting.extend(body.list(current))
        elif code in (ops.ELEM, ops.BINARY) and body.b[current] != ops.NONE:
            waiting.append(body.b[current])
    return sorted(set(found))


def _is(body: Body, position: int, slot: int) -> bool:
    return body.op[position] == ops.LOAD and body.a[position] == slot


def _declared(body: Body, position: int, begin: int) -> int:
    """The value that a variable of the loop is declared with and keeps, where ``position`` is such a variable."""
    if body.op[position] != ops.LOAD:
        return position
    slot = body.a[position]
    made = [each for each in body.at(ops.DECL) if body.a[each] == slot and begin < each < position]
    if len(made) != 1 or any(body.a[each] == slot for each in body.at(ops.STORE, ops.ADDR_LOCAL)):
        return position
    return body.b[made[0]] if body.b[made[0]] != ops.NONE else position


def _runs_always(body: Body, begin: int, position: int) -> bool:
    """Whether every iteration gets to an instruction."""
    if any(each < position < body.extra[each] for each in _within(body, begin)):
        return False
    (behind,) = body.labels(begin)
    return position > behind or not body.encloses(begin, ops.CONTINUE)


def _within(body: Body, begin: int) -> Iterator[int]:
    """The constructs in a loop in which ways part."""
    for each in body.inside(begin, *_BRANCHES, ops.VARIANT):
        if body.op[each] != ops.VARIANT or body.a[each] != ops.YES:
            yield each
