"""Template arguments that are elements of a pack or a list: one way for each element, of which each stays together."""

import pytest

from sycllint.launch.merge import local_tuples
from tests.launch.snippet import launches

ND = "q.parallel_for(sycl::nd_range<2>(sycl::range<2>(256, 256), {}), [=](sycl::nd_item<2> it) {{}});"
SIZED = f"template <int W> static void sized(sycl::queue &q) {{ {ND.format('sycl::range<2>(256 / W, W)')} }}"
TILED = f"template <class T> static void tiled(sycl::queue &q) {{ {ND.format('sycl::range<2>(T::rows, T::columns)')} }}"
LISTS = """
namespace meta {
template <class T, T... V> struct numbers {};
template <class... T> struct kinds {};
}
template <int R, int C> struct tile { static constexpr int rows = R; static constexpr int columns = C; };
using widths = meta::numbers<int, 8, 16, 64>;
using tiles = meta::kinds<tile<4, 64>, tile<16, 8>>;
"""
ALL = "template <int... Ws> static void all(sycl::queue &q) { (sized<Ws>(q), ...); }"
ONE = """
template <int... Ws> static bool one(sycl::queue &q, int n) { return ((n == Ws && (sized<Ws>(q), true)) || ...); }
"""
OF_INTEGERS = """
template <int... Is> static void all(std::integer_sequence<int, Is...>, sycl::queue &q) { (sized<(8 << Is)>(q), ...); }
"""
OF_INDICES = """
template <size_t... Is> static void all(std::index_sequence<Is...>, sycl::queue &q) { (sized<(8 << Is)>(q), ...); }
"""
FIRST = """
template <int W, int... More> static void first(sycl::queue &q, int n) {
  if (n == W) return sized<W>(q);
  if constexpr (sizeof...(More) > 0) first<More...>(q, n);
}
"""
HEAD = """
template <int W, int... More> static void head(meta::numbers<int, W, More...>, sycl::queue &q) { sized<W>(q); }
"""
ONLY = "template <int W> static void only(meta::numbers<int, W>, sycl::queue &q) { sized<W>(q); }"
ASKED = """
template <class F, int W> static void asked(F ask, meta::numbers<int, W>, sycl::queue &q) {
  if (ask(W)) { sized<W>(q); }
}
"""
START = """
template <class L, class... A> static void start(L list, A... a) {
  along(list, [](auto each) { return each.rows < 9; }, a...);
}
"""
OF_WIDTHS = ((4, 64), (16, 16), (32, 8))
OF_TILES = ((4, 64), (16, 8))
ALONG_NUMBERS = """
template <class Test> static void along(meta::numbers<int>, Test, sycl::queue &) { throw 1; }
template <int First, int... Rest, class Test>
static void along(meta::numbers<int, First, Rest...>, Test test, sycl::queue &q) {
  if (test(First)) sized<First>(q);
  else along(meta::numbers<int, Rest...>(), test, q);
}
"""
CALLING = """
template <int First, int... Rest, class F> static void call(meta::numbers<int, First, Rest...>, int n, F &&f) {
  if (n == First) f(std::integral_constant<int, First>{});
  else if constexpr (sizeof...(Rest) > 0) call(meta::numbers<int, Rest...>{}, n, f);
}
template <int First, int... Rest, class F> static void pick(int n, F f) {
  if (n == First) f(std::integral_constant<int, First>{});
  else if constexpr (sizeof...(Rest) > 0) pick<Rest...>(n, f);
}
"""
ALONG_KINDS = """
template <class Test, class... More> static void along(meta::kinds<>, Test, More &&...) {}
template <class First, class... Rest, class Test, class... More>
static void along(meta::kinds<First, Rest...>, Test test, More &&...more) {
  if (test(First{})) { tiled<First>(more...); } else { along(meta::kinds<Rest...>{}, test, more...); }
}
"""


def _program(before: str, statements: str) -> str:
    launching = TILED if "tiled<" in before else SIZED
    return f"{LISTS} {launching} {before} int main(int argc, char **) {{ sycl::queue q; {statements} }}"


