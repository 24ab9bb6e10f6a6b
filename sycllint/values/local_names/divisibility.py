"""Divisors that a function requires of its numbers, as ``assert(n % 32 == 0)`` and ``if (n % 32) throw`` do."""

from __future__ import annotations

from collections.abc import Iterator
from math import lcm
from typing import TYPE_CHECKING

from sycllint.cpp.conditions import entailed
from sycllint.cpp.expression import Binary, Call, Expr, Name, Number
from sycllint.cpp.place import Place
from sycllint.cpp.statement import Block, Evaluate, Function, FunctionParameter, If, Statement
from sycllint.record import NamedTuple
from sycllint.source.span import Location
from sycllint.values.arithmetic import Scalar
from sycllint.values.objects import Point, Result
from sycllint.values.symbolic import multiple
from sycllint.values.value import Known, Symbolic

if TYPE_CHECKING:
    from sycllint.values.interface import Evaluation

_COMPARED = {True: "==", False: "!="}


class _Requirement(NamedTuple):
    """A number has to be a multiple of another where control comes past a statement."""

    text: str
    divisor: Expr
    statement: Statement


class Divisibility:
    """Answers for one evaluator."""

    def __init__(self, evaluator: Evaluation) -> None:
        self._evaluator = evaluator
        self._required: dict[Function, tuple[_Requirement, ...]] = {}

    def divisor(self, text: str, point: Point, since: Location | None) -> int:
        """What the number ``text`` is a multiple of at ``point``, which it is ``since`` a place in that function."""
        around = point.place.around(Function)
        if since is None or around is None or self._evaluator.facts.file_at(around).path != since.path:
            return 1
        return self._between(text, around, since.span.start, point.offset)

    def of_argument(self, argument: Result, parameter: FunctionParameter, around: Place, offset: int) -> Result:
        """What a call hands to ``parameter`` of the function at ``around``, as that requires it before ``offset``."""
        if not isinstance(argument, Scalar) or not isinstance(argument.value, Symbolic):
            return argument
        divisor = self._between(parameter.name, around, parameter.start, offset)
        return argument if divisor == 1 else argument._replace(value=multiple(argument.value, divisor))

    def _between(self, text: str, around: Place, since: int, offset: int) -> int:
        """The divisor at ``offset`` of a number that is what it is ``since`` one in the function at ``around``."""
        function = around.node
        if not isinstance(function, Function) or not function.start <= since < function.extent_end:
            return 1
        if function not in self._required:
            self._required[function] = tuple(self._of(function, around))
        wanted = (each for each in self._required[function] if each.text == text)
        before = (each for each in wanted if since < each.statement.start and each.statement.end <= offset)
        return lcm(*(self._number(each, function, around, since) for each in before))

    def _of(self, function: Function, around: Place) -> Iterator[_Requirement]:
        body = function.body
        if body is not None and self._evaluator.facts.file_at(around).content.find(b"%", body.start, body.end) >= 0:
            for each in body.statements:
                yield from self._by(each, Place(body, around))

    def _number(self, required: _Requirement, function: Function, around: Place, since: int) -> int:
        evaluator, body, start = self._evaluator, function.body, required.statement.start
        # Where a number is what it is since may be the place of another one, which it was changed by.
        others = (each for each in body.statements if not each.start <= since < each.end) if body is not None else ()
        if body is None or any(required.text in evaluator.mutations.of(each) for each in others):
            return 1
        result = evaluator.evaluate(required.divisor, Point(Place(body, around), start))
        known = result.value if isinstance(result, Scalar) else None
        return known.value if isinstance(known, Known) and known.value > 0 else 1

    def _by(self, statement: Statement, place: Place) -> Iterator[_Requirement]:
        """What has to hold behind a statement: the condition that it is given, or that it leaves the function by."""
        endings = self._evaluator.endings
        match statement:
            case Evaluate(expression=Call(arguments=given) as call) if any(
                any(_multiples(each, holds=True)) for each in given
            ):
                found = [(each, True) for each in endings.required(call, place)]
            case If(condition=condition, then=Block() as then, otherwise=None) if condition is not None:
                left = any(_multiples(condition, holds=False)) and endings.leaves(then, place)
                found = [(condition, False)] if left else []
            case _:
                found = []
        for condition, holds in found:
            for text, divisor in _multiples(condition, holds=holds):
                yield _Requirement(text, divisor, statement)


def _multiples(condition: Expr, *, holds: bool) -> Iterator[tuple[str, Expr]]:
    """The names that are multiples, and of what, where a condition holds or does not."""
    for part, is_so in entailed(condition, holds=holds):
        match part:
            case Binary(operator=operator, left=rest, right=Number(text="0")) if operator == _COMPARED[is_so]:
                yield from _multiples(rest, holds=False)
            case Binary(operator="%", left=Name(text=text), right=divisor) if not is_so:
                yield text, divisor
            case _:
                pass
