"""Statements of device code that neither branch nor turn: expressions, ways out, blocks, the text of other files."""

from __future__ import annotations

from collections.abc import Callable

from sycllint.cpp.expression import Assign, Call, Name
from sycllint.cpp.node import Node
from sycllint.cpp.statement import Block, Damaged, Evaluate, Include, Jump, Return, Try
from sycllint.device_code.access_trace.abstract_values import Environment, MemoryElement
from sycllint.device_code.access_trace.calls import DeviceCalls
from sycllint.device_code.access_trace.expressions import ACTING, ExpressionTransfer
from sycllint.device_code.access_trace.followed_calls import FollowedCalls
from sycllint.device_code.access_trace.interpreter import Interpreter, Transfers
from sycllint.device_code.access_trace.state import Exit, NotFollowedError


class StatementTransfer(Transfers):
    """Those of one walk."""

    def __init__(
        self, interpreter: Interpreter, followed: FollowedCalls, calls: DeviceCalls, expressions: ExpressionTransfer
    ) -> None:
        super().__init__(interpreter)
        self._followed = followed
        self._calls = calls
        self._expressions = expressions

    def transfers(self) -> dict[type[Node], Callable[..., bool]]:
        """The transfer functions of these statements, by their kinds."""
        return {
            Block: self._interpreter.block,
            Damaged: self._damaged,
            Evaluate: self._evaluate,
            Include: self._include,
            Jump: self._jump,
            Return: self._return,
            Try: self._try,
        }

    def _evaluate(self, node: Evaluate, names: Environment) -> bool:
        expression = node.expression
        if type(expression) in ACTING:
            self._calls.statement = expression
            self._interpreter.thing(expression, names)
            called = expression.left if isinstance(expression, Assign) else expression
            if isinstance(called, Call) and isinstance(called.function, Name) and called.function.text.isupper():
                self._expressions.refuse_macro(called.function)
        else:
            self._expressions.effect(expression, names)
        return True

    def _damaged(self, node: Damaged, names: Environment) -> bool:
        raise NotFollowedError

    def _try(self, node: Try, names: Environment) -> bool:
        return self._interpreter.block(node.body, names)

    def _return(self, node: Return, names: Environment) -> bool:
        thing = self._interpreter.thing(node.value, names) if node.value is not None else None
        if isinstance(thing, MemoryElement) and node.value is not None and not self._followed.gives_reference:
            thing = self._state.read(thing, node.value)
        self._interpreter.returned.append(thing)
        self._state.exits.append(Exit("return", self._state.guards))
        return False

    def _jump(self, node: Jump, names: Environment) -> bool:
        if node.keyword not in ("break", "continue"):
            raise NotFollowedError
        self._state.exits.append(Exit(node.keyword, self._state.guards))
        return False

    def _include(self, node: Include, names: Environment) -> bool:
        """The text of a kernel in another file, read in its place."""
        found = self._evaluator.facts.included(node)
        if found is None or found.damaged:
            raise NotFollowedError
        file, self._state.file = self._state.file, found
        reached = self._interpreter.statements(found.unit, names)
        self._state.file = file
        return reached