@pytest.mark.parametrize(
    ("before", "statements", "tuples"),
    [
        # Folds, and what is older than they.
        (
            ALL,
            "all<8, 16, 64>(q);",
            OF_WIDTHS,
        ),
        (
            ONE,
            "one<64, 16, 8>(q, argc);",
            OF_WIDTHS,
        ),
        (
            "template <int... Ws> static void all(sycl::queue &q) { int done[] = {(sized<Ws>(q), 0)...}; }",
            "all<8, 16, 64>(q);",
            OF_WIDTHS,
        ),
        (
            OF_INTEGERS,
            "all(std::make_integer_sequence<int, 2>{}, q);",
            ((16, 16), (32, 8)),
        ),
        (
            OF_INDICES,
            "all(std::make_index_sequence<2>(), q);",
            ((16, 16), (32, 8)),
        ),
        (
            "template <class... Ts> static void all(sycl::queue &q) { (tiled<Ts>(q), ...); }",
            "all<tile<4, 64>, tile<16, 8>>(q);",
            OF_TILES,
        ),
        # A function that calls itself with the rest.
        (
            FIRST,
            "first<8, 16, 64>(q, argc);",
            OF_WIDTHS,
        ),
        (ALONG_NUMBERS, "along(widths(), [&](int each) { return each == argc; }, q);", OF_WIDTHS),
        (
            ALONG_NUMBERS,
            "along(meta::numbers<int, 16, 8>{}, [&](int each) { return each == argc; }, q);",
            ((16, 16), (32, 8)),
        ),
        (
            ALONG_NUMBERS,
            "constexpr auto list = widths(); along(list, [&](int each) { return each == argc; }, q);",
            OF_WIDTHS,
        ),
        (ALONG_NUMBERS, "widths list; along(list, [&](int each) { return each == argc; }, q);", OF_WIDTHS),
        (ALONG_KINDS, "along(tiles(), [&](auto each) { return each.rows == argc; }, q);", OF_TILES),
        (
            ALONG_KINDS + START,
            "start(tiles{}, q);",
            OF_TILES,
        ),
        # What is called with each is a lambda that all hand on.
        (CALLING, "call(widths{}, argc, [&](auto w) { sized<w>(q); });", OF_WIDTHS),
        (
            CALLING,
            "pick<16, 8>(argc, [&](auto w) { constexpr int n = decltype(w)::value; sized<n>(q); });",
            ((16, 16), (32, 8)),
        ),
        # Of one element nothing has to be chosen, and of no list either.
        (ALL, "all<8>(q);", ()),
        (
            ONLY,
            "only(meta::numbers<int, 16>(), q);",
            (),
        ),
        # The first is not each.
        (
            HEAD,
            "head(widths(), q);",
            (),
        ),
        # A list that is not visible.
        (ALONG_NUMBERS, "along(chosen_elsewhere(), [&](int each) { return each == argc; }, q);", ()),
        (
            ALL,
            "all<8, ELSEWHERE>(q);",
            (),
        ),
    ],
)
def test_each_element_is_a_way(before: str, statements: str, tuples: tuple[tuple[int, ...], ...]) -> None:
    ways = launches(_program(before, statements))
    assert local_tuples(ways) == tuples


@pytest.mark.parametrize(
    ("before", "statements", "local"),
    [
        (ALL, "all<8>(q);", [32, 8]),
        (
            ONLY,
            "only(meta::numbers<int, 16>(), q);",
            [16, 16],
        ),
        (
            HEAD,
            "head(widths(), q);",
            [32, 8],
        ),
        (
            "template <int A, int... Ws> static void last(sycl::queue &q) { sized<A>(q); }",
            "last<64, 8, 16>(q);",
            [4, 64],
        ),
        # A template's parameter keeps its value, whatever it is passed to.
        (
            ASKED,
            "asked([](int each) { return each < 99; }, meta::numbers<int, 16>(), q);",
            [16, 16],
        ),
    ],
)
def test_what_is_no_choice_is_known(before: str, statements: str, local: list[int]) -> None:
    (launch,) = launches(_program(before, statements))
    assert launch.local_range is not None
    assert [getattr(each, "value", None) for each in launch.local_range.extents] == local
