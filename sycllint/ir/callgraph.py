"""The call graph of lowered bodies: the only place where calls are followed for checks on instructions."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from sycllint.cpp.expression import Call, Lambda, Name
from sycllint.cpp.place import Place
from sycllint.cpp.statement import VIRTUAL, Function
from sycllint.ir import ops
from sycllint.ir.bodies import bodies
from sycllint.ir.body import Body
from sycllint.memoized import memoized
from sycllint.record import unique
from sycllint.values.evaluate import Evaluator
from sycllint.values.objects import Closure, Point


@unique
class Edge:
    """One call of a function whose body is visible."""

    caller: Body
    body: Body
    """The body with the call: the caller's, or that of a lambda in it."""
    position: int
    target: Body


@unique
class ReachedBody:
    """A body, and the call by which it was reached first; ``None`` for the one that calls were followed from."""

    body: Body
    edge: Edge | None
    caller: ReachedBody | None


class CallGraph:
    """The calls between the bodies of one unit, each resolved once."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._evaluator = evaluator
        self._bodies = bodies.of(evaluator)

    def body(self, function: Lambda | Function, place: Place) -> Body:
        """The body of a function that stands at ``place``."""
        return self._bodies.of(function, place)

    def target(self, call: Call, place: Place) -> Place | None:
        """The place of the function or lambda that ``call`` runs; ``None`` when that is not visible or not certain.

        A method may be another one, of a derived class, where it is virtual; constructors are not followed.
        """
        kept = self._kept(call.function, Point(place, call.start)) if isinstance(call.function, Name) else None
        if kept is not None:
            return kept
        found, sure = self._bodies.called(call, place)
        if len(found) != 1 or not sure or found[0].node.flags & VIRTUAL or found[0].node.damaged:
            return None
        return None if self._evaluator.symbols.is_constructor(found[0]) else found[0].place

    def _kept(self, name: Name, point: Point) -> Place | None:
        """The lambda that a variable holds."""
        evaluator = self._evaluator
        if name.qualifier or name.scope is not None or evaluator.declarations.type_of(name, point) is None:
            return None
        result = evaluator.lookup.name(name, point)
        return result.place if isinstance(result, Closure) else None

    @memoized
    def calls(self, body: Body) -> tuple[Edge, ...]:
        """The calls in a body, and in the lambdas in it, of functions whose bodies are visible."""
        return tuple(self._resolved(body))

    def _resolved(self, body: Body) -> Iterator[Edge]:
        for part in body.whole() if not body.function.damaged else ():
            for position in part.at(ops.CALL):
                place = self.target(part.call(position), part.around_of(position))
                if place is not None:
                    assert isinstance(place.node, Lambda | Function)
                    yield Edge(body, part, position, self._bodies.of(place.node, place))

    def reached(self, body: Body, limit: int, follows: Callable[[Edge], bool] | None = None) -> Iterator[ReachedBody]:
        """``body``, and at most ``limit`` bodies in all that it reaches through calls that ``follows`` accepts.

        Each function once, those that fewer calls lead to first.
        """
        entered = {body.function}
        waiting = [ReachedBody(body, None, None)]
        for current in waiting:
            yield current
            for edge in self.calls(current.body):
                if len(waiting) >= limit:
                    break
                if edge.target.function not in entered and (follows is None or follows(edge)):
                    entered.add(edge.target.function)
                    waiting.append(ReachedBody(edge.target, edge, current))
