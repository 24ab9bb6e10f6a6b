"""What a condition says of a number where it holds, or does not.

Where it says that a division leaves no rest, as in ``n % 32 == 0 ? n : n + 32 - n % 32``, a number is the same with
that rest taken off, and so may be a multiple of what was divided by. Behind ``if (n > 32) n = 32;`` it is at most 32.
"""

from __future__ import annotations

from operator import ge, gt, le, lt
from typing import TYPE_CHECKING

from sycllint.cpp.conditions import entailed
from sycllint.cpp.expression import Binary, Expr, Name, Number
from sycllint.cpp.place import Place
from sycllint.cpp.statement import Block, Function, If, Statement
from sycllint.values.arithmetic import Scalar, join
from sycllint.values.objects import Point, Result
from sycllint.values.symbolic import among, multiple, subtract, symbolic, within
from sycllint.values.value import Known, OneOf, Symbolic, Value, known

if TYPE_CHECKING:
    from sycllint.values.interface import Evaluation

_OPPOSITE = {"<": ">=", ">=": "<", ">": "<=", "<=": ">"}
_HOLDS = {"<": lt, ">=": ge, ">": gt, "<=": le}
_MIRRORED = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}
_ZERO = frozenset({"0", "0u", "0U", "0UL", "0ul"})


def where(condition: Expr, result: Result, point: Point, evaluator: Evaluation, *, holds: bool) -> Result:
    """``result`` where ``condition``, which stands at ``point``, holds or does not."""
    if not isinstance(result, Scalar) or not isinstance(result.value, Symbolic):
        return result
    value = result.value
    for part, is_so in entailed(condition, holds=holds):
        rest = _zero(part, point, evaluator, holds=is_so)
        divisor = subtract(value, rest).multiple_of if rest is not None else 1
        value = multiple(value, divisor) if divisor > value.multiple_of else value
    return result._replace(value=value)


def unchanged(
    condition: Expr, name: str, result: Result, point: Point, evaluator: Evaluation, *, holds: bool
) -> Result:
    """``result``, that of the variable ``name``, where ``condition`` has compared it with a number."""
    if not isinstance(result, Scalar) or not isinstance(result.value, Symbolic | OneOf):
        return result
    for part, is_so in entailed(condition, holds=holds):
        match part:
            case Binary(operator=operator, left=Name(text=text), right=other) if text == name and operator in _OPPOSITE:
                relation = operator
            case Binary(operator=operator, left=other, right=Name(text=text)) if text == name and operator in _MIRRORED:
                relation = _MIRRORED[operator]
            case _:
                continue
        limit = known(evaluator.value(other, point))
        if limit is not None and isinstance(result, Scalar):
            result = _compared(result, relation if is_so else _OPPOSITE[relation], limit)
    return result


def _compared(result: Scalar, relation: str, limit: int) -> Scalar:
    """``result`` where it is less, or greater, than ``limit``."""
    if isinstance(result.value, OneOf):
        fitting: list[Value] = [each for each in result.value.values if _HOLDS[relation](each.value, limit)]
        return result._replace(value=join(fitting)) if fitting and not result.value.open else result
    if isinstance(result.value, Symbolic):
        return result._replace(value=_limited(result.value, relation, limit))
    return result


def _limited(value: Symbolic, relation: str, limit: int) -> Value:
    strict = relation in ("<", ">")
    if relation in ("<", "<="):
        most = limit - strict
        fitting = among(within(value, None, most))
        if fitting:
            return join([Known(each, value.because) for each in fitting])
        return value if value.maximum is not None and value.maximum <= most else within(value, value.minimum, most)
    least = limit + strict
    return value if value.minimum is not None and value.minimum >= least else within(value, least, value.maximum)


def at(result: Result, node: Statement, place: Place, evaluator: Evaluation) -> Result:
    """``result`` where ``node`` stands, at ``place``: in arms of ``if`` in a function, and behind those that leave."""
    if not isinstance(result, Scalar) or not isinstance(result.value, Symbolic):
        return result
    inner: Place | None = place
    while inner is not None and inner.outer is not None and not isinstance(inner.node, Function):
        block, branch = inner.node, inner.outer.node
        if isinstance(block, Block):
            for each in block.statements:
                if isinstance(each, If) and each.end <= node.start and each.otherwise is None:
                    here = Place(each, inner)
                    if evaluator.endings.leaves(each.then, here):
                        result = _within(each, result, here, evaluator, holds=False)
            if isinstance(branch, If):
                result = _within(branch, result, inner.outer, evaluator, holds=block is branch.then)
        inner = inner.outer
    return result


def _within(branch: If, result: Result, here: Place, evaluator: Evaluation, *, holds: bool) -> Result:
    if branch.condition is None or branch.initializer is not None:
        return result
    return where(branch.condition, result, Point(here, branch.start + 1), evaluator, holds=holds)


def _zero(condition: Expr, point: Point, evaluator: Evaluation, *, holds: bool) -> Symbolic | None:
    """The remainder that is zero where ``condition`` holds, or does not."""
    match condition:
        case Binary(operator="==" | "!=" | ">" as operator, left=asked, right=Number(text=text)) if text in _ZERO:
            return _rest(asked, point, evaluator) if holds is (operator == "==") else None
        case Name() | Binary(operator="%" | "&"):
            return None if holds else _rest(condition, point, evaluator)
        case _:
            return None


def _rest(asked: Expr, point: Point, evaluator: Evaluation) -> Symbolic | None:
    value: Value = evaluator.value(asked, point)
    number = symbolic(value) if isinstance(value, Symbolic) else None
    if number is None or len(number.terms) != 1 or number.terms[0].factor != 1 or len(number.terms[0].atoms) != 1:
        return None
    division = number.terms[0].atoms[0].division
    return number if division is not None and division.is_rest else None
