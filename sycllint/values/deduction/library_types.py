"""Templates of the C++ library that stand for another type: ``std::conditional_t<(D > 1), Wide, Narrow>``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sycllint.cpp.expression import Expr, Name, Type
from sycllint.cpp.statement import Enum
from sycllint.values.arithmetic import IntegerType
from sycllint.values.objects import Point
from sycllint.values.types import as_type, plain_type
from sycllint.values.value import Known

if TYPE_CHECKING:
    from sycllint.values.interface import Evaluation

_STANDARD = "std::"
_STRIPPING = frozenset(
    {"decay", "remove_const", "remove_cv", "remove_cvref", "remove_reference", "remove_volatile", "type_identity"}
)
"""Those that give the class or number they are given."""
_WITH_SIGN = {"make_signed": "", "make_unsigned": "unsigned "}
_INTEGERS = {8: "char", 16: "short", 32: "int", 64: "long"}


def library_type(evaluator: Evaluation, name: Name, point: Point) -> tuple[Type, Point] | None:
    """The type that ``name``, a template of the library with its arguments, stands for, and where that is written.

    ``None`` when it is none of these templates, or what it depends on is not known.
    Source: ISO/IEC 14882:2020, 20.15.7.
    """
    if name.text == "type" and name.scope is not None and name.arguments is None:
        template, arguments = name.scope.text, name.scope.arguments
    elif name.scope is None and name.text.endswith("_t"):
        template, arguments = name.text[:-2], name.arguments
    else:
        return None
    last = template.removeprefix("::").removeprefix(_STANDARD)
    if last == template or not arguments:
        return None
    if last == "conditional" and len(arguments) == 3:
        return _chosen(evaluator, arguments, point)
    given = as_type(arguments[0])
    if given is None or given.pointers or given.extents or len(arguments) != 1:
        return None
    if last in _STRIPPING:
        return given, point
    if last == "underlying_type":
        return _underlying(evaluator, given, point)
    if last in _WITH_SIGN:
        integer = evaluator.kind(given.name, point).integer
        return None if integer is None else _integer(last, integer, name, point)
    return None


def _chosen(evaluator: Evaluation, arguments: tuple[Expr, ...], point: Point) -> tuple[Type, Point] | None:
    condition = evaluator.value(arguments[0], point)
    chosen = as_type(arguments[1 if condition.value else 2]) if isinstance(condition, Known) else None
    return None if chosen is None else (chosen, point)


def _underlying(evaluator: Evaluation, given: Type, point: Point) -> tuple[Type, Point] | None:
    place = evaluator.sizes.enumeration(evaluator.names.type_named(given.name, point).name)
    enum = place.node if place is not None else None
    if place is None or not isinstance(enum, Enum):
        return None
    if enum.underlying is not None:
        return enum.underlying, Point(place, enum.start)
    return (plain_type(Name("int", None, None, enum.start, enum.start)), point) if enum.scoped else None


def _integer(last: str, integer: IntegerType, name: Name, point: Point) -> tuple[Type, Point] | None:
    if integer.bits not in _INTEGERS:
        return None
    text = _WITH_SIGN[last] + _INTEGERS[integer.bits]
    return plain_type(Name(text, None, None, name.start, name.end)), point
