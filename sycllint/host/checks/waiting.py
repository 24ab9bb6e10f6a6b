"""Loops of the host that submit and wait, and do nothing else: the device idles between their iterations."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from sycllint.cpp.expression import Assign, Call, Expr, Increment, Index, Lambda, Member, Name, Unary
from sycllint.cpp.node import walk
from sycllint.cpp.place import Place
from sycllint.cpp.statement import Block, Declaration, Evaluate, Function, Loop, RangeLoop, Statement
from sycllint.device_code.bodies.trip_counts import counted, trips
from sycllint.facts.submissions import Submission
from sycllint.host.code import HostCode
from sycllint.host.vocabulary import COPIES, LAUNCHES
from sycllint.host.written import names_in
from sycllint.record import record
from sycllint.source.span import Location, Span

_COMMANDS = LAUNCHES | {"submit"}
_DELIVERING = frozenset({*COPIES, "update_host", "host_task"})
"""What a command group hands to the host."""
_WAITS = frozenset({"wait", "wait_and_throw"})
_MEASURING = re.compile(rb"chrono|clock|timer|Timer|gettimeofday|profiling|omp_get_wtime")
_REPEATING = re.compile(rb"(?i)repeat|iter|warm|trial|bench|\breps?\b|\bruns?\b|times")


@record
class WaitingLoop:
    """A loop that waits for what it submits, and uses nothing of it."""

    queue: str
    location: Location
    """Of the wait."""
    loop: Location
    trips: int | None


def waiting_loops(code: HostCode) -> Iterable[WaitingLoop]:
    """Such loops of one file, of functions that measure no time."""
    content = code.facts.content
    seen: set[int] = set()
    launched = {launch.location.span.start for launch in code.launches}
    for submission in code.facts.submissions:
        place = _loop_around(submission)
        if place is None or submission.start not in launched or id(place.node) in seen:
            continue
        seen.add(id(place.node))
        assert isinstance(place.node, Loop | RangeLoop)
        if not _is_measured(content, place):
            yield from _waiting(code, place, place.node)


def _loop_around(submission: Submission) -> Place | None:
    """The loop whose body submits, outside the command group."""
    place: Place | None = submission.place
    groups = 0
    while place is not None and submission.use is None:
        if isinstance(place.node, Loop | RangeLoop):
            return place if place.outer is not None else None
        groups += isinstance(place.node, Lambda)
        if isinstance(place.node, Function) or groups > 1:
            return None
        place = place.outer
    return None


def _is_measured(content: bytes, loop: Place) -> bool:
    """Whether the function takes the time, or the loop is there to do the same again."""
    node = loop.node
    assert isinstance(node, Loop | RangeLoop)
    if _REPEATING.search(content[node.start : node.body.start]):
        return True
    around = loop.innermost(Function)
    return around is None or around.body is None or bool(_MEASURING.search(content[around.start : around.extent_end]))


def _waiting(code: HostCode, place: Place, loop: Loop | RangeLoop) -> Iterator[WaitingLoop]:
    queues: set[str] = set()
    wait: Member | None = None
    events: dict[str, str] = {}
    for statement in _flat(loop.body.statements):
        for call in _calls_of(statement, events):
            if _exchanges(call):
                continue
            queue = _queue(call, events)
            if queue is None or not _DELIVERING.isdisjoint(names_in(call)):
                return
            queues.add(queue)
            if isinstance(call.function, Member) and call.function.name in _WAITS:
                wait = call.function
        if not _only_submits(statement):
            return
    asks = isinstance(loop, Loop) and loop.condition is not None and _uses(loop.condition)
    if wait is None or len(queues) != 1 or asks:
        return
    path = code.facts.path
    counter = counted(loop) if isinstance(loop, Loop) else None
    number = trips(counter, code.evaluator, place.outer) if counter is not None and place.outer is not None else None
    yield WaitingLoop(
        queues.pop(),
        Location(path, Span(wait.start, wait.end)),
        Location(path, Span(loop.start, loop.body.start)),
        number,
    )


def _flat(statements: Iterable[Statement]) -> Iterator[Statement]:
    for each in statements:
        if isinstance(each, Block):
            yield from _flat(each.statements)
        else:
            yield each


def _calls_of(statement: Statement, events: dict[str, str]) -> Iterator[Call]:
    """The calls a statement makes itself, outermost first; events that it declares are noted."""
    values: list[Expr] = []
    if isinstance(statement, Evaluate):
        values = [statement.expression]
    elif isinstance(statement, Declaration):
        for variable in statement.variables:
            values += variable.arguments
            queue = _queue(variable.arguments[0], events) if len(variable.arguments) == 1 else None
            if queue is not None:
                events[variable.name] = queue
    return (each for each in values if isinstance(each, Call))


def _queue(value: Expr, events: dict[str, str]) -> str | None:
    """The queue that ``value`` submits to or waits for."""
    match value:
        case Call(function=Member(object=inner, name=name)) if name in _WAITS:
            if isinstance(inner, Name):
                return events.get(inner.text, inner.text)
            return _queue(inner, events)
        case Call(function=Member(object=Name(text=text), name=name)) if name in _COMMANDS:
            return text
        case _:
            return None


def _exchanges(call: Call) -> bool:
    """``std::swap(a, b)``, by which pointers change places between two steps."""
    named = isinstance(call.function, Name) and call.function.last == "swap"
    return named and all(isinstance(each, Name) for each in call.arguments)


def _only_submits(statement: Statement) -> bool:
    """Whether a statement uses no memory of the host."""
    match statement:
        case Evaluate(expression=Call()):
            return True
        case Evaluate(expression=Assign(left=Name(), right=right)):
            return not _uses(right)
        case Evaluate(expression=Increment(operand=Name())):
            return True
        case Declaration(variables=variables):
            values = [argument for each in variables for argument in each.arguments]
            return all(isinstance(each, Call) or not _uses(each) for each in values)
        case _:
            return False


def _uses(value: Expr) -> bool:
    return any(isinstance(each, Call | Index | Unary) for each in walk(value))
