"""Which barriers a kernel can reach: certain, none, or unknown."""

import pytest

from sycllint.device_code.scanning.scanner import Scanner
from tests.device_code.body import kernel
from tests.launch.snippet import in_queue, with_kernel


@pytest.mark.parametrize(
    ("body", "before"),
    [
        ("it.barrier();", ""),
        ("it.barrier(sycl::access::fence_space::local_space);", ""),
        ("it.get_group().barrier();", ""),
        ("sycl::group_barrier(it.get_group());", ""),
        ("group_barrier(it.get_group(), sycl::memory_scope::work_group);", "using namespace sycl;"),
        ("auto g = it.get_group(); sycl::group_barrier(g);", ""),
        ("const auto &g = it.get_group(); sycl::group_barrier(g);", ""),
        ("sycl::group<1> g = it.get_group(); sycl::group_barrier(g);", ""),
        ("auto copy = it; copy.barrier();", ""),
        ("if (it.get_local_id(0) == 0) { it.barrier(); }", ""),
        ("for (int i = 0; i < 4; ++i) it.barrier();", ""),
        ("auto g = it.get_sub_group(); { auto g = it.get_group(); sycl::group_barrier(g); }", ""),
        ("auto sync = [&] { it.barrier(); }; sync();", ""),
        ("auto e = it.async_work_group_copy(a, b, 3); it.wait_for(e);", ""),
        ("auto s = sycl::reduce_over_group(it.get_group(), 1, sycl::plus<>());", ""),
        ("sycl::joint_exclusive_scan(it.get_group(), a, b, c, sycl::plus<>());", ""),
        ("bool any = sycl::any_of_group(it.get_group(), true);", ""),
        ("int x = sycl::group_broadcast(it.get_group(), 3);", ""),
        ("sycl::group_barrier(sycl::ext::oneapi::experimental::this_group<1>());", ""),
        ("sync(it);", "void sync(sycl::nd_item<1> &item) { item.barrier(); }"),
        ("sync(it.get_group());", "void sync(sycl::group<1> g) { sycl::group_barrier(g); }"),
        ("sync(it.get_group());", "template <typename G> void sync(G g) { sycl::group_barrier(g); }"),
        (
            "sync(it.get_sub_group()); sync(it.get_group());",
            "template <typename G> void sync(G g) { group_barrier(g); }",
        ),
        ("outer(it);", "void inner(sycl::nd_item<1> i) { i.barrier(); } void outer(sycl::nd_item<1> i) { inner(i); }"),
        ("SYNC();", "#define SYNC() it.barrier()"),
        ("SYNC(it);", "#define SYNC(item) item.barrier()"),
        ("RUN(it.barrier());", "#define RUN(...) __VA_ARGS__"),
        ("RUN(sync, it);", "#define RUN(f, ...) f(__VA_ARGS__)\nvoid sync(sycl::nd_item<1> i) { i.barrier(); }"),
        (
            "Counted c(it);",
            (
                "int synced(sycl::nd_item<1> i) { i.barrier(); return 1; }"
                "struct Counted { int n; Counted(sycl::nd_item<1> it) : n(synced(it)) {} };"
            ),
        ),
        ("OUTER();", "#define INNER() it.barrier()\n#define OUTER() INNER()"),
        ("SYNC;", "#define SYNC it.barrier()"),
        ("SYNC(it.get_sub_group()); SYNC(it.get_group());", "#define SYNC(g) sycl::group_barrier(g)"),
        ("auto sync = wait; sync(it);", "void wait(sycl::nd_item<1> i) { i.barrier(); }"),
        ("Context c{it}; c.sync();", "struct Context { sycl::nd_item<1> it; void sync() { it.barrier(); } };"),
        ("Context c(it);", "struct Context { Context(sycl::nd_item<1> it) { it.barrier(); } };"),
        (
            "using Own = Context<4>; Own(it).sync();",
            "template <int N> struct Context { sycl::nd_item<1> it; void sync() { it.barrier(); } };",
        ),
        (
            "typedef Context<4> Own; Own c{it}; c.sync();",
            "template <int N> struct Context { sycl::nd_item<1> it; void sync() { it.barrier(); } };",
        ),
        (
            "all(it.get_group(), a, b, 0);",
            "template <typename... A> auto all(A... arguments) { return sycl::joint_reduce(arguments...); }",
        ),
        (
            "all(it.get_group(), 1);",
            (
                "template <typename G, typename... A> auto all(G g, A &&...arguments)"
                " { return sycl::reduce_over_group(g, std::forward<A>(arguments)...); }"
            ),
        ),
        (
            "outer(a, it);",
            (
                "template <typename... A> void inner(int *a, A &...more) { sync(more...); }"
                "void sync(sycl::nd_item<1> &i) { i.barrier(); }"
                "template <typename... A> void outer(A &...all) { inner(all...); }"
            ),
        ),
        ("auto all = [](auto... each) { sycl::joint_reduce(each...); }; all(it.get_group(), a, b, 0);", ""),
        (
            "auto g = syclex::group_with_scratchpad(it.get_group(), s); syclex::joint_reduce(g, a, b, 0, op);",
            "namespace syclex = sycl::ext::oneapi::experimental;",
        ),
        (
            "syclex::group_with_scratchpad g(it.get_group(), s); syclex::joint_sort(g, a, b);",
            "namespace syclex = sycl::ext::oneapi::experimental;",
        ),
        (
            "using R = Reduce<64>; R()(it);",
            "template <int N> struct Reduce { void operator()(sycl::nd_item<1> &i) const { i.barrier(); } };",
        ),
        (
            "using R = Reduce<64>; R{}(it);",
            (
                "template <int N> struct Reduce { void operator()(sycl::nd_item<1> &i) const; };"
                "template <int N> void Reduce<N>::operator()(sycl::nd_item<1> &i) const { i.barrier(); }"
            ),
        ),
    ],
)
def test_a_barrier_of_the_work_group(body: str, before: str) -> None:
    assert with_kernel(body, before).barrier is True


