"""Conditions on a device of which it is known what it answers: ``local_mem_size >= 96 * 1024`` where there is less."""

from collections.abc import Callable

from sycllint.cpp.expression import Binary, Expr, Name, Unary
from sycllint.launch.circumstances import Answers
from sycllint.launch.conditions.trail import is_followed, written
from sycllint.values.evaluate import Evaluator
from sycllint.values.objects import Point
from sycllint.values.symbolic import number_with

MAX_STEPS = 2
"""How many variables lie between a condition and the comparison."""
_COMPARISONS: dict[str, Callable[[int, int], bool]] = {
    "<": int.__lt__,
    "<=": int.__le__,
    ">": int.__gt__,
    ">=": int.__ge__,
    "==": int.__eq__,
    "!=": int.__ne__,
}


def holds(evaluator: Evaluator, condition: Expr, point: Point, ask: Answers, steps: int = 0) -> bool | None:
    """Whether ``condition`` holds on the device that answers; ``None`` where it rests on something else, too."""
    match condition:
        case Unary(operator="!", operand=operand):
            found = holds(evaluator, operand, point, ask, steps)
            return None if found is None else not found
        case Binary(operator="&&" | "||" as operator, left=left, right=right):
            sides = [holds(evaluator, each, point, ask, steps) for each in (left, right)]
            decisive = operator == "||"
            return decisive if decisive in sides else None if None in sides else not decisive
        case Binary(operator=operator, left=left, right=right) if operator in _COMPARISONS:
            first, second = (number_with(evaluator.value(each, point), ask) for each in (left, right))
            return None if first is None or second is None else _COMPARISONS[operator](first, second)
        case Name(text=text) if steps < MAX_STEPS and is_followed(evaluator, text, point):
            values = list(written(evaluator, text, point))
            if len(values) != 1:
                return None
            ((value, there),) = values
            return holds(evaluator, value, there, ask, steps + 1)
        case _:
            return None
