"""What is said of numbers that are not known, against brute force over small parameter values."""

from collections.abc import Callable
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sycllint.values.symbolic import settled
from sycllint.values.value import Known, OneOf, Symbolic, Unknown, known, multiple_of
from tests.values.program import admits, of, returned, spelled


class Sample(NamedTuple):
    """An expression over ``n`` (any int) and ``u`` (unsigned), and its value in C++; ``None`` where it has none."""

    text: str
    at: Callable[[int, int], int | None]


def _divide(left: int, right: int) -> int | None:
    if right == 0:
        return None
    quotient = abs(left) // abs(right)
    return quotient if (left < 0) == (right < 0) else -quotient


def _remainder(left: int, right: int) -> int | None:
    quotient = _divide(left, right)
    return None if quotient is None else left - quotient * right


_OPERATIONS: dict[str, Callable[[int, int], int | None]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": _divide,
    "%": _remainder,
    "<<": lambda a, b: a << b if 0 <= b < 5 and a >= 0 else None,
    ">>": lambda a, b: a >> b if 0 <= b < 32 else None,
    "&": lambda a, b: a & b,
    "|": lambda a, b: a | b,
}
_FUNCTIONS: dict[str, Callable[[int, int], int]] = {"std::min<long>": min, "std::max<long>": max}


def _operation(symbol: str, left: Sample, right: Sample) -> Sample:
    compute = _OPERATIONS[symbol]

    def at(n: int, u: int) -> int | None:
        first, second = left.at(n, u), right.at(n, u)
        return None if first is None or second is None else compute(first, second)

    return Sample(f"({left.text} {symbol} {right.text})", at)


def _function(name: str, left: Sample, right: Sample) -> Sample:
    compute = _FUNCTIONS[name]

    def at(n: int, u: int) -> int | None:
        first, second = left.at(n, u), right.at(n, u)
        return None if first is None or second is None else compute(first, second)

    return Sample(f"{name}({left.text}, {right.text})", at)


def _constant(number: int) -> Sample:
    return Sample(f"{number}L", lambda n, u: number)


# Both are widened to long first, so that no step of the expression wraps for small values.
_PARAMETERS = st.sampled_from([Sample("(long)n", lambda n, u: n), Sample("(long)u", lambda n, u: u)])
_LEAVES = st.one_of(_PARAMETERS, _PARAMETERS, st.sampled_from([1, 2, 3, 7, 8, 16, 31, 32, 255, 256]).map(_constant))


def _grown(smaller: st.SearchStrategy[Sample]) -> st.SearchStrategy[Sample]:
    power = st.sampled_from([0, 1, 3, 4]).map(_constant)
    return st.one_of(
        st.builds(_operation, st.sampled_from(["+", "-", "*", "/", "%", "&", "|"]), smaller, smaller),
        st.builds(_operation, st.sampled_from(["<<", ">>"]), smaller, power),
        st.builds(_function, st.sampled_from(sorted(_FUNCTIONS)), smaller, smaller),
    )


_EXPRESSIONS = st.recursive(_LEAVES, _grown, max_leaves=7)
_VALUES = [(n, u) for n in (-33, -8, -1, 0, 1, 2, 5, 31, 32, 33, 100, 256) for u in (0, 1, 3, 16, 31, 64, 100)]


@given(_EXPRESSIONS)
def test_divisor_and_bounds_hold_for_every_parameter_value(sample: Sample) -> None:
    claim = of(sample.text)
    for n, u in _VALUES:
        result = sample.at(n, u)
        if result is not None:
            assert admits(claim, result), f"{sample.text} is {result} for n={n}, u={u}: not {spelled(claim)}"


@given(_EXPRESSIONS, st.integers(-40, 300), st.integers(0, 300))
def test_with_constants_for_its_parameters_an_expression_is_the_number_it_is(sample: Sample, n: int, u: int) -> None:
    claim = of(sample.text.replace("(long)n", f"{n}L").replace("(long)u", f"{u}L"))
    result = sample.at(n, u)
    if isinstance(claim, Known) and result is not None:
        assert claim.value == result
    else:
        assert result is None or isinstance(claim, Unknown | Known)


