"""Implicit conversions: what a value becomes where one of another type is wanted.

By constructors and conversion functions of classes in sight. Also: which of several functions suits given arguments.

C++ standard, "Implicit conversion sequences": one conversion of the user's own at most. The number and the kinds of the
arguments tell which of several constructors is meant; where they do not tell, nothing is claimed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import IntEnum
from typing import TYPE_CHECKING

from sycllint.cpp.expression import Expr
from sycllint.cpp.place import Place
from sycllint.cpp.statement import Function
from sycllint.facts.file import Declared
from sycllint.symbols.arity import accepts
from sycllint.values.arithmetic import Real, Scalar
from sycllint.values.object_model.arrays import Arrays
from sycllint.values.object_model.dim3 import Dim3
from sycllint.values.objects import Closure, Instance, ListObject, NdRangeObject, Point, RangeObject, Result, TypeKind
from sycllint.values.value import Known, Unknown

if TYPE_CHECKING:
    from sycllint.values.interface import Evaluation

_EXTENTS = frozenset({"range", "id"})
_RANGES = _EXTENTS | {"nd_range"}


class Fit(IntEnum):
    """How an argument suits a parameter, from worst to best (C++ standard, "Ranking implicit conversion sequences")."""

    NONE = 0
    CLASS = 1
    """By a conversion of the user's own."""
    NUMBER = 2
    """By a conversion between numbers."""
    EXACT = 3


