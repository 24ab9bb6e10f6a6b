"""What is a launch of a SYCL kernel, and what only looks like one."""

import pytest

from sycllint.launch.kernel import LaunchKind
from tests.launch.snippet import extents, launches, only, with_kernel


@pytest.mark.parametrize(
    "code",
    [
        "void f(sycl::queue x) { x.parallel_for(1024, [=](int i) {}); }",
        "void f(sycl::handler &x) { x.parallel_for(1024, [=](int i) {}); }",
        "void f(const sycl::queue &x) { x.parallel_for(1024, [=](auto i) {}); }",
        "using Q = sycl::queue; void f(Q &x) { x.parallel_for(1024, [=](int i) {}); }",
        "namespace s = sycl; void f(s::queue &x) { x.parallel_for(1024, [=](int i) {}); }",
        "using namespace sycl; void f(queue &x) { x.parallel_for(1024, [=](int i) {}); }",
        "void f(cl::sycl::queue &x) { x.parallel_for(1024, [=](int i) {}); }",
        "void f(std::reference_wrapper<sycl::queue> x) { x.get().parallel_for(sycl::range<1>(1024), [=](int i) {}); }",
        "struct S { sycl::queue x; void f() { x.parallel_for(1024, [=](sycl::id<1> i) {}); } };",
        "struct S { sycl::queue x; void f() { this->x.parallel_for(1024, [=](sycl::id<1> i) {}); } };",
        "void f(sycl::queue *x) { x->parallel_for(1024, [=](sycl::id<1> i) {}); }",
        "void f(std::vector<sycl::queue> &all) { all[0].parallel_for(1024, [=](sycl::id<1> i) {}); }",
        "template <typename Q> void f(Q &any) { any.parallel_for(1024, [=](sycl::item<1> i) {}); }",
        "template <typename Q> void f(Q &any) { any.template parallel_for<class K>(1024, [=](sycl::id<1> i) {}); }",
        "void f(sycl::queue &x) { x.submit([&](auto &h) { h.parallel_for(1024, [=](auto i) {}); }); }",
        "void f(sycl::queue &x, Owner &o) { o.queue().parallel_for(1024, [=](auto i) {}); }",
    ],
)
def test_a_queue_or_a_handler_launches(code: str) -> None:
    launch = only(code)
    assert (launch.kind, extents(launch.global_range)) == (LaunchKind.RANGE, "1024")


