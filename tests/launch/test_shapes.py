"""Kind, dimensions and ranges of a launch."""

import pytest

from sycllint.launch.kernel import LaunchKind
from sycllint.values.symbolic import settled
from sycllint.values.value import Symbolic, Unknown
from tests.launch.snippet import extents, in_queue, only
from tests.values.program import spelled

ND = LaunchKind.ND_RANGE
FLAT = LaunchKind.RANGE


@pytest.mark.parametrize(
    ("arguments", "kind", "dims", "whole", "local"),
    [
        ("sycl::nd_range<1>(1024, 64), [=](auto it) {}", ND, 1, "1024", "64"),
        ("sycl::nd_range<2>({8, 16}, {2, 4}), [=](auto it) {}", ND, 2, "8x16", "2x4"),
        ("sycl::nd_range{sycl::range{8, 16}, sycl::range{2, 4}}, [=](auto it) {}", ND, 2, "8x16", "2x4"),
        ("sycl::nd_range<3>{{1, 1, 1024}, {1, 1, 64}}, [=](sycl::nd_item<3> it) {}", ND, 3, "1x1x1024", "1x1x64"),
        ("{1024, 64}, [=](sycl::nd_item<1> it) {}", ND, 1, "1024", "64"),
        ("{{8, 16}, {2, 4}}, [=](sycl::nd_item<2> it) {}", ND, 2, "8x16", "2x4"),
        ("sycl::nd_range<1>({1024}, {64}, {3}), [=](sycl::nd_item<1> it) {}", ND, 1, "1024", "64"),
        ("sycl::range<1>(1024), [=](auto i) {}", FLAT, 1, "1024", "none"),
        ("sycl::range<2>{8, 16}, [=](auto i) {}", FLAT, 2, "8x16", "none"),
        ("sycl::range(8, 16, 32), [=](auto i) {}", FLAT, 3, "8x16x32", "none"),
        ("{8, 16}, [=](sycl::item<2> i) {}", FLAT, 2, "8x16", "none"),
        ("{8, 16}, [=](sycl::id<2> i) {}", FLAT, 2, "8x16", "none"),
        ("1024, [=](sycl::id<1> i) {}", FLAT, 1, "1024", "none"),
        ("sycl::range<1>(1024), sycl::id<1>(8), [=](sycl::item<1> i) {}", FLAT, 1, "1024", "none"),
        ("sycl::range<1>(8) * 128, [=](auto i) {}", FLAT, 1, "1024", "none"),
        ("sycl::nd_range<1>(sycl::range<1>(n), sycl::range<1>(64)), [=](auto it) {}", ND, 1, "?", "64"),
        ("sycl::nd_range<2>({n, 16}, {2, 4}), [=](sycl::nd_item<2> it) {}", ND, 2, "?x16", "2x4"),
    ],
)
def test_ranges_in_the_call(arguments: str, kind: LaunchKind, dims: int, whole: str, local: str) -> None:
    launch = in_queue(f"q.parallel_for({arguments});")
    found = (launch.kind, launch.dims, extents(launch.global_range), extents(launch.local_range))
    assert found == (kind, dims, whole, local)


