"""Declarations as they are read: variables, functions, templates, classes, attributes, macros."""

import pytest

from sycllint.facts.collect import file_facts
from sycllint.syntax.reading import readings
from tests import written


def read(text: str) -> str:
    """The plain reading of ``text``, as text."""
    return written.block(readings(text.encode(), {})[0].unit)


def inside(text: str) -> str:
    """What ``text`` is inside a function."""
    return read(f"void f() {{ {text} }}").removeprefix("void f() { ").removesuffix(" }")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("int a;", "int a;"),
        ("int a = 1, b(2), c{3};", "int a = 1, int b(2), int c{3};"),
        ("int *a, b, &c = d;", "int* a, int b, int& c = d;"),
        ("const unsigned int n = 4;", "const unsigned int n = 4;"),
        ("static constexpr std::size_t N = 4;", "constexpr static const std::size_t N = 4;"),
        ("extern volatile int e;", "extern volatile int e;"),
        ("float t[2][N];", "float[2][N] t;"),
        ("int t[] = {1, 2};", "int[] t = {1, 2};"),
        ("typedef float Row[4], (*Rows)[4];", "using Row = float[4]; using Rows = float*[4];"),
        ("auto [a, b] = f();", "auto a [= f()], auto b [= f()];"),
        ("sycl::nd_range<1> r{{n}, {16}};", "sycl::nd_range<1> r{{n}, {16}};"),
        ("int /* why */ a /* so */ = /* this */ 1;", "int a = 1;"),
        ("struct P { int x; } p;", "struct P { int x; }; P p;"),
    ],
)
def test_variables(text: str, expected: str) -> None:
    assert read(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("sycl::range<1> lws (N);", "sycl::range<1> lws(N);"),
        ("range<2> gws(n * 2, m);", "range<2> gws((n * 2), m);"),
        ("range<1> gws(a * b);", "range<1> gws((a * b));"),
        ("range<1> gws(a & b);", "range<1> gws((a & b));"),
        ("range<1> gws(sizes[3]);", "range<1> gws(sizes[3]);"),
        ("range<1> gws(n * sizes[3]);", "range<1> gws((n * sizes[3]));"),
        ("range<1> gws(n * f(m));", "range<1> gws((n * f(m)));"),
        ("range<1> gws(n * sizeof(T));", "range<1> gws((n * sizeof(T)));"),
        ("range<1> gws(n * (b * c));", "range<1> gws((n * (b * c)));"),
        ("range<1> gws(ceil_div(n, 16));", "range<1> gws(ceil_div(n, 16));"),
        ("range<1> gws(size_t(n));", "range<1> gws(<size_t>(n));"),
        ("range<1> gws((n + 1) / 2 * 2);", "range<1> gws((((n + 1) / 2) * 2));"),
        ("nd_range<1> r(range<1>(g), range<1>(l));", "nd_range<1> r(range<1>(g), range<1>(l));"),
        ("sycl::local_accessor<float, 1> tile(lws, h);", "sycl::local_accessor<float, 1> tile(lws, h);"),
        ("sycl::local_accessor<float[18][18], 0> tile (h);", "sycl::local_accessor<float[18][18], 0> tile(h);"),
        ("Foo a(b::c);", "Foo a(b::c);"),
    ],
)
def test_a_variable_that_looks_like_a_function_is_a_variable(text: str, expected: str) -> None:
    assert inside(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "int f(int);",
        "Foo f();",
        "Foo f(int a);",
        "Foo f(Bar b);",
        "void f(Foo);",
        "Foo f(const Bar);",
        "Foo f(Bar, int);",
    ],
)
def test_a_prototype_in_a_function_is_no_variable(text: str) -> None:
    assert inside(text) == text


@pytest.mark.parametrize(
    "text",
    ["Foo make(Bar);", "namespace n { Foo make(Bar, Baz); }", "struct S { S(Bar); Foo make(Bar); };"],
)
def test_a_prototype_outside_functions_is_no_variable(text: str) -> None:
    assert read(text) == text


@pytest.mark.parametrize(
    "text",
    ["void (*hook)(int);", "struct S { void (*hook)(int); };", "struct S { void (*hooks[4])(); };"],
)
def test_a_pointer_to_a_function_is_a_variable(text: str) -> None:
    facts = file_facts("hooks.cpp", text.encode(), {})
    assert not facts.functions
    assert len(facts.variables) == 1


def test_what_gives_a_pointer_to_a_function_is_a_function() -> None:
    facts = file_facts("hooks.cpp", b"void (*hook(int which))(int);", {})
    assert list(facts.functions) == ["hook"]


def test_a_range_outside_functions_is_a_variable() -> None:
    assert read("const range<1> lws (N);") == "const range<1> lws(N);"