@pytest.mark.parametrize(
    "code",
    [
        "void f() { tbb::parallel_for(0, 1024, [=](int i) {}); }",
        "void f() { tbb::parallel_for(tbb::blocked_range<int>(0, 9), [=](const tbb::blocked_range<int> &r) {}); }",
        "using namespace tbb; void f() { parallel_for(blocked_range<int>(0, 9), [=](const blocked_range<int> &) {}); }",
        "void f(tbb::task_arena &arena) { arena.parallel_for(1024, [=](int i) {}); }",
        "void f() { Kokkos::parallel_for(Kokkos::RangePolicy<>(0, 1024), [=](int i) {}); }",
        'void f() { Kokkos::parallel_for("name", 1024, [=](int i) {}); }',
        "void f() { std::for_each(std::execution::par, first, last, [](int i) {}); }",
        "void f() { concurrency::parallel_for(0, 1024, [=](int i) {}); }",
        (
            "struct Pool { template <class F> void parallel_for(int n, F f); };"
            "void f(Pool &queue) { queue.parallel_for(1024, [=](int i) {}); }"
        ),
        (
            "struct Pool { template <class F> void parallel_for(int n, F f);"
            " void f() { parallel_for(1024, [=](int i) {}); } };"
        ),
        (
            "struct range { range(int, int); }; struct Pool { template <class F> void parallel_for(range r, F f); };"
            "void f(Pool &p) { p.parallel_for(range(0, 1024), [=](int i) {}); }"
        ),
        "void f(ThreadPool &pool) { pool.parallel_for(1024, [=](int i) {}); }",
        "void f() { auto pool = make_pool(); pool.parallel_for(1024, [=](int i) {}); }",
        "void f(Pool &p) { p.parallel_for(1024, [=](raja::item<1> i) {}); }",
        "void f(Pool &p) { p.parallel_for(raja::nd_range<1>(1024, 640), [=](raja::nd_item<1> i) {}); }",
        "template <int N> struct item { int x; }; void f(Pool &p) { p.parallel_for(1024, [=](item<1> i) {}); }",
        (
            "struct Scheduler { template <class F> void single_task(F f); };"
            "void f(Scheduler &s) { s.single_task([=] {}); }"
        ),
        "void f() { /* q.parallel_for(sycl::range<1>(1024), [=](sycl::id<1> i) {}); */ }",
        'void f() { log("q.parallel_for(sycl::range<1>(1024), [=](sycl::id<1> i) {});"); }',
        (
            "struct my_queue { template <class F> void parallel_for(int n, F f); };"
            "void f(my_queue &q) { q.parallel_for(1024, [=](int i) {}); }"
        ),
        "void f(ThreadPool &stream) { stream.parallel_for(1024, [=](int i) {}); }",
        "void f(ThreadPool &s) { s.parallel_for(0, 1024, [=](int i) {}); }",
        "void f(Scheduler &sched) { sched.single_task([=] {}); }",
        "void nd_launch(int, int, int); void f() { nd_launch(1, 2, 3); }",
    ],
)
def test_what_shares_the_name_is_no_launch(code: str) -> None:
    assert launches(code) == ()


LAUNCH = "q.parallel_for(sycl::nd_range<1>(1024, {}), [=](sycl::nd_item<1> it) {{}});"


@pytest.mark.parametrize(
    "code",
    [
        f"void f(sycl::queue &q) {{\n#if 0\n{LAUNCH.format(640)}\n#endif\n{LAUNCH.format(64)} }}",
        (
            f"#define HAVE 1\nvoid f(sycl::queue &q) {{\n#ifdef HAVE\n{LAUNCH.format(64)}\n#else\n"
            f"{LAUNCH.format(640)}\n#endif\n}}"
        ),
        (
            f"#define SIZE 256\nvoid f(sycl::queue &q) {{\n#if SIZE > 512\n{LAUNCH.format(640)}\n#else\n"
            f"{LAUNCH.format(64)}\n#endif\n}}"
        ),
        f"void f(sycl::queue &q) {{ if constexpr (0) {{ {LAUNCH.format(640)} }} else {{ {LAUNCH.format(64)} }} }}",
        (
            f"void f(sycl::queue &q) {{ const int n = 640; if (n <= 512) {{ {LAUNCH.format('n')} }}"
            f" else {{ {LAUNCH.format(64)} }} }}"
        ),
        f"void f(sycl::queue &q) {{ {LAUNCH.format(64)} return; {LAUNCH.format(640)} }}",
    ],
)
def test_a_launch_that_is_never_reached_is_silent(code: str) -> None:
    assert [extents(each.local_range) for each in launches(code)] == ["64"]


@pytest.mark.parametrize(
    "before",
    [
        pytest.param("void convert(int *p) NOT_IMPLEMENTED;", id="body by a macro"),
        pytest.param("template <typename T>\nvoid convert(T *p) NOT_IMPLEMENTED;", id="template's body by a macro"),
        pytest.param("NOT_IMPLEMENTED;", id="alone"),
        pytest.param("REFUSE(1);", id="with arguments"),
    ],
)
def test_what_stands_before_a_function_in_its_namespace_does_not_end_it(before: str) -> None:
    macros = "#define NOT_IMPLEMENTED { throw 1; }\n#define REFUSE(x) throw (x)"
    run = "void run(sycl::queue &q) { q.parallel_for(sycl::nd_range<1>(1024, 64), [=](sycl::nd_item<1> it) {}); }"
    for code in (f"namespace app {{ {before}\n{run} }}", f"{before}\n{run}", f"namespace {{ {before}\n{run} }}"):
        assert extents(only(f"{macros}\n{code}").local_range) == "64"


