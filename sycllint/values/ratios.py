"""Floating-point numbers that are quotients of unknown integers: ``ceil((double)n / 256)``.

Worked out as if exact, for sizes that are not negative: what is rounded of one is the integer that ``(n + 255) / 256``
is, too.
"""

from sycllint.record import record
from sycllint.values.symbolic import add, constant, divide, multiply, open_operation, subtract, symbolic
from sycllint.values.value import Known, Symbolic

_MAX_DENOMINATOR = 1 << 16
"""Of a floating-point constant, as 0.75 is 3/4; what has a greater one was not meant as a quotient."""


@record
class Ratio:
    """``numerator / denominator``, where the denominator is positive."""

    numerator: Symbolic
    denominator: Symbolic

    @property
    def is_whole(self) -> bool:
        """Whether it is an integer."""
        return constant(self.denominator) == 1


def whole(number: Symbolic) -> Ratio:
    """An integer."""
    return Ratio(number, _exactly(1))


def fraction(number: float) -> Ratio | None:
    """A constant, if it is a quotient of small integers."""
    try:
        numerator, denominator = number.as_integer_ratio()
    except (OverflowError, ValueError):
        return None
    return Ratio(_exactly(numerator), _exactly(denominator)) if denominator <= _MAX_DENOMINATOR else None


def combined(symbol: str, left: Ratio, right: Ratio) -> Ratio | None:
    """``left symbol right``; ``None`` where that is no quotient of integers, or may be one by zero."""
    first, second = left.numerator, right.numerator
    below, under = left.denominator, right.denominator
    match symbol:
        case "+" | "-":
            change = add if symbol == "+" else subtract
            return Ratio(change(multiply(first, under), multiply(second, below)), multiply(below, under))
        case "*":
            return Ratio(multiply(first, second), multiply(below, under))
        case "/":
            number = constant(second)
            is_positive = number > 0 if number is not None else second.minimum is None or second.minimum >= 0
            return Ratio(multiply(first, under), multiply(below, second)) if is_positive else None
        case _:
            return None


def rounded_up(ratio: Ratio) -> Symbolic:
    """The least integer that is not less."""
    if ratio.is_whole:
        return ratio.numerator
    return _divided(add(ratio.numerator, subtract(ratio.denominator, _exactly(1))), ratio.denominator)


def truncated(ratio: Ratio) -> Symbolic:
    """The integer that is left when the fraction is cut off."""
    return ratio.numerator if ratio.is_whole else _divided(ratio.numerator, ratio.denominator)


def _divided(left: Symbolic, right: Symbolic) -> Symbolic:
    found = divide(left, right)
    return found if found is not None else open_operation("/", left, right)


def _exactly(number: int) -> Symbolic:
    made = symbolic(Known(number))
    assert made is not None
    return made
