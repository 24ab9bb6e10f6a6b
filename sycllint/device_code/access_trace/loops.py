"""Loops of device code: one iteration stands for all, as a function of its number."""

from __future__ import annotations

from collections.abc import Callable

from sycllint.cpp.expression import Expr, Name, Number
from sycllint.cpp.node import Node
from sycllint.cpp.statement import Loop, RangeLoop
from sycllint.device_code.access_trace.abstract_values import Data, Environment
from sycllint.device_code.access_trace.calls import DeviceCalls
from sycllint.device_code.access_trace.conditions import when
from sycllint.device_code.access_trace.escape_analysis import EscapeAnalysis
from sycllint.device_code.access_trace.expressions import ExpressionTransfer
from sycllint.device_code.access_trace.interpreter import Interpreter
from sycllint.device_code.access_trace.loop_variables import LoopVariables
from sycllint.device_code.access_trace.terms import Atom, AtomKind
from sycllint.device_code.access_trace.trace import Cycle, Guard, LoopHead, widest


class LoopTransfer:
    """Those of one walk."""

    def __init__(
        self, interpreter: Interpreter, escapes: EscapeAnalysis, calls: DeviceCalls, expressions: ExpressionTransfer
    ) -> None:
        self._interpreter = interpreter
        self._escapes = escapes
        self._calls = calls
        self._expressions = expressions
        self._variables = LoopVariables(interpreter)
        self._state = interpreter.state
        self._counters = 0

    def transfers(self) -> dict[type[Node], Callable[..., bool]]:
        """The transfer functions of loops, by their kinds."""
        return {Loop: self._loop, RangeLoop: self._range_loop}

    def _loop(self, node: Loop, names: Environment) -> bool:
        inner = dict(names)
        if node.initializer is not None:
            self._interpreter.single(node.initializer, inner)
        if node.keyword == "do" and _is_false(node.condition):
            return self._interpreter.once(node.body, inner)
        return self._turned(node, inner, lambda head: self._iteration(node, head, inner))

    def _turned(self, node: Loop | RangeLoop, inner: Environment, iteration: Callable[[LoopHead], None]) -> bool:
        """A loop of which ``iteration`` reads one turn."""
        state = self._state
        self._counters += 1
        head = LoopHead(Atom(AtomKind.COUNTER, self._counters))
        changed = self._variables.enter(node, head, inner)
        outer, state.loops = state.loops, (*state.loops, head)
        exits, guards = len(state.exits), state.guards
        with state.collecting() as found:
            iteration(head)
        state.loops, state.guards = outer, guards
        head.synchronises = widest(found)
        head.is_left = any(each.keyword != "continue" for each in state.exits[exits:])
        if found:
            state.events.append(Cycle(head, tuple(found)))
        self._variables.leave(head, exits, changed)
        return True

    def _iteration(self, node: Loop, head: LoopHead, names: Environment) -> None:
        state = self._state
        if node.keyword == "do":
            state.under(when(None) if node.condition is None else Guard(state.fresh(), None))
        elif node.condition is not None:
            condition = self._interpreter.condition(node.condition, names)
            head.condition = None if isinstance(condition, Data) else condition
            if condition != 1:
                state.under(when(condition))
        self._interpreter.block(node.body, names)
        if node.update is not None:
            self._expressions.effect(node.update, names)
        if node.keyword == "do" and node.condition is not None:
            self._interpreter.term(node.condition, names)

    def _range_loop(self, node: RangeLoop, names: Environment) -> bool:
        inner = dict(names)
        state = self._state
        self._escapes.discard(node.range, names)
        if node.variable.type.reference and not node.variable.type.constant:
            self._escapes.kept(node.range, names)

        def iteration(_: LoopHead) -> None:
            state.under(when(None))
            if self._calls.may_iterate(node.range, names):
                self._interpreter.may_wait(node.range)
            state.declare(inner, node.variable.name, None)
            self._interpreter.block(node.body, inner)

        return self._turned(node, inner, iteration)


def _is_false(condition: Expr | None) -> bool:
    return isinstance(condition, Number | Name) and condition.text in ("0", "false")
