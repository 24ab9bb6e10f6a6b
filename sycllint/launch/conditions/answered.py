"""Conditions on a device of which it is known what it answers: ``local_mem_size >= 96 * 1024`` where there is less."""

from collections.abc import Callable

from sycllint.cpp.expression import Binary, Call, Expr, Member, Name, Unary
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


_KINDS = {"is_gpu": True, "is_cpu": False, "is_accelerator": False, "is_host": False}
"""What each device that is known says of its kind: all are GPUs."""
_ASPECTS = {"gpu": True, "cpu": False, "accelerator": False}
"""The same by aspects (SYCL 2020, "Device aspects")."""


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
        case Call(function=Member(name=name), arguments=()) if name in _KINDS:
            return _KINDS[name]
        case Call(function=Member(name="has"), arguments=(Name() as aspect,)) if aspect.qualifier.endswith("aspect"):
            return _ASPECTS.get(aspect.last)
        case Name(text=text) if steps < MAX_STEPS and is_followed(evaluator, text, point):
            values = list(written(evaluator, text, point))
            if len(values) != 1:
                return None
            ((value, there),) = values
            return holds(evaluator, value, there, ask, steps + 1)
        case _:
            return None
