"""Sizes that conditions on template arguments choose, and constants that macros declare around their arguments."""

import pytest

from tests.launch.test_class_templates import sizes

CALLED = "template <class T> void go(@PARAMETERS, T *) { constexpr int B = size<T>(); @LAUNCH }"
BOTH = "float *y = nullptr; double *z = nullptr; go(@ARGUMENTS, y); go(@ARGUMENTS, z);"


@pytest.mark.parametrize(
    ("condition", "found"),
    [
        ("sizeof(T) <= 4", ["256", "128"]),
        ("std::is_same_v<T, float>", ["256", "128"]),
        ("!std::is_same_v<T, double>", ["256", "128"]),
        ("std::is_same<T, float>::value", ["256", "128"]),
        ("std::is_floating_point_v<T>", ["256", "256"]),
        ("std::is_integral_v<T>", ["128", "128"]),
        ("std::is_arithmetic<T>::value && sizeof(T) == 4", ["256", "128"]),
        ("std::is_same_v<T, const float>", ["128", "128"]),
        ("std::is_same_v<T, float *>", ["128", "128"]),
        ("std::is_same_v<T, other::number>", ["?"]),
        ("std::is_same_v<std::conditional_t<(sizeof(T) > 4), int, sycl::half>, sycl::half>", ["256", "128"]),
        ("std::is_same_v<typename other::Of<T>::type, sycl::half>", ["?"]),
        ("other::is_small_v<T>", ["?"]),
    ],
)
@pytest.mark.parametrize(
    "body",
    [
        "if constexpr (@) return 256; else return 128;",
        "if constexpr (@) { return 256; } return 128;",
        "return @ ? 256 : 128;",
        "if (!(@)) return 128; return 256;",
    ],
)
def test_what_is_returned_is_what_the_instance_returns(condition: str, body: str, found: list[str]) -> None:
    helper = f"template <class T> constexpr int size() {{ {body.replace('@', condition)} }}"
    seen = sizes(helper + CALLED, BOTH)
    if found == ["?"]:
        assert set(seen) <= {"?", "128 | 256"}
    else:
        assert seen == found or (seen == found[:1] and len(set(found)) == 1)


RUN = "template <int B> void run(@PARAMETERS) { @LAUNCH }"
PAIRS = (
    "#define PAIRS(F) if (k) { constexpr int A = 1; constexpr int C = 64; F(); } "
    "else { constexpr int A = 2; constexpr int C = 32; F(); }"
)
CASES = "case 32: { constexpr int S = 32; return F(); } default: { const int S = 64; return F(); }"


@pytest.mark.parametrize(
    ("macro", "use", "found"),
    [
        ("#define DISPATCH(n, S, body) if (n) { constexpr int S = 64; body } else { constexpr int S = 8; body }",
         "DISPATCH(k, W, { run<W>(@ARGUMENTS); });", ["8 | 64"]),
        ("#define BOTH(S, ...) do { { const int S = 64; __VA_ARGS__ } { const int S = 8; __VA_ARGS__ } } while (0)",
         "BOTH(W, run<W>(@ARGUMENTS););", ["8 | 64"]),
        (f"#define DISPATCH(n, S, F) [&] {{ switch (n) {{ {CASES} }} }}()",
         "DISPATCH(k, W, [&] { run<W>(@ARGUMENTS); });", ["32 | 64"]),
        (f"#define DISPATCH(n, F) [&] {{ switch (n) {{ {CASES} }} }}()", "DISPATCH(k, [&] { run<S>(@ARGUMENTS); });",
         ["32 | 64"]),
        (f"#define DISPATCH(n, S, F) [&] {{ switch (n) {{ {CASES} }} }}()",
         "DISPATCH(k, W, [&] { constexpr int W = 8; run<W>(@ARGUMENTS); });", ["8"]),
        (f"#define DISPATCH(n, S, F) [&] {{ switch (n) {{ {CASES} }} }}()",
         "constexpr int S = 16; DISPATCH(k, W, [&] { run<S>(@ARGUMENTS); });", ["16"]),
        ("#define WITH(S, ...) { constexpr int S = 128; __VA_ARGS__; }", "WITH(W, run<W>(@ARGUMENTS));", ["128"]),
        ("#define WITH(S, ...) { int S = choose(); __VA_ARGS__; }", "WITH(W, run<W>(@ARGUMENTS));", ["?"]),
        (PAIRS, "PAIRS([&] { run<A * C>(@ARGUMENTS); })", ["?"]),
    ],
)  # fmt: skip
def test_a_constant_that_a_macro_declares_is_known_in_its_arguments(macro: str, use: str, found: list[str]) -> None:
    assert sizes(f"{RUN}\n{macro}\n", use) == found


@pytest.mark.parametrize(
    "body",
    [
        "if constexpr (N <= 64) return 8; else return 4;",
        "if (N > 64) { return 4; } return 8;",
        "return N > 64 ? 4 : 8;",
    ],
)
@pytest.mark.parametrize(
    "called",
    ["size<n>()", "size<n()>()", "size<decltype(n)::value>()", "size<n.value>()"],
)
def test_the_parameter_of_a_generic_lambda_is_what_it_is_called_with(body: str, called: str) -> None:
    helper = f"template <int N> constexpr int size() {{ {body} }}"
    choose = "template <class F> void choose(int k, F &&f) { if (k) f(number<64>{}); else f(number<128>{}); }"
    number = "template <int N> using number = std::integral_constant<int, N>;"
    lambda_ = f"choose(k, [&](auto n) {{ constexpr int B = {called}; @LAUNCH }});"
    assert sizes(f"{number} {helper} {choose}", lambda_) == ["8", "4"]