@pytest.mark.parametrize(
    ("body", "before"),
    [
        (
            "all(it.get_sub_group(), 1);",
            "template <typename... A> auto all(A... a) { return sycl::reduce_over_group(a...); }",
        ),
        (
            (
                "auto g = sycl::ext::oneapi::experimental::group_with_scratchpad(it.get_sub_group(), s);"
                " sycl::ext::oneapi::experimental::joint_sort(g, a, b);"
            ),
            "",
        ),
        ("", ""),
        ("x[it.get_global_id(0)] = 1;", ""),
        ("RUN(x[it.get_global_id(0)] = 1);", "#define RUN(...) __VA_ARGS__"),
        (
            "Counted c(it);",
            (
                "int counted(sycl::nd_item<1> i) { return i.get_local_id(0); }"
                "struct Counted { int n; Counted(sycl::nd_item<1> it) : n(counted(it)) {} };"
            ),
        ),
        ("sycl::group_barrier(it.get_sub_group());", ""),
        ("auto sg = it.get_sub_group(); sg.barrier();", ""),
        ("auto sg = it.get_sub_group(); sycl::group_barrier(sg);", ""),
        ("sycl::sub_group sg = it.get_sub_group(); auto s = sycl::reduce_over_group(sg, 1, sycl::plus<>());", ""),
        ("it.get_sub_group().barrier();", ""),
        ("sync(it.get_sub_group());", "template <typename G> void sync(G g) { sycl::group_barrier(g); }"),
        ("sync(it.get_sub_group());", "void sync(sycl::sub_group g) { sycl::group_barrier(g); }"),
        ("sycl::atomic_fence(sycl::memory_order::acq_rel, sycl::memory_scope::work_group);", ""),
        ("it.mem_fence();", ""),
        ("x[0] = square(3);", "int square(int v) { return v * v; }"),
        ("x[0] = sycl::sqrt(3.0f) + std::abs(-3) + sqrtf(3);", ""),
        ("repeat(it, 3);", "void repeat(sycl::nd_item<1> i, int n) { if (n > 0) repeat(i, n - 1); }"),
        (
            "ping(it, 3);",
            (
                "void ping(sycl::nd_item<1>, int); void pong(sycl::nd_item<1> i, int n) { ping(i, n); }"
                " void ping(sycl::nd_item<1> i, int n) { if (n) pong(i, n - 1); }"
            ),
        ),
    ],
)
def test_no_barrier_of_the_work_group(body: str, before: str) -> None:
    assert with_kernel(body, before).barrier is False


