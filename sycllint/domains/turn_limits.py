"""In which turns of a loop code runs, as far as conditions on counters say: ``if (turn < 2)`` before the third.

A barrier that stands in the turns before the first in which some work-items jump away is met by all of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias, cast

from sycllint.dataflow.engine import Open
from sycllint.domains.activation import Activation
from sycllint.domains.controls import Construct, Limit
from sycllint.domains.first_turns import Compared, compared
from sycllint.domains.states import State
from sycllint.ir import ops
from sycllint.values.symbolic import add, negate, symbolic
from sycllint.values.value import Known, Symbolic

Opened: TypeAlias = Open[State, Construct]

_NEGATED = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}
_ONE = cast("Symbolic", symbolic(Known(1)))
_DOWNWARDS = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "=="}


def limits(frame: Activation, condition: int, state: State, *, negated: bool) -> tuple[Limit, ...]:
    """In which turns of the innermost loop a condition may hold; with ``negated``, in which it may not."""
    opened = next((each for each in reversed(frame.opened) if each.code == ops.LOOP), None)
    construct = opened.control if opened is not None else None
    if opened is None or construct is None or not construct.numbers or not frame.context.run.counts:
        return ()
    return tuple(_limits(frame, opened.begin, construct, condition, state, negated=negated))


def _limits(
    frame: Activation, begin: int, construct: Construct, condition: int, state: State, *, negated: bool
) -> Iterator[Limit]:
    body = frame.body
    if condition == ops.NONE:
        return
    if body.op[condition] == ops.UNARY and body.name(condition) in ("!", "not"):
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
        operator, distance = _DOWNWARDS.get(operator, operator), negate(distance)
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
