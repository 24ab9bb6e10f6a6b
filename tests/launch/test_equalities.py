"""Comparisons on the way to a launch that fix or limit its sizes."""

import pytest

from sycllint.values.value import Symbolic
from tests.launch.snippet import extents, in_queue, launches

BY = "q.parallel_for(sycl::nd_range<1>(1024, {}), [=](auto it) {{}});"


@pytest.mark.parametrize(
    ("statements", "local"),
    [
        (f"if (n == 64) {BY.format('n')}", "64"),
        (f"if (64 == n) {{ {BY.format('n * 2')} }}", "128"),
        (f"int c = read(), h = read(); if (c / h == 64) {BY.format('c / h')}", "64"),
        (f"if (n == 60 && wide) {BY.format('(n + 31) / 32 * 32')}", "64"),
        (f"if (n != 64 || wide) return; {BY.format('n')}", "64"),
        (f"if (n != 64) throw 1; {BY.format('n')}", "64"),
        (f"if (!(n == 64)) return; else if (wide) return; {BY.format('n')}", "?"),
        (f"if (n != 32) {{ wide = false; }} else {{ {BY.format('n')} }}", "32"),
        (f"switch (n / 4) {{ case 16: {BY.format('n / 4')} break; default: break; }}", "16"),
        (f"switch (n / 4) {{ case 8: case 16: {BY.format('n / 4')} break; default: break; }}", "?"),
        (f"if (n == 64 || wide) {BY.format('n')}", "?"),
        (f"if (n != 64) {BY.format('n')}", "?"),
        (f"if (n == 64) {{ n = read(); {BY.format('n')} }}", "?"),
        (f"if (n == 64) {{ ++n; {BY.format('n')} }}", "?"),
        (f"if (n != 64) return; n = read(); {BY.format('n')}", "?"),
        (f"if (n != 64) wide = false; {BY.format('n')}", "?"),
        (f"if (n == 64) {{ }} {BY.format('n')}", "?"),
        (f"for (;;) {{ if (n == 64) {{ {BY.format('n')} n = read(); }} }}", "?"),
    ],
)
def test_an_equality_on_the_way_fixes_a_size(statements: str, local: str) -> None:
    assert extents(in_queue(statements, "int read();").local_range) == local


@pytest.mark.parametrize(
    ("statements", "most"),
    [
        (f"if (n > 384) throw 1; {BY.format('n')}", 384),
        (f"if (n >= 384) return; {BY.format('n')}", 383),
        (f"if (384 < n) throw 1; {BY.format('n * 2')}", 768),
        (f"if (n > 384 || n < 1) throw 1; {BY.format('n')}", 384),
        (f"if (!(n <= 384)) throw 1; {BY.format('(n + 31) / 32 * 32')}", 384),
        (f"if (n <= 384) {BY.format('n')}", 384),
        (f"if (n <= 1024) {{ if (wide && n < 257) {{ {BY.format('n')} }} }}", 256),
        (f"if (n > 384) {{ }} else {BY.format('n')}", 384),
        (f"if (n > 512) throw 1; if (n > 384) throw 1; {BY.format('n')}", 384),
        (f"if (n > 384) throw 1; if (n > 512) throw 1; {BY.format('n')}", 384),
        (f"assert(n <= 384); {BY.format('n')}", 384),
        (f"assert(wide && n < 385); wide = false; {BY.format('n')}", 384),
        (f"if (n > 384) wide = false; {BY.format('n')}", None),
        (f"if (n > 384 && wide) throw 1; {BY.format('n')}", None),
        (f"if (n > 384) throw 1; n = read(); {BY.format('n')}", None),
        (f"if (n > 384) throw 1; n *= 2; {BY.format('n')}", None),
        (f"if (n < 384) throw 1; {BY.format('n')}", None),
        (f"if (n <= 384 || wide) {BY.format('n')}", None),
        (f"{BY.format('n')} if (n > 384) throw 1;", None),
        (f"if (n > read()) throw 1; {BY.format('n')}", None),
        (f"verify(n <= 384); {BY.format('n')}", None),
    ],
)
def test_a_bound_on_the_way_limits_a_size(statements: str, most: int | None) -> None:
    size = in_queue(statements, "int read(); void verify(bool);").work_group_size
    assert (size.maximum if isinstance(size, Symbolic) else None) == most


def test_a_bound_in_the_caller_limits_the_argument() -> None:
    helper = f"static void sized(sycl::queue &q, int size) {{ {BY.format('size')} }}"
    (launch,) = launches(f"{helper} void f(sycl::queue &q, int n) {{ if (n > 256) throw 1; sized(q, n); }}")
    assert isinstance(launch.work_group_size, Symbolic)
    assert launch.work_group_size.maximum == 256


def test_an_assertion_fixes_nothing() -> None:
    assert extents(in_queue(f"assert(n == 64); {BY.format('n')}").local_range) == "?"


def test_a_comparison_around_the_call_fixes_the_argument() -> None:
    helper = f"static void sized(sycl::queue &q, int size) {{ {BY.format('size')} }}"
    (launch,) = launches(f"{helper} void f(sycl::queue &q, int n) {{ if (n == 64) sized(q, n); }}")
    assert extents(launch.local_range) == "64"
