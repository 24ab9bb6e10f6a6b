"""Expressions as they are read: the operators' order, names, calls, casts, lists and lambdas."""

import pytest

from sycllint.cpp.expression import Expr
from sycllint.cpp.statement import Block, Declaration
from sycllint.syntax.reading import readings
from tests import written


def initializer(text: str) -> Expr:
    """The initialiser of the only variable in ``auto v = text;``."""
    unit, _ = readings(f"auto v = {text};".encode(), {})
    match unit.unit:
        case Block(statements=(Declaration(variables=(variable,)),)):
            return variable.arguments[0]
        case _:
            raise AssertionError(written.block(unit.unit))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a + b * c - d", "((a + (b * c)) - d)"),
        ("(a + b) * c", "((a + b) * c)"),
        ("a < b ? -a : !b", "((a < b) ? (-a) : (!b))"),
        ("x << 2 | y & 3", "((x << 2) | (y & 3))"),
        ("a = b += 2", "(a = (b += 2))"),
        ("++i + j--", "((++i) + (j--))"),
        ("*p + &q", None),
        ("(a, b)", "(a , b)"),
        ("~n % 8", "((~n) % 8)"),
    ],
)
def test_operators_bind_as_in_cpp(text: str, expected: str | None) -> None:
    assert written.expression(initializer(text)) == (expected or "((*p) + (&q))")


@pytest.mark.parametrize("text", ["16", "1'024u", "0x10", "1.5e3f", '"text"', "'c'", "true", "nullptr", "this"])
def test_a_literal_keeps_its_spelling(text: str) -> None:
    assert written.expression(initializer(text)) == text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("n", "n"),
        ("a::b::c", "a::b::c"),
        ("::n", "::n"),
        ("::a::B<1>::c", "::a::B<1>::c"),
        ("Config<64>::size", "Config<64>::size"),
        ("a::B<1>::C<2>::d", "a::B<1>::C<2>::d"),
        ("std::numeric_limits<int>::max()", "std::numeric_limits<int>::max()"),
        ("a < b", "(a < b)"),
    ],
)
def test_a_name_keeps_its_qualifiers_and_template_arguments(text: str, expected: str) -> None:
    assert written.expression(initializer(text)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("f(x, y)", "f(x, y)"),
        ("f<3>(y)", "f<3>(y)"),
        ("a.f<3>(y)", "a.f<3>(y)"),
        ("this->f<2 * N>(x, y, z)", "this.f<(2 * N)>(x, y, z)"),
        ("f<N + 1>(y)", "f<(N + 1)>(y)"),
        ("a.f<16>(x, (y)).wait()", "a.f<16>(x, y).wait()"),
        ("a.n < 3 > (y)", "((a.n < 3) > y)"),
        ("(a.n<3)>(y)", "((a.n < 3) > y)"),
        ("a.n<b && c>(y)", "((a.n < b) && (c > y))"),
        ("a->b.c(d)[e]", "a.b.c(d)[e]"),
        ("q[0]->template parallel_for<class K>(r, f)", "q[0].parallel_for<K>(r, f)"),
        ("sycl::range<1>{n}[0]", "sycl::range<1>{n}[0]"),
        ("sycl::range{g, l}", "sycl::range{g, l}"),
        ("sycl::range<2>(1, 2) * sycl::range<2>(3, 4)", "(sycl::range<2>(1, 2) * sycl::range<2>(3, 4))"),
        ("{{n}, {16}}", "{{n}, {16}}"),
        ("new T(1, 2)", "new T(1, 2)"),
        ("new int[n][3]", "new int[n][3]()"),
    ],
)
def test_calls_members_and_lists(text: str, expected: str) -> None:
    assert written.expression(initializer(text)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(float)x", "<float>(x)"),
        ("int(x)", "<int>(x)"),
        ("size_t(x)", "<size_t>(x)"),
        ("(unsigned int)x", "<unsigned int>(x)"),
        ("static_cast<const long>(x)", "<const long>(x)"),
        ("(Foo *)x", "<Foo*>(x)"),
    ],
)
def test_every_spelling_of_a_cast_is_a_cast(text: str, expected: str) -> None:
    assert written.expression(initializer(text)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("i < 0 || i > (n - 1)", "((i < 0) || (i > (n - 1)))"),
        ("i<0 || i>(n-1)", "((i < 0) || (i > (n - 1)))"),
        ("i < 0 || i > (n - 1) * 2 || j < 0 || j > (m)", "((((i < 0) || (i > ((n - 1) * 2))) || (j < 0)) || (j > m))"),
        ("a < b && c + 1 > (d)", "((a < b) && ((c + 1) > d))"),
        ("x < y | z > (w) && q", "(((x < y) | (z > w)) && q)"),
        ("p[i] < 0 || s.y > (n)", "((p[i] < 0) || (s.y > n))"),
        ("run<even && causal>(p, q)", "run<(even && causal)>(p, q)"),
        ("run<even || causal>(p)", "run<(even || causal)>(p)"),
        ("run<N == 1>(p)", "run<(N == 1)>(p)"),
    ],
)
def test_two_comparisons_are_no_call_of_a_template(text: str, expected: str) -> None:
    assert written.expression(initializer(text)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("not a and b or c", "(((!a) && b) || c)"),
        ("a bitand b xor c bitor compl d", "(((a & b) ^ c) | (~d))"),
        ("(a) not_eq b and (c) or d + 1 < e", "(((a != b) && c) || ((d + 1) < e))"),
        ("a xor_eq b", "(a ^= b)"),
    ],
)
def test_operators_that_are_words_are_their_symbols(text: str, expected: str) -> None:
    assert written.expression(initializer(text)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(z+1)*(h)*(w)+(y+1)*(w)+(x+1)", "(((((z + 1) * h) * w) + ((y + 1) * w)) + (x + 1))"),
        ("(i) + n * (j) + m * (k) + l", "(((i + (n * j)) + (m * k)) + l)"),
        ("n / (a) * (b) - (c)", "(((n / a) * b) - c)"),
        ("(y1)*(z2) - (z1)*(y2)", "((y1 * z2) - (z1 * y2))"),
        ("(a)*(b)+(c)+1", "(((a * b) + c) + 1)"),
        ("(v)>=(low) && (v)<=(high)", "((v >= low) && (v <= high))"),
        ("-(p)+(q)-(n)*(m)", "(((-p) + q) - (n * m))"),
        ("(double)(r) + ((double)(i))", "(<double>(r) + <double>(i))"),
        ("(active) && i * 2 < n", "(active && ((i * 2) < n))"),
        ("(f(b, a)) && i * n", "(f(b, a) && (i * n))"),
        ("x*(b*(c))*(d)", "((x * (b * c)) * d)"),
        ("(n) / (m)+(e)+(a && (c)) && (k)", "((((n / m) + e) + (a && c)) && k)"),
        ("(b) & (m) + (a) << (s)", "(b & ((m + a) << s))"),
    ],
)
def test_operations_of_names_in_parentheses_are_no_casts(text: str, expected: str) -> None:
    assert written.expression(initializer(text)) == expected


