"""Loops whose trip count is known: what they leave behind decides a launch."""

import pytest

from tests.launch.snippet import launches
from tests.launch.test_ways import LAUNCH, PARAMETERS, local
from tests.values.program import spelled


def size_after(body: str, size: str = "w", before: str = "") -> str:
    """The local range of a launch after ``body``."""
    written = f"#include <sycl/sycl.hpp>\n{before}\nvoid f({PARAMETERS}) {{ {body} {LAUNCH.format(size)} }}"
    return local(launches(written)[0])


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("int w = 1; for (int i = 0; i < 6; i++) w *= 2;", "64"),
        ("int w = 1; for (int i = 0; i < 3; i++) { if (i % 2 == 0) w *= 4; else w *= 2; }", "32"),
        ("int w = 1, v = 1; for (int i = 0; i < 6; i++) { v = w; w = w + v; }", "64"),
        ("int w = 1; for (int i = 0; i < 2; i++) for (int j = 0; j < 3; j++) w *= 2;", "64"),
        ("int w = 1; for (int i = 0; i < 2; i++) { for (int j = 0; j <= i; j++) w *= 4; }", "64"),
        ("int w = 2; for (int i = 0, s = 1; i < 4; i++, s *= 2) w = s;", "8"),
        ("int w = 2, i; for (i = 0; i < 3; ++i) w += i; w += i;", "8"),
        ("int w = 256; while (w > 100) w /= 2;", "64"),
        ("int w = 2; do { w *= 2; } while (w < 2);", "4"),
        ("int w = 8; for (int i = 0; i < 0; i++) w = 1;", "8"),
        ("int s[3] = {4, 4, 8}, w = 1; for (int i = 0; i < 3; i++) w *= s[i];", "128"),
        ("int w = 1; for (int i = 0; i < 3; i++) { if (k) break; w *= 2; }", "?"),
        ("int w = 1; for (int i = 0; i < 3; i++) { if (k) continue; w *= 2; }", "?"),
        ("int w = 1; for (int i = 0; i < k; i++) w *= 2;", "?"),
        ("int w = 1; for (int i = 0; i < 1000; i++) w += 1;", "?"),
        ("int w = 1; for (int i = 0; i < 3; i++) w *= k;", "?"),
        ("int w = 1; for (int i = 0; i < 3; i++) tune(w);", "?"),
    ],
)
def test_a_name_is_what_the_last_iteration_leaves(body: str, found: str) -> None:
    assert size_after(body, before="void tune(int &);") == found


@pytest.mark.parametrize(
    "declared",
    ["sycl::range<D> w;", "sycl::range<D> w{1, 1};", "sycl::range<2> w;", "sycl::range<D> w = sycl::range<D>(1, 1);"],
)
def test_a_range_is_filled_dimension_by_dimension(declared: str) -> None:
    launch = "q.parallel_for(sycl::nd_range<D>({16, 16}, w), [=](sycl::nd_item<D> it) { x[0] = 1; });"
    classes = (
        "#include <sycl/sycl.hpp>\n#include <array>\n"
        "template <int D> struct Sizes { std::array<size_t, D> s; size_t operator[](int i) const { return s[i]; } };"
        f"template <int D> void go(sycl::queue &q, float *x, const Sizes<D> &s) {{ {declared}"
        f" for (int d = 0; d < D; ++d) w[d] = s[d]; {launch} }}"
        "void f(sycl::queue &q, float *x) { Sizes<2> s{{8, 4}}; go(q, x, s); }"
    )
    (launched,) = launches(classes)
    assert launched.local_range is not None
    assert [spelled(each) for each in launched.local_range.extents] == ["8", "4"]


def test_the_extents_of_a_range_are_multiplied() -> None:
    body = "int p = 1; for (int i = 0; i < D; ++i) p *= r[i]; return p;"
    total = f"template <int D> int total(const sycl::range<D> &r) {{ {body} }}"
    assert size_after("sycl::range<2> r(8, 16);", "total(r)", total) == "128"
    assert size_after("", "total(sycl::range<3>(2, 4, 8))", total) == "64"


def test_a_launch_in_a_loop_keeps_the_sizes_of_all_iterations() -> None:
    body = f"for (int i = 0; i < 2; i++) {{ {LAUNCH.format('32 << i')} }}"
    seen = launches(f"#include <sycl/sycl.hpp>\nvoid f({PARAMETERS}) {{ {body} }}")
    assert [local(each) for each in seen] == ["32 | 64"]
