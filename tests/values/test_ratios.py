"""Quotients of integers in floating point, against the integers that C++ makes of them."""

import math

import pytest

from sycllint.values.arithmetic import INT, LONG, Real, Scalar, as_real, binary, convert, unary
from sycllint.values.ratios import rounded_up, truncated
from sycllint.values.symbolic import number_with, parameter
from sycllint.values.value import Unknown
from tests.values.program import of as value_of
from tests.values.program import spelled

N = Scalar(parameter("n", "n", "a parameter"), INT)


def _for(number: Scalar, n: int) -> int | None:
    return number_with(number.value, lambda asked: n if asked.key == "n" else None)


@pytest.mark.parametrize("divisor", [1.0, 3.0, 256.0, 0.5, 0.75])
@pytest.mark.parametrize("n", [0, 1, 255, 256, 257, 1000])
def test_what_is_rounded_of_a_quotient_is_what_the_mathematics_library_gives(divisor: float, n: int) -> None:
    quotient = binary("/", as_real(N), Real(divisor))
    assert isinstance(quotient, Real)
    assert quotient.ratio is not None
    assert _for(Scalar(rounded_up(quotient.ratio), LONG), n) == math.ceil(n / divisor)
    assert _for(Scalar(truncated(quotient.ratio), LONG), n) == math.floor(n / divisor)
    assert _for(convert(quotient, INT), n) == int(n / divisor)


@pytest.mark.parametrize("n", [1, 7, 100])
def test_sums_and_products_are_one_quotient(n: int) -> None:
    third = binary("/", as_real(N), Real(3.0))
    both = binary("+", binary("*", third, Real(1.5)), Real(2.0))
    assert _for(convert(both, INT), n) == int(n / 3 * 1.5 + 2)


@pytest.mark.parametrize(
    "number",
    [
        binary("*", as_real(N), Real(0.1)),
        binary("/", as_real(N), Real(-4.0)),
        binary("/", Real(1.0), Real(None)),
        unary("-", as_real(N)),
    ],
)
def test_what_is_no_quotient_of_small_integers_is_not_known(number: Real) -> None:
    assert isinstance(convert(number, INT).value, Unknown)


@pytest.mark.parametrize("of", ["fmax(n, 8.0)", "sqrt(n / 2.0)", "std::log2(n)", "-ceil(n / 4.0)"])
def test_other_functions_of_a_quotient_are_not_known(of: str) -> None:
    assert spelled(value_of(f"(int)({of})")) == "unknown"
