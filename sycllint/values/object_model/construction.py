"""Objects made from arguments: numbers, ranges, nd_ranges, function objects; and what a declaration starts with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sycllint.cpp.expression import Binary, Brace, Call, Expr, Member, Name, Type
from sycllint.cpp.statement import CONST, Declaration, Variable
from sycllint.values.arithmetic import Scalar, as_real, convert
from sycllint.values.object_model.allocations import Allocations
from sycllint.values.object_model.arrays import Arrays
from sycllint.values.object_model.containers import MAX_LIST
from sycllint.values.object_model.conversions import ObjectConversions
from sycllint.values.object_model.dim3 import Dim3
from sycllint.values.objects import (
    Allocation,
    Instance,
    ListObject,
    NdRangeObject,
    Point,
    RangeObject,
    Result,
    TypeKind,
)
from sycllint.values.value import Known, Unknown, known

if TYPE_CHECKING:
    from sycllint.values.interface import Evaluation


class Construction:
    """Construction for one evaluator."""

    def __init__(self, evaluator: Evaluation, arrays: Arrays, conversions: ObjectConversions, dim3: Dim3) -> None:
        self._evaluator = evaluator
        self._arrays = arrays
        self._conversions = conversions
        self.dim3 = dim3
        self.allocations = Allocations(evaluator)
        self._calls: dict[int, tuple[Call, Call]] = {}
        """The calls, of a method and of a free function, that an operator between objects is."""

    def construct(
        self, kind: TypeKind, arguments: tuple[Expr, ...], point: Point, node: Expr | Variable, *, braced: bool = False
    ) -> Result:
        """An object of type ``kind`` made from ``arguments``."""
        if kind.sycl in ("range", "id", "nd_range"):
            return (self._nd_range if kind.sycl == "nd_range" else self._range)(kind, arguments, point, node)
        if kind.integer is not None:
            if not arguments:
                return Scalar(Known(0), kind.integer) if braced else self._evaluator.unknown("not initialised", node)
            scalar = self._evaluator.scalar(self._evaluator.evaluate(arguments[0], point))
            return scalar if isinstance(scalar, Unknown) else convert(scalar, kind.integer)
        if kind.floating and len(arguments) == 1:
            scalar = self._evaluator.scalar(self._evaluator.evaluate(arguments[0], point))
            return scalar if isinstance(scalar, Unknown) else as_real(scalar, kind.precision)
        if kind.sycl in ("accessor", "buffer") and arguments:
            memory = self.allocations.made(kind, arguments, point)
            return memory or self._evaluator.unknown(f"a value of type {kind.name.text}", node)
        made: Result | None = self.dim3.made(arguments, point) if self.dim3.is_meant(kind) else None
        made = made or (self.dim3.policy(arguments, point) if self.dim3.is_policy(kind) else None)
        if made is not None:
            return made
        if self._arrays.is_list(kind):
            listed = self._arrays.made(kind, arguments, point)
            if listed is not None:
                return listed
        if kind.struct is not None:
            zeroed = braced or isinstance(node, Call)
            return Instance(kind.struct, arguments, point, self._evaluator.frame, kind.bound, zeroed)
        if kind.automatic and len(arguments) == 1:
            return self._evaluator.evaluate(arguments[0], point)
        return self._evaluator.unknown(f"a value of type {kind.name.text}", node)

    def of_constant(self, kind: Name, arguments: tuple[Expr, ...], point: Point) -> Result | None:
        """The number that an object of the type ``kind`` stands for; ``None`` when that is no integral constant's."""
        return None if arguments or kind.scope is not None else self._evaluator.names.integral_constant(kind, point)

    def _dimensions(self, kind: TypeKind, point: Point, node: Expr | Variable) -> int | None:
        """How many dimensions a range has that is made for ``node``: its template argument, perhaps a parameter."""
        dims = self._evaluator.types.dimensions(kind.name)
        written = node.type.name.arguments if isinstance(node, Variable) else None
        if dims is not None or not written or written is not kind.name.arguments:
            return dims
        value = self._evaluator.value(written[0], point)
        return value.value if isinstance(value, Known) and 1 <= value.value <= 3 else None

    def _range(self, kind: TypeKind, arguments: tuple[Expr, ...], point: Point, node: Expr | Variable) -> Result:
        dims = self._dimensions(kind, point, node)
        if len(arguments) == 1:
            only = self._evaluator.evaluate(arguments[0], point)
            if isinstance(only, ListObject):
                return self._range(kind, only.elements, only.point, node)
            if isinstance(only, Instance):
                only = self._conversions.implicit(only, kind, arguments[0], point)
            if isinstance(only, RangeObject):
                return only
            if dims in (None, 1):
                return RangeObject((self._evaluator.size(only),))
            return RangeObject(
                (only if isinstance(only, Unknown) else self._evaluator.unknown("a range copied from another", node),)
                * dims
            )
        if not arguments:
            return RangeObject((self._evaluator.unknown("a range without extents", node),) * (dims or 1))
        if dims is not None and dims != len(arguments):
            return self._evaluator.unknown(f"range<{dims}> with {len(arguments)} extents", node)
        return RangeObject(tuple(self._evaluator.size(self._evaluator.evaluate(each, point)) for each in arguments))

    def _nd_range(self, kind: TypeKind, arguments: tuple[Expr, ...], point: Point, node: Expr | Variable) -> Result:
        dims = self._evaluator.types.dimensions(kind.name)
        if len(arguments) == 1:
            only = self._evaluator.evaluate(arguments[0], point)
            if isinstance(only, Instance):
                only = self._conversions.implicit(only, kind, arguments[0], point)
            if isinstance(only, NdRangeObject):
                return only
            if isinstance(only, ListObject) and len(only.elements) in (2, 3):
                return self._nd_range(kind, only.elements, only.point, node)
            return (
                only if isinstance(only, Unknown) else self._evaluator.unknown("an nd_range copied from another", node)
            )
        if len(arguments) not in (2, 3):
            return self._evaluator.unknown("an nd_range without ranges", node)
        whole, local = (self.as_range(each, point, dims) for each in arguments[:2])
        return NdRangeObject(whole, local, len(arguments) > 2)

    def is_dim3(self, kind: TypeKind) -> bool:
        """Whether a type is the ``dim3`` of a library."""
        return self.dim3.is_meant(kind)

    def by_operator(self, node: Binary, left: Result, right: Result, point: Point) -> Result | None:
        """What the project's own operator makes of ``node``; ``None`` when none suits the operands."""
        evaluator, start, end = self._evaluator, node.start, node.end
        text = f"operator{node.operator}"
        if id(node) not in self._calls:
            own = Call(Member(node.left, text, None, start, end), (node.right,), start, end)
            self._calls[id(node)] = own, Call(Name(text, None, None, start, end), (node.left, node.right), start, end)
        own, free = self._calls[id(node)]
        found = evaluator.members.called(left, text, own, point) if isinstance(left, Instance) else None
        if found is not None or not isinstance(free.function, Name):
            return found
        if not self._conversions.suit(evaluator.facts.functions.get(text), (left, right)):
            return None
        return evaluator.bindings.result(free.function, free, point)

    def as_range(self, expression: Expr, point: Point, dims: int | None) -> RangeObject:
        """``expression`` where a range of ``dims`` dimensions is wanted."""
        result = self._evaluator.evaluate(expression, point)
        if isinstance(result, Instance):
            result = self._conversions.extents(result)
        if isinstance(result, ListObject):
            elements = result.elements
            if dims is None or dims == len(elements):
                return RangeObject(
                    tuple(self._evaluator.size(self._evaluator.evaluate(each, result.point)) for each in elements)
                )
            return RangeObject(
                (self._evaluator.unknown(f"{len(elements)} extents for {dims} dimensions", expression),) * dims
            )
        if isinstance(result, RangeObject):
            if dims is None or dims == len(result.extents):
                return result
            if len(result.extents) == 1 and isinstance(result.extents[0], Unknown):
                return RangeObject(result.extents * dims)
            return RangeObject((self._evaluator.unknown("a range of other dimensions", expression),) * dims)
        if dims in (None, 1) or isinstance(result, Unknown):
            return RangeObject((self._evaluator.size(result),) * (dims or 1))
        return RangeObject((self._evaluator.unknown("not a range", expression),) * (dims or 1))

    def initial(self, variable: Variable, point: Point) -> Result:
        """What ``variable`` is initialised with; ``point`` is where its declaration stands."""
        evaluator, kind = self._evaluator, variable.type
        behind = evaluator.members.pointed_to(variable, point)
        if behind is not None:
            return behind
        if kind.pointers:
            made = self._evaluator.evaluate(variable.arguments[0], point) if len(variable.arguments) == 1 else None
            if isinstance(made, Allocation) and kind.pointers == 1 and not kind.extents:
                return made
            return self._evaluator.unknown("a pointer", variable)
        if kind.extents:
            of_elements = evaluator.kind(kind.name, point)
            elements = variable.arguments if variable.style == "{" else None
            if len(variable.arguments) == 1 and isinstance(variable.arguments[0], Brace):
                elements = variable.arguments[0].elements
            if elements is None:
                bare = None
                if not variable.arguments and len(kind.extents) == 1 and kind.extents[0] is not None:
                    bare = self._arrays.without_values(of_elements, evaluator.value(kind.extents[0], point), point)
                return bare or evaluator.unknown("an array", variable)
            return ListObject(elements, point, of_elements, evaluator.frame, self._count(kind, elements, point))
        if variable.style == "[":
            return self._evaluator.unknown("a part of a structured binding", variable)
        resolved = evaluator.kind(kind.name, point)
        if resolved.extents is not None:
            return self._evaluator.unknown("a pointer or an array", variable)
        is_dim3 = self.is_dim3(resolved)
        has_parts = is_dim3 or resolved.struct is not None or resolved.sycl in ("range", "id")
        if not variable.arguments and variable.style == "" and not has_parts:
            bare = self._arrays.bare(self._arrays.counted(resolved, point), point)
            return bare or self._evaluator.unknown(f"{variable.name} has no value yet", variable)
        if resolved.automatic and variable.style == "{" and len(variable.arguments) != 1:
            return self._evaluator.unknown("a list", variable)
        arguments = variable.arguments
        if variable.style == "=" and len(arguments) == 1:
            source = self._evaluator.evaluate(arguments[0], point)
            if isinstance(source, ListObject) and source.length is not None:
                return self._kept(source, variable, point)
            if isinstance(source, ListObject):
                arguments, point = source.elements, source.point
            else:
                made = self._conversions.implicit(source, resolved, arguments[0], point)
                is_other = resolved.automatic or resolved.sycl or resolved.struct is not None or is_dim3
                return made if is_other or type(made) is Unknown else evaluator.converted(made, resolved, arguments[0])
        if variable.style == "(" and self._arrays.is_list(resolved):
            return evaluator.unknown("a container", variable)
        result = self.construct(resolved, arguments, point, variable, braced=variable.style == "{")
        if type(result) is ListObject:
            return self._kept(result, variable, point)
        if isinstance(result, Unknown) and result.location is None:
            return self._evaluator.unknown(result.reason, variable)
        return result

    def _kept(self, elements: ListObject, variable: Variable, point: Point) -> Result:
        """A list of the library's in a variable, unless its elements may change in ways that are not followed."""
        if variable.flags & CONST or variable.type.constant:
            return elements
        if self._arrays.keeps(variable.name, point.place):
            return elements
        return self._evaluator.unknown("elements that may change", variable)

    def _count(self, kind: Type, elements: tuple[Expr, ...], point: Point) -> int | None:
        """The number of elements of an array that is initialised with ``elements``."""
        if kind.extents[0] is None:
            return len(elements) if len(elements) < MAX_LIST else None
        return known(self._evaluator.value(kind.extents[0], point))

    def part(self, variable: Variable, declaration: Declaration, point: Point) -> Result:
        """One name of a structured binding."""
        evaluator = self._evaluator
        hidden = evaluator.unknown("a part of a structured binding", variable)
        if len(variable.arguments) != 1:
            return hidden
        whole = evaluator.evaluate(variable.arguments[0], point)
        index, count = declaration.variables.index(variable), len(declaration.variables)
        if isinstance(whole, ListObject) and self._arrays.size(whole) == count:
            return self._arrays.element(whole, index, variable.arguments[0])
        found = evaluator.members.part(whole, index, count) if isinstance(whole, Instance) else None
        return hidden if found is None else found
