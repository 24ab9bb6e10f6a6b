"""What an expression may stand for besides a number: ranges, lists, lambdas, function objects."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from sycllint.cpp.expression import Expr, Lambda
from sycllint.cpp.place import Place
from sycllint.cpp.statement import Struct
from sycllint.facts.file import Declared
from sycllint.record import NamedTuple
from sycllint.values.arithmetic import Real, Scalar
from sycllint.values.types import TypeKind
from sycllint.values.value import Unknown, Value

if TYPE_CHECKING:
    from sycllint.values.frame import Frame


class Point(NamedTuple):
    """A place in the program at which a name is asked for: what is around it, and where the code before it ends."""

    place: Place
    offset: int


class RangeObject(NamedTuple):
    """A ``sycl::range`` or ``sycl::id``; extents slowest dimension first."""

    extents: tuple[Value, ...]
    members: tuple[str, ...] = ()
    """What the extents are called, of an object of a class that becomes a range."""
    ways: tuple[tuple[Value, ...], ...] = ()
    """The extents on each of several ways, where they are not the same on all: ``extents`` has them dimension by
    dimension, and would allow combinations of which there is none."""


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
    frame: Frame | None = None
    """How the code that makes it, at ``point``, is reached."""
    length: int | None = None
    """The number of elements, of an array: those that are not written are 0."""
    kinds: tuple[TypeKind, ...] | None = None
    """The types of the elements, of a pair or a tuple."""


class Closure(NamedTuple):
    """A lambda, and what is around it."""

    function: Lambda
    place: Place
    """The place of the lambda itself."""
    frame: Frame | None = None
    """How the code that makes it is reached."""


class Instance(NamedTuple):
    """An object of a class written in the file."""

    struct: Declared[Struct]
    arguments: tuple[Expr, ...]
    point: Point
    frame: Frame | None = None
    """How the code that makes it, at ``point``, is reached."""
    bound: Frame | None = None
    """What binds the parameters of its class, if that is a template's instance."""
    zeroed: bool = False
    """Members without an initialiser are 0, as braces or empty parentheses make them."""
    written: tuple[tuple[str, Result], ...] = ()
    """What was assigned to its members since, the last one last: ``tile.rows`` is a member's member."""
    is_bare: bool = False
    """The body of its constructor has not run yet."""
    ways: tuple[Instance, ...] = ()
    """What the object is on each of several ways, where it is not the same on all."""
    names: tuple[tuple[str, Point], ...] = ()
    """The variables by which it is known, and where they are asked for: whoever has one may change its members."""


Result: TypeAlias = Scalar | Real | RangeObject | NdRangeObject | ListObject | Closure | Instance | Unknown