def test_a_bit_cast_is_no_cast_because_it_keeps_bits_and_not_the_value() -> None:
    assert written.expression(initializer("std::bit_cast<int>(1.0f)")) == "std::bit_cast<int>(1.0f)"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("sizeof(float)", "sizeof(float)"),
        ("sizeof x", "sizeof(x)"),
        ("sizeof(float[4])", "sizeof(float[4])"),
        ("alignof(double)", "alignof(double)"),
        ("sizeof...(Ts)", "sizeof...(Ts)"),
    ],
)
def test_sizes(text: str, expected: str) -> None:
    assert written.expression(initializer(text)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[=](sycl::nd_item<1> it) { f(it); }", "[=](sycl::nd_item<1> it) { f(it); }"),
        ("[&] { return 1; }", "[&]() { return 1; }"),
        ("[a=da, b=db](sycl::id<1> i, auto& sum) {}", "[a = da, b = db](sycl::id<1> i, auto& sum) {}"),
        ("[=, &x, &y = z, this]() mutable {}", "[=, &x, &y = z, this]() {}"),
        ("[=\n](int i) {}", "[=](int i) {}"),
        ("[]<typename T>(T x) {}", "[]<typename T>(T x) {}"),
        ("[](auto... xs) -> int { return 1; }", "[](auto xs) { return 1; }"),
    ],
)
def test_lambdas(text: str, expected: str) -> None:
    assert written.expression(initializer(text)) == expected


@pytest.mark.parametrize(
    "attribute",
    [
        "[[sycl::reqd_sub_group_size(16)]]",
        "[\n    [sycl::reqd_sub_group_size(16)]]",
        "__attribute__((sycl::reqd_sub_group_size(16)))",
        "mutable [[sycl::reqd_sub_group_size(16)]]",
        "noexcept [[sycl::reqd_sub_group_size(16)]]",
        "[[sycl::reqd_sub_group_size(16)]] -> void",
    ],
)
def test_a_lambda_has_the_attribute_after_its_parameters(attribute: str) -> None:
    text = written.expression(initializer(f"[=](sycl::nd_item<1> it) {attribute} {{}}"))
    assert text == "[=](sycl::nd_item<1> it) [[sycl::reqd_sub_group_size(16)]] {}"


def test_stacked_attributes_and_lists_of_them_are_all_kept() -> None:
    text = written.expression(initializer("[=](int i) [[intel::a(1), sycl::b(2, 3)]] [[c]] {}"))
    assert text == "[=](int i) [[intel::a(1)]] [[sycl::b(2, 3)]] [[c()]] {}"


def test_what_is_not_ours_is_opaque_with_its_parts() -> None:
    assert written.expression(initializer("(xs + ...)")) == "⟨fold_expression: xs⟩"


def test_a_long_initialiser_list_is_cut_after_256_elements() -> None:
    table = initializer("{" + ", ".join(map(str, range(300))) + "}")
    assert written.expression(table).endswith("254, 255, ⟨more elements: ⟩}")


def test_a_list_of_256_elements_is_whole() -> None:
    assert written.expression(initializer("{" + ", ".join(map(str, range(256))) + "}")).endswith("254, 255}")
