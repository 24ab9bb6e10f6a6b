"""What one number of device code is, as far as arithmetic on a GPU cares: integer, half, float, double, literal."""

from __future__ import annotations

from enum import Enum

from sycllint.cpp.statement import Struct
from sycllint.facts.file import Declared
from sycllint.record import record


class Base(Enum):
    """A scalar type, as far as arithmetic on a GPU cares."""

    INTEGER = "integer"
    HALF = "half"
    FLOAT = "float"
    DOUBLE = "double"
    LITERAL = "literal"
    """Made of floating-point literals without a suffix, and integers: double, and float with an ``f``."""
    OTHER = "other"
    """A class, or nothing that is known."""


@record
class ScalarType:
    """A scalar type, or one that is reached by ``depth`` subscripts."""

    base: Base
    depth: int = 0
    vector: bool = False
    """A ``sycl::vec`` or ``marray`` of it: its operators convert the other side to the element's type."""
    struct: Declared[Struct] | None = None
    constant: bool = False
    """Nothing but literals, which the compiler folds."""

    @property
    def is_scalar(self) -> bool:
        """Whether it is a number, not a vector, pointer or container."""
        return self.depth == 0 and not self.vector

    @property
    def is_single(self) -> bool:
        """Whether it is a float or half."""
        return self.is_scalar and self.base in (Base.FLOAT, Base.HALF)


OTHER = ScalarType(Base.OTHER)
INTEGER = ScalarType(Base.INTEGER)
WHOLE = ScalarType(Base.INTEGER, constant=True)
_ORDER = (Base.INTEGER, Base.HALF, Base.FLOAT, Base.DOUBLE)


def number(text: str) -> ScalarType:
    """What a numeric literal is."""
    lower = text.lower().replace("'", "").lstrip("+-")
    if lower.startswith("0x") and "p" not in lower:
        return WHOLE
    if not any(mark in lower for mark in ".ep"):
        return WHOLE
    if lower.endswith("f16"):
        return ScalarType(Base.HALF)
    if lower.endswith("f"):
        return ScalarType(Base.FLOAT)
    if lower[-1] in "0123456789.":
        return ScalarType(Base.LITERAL, constant=True)
    return ScalarType(Base.DOUBLE) if lower.endswith("l") else OTHER


def common(first: ScalarType, second: ScalarType) -> ScalarType:
    """The type in which two numbers meet; literals without a suffix take the other side's, as with an ``f``."""
    if first.vector or second.vector:
        return first if first.vector else second
    if not (first.is_scalar and second.is_scalar) or Base.OTHER in (first.base, second.base):
        return OTHER
    for one, other in ((first, second), (second, first)):
        if one.base is Base.LITERAL:
            if other.base in (Base.LITERAL, Base.INTEGER):
                return ScalarType(Base.LITERAL, constant=one.constant and other.constant)
            return other
    return max(first, second, key=lambda each: _ORDER.index(each.base))
