"""Control flow and preprocessor conditionals as they are read."""

import pytest

from sycllint.syntax.reading import readings
from tests import written


def read(text: str) -> str:
    return written.block(readings(text.encode(), {})[0].unit)


def inside(text: str) -> str:
    """What ``text`` is inside a function."""
    return read(f"void f() {{ {text} }}").removeprefix("void f() { ").removesuffix(" }")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("if (a) b();", "if (a) { b(); }"),
        ("if (a) { b(); } else c();", "if (a) { b(); } else { c(); }"),
        ("if (a) b(); else if (c) d();", "if (a) { b(); } else { if (c) { d(); } }"),
        ("if (int x = g(); x > 1) a();", "if (int x = g(); (x > 1)) { a(); }"),
        ("if (auto *p = h()) e();", "if (auto* p = h(); p) { e(); }"),
        ("if constexpr (N > 1) a();", "if ((N > 1)) { a(); }"),
        ("for (int i = 0; i < n; ++i) g(i);", "for (int i = 0; (i < n); (++i)) { g(i); }"),
        ("for (;;) ;", "for (∅; ∅) {}"),
        ("while (x) { break; }", "while (x; ∅) { break; }"),
        ("for (;; ++i) { if (i >= n) break; g(i); }", "for ((i < n); (++i)) { g(i); }"),
        ("while (true) { if (done()) { break; } g(); }", "while ((!done()); ∅) { g(); }"),
        ("while (1) { if (!more) break; }", "while (more; ∅) {}"),
        ("while (true) { if (a) break; else b(); }", "while (true; ∅) { if (a) { break; } else { b(); } }"),
        ("while (x) { if (a) break; b(); }", "while (x; ∅) { if (a) { break; } b(); }"),
        ("do { continue; } while (y);", "do (y; ∅) { continue; }"),
        ("for (const auto &e : list) h(e);", "for (const auto& e : list) { h(e); }"),
        ("switch (n) { case 1: a(); break; default: b(); }", "switch (n) { case 1: a(); break; case ∅: b(); }"),
        ("try { a(); } catch (int) { b(); } catch (...) {}", "try { a(); } catch { b(); } catch {}"),
        ("goto end; end: return;", "goto; return ∅;"),
        ("throw 1;", "throw 1;"),
        ("return a + b;", "return (a + b);"),
        ("[[likely]] a();", "a();"),
        ("struct P { int x; }; using T = int;", "struct P { int x; }; using T = int;"),
    ],
)
def test_control_flow(text: str, expected: str) -> None:
    assert inside(text) == expected


def test_a_loop_has_the_pragma_right_before_it() -> None:
    loop = "for (∅; ∅) {}"
    pragma = "#pragma unroll 4"
    assert inside(f"\n{pragma}\nfor (;;) ;\nfor (;;) ;\n") == f"{pragma} {pragma} {loop} {loop}"


def test_a_pragma_inside_an_earlier_loop_is_not_the_next_loops() -> None:
    inner = "for (∅; ∅) { #pragma unroll f(); }"
    assert inside("for (;;) {\n#pragma unroll\nf(); }\nfor (;;) ;") == f"{inner} for (∅; ∅) {{}}"


def test_every_branch_of_a_conditional_is_kept() -> None:
    text = "#if A > 1\nint a;\n#elif defined(B)\nint b;\n#else\nint c;\n#endif\n"
    assert read(text) == "#if A > 1 int a; #elif defined(B) int b; #else  int c; #endif"


def test_includes_know_whether_they_are_quoted() -> None:
    assert read('#include "x.h"\n#include <y.hpp>\n') == '#include "x.h" #include <y.hpp>'


def test_a_damaged_stretch_keeps_what_could_be_read_in_it() -> None:
    assert "g();" in read("void f( { g(); }")


@pytest.mark.parametrize(
    ("opening", "closing"),
    [
        ("{", "}"),
        ("if (n) {", "}"),
        ("if (n) {} else ", ""),
        ("for (;;) {", "}"),
        ("while (n) {", "}"),
        ("do {", "} while (n);"),
        ("for (auto x : y) {", "}"),
        ("switch (n) { case 1:", "}"),
        ("try {", "} catch (...) {}"),
        ("struct S { void g() {", "} };"),
        ("auto l = [&] {", "};"),
        ("q.submit([&](sycl::handler &h) {", "});"),
        ("\n#if A\n", "\n#endif\n"),
        ("f(", ")"),
        ("a + (", ")"),
        ("a[", "]"),
        ("T{", "}"),
        ("(int)(", ")"),
        ("n ? 1 : (", ")"),
        ("", "{"),
        ("", "("),
        ("", "<"),
    ],
)
def test_nesting_of_any_kind_and_depth_ends(opening: str, closing: str) -> None:
    text = f"int first;\nvoid f() {{ {opening * 1000} n {closing * 1000} }}"
    assert read(text).startswith("int first; ")
