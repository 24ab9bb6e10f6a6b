"""An evaluator that asks a C++ front end where it does not know by itself."""

from collections.abc import Mapping
from typing import Protocol

from sycllint.cpp.expression import Call, Expr, Lambda, Member, Name, SizeOf
from sycllint.cpp.place import Place
from sycllint.cpp.statement import Function, Struct
from sycllint.record import NamedTuple
from sycllint.values.arithmetic import IntegerType, Scalar
from sycllint.values.evaluate import Evaluator
from sycllint.values.objects import Point, Result
from sycllint.values.sizes import Layout, Sizes
from sycllint.values.unit import Unit
from sycllint.values.value import Known, OneOf, Symbolic, Unknown


class Constant(Protocol):
    """An integer with its C++ type."""

    @property
    def value(self) -> int:
        """The number."""

    @property
    def bits(self) -> int:
        """Its width; 1 for ``bool``."""

    @property
    def signed(self) -> bool:
        """Whether it can be negative."""


class Part(Protocol):
    """One variable that a lambda holds."""

    @property
    def name(self) -> str:
        """As declared."""

    @property
    def type(self) -> str:
        """As declared."""

    @property
    def bytes(self) -> int:
        """Its size."""


class Reached(Protocol):
    """A data member that a lambda reaches through ``this``."""

    @property
    def name(self) -> str:
        """As declared."""

    @property
    def owner(self) -> str:
        """The class that declares it."""

    @property
    def start(self) -> int:
        """Where it is named."""

    @property
    def end(self) -> int:
        """Where that ends."""


class Captured(Protocol):
    """What a lambda holds."""

    @property
    def bytes(self) -> int:
        """At least so many."""

    @property
    def parts(self) -> "tuple[Part, ...]":
        """The largest first."""

    @property
    def members(self) -> "tuple[Reached, ...]":
        """What it reaches through ``this``."""


class Oracle(Protocol):
    """What knows a translation unit: places are paths and byte offsets, ``None`` is no answer."""

    def number(self, path: str, start: int, end: int, *, in_template: bool) -> Constant | None:
        """The constant that an expression is: in a template, what it is in all that is made of that."""

    def layout_of(self, path: str, offset: int) -> tuple[int, int] | None:
        """Size and alignment, in bytes, of the type that is named there."""

    def captured(self, path: str, offset: int) -> Captured | None:
        """What the lambda that begins there holds."""


class Asked(NamedTuple):
    """A front end, and how far its preprocessor can be trusted."""

    oracle: Oracle
    settings_known: bool
    """It was given the macros that the project is compiled with.

    Without them a number may hang on a macro that the front end takes to be undefined; sizes of types rarely do.
    """


class DeepEvaluator(Evaluator):
    """The same answers where they are known, and the front end's where they are not."""

    def __init__(self, unit: Unit, defines: Mapping[str, str], asked: Asked) -> None:
        super().__init__(unit, defines)
        self._oracle = asked.oracle
        self._settings_known = asked.settings_known
        self.sizes = _DeepSizes(self, asked.oracle)

    def captured(self, place: Place, offset: int) -> Captured | None:
        """What the lambda that begins there holds."""
        return None if _in_template(place) else self._oracle.captured(self.facts.file_at(place).path, offset)

    def _evaluate(self, expression: Expr, point: Point) -> Result:
        result = super()._evaluate(expression, point)
        if (
            not self._settings_known
            or not isinstance(expression, Name | Call | Member | SizeOf)
            or not _is_open(result)
        ):
            return result
        path = self.facts.file_at(point.place).path
        in_template = _in_template(point.place)
        found = self._oracle.number(path, expression.start, expression.end, in_template=in_template)
        if found is None:
            return result
        kind = IntegerType(found.bits, found.signed)
        known = Scalar(Known(found.value), kind)
        if isinstance(expression, Name):
            return self.named(expression.text, known, expression.start, expression.end)
        return known


class _DeepSizes(Sizes):
    """Sizes, those of classes that are out of sight or not plain among them."""

    def __init__(self, evaluator: Evaluator, oracle: Oracle) -> None:
        super().__init__(evaluator)
        self._oracle = oracle

    def _of_name(self, name: Name, point: Point) -> Layout:
        layout = super()._of_name(name, point)
        if isinstance(layout.size, Known) or name.arguments is not None or _in_template(point.place):
            return layout
        path = self._evaluator.facts.file_at(point.place).path
        found = self._oracle.layout_of(path, name.end - 1)
        return layout if found is None else Layout(Known(found[0]), found[1])


def _is_open(result: Result) -> bool:
    """Whether the front end may know better."""
    value = result.value if isinstance(result, Scalar) else result
    return isinstance(value, Unknown | OneOf | Symbolic)


def _in_template(place: Place) -> bool:
    """Whether the code there is compiled anew for each use."""
    for node in place.chain():
        if isinstance(node, Function | Struct | Lambda) and node.template_parameters:
            return True
        if isinstance(node, Function | Lambda) and any(each.type.name.text == "auto" for each in node.parameters):
            return True
    return False