class ObjectConversions:
    """Conversions for one evaluator."""

    def __init__(self, evaluator: Evaluation, arrays: Arrays, dim3: Dim3) -> None:
        self._evaluator = evaluator
        self._arrays = arrays
        self._dim3 = dim3

    def implicit(self, result: Result, kind: TypeKind, node: Expr, point: Point) -> Result:
        """``result``, the value of ``node`` at ``point``, where a ``kind`` is wanted.

        A class or a list that cannot be converted in sight gives ``Unknown``.
        """
        evaluator = self._evaluator
        if kind.automatic:
            return result
        if isinstance(result, ListObject):
            return self._from_list(result, kind, node)
        if isinstance(result, Instance):
            return self._from_object(result, kind, node, point)
        if isinstance(result, Scalar | Real | RangeObject) and self._is_class(kind):
            made = self._by_constructor(result, kind, node, point)
            return evaluator.unknown(f"a value of type {kind.name.text}", node) if made is None else made
        if isinstance(result, Scalar) and kind.sycl in _EXTENTS:
            dims = evaluator.types.dimensions(kind.name)
            return RangeObject((result.value,)) if dims in (None, 1) else evaluator.unknown("not a range", node)
        if isinstance(result, Scalar | Real) and kind.is_number:
            return evaluator.converted(result, kind, node)
        return result

    def suit(self, candidates: Sequence[Declared[Function]], arguments: Sequence[Result]) -> list[Declared[Function]]:
        """Those of several functions that these arguments may be given to."""
        return [
            each
            for each in candidates
            if accepts(each.node, len(arguments))
            and self._fit(each.node, arguments, Point(each.place, each.node.start)) is not Fit.NONE
        ]

    def chosen(self, candidates: Sequence[Function], arguments: Sequence[Result], at: Point) -> Function | None:
        """The one of several functions that a call with these arguments means; ``None`` when that is not evident.

        The types of the parameters are written at ``at``.
        """
        fitting = [each for each in candidates if accepts(each, len(arguments))]
        if len(fitting) <= 1:
            return fitting[0] if fitting else None
        ranked = [(self._fit(each, arguments, at), each) for each in fitting]
        ranks = [rank for rank, _ in ranked if rank is not None]
        best = max(ranks, default=Fit.NONE)
        # What nothing is known of may suit as well.
        if best is Fit.NONE or len(ranks) < len(ranked) or ranks.count(best) > 1:
            return None
        return next(each for rank, each in ranked if rank is best)

    def _fit(self, function: Function, arguments: Sequence[Result], at: Point) -> Fit | None:
        """How the arguments suit a function: as well as the one that suits it least; ``None`` if not known."""
        parameters = function.parameters
        if function.template_parameters:
            return None
        found = Fit.EXACT
        for index, argument in enumerate(arguments):
            parameter = parameters[min(index, len(parameters) - 1)]
            if parameter.type.pointers or parameter.type.extents or parameter.pack:
                fit = Fit.NONE if parameter.type.pointers and _is_object(argument) else None
            else:
                fit = self._suits(argument, self._evaluator.kind(parameter.type.name, Point(at.place, parameter.start)))
            if fit is None or fit is Fit.NONE:
                return fit
            found = min(found, fit)
        return found

    def _suits(self, argument: Result, kind: TypeKind) -> Fit | None:
        """How an argument suits a parameter of type ``kind``; ``None`` when that is not known."""
        if kind.struct is not None and isinstance(argument, Scalar | Real | RangeObject):
            constructors = self._evaluator.members.constructors(kind.struct)
            return None if constructors is None else self._converting(argument, constructors, kind)
        evaluator, dims = self._evaluator, None
        if kind.sycl in _EXTENTS:
            dims = evaluator.types.dimensions(kind.name)
        match argument:
            case Scalar() | Real():
                if kind.is_number:
                    return Fit.EXACT if _is_same(argument, kind) else Fit.NUMBER
                if kind.sycl in _EXTENTS:
                    return Fit.CLASS if dims in (None, 1) else Fit.NONE
                return None
            case RangeObject(extents=extents):
                if kind.sycl in _EXTENTS:
                    return Fit.EXACT if dims in (None, len(extents)) else Fit.NONE
                return Fit.NONE if kind.is_number and len(extents) > 1 else None
            case Instance(struct=struct):
                if kind.struct is not None and kind.struct.node is struct.node:
                    return Fit.EXACT
                is_plain = not struct.node.bases and not evaluator.members.conversions(argument)
                return Fit.NONE if is_plain and (kind.is_number or kind.sycl in _EXTENTS) else None
            case NdRangeObject():
                return Fit.EXACT if kind.sycl == "nd_range" else None
            case Closure() | ListObject() | Unknown():
                return None

    def _converting(self, argument: Result, constructors: Sequence[Function], kind: TypeKind) -> Fit | None:
        """How an argument suits a parameter of a class: by one of its constructors, or not at all."""
        assert kind.struct is not None
        place = Place(kind.struct.node.members, kind.struct.place)
        fits: list[Fit | None] = []
        for each in constructors:
            if not accepts(each, 1) or self._evaluator.members.is_explicit(each, kind.struct):
                continue
            wanted = each.parameters[0].type if each.parameters else None
            of = self._evaluator.kind(wanted.name, Point(place, each.start)) if wanted is not None else None
            if of is None or wanted is None or wanted.pointers or of.struct is not None or each.template_parameters:
                fits.append(None)
            else:
                fits.append(self._suits(argument, of))
        if any(each is None for each in fits):
            return None
        return Fit.CLASS if any(each is not Fit.NONE for each in fits) else Fit.NONE

    # ----------------------------------------------------------- to a class

    def _is_class(self, kind: TypeKind) -> bool:
        return kind.struct is not None or self._dim3.is_meant(kind)

    def _from_list(self, result: ListObject, kind: TypeKind, node: Expr) -> Result:
        """``{16, 8}`` where a range or an object is wanted."""
        evaluator = self._evaluator
        is_made = kind.sycl in _RANGES or self._is_class(kind) or kind.is_number
        if result.length is not None or not (is_made or self._arrays.is_list(kind)):
            return result
        construct = evaluator.construction.construct
        return evaluator.under(result.frame, construct, kind, result.elements, result.point, node, braced=True)

    def _by_constructor(self, result: Result, kind: TypeKind, node: Expr, point: Point) -> Result | None:
        """An object of a class that a number or a range is converted to; ``None`` when no constructor surely does."""
        evaluator = self._evaluator
        if kind.struct is not None and not self._dim3.is_meant(kind):
            constructors = evaluator.members.constructors(kind.struct)
            inside = Point(Place(kind.struct.node.members, kind.struct.place), kind.struct.node.start)
            frame = kind.bound if kind.bound is not None else evaluator.frame
            given = (result,)
            meant = None if constructors is None else evaluator.under(frame, self.chosen, constructors, given, inside)
            if meant is None or evaluator.members.is_explicit(meant, kind.struct):
                return None
        return evaluator.construction.construct(kind, (node,), point, node)

    # --------------------------------------------------------- from a class

    def _from_object(self, made: Instance, kind: TypeKind, node: Expr, point: Point) -> Result:
        """An object where one of type ``kind`` is wanted; a slice of a derived class is not followed."""
        evaluator = self._evaluator
        if kind.struct is not None and kind.struct.node is made.struct.node:
            return made
        found = self.by_function(made, kind, node)
        if found is None and self._is_class(kind) and kind.struct not in (None, made.struct):
            found = None if made.struct.node.bases else self._by_constructor(made, kind, node, point)
        return evaluator.unknown(f"an object converted to {kind.name.text}", node) if found is None else found

    def by_function(self, made: Instance, kind: TypeKind, node: Expr) -> Result | None:
        """What the object's conversion function to ``kind`` gives; ``None`` when it has none that is surely meant."""
        evaluator = self._evaluator
        if kind.is_number:
            found = self._by_only(made, lambda to: to.is_number)
        elif kind.sycl:
            dimensions = evaluator.types.dimensions
            dims = dimensions(kind.name)
            found = self._by_only(made, lambda to: to.sycl == kind.sycl and dims in (None, dimensions(to.name)))
        else:
            return None
        if found is None or isinstance(found, Unknown):
            return found
        return evaluator.converted(found, kind, node) if kind.is_number else found

    def number(self, made: Instance) -> Result:
        """The object as a number, where any will do."""
        found = self._by_only(made, lambda kind: kind.is_number)
        return Unknown("not a number") if found is None else found

    def extents(self, made: Instance) -> Result:
        """The object as a range or an nd_range, where either will do; itself when it becomes none."""
        found = self._by_only(made, lambda kind: kind.sycl in _RANGES)
        return made if found is None else found

    def _by_only(self, made: Instance, wanted: Callable[[TypeKind], bool]) -> Result | None:
        """What the only conversion function to a type that is ``wanted`` gives; ``None`` when there is not one."""
        members = self._evaluator.members
        functions = [function for function, kind in members.conversions(made) if wanted(kind)]
        return members.converted(made, functions[0]) if len(functions) == 1 else None


def _is_same(number: Scalar | Real, kind: TypeKind) -> bool:
    """Whether a number has the very type that is wanted."""
    if isinstance(number, Scalar):
        return kind.integer == number.type
    return kind.floating and number.precision is kind.precision


def _is_object(argument: Result) -> bool:
    """Whether an argument is surely no pointer."""
    if isinstance(argument, Scalar):
        return not (isinstance(argument.value, Known) and argument.value.value == 0)
    return isinstance(argument, Real | RangeObject | NdRangeObject | Instance)
