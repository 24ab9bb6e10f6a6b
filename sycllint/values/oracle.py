"""What an evaluator may ask a C++ front end."""

from typing import Protocol

from sycllint.semantics.answers import Definition, EvalResult, Held, Way


class Oracle(Protocol):
    """What knows a translation unit: places are paths and byte offsets, ``None`` is no answer.

    ``way`` tells which instantiation of a template is meant.
    """

    def number(self, path: str, start: int, end: int, way: Way, *, in_template: bool) -> EvalResult | None:
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