@pytest.mark.parametrize(
    ("before", "arguments"),
    [
        ("", "sycl::nd_range<1>(1024, 64), [=](sycl::nd_item<1> it) {}"),
        ("", "sycl::nd_range<1>(1024, 64), e, [=](sycl::nd_item<1> it) {}"),
        ("", "sycl::nd_range<1>(1024, 64), {e, e}, [=](sycl::nd_item<1> it) {}"),
        ("auto r = sycl::reduction(p, sycl::plus<>());", "sycl::nd_range<1>(1024, 64), r, [=](auto it, auto &s) {}"),
        ("", "sycl::nd_range<1>(1024, 64), sycl::reduction(p, sycl::plus<>()), [=](auto it, auto &s) {}"),
        (
            "namespace x = sycl::ext::oneapi::experimental;",
            "sycl::nd_range<1>(1024, 64), x::properties{}, [=](auto i) {}",
        ),
        ("sycl::nd_range<1> r(1024, 64);", "r, [=](sycl::nd_item<1> it) {}"),
        ("sycl::nd_range<1> r{{1024}, {64}};", "r, [=](auto it) {}"),
        ("auto r = sycl::nd_range<1>(1024, 64);", "r, [=](auto it) {}"),
        ("sycl::range<1> g(1024), l(64);", "sycl::nd_range<1>(g, l), [=](auto it) {}"),
        ("sycl::range g{1024}; auto l = sycl::range{64};", "sycl::nd_range(g, l), [=](auto it) {}"),
        ("sycl::range<1> l(32); l[0] = 64;", "sycl::nd_range<1>(1024, l), [=](auto it) {}"),
        ("sycl::range<1> l(32); l = sycl::range<1>(64);", "sycl::nd_range<1>(1024, l), [=](auto it) {}"),
        ("sycl::range<1> l(32); l *= 2;", "sycl::nd_range<1>(l * 16, l), [=](auto it) {}"),
        (
            "sycl::nd_range<1> a(512, 64);",
            "sycl::nd_range<1>(a.get_global_range() * 2, a.get_local_range()), [=](auto it) {}",
        ),
        ("const int t[] = {1024, 64};", "sycl::nd_range<1>(t[0], t[1]), [=](auto it) {}"),
        ("auto kernel = [=](sycl::nd_item<1> it) {};", "sycl::nd_range<1>(1024, 64), kernel"),
    ],
)
def test_what_stands_around_the_ranges_does_not_hide_them(before: str, arguments: str) -> None:
    launch = in_queue(f"{before} q.parallel_for({arguments});")
    assert (launch.kind, extents(launch.global_range), extents(launch.local_range)) == (ND, "1024", "64")


@pytest.mark.parametrize(
    ("before", "local"),
    [
        ("sycl::range<1> l(64); adjust(l);", "?"),
        ("sycl::range<1> l(64); size_t &first = l[0]; first = 128;", "?"),
        ("sycl::range<1> l(64); std::swap(l, other);", "?"),
        ("sycl::range<1> l(64); l[n] = 8;", "?"),
        ("sycl::range<1> l = make_range();", "?"),
        ("sycl::range<1> l(64); for (int i = 0; i < n; ++i) l[0] *= 2;", "?"),
    ],
)
def test_a_range_that_may_have_changed_is_unknown(before: str, local: str) -> None:
    launch = in_queue(f"{before} q.parallel_for(sycl::nd_range<1>(1024, l), [=](sycl::nd_item<1> it) {{}});")
    assert extents(launch.local_range) == local


def test_a_range_chosen_at_run_time_has_both_extents() -> None:
    launch = in_queue(
        "sycl::range<1> l = wide ? sycl::range<1>(128) : sycl::range<1>(64);"
        "q.parallel_for(sycl::nd_range<1>(1024, l), [=](sycl::nd_item<1> it) {});"
    )
    assert launch.work_group_size is not None
    assert spelled(launch.work_group_size) == "64 | 128"


def test_the_work_group_size_is_the_product_of_the_local_range() -> None:
    launch = in_queue("q.parallel_for(sycl::nd_range<3>({4, 8, 64}, {2, 4, 32}), [=](sycl::nd_item<3> it) {});")
    assert launch.work_group_size is not None
    assert spelled(launch.work_group_size) == "256"


def test_a_list_of_values_makes_each_of_them_possible() -> None:
    launch = in_queue(
        "for (int size : {64, 128, 256}) q.parallel_for(sycl::nd_range<1>(1024, size), [=](sycl::nd_item<1> it) {});"
    )
    assert launch.work_group_size is not None
    assert spelled(launch.work_group_size) == "64 | 128 | 256"


