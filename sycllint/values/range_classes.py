"""Classes that are ranges by another name: three numbers, and a conversion to ``sycl::range``.

``dpct::dim3`` and ``syclcompat::dim3`` are known by name; their members x, y, z are the extents from the fastest to the
slowest (headers ``dpct/util.hpp`` and ``syclcompat/dims.hpp`` of DPC++).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sycllint.cpp.expression import Brace, Call, Expr, Name
from sycllint.cpp.place import Place
from sycllint.cpp.statement import STATIC, Declaration, Function, Return, Struct
from sycllint.facts.file import Declared
from sycllint.record import NamedTuple
from sycllint.values.arithmetic import UINT, IntegerType, Real, Scalar, convert
from sycllint.values.objects import Point, RangeObject
from sycllint.values.types import TypeKind
from sycllint.values.value import Known, Value

if TYPE_CHECKING:
    from sycllint.values.evaluate import Evaluator

_LIBRARIES = frozenset({"dpct", "syclcompat"})


class Given(NamedTuple):
    """A parameter of the constructor: the member it sets, its type, and what it is when it is not given."""

    member: str
    type: IntegerType
    default: int | None


class Layout(NamedTuple):
    """How such a class is made, and how it becomes a range."""

    name: str
    extents: tuple[str, ...]
    """The members that the extents are, slowest dimension first."""
    parameters: tuple[Given, ...]


DIM3 = Layout("dim3", ("z", "y", "x"), tuple(Given(each, UINT, 1) for each in "xyz"))


class RangeClasses:
    """Answers for one evaluator."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._evaluator = evaluator
        self._layouts: dict[int, Layout | None] = {}

    def layout(self, kind: TypeKind) -> Layout | None:
        """How objects of this type become ranges; ``None`` for other types."""
        if kind.name.last == "dim3" and self._of_library(kind):
            return DIM3
        if kind.struct is None:
            return None
        key = id(kind.struct.node)
        if key not in self._layouts:
            self._layouts[key] = self._read(kind.struct)
        return self._layouts[key]

    def made(self, kind: TypeKind, arguments: tuple[Expr, ...], point: Point) -> RangeObject | None:
        """An object made from ``arguments``; ``None`` when its type is none of these, or it cannot be told."""
        layout = self.layout(kind)
        if layout is None or len(arguments) > len(layout.parameters):
            return None
        values: dict[str, Value] = {}
        for index, given in enumerate(layout.parameters):
            if index >= len(arguments):
                if given.default is None:
                    return None
                values[given.member] = Known(given.default)
                continue
            result = self._evaluator.evaluate(arguments[index], point)
            if isinstance(result, RangeObject) and len(arguments) == 1:
                same = result.members == layout.extents or (layout is DIM3 and len(result.extents) == len(DIM3.extents))
                return RangeObject(result.extents, layout.extents) if same else None
            number = self._evaluator.scalar(result)
            if not isinstance(number, Scalar | Real):
                values[given.member] = number
                continue
            values[given.member] = convert(number, given.type).value
        return RangeObject(tuple(values[each] for each in layout.extents), layout.extents)

    def _of_library(self, kind: TypeKind) -> bool:
        qualifier = kind.name.qualifier.removeprefix("::")
        if kind.struct is not None:
            return not _LIBRARIES.isdisjoint(kind.struct.scope)
        return qualifier in _LIBRARIES or (not qualifier and not _LIBRARIES.isdisjoint(self._evaluator.facts.using))

    def _read(self, struct: Declared[Struct]) -> Layout | None:
        """The layout of a class in sight, which does nothing but hold numbers and become a range."""
        node = struct.node
        if node.bases or node.template_parameters:
            return None
        functions = [each for each in node.members.statements if isinstance(each, Function)]
        conversions = [each for each in functions if each.name == "operator range"]
        constructors = [each for each in functions if each.name == node.name]
        others = [each for each in functions if not each.name.startswith("operator") and each.name != node.name]
        extents = _extents(conversions[0]) if len(conversions) == 1 else None
        if extents is None or any(not each.flags & STATIC for each in others):
            return None
        place = Place(node.members, struct.place)
        fields = self._fields(node, place)
        if fields is None or not {*extents} <= {*fields}:
            return None
        parameters = self._parameters(constructors, fields, place)
        if parameters is None or not {*extents} <= {each.member for each in parameters}:
            return None
        return Layout(node.name, extents, parameters)

    def _fields(self, struct: Struct, place: Place) -> dict[str, IntegerType] | None:
        """The data members, which must be integers."""
        found: dict[str, IntegerType] = {}
        for statement in struct.members.statements:
            for variable in statement.variables if isinstance(statement, Declaration) else ():
                kind = self._evaluator.kind(variable.type.name, Point(place, variable.start)).integer
                if kind is None or variable.arguments or variable.type.pointers or variable.type.extents:
                    return None
                found[variable.name] = kind
        return found

    def _parameters(
        self, constructors: list[Function], fields: dict[str, IntegerType], place: Place
    ) -> tuple[Given, ...] | None:
        """What the one constructor from numbers sets; the fields in order when the class has none."""
        if not constructors:
            return tuple(Given(name, kind, None) for name, kind in fields.items())
        found: list[tuple[Given, ...]] = []
        for each in constructors:
            set_by = {
                arguments[0].text: member
                for member, arguments in each.initializers
                if len(arguments) == 1 and isinstance(arguments[0], Name)
            }
            given: list[Given] = []
            for parameter in each.parameters:
                kind = self._evaluator.kind(parameter.type.name, Point(place, parameter.start)).integer
                default = self._default(parameter.default, Point(place, parameter.start))
                if kind is None or parameter.name not in set_by or (parameter.default is not None and default is None):
                    break
                given.append(Given(set_by[parameter.name], kind, default))
            else:
                if each.parameters and each.body is not None and not each.body.statements:
                    found.append(tuple(given))
        return found[0] if len(found) == 1 else None

    def _default(self, expression: Expr | None, point: Point) -> int | None:
        value = self._evaluator.value(expression, point) if expression is not None else None
        return value.value if isinstance(value, Known) else None


def _extents(conversion: Function) -> tuple[str, ...] | None:
    """The members that a conversion to a range puts into it."""
    statements = conversion.body.statements if conversion.body is not None else ()
    match statements:
        case (
            Return(value=Call(function=Name(last="range"), arguments=made))
            | Return(value=Brace(type=Name(last="range") | None, elements=made)),
        ):
            names = [each.text for each in made if isinstance(each, Name)]
            return tuple(names) if len(names) == len(made) > 0 else None
        case _:
            return None
