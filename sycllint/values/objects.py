"""What an expression may stand for other than a number: ranges, lists, lambdas, objects; of what types, on which ways.

These know one another: an object its type and the way to it, a type what binds its parameters, a way the objects on it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ParamSpec, TypeAlias, TypeVar

from sycllint.cpp.expression import Call, Expr, Lambda, Name, Type
from sycllint.cpp.place import Place
from sycllint.cpp.statement import Alias, Function, Loop, Struct
from sycllint.facts.file import Declared
from sycllint.record import NamedTuple, record, unique
from sycllint.source.span import Location
from sycllint.values.arithmetic import IntegerType, Precision, Real, Scalar
from sycllint.values.value import Known, Unknown, Value


class Point(NamedTuple):
    """A place in the program at which a name is asked for: what is around it, and where the code before it ends."""

    place: Place
    offset: int


Owner: TypeAlias = Function | Struct | Lambda | Alias
"""What has parameters, or arguments, that a way there binds."""


class TypeKind(NamedTuple):
    """What a type is to us. Exactly one of the fields says it; none does for a type that is not understood."""

    name: Name
    """The type after resolving aliases."""
    integer: IntegerType | None = None
    floating: bool = False
    sycl: str = ""
    """Unqualified name of a type of the SYCL namespace: range, nd_range, local_accessor …"""
    struct: Declared[Struct] | None = None
    automatic: bool = False
    extents: Type | None = None
    """The aliased type, when the alias adds pointers or array extents."""
    bound: Frame | None = None
    """What binds the parameters of ``struct``, if that is a template's instance."""

    @property
    def is_number(self) -> bool:
        """Whether it is one of the builtin types of numbers."""
        return self.integer is not None or self.floating

    @property
    def precision(self) -> Precision:
        """Of a floating-point type."""
        return Precision.SINGLE if self.name.last in ("float", "float_t") else Precision.DOUBLE

    @property
    def is_array(self) -> bool:
        """Whether the alias is one of an array."""
        return self.extents is not None and bool(self.extents.extents)


class RangeObject(NamedTuple):
    """A ``sycl::range`` or ``sycl::id``; extents slowest dimension first."""

    extents: tuple[Value, ...]
    members: tuple[str, ...] = ()
    """What the extents are called, of an object of a class that becomes a range."""
    ways: tuple[tuple[Value, ...], ...] = ()
    """The extents on each of several ways, where they are not the same on all: ``extents`` has them dimension by
    dimension, and would allow combinations of which there is none."""

    def with_extent(self, index: Value, extent: Value) -> RangeObject | None:
        """The range once one extent is set; ``None`` where it is not known which."""
        if self.members or not isinstance(index, Known) or not 0 <= index.value < len(self.extents):
            return None
        return RangeObject((*self.extents[: index.value], extent, *self.extents[index.value + 1 :]))


class NdRangeObject(NamedTuple):
    """A ``sycl::nd_range``."""

    global_range: RangeObject
    local_range: RangeObject
    has_offset: bool = False
    """Global ids need not begin at zero."""


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
    written: tuple[tuple[int, Result], ...] = ()
    """What was assigned to its elements since, by their positions, the last one last."""
    is_bare: bool = False
    """Elements that are not written have no value."""


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

    def known_by(self, name: str, point: Point) -> Instance:
        """The object, asked for by a variable at ``point``."""
        return self._replace(names=(*self.names, (name, point)))


@record
class Allocation:
    """Memory of kernels, behind a pointer to USM that the host allocates, a buffer, or an accessor to one."""

    extents: tuple[Value, ...]
    """Elements, slowest dimension first."""
    location: Location
    written: Expr
    """What the number of elements is written as, at ``place``."""
    place: Place
    element: str = ""
    """The type of an element as it is written; empty for a buffer's, and where the extent is one of bytes."""
    in_bytes: bool = False

    @property
    def count(self) -> Value:
        """Elements, where they lie along one dimension."""
        return self.extents[0] if len(self.extents) == 1 else Unknown("a buffer of several dimensions")


@unique
class Frame:
    """One binding. ``outer`` is the frame of the place where the arguments are written."""

    owner: Owner | Loop
    """A loop where the code runs in one of its iterations."""
    arguments: tuple[Expr, ...]
    """For the function's parameters."""
    templates: tuple[Expr, ...]
    """Explicit template arguments."""
    point: Point
    """Where the arguments are written."""
    call: Call | None
    outer: Frame | None
    instance: Instance | None = None
    """The object whose members the names of the class ``owner`` are."""
    element: int | None = None
    """Which element of its packs the code is about, where it goes through them one by one; which iteration."""
    instantiates: Frame | None = None
    """The binding of which it has the template arguments alone (see ``Instantiations``)."""

    def of(self, owner: Owner | Loop) -> Frame | None:
        """The nearest frame that binds ``owner``."""
        frame: Frame | None = self
        while frame is not None:
            if frame.owner is owner and frame.instantiates is None:
                return frame
            frame = frame.outer
        return None

    def instance_of(self, owner: Owner) -> Frame | None:
        """The binding of ``owner`` of which only the template arguments are known."""
        frame: Frame | None = self
        while frame is not None:
            if frame.owner is owner and frame.instantiates is not None:
                return frame.instantiates
            frame = frame.outer
        return None

    def around(self) -> Iterator[Frame]:
        """The frames around this one, inner ones first."""
        frame = self.outer
        while frame is not None:
            yield frame
            frame = frame.outer

    @property
    def depth(self) -> int:
        """How many frames lie on each other."""
        if self.instantiates is not None:
            return self.instantiates.depth
        return 1 if self.outer is None else 1 + self.outer.depth


class Element(NamedTuple):
    """An argument of a template, where it is written, and how that is reached."""

    expression: Expr
    point: Point
    frame: Frame | None


class Used(NamedTuple):
    """The name of a class as it is written with its arguments, behind all aliases."""

    name: Name
    point: Point
    frame: Frame | None


class BoundClass(NamedTuple):
    """A definition of a class, and what binds its parameters."""

    struct: Declared[Struct]
    frame: Frame | None


class Desugared(NamedTuple):
    """A type behind aliases and template parameters, and where it is written."""

    name: Name
    point: Point
    frame: Frame | None
    whole: Type | None = None
    """The type with its declarators, when an alias or an argument adds pointers, a reference or extents."""
    others: tuple[Declared[Alias], ...] = ()
    """What ``name`` may be an alias of, when a conditional that cannot be decided says which."""
    unbound: bool = False
    """``name`` is a template's parameter that nothing binds."""


@unique
class PackChoice:
    """Which element of a pack the code that ``frame`` binds is about: a way there takes one of ``count``."""

    frame: Frame
    count: int


@unique
class ObjectArgument:
    """The object that a method is called on: its members may decide a size, which its parameters do not."""

    method: Function


@unique
class InstanceArgument:
    """A template argument that is known, of an instance of which nothing else is known."""

    owner: Function | Struct | Lambda | Alias
    index: int
    text: str
    """The parameter, as it is named at ``place``."""
    place: Place
    is_type: bool
    identity: object
    """What distinguishes it from other arguments."""


Asked: TypeAlias = Owner | PackChoice | ObjectArgument | InstanceArgument
"""What was asked for and is not known until more of the way there is."""

Result: TypeAlias = Scalar | Real | RangeObject | NdRangeObject | ListObject | Closure | Instance | Allocation | Unknown
Asking = ParamSpec("Asking")
Answer = TypeVar("Answer")
