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
from sycllint.symbols.templates import template_parameter
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
        self._instances: dict[tuple[object, ...], tuple[Edge, ...]] = {}

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

    def calls(self, body: Body) -> tuple[Edge, ...]:
        """The calls in a body, and in the lambdas in it, of functions whose bodies are visible.

        A lambda that a function around the body was handed is the one of the way on which the evaluator is.
        """
        found, edges = self._resolved(body)
        if edges is not None:
            return edges
        handed = [None if isinstance(each, Edge) else self._handed(*each) for each in found]
        # A lambda in the text of a macro is one, wherever that is used.
        key = (body, *[None if place is None else self._written(place) for place in handed])
        if key not in self._instances:
            made = [
                each if isinstance(each, Edge) else None if place is None else self._edge(body, *each, place)
                for each, place in zip(found, handed, strict=True)
            ]
            self._instances[key] = tuple([each for each in made if each is not None])
        return self._instances[key]

    def has_instances(self, body: Body) -> bool:
        """Whether a body calls what a function around it may have been handed."""
        return self._resolved(body)[1] is None

    @memoized
    def _resolved(self, body: Body) -> tuple[tuple[Edge | tuple[Body, int], ...], tuple[Edge, ...] | None]:
        """The calls in a body; of what a function around it may have been handed, only where they stand.

        The second are the same calls, ``None`` where there are such.
        """
        evaluator = self._evaluator
        frame, evaluator.frame = evaluator.frame, None
        found: list[Edge | tuple[Body, int]] = []
        given = self._given(body)
        for part in body.whole() if not body.function.damaged else ():
            for position in part.at(ops.CALL):
                call, place = part.call(position), part.around_of(position)
                target = self.target(call, place)
                if target is not None:
                    found.append(self._edge(body, part, position, target))
                elif isinstance(call.function, Name) and call.function.text in given:
                    found.append((part, position))
        evaluator.frame = frame
        edges = tuple([each for each in found if isinstance(each, Edge)])
        return tuple(found), edges if len(edges) == len(found) else None

    def _edge(self, body: Body, part: Body, position: int, target: Place) -> Edge:
        assert isinstance(target.node, Lambda | Function)
        return Edge(body, part, position, self._bodies.of(target.node, target))

    def _handed(self, part: Body, position: int) -> Place | None:
        call = part.call(position)
        assert isinstance(call.function, Name)
        return self._kept(call.function, Point(part.around_of(position), call.start))

    def _written(self, place: Place) -> tuple[str, int]:
        assert isinstance(place.node, Lambda)
        return self._evaluator.facts.file_at(place).path, place.node.start

    def _given(self, body: Body) -> frozenset[str]:
        """The parameters of functions around a body that may be lambdas: those of an open type."""
        around = [each for each in body.place.within() if isinstance(each.node, Lambda | Function)][1:]
        return frozenset(
            parameter.name
            for each in around
            if isinstance(each.node, Lambda | Function)
            for parameter in each.node.parameters
            if parameter.type.name.text == "auto" or template_parameter(parameter.type.name.text, each) is not None
        )

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
