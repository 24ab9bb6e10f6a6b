"""In which turns of a loop code runs, as far as conditions on counters say: ``if (turn < 2)`` before the third.

A barrier that stands in the turns before the first in which some work-items jump away is met by all of them. So is one
in the first turns only, which all work-items make, although the loop turns more often for some.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import TypeAlias, cast

from sycllint.dataflow.engine import Open
from sycllint.dataflow.induction import fixed, update
from sycllint.domains.activation import Activation
from sycllint.domains.controls import Construct, Control, Limit
from sycllint.domains.counting import step_of
from sycllint.domains.id_sums import MIRRORED
from sycllint.domains.levels import exact_of
from sycllint.domains.states import State
from sycllint.domains.transfer import value
from sycllint.ir import ops
from sycllint.record import NamedTuple
from sycllint.values.symbolic import add, negate, subtract, symbolic
from sycllint.values.value import Known, Symbolic


def shared_turns(frame: Activation, begin: int, construct: Construct, state: State) -> int:
    """How many turns each work-item surely makes of a loop that only its test ends; asked at the test."""
    condition = frame.body.a[frame.body.b[begin]]
    if condition == ops.NONE:
        return 0
    found = _ahead(frame, begin, construct, condition, state, ("<", "<="))
    if found is None:
        return 0
    distance, step, inclusive = found
    low = frame.context.run.indices.lowest(distance)
    return max(0, _turns(low, step, inclusive=inclusive)) if low is not None else 0


def in_shared_turns(frame: Activation, condition: int, state: State) -> Control | None:
    """The loop around a branch of whose turns only such can take the branch that all work-items make."""
    body = frame.body
    opened = next((each for each in reversed(frame.opened) if each.code == ops.LOOP), None)
    construct = opened.control if opened is not None else None
    if opened is None or construct is None or construct.control is None or not construct.shared_turns:
        return None
    if body.op[condition] == ops.BINARY and body.name(condition) == "&&":
        sides = (in_shared_turns(frame, each, state) for each in (body.a[condition], body.b[condition]))
        return next((each for each in sides if each is not None), None)
    found = _ahead(frame, opened.begin, construct, condition, state, ("<", "<=", "=="))
    if found is None:
        return None
    distance, step, inclusive = found
    high = frame.context.run.indices.highest(distance)
    if high is None or _turns(high, step, inclusive=inclusive) > construct.shared_turns:
        return None
    return construct.control


def _turns(distance: int, step: int, *, inclusive: bool) -> int:
    """In how many turns a counter by ``step`` stays below, or at most at, what is ``distance`` away at first."""
    return distance // step + 1 if inclusive else -(-distance // step)


def _ahead(
    frame: Activation, begin: int, construct: Construct, condition: int, state: State, operators: tuple[str, ...]
) -> tuple[Symbolic, int, bool] | None:
    """Of a rising counter and a bound: how far that is at first, the step, and whether the counter may reach it."""
    found = next(compared(frame, begin, construct, condition, state, operators), None)
    return (found.distance, found.step, found.operator != "<") if found is not None and found.step > 0 else None


class Compared(NamedTuple):
    """``counter < bound`` in a loop that moves the counter by as much in each turn."""

    counter: int
    """The number of the variable."""
    operator: str
    distance: Symbolic
    """From the counter to the bound, before the first turn."""
    step: int
    """Not 0."""


def compared(
    frame: Activation, begin: int, construct: Construct, condition: int, state: State, operators: Collection[str]
) -> Iterator[Compared]:
    """The comparison that ``condition`` is of a counter of a loop, by one of ``operators``."""
    body = frame.body
    if body.op[condition] != ops.BINARY:
        return
    operator = body.name(condition)
    for side, other, named in (
        (body.a[condition], body.b[condition], operator),
        (body.b[condition], body.a[condition], MIRRORED.get(operator, "")),
    ):
        if named not in operators or body.op[side] != ops.LOAD or fixed(body, other, begin) is None:
            continue
        number = frame.context.base + body.a[side]
        if number in frame.context.run.shared:
            continue
        before = construct.numbers.get(number)
        moved = update(body, begin, body.a[side])
        by = step_of(frame, begin, moved, state) if moved is not None else None
        step = exact_of(by) if by is not None else None
        bound = value(frame, other, state).number
        start = symbolic(before.number.value) if before is not None and before.number is not None else None
        end = symbolic(bound.value) if bound is not None else None
        if moved is not None and step and start is not None and end is not None:
            signed = step if moved.operator == "+" else -step
            yield Compared(number, named, subtract(end, start), signed)


Opened: TypeAlias = Open[State, Construct]

_NEGATED = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}
_ONE = cast("Symbolic", symbolic(Known(1)))


def limits(frame: Activation, condition: int, state: State, *, negated: bool) -> tuple[Limit, ...]:
    """In which turns of the innermost loop a condition may hold; with ``negated``, in which it may not."""
    opened = next((each for each in reversed(frame.opened) if each.code == ops.LOOP), None)
    construct = opened.control if opened is not None else None
    if opened is None or construct is None or not construct.numbers:
        return ()
    return tuple(_limits(frame, opened.begin, construct, condition, state, negated=negated))


def _limits(
    frame: Activation, begin: int, construct: Construct, condition: int, state: State, *, negated: bool
) -> Iterator[Limit]:
    body = frame.body
    if condition == ops.NONE:
        return
    if body.op[condition] == ops.UNARY and body.name(condition) == "!":
        yield from _limits(frame, begin, construct, body.a[condition], state, negated=not negated)
    elif body.op[condition] == ops.BINARY and body.name(condition) == ("||" if negated else "&&"):
        for side in (body.a[condition], body.b[condition]):
            yield from _limits(frame, begin, construct, side, state, negated=negated)
    else:
        for each in compared(frame, begin, construct, condition, state, _NEGATED):
            operator = _NEGATED[each.operator] if negated else each.operator
            yield from _of(each, operator, begin)


def _of(comparison: Compared, operator: str, begin: int) -> Iterator[Limit]:
    """What a comparison of a counter says of the turns in which it holds."""
    distance = comparison.distance
    if comparison.step < 0:
        operator, distance = MIRRORED[operator], negate(distance)
    beyond = add(distance, _ONE)
    if operator in ("<", "<=", "=="):
        yield Limit(comparison.counter, begin, distance if operator == "<" else beyond, False)
    if operator in (">", ">=", "=="):
        yield Limit(comparison.counter, begin, beyond if operator == ">" else distance, True)


def limits_of_jump(opened: Sequence[Opened], kind: str, branch: Iterable[Limit] = ()) -> tuple[Limit, ...]:
    """In which turns a jump is made under all that is ``opened``, and in a ``branch``, where who jumps stays away.

    A ``break`` is one of a loop, which ends with it; a ``return`` only where no loop around begins that one again.
    """
    loops = [each for each in opened if each.code in (ops.LOOP, ops.SWITCH)]
    if not loops or loops[-1].code == ops.SWITCH or (kind != "break" and len(loops) > 1) or kind == "throw":
        return ()
    controls = [each.control.control for each in opened if each.control is not None]
    found = (limit for each in controls if each is not None for limit in each.limits)
    return tuple(each for each in (*found, *branch) if each.loop == loops[-1].begin)