def test_one_value_does_not_fill_three_dimensions() -> None:
    launch = in_queue(
        "sycl::range<3> l = n; q.parallel_for(sycl::nd_range<3>({64, 64, 64}, l), [=](sycl::nd_item<3> it) {});"
    )
    assert isinstance(launch.work_group_size, Unknown)


def test_the_first_of_several_arguments_is_no_kernel() -> None:
    launch = only(
        """
        struct Extent { int count; void operator()(sycl::id<1> i) const; };
        void run(sycl::queue &q, Kernel kernel) {
          q.parallel_for(Extent{64}, kernel);
        }
        """
    )
    assert launch.kernel.name != "Extent"


def test_a_single_task_has_no_ranges() -> None:
    launch = in_queue("q.single_task<class Once>([=] {});")
    assert (launch.kind, launch.dims, launch.global_range, launch.local_range) == (
        LaunchKind.SINGLE_TASK,
        0,
        None,
        None,
    )
    assert launch.kernel.name == "Once"


def test_hierarchical_groups_times_their_size_is_the_global_range() -> None:
    launch = in_queue(
        "q.submit([&](sycl::handler &h) { h.parallel_for_work_group(sycl::range<2>(4, 8), sycl::range<2>(8, 16),"
        " [=](sycl::group<2> g) { g.parallel_for_work_item([&](sycl::h_item<2> it) {}); }); });"
    )
    assert (launch.kind, launch.dims) == (LaunchKind.WORK_GROUP, 2)
    assert (extents(launch.global_range), extents(launch.local_range)) == ("32x128", "8x16")


def test_hierarchical_groups_without_a_size_leave_it_to_the_runtime() -> None:
    launch = in_queue(
        "q.submit([&](sycl::handler &h) { h.parallel_for_work_group(sycl::range<1>(4), [=](sycl::group<1> g) {}); });"
    )
    assert (launch.kind, launch.work_group_size, launch.local_range) == (LaunchKind.WORK_GROUP, None, None)


LATER = "q.parallel_for(sycl::nd_range<1>(1280, size), [=](sycl::nd_item<1> it) {});"


@pytest.mark.parametrize(
    "statements",
    [
        f"int size = 640; auto launch = [&] {{ {LATER} }}; size = 64; launch();",
        f"int size = 640; std::function<void()> launch; launch = [&] {{ {LATER} }}; size = 64; launch();",
        f"int size = 640; all.push_back([&] {{ {LATER} }}); size = 64; all[0]();",
    ],
)
def test_a_lambda_that_runs_later_sees_the_later_value(statements: str) -> None:
    assert extents(in_queue(statements).local_range) in ("?", "64")


@pytest.mark.parametrize(
    ("statements", "local"),
    [
        ("q.parallel_for(sycl::nd_range<1>(1024, n), k);", "n"),
        ("int wg = atoi(s); q.parallel_for(sycl::nd_range<1>(1024, wg), k);", "wg"),
        ("int wg = 4 * atoi(s); q.parallel_for(sycl::nd_range<1>(1024, wg), k);", "4*atoi()"),
        ("q.parallel_for(sycl::nd_range<1>(1024, p.size), k);", "p.size"),
        ("int wg = d.get_info<M>(); q.parallel_for(sycl::nd_range<1>(1024, wg), k);", None),
        ("q.parallel_for(sycl::nd_range<1>(1024, atoi(s)), k);", None),
    ],
)
def test_a_local_size_that_is_a_parameter_keeps_its_name(statements: str, local: str | None) -> None:
    size = in_queue(statements).work_group_size
    assert (size.text if isinstance(size, Symbolic) else None) == local


@pytest.mark.parametrize(
    "argument", ["arguments...", "std::forward<A>(arguments)...", "arguments..., 3", "size, [=](auto i) {}"]
)
def test_what_a_caller_hands_on_may_be_any_range(argument: str) -> None:
    before = "template <typename S, typename... A> void run(sycl::queue &q, S size, A &&...arguments)"
    launch = only(f"{before} {{ q.parallel_for({argument}); }}")
    assert (launch.kind, launch.dims) == (LaunchKind.UNKNOWN, None)
    assert (extents(launch.global_range), extents(launch.local_range)) == ("?", "?")


