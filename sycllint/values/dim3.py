"""``dpct::dim3`` and ``syclcompat::dim3``, known by name: three numbers that become a ``sycl::range``.

Their members x, y, z are the extents from the fastest to the slowest (headers ``dpct/util.hpp`` and
``syclcompat/dims.hpp`` of DPC++).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sycllint.cpp.expression import Expr
from sycllint.values.arithmetic import UINT, Real, Scalar, convert
from sycllint.values.objects import Point, RangeObject
from sycllint.values.types import TypeKind
from sycllint.values.value import Known, Value

if TYPE_CHECKING:
    from sycllint.values.evaluate import Evaluator

MEMBERS = ("z", "y", "x")
"""What the extents are called, slowest dimension first."""
_LIBRARIES = frozenset({"dpct", "syclcompat"})


class Dim3:
    """Answers for one evaluator."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._evaluator = evaluator

    def is_meant(self, kind: TypeKind) -> bool:
        """Whether a type is the library's."""
        if kind.name.last != "dim3":
            return False
        qualifier = kind.name.qualifier.removeprefix("::")
        if kind.struct is not None:
            return not _LIBRARIES.isdisjoint(kind.struct.scope)
        return qualifier in _LIBRARIES or (not qualifier and not _LIBRARIES.isdisjoint(self._evaluator.facts.using))

    def made(self, arguments: tuple[Expr, ...], point: Point) -> RangeObject | None:
        """An object made from ``arguments``; ``None`` when it cannot be told."""
        if len(arguments) > len(MEMBERS):
            return None
        values: dict[str, Value] = dict.fromkeys(MEMBERS, Known(1))
        for name, argument in zip(reversed(MEMBERS), arguments, strict=False):
            result = self._evaluator.evaluate(argument, point)
            if isinstance(result, RangeObject) and len(arguments) == 1:
                return RangeObject(result.extents, MEMBERS) if len(result.extents) == len(MEMBERS) else None
            number = self._evaluator.scalar(result)
            values[name] = convert(number, UINT).value if isinstance(number, Scalar | Real) else number
        return RangeObject(tuple(values[each] for each in MEMBERS), MEMBERS)
