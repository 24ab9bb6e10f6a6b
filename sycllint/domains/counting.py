"""Loops that count, as far as uniformity is concerned: what a counter holds in an iteration, how often loops turn.

Work-items that are in one iteration have made as many trips. So where a counter starts at an id, it differs between
them by what it started with, and ``i - local_id < n`` holds for all of a group or for none.
"""

from __future__ import annotations

from sycllint.cpp.expression import Expr, Member, Number
from sycllint.dataflow.induction import Update, fixed, stored, update
from sycllint.domains.activation import Activation
from sycllint.domains.calling import called
from sycllint.domains.controls import Construct
from sycllint.domains.id_sums import MIRRORED, TRIPS
from sycllint.domains.levels import Content, Level, constant, scalar_of
from sycllint.domains.states import State
from sycllint.domains.transfer import STEPS, value
from sycllint.ir import ops
from sycllint.record import replace
from sycllint.values.arithmetic import LONG, Scalar
from sycllint.values.symbolic import parameter


def begin_loop(frame: Activation, begin: int, construct: Construct, state: State) -> None:
    """Before the first iteration: of what a loop changes, only the numbers are known that each moves by as much."""
    base, shared = frame.context.base, frame.context.run.shared
    for slot in sorted(stored(frame.body, begin)):
        content = state.contents[base + slot]
        if content is not None and content.number is not None:
            construct.numbers[base + slot] = content
            state.contents[base + slot] = replace(content, number=None)
    for number, content in construct.numbers.items():
        if content.level > Level.GROUP and number not in shared:
            moved = _moved(frame, begin, number - base, content, state)
            if moved is not None:
                construct.steady[number] = replace(content, number=moved)


def begin_round(construct: Construct, state: State) -> None:
    """Let the variables hold, up to the trip, what they hold in each iteration."""
    for number, content in construct.steady.items():
        held = state.contents[number]
        level = max(content.level, held.level) if held is not None else content.level
        state.contents[number] = replace(content, level=level)


def end_loop(construct: Construct, state: State) -> None:
    """Behind a loop the numbers of such variables are not known."""
    for number in construct.steady:
        held = state.contents[number]
        if held is not None and held.number is not None:
            state.contents[number] = replace(held, number=None)


def _moved(frame: Activation, begin: int, slot: int, content: Content, state: State) -> Scalar | None:
    """What a variable holds in any one iteration of a loop."""
    found = update(frame.body, begin, slot)
    step = step_of(frame, begin, found, state) if found is not None else None
    if found is None or step is None or content.number is None:
        return None
    evaluator = frame.context.run.evaluator
    node = frame.body.node[begin if found.step == ops.NONE else found.step]
    by = node if isinstance(node, Expr) else Number("1", 0, 0)
    key = f"{TRIPS}{id(frame.body.node[begin])}"
    trips = Scalar(parameter(key, key, "", minimum=0), LONG)
    if step.number is not None:
        product = scalar_of(evaluator.combine("*", trips, step.number, by))
    else:
        product = trips if step.level <= Level.GROUP else None
    return scalar_of(evaluator.combine(found.operator, content.number, product, by)) if product is not None else None


def step_of(frame: Activation, begin: int, found: Update, state: State) -> Content | None:
    """By how much each iteration moves a variable, where no iteration changes that."""
    if found.step == ops.NONE:
        return Content(Level.GRID, constant(1))
    return _evaluated(frame, found.step, begin, state)


def _evaluated(frame: Activation, position: int, begin: int, state: State) -> Content | None:
    """A value that is the same in each iteration of a loop, before it is reached."""
    body = frame.body
    positions = fixed(body, position, begin)
    if positions is None or not all(body.op[each] != ops.CALL or _is_getter(frame, each) for each in positions):
        return None
    for each in positions:
        step = STEPS[body.op[each]]
        if step is not None:
            frame.values[each] = step(frame, each, state)
        elif body.op[each] == ops.CALL:
            content = called(frame, each, state)
            if not isinstance(content, Content):
                return None
            frame.values[each] = content
    return value(frame, position, state)


def _is_getter(frame: Activation, position: int) -> bool:
    """Whether a call only gives an id or a range."""
    name = frame.body.called(position)
    is_member = isinstance(frame.body.callee(position), Member)
    return is_member and (name.startswith("get") or name == "size") and name not in frame.context.run.facts.functions


def same_trips(frame: Activation, begin: int, construct: Construct, state: State) -> bool:
    """Whether a counting loop surely makes as many trips in each work-item of a group; asked at its test."""
    body = frame.body
    condition = body.a[body.b[begin]]
    if condition == ops.NONE or body.op[condition] != ops.BINARY:
        return False
    operator = body.name(condition)
    for side, other, named in (
        (body.a[condition], body.b[condition], operator),
        (body.b[condition], body.a[condition], MIRRORED.get(operator, "")),
    ):
        if named in ("<", "!=") and fixed(body, other, begin) is not None:
            for slot, offset, sign in _counters(frame, side):
                if frame.context.base + slot in construct.numbers and _is_same(
                    frame, begin, construct, state, slot, named, other, offset, sign
                ):
                    return True
    return False


def _counters(frame: Activation, side: int) -> list[tuple[int, int, str]]:
    """The variables that one side of a comparison may count by: ``i``, ``i - first`` or ``first + i``."""
    body = frame.body
    if body.op[side] == ops.LOAD:
        return [(body.a[side], ops.NONE, "")]
    if body.op[side] != ops.BINARY or body.name(side) not in ("+", "-"):
        return []
    left, right = body.a[side], body.b[side]
    sign = "-" if body.name(side) == "+" else "+"
    found = [(body.a[left], right, sign)] if body.op[left] == ops.LOAD else []
    return found + ([(body.a[right], left, sign)] if body.op[right] == ops.LOAD and sign == "-" else [])


def _is_same(
    frame: Activation,
    begin: int,
    construct: Construct,
    state: State,
    slot: int,
    operator: str,
    other: int,
    offset: int,
    sign: str,
) -> bool:
    body, run = frame.body, frame.context.run
    found = update(body, begin, slot)
    start = construct.numbers[frame.context.base + slot].number
    if found is None or found.operator != "+" or (operator == "!=" and found.step != ops.NONE) or start is None:
        return False
    step = step_of(frame, begin, found, state)
    end = value(frame, other, state).number
    if offset != ops.NONE and end is not None:
        first = value(frame, offset, state).number if fixed(body, offset, begin) is not None else None
        node = body.node[other]
        assert isinstance(node, Expr)
        end = scalar_of(run.evaluator.combine(sign, end, first, node)) if first is not None else None
    if end is None or step is None or step.number is None:
        return False
    return run.indices.same_trips(start.value, end.value, step.number.value)
