"""C++ integer arithmetic as tables: ISO C++20 [lex.icon], [conv.prom], [expr.arith.conv], [expr.mul], [expr.shift]."""

import pytest

from sycllint.source.span import Location, Span
from sycllint.values.arithmetic import (
    BOOL,
    CHAR,
    INT,
    LONG,
    UINT,
    ULONG,
    IntegerType,
    Precision,
    Real,
    Scalar,
    binary,
    common,
    convert,
    join,
    literal,
    promoted,
    unary,
)
from sycllint.values.value import Known, OneOf, Step, Unknown, Value
from tests.values.program import number, of, spelled

UCHAR = IntegerType(8, False)
SHORT = IntegerType(16, True)


def value(result: Scalar | Real) -> Value:
    assert isinstance(result, Scalar)
    return result.value


@pytest.mark.parametrize(
    ("text", "expected", "kind"),
    [
        ("0", 0, INT),
        ("017", 15, INT),
        ("0x1F", 31, INT),
        ("0B101", 5, INT),
        ("1'000'000", 1_000_000, INT),
        ("42u", 42, UINT),
        ("42L", 42, LONG),
        ("42ul", 42, ULONG),
        ("42LLU", 42, ULONG),
        ("42uz", 42, ULONG),
        ("2147483647", 2147483647, INT),
        ("2147483648", 2147483648, LONG),
        ("0x7fffffff", 2147483647, INT),
        ("0x80000000", 2147483648, UINT),
        ("0xffffffff", 4294967295, UINT),
        ("0x100000000", 4294967296, LONG),
        ("4294967295u", 4294967295, UINT),
        ("4294967296u", 4294967296, ULONG),
        ("0xffffffffffffffff", 18446744073709551615, ULONG),
        ("037777777777", 4294967295, UINT),
    ],
)
def test_the_type_of_a_literal_is_the_first_that_holds_it(text: str, expected: int, kind: IntegerType) -> None:
    assert literal(text) == Scalar(Known(expected), kind)


@pytest.mark.parametrize("text", ["18446744073709551616", "0x10000000000000000"])
def test_a_literal_beyond_64_bits_is_no_number(text: str) -> None:
    assert isinstance(value(literal(text)), Unknown)


@pytest.mark.parametrize(
    ("text", "expected"), [("1.5", 1.5), (".5", 0.5), ("1e3", 1000.0), ("1'000.0L", 1000.0), ("0x1p4", 16.0)]
)
def test_floating_literals(text: str, expected: float) -> None:
    assert literal(text) == Real(expected)


@pytest.mark.parametrize(
    ("text", "expected"), [("1.5f", 1.5), ("0.1f", 0.10000000149011612), ("16777217.f", 16777216.0), ("0x1p4f", 16.0)]
)
def test_a_float_has_the_digits_of_a_float(text: str, expected: float) -> None:
    assert literal(text) == Real(expected, precision=Precision.SINGLE)


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        (BOOL, CHAR, INT),
        (UCHAR, SHORT, INT),
        (INT, UINT, UINT),
        (UINT, LONG, LONG),
        (LONG, ULONG, ULONG),
        (INT, ULONG, ULONG),
        (SHORT, LONG, LONG),
    ],
)
def test_the_common_type_of_two_operands(left: IntegerType, right: IntegerType, expected: IntegerType) -> None:
    assert common(left, right) == common(right, left) == expected


def test_narrow_types_promote_to_int() -> None:
    assert [promoted(kind) for kind in (BOOL, CHAR, UCHAR, SHORT, INT, UINT, LONG)] == [INT] * 5 + [UINT, LONG]


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("7 / 2", 3),
        ("-7 / 2", -3),
        ("7 / -2", -3),
        ("-7 / -2", 3),
        ("7 % 3", 1),
        ("-7 % 3", -1),
        ("7 % -3", 1),
        ("1 << 4", 16),
        ("-16 >> 2", -4),
        ("0xf0 & 0x3c", 0x30),
        ("0xf0 | 0x0f", 0xFF),
        ("5 ^ 3", 6),
        ("~0", -1),
        ("-(-4)", 4),
        ("+'a'", 97),
        ("!5", 0),
        ("!!5", 1),
        ("not 0", 1),
        ("2 + 3 * 4", 14),
        ("10 - 4 - 3", 3),
        ("100 / 10 / 5", 2),
        ("1 + 2 << 3", 24),
        ("6 & 3 == 3", 0),
        ("1 ? 2 : 3", 2),
        ("0 ? 2 : 0 ? 3 : 4", 4),
        ("(1, 2, 3)", 3),
        ("3 < 4", 1),
        ("4 <= 3", 0),
        ("1 && 0 || 1", 1),
        ("sizeof(int) * 3", 12),
        ("true + true", 2),
    ],
)
def test_operators(expression: str, expected: int) -> None:
    assert number(expression) == expected


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("0u - 1", 4294967295),
        ("3u - 5 > 0", 1),
        ("-1 < 1u", 0),
        ("-1 < 1", 1),
        ("-1L < 1u", 1),
        ("-1L < 1ul", 0),
        ("-1 == 4294967295u", 1),
        ("4294967295u + 1", 0),
        ("4294967295u * 2", 4294967294),
        ("2147483648u << 1", 0),
        ("~0u", 4294967295),
        ("-1 / 2u", 2147483647),
        ("-1 >> 31", -1),
        ("4294967295u >> 31", 1),
        ("(unsigned char)255 + 1", 256),
        ("(unsigned char)(255 + 1)", 0),
        ("(signed char)200", -56),
        ("(unsigned short)-1", 65535),
        ("(unsigned)-1 == 0xffffffff", 1),
        ("(bool)256 + 1", 2),
        ("~(unsigned char)0", -1),
        ("(long)2147483647 + 1", 2147483648),
        ("(int)4294967297L", 1),
        ("(int)2.9 + (int)-2.9", 0),
        ("1 / 2 * 2.0 == 0", 1),
        ("1 / 2.0 * 2 == 1", 1),
    ],
)
def test_promotion_conversion_and_unsigned_wrapping(expression: str, expected: int) -> None:
    assert number(expression) == expected


