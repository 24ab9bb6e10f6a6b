"""The ways on which sizes reach a launch: lambdas that are handed on, constants as types, arrays, bases."""

import pytest

from sycllint.launch.kernel import KernelLaunch
from tests.launch.snippet import extents, launches
from tests.values.program import spelled

LAUNCH = "q.parallel_for(sycl::nd_range<1>(n, {0}), [=](sycl::nd_item<1> it) {{ x[it.get_global_id(0)] = 1; }});"
PARAMETERS = "sycl::queue &q, float *x, int n, int k"


def sizes(body: str, before: str = "") -> list[str]:
    """The local ranges of the launches in a function with this body."""
    seen = launches(f"#include <sycl/sycl.hpp>\n{before}\nvoid f({PARAMETERS}) {{ {body} }}")
    return [local(each) for each in seen]


def local(launch: KernelLaunch) -> str:
    """``64``, ``32 | 64``; ``?`` for what is not known."""
    assert launch.local_range is not None
    text = spelled(launch.local_range.extents[0])
    return text if set(text) <= set("0123456789 |") else "?"


@pytest.mark.parametrize("size", ["c.value", "c()", "c", "decltype(c)::value", "std::decay_t<decltype(c)>::value"])
def test_an_integral_constant_is_its_number_in_a_generic_lambda(size: str) -> None:
    run = f"auto run = [&](auto c) {{ constexpr int w = {size}; {LAUNCH.format('w')} }};"
    assert sizes(f"{run} run(std::integral_constant<int, 64>{{}}); run(std::integral_constant<int, 32>());") == [
        "64",
        "32",
    ]


def test_a_tag_of_the_project_is_its_class() -> None:
    tag = "template <int N> struct Tag { static constexpr int value = N; };"
    run = f"auto run = [&](auto c) {{ {LAUNCH.format('decltype(c)::value')} }};"
    assert sizes(f"{run} run(Tag<64>{{}});", tag) == ["64"]


def test_a_qualified_name_behind_decltype_is_not_a_name_of_the_file() -> None:
    body = f"auto run = [&](auto c) {{ {LAUNCH.format('decltype(c)::value')} }}; run(k);"
    assert sizes(body, "constexpr int value = 8;") == ["?"]


@pytest.mark.parametrize(
    "call",
    ["run(std::integral_constant<int, 96>{});", "run.template operator()<96>();", "run.operator()<96>();"],
)
def test_parameters_of_a_lambda_s_template_are_bound(call: str) -> None:
    head = "[&]<int W>(std::integral_constant<int, W>)" if "constant" in call else "[&]<int W>()"
    assert sizes(f"auto run = {head} {{ {LAUNCH.format('W')} }}; {call}") == ["96"]


DISPATCH = """
template <class F> void inner(int k, F &&f) {
  if (k <= 8) f(std::integral_constant<int, 8>{}); else f(std::integral_constant<int, 16>{});
}
template <class F> void dispatch(int k, F &&f) { inner(k, std::forward<F>(f)); }
"""


@pytest.mark.parametrize("name", ["inner", "dispatch"])
def test_a_lambda_is_followed_into_the_functions_that_call_it(name: str) -> None:
    body = LAUNCH.format("c.value * 4")
    assert sizes(f"{name}(k, [&](auto c) {{ {body} }});", DISPATCH) == ["32", "64"]
    assert sizes(f"auto run = [&](auto c) {{ {body} }}; {name}(k, run);", DISPATCH) == ["32", "64"]


def test_a_lambda_that_is_kept_has_unknown_callers() -> None:
    kept = "template <class F> void keep(F f) { table.push_back(f); f(std::integral_constant<int, 8>{}); }"
    assert sizes(f"keep([&](auto c) {{ {LAUNCH.format('c.value')} }});", kept) == ["?"]


@pytest.mark.parametrize(
    ("body", "size"),
    [
        ("size_t l[2]; l[0] = 64; l[1] = 1;", "64"),
        ("size_t l[2] = {64, 1}; if (k > 1) l[0] = 128;", "64 | 128"),
        ("size_t l[2] = {64, 1}; l[0] *= 2;", "128"),
        ("std::array<size_t, 2> l{}; l[0] = 64;", "64"),
        ("size_t l[2]; l[1] = 64;", "?"),
        ("size_t l[2] = {64, 1}; l[k] = 2;", "?"),
        ("size_t l[2] = {64, 1}; fill(l);", "?"),
        ("size_t l[2] = {64, 1}; for (auto &each : l) each = k;", "?"),
        ("size_t l[2] = {64, 1}; size_t *p = l; *p = k;", "?"),
    ],
)
def test_elements_of_an_array_are_followed_one_by_one(body: str, size: str) -> None:
    assert sizes(f"{body} {LAUNCH.format('l[0]')}", "void fill(size_t *);") == [size]


@pytest.mark.parametrize(
    ("body", "size"),
    [
        ("c.b[0] = 16;", "16"),
        ("c.b[1] = 16;", "32"),
        ("c.b[k] = 16;", "?"),
        ("fill(c.b);", "?"),
        ("std::fill(std::begin(c.b), std::end(c.b), 7);", "?"),
        ("int *p = c.b; p[0] = 7;", "?"),
        ("for (auto &each : c.b) each = 7;", "?"),
    ],
)
def test_elements_of_a_member_are_lost_where_a_pointer_to_them_may_be_kept(body: str, size: str) -> None:
    before = "struct C { int b[2] = {32, 4}; }; void fill(int *);"
    assert sizes(f"C c; {body} {LAUNCH.format('c.b[0]')}", before) == [size]


