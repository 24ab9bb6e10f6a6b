"""Constant folding: the smallest domain that uses all of the solver, for its tests."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import TypeAlias

from sycllint.cpp.expression import Number
from sycllint.dataflow.engine import Open, Solver, SolverFrame
from sycllint.ir import ops
from sycllint.ir.body import Body

State: TypeAlias = dict[tuple[int, int], int]
"""The variables whose number is known, by the depth of their function and their slot."""
Value: TypeAlias = int | None
Activation: TypeAlias = "SolverFrame[State, Value, int, str]"
"""A function at some depth; the control of a construct is the name of what begins it."""
Opened: TypeAlias = "Open[State, str]"

_OPERATORS: dict[str, Callable[[int, int], int]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "<": operator.lt,
    "==": operator.eq,
}


class Constants:
    """The domain; calls of the functions in ``known`` are entered."""

    nothing: Value = None

    def __init__(self, known: dict[str, Body]) -> None:
        self._known = known
        self.steps: Sequence[Callable[[Activation, int, State], Value] | None] = [
            _STEPS.get(code) for code in range(len(ops.NAMES))
        ]
        self.jumped: list[str] = []
        """The jumps that were met, each with what it leaves."""

    def call(self, frame: Activation, position: int, state: State) -> Value | Activation:
        body = self._known.get(frame.body.called(position))
        if body is None:
            return None
        depth = frame.context + 1
        for slot, each in enumerate(frame.body.list(position)):
            _set(state, (depth, slot), frame.values[each])
        return SolverFrame(body, depth, None)

    def result(self, frame: Activation, state: State | None) -> tuple[Value, State | None]:
        values = {frame.values[frame.body.a[position]] for position, _ in frame.returned}
        states = [each for _, each in frame.returned]
        outer = self._joined([state, *states])
        if outer is not None:
            outer = {key: value for key, value in outer.items() if key[0] < frame.context}
        return (values.pop() if len(values) == 1 else None), outer

    def fork(self, state: State) -> State:
        return dict(state)

    def gather(self, frame: Activation, opened: Opened, position: int, states: Sequence[State | None]) -> State | None:
        return self._joined(states)

    def widen(self, head: State, back: State) -> State:
        return dict(head.items() & back.items())

    def agree(self, opened: Opened, widened: State) -> bool:
        return opened.head == widened

    def holds(self, frame: Activation, position: int) -> bool | None:
        condition = frame.body.a[position]
        value = frame.values[condition] if condition != ops.NONE else None
        return None if value is None else bool(value)

    def begins(self, frame: Activation, opened: Opened, position: int, state: State) -> str:
        return ops.NAMES[opened.code]

    def turns(self, opened: Opened) -> str:
        return "else"

    def jumps(self, frame: Activation, position: int, target: Opened | None, state: State) -> None:
        left = ops.NAMES[target.code] if target is not None else "function"
        self.jumped.append(f"{ops.NAMES[frame.body.op[position]]} {left}")

    @staticmethod
    def _joined(states: Sequence[State | None]) -> State | None:
        reached = [each for each in states if each is not None]
        return dict(set.intersection(*(set(each.items()) for each in reached))) if reached else None


def run(body: Body, known: dict[str, Body], budget: int = 1000) -> tuple[Solver[State, Value, int, str], Activation]:
    """A run over ``body``, and the frame of it."""
    solver: Solver[State, Value, int, str] = Solver(Constants(known), budget)
    frame: Activation = SolverFrame(body, 0, None)
    solver.run(frame, {})
    return solver, frame


def _set(state: State, key: tuple[int, int], value: Value) -> None:
    if value is None:
        state.pop(key, None)
    else:
        state[key] = value


def _constant(frame: Activation, position: int, state: State) -> Value:
    node = frame.body.node[position]
    return int(node.text) if isinstance(node, Number) else None


def _loaded(frame: Activation, position: int, state: State) -> Value:
    return state.get((frame.context, frame.body.a[position]))


def _stored(frame: Activation, position: int, state: State) -> Value:
    given = frame.body.b[position]
    _set(state, (frame.context, frame.body.a[position]), frame.values[given] if given != ops.NONE else None)
    return None


def _binary(frame: Activation, position: int, state: State) -> Value:
    left, right = frame.values[frame.body.a[position]], frame.values[frame.body.b[position]]
    combine = _OPERATORS.get(frame.body.name(position))
    return int(combine(left, right)) if combine is not None and left is not None and right is not None else None


def _unary(frame: Activation, position: int, state: State) -> Value:
    value = frame.values[frame.body.a[position]]
    by = {"++": 1, "--": -1}.get(frame.body.name(position))
    return value + by if by is not None and value is not None else None


_STEPS: dict[int, Callable[[Activation, int, State], Value]] = {
    ops.CONST: _constant,
    ops.DECL: _stored,
    ops.LOAD: _loaded,
    ops.STORE: _stored,
    ops.BINARY: _binary,
    ops.UNARY: _unary,
}
