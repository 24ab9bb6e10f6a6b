"""Launches that macros of another file write, or macros in the text of macros: of which file, with which sizes."""

import pytest

from sycllint.facts.collect import file_facts
from sycllint.launch.build import analyze_unit
from sycllint.source.text import SourceFile
from sycllint.symbols.unit import Unit
from sycllint.values.evaluate import Evaluator
from tests.launch.snippet import extents

RUN = "#define RUN(q, g, b, k) (q).parallel_for(sycl::nd_range<1>((g) * (b), b), k)\n"
BODY = """#define BODY(q, n, i, ...) (q).submit([&](sycl::handler &h) { unsigned nt = 8 * 4; \\
  h.parallel_for(sycl::nd_range<1>(n, nt), [=](sycl::nd_item<1> it) { auto i = it.get_global_id(0); __VA_ARGS__ }); });
"""
KERNEL = "[=](sycl::nd_item<1> it) {}"


def found(header: str, code: str) -> list[tuple[int, str]]:
    """The line and the local range of each launch of a file that includes ``header``."""
    code = f'#include "h.hpp"\n{code}'
    main, other = file_facts("main.cpp", code.encode(), {}), file_facts("h.hpp", header.encode(), {})
    unit = Unit((main, other), {"main.cpp": (), "h.hpp": (0,)}, lambda _: other)
    launches = analyze_unit(SourceFile("main.cpp", code.encode()), main, Evaluator(unit, {})).launches
    lines = [code.encode()[: each.row.span.start].count(b"\n") + 1 for each in launches]
    assert {each.row.path for each in launches} <= {"main.cpp"}
    return [(line, extents(each.local_range)) for line, each in zip(lines, launches, strict=True)]


@pytest.mark.parametrize(
    ("header", "use", "local"),
    [
        (RUN, f"RUN(q, 4, 128, {KERNEL});", "128"),
        (RUN + "#define AGAIN(q, b, k) RUN(q, 4, b, k)\n", f"AGAIN(q, 64, {KERNEL});", "64"),
        (RUN + "#define A(q, k) RUN(q, 4, 32, k)\n#define B(q, k) A(q, k)\n", f"B(q, {KERNEL});", "32"),
        ("#define RUN(q, n, ...) (q).parallel_for(sycl::nd_range<1>(n, 96), __VA_ARGS__)\n", f"RUN(q, n, {KERNEL});",
         "96"),
        (BODY, "BODY(q, n, s, x[s] = 1;)", "32"),
        (BODY + "#define FOR(q, n, i, ...) BODY(q, n, i, {__VA_ARGS__})\n", "FOR(q, n, s, { x[s] = 1; });", "32"),
        (f"#ifdef CUDA\n#define RUN(q, g, b, k) cuda(b, k)\n#else\n{RUN}#endif\n", f"RUN(q, 4, 16, {KERNEL});", "16"),
        # A macro of the same name without a launch, and one that writes the function.
        ("#define RUN(q, b, k) other(q, b, k)\n", f"RUN(q, 16, {KERNEL});", ""),
    ],
)  # fmt: skip
def test_the_launch_stands_where_the_macro_is_used(header: str, use: str, local: str) -> None:
    code = f"void f(sycl::queue &q, float *x, int n) {{\n  {use}\n}}\n"
    assert found(header, code) == ([(3, local)] if local else [])
    nested = (
        f"void g(sycl::queue &q, float *x, int n) {{\n  {use}\n}}\nvoid f(sycl::queue &q, float *x) {{ g(q, x, 8); }}"
    )
    assert found(header, nested) == ([(3, local)] if local else [])


def test_a_function_of_the_header_uses_it_with_the_size_of_its_caller() -> None:
    header = RUN + "inline void go(sycl::queue &q, int b) {\n  RUN(q, 4, b, [=](sycl::nd_item<1> it) {});\n}\n"
    assert found(header, "void f(sycl::queue &q) { go(q, 64); go(q, 128); }") == [(2, "64"), (2, "128")]


def test_a_macro_of_the_file_is_counted_once() -> None:
    assert found("", f"{RUN}void f(sycl::queue &q) {{ RUN(q, 4, 64, {KERNEL}); }}") == [(3, "64")]
    twice = f"{RUN}#define MORE(q, k) RUN(q, 4, 64, k)\nvoid f(sycl::queue &q) {{ MORE(q, {KERNEL}); }}"
    assert found("", twice) == [(4, "64")]


def test_void_is_no_parameter() -> None:
    code = "inline int threads(void) { return 8; }\nvoid f(sycl::queue &q) { RUN(q, 4, threads(), K()); }"
    assert found(RUN, code) == [(3, "8")]
