"""Classes of libraries that say how large a launch is, known by name: ``dim3``, and what holds two of them.

``dpct::dim3`` and ``syclcompat::dim3`` are three numbers that become a ``sycl::range``. Their members x, y, z are the
extents from the fastest to the slowest (headers ``dpct/util.hpp`` and ``syclcompat/dims.hpp`` of DPC++).
``syclcompat::experimental::launch_policy`` is a range, an nd_range, or a grid and its blocks (``syclcompat/
launch_policy.hpp``: the global range is their product). ``launch_config`` is a range or an nd_range (extension
sycl_ext_oneapi_enqueue_functions, "Launch configuration").
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sycllint.cpp.expression import Expr, Name
from sycllint.values.arithmetic import UINT, ULONG, Real, Scalar, binary, convert
from sycllint.values.deduction.static_types import StaticTypes
from sycllint.values.objects import ListObject, NdRangeObject, Point, RangeObject, Result, TypeKind
from sycllint.values.types import unaliased
from sycllint.values.value import Known, OneOf, Unknown, Value

if TYPE_CHECKING:
    from sycllint.values.interface import Evaluation

MEMBERS = ("z", "y", "x")
"""What the extents are called, slowest dimension first."""
LIBRARIES = frozenset({"dpct", "syclcompat", "compat"})
"""Outermost namespaces: of the migration tool, of SYCLcompat, and of SYCLcompat where a project keeps a copy of it."""


class Dim3:
    """Answers for one evaluator."""

    def __init__(self, evaluator: Evaluation, static_types: StaticTypes) -> None:
        self._evaluator = evaluator
        self._static_types = static_types

    def is_meant(self, kind: TypeKind) -> bool:
        """Whether a type is a library's ``dim3``."""
        if kind.name.last != "dim3":
            return False
        facts = self._evaluator.facts
        qualifier = unaliased(kind.name.qualifier.removeprefix("::"), facts.namespaces)
        if kind.struct is not None:
            return not LIBRARIES.isdisjoint(kind.struct.scope)
        return qualifier in LIBRARIES or (not qualifier and not LIBRARIES.isdisjoint(facts.using))

    def is_policy(self, kind: TypeKind) -> bool:
        """Whether a type is ``launch_policy`` or ``launch_config``, and no class of the project."""
        if kind.struct is not None:
            return False
        if kind.name.last == "launch_config":
            return kind.sycl == "launch_config"
        facts = self._evaluator.facts
        qualifier = unaliased(kind.name.qualifier.removeprefix("::"), facts.namespaces)
        return kind.name.last == "launch_policy" and (not qualifier or outermost(qualifier) in LIBRARIES)

    def made(self, arguments: tuple[Expr, ...], point: Point) -> RangeObject | None:
        """A ``dim3`` made from ``arguments``; ``None`` when it is not known."""
        if len(arguments) > len(MEMBERS):
            return None
        values: dict[str, Value] = dict.fromkeys(MEMBERS, Known(1))
        for name, argument in zip(reversed(MEMBERS), arguments, strict=False):
            result = self._evaluator.evaluate(argument, point)
            if isinstance(result, RangeObject) and len(arguments) == 1:
                return padded(result)
            number = self._evaluator.scalar(result)
            values[name] = convert(number, UINT).value if isinstance(number, Scalar | Real) else number
        return RangeObject(tuple(values[each] for each in MEMBERS), MEMBERS)

    def converted(self, expression: Expr, point: Point) -> RangeObject | None:
        """``expression`` where a ``dim3`` is wanted; ``None`` where it is none that is known."""
        result = self._evaluator.evaluate(expression, point)
        match result:
            case RangeObject():
                return padded(result)
            case ListObject(length=None):
                return self.made(result.elements, result.point)
            case Scalar() if self._is_number(expression, result, point):
                return RangeObject((Known(1), Known(1), convert(result, UINT).value), MEMBERS)
            case Unknown() | Scalar():
                unknown = result if isinstance(result, Unknown) else self._evaluator.unknown("a dim3", expression)
                typed = self._static_types.of(expression, point)
                if typed is not None and self.is_meant(self._evaluator.kind(typed.type.name, typed.point)):
                    return RangeObject((unknown,) * len(MEMBERS), MEMBERS)
        return None

    def _is_number(self, expression: Expr, result: Scalar, point: Point) -> bool:
        """Whether ``expression`` is no ``dim3`` itself, which a name without a visible declaration may be."""
        if isinstance(result.value, Known | OneOf) or not isinstance(expression, Name):
            return True
        return self._evaluator.declarations.type_of(expression, point) is not None

    def policy(self, arguments: tuple[Expr, ...], point: Point) -> Result | None:
        """What a ``launch_policy`` or a ``launch_config`` made from ``arguments`` is: a range or an nd_range."""
        if not arguments:
            return None
        first = self._evaluator.evaluate(arguments[0], point)
        if isinstance(first, NdRangeObject) or (isinstance(first, RangeObject) and not first.members):
            return first
        block = self.converted(arguments[1], point) if len(arguments) > 1 else None
        if block is None:
            return first if isinstance(first, RangeObject) else None
        grid = self.converted(arguments[0], point)
        if grid is None:
            unknown = first if isinstance(first, Unknown) else self._evaluator.unknown("a grid", arguments[0])
            grid = RangeObject((unknown,) * len(MEMBERS), MEMBERS)
        return NdRangeObject(scaled(grid, block), block)


def outermost(qualifier: str) -> str:
    """The first namespace of a qualifier."""
    return qualifier.removeprefix("::").partition("::")[0]


def scaled(grid: RangeObject, block: RangeObject) -> RangeObject:
    """The work-items of a grid of blocks, in each dimension."""
    pairs = zip(grid.extents, block.extents, strict=True)
    products = (binary("*", Scalar(groups, ULONG), Scalar(items, ULONG)) for groups, items in pairs)
    return RangeObject(tuple(each.value if isinstance(each, Scalar) else Unknown("not a number") for each in products))


def padded(result: RangeObject) -> RangeObject:
    """A range as a ``dim3``: the dimensions that it does not have are the slowest, and 1."""
    missing = len(MEMBERS) - len(result.extents)
    return RangeObject((Known(1),) * missing + result.extents, MEMBERS)
