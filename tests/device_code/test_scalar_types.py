"""What expressions of kernels are made of."""

import pytest

from sycllint.cpp.statement import Variable
from sycllint.device_code.bodies.scalar_types import Base, number
from tests.device_code.body import kernel

BEFORE = """
struct Particle { float x; double mass; sycl::float4 color; float sqrt(float x) const; };
using real = float;
#define HALF 0.5
#define SCALED(a) ((a) * HALF)
float damped(float x);
template <typename T> T same(T x);
#ifdef WIDE
typedef double number;
#else
typedef float number;
#endif
"""


def element(expression: str, statements: str = "") -> tuple[str, bool]:
    """Scalar type of ``expression``, and whether it is a plain number."""
    code = kernel(f"{statements} auto probe = {expression};", BEFORE)
    (spot,) = (each for each in code.bodies[0].of(Variable) if each.node.name == "probe")
    found = code.reading.elements.of(spot.node.arguments[0], spot.place)
    return found.base.value, found.is_scalar


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1.5", Base.LITERAL),
        ("1e-3", Base.LITERAL),
        ("0x1p3", Base.LITERAL),
        ("1.5f", Base.FLOAT),
        ("1.5F", Base.FLOAT),
        ("1.5f16", Base.HALF),
        ("1.5L", Base.DOUBLE),
        ("15", Base.INTEGER),
        ("0xEF", Base.INTEGER),
        ("-0xE", Base.INTEGER),
        ("1'000u", Base.INTEGER),
    ],
)
def test_a_literal_is_what_its_suffix_says(text: str, expected: Base) -> None:
    assert number(text).base is expected


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("y[0]", "float"),
        ("*y", "float"),
        ("d[n]", "double"),
        ("y[0] * 2.0", "float"),
        ("n * 2.0", "literal"),
        ("d[0] * 2.0", "double"),
        ("y[0] * n", "float"),
        ("y[0] < 2.0", "integer"),
        ("(float)d[0]", "float"),
        ("HALF", "literal"),
        ("SCALED(y[0])", "float"),
        ("damped(y[0])", "float"),
        ("same(y[0])", "other"),
        ("sycl::sqrt(y[0])", "float"),
        ("n ? y[0] : 1.0", "float"),
        ("M_PI", "literal"),
        ("missing.value", "other"),
    ],
)
def test_an_expression_has_the_type_of_its_parts(expression: str, expected: str) -> None:
    assert element(expression) == (expected, True)


@pytest.mark.parametrize(
    ("declaration", "expression", "expected"),
    [
        ("real r = y[0];", "r", "float"),
        ("auto r = y[0];", "r", "float"),
        ("auto r = 1.5;", "r", "double"),
        ("Particle p;", "p.x", "float"),
        ("Particle p[4];", "p[2].mass", "double"),
        ("Particle p;", "p.color.x()", "float"),
        ("sycl::vec<float, 4> v;", "v[1]", "float"),
        ("number r = y[0];", "r", "other"),
    ],
)
def test_a_variable_has_the_type_it_is_declared_with(declaration: str, expression: str, expected: str) -> None:
    assert element(expression, declaration) == (expected, True)


@pytest.mark.parametrize("expression", ["v", "v * 2.0", "-v"])
def test_a_vector_is_no_plain_number(expression: str) -> None:
    assert element(expression, "sycl::float4 v;") == ("float", False)


def test_a_method_of_the_project_is_not_the_function_of_that_name() -> None:
    assert element("sycl::sqrt(d[0])") == ("double", True)
    assert element("damped(1.0f)") == ("float", True)
