"""What a function template demands of its arguments: ``std::enable_if_t<…>`` as its result or among its parameters."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from sycllint.cpp.expression import Expr
from sycllint.cpp.statement import Function
from sycllint.facts.file import Declared
from sycllint.symbols.unit import Unit
from sycllint.values.objects import Frame, Point
from sycllint.values.types import as_type
from sycllint.values.value import Known

if TYPE_CHECKING:
    from sycllint.values.interface import Evaluation

_ENABLING = ("enable_if", "enable_if_t")


def conditions(evaluator: Evaluation, function: Function) -> tuple[Expr, ...]:
    """The conditions under which a call may mean ``function``."""
    if not function.template_parameters:
        return ()
    known = evaluator.facts.once(_known_conditions)
    if function not in known:
        known[function] = _written(function)
    return known[function]


def _known_conditions(_: Unit) -> dict[Function, tuple[Expr, ...]]:
    """What ``conditions`` found in the functions of a unit."""
    return {}


def _written(function: Function) -> tuple[Expr, ...]:
    written = [each for one in function.template_parameters for each in (one.type, one.default)]
    written += [function.returns, *(each.type for each in function.parameters)]
    return tuple(_conditions(each for each in written if each is not None))


def _conditions(written: Iterable[Expr]) -> Iterator[Expr]:
    for each in written:
        kind = as_type(each)
        name = kind.name if kind is not None else None
        while name is not None and name.last not in _ENABLING:
            name = name.scope
        if name is not None and name.arguments:
            yield name.arguments[0]


def holds(evaluator: Evaluation, function: Declared[Function], frame: Frame) -> bool | None:
    """Whether the call that ``frame`` binds meets all conditions of ``function``."""
    point = Point(function.place, function.node.extent_end)
    answers = [evaluator.under(frame, evaluator.value, each, point) for each in conditions(evaluator, function.node)]
    if any(isinstance(each, Known) and not each.value for each in answers):
        return False
    return True if all(isinstance(each, Known) for each in answers) else None
