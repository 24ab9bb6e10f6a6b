"""What an expression may stand for besides a number: ranges, lists, lambdas, function objects."""

from typing import TypeAlias

from sycllint.cpp.expression import Expr, Lambda
from sycllint.cpp.place import Place
from sycllint.cpp.statement import Struct
from sycllint.facts.file import Declared
from sycllint.record import NamedTuple
from sycllint.values.arithmetic import Real, Scalar
from sycllint.values.types import TypeKind
from sycllint.values.value import Unknown, Value


class Point(NamedTuple):
    """A place in the program at which a name is asked for: what is around it, and where the code before it ends."""

    place: Place
    offset: int


class RangeObject(NamedTuple):
    """A ``sycl::range`` or ``sycl::id``; extents slowest dimension first."""

    extents: tuple[Value, ...]
    members: tuple[str, ...] = ()
    """What the extents are called, of an object of a class that becomes a range."""


class NdRangeObject(NamedTuple):
    """A ``sycl::nd_range``."""

    global_range: RangeObject
    local_range: RangeObject


class ListObject(NamedTuple):
    """A braced list, not yet made into anything."""

    elements: tuple[Expr, ...]
    point: Point
    kind: TypeKind | None = None
    """The type of the elements, of an array."""


class Closure(NamedTuple):
    """A lambda, and what is around it."""

    function: Lambda
    place: Place
    """The place of the lambda itself."""


class Instance(NamedTuple):
    """An object of a class written in the file."""

    struct: Declared[Struct]
    arguments: tuple[Expr, ...]
    point: Point


Result: TypeAlias = Scalar | Real | RangeObject | NdRangeObject | ListObject | Closure | Instance | Unknown