def test_a_macro_with_a_launch_launches_where_it_is_used() -> None:
    code = f"""
#define RUN(n) {LAUNCH.format("n")}
void f(sycl::queue &q) {{
  RUN(64)
  RUN(128)
}}"""
    assert [extents(each.local_range) for each in launches(code)] == ["64", "128"]


def test_launches_come_in_source_order() -> None:
    code = f"void f(sycl::queue &q) {{ {LAUNCH.format(8)} {LAUNCH.format(4)} {LAUNCH.format(16)} }}"
    assert [extents(each.local_range) for each in launches(code)] == ["8", "4", "16"]


def test_a_free_function_of_the_library_launches() -> None:
    code = """
namespace syclex = sycl::ext::oneapi::experimental;
void f(sycl::queue &q) { syclex::nd_launch(q, sycl::nd_range<1>(1024, 64), [=](sycl::nd_item<1> it) {}); }"""
    launch = only(code)
    assert (launch.kind, extents(launch.local_range)) == (LaunchKind.ND_RANGE, "64")


OPENED = "using namespace sycl; using namespace sycl::ext::oneapi::experimental;"
FREELY = "parallel_for(q, sycl::nd_range<1>(1024, 64), [=](sycl::nd_item<1> it) {});"


@pytest.mark.parametrize(
    "opening",
    [
        OPENED,
        "using namespace sycl; using namespace ext::oneapi::experimental;",
        "namespace ex = sycl::ext::oneapi::experimental; using namespace ex;",
    ],
)
@pytest.mark.parametrize(
    "code",
    [
        "void f(sycl::queue &q) { FREELY }",
        "void f() { sycl::queue q; FREELY }",
        "void f(sycl::queue &p) { submit(p, [&](sycl::handler &q) { FREELY }); }",
    ],
)
def test_a_free_function_launches_where_its_namespace_is_opened(opening: str, code: str) -> None:
    launch = only(f"{opening} {code.replace('FREELY', FREELY)}")
    assert (launch.kind, extents(launch.local_range)) == (LaunchKind.ND_RANGE, "64")


@pytest.mark.parametrize(
    "code",
    [
        f"using namespace sycl; void f(sycl::queue &q) {{ {FREELY} }}",
        f"template <class... A> void parallel_for(A... a); {OPENED} void f(sycl::queue &q) {{ {FREELY} }}",
        f"{OPENED} void f(Policy &q) {{ {FREELY} }}",
        f"{OPENED} void f() {{ {FREELY.replace('q,', 'make(),')} }}",
        f"{OPENED} void f(sycl::queue &q) {{ tbb::{FREELY} }}",
    ],
    ids=["not opened", "the project's own", "no queue", "nothing known of the first argument", "another library's"],
)
def test_other_free_functions_of_its_name_do_not(code: str) -> None:
    assert launches(code) == ()


def test_a_launch_that_does_not_parse_has_no_body() -> None:
    launch = only(
        "void f(sycl::queue &q) { q.parallel_for(sycl::nd_range<1>(64, 8), [=](sycl::nd_item<1> it) { ) }); }"
    )
    assert not launch.kernel.body_found
    assert launch.barrier is None


@pytest.mark.parametrize(("statement", "barrier"), [("value = (REAL)(n - 1);", False), ("SYNCHRONIZE;", None)])
def test_a_bare_name_that_is_no_type_may_hide_a_barrier(statement: str, barrier: bool | None) -> None:
    launch = with_kernel(f"double value; {statement}", "#define REAL double")
    assert launch.barrier is barrier