@pytest.mark.parametrize(
    ("body", "before"),
    [
        ("unseen(it);", ""),
        ("unseen(it.get_group());", ""),
        ("auto copy = it; unseen(copy);", ""),
        ("auto &same = it; unseen(same);", ""),
        ("library::unseen(it, 3);", ""),
        ("object.work(it);", ""),
        ("other.barrier();", ""),
        ("declared(it);", "void declared(sycl::nd_item<1> item);"),
        ("outer(it);", "void inner(sycl::nd_item<1> i); void outer(sycl::nd_item<1> i) { inner(i); }"),
        ("sycl::group_barrier(whatever);", ""),
        ("SYNC(it);", "#ifdef FAST\n#define SYNC(i)\n#else\n#define SYNC(i) i.barrier()\n#endif"),
        ('\n#include "body.inl"\n', ""),
        ("object.work(it);", "void work(double x) { x = 1; }"),
        ("unseen(&it);", ""),
        ("unseen(Arguments{it, 3});", ""),
        ("Context c(it); c.sync();", ""),
        ("Context c{it}; c.sync();", ""),
        ("Functor{}(it);", ""),
        ("SYNC_THREADS();", ""),
        ("SYNC_THREADS;", ""),
        ("syclcompat::wg_barrier();", ""),
        ("__spirv_ControlBarrier(2, 2, 0);", ""),
        ("sycl::ext::intel::esimd::barrier();", ""),
        ("other::wait(it);", "namespace one { void wait(sycl::nd_item<1> i) {} }"),
        ("other::wait(it);", "void wait(int) {}"),
        ("x[0] = unseen(3);", ""),
        ("x[0] = other::pure(3);", ""),
        ("Context c; c.meet();", ""),
        ("\n#ifdef SYNC\nit.barrier();\n#endif\n", ""),
    ],
)
def test_a_barrier_in_code_that_is_not_visible_is_unknown(body: str, before: str) -> None:
    assert with_kernel(body, before).barrier is None


@pytest.mark.parametrize(
    "body",
    [
        "\n#if 0\nit.barrier();\n#endif\n",
        "if constexpr (false) { it.barrier(); }",
        "auto sync = [&] { it.barrier(); };",
    ],
)
def test_a_barrier_that_is_never_reached_is_none(body: str) -> None:
    assert with_kernel(body).barrier is False


def test_the_call_operator_for_the_launch_s_dimensions_is_the_kernel() -> None:
    objects = (
        "struct K { void operator()(sycl::nd_item<2> i) const { i.barrier(); } };"
        "struct L { void operator()(sycl::nd_item<1> i) const { x[0] = 1; } int *x; };"
    )
    assert in_queue("q.parallel_for(sycl::nd_range<2>({64, 64}, {8, 8}), K{});", objects).barrier is True
    assert in_queue("q.parallel_for(sycl::nd_range<1>(64, 8), L{});", objects).barrier is False


def test_a_function_object_of_one_name_in_two_namespaces_is_the_one_named() -> None:
    objects = (
        "namespace a { struct K { void operator()(sycl::nd_item<1> i) const {} }; }"
        "namespace b { struct K { void operator()(sycl::nd_item<1> i) const { i.barrier(); } }; }"
    )
    assert in_queue("q.parallel_for(sycl::nd_range<1>(64, 8), b::K{});", objects).barrier is not False


def test_a_function_object_whose_operator_is_inherited_has_no_visible_body() -> None:
    objects = "struct B { void operator()(sycl::nd_item<1> i) const { i.barrier(); } }; struct K : B {};"
    assert in_queue("q.parallel_for(sycl::nd_range<1>(64, 8), K{});", objects).barrier is not False


def test_hierarchical_work_items_end_with_a_barrier() -> None:
    launch = in_queue(
        "q.submit([&](sycl::handler &h) { h.parallel_for_work_group(sycl::range<1>(4), sycl::range<1>(64),"
        " [=](sycl::group<1> g) { g.parallel_for_work_item([&](sycl::h_item<1> it) {}); }); });"
    )
    assert launch.barrier is True


def test_a_barrier_is_where_its_macro_is_used() -> None:
    code = "x[0] = 1; SYNC();"
    (barrier,) = with_kernel(code, "#define SYNC() it.barrier()").kernel.barriers
    assert barrier.span.end - barrier.span.start == len("SYNC()")


@pytest.mark.parametrize(
    ("body", "before", "expected"),
    [
        ("UNSEEN(it);", "", True),
        ("unseen(it.get_group());", "", True),
        ("WRAP(it);", "#define WRAP(x) unseen(x)\n", True),
        ("\n#ifdef SYNC\nit.barrier();\n#endif\n", "", True),
        ("y[0] = unseen(3);", "", False),
        ("__spirv_ControlBarrier(2, 2, 0);", "", False),
        ("Context c; c.meet();", "", False),
        ("it.barrier();", "", False),
    ],
)
def test_a_call_path_may_bring_barriers_where_an_item_is_handed_on(body: str, before: str, expected: bool) -> None:
    code = kernel(body, before)
    assert Scanner(code.evaluator).kernel(code.function, code.place).barriers_unknown is expected
