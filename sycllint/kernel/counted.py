"""Loops that count: ``for (int k = first; k < bound; k += step)``, and how often they run."""

from sycllint.cpp.expression import Assign, Binary, Expr, Increment, Name
from sycllint.cpp.place import Place
from sycllint.cpp.statement import Declaration, Evaluate, Loop
from sycllint.record import unique
from sycllint.values.evaluate import Evaluator
from sycllint.values.objects import Point
from sycllint.values.value import known

_UP = frozenset({"<", "<=", "!="})
_DOWN = frozenset({">", ">=", "!="})
_MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "!=": "!="}


@unique
class Counted:
    """One loop's counter."""

    loop: Loop
    variable: str
    first: Expr | None
    """``None`` when it is not set in the loop's head."""
    bound: Expr
    operator: str
    """The counter is on its left: ``<``, ``<=``, ``>``, ``>=`` or ``!=``."""
    step: Expr | None
    """``None`` for one."""
    upwards: bool


def counted(loop: Loop) -> Counted | None:
    """How ``loop`` counts; ``None`` when it does not."""
    change = _change(loop.update)
    if loop.keyword != "for" or change is None or not isinstance(loop.condition, Binary):
        return None
    variable, step, upwards = change
    condition = loop.condition
    left, right, operator = condition.left, condition.right, condition.operator
    if isinstance(right, Name) and right.text == variable:
        left, right, operator = right, left, _MIRRORED.get(operator, "")
    if not (isinstance(left, Name) and left.text == variable) or operator not in (_UP if upwards else _DOWN):
        return None
    return Counted(loop, variable, first_value(loop, variable), right, operator, step, upwards)


def trips(counter: Counted, evaluator: Evaluator, place: Place) -> int | None:
    """How often the loop runs, when that is known; ``place`` is what is around it."""
    if counter.first is None or counter.variable in evaluator.mutations.of(counter.loop.body):
        return None
    point = Point(place, counter.loop.start)
    first = known(evaluator.value(counter.first, point))
    bound = known(evaluator.value(counter.bound, point))
    step = 1 if counter.step is None else known(evaluator.value(counter.step, point))
    if first is None or bound is None or step is None or step <= 0:
        return None
    distance = bound - first if counter.upwards else first - bound
    if counter.operator in ("<=", ">="):
        distance += 1
    return max(0, -(-distance // step))


def _change(update: Expr | None) -> tuple[str, Expr | None, bool] | None:
    """The counter, its step and its direction."""
    match update:
        case Increment(operator=operator, operand=Name(text=text)):
            return text, None, operator == "++"
        case Assign(operator="+=" | "-=" as operator, left=Name(text=text), right=step):
            return text, step, operator == "+="
        case Assign(operator="=", left=Name(text=text), right=Binary(operator="+" | "-" as operator) as sum_):
            if isinstance(sum_.left, Name) and sum_.left.text == text:
                return text, sum_.right, operator == "+"
            return None
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
