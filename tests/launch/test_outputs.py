"""Variables that a function called before a launch sets: it takes them by reference."""

import pytest

from tests.launch.snippet import launches
from tests.launch.test_ways import LAUNCH, PARAMETERS, local


def size_after(body: str, function: str, size: str = "w") -> str:
    """The local range of a launch after ``body``, which calls ``function``."""
    written = f"#include <sycl/sycl.hpp>\n{function}\nvoid f({PARAMETERS}) {{ {body} {LAUNCH.format(size)} }}"
    return local(launches(written)[0])


@pytest.mark.parametrize(
    ("function", "body", "found"),
    [
        ("void set(int n, int &t) { t = 64; }", "int w; set(n, w);", "64"),
        ("void set(int n, int &t) { if (n > 10) t = 64; else t = 32; }", "int w; set(n, w);", "32 | 64"),
        ("void set(int n, int &g, int &t) { t = 256; g = (n + t - 1) / t; }", "int w, g; set(n, g, w);", "256"),
        ("void set(int n, int *t) { if (n > 10) *t = 64; else *t = 32; }", "int w; set(n, &w);", "32 | 64"),
        ("void twice(int &t) { t *= 2; }", "int w = 16; twice(w); twice(w);", "64"),
        ("void set(int &t) { t = 64; }", "int w = 16; if (k) set(w);", "16 | 64"),
        ("int set(int &t) { t = 64; return 3; }", "int w = 16; set(w);", "64"),
        ("template <class T> void set(T &t, int v) { t = v; }", "int w = 16; set(w, 64);", "64"),
        ("void one(int &t) { t = 63; } void set(int &t) { one(t); t += 1; }", "int w = 1; set(w);", "64"),
        ("void look(const int &t) {}", "int w = 64; look(w);", "64"),
        ("void set(unsigned char &t) { t = 320; }", "unsigned char w = 1; set(w);", "64"),
        ("void set(int n, int &t) { if (n < 4) return; t = 256; }", "int w = 1; set(n, w);", "?"),
        ("void set(int &t);", "int w = 1; set(w);", "?"),
        ("void set(int &s, int &t) { s = 8; t = s * 2; }", "int w = 1; set(w, w);", "?"),
        ("static int *kept; void set(int &t) { t = 4; kept = &t; }", "int w = 1; set(w);", "?"),
        ("void set(int n, int &g, int &t) { if (n) { t = 64; g = 1; } else { t = 32; g = 2; } }",
         "int w, g; set(n, g, w);", "?"),
    ],
)  # fmt: skip
def test_a_variable_is_what_the_function_leaves(function: str, body: str, found: str) -> None:
    assert size_after(body, function) == found


@pytest.mark.parametrize(
    "function",
    [
        "void set(sycl::range<1> &r, int w) { r[0] = w; }",
        "void set(sycl::range<1> &r, int w) { r = sycl::range<1>(w); }",
    ],
)
def test_a_range_is_set_too(function: str) -> None:
    assert size_after("sycl::range<1> r(1); set(r, 64);", function, "r") == "64"


DEV = "struct Dev {{ int *p; static int *kept; {} void later() {{ *p = 7; }} }}; void other(int *);"


@pytest.mark.parametrize(
    ("function", "call", "found"),
    [
        ("void set(int n, int *t) { *t = n; }", "set(64, &w)", "64"),
        ("void set(int n, int *t) const { *t = n; }", "set(64, &w)", "64"),
        ("void set(int n, int &t) { t = n; }", "set(64, w)", "64"),
        ("void set(int *t) { *t *= 2; }", "set(&w)", "32"),
        ("void set(int *t) { while (*t < 100) *t *= 2; }", "set(&w)", "128"),
        ("void one(int n, int &t) { t = n; } void set(int *t) { one(96, *t); }", "set(&w)", "96"),
        ("void set(int *t) { if (t) *t = 64; }", "set(&w)", "?"),
        ("void set(int *t) { other(t); }", "set(&w)", "?"),
        ("void set(int *t) { kept = t; }", "set(&w)", "?"),
        ("void set(int *t) { [&] { *t = 4; }(); }", "set(&w)", "?"),
        ("void set(int *t, int *u) { *t = 4; *u = 8; }", "set(&w, &w)", "?"),
        ("void set(int *t);", "set(&w)", "?"),
    ],
)
def test_a_variable_whose_address_is_given_is_what_the_function_leaves(function: str, call: str, found: str) -> None:
    assert size_after(f"Dev dev; int w = 16; dev.{call};", DEV.format(function)) == found
    assert (
        size_after(f"int w = 16; {call};", f"int *kept; void other(int *); {function.replace(' const', '')}") == found
    )


@pytest.mark.parametrize(
    ("function", "found"),
    [
        ("void keep(int *t) { p = t; }", "?"),
        ("virtual void keep(int *t) { *t = 3; }", "?"),
        ("void keep(int *t) { *t = 3; }", "32"),
    ],
)
def test_a_method_that_keeps_an_address_may_set_the_variable_later(function: str, found: str) -> None:
    assert size_after("Dev dev; int w = 16; dev.keep(&w); w = 32; dev.later();", DEV.format(function)) == found


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("if (set(64, w) != 0) return;", "64"),
        ("if (!by(64, &w)) { return; }", "64"),
        ("int s = by(64, &w);", "64"),
        ("int s; s = set(64, w); if (s) return;", "64"),
        ("auto s = (int)set(64, w);", "64"),
        ("if (set(n, w) == 0) throw 1;", "?"),
        ("if (n && set(64, w)) return;", "?"),
        ("if (set(64, w) == 0) w = 4;", "?"),
        ("if (set(64, w) == set(32, w)) return;", "?"),
        ("int s = set(64, w) + w;", "?"),
        ("w = set(64, w);", "?"),
        ("int r = w, s = set(64, w);", "?"),
        ("while (set(64, w)) return;", "?"),
    ],
)
def test_a_call_in_a_condition_or_an_initialiser_sets_it_too(body: str, found: str) -> None:
    functions = "int set(int n, int &t) { t = n; return n - 64; } int by(int n, int *t) { *t = n; return 1; }"
    assert size_after(f"int w = 16; {body}", functions) == found
    if body.startswith("if (set(64, w) != 0)"):
        inside = f"#include <sycl/sycl.hpp>\n{functions} void f({PARAMETERS}) {{ int w; if (set(32, w) < 0) {{ @ }} }}"
        assert local(launches(inside.replace("@", LAUNCH.format("w")))[0]) == "32"
