"""Files that the grammar cannot parse: macros without a visible definition, and gaps of the grammar."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sycllint.cpp.node import walk
from sycllint.cpp.statement import Loop
from sycllint.facts.collect import file_facts
from sycllint.syntax.recovery import recovered, undecorated
from tests.launch.snippet import extents, launches


def sound(text: str) -> list[str]:
    """The functions of a file whose bodies were read without an error."""
    functions = file_facts("a.cpp", text.encode(), {}).functions
    return sorted(
        name
        for name, found in functions.items()
        if any(each.node.body is not None and not each.node.damaged for each in found)
    )


@pytest.mark.parametrize(
    "head",
    [
        "PROJECT_INLINE void f(int a)",
        "PROJECT_HOST_DEVICE PROJECT_INLINE float f(float a)",
        "project_device_inline float3 f(const float3 a)",
        "static project_device_inline float f(float a)",
        "template <typename T> DEVICE T f(T a)",
        "DEVICE static T *f(T *a)",
        "inline DEVICE const T &f(const T &a)",
        "DEVICE std::vector<T> f(int a)",
        "DEVICE unsigned int f(int a)",
        "void EXPORT f(int a)",
        "float3 EXPORT f(int a)",
        "LIMITS(256, 4) void f(int a)",
        "BEGIN_NAMESPACE\nvoid f(int a)",
        "template <typename T, std::enable_if_t<C<T>>* = nullptr> void f(T a)",
        "template <typename T, typename std::enable_if<C<T>>::type * = nullptr> void f(T a)",
        "template <typename T, std::enable_if_t<C<T>>* =  0> void f(T a)",
    ],
)
def test_a_function_behind_undefined_words_is_read(head: str) -> None:
    assert sound(f"{head} {{ g(a); }}") == ["f"]


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("\nPROJECT_INLINE void f(int a);", "\n               void f(int a);"),
        ("\n  static PROJECT_INLINE\n  A<T> f(int a);", "\n  static               \n  A<T> f(int a);"),
        ("\nPROJECT_TYPE f(int a);", "\nPROJECT_TYPE f(int a);"),
        ("\n#define F(f) \\\nPROJECT_INLINE void f();", "\n#define F(f) \\\nPROJECT_INLINE void f();"),
        ("\nPROJECT_SYNC\nint n(3);", "\nPROJECT_SYNC\nint n(3);"),
    ],
)
def test_macros_before_types_are_left_out_in_any_case(text: str, read: str) -> None:
    assert undecorated(text.encode()).decode() == read


def test_so_are_members_and_constructors() -> None:
    text = "struct A { DEVICE A(int i) : x(i) { g(i); } DEVICE int f(int i) const { return g(i); } int x; };"
    assert sound(text) == ["A", "f"]


@pytest.mark.parametrize(
    "statement",
    [
        "CHECK((a = &b, 0));",
        "CHECK((a = sycl::malloc_device<float>(n, q), 0));",
        "x = (a = g(b, c), 0);",
        "a.template g(b);",
        "a->  template g(b);",
        "int m = std::min(decltype(n)(k), 2);",
        "UNROLL for (int i = 0; i < 3; i++) g(i);",
        '_Pragma("unroll") for (int i = 0; i < 3; i++) g(i);',
        "g(1);\n CASE(a)\n CASE(b)\n g(2);",
        "\n TIMER(a)\n\n g(2);",
        "float *PROJECT_RESTRICT p = a;",
        'ASSERT_TYPE(void, g(a), "no");',
        "SWAP(K, a[0], a[1], int, b, c);",
        "if (unsigned(x) < unsigned(w) && unsigned(y) < unsigned(a.h)) g(x);",
        "g(b[(unsigned (x) + 1) % 2]);",
        "while ((signed(x) - 1) * 2 > n) g(x--);",
        "x = (unsigned(y) < unsigned(h)) ? b[y] : T(0);",
    ],
)
def test_a_function_with_such_a_statement_is_read(statement: str) -> None:
    assert sound(f"void f() {{ {statement} h(); }}") == ["f"]


@pytest.mark.parametrize("word", ["UNROLL", "PROJECT_UNROLL_BY(4)", '_Pragma("unroll")', "[[intel::unroll(4)]]"])
def test_a_loop_that_a_macro_unrolls_is_one(word: str) -> None:
    unit = file_facts("a.cpp", f"void f() {{ {word} for (int i = 0; i < n; i++) g(i); }}".encode(), {}).unit
    assert ["unroll" in each.pragma for each in walk(unit) if isinstance(each, Loop)] == [True]


@pytest.mark.parametrize("word", ["unroll", "unroll 4", "GCC unroll 4", "clang loop unroll(full)", "ivdep"])
def test_a_directive_about_a_loop_inside_arguments_that_may_mean_two_things_costs_no_kernel(word: str) -> None:
    kernel = f"""void f(queue &q, float *x) {{
      q.submit([&](handler &h) {{
        h.parallel_for(nd_range<2>({{M / WM, N / WN * SG}}, {{1, 4 * SG}}),
          [=](nd_item<2> it) [[sycl::reqd_sub_group_size(SG)]] {{
          for (size_t k = 0; k < K; k += TK) {{
            for (size_t i = 0; i < WM / TM; i++)
    #pragma {word}
              for (size_t j = 0; j < WN / TN; j++) g(x[i], a[j]);
          }}
        }});
      }});
    }}"""
    facts = file_facts("a.cpp", kernel.encode(), {})
    assert not facts.damaged
    assert ["unroll" in each.pragma for each in walk(facts.unit) if isinstance(each, Loop)] == [False, False, True]


@pytest.mark.parametrize("what", ["class A<double, B<3, 1>>", "struct n::A<int>", "class A<float>", "void f<int>(int)"])
def test_an_explicit_instantiation_is_no_damage(what: str) -> None:
    assert not file_facts("a.cpp", f"template {what};".encode(), {}).damaged


@pytest.mark.parametrize("what", ["class A<double>", "struct B {} c"])
def test_a_semicolon_or_bracket_that_misses_there_is_damage(what: str) -> None:
    assert file_facts("a.cpp", f"template {what[:-1]}(;".encode(), {}).damaged


def test_a_class_behind_such_a_word_is_read() -> None:
    assert list(file_facts("a.cpp", b"class EXPORT Device : public Base { int f() { return 1; } };", {}).structs) == [
        "Device"
    ]


@pytest.mark.parametrize(
    "text",
    [
        "int x = f(a, b);",
        "static inline const unsigned long f(int a) { return a; }",
        "std::enable_if_t<A, B> f(int a) { return a; }",
        "typename A<T>::type f(int a) { return a; }",
        "return_type f(int a) { if (a) return g(a); else h(a); }",
        "void f() { g(a = b, 0); h[a == b, 0]; int c = 1, d = 0; }",
        "new_thing *make() { return new thing(a); }",
    ],
)
def test_what_the_grammar_knows_is_left_as_it_is(text: str) -> None:
    assert recovered(text.encode()) == text.encode()


@pytest.mark.parametrize("word", ["SYNC_GROUP", "PROJECT_BARRIER", "LOCK"])
def test_a_macro_that_may_do_something_is_left_alone(word: str) -> None:
    text = f"#define LOCK lock();\nvoid f() {{ {word} float x(1); }}".encode()
    assert word.encode() + b" float" in recovered(text)


PIECES = st.lists(
    st.binary(max_size=4)
    | st.sampled_from([b"DEVICE ", b"void ", b"f(", b") {", b"}", b"\n", b"CASE(a)", b"(a = b, 0)", b"* = nullptr>"])
    | st.sampled_from([b"template <", b"decltype(n)(", b"UNROLL for", b"class API A {", b";", b"std::", b"\r\n", b"(("])
).map(b"".join)


@given(PIECES)
def test_every_offset_stays_what_it_was(text: bytes) -> None:
    assert len(recovered(text)) == len(text)


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("\n CASE(1, f(2))\n else CASE(2, 3)\n  else { g(); }",
         "\n CASE(1, f(2)); if(_)CASE(2, 3); if(_) { g(); }"),
        ("\n CASE(1) else\n CASE(2);", "\n CASE(1);if(_) CASE(2);"),
        ("\n CASE(1) else{ g(); }", "\n CASE(1) else{ g(); }"),
        ("\n if (n) CASE(1); else CASE(2);", "\n if (n) CASE(1); else CASE(2);"),
    ],
)  # fmt: skip
def test_an_else_behind_a_macro_is_a_condition_that_is_not_known(text: str, read: str) -> None:
    found = recovered(f"void f(int n) {{{text}\n}}".encode()).decode()
    assert "".join(found.split()) == "".join(f"void f(int n) {{{read}\n}}".split())
    assert len(found) == len(f"void f(int n) {{{text}\n}}")


@pytest.mark.parametrize(
    ("macro", "use"),
    [
        ("if (n == D) { run<D>(q); }", "CASE(1)\n  else CASE(2)\n  else CASE(4)"),
        ("if (n == D) { run<D>(q); } else", "CASE(1)\n  CASE(2)\n  CASE(4)\n  return;"),
        ("else if (n == D) run<D>(q);", "if (n < 0) return;\n  CASE(1)\n  CASE(2)\n  CASE(4)"),
        ("case D: run<D>(q); break;", "switch (n) {\n  CASE(1)\n  CASE(2)\n  CASE(4)\n  default: break; }"),
    ],
)
def test_each_case_of_a_chain_of_macros_launches(macro: str, use: str) -> None:
    code = f"""template <int B> void run(sycl::queue &q) {{
  q.parallel_for(sycl::nd_range<1>(64, B), [=](sycl::nd_item<1> it) {{}}); }}
