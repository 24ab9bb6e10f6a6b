"""What an evaluator may ask a C++ front end, and what that answers."""

from typing import Protocol, TypeAlias


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


class Number(Protocol):
    """What is known of an expression."""

    @property
    def constant(self) -> Constant | None:
        """The number, if it is one."""

    @property
    def hangs(self) -> bool:
        """Whether it is one in some instantiation, so that the way there decides."""


class Part(Protocol):
    """One variable that a kernel holds."""

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


class Held(Protocol):
    """What a kernel holds."""

    @property
    def bytes(self) -> int:
        """At least so many."""

    @property
    def parts(self) -> "tuple[Part, ...]":
        """The largest first."""

    @property
    def members(self) -> "tuple[Reached, ...]":
        """What a lambda reaches through ``this``."""


class Definition(Protocol):
    """Where a function is written."""

    @property
    def path(self) -> str:
        """Absolute."""

    @property
    def start(self) -> int:
        """Of its name."""


Way: TypeAlias = tuple[tuple[str, int, int], ...]
"""The calls by which code is reached, outermost first: paths, and spans of the whole calls."""


class Oracle(Protocol):
    """What knows a translation unit: places are paths and byte offsets, ``None`` is no answer.

    ``way`` tells which instantiation of a template is meant.
    """

    def number(self, path: str, start: int, end: int, way: Way, *, in_template: bool) -> Number | None:
        """The constant that an expression is."""

    def layout_of(self, path: str, offset: int, way: Way, *, in_template: bool) -> tuple[int, int] | None:
        """Size and alignment, in bytes, of the type that is named there."""

    def size_of_variable(self, path: str, offset: int) -> int | None:
        """Bytes of the variable whose name begins there, outside templates."""

    def held_by_lambda(self, path: str, offset: int, way: Way) -> Held | None:
        """What the lambda that begins there holds."""

    def held_by_object(self, path: str, start: int, end: int, way: Way) -> Held | None:
        """What the function object that an expression is holds."""

    def callee(self, path: str, start: int, end: int, way: Way) -> Definition | None:
        """The function that a call means."""

    def class_of(self, path: str, start: int, end: int, way: Way) -> str | None:
        """The class of an expression, or of what it points to, with its namespaces."""
