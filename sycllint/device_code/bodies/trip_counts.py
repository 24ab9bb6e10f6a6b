"""Loops that count, and how often they run.

They are ``for (int k = first; k < bound; k += step)``, and ``while (k < bound)`` whose last statement is the step.
"""

from collections.abc import Iterator

from sycllint.cpp.expression import Assign, Binary, Expr, Increment, Name, Number
from sycllint.cpp.node import Node, walk
from sycllint.cpp.place import Place
from sycllint.cpp.spelling import spelled
from sycllint.cpp.statement import Declaration, Evaluate, Jump, Loop
from sycllint.device_code.bodies.loop_updates import step
from sycllint.domains.id_sums import MIRRORED
from sycllint.record import replace, unique
from sycllint.values.evaluate import Evaluator
from sycllint.values.objects import Point
from sycllint.values.value import known

_UP = frozenset({"<", "<=", "!="})
_DOWN = frozenset({">", ">=", "!="})


@unique
class Counted:
    """One loop's counter."""

    loop: Loop
    name: Name
    """The counter, where the condition has it."""
    first: Expr | None
    """``None`` when it is not set in the loop's head; of a ``while``, the counter as the loop finds it."""
    bound: Expr
    operator: str
    """The counter is on its left: ``<``, ``<=``, ``>``, ``>=`` or ``!=``."""
    step: Expr | None
    """``None`` for one."""
    upwards: bool

    @property
    def variable(self) -> str:
        """The counter's name."""
        return self.name.text


def counted(loop: Loop) -> Counted | None:
    """How ``loop`` counts; ``None`` when it does not.

    ``i - first < bound`` is taken as ``i < bound + first``, and ``first + i < bound`` as ``i < bound - first``.
    """
    change, condition = _change(_update(loop)), loop.condition
    if change is None or not isinstance(condition, Binary):
        return None
    variable, by, upwards = change
    by_more = None if isinstance(by, Number) and by.text == "1" else by
    for left, right, operator in (
        (condition.left, condition.right, condition.operator),
        (condition.right, condition.left, MIRRORED.get(condition.operator, "")),
    ):
        found = _bounded(left, right, variable) if operator in (_UP if upwards else _DOWN) else None
        if found is not None:
            name, bound = found
            before = replace(name, start=loop.start, end=loop.start)
            first = first_value(loop, variable) if loop.keyword == "for" else before
            return Counted(loop, name, first, bound, operator, by_more, upwards)
    return None


def _update(loop: Loop) -> Expr | None:
    """What a loop does at the end of each round, in its head or, of a ``while``, last in its body."""
    if loop.keyword != "while":
        return loop.update if loop.keyword == "for" else None
    last = loop.body.statements[-1] if loop.body.statements else None
    is_left = any(isinstance(each, Jump) and each.keyword == "continue" for each in walk(loop.body))
    return last.expression if isinstance(last, Evaluate) and not is_left else None


def _bounded(side: Expr, other: Expr, variable: str) -> tuple[Name, Expr] | None:
    """The counter in one side of a condition, and what that makes its bound, of the other."""
    match side:
        case Name(text=text) as name if text == variable:
            return name, other
        case Binary(operator="-", left=Name(text=text) as name, right=first) if text == variable:
            return name, Binary("+", other, first, other.start, other.end)
        case Binary(operator="+", left=Name(text=text) as name, right=first) if text == variable:
            return name, Binary("-", other, first, other.start, other.end)
        case Binary(operator="+", left=first, right=Name(text=text) as name) if text == variable:
            return name, Binary("-", other, first, other.start, other.end)
        case _:
            return None


def trips(counter: Counted, evaluator: Evaluator, place: Place) -> int | None:
    """How often the loop runs, when that is known; ``place`` is what is around it."""
    loop = counter.loop
    inside = (loop.body,) if loop.keyword == "for" else loop.body.statements[:-1]
    if counter.first is None or any(counter.variable in evaluator.mutations.of(each) for each in inside):
        return None
    point = Point(place, loop.start)
    begin, end = counter.first, counter.bound
    if (
        isinstance(end, Binary)
        and isinstance(end.left, Name)
        and end.operator == "+"
        and spelled(begin) == end.left.text
    ):
        # From an array's begin, a number of elements on.
        if any(end.left.text in evaluator.mutations.of(each) for each in inside):
            return None
        begin, end = Number("0", loop.start, loop.start), end.right
    first = known(evaluator.value(begin, point))
    bound = known(evaluator.value(end, point))
    by = 1 if counter.step is None else known(evaluator.value(counter.step, point))
    if first is None or bound is None or by is None or by <= 0:
        return None
    distance = bound - first if counter.upwards else first - bound
    if counter.operator in ("<=", ">="):
        distance += 1
    return max(0, -(-distance // by))


def trips_of(loop: Loop, evaluator: Evaluator, place: Place | None) -> int | None:
    """How often ``loop`` runs, where it counts and that is known; ``place`` is what is around it."""
    counter = counted(loop)
    return trips(counter, evaluator, place) if counter is not None and place is not None else None


def loops_around(place: Place, function: Node | None = None) -> Iterator[tuple[Loop, Place]]:
    """The loops around ``place`` in ``function``, from the inside out, each with what is around it."""
    for current in place.within(function):
        if isinstance(current.node, Loop) and current.outer is not None:
            yield current.node, current.outer


def around(loop: Loop, place: Place) -> Place | None:
    """What is around ``loop``, which is around ``place``."""
    return next((each.outer for each in place.within() if each.node is loop), None)


def _change(update: Expr | None) -> tuple[str, Expr, bool] | None:
    """The counter, its step and its direction."""
    match update:
        case Increment(operand=Name(text=text)) | Assign(left=Name(text=text)):
            operator, by = step(update, text) or ("", update)
            return (text, by, operator == "+") if operator in ("+", "-") else None
        case _:
            return None


def first_value(loop: Loop, variable: str) -> Expr | None:
    """What ``variable`` is set to in the loop's head."""
    match loop.initializer:
        case Declaration(variables=variables):
            for each in variables:
                if each.name == variable and len(each.arguments) == 1:
                    return each.arguments[0]
            return None
        case Evaluate(expression=Assign(operator="=", left=Name(text=text), right=value)) if text == variable:
            return value
        case _:
            return None