def test_a_member_function_that_returns_a_range_is_a_function() -> None:
    assert read("struct S { sycl::range<1> size(Bar); };") == "struct S { sycl::range<1> size(Bar); };"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("int f(int a, const float *b = nullptr, ...);", "int f(int a, const float* b = nullptr, ...);"),
        ("auto f() -> int { return 1; }", "int f() { return 1; }"),
        ("void A::f(int x) const {}", "void A::f(int x) {}"),
        ("void A<1>::f() {}", "void A::f() {}"),
        ("static inline int *f() { return p; }", "static int* f() { return p; }"),
        ("void f(sycl::property_list l = {}) {}", "void f(sycl::property_list l = {}) {}"),
        ("SYCL_EXTERNAL __forceinline__ void f(float *__restrict__ p) {}", "void f(float* p) {}"),
        ("S::S(int n) : a(n), b{n, 1} { f(); }", "S::S(int n) : a(n), b(n, 1) { f(); }"),
        ("void f() try { g(); } catch (...) {}", "void f() { g(); }"),
    ],
)
def test_functions(text: str, expected: str) -> None:
    assert read(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("template <int N> void f() {}", "template <int N> void f() {}"),
        (
            "template <typename T = float, int N = 4> struct S {};",
            "template <typename T = float, int N = 4> struct S {};",
        ),
        ("template <class... Ts> void f(Ts... ts) {}", "template <typename... Ts> void f(Ts ts) {}"),
        ("template <int... Ns> class S {};", "template <int... Ns> class S {};"),
        ("template <class T, int N = 8> class S;", "template <typename T, int N = 8> class S;"),
        ("template <class... Ts> struct S;", "template <typename... Ts> struct S;"),
        ("template <> class S<2>;", ""),
        ("class S;", ""),
        ("template <typename T> requires C<T> void f(T t) {}", "template <typename T> void f(T t) {}"),
        ("template <> struct S<4> { };", "struct S<4> {};"),
        ("template <class T> using V = X<T>;", "template <typename T> using V = X<T>;"),
        ("template void f<4>(int);", "template f<4>;"),
        ("template class S<2>;", "template S<2>;"),
    ],
)
def test_templates(text: str, expected: str) -> None:
    assert read(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("struct S : B<4>, public n::C { int a; };", "struct S : B<4>, n::C { int a; };"),
        ("class S { int a = 1, b{2}, c; };", "class S { int a = 1, int b{2}, int c; };"),
        (
            "struct S { static const int N = 8, M = 4; };",
            "struct S { static const int N = 8, static const int M = 4; };",
        ),
        ("struct S { void operator()(int x) const {} };", "struct S { void operator()(int x) {} };"),
        ("struct S { void operator () (int x) const {} };", "struct S { void operator()(int x) {} };"),
        ("struct S { S operator + (S x) const {} };", "struct S { S operator+(S x) {} };"),
        ("enum { A, B = 2 };", "enum  { A = ∅, B = 2 };"),
        ("enum class E : unsigned { C };", "enum class E : unsigned { C = ∅ };"),
        ("typedef struct { int x; } P;", "struct P { int x; };"),
        ("typedef unsigned int uint, *pointer;", "using uint = unsigned int; using pointer = unsigned int*;"),
        ("using V = sycl::vec<float, 4>;", "using V = sycl::vec<float, 4>;"),
        ("using namespace sycl;", "using namespace sycl;"),
        ("using std::min;", "using std::min;"),
        ("namespace s = cl::sycl;", "namespace s = cl::sycl;"),
        ("namespace a::b { int x; }", "namespace a { namespace b { int x; } }"),
        ("namespace a::inline b { int x; }", "namespace a { inline namespace b { int x; } }"),
        ("inline namespace v1 { int x; }", "inline namespace v1 { int x; }"),
        ("struct A { friend void f(A a) {} };", "struct A { friend void f(A a) {} };"),
        ('extern "C" { int z; }', "namespace extern { int z; }"),
        ('extern "C" int z;', "namespace extern { int z; }"),
    ],
)
def test_classes_enumerations_aliases_and_namespaces(text: str, expected: str) -> None:
    assert read(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "[[sycl::x(4)]] void f() {}",
        "void f() [[sycl::x(4)]] {}",
        "__attribute__((sycl::x(4))) void f() {}",
    ],
)
def test_a_function_has_the_attribute_in_front_and_behind(text: str) -> None:
    assert read(text) == "[[sycl::x(4)]] void f() {}"


@pytest.mark.parametrize(
    "text", ["[[sycl::x(4)]] void operator()() const {}", "void operator()() const [[sycl::x(4)]] {}"]
)
def test_a_call_operator_has_the_attribute_in_front_and_behind(text: str) -> None:
    assert read(f"struct S {{ {text} }};") == "struct S { [[sycl::x(4)]] void operator()() {} };"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("#define N 16", "#define N 16"),
        ("#define N (M * 2) // twice", "#define N (M * 2)"),
        ("#define N 1 + \\\n  2", "#define N (1 + 2)"),
        ("#define N 1 + \\\r\n  2", "#define N (1 + 2)"),
        ("#define F(a, b) ((a) + (b))", "#define F(a, b) (a + b)"),
        ("#define E", "#define E ‹›"),
        ("#define L(q) q.single_task(f);", "#define L(q) { q.single_task(f); }"),
        ("#define L(q) { q.single_task(f); }", "#define L(q) { { q.single_task(f); } }"),
        ("#define L(q) do { q.single_task(f); } while (0)", "#define L(q) { do (0; ∅) { q.single_task(f); } }"),
        ("#define S(x) #x", "#define S(x) ‹#x›"),
        ("#undef N", "#undef N"),
    ],
)
def test_macros_are_expressions_else_statements_else_text(text: str, expected: str) -> None:
    assert read(text + "\n") == expected