@pytest.mark.parametrize(
    ("argument", "kind", "dims"),
    [
        ("size, [=](sycl::id<2> i) {}", FLAT, 2),
        ("size, [=](sycl::nd_item<2> i) {}", ND, 2),
        ("sycl::range<2>(8, 8), arguments...", FLAT, 2),
    ],
)
def test_what_is_seen_of_a_launch_outweighs_what_is_handed_on(argument: str, kind: LaunchKind, dims: int) -> None:
    before = "template <typename S, typename... A> void run(sycl::queue &q, S size, A &&...arguments)"
    launch = only(f"{before} {{ q.parallel_for({argument}); }}")
    assert (launch.kind, launch.dims) == (kind, dims)


def test_a_range_that_is_handed_on_by_a_visible_caller_is_the_callers() -> None:
    before = "template <typename S> void run(sycl::queue &q, S size) { q.parallel_for(size, [=](auto i) {}); }"
    launch = only(f"{before} void use(sycl::queue &q) {{ run(q, sycl::nd_range<1>(64, 8)); }}")
    assert (launch.kind, extents(launch.local_range)) == (ND, "8")


@pytest.mark.parametrize(
    ("cases", "local"),
    [
        ("case 32: break; case 16: LAUNCH break; default: break;", "16"),
        ("case 32: case 16: LAUNCH break;", "16 | 32"),
        ("case 32: n = 3; case 16: LAUNCH break;", "unknown"),
        ("case 16: n *= 2; LAUNCH break;", "32"),
        ("case 16: LAUNCH n = 3; break;", "16"),
        ("default: LAUNCH break;", "unknown"),
        ("case 16: default: LAUNCH break;", "unknown"),
    ],
)
def test_a_size_in_a_case_is_the_label(cases: str, local: str) -> None:
    kernel = "q.parallel_for(sycl::nd_range<1>(1024, n), [=](sycl::nd_item<1> it) {});"
    launch = in_queue(f"switch (n) {{ {cases.replace('LAUNCH', kernel)} }}")
    assert launch.work_group_size is not None
    assert spelled(settled(launch.work_group_size)) == local


DIM = """
struct Dim {
  unsigned fast, slow;
  Dim(unsigned a, unsigned b = 2) : fast(a), slow(b) {}
  operator sycl::range<2>() const { return sycl::range<2>(slow, fast); }
};
inline Dim operator*(const Dim &a, const Dim &b) { return Dim(a.fast * b.fast, a.slow * b.slow); }
inline Dim operator+(const Dim &a, const Dim &b) { return Dim(a.fast, b.slow); }
"""


@pytest.mark.parametrize(
    ("statements", "ranges", "shape"),
    [
        ("dpct::dim3 g(4, 2), b(16, 8);", "<3>(g * b, b)", ("1x16x64", "1x8x16")),
        ("dpct::dim3 g(n, 2), b(16);", "<3>(g * b, b)", ("1x2x?", "1x1x16")),
        ("dpct::dim3 g(4), b; b.x = 8; b.z = 2;", "<3>(g * b, b)", ("2x1x32", "2x1x8")),
        ("syclcompat::dim3 b = 16;", "<3>(dpct::dim3(2) * b, b)", ("1x1x32", "1x1x16")),
        ("dpct::dim3 b{8}; if (wide) b.x = 16;", "<1>(b.x * 4, b.x)", ("?", "?")),
        ("dpct::dim3 b(8, 4);", "<3>(sycl::range<3>(2, 3, 4) * b, b)", ("2x12x32", "1x4x8")),
        ("dpct::dim3 b(sycl::range<3>(1, 2, 4));", "<2>({b.y, b.x}, {b.y, b.x})", ("2x4", "2x4")),
        ("Dim g(4), b(8, 4);", "<2>(g * b, b)", ("8x32", "4x8")),
        ("Dim g(4), b(8, 4);", "<2>(g + b, b)", ("4x4", "4x8")),
        ("Dim b{8, 4};", "<2>(sycl::range<2>(2, 2) * b, b)", ("8x16", "4x8")),
        ("Dim b(8, 4); b.fast = 2;", "<2>(b, b)", ("4x2", "4x2")),
        ("Dim b(8, 4); change(b);", "<2>(b, b)", ("?x?", "?x?")),
    ],
)
def test_a_class_that_becomes_a_range_is_one(statements: str, ranges: str, shape: tuple[str, str]) -> None:
    launch = in_queue(f"{statements} q.parallel_for(sycl::nd_range{ranges}, [=](auto it) {{}});", DIM)
    assert (extents(launch.global_range), extents(launch.local_range)) == shape


