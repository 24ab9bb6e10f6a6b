"""Rewrites before parsing: they keep every offset."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sycllint.syntax.normalize import attribute_macros, decorations_blanked

CODE = st.lists(
    st.binary(max_size=4)
    | st.sampled_from([b"#if A\n", b"#ifdef B\n", b"#elif D\n", b"#else\n", b"#endif\n", b"# endif // C\n", b"#if 0\n"])
    | st.sampled_from([b"#if A \\\n  && B\r\n", b"\n", b"\r\n", b"\\", b"{", b"}", b"#", b"x = 1;\n", b"f(y);"])
    | st.sampled_from([b"__restrict__ ", b"SYCL_EXTERNAL ", b"= {},", b"= { }\n)", b"[\n [sycl::a]]", b"[ [ [gnu::b]]"])
    | st.sampled_from([b'TEST_CASE("a", ', b'"b\\"") {', b"\nTEST_CASE(", b'"', b"(int))"])
).map(b"".join)


def line_ends(text: bytes) -> list[int]:
    return [position for position, byte in enumerate(text) if byte in b"\r\n"]


@given(CODE)
def test_normalising_keeps_length_and_the_number_of_lines(text: bytes) -> None:
    blanked = decorations_blanked(text)
    assert len(blanked) == len(text)
    assert blanked.count(b"\n") == text.count(b"\n")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (b"SYCL_EXTERNAL void f();", b"              void f();"),
        (b"float *__restrict__ p", b"float *             p"),
        (b"__restrict__x", b"__restrict__x"),
        (b"[ [sycl::a]]", b" [[sycl::a]]"),
        (b"[ [=] {} ]", b"[ [=] {} ]"),
        (b'TEST_CASE("a (b)", "[c]") {', b"TEST_CASE(              ) {"),
        (
            b'TEMPLATE_TEST_CASE_SIG("a", "", ((int N), N),\n 1) {',
            b"TEMPLATE_TEST_CASE_SIG(                      \n  ) {",
        ),
        (b'TEST_CASE_METHOD(Device, "a")\n{', b"TEST_CASE_METHOD(           )\n{"),
        (b'TEST_CASE("a");', b'TEST_CASE("a");'),
        (b"f(T a = {}, T b = { })", b"f(T a = __, T b = __ )"),
        (b"T a = {};", b"T a = {};"),
        (b"p = new float *[n];", b"p = new float  [n];"),
        (b"p = new const std::vector<int> **[n]();", b"p = new       std::vector<int>   [n]();"),
        (b"p = new (std::nothrow) unsigned char *;", b"p = new (std::nothrow) unsigned char  ;"),
        (b"p = new_size * (n);", b"p = new_size * (n);"),
        (b"#define N /* a */ 16 /* b */", b"#define N         16        "),
        (b"# define F(a) \\\r\n /* \\\r\n */ a", b"# define F(a) \\\r\n    \\\r\n    a"),
        (b'#define S "/* a */"', b'#define S "/* a */"'),
        (b"#define N 16 /* a\nb */", b"#define N 16 /* a\nb */"),
        (b"int n /* a */;", b"int n /* a */;"),
        (b"enum : std::uint32_t { N = 8 };", b"enum                 { N = 8 };"),
        (b"enum E : int { N = 8 };", b"enum E : int { N = 8 };"),
    ],
)
def test_what_the_grammar_stumbles_over_is_blanked(text: bytes, expected: bytes) -> None:
    assert decorations_blanked(text) == expected


@pytest.mark.parametrize(
    ("text", "macros"),
    [
        (b"[=](int i) WIDE {}", {16: [b"WIDE"]}),
        (b"[=](int i) WIDE(2 * (a)) TALL {}", {30: [b"WIDE(2 * (a))", b"TALL"]}),
        (b"[=](int i = f(1)) mutable WIDE -> int {}", {38: [b"WIDE"]}),
        (b"[=](int i) WIDE \\\n {}", {19: [b"WIDE"]}),
        (b"struct K { WIDE(3) void operator()(int i) {} };", {24: [b"WIDE(3)"]}),
        (b"struct K { void operator ()(int i) const WIDE {} };", {46: [b"WIDE"]}),
        (b"[=] WIDE (int i) noexcept {}", {26: [b"WIDE"]}),
        (b"[&] WIDE () -> int\n{}", {19: [b"WIDE"]}),
        (b"[=] WIDE(32) TALL (int i) mutable {}", {34: [b"WIDE(32)", b"TALL"]}),
        (b"[=] [[wide]] TALL (int i) {}", {26: [b"[[wide]]", b"TALL"]}),
        (b"if (a[i] AND (x)) {}", {}),
        (b"a[i] PLUS (x); {}", {}),
        (b"else if (x) FOR_EACH(y) {}", {}),
        (b"for (;;) LOOP {}", {}),
        (b"CHECK(x) THEN {}", {}),
        (b"[=](int i) wide {}", {}),
        (b"#define WIDE void operator()(int i)", {}),
        (b"if (a[i] (x)) WIDE(3); {}", {}),
    ],
)
def test_macros_are_attributes_only_at_the_head_of_a_body(text: bytes, macros: dict[int, list[bytes]]) -> None:
    blanked, found = attribute_macros(text)
    assert {at: [each.text for each in applied] for at, applied in found.items()} == macros
    assert len(blanked) == len(text)
    assert not any(macro in blanked for applied in macros.values() for macro in applied)


@given(
    CODE
    | st.binary(max_size=60)
    | st.from_regex(rb"(\](\(x*\) ?){0,3}[A-Z]{0,4}(\([a-z]*\))? ?\{? ?){1,4}", fullmatch=True)
)
def test_taking_attribute_macros_out_keeps_length_and_line_ends(text: bytes) -> None:
    blanked, _ = attribute_macros(text)
    assert (len(blanked), line_ends(blanked)) == (len(text), line_ends(text))


@pytest.mark.parametrize("row", ["{1, 2}", "{0x1p3, {4, 5}}", "{-1.5e+3f, 7}"])
def test_a_table_of_numbers_is_a_list_of_which_nothing_is_known(row: str) -> None:
    text = f"int table[] = {{\n{', '.join([row] * 60)}\n}}; int after = 1;".encode()
    blanked = decorations_blanked(text)
    assert len(blanked) == len(text)
    assert blanked.split() == b"int table[] = { __numbers__... }; int after = 1;".split()


@pytest.mark.parametrize("row", ["{1, width}", "{f(1), 2}", "{a, b}"])
def test_a_table_with_names_in_it_is_kept(row: str) -> None:
    text = f"int table[] = {{{', '.join([row] * 60)}}};".encode()
    assert decorations_blanked(text) == text


def test_a_short_list_of_numbers_is_kept() -> None:
    text = b"int sizes[] = {64, 128, 256, 512};"
    assert decorations_blanked(text) == text


@pytest.mark.parametrize(
    ("text", "read"),
    [
        (b"scale<<<1, n>>>(x);", b"scale          (x);"),
        (b"scale<float> <<<dim3{1, 2}, n >> 1, 0, s>>> (x);", b"scale<float>                                (x);"),
        (b"#define RUN(n) \\\n  scale<<<1, \\\n  n>>>(x)", b"#define RUN(n) \\\n  scale      \\\n      (x)"),
        (b"cout << 1 << n >> (x);", b"cout << 1 << n >> (x);"),
        (b"<<<<<<< ours\nx;\n>>>>>>> theirs (y)", b"<<<<<<< ours\nx;\n>>>>>>> theirs (y)"),
    ],
)
def test_the_size_of_a_launch_by_cuda_is_no_comparison(text: bytes, read: bytes) -> None:
    assert decorations_blanked(text) == read
