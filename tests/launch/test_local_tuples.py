"""Local ranges of which there are several: one tuple for each way, never put together dimension by dimension."""

import pytest

from sycllint.launch.merge import local_tuples, merged
from sycllint.values.value import known
from tests.launch.snippet import launches

DIM = """
struct Dim {
  unsigned x, y;
  Dim(unsigned a, unsigned b = 1) : x(a), y(b) {}
  sycl::range<2> get() { return sycl::range<2>(y, x); }
};
"""
ND = "q.parallel_for(sycl::nd_range<2>(sycl::range<2>(256, 256), {}), [=](sycl::nd_item<2> it) {{}});"
SIZED = f"template <int Y, int X> static void sized(sycl::queue &q) {{ {ND.format('sycl::range<2>(Y, X)')} }}"

FIRST = """
static constexpr int sizes[] = {64, 8};
template <class L, class F> int first(const L &list, F fits) {
  for (auto &each : list) { if (fits(each)) return each; }
  throw 1;
}
"""
OF_SIZES = ((4, 8), (4, 64))


@pytest.mark.parametrize(
    ("before", "statements", "tuples"),
    [
        (DIM, "Dim b = wide ? Dim(32, 8) : Dim(16, 16); " + ND.format("b.get()"), ((8, 32), (16, 16))),
        (DIM, "Dim b(16, 16); if (wide) b = Dim(32, 8); " + ND.format("b.get()"), ((8, 32), (16, 16))),
        (DIM, "Dim b(16, 16); if (wide) { b.x = 32; b.y = 8; } " + ND.format("b.get()"), ((8, 32), (16, 16))),
        ("", "sycl::range<2> b(16, 16); if (wide) b = sycl::range<2>(8, 32); " + ND.format("b"), ((8, 32), (16, 16))),
        ("", "size_t x = wide ? 16 : 32; " + ND.format("sycl::range<2>(4, x)"), ((4, 16), (4, 32))),
        (
            "sycl::range<2> chosen(bool wide) { if (wide) return {8, 32}; return {16, 16}; }",
            "auto b = chosen(wide); " + ND.format("b"),
            ((8, 32), (16, 16)),
        ),
        (FIRST, "auto x = first(sizes, [&](int s) { return s < n; }); " + ND.format("sycl::range<2>(4, x)"), OF_SIZES),
        (FIRST, "auto x = first(sizes, std::less<int>(n)); " + ND.format("sycl::range<2>(4, x)"), OF_SIZES),
        # A predicate that takes references may change what it is shown.
        (
            FIRST.replace("const L &list", "L &list"),
            "int own[2] = {8, 64}; auto x = first(own, change); " + ND.format("sycl::range<2>(4, x)"),
            (),
        ),
        # Which of two sets belong together is unknown, so nothing is claimed.
        ("", "int x = wide ? 16 : 32, y = n > 4 ? 8 : 4; " + ND.format("sycl::range<2>(y, x)"), ()),
        ("", "sycl::range<2> b(16, 16); if (wide) b = sycl::range<2>(8, n); " + ND.format("b"), ()),
        ("", ND.format("sycl::range<2>(8, 32)"), ()),
        (DIM, "Dim b = wide ? Dim(32, 8) : Dim(16, n); " + ND.format("b.get()"), ()),
        (DIM, "Dim b = wide ? Dim(32, 8) : Dim(16, 16); tune(b); " + ND.format("b.get()"), ()),
    ],
)
def test_each_way_is_one_tuple(before: str, statements: str, tuples: tuple[tuple[int, ...], ...]) -> None:
    ways = launches(
        f"{before} int main(int argc, char **) {{ sycl::queue q; int n = argc; bool wide = n > 2; {statements} }}"
    )
    assert local_tuples(ways) == tuples
    assert len(merged(ways)) == 1


def test_the_size_of_a_group_is_that_of_a_tuple() -> None:
    block = "sycl::range<2> b(16, 16); if (wide) b = sycl::range<2>(8, 32);"
    (launch,) = launches(f"void f(sycl::queue &q, bool wide) {{ {block} {ND.format('b')} }}")
    assert launch.work_group_size is not None
    assert str(getattr(launch.work_group_size, "value", None)) == "256"


@pytest.mark.parametrize(
    "statements",
    [
        "if (wide) sized<8, 32>(q); else sized<16, 16>(q);",
        "switch (n) { case 8: sized<8, 32>(q); break; default: sized<16, 16>(q); }",
    ],
)
def test_each_call_that_decides_a_launch_is_a_row(statements: str) -> None:
    found = merged(launches(f"{SIZED} void f(sycl::queue &q, int n, bool wide) {{ {statements} }}"))
    assert [[known(each) for each in launch.local_range.extents] for launch in found if launch.local_range] == [
        [8, 32],
        [16, 16],
    ]
    assert [(launch.function, [each.name for each in launch.via]) for launch in found] == [("f", ["sized"])] * 2


@pytest.mark.parametrize(
    ("chosen", "tuples"),
    [
        ("int size = bytes <= 8 ? 256 : 128; sized(q, size);", ((128,), (256,))),
        ("int size = 128; if (bytes <= 8) size = 256; sized(q, size);", ((128,), (256,))),
        ("sized(q, bytes <= 8 ? 256 : 128);", ((128,), (256,))),
        ("sized(q, bytes <= 8 ? 256 : bytes);", ()),
        ("sized(q, 256);", ()),
    ],
)
def test_one_of_two_sizes_that_a_caller_hands_to_a_function_of_all(chosen: str, tuples: tuple[tuple[int], ...]) -> None:
    nd = "q.parallel_for(sycl::nd_range<1>(1024, n), [=](sycl::nd_item<1> it) {});"
    code = f"void sized(sycl::queue &q, int n) {{ {nd} }} void fill(sycl::queue &q, int bytes) {{ {chosen} }}"
    assert local_tuples(launches(code)) == tuples
