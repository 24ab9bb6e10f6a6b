"""The most that may happen when code runs, on an ordered scale: by itself, and in the functions that it may call."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Generic, Protocol, TypeAlias, TypeVar

from sycllint.cpp.statement import Function
from sycllint.dataflow.summaries import Summaries
from sycllint.facts.file import Declared
from sycllint.ir import ops
from sycllint.ir.bodies import bodies
from sycllint.ir.body import Body
from sycllint.values.evaluate import Evaluator

Level = TypeVar("Level", bound=int)
Grade = TypeVar("Grade", bound=int, covariant=True)
Functions: TypeAlias = Sequence[Declared[Function]]


class Scale(Protocol[Grade]):
    """What happens, from ``bottom``, nothing, to ``top``, the most; and what of it calls and objects do."""

    @property
    def bottom(self) -> Grade:
        """Nothing happens."""

    @property
    def top(self) -> Grade:
        """The most, which code that is not understood may do."""

    def instruction(self, body: Body, position: int) -> tuple[Grade, Functions]:
        """What a call or a construction does in code that is not visible, and the visible functions that it may run.

        The instruction is a ``CALL``, ``CONSTRUCT``, ``DECL`` or ``NEW``.
        """

    def members(self, body: Body) -> tuple[Grade, Functions]:
        """The same for what a constructor makes before its own instructions run."""


class ReachDomain(Generic[Level]):
    """The domain: for each function and lambda of an evaluator the most that may happen when it runs.

    Lambdas in a function count as part of it. Its instructions are looked at as far as they can say more.
    """

    def __init__(self, evaluator: Evaluator, scale: Scale[Level]) -> None:
        self._scale = scale
        self._bodies = bodies.of(evaluator)
        self._summaries: Summaries[Level] = Summaries(self)
        self._own: dict[Body, Level] = {}
        self._callees: dict[Body, list[Body]] = {}

    @property
    def bottom(self) -> Level:
        """Nothing happens."""
        return self._scale.bottom

    def of(self, body: Body) -> Level:
        """What a function or a lambda does at most."""
        return self._summaries.of(body)

    def most(self, functions: Iterable[Declared[Function]]) -> Level:
        """The most that one of several functions does."""
        found = self._scale.bottom
        for each in functions:
            found = max(found, self.of(self._bodies.of(each.node, each.place)))
            if found == self._scale.top:
                break
        return found

    def callees(self, body: Body) -> Iterator[Body]:
        """The visible functions that a body may call, as far as they matter."""
        followed = self._callees[body] = []
        own = self._own[body] = self._by_itself(body)
        for level, found in self._parts(body) if own < self._scale.top else ():
            self._own[body] = own = max(own, level)
            for each in found if own < self._scale.top else ():
                callee = self._bodies.of(each.node, each.place)
                followed.append(callee)
                yield callee
                own = max(own, self._summaries.peek(callee))
            if own == self._scale.top:
                return

    def summary(self, body: Body, of: Callable[[Body], Level]) -> Level:
        """What a body does at most if its callees do what ``of`` says."""
        return max((self._own[body], *map(of, self._callees[body])))

    def _by_itself(self, body: Body) -> Level:
        if body.function.body is None or body.function.damaged:
            return self._scale.top
        unseen = any(part.a[each] & ops.MAY_SYNC for part in body.whole() for each in part.at(ops.UNSEEN))
        return self._scale.top if unseen else self._scale.bottom

    def _parts(self, body: Body) -> Iterator[tuple[Level, Functions]]:
        yield self._scale.members(body)
        for part in body.whole():
            for position in part.at(ops.CALL, ops.CONSTRUCT, ops.DECL, ops.NEW):
                yield self._scale.instruction(part, position)


def defined(found: Functions) -> Functions:
    """Those of some functions that have a visible body; all where none has."""
    return [each for each in found if each.node.body is not None] or found