@pytest.mark.parametrize(
    "expression",
    [
        "2147483647 + 1",
        "-2147483647 - 2",
        "65536 * 65536",
        "-(-2147483647 - 1)",
        "(-2147483647 - 1) / -1",
        "9223372036854775807 + 1",
        "1 / 0",
        "1 % 0",
        "1u / 0",
        "1 << 32",
        "1u << 32",
        "1 >> 40",
        "1 << -1",
        "(int)1e10",
        "1.0 / 0 > 0 ? 1 : 2",
    ],
)
def test_what_the_language_leaves_undefined_is_no_number(expression: str) -> None:
    assert number(expression) is None


@pytest.mark.parametrize("operator", ["+", "-", "*", "/", "%", "<<", ">>", "&", "|", "^", "<", "=="])
def test_an_unknown_operand_makes_the_result_unknown(operator: str) -> None:
    unknown = Scalar(Unknown("read from a file"), INT)
    three = Scalar(Known(3), INT)
    assert value(binary(operator, unknown, three)) == value(binary(operator, three, unknown)) == unknown.value


def test_the_branches_of_a_conditional_have_one_type() -> None:
    assert number("(0 ? 7u : -7) <= 65535") == 0


def test_one_side_can_decide_a_logical_operator() -> None:
    assert number("n > 5 && 0") == 0
    assert number("n > 5 || 1") == 1
    assert number("n > 5 && 1") is None
    assert number("n > 5 || 0") is None


def test_every_combination_of_possible_values_is_a_result() -> None:
    assert spelled(of("(n > 0 ? 2 : 3) * (m > 0 ? 5 : 7)")) == "10 | 14 | 15 | 21"


def test_alternatives_that_agree_are_one_number() -> None:
    assert number("n > 0 ? 4 : 2 * 2") == 4


def test_a_possible_value_that_is_undefined_makes_the_whole_unknown() -> None:
    assert spelled(of("8 / (n > 0 ? 2 : 0)")) == "unknown"


def test_more_than_64_possible_values_are_not_listed() -> None:
    assert spelled(of("(n ? 1 : 2) + (n ? 0 : 4) + (n ? 0 : 8) + (n ? 0 : 16) + (n ? 0 : 32) + (n ? 0 : 64)")) != "1"
    assert isinstance(join([Known(each) for each in range(65)]), Unknown)


def test_one_known_value_among_others_that_are_not_is_unknown() -> None:
    assert isinstance(join([Known(4)], is_open=True), Unknown)
    assert isinstance(join([Known(4), Unknown("read from argv")]), Unknown)


def test_joined_values_are_distinct_and_ascending() -> None:
    assert join([Known(8), Known(2), Known(8)]) == OneOf((Known(2), Known(8)))


def test_a_result_remembers_the_names_of_both_operands() -> None:
    here, there = Location("a.cpp", Span(1, 2)), Location("a.cpp", Span(5, 6))
    left = Scalar(Known(3, (Step("N", 3, here),)), INT)
    right = Scalar(Known(4, (Step("M", 4, there),)), INT)
    result = value(binary("*", left, right))
    assert isinstance(result, Known)
    assert [step.message for step in result.because] == ["N is 3 here", "M is 4 here"]


def test_conversion_keeps_the_names() -> None:
    step = Step("N", 300, Location("a.cpp", Span(1, 2)))
    assert convert(Scalar(Known(300, (step,)), INT), UCHAR) == Scalar(Known(44, (step,)), UCHAR)


def test_minus_of_a_literal_is_part_of_it_or_not_alike() -> None:
    assert literal("-5") == unary("-", literal("5")) == Scalar(Known(-5), INT)
    assert value(literal("-2147483648")) == Known(-2147483648)
