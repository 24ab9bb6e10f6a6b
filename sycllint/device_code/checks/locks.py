"""Exchanges by which work-items take a lock, as opposed to those by which they update a value without one.

A loop waits for others when a failed exchange leaves memory as it is and the next try is the same: it compares with a
constant, or writes the constant that is there. A loop that computes its next try from what it has read comes to an
end by itself as soon as no other work-item writes, and is none.
"""

from collections.abc import Callable, Iterator
from operator import eq, ge, gt, le, lt, ne

from sycllint.cpp.expression import Expr, Name
from sycllint.device_code.code import KernelCode
from sycllint.ir import ops
from sycllint.ir.body import Body, Local
from sycllint.ir.ops import NONE
from sycllint.record import record

_Number = int | float
_SWAPS = frozenset({"exchange", "atomic_exchange", "fetch_or", "atomic_fetch_or"})
"""What writes the same constant again leaves memory as it is."""
_COMPARES = frozenset(
    {
        *("compare_exchange_strong", "compare_exchange_weak"),
        *("atomic_compare_exchange_strong", "atomic_compare_exchange_weak"),
    }
)
_BINARY: dict[str, Callable[[_Number, _Number], bool]] = {"==": eq, "!=": ne, "<": lt, ">": gt, "<=": le, ">=": ge}
_RETURNING_BOOL = ("sycl", "std")


@record
class Locking:
    """An exchange in a condition that only another work-item's write lets succeed."""

    call: int
    named: frozenset[int]
    """The instructions that say what is exchanged, the exchange and that of what was expected among them."""


def locking(
    code: KernelCode, body: Body, condition: int, asked: range, loop: range, *, goes_on: bool
) -> Locking | None:
    """The exchange for which a loop waits that goes on where ``condition`` is ``goes_on``.

    Whether the loop changes which memory that is, the caller has to see.
    """
    calls = _exchanges(body, asked)
    if not calls and not body.encloses(loop.start, ops.IF):
        # Its result is kept in a variable, and nothing in the loop depends on that.
        calls = _exchanges(body, loop)
    if len(calls) != 1:
        return None
    (call,) = calls
    failed = _failed(code, body, call, loop)
    if failed is None:
        return None
    answer = _FailedExchange(code, body, loop, call, failed).of(condition)
    if answer is None or bool(answer) is not goes_on:
        return None
    return Locking(call, frozenset(_operands(body, call, loop)))


def _exchanges(body: Body, among: range) -> list[int]:
    return [each for each in among if body.op[each] == ops.CALL and body.called(each) in _SWAPS | _COMPARES]


def _failed(code: KernelCode, body: Body, call: int, loop: range) -> _Number | None:
    """What the exchange gives as long as another work-item holds the lock; ``None`` where it takes none."""
    is_member = body.a[call] != NONE
    given = body.list(call)[0 if is_member else 1 :]
    if body.called(call) in _SWAPS:
        return constant(code, body, given[0]) if given else None
    if len(given) < 2:
        return None
    expected, desired = given[:2]
    variable = body.local(expected)
    if is_member or _is_standard(body, call):
        # The failed exchange leaves in the variable what it has read.
        kept = [constant(code, body, each) for each in _given_in(body, variable, loop)] if variable else []
        return 0 if kept and kept[0] is not None and kept.count(kept[0]) == len(kept) else None
    if variable is not None and _given_in(body, variable, loop):
        return None
    free, taken = (constant(code, body, each) for each in (expected, desired))
    if free is None:
        return None
    return free + 1 if taken is None or taken == free else taken


def _is_standard(body: Body, call: int) -> bool:
    """Whether a function that is no member says whether it succeeded, as those of SYCL 1.2.1 and C++ do.

    Those of dpct and its kin give the value that was there.
    """
    function = body.callee(call)
    return isinstance(function, Name) and function.qualifier.removeprefix("::").partition("::")[0] in _RETURNING_BOOL


def _given_in(body: Body, variable: Local, loop: range) -> list[int]:
    """The values that a variable is given in each round of a loop; one that depends on a branch makes it none."""
    found = [
        each
        for each in loop
        if body.op[each] in (ops.STORE, ops.DECL) and body.locals[body.a[each]] is variable and body.b[each] != NONE
    ]
    branches = [each for each in loop if body.op[each] == ops.IF]
    if any(branch < each < body.extra[branch] for branch in branches for each in found):
        return []
    return [body.b[each] for each in found]


def constant(code: KernelCode, body: Body, position: int) -> _Number | None:
    """The number that an instruction makes, as a constant expression."""
    node, place = body.origin(position)
    return code.reading.constant(node, place) if isinstance(node, Expr) else None


@record
class _FailedExchange:
    """What the values in a loop are while its exchange fails."""

    code: KernelCode
    body: Body
    loop: range
    call: int
    failed: _Number

    def of(self, position: int) -> _Number | None:
        """The number that an instruction makes, when that is known."""
        body = self.body
        if position == self.call:
            return self.failed
        match body.op[position]:
            case ops.CAST:
                return self.of(body.a[position])
            case ops.UNARY if body.name(position) == "!":
                held = self.of(body.a[position])
                return None if held is None else not held
            case ops.BINARY if body.name(position) in _BINARY:
                left, right = self.of(body.a[position]), self.of(body.b[position])
                return None if left is None or right is None else _BINARY[body.name(position)](left, right)
            case ops.LOAD:
                given = _given_in(body, body.locals[body.a[position]], self.loop)
                return self.of(given[0]) if len(given) == 1 and given[0] <= self.call else self._fixed(position)
            case _:
                return self._fixed(position)

    def _fixed(self, position: int) -> _Number | None:
        return constant(self.code, self.body, position)


def _operands(body: Body, call: int, loop: range) -> Iterator[int]:
    """The instructions of which an exchange gets its memory, and itself."""

    def held(load: int) -> Iterator[int]:
        variable = body.locals[body.a[load]]
        yield from _given_in(body, variable, loop)
        yield from (body.b[each] for each in body.at(ops.DECL) if body.locals[body.a[each]] is variable)

    yield call
    yield from body.made_of(body.a[call] if body.a[call] != NONE else body.list(call)[0], held=held)