@pytest.mark.parametrize("table", ["constexpr int t[] = {32, 64};", "static const std::array<int, 2> t = {32, 64};"])
def test_an_unknown_index_takes_any_element_of_a_constant_table(table: str) -> None:
    assert sizes(f"{table} {LAUNCH.format('t[k]')}") == ["32 | 64"]


BASE = "struct Base { int b; explicit Base(int v) : b(v) {} int size() const { return b; } };"


@pytest.mark.parametrize("size", ["d.b", "d.size()"])
def test_a_base_is_made_as_its_constructor_says(size: str) -> None:
    derived = f"{BASE} struct Derived : Base {{ explicit Derived(int v) : Base(v * 2) {{}} }};"
    assert sizes(f"Derived d(32); {LAUNCH.format(size)}", derived) == ["64"]
    assert sizes(f"Derived d(k); {LAUNCH.format(size)}", derived) == ["?"]


def test_a_base_template_knows_the_class_that_it_is_a_base_of() -> None:
    launching = f"void run({PARAMETERS}) {{ {LAUNCH.format('I::block')} }}"
    before = (
        f"template <class I> struct Base {{ {launching} }}; struct D : Base<D> {{ static constexpr int block = 64; }};"
    )
    assert sizes("D d; d.run(q, x, n, k);", before) == ["64"]


def test_a_static_function_is_that_of_the_class_a_parameter_stands_for() -> None:
    policy = "template <int S> struct K { static sycl::nd_range<1> range(int n) { return {{size_t(n)}, {S}}; } };"
    launch = "q.parallel_for(P::range(n), [=](sycl::nd_item<1> it) {});"
    run = f"template <class P> void run(sycl::queue &q, float *x, int n) {{ {launch} }}"
    assert sizes("run<K<32>>(q, x, n); run<K<48>>(q, x, n);", policy + run) == ["32", "48"]


NEXT = "static int next(int n) { int p = 1; while (p < n) p *= 2; return p; }"
FROM_32 = "32 | 64 | 128 | 256"
TO_64 = "1 | 2 | 4 | 8 | 16 | 32 | 64"


@pytest.mark.parametrize(
    ("helper", "size", "found"),
    [
        (NEXT, "int w = std::clamp(next(n), 32, 256)", FROM_32),
        (NEXT, "int w = std::min(std::max(next(n), 32), 256)", FROM_32),
        (NEXT, "int w = next(n); if (w > 256) w = 256; if (w < 32) w = 32", FROM_32),
        (NEXT, "int w = next(n); w = w > 256 ? 256 : w; w = w < 32 ? 32 : w", FROM_32),
        (NEXT, "int w = std::min(next(n), 48)", "1 | 2 | 4 | 8 | 16 | 32 | 48"),
        ("", "unsigned w = std::min(std::bit_ceil(unsigned(n)), 64u)", TO_64),
        ("", "unsigned w = std::min(64u, std::bit_floor(unsigned(n)))", TO_64),
        ("static int last(int n) { int p = 1; while (p * 2 <= n) p *= 2; return p; }",
         "int w = std::min(last(n), 64)", TO_64),
        ("static int next(int n) { if (n <= 1) return 1; int p = 1; for (; p < n; p <<= 1) {} return p; }",
         "int w = std::min(64, next(n))", TO_64),
        (NEXT, "int w = next(100)", "128"),
        ("", "unsigned w = std::bit_ceil(50u)", "64"),
        ("", "unsigned w = std::bit_floor(50u)", "32"),
        (NEXT, "int w = next(n)", "?"),
        (NEXT, "int w = std::max(next(n), 32)", "?"),
        (NEXT, "int w = std::min(next(n) + k, 64)", "?"),
    ],
)  # fmt: skip
def test_a_limited_power_of_two_is_one_of_a_few(helper: str, size: str, found: str) -> None:
    assert sizes(f"{size}; {LAUNCH.format('w')}", helper) == [found]


def test_with_too_many_ways_a_launch_is_seen_without_any() -> None:
    calls = " ".join(f"run(q, {each});" for each in range(1, 41))
    (launch,) = launches(
        "void run(sycl::queue &q, int n) { q.parallel_for(sycl::nd_range<1>(n * 4, 4), [=](sycl::nd_item<1> it) {}); }"
        f"void all(sycl::queue &q) {{ {calls} }}"
    )
    assert (extents(launch.global_range), extents(launch.local_range)) == ("?", "4")
    assert launch.open
    assert not launch.reached


@pytest.mark.parametrize(
    ("before", "behind"), [("", ""), ("namespace a {", "}"), ("namespace a { namespace b {", "}}")]
)
@pytest.mark.parametrize(
    "at_end", ["template void run<64>(int); template void run<32>(int);", "template void run<64>(int);"]
)
def test_an_explicit_instantiation_in_a_namespace_is_a_way(before: str, behind: str, at_end: str) -> None:
    run = f"template <int W> void run(int n) {{ sycl::queue q; float *x = g(); {LAUNCH.format('W')} }}"
    found = {local(each) for each in launches(f"{before} {run} {at_end} {behind}")}
    assert found == ({"32", "64"} if "32" in at_end else {"64"})
