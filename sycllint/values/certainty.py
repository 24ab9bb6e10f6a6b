"""How sure it is that a piece of code runs: conditions with a known answer, text whose reading was only guessed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sycllint.cpp.expression import Expr, Lambda
from sycllint.cpp.place import REPEATED, Place
from sycllint.cpp.statement import Function
from sycllint.source.span import Span
from sycllint.symbols.unit import Unit
from sycllint.syntax.conditionals import Unsettled
from sycllint.values.arithmetic import Scalar
from sycllint.values.objects import Asked, InstanceArgument, ObjectArgument, PackChoice, Point
from sycllint.values.value import Known

if TYPE_CHECKING:
    from sycllint.values.whole import Whole


def truth(evaluator: Whole, condition: Expr, point: Point) -> bool | None:
    """Whether ``condition`` holds at ``point``, when that is known.

    Asked beside the question at hand: it neither counts as work for that, nor makes the parameters of functions open
    ones. Those of templates are, for ``if constexpr`` distinguishes their instantiations.
    """
    place = point.place
    text = next(each for each in place.chain() if type(each) in REPEATED) if place.enclosing.is_repeated else None
    work, evaluator.work = evaluator.work, 0
    free, evaluator.free = evaluator.free, {}
    answer = evaluator.decided.of((condition, text), _truth, evaluator, condition, point)
    free.update({key: each for key, each in evaluator.free.items() if _tells_instances_apart(each)})
    evaluator.work, evaluator.free = work, free
    return answer


def _truth(evaluator: Whole, condition: Expr, point: Point) -> bool | None:
    result = evaluator.scalar(evaluator.evaluate(condition, point))
    return bool(result.value.value) if isinstance(result, Scalar) and isinstance(result.value, Known) else None


def _tells_instances_apart(asked: Asked) -> bool:
    """Whether what a condition asks for is more than an argument of a call."""
    if isinstance(asked, PackChoice | InstanceArgument | ObjectArgument):
        return not isinstance(asked, ObjectArgument)
    # A parameter that is declared ``auto`` makes it a template.
    parameters = asked.parameters if isinstance(asked, Function | Lambda) else ()
    return bool(asked.template_parameters) or any(each.type.name.text == "auto" for each in parameters)


def guessed(unit: Unit, place: Place, start: int) -> bool:
    """Whether ``start``, in the function around ``place``, lies in a conditional of which a branch was only guessed."""
    return bool(unsettled_at(unit, place, start))


def unsettled_at(unit: Unit, place: Place, start: int) -> list[Unsettled]:
    """The conditionals of which a branch was only guessed around ``start`` in the function around ``place``.

    A conditional around the whole function, an include guard above all, says nothing of its parts.
    """
    if unit.is_settled:
        return []
    found = [each for each in unit.file_at(place).unsettled if each.span.start <= start < each.span.end]
    function = place.innermost(Function) if found else None
    if function is None:
        return found
    return [each for each in found if each.span.start > function.start or each.span.end < function.extent_end]


def guessed_names(unit: Unit, place: Place, within: Span) -> frozenset[str]:
    """The names in such conditionals inside ``within``, whichever branch they are written in."""
    unsettled = unit.file_at(place).unsettled
    if not unsettled:
        return frozenset()
    inside = [each.names for each in unsettled if within.start <= each.span.start < within.end]
    return frozenset().union(*inside)
