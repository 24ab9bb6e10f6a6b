"""Implicit conversions: what a value becomes where one of another type is wanted.

By constructors and conversion functions of visible classes. Also: which of several functions suits given arguments.

C++ standard, "Implicit conversion sequences": one conversion of the user's own at most. The number and the kinds of the
arguments decide which of several constructors is meant; where they do not, nothing is claimed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from sycllint.cpp.expression import Expr
from sycllint.cpp.place import Place
from sycllint.cpp.statement import Function
from sycllint.facts.file import Declared
from sycllint.symbols.arity import accepts
from sycllint.symbols.conversions import ArgumentKind, TypeClass
from sycllint.values.arithmetic import Real, Scalar
from sycllint.values.object_model.arrays import Arrays
from sycllint.values.object_model.dim3 import Dim3
from sycllint.values.objects import (
    Allocation,
    Closure,
    Instance,
    ListObject,
    NdRangeObject,
    Point,
    RangeObject,
    Result,
    TypeKind,
)
from sycllint.values.value import Known, Unknown

if TYPE_CHECKING:
    from sycllint.values.interface import Evaluation

_EXTENTS = frozenset({"range", "id"})
_RANGES = _EXTENTS | {"nd_range"}


_NUMBER = ArgumentKind(TypeClass.NUMBER)


class ObjectConversions:
    """Conversions for one evaluator."""

    def __init__(self, evaluator: Evaluation, arrays: Arrays, dim3: Dim3) -> None:
        self._evaluator = evaluator
        self._arrays = arrays
        self._dim3 = dim3

    def implicit(self, result: Result, kind: TypeKind, node: Expr, point: Point) -> Result:
        """``result``, the value of ``node`` at ``point``, where a ``kind`` is wanted.

        A class or a list without a visible conversion gives ``Unknown``.
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

    def suit(self, candidates: Iterable[Declared[Function]], arguments: Iterable[Result]) -> list[Declared[Function]]:
        """Those of several functions that these arguments may be given to."""
        return self._evaluator.overloads.taking(candidates, [self._kind(each) for each in arguments])

    def chosen(self, candidates: Sequence[Function], arguments: Sequence[Result], at: Place) -> Function | None:
        """The one of several functions at ``at`` that a call with these arguments means; ``None`` if not evident."""
        fitting = [Declared(each, Place(each, at)) for each in candidates if accepts(each, len(arguments))]
        if len(fitting) > 1:
            fitting = self.suit(fitting, arguments)
        return fitting[0].node if len(fitting) == 1 else None

    def _kind(self, argument: Result) -> ArgumentKind | None:
        """The kind of a value; ``None`` when that is not known."""
        match argument:
            case Scalar(value=Known(value=0)):
                return ArgumentKind(TypeClass.ZERO)
            case Scalar() | Real():
                return _NUMBER
            case RangeObject(extents=extents):
                # Of one dimension, it may be an id, which becomes a number.
                library = "id" if len(extents) == 1 else "range"
                return ArgumentKind(TypeClass.LIBRARY, library=library, dimensions=len(extents))
            case NdRangeObject():
                return ArgumentKind(TypeClass.LIBRARY, library="nd_range")
            case Instance(struct=struct):
                return ArgumentKind(TypeClass.CLASS, self._evaluator.symbols.scope_of(struct))
            case Closure():
                return ArgumentKind(TypeClass.LAMBDA)
            case ListObject() | Allocation() | Unknown():
                return None

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
            inside = Place(kind.struct.node.members, kind.struct.place)
            meant = None if constructors is None else self.chosen(constructors, (result,), inside)
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
