"""Small C++ programs without SYCL: what the evaluator says that their last function ``f`` returns."""

from sycllint.cpp.node import walk
from sycllint.cpp.place import descend
from sycllint.cpp.statement import Return
from sycllint.facts.collect import file_facts
from sycllint.values.evaluate import Evaluator
from sycllint.values.objects import Point
from sycllint.values.symbolic import settled
from sycllint.values.value import Known, OneOf, Symbolic, Unknown, Value


def returned(source: str, **defines: str) -> Value:
    """The value of the last ``return`` of the last function called ``f``, where it stands."""
    facts = file_facts("program.cpp", source.encode(), defines)
    body = facts.functions["f"][-1].node.body
    assert body is not None
    last = [node for node in walk(body) if isinstance(node, Return)][-1]
    place = descend(facts.unit, last.start, last.end, Return)
    assert place is not None
    assert last.value is not None
    return settled(Evaluator(facts, defines).value(last.value, Point(place, last.start)))


def of(expression: str, before: str = "") -> Value:
    """The value of ``expression`` in a function with the parameters ``int n, unsigned u, long m``."""
    return returned(f"long f(int n, unsigned u, long m) {{ {before} return {expression}; }}")


def number(expression: str, before: str = "") -> int | None:
    """The number ``expression`` certainly is; ``None`` when more than one is possible."""
    value = of(expression, before)
    return value.value if isinstance(value, Known) else None


def admits(value: Value, result: int) -> bool:
    """Whether a program that returns ``result`` is no counterexample to ``value``."""
    match value:
        case Known(value=only):
            return result == only
        case OneOf(values=values, open=others):
            return others or any(result == each.value for each in values)
        case Symbolic(multiple_of=step, minimum=low, maximum=high):
            return result % step == 0 and (low is None or low <= result) and (high is None or result <= high)
        case Unknown():
            return True


def spelled(value: Value) -> str:
    """``3``, ``4 | 5``, ``multiple of 16 in [0, None]`` or ``unknown``."""
    match value:
        case Known(value=only):
            return str(only)
        case OneOf(values=values, open=others):
            return " | ".join([*(str(each.value) for each in values), *(["..."] if others else [])])
        case Symbolic(multiple_of=step, minimum=low, maximum=high):
            return f"multiple of {step} in [{low}, {high}]"
        case Unknown():
            return "unknown"