#define CASE(D) {macro}
void f(sycl::queue &q, int n) {{
  {use}
}}
"""
    assert [extents(each.local_range) for each in launches(code)] == ["1", "2", "4"]


@pytest.mark.parametrize(
    "kernel",
    [
        "KERNEL_LAMBDA(sycl::id<1> i) { p[i] = 1; }",
        "DEVICE_LAMBDA (const sycl::id<1> &i) mutable { p[i] = 1; }",
        "LAMBDA(sycl::id<1> i) -> void { p[i] = 1; }",
    ],
)
@pytest.mark.parametrize("call", ["q.parallel_for(32, @)", "for_each(q, 32, @)", "auto kernel = @"])
def test_a_macro_may_be_the_captures_of_a_lambda(kernel: str, call: str) -> None:
    assert sound(f"void f(sycl::queue &q, float *p) {{ {call.replace('@', kernel)}; }}") == ["f"]


@pytest.mark.parametrize(("captures", "read"), [("[=]", b"[=]"), ("[&]", b"[&]")])
def test_its_definition_says_what_it_captures(captures: str, read: bytes) -> None:
    text = f"#define LAMBDA {captures}\nvoid f() {{ g(LAMBDA(int i) {{ h(i); }}); }}\n"
    assert recovered(text.encode()).count(read) == 2


def test_a_macro_with_parameters_of_its_own_is_more() -> None:
    kernel = "void f(float *p) { g(KERNEL(float) { p[i] = 1; }, OF(int n) { p[n] = 1; }); }"
    text = f"#define OF(n) [=](n)\n{kernel}\n".encode()
    assert recovered(text).count(b"[=]") == 1


@pytest.mark.parametrize("text", ["g(LAMBDA(i));", "if (FOUND(i)) { g(); }", "FOR_EACH(i) { g(i); }", "g({FIRST(i)});"])
def test_a_macro_without_a_body_is_none(text: str) -> None:
    assert b"[=]" not in recovered(f"void f(int i) {{ {text} }}".encode())


@pytest.mark.parametrize(
    "text",
    [
        "template <class... F> struct all : F... { using F::operator()...; };",
        "template <class... F> struct all : base<F>... {\n  using base<F>::operator() ... ;\n};",
        "template <class T> struct plan {};\nextern template class plan<float>;",
        "template <class T> void run(T);\n  extern template void run<int>(int);",
    ],
)
def test_what_the_grammar_lacks_hides_nothing(text: str) -> None:
    assert not file_facts("a.cpp", f"{text}\nvoid f(int a) {{ g(a); }}\n".encode(), {}).damaged