AS_RANGE = "operator sycl::range<1>() const { return sycl::range<1>(a); }"


@pytest.mark.parametrize(
    ("struct", "local"),
    [
        (
            "struct D { int a; D(int n) : a(n) {} operator sycl::range<1>() const { return sycl::range<1>(a * 2); } };",
            "16",
        ),
        (f"struct D {{ int a; D(int n) : a(n) {{}} void grow() {{ a *= 2; }} {AS_RANGE} }};", "8"),
        (f"struct D : B {{ int a; D(int n) : a(n) {{}} {AS_RANGE} }};", "8"),
        (
            (
                "struct D { int a; D(int n) : a(n) {} operator sycl::range<1>(); };"
                " D::operator sycl::range<1>() { return a; }"
            ),
            "?",
        ),
        (f"struct D {{ int a; D(int n) : a(n) {{ a += 4; }} {AS_RANGE} }};", "12"),
        (f"struct D {{ int a; D(int n); {AS_RANGE} }}; D::D(int n) : a(n) {{}}", "8"),
        (f"struct D {{ int a; D(int n) : a(n) {{ a++; }} {AS_RANGE} }};", "9"),
        (f"struct D {{ int a; D(int n); {AS_RANGE} }};", "?"),
    ],
)
def test_a_conversion_function_says_which_range(struct: str, local: str) -> None:
    launch = in_queue("D d(8); q.parallel_for(sycl::nd_range<1>(d, d), [=](auto it) {});", struct)
    assert extents(launch.local_range) == local


CUT_LAUNCH = "q.parallel_for(sycl::nd_range<1>(1024, size), [=](sycl::nd_item<1> it) {});"


@pytest.mark.parametrize(
    ("statements", "local"),
    [
        (f"#ifdef GPU\nif (wide) {{ int size = 64; {CUT_LAUNCH} }} else\n#endif\n{{ n = 1; }}", "64"),
        (f"#if defined(GPU)\nif (wide) {{ int size = 32; size *= 2; {CUT_LAUNCH} }} else\n#endif\n{{ n = 1; }}", "64"),
        (f"int size = 64;\n#ifdef GPU\nif (wide) {{ {CUT_LAUNCH} }} else\n#endif\n{{ n = size; }}", "64"),
        # What the branch that was not read does would count here.
        (f"int size = 64;\n#ifdef GPU\nif (wide) {{ size = 32; }} else\n#endif\n{{ n = 1; }}\n{CUT_LAUNCH}", "?"),
        (
            (
                "int size = 64;\n#ifdef GPU\nif (wide) { size = 32; } else\n#endif\n{ n = 1; }\n"
                f"#ifdef GPU\nif (wide) {{ {CUT_LAUNCH} }} else\n#endif\n{{ n = 2; }}"
            ),
            "?",
        ),
    ],
)
def test_a_branch_that_cuts_a_statement_in_two_is_compiled_as_a_whole(statements: str, local: str) -> None:
    assert extents(in_queue(f"\n{statements}\n").local_range) == local