@pytest.mark.parametrize(
    ("expression", "claim"),
    [
        ("n * 128", "multiple of 128 in [None, None]"),
        ("u * 128", "multiple of 128 in [0, None]"),
        ("(u + 255) / 256 * 256", "multiple of 256 in [0, None]"),
        ("(u + 255) & ~255", "multiple of 256 in [0, 4294967040]"),
        ("u * 6 + 9", "multiple of 3 in [9, None]"),
        ("std::min(n, 256)", "multiple of 1 in [None, 256]"),
        ("(n + 31) & ~31", "multiple of 32 in [None, None]"),
        ("std::min(u, 256u) * 2", "multiple of 2 in [0, 512]"),
        ("std::max(n, 32)", "multiple of 1 in [32, None]"),
        ("u % 8", "multiple of 1 in [0, 7]"),
        ("n % 8", "multiple of 1 in [-7, 7]"),
        ("u & 15", "multiple of 1 in [0, 15]"),
        ("u & 48", "multiple of 16 in [0, 48]"),
        ("u << 5", "multiple of 32 in [0, None]"),
        ("n << 5", "multiple of 32 in [None, None]"),
        ("n * 64 / 64 * 64", "multiple of 64 in [None, None]"),
        ("n - n % 32", "multiple of 32 in [None, None]"),
        ("n + (32 - n % 32) % 32", "multiple of 32 in [None, None]"),
        ("(n | 31) + 1", "multiple of 32 in [None, None]"),
        ("n - (n & 15) + 8", "multiple of 8 in [None, None]"),
        ("u % 32 == 0 ? u : u + 32 - u % 32", "multiple of 32 in [0, None]"),
        ("n % 32 ? n - n % 32 : n", "multiple of 32 in [None, None]"),
        ("u % 32 ? u : u - u % 32", "multiple of 1 in [-31, None]"),
    ],
)
def test_what_is_known_of_a_number_that_is_not(expression: str, claim: str) -> None:
    assert spelled(of(expression)) == claim


@pytest.mark.parametrize(
    ("expression", "result"),
    [("n - n", 0), ("n * 0", 0), ("(n + 3) - n", 3), ("n * 64 % 32", 0), ("2 * n - n * 2 + 7", 7), ("n * 8 / n", 8)],
)
def test_what_cancels_is_a_number(expression: str, result: int) -> None:
    assert of(expression) == Known(result)


@pytest.mark.parametrize("expression", ["n", "u", "n + 0", "n * 1", "(long)u"])
def test_a_bare_parameter_is_unknown(expression: str) -> None:
    assert isinstance(of(expression), Unknown)


def test_the_parameters_of_a_polynomial_are_named() -> None:
    value = of("n * 128 + (u + 7) / 8")
    assert isinstance(value, Symbolic)
    assert set(value.parameters) == {"n", "u"}


def test_two_parameters_do_not_cancel() -> None:
    assert isinstance(settled(of("n - m")), Symbolic)


def test_a_polynomial_has_what_follows_from_its_terms_and_nothing_else() -> None:
    found = of("n * 8 + 16")
    assert isinstance(found, Symbolic)
    assert (found.text, found.multiple_of, found.minimum) == ("8*n + 16", 8, None)
    assert not hasattr(found, "divisor")


def test_zero_is_divided_by_everything() -> None:
    assert multiple_of(Known(0)) == 0
    assert multiple_of(Unknown("read from argv")) == 1


@pytest.mark.parametrize(
    ("expression", "before", "is_zero"),
    [
        ("Unseen - Unseen", "", True),
        ("Unseen - Other", "", False),
        ("Unseen - first", "int first = Unseen; Unseen = g();", False),
        ("p.n - p.n", "", True),
        ("p.n - first", "Point p = g(); int first = p.n; p = g();", False),
        ("p.n - first", "Point p = g(); int first = p.n; p.n = 3;", False),
    ],
)
def test_a_name_without_a_visible_declaration_is_one_number_until_it_changes(
    expression: str, before: str, is_zero: bool
) -> None:
    assert (known(of(expression, before)) == 0) is is_zero


def test_two_functions_do_not_mean_the_same_number_by_a_name_without_a_visible_declaration() -> None:
    value = returned("int g(Point p) { return p.n; } int f(Point p) { Point q = h(); return g(q) - p.n; }")
    assert not isinstance(value, Known)


def test_a_member_says_where_it_is_read() -> None:
    source = "int f(Point p) { return 4 * p.size; }"
    value = returned(source)
    assert isinstance(value, Symbolic)
    location = value.terms[0].atoms[0].location
    assert location is not None
    assert source[location.span.start : location.span.end] == "size"


def test_each_element_of_a_list_that_a_loop_runs_over_is_listed_with_its_place() -> None:
    source = "int f() { int found = 0; for (unsigned char each : {32, 300}) { return each; } }"
    value = returned(source)
    assert isinstance(value, OneOf)
    steps = {each.value: each.because[0].location.span for each in value.values}
    assert {number: source[span.start : span.end] for number, span in steps.items()} == {32: "32", 44: "300"}


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        ("n + 1", "n + 1"),
        ("4 * (n + m)", "4*n + 4*m"),
        ("8 * ((n + 1) / m)", "8*((n + 1)/m)"),
        ("8 * (n / (m + 1))", "8*(n/(m + 1))"),
        ("8 * (n / (2 * m))", "8*(n/(2*m))"),
        ("8 * ((2 * n) / m)", "8*(2*n/m)"),
        ("(n + 255) / 256 * 256", "256*((n + 255)/256)"),
        ("8 * (n / m / u)", "8*((n/m)/u)"),
        ("4 * size()", "4*size()"),
        ("8 * ((p.a + 1) % m)", "8*((p.a + 1)%m)"),
        ("std::min(n, 4) * 2", "2*min(n, 4)"),
    ],
)
def test_a_text_has_the_parentheses_it_needs(expression: str, text: str) -> None:
    value = of(expression)
    assert isinstance(value, Symbolic)
    assert value.text == text
