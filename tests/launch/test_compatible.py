"""Launches by free functions: SYCLcompat's ``launch<kernel>``, and those of SYCL's extensions."""

import pytest

from sycllint.launch.kernel import KernelLaunch, LaunchKind
from tests.launch.snippet import extents, launches
from tests.values.program import spelled

BEFORE = """
#include <syclcompat.hpp>
namespace sc = syclcompat;
namespace sce = syclcompat::experimental;
namespace khr = sycl::khr;
namespace syclex = sycl::ext::oneapi::experimental;
void scale(float *data, int n) { data[0] *= n; }
void tile(float *data, char *memory) { data[0] = memory[0]; }
void counted(int n, float *data) {}
template <typename T> void typed(T *data) {}
void waits(float *data, int n) { sycl::group_barrier(sycl::ext::oneapi::this_work_item::get_work_group<3>()); }
[[sycl::reqd_sub_group_size(8)]] void narrow(float *data, int n) {}
"""


def all_of(call: str, before: str = BEFORE) -> tuple[KernelLaunch, ...]:
    return launches(f"{before}\nvoid run(sycl::queue q, float *d, int n) {{ {call}; }}")


def only(call: str, before: str = BEFORE) -> KernelLaunch:
    (launch,) = all_of(call, before)
    return launch


@pytest.mark.parametrize(
    ("call", "whole", "local"),
    [
        ("syclcompat::launch<scale>(sc::dim3(4), sc::dim3(8, 2), d, n)", "1x2x32", "1x2x8"),
        ("sc::launch<scale>(sc::dim3(4, 5, 6), sc::dim3(8), q, d, n)", "6x5x32", "1x1x8"),
        ("sc::launch<scale>(64, 32, d, n)", "1x1x2048", "1x1x32"),
        ("sc::launch<scale>(n, 32, d, n)", "1x1x?", "1x1x32"),
        ("sc::launch<scale>(grid, 32, d, n)", "?x?x?", "1x1x32"),
        ("sc::launch<scale>(sycl::range<1>(3), sycl::range<1>(32), d, n)", "1x1x96", "1x1x32"),
        ("sc::dim3 grid{2, 3}; sc::dim3 block = 16; sc::launch<scale>(grid, block, d, n)", "1x3x32", "1x1x16"),
        ("sc::launch<scale>(sycl::nd_range<1>(1024, 64), q, d, n)", "1x1x1024", "1x1x64"),
        ("sc::launch<scale>(sycl::nd_range<2>({8, 64}, {2, 32}), d, n)", "1x8x64", "1x2x32"),
        ("sc::launch<typed<float>>(sc::dim3(2), sc::dim3(8), d)", "1x1x16", "1x1x8"),
        ("sc::launch<&scale>(sc::dim3(2), sc::dim3(8), d, n)", "1x1x16", "1x1x8"),
        ("sce::launch<scale>(sce::launch_policy{sc::dim3(2), sc::dim3(8, 4)}, d, n)", "1x4x16", "1x4x8"),
        ("sce::launch_policy p(sc::dim3(2), sc::dim3(8)); sce::launch<scale>(p, q, d, n)", "1x1x16", "1x1x8"),
        ("auto p = sce::launch_policy{sycl::nd_range<2>({8, 8}, {4, 2})}; sce::launch<scale>(p, d, n)", "8x8", "4x2"),
        ("sce::launch<scale>(sce::launch_policy(sc::dim3(20)), d, n)", "1x1x20", "none"),
        ("sce::launch<scale>(sce::launch_policy{sycl::range<2>(4, 6)}, d, n)", "4x6", "none"),
        ("khr::launch_grouped(q, sycl::range<1>(1024), sycl::range<1>(64), [=](sycl::nd_item<1> i) {})", "1024", "64"),
        ("khr::launch(q, sycl::range<2>(10, 24), [=](sycl::id<2> i) {})", "10x24", "none"),
        (
            "syclex::nd_launch(q, syclex::launch_config{sycl::nd_range<1>(512, 32), p}, [=](sycl::nd_item<1> i) {})",
            "512",
            "32",
        ),
        (
            "syclex::launch_config c(sycl::nd_range<1>(512, 32)); syclex::nd_launch(q, c, [=](sycl::nd_item<1> i) {})",
            "512",
            "32",
        ),
        (
            "syclex::parallel_for(q, syclex::launch_config(sycl::range<1>(50)), [=](sycl::id<1> i) {})",
            "50",
            "none",
        ),
    ],
)
def test_sizes(call: str, whole: str, local: str) -> None:
    launch = only(call)
    assert (extents(launch.global_range), extents(launch.local_range)) == (whole, local)


def test_a_task() -> None:
    assert only("sycl::khr::launch_task(q, [=]() {})").kind is LaunchKind.SINGLE_TASK


def test_directives_open_the_library() -> None:
    opened = f"{BEFORE} using namespace syclcompat::experimental;"
    launch = only("launch<scale>(launch_policy{syclcompat::dim3(1), syclcompat::dim3(16)}, d, n)", opened)
    assert extents(launch.local_range) == "1x1x16"


@pytest.mark.parametrize(
    "call",
    [
        "launch<scale>(4, 8, d, n)",
        "std::launch<scale>(4, 8, d, n)",
        "project::launch<scale>(sc::dim3(4), sc::dim3(8), d, n)",
        "object.launch<scale>(sc::dim3(4), sc::dim3(8), d, n)",
        "sc::launch(4, 8)",
        "sycl::launch(q, sycl::range<1>(8), f)",
        "kernel_launcher::launch(f, 4, 8, 0, 0, d)",
        "project::kernel_launcher::launch(f, sc::dim3(4), sc::dim3(8), 0, 0, d)",
        "sc::launcher::launch(f, sc::dim3(4), sc::dim3(8), 0, 0, d)",
        "sc::kernel_launcher::launch(f, sc::dim3(4))",
        "other::khr::launch_grouped(q, sycl::range<1>(8), sycl::range<1>(8), f)",
    ],
)
def test_other_functions_launch_nothing(call: str) -> None:
    assert all_of(call) == ()


def test_a_visible_copy_of_the_library_is_followed() -> None:
    copy = """
namespace compat {
template <auto F, typename... Args> void launch(int blocks, int threads, sycl::queue q, Args... args) {
  q.parallel_for(sycl::nd_range<1>(blocks * threads, threads), [=](sycl::nd_item<1> it) { F(args...); });
}
}
"""
    launch = only("compat::launch<scale>(4, 48, q, d, n)", BEFORE + copy)
    assert extents(launch.local_range) == "48"


def test_sizes_come_from_the_callers() -> None:
    code = f"""{BEFORE}
static void run(sc::dim3 grid, sc::dim3 block, float *d) {{ sc::launch<scale>(grid, block, d, 3); }}
void all(float *d) {{ run(sc::dim3(1), sc::dim3(77), d); run({{1, 2}}, 99, d); }}"""
    assert [extents(each.local_range) for each in launches(code)] == ["1x1x77", "1x1x99"]


@pytest.mark.parametrize(
    ("call", "memory"),
    [
        ("sc::launch<scale>(4, 8, d, n)", "0"),
        ("sc::launch<tile>(4, 8, 4096, d)", "4096"),
        ("sc::launch<tile>(4, 8, 512 * sizeof(float), q, d)", "2048"),
        ("sc::launch<unseen>(4, 8, 512, d)", "unknown"),
        ("sce::launch<tile>(sce::launch_policy{sc::dim3(1), sc::dim3(8), sce::local_mem_size{96}}, d)", "96"),
        ("sce::launch<scale>(sce::launch_policy{sc::dim3(1), sc::dim3(8)}, d, n)", "0"),
        ("sce::local_mem_size m{64}; sce::launch<tile>(sce::launch_policy{sc::dim3(1), sc::dim3(8), m}, d)", "64"),
    ],
)
def test_local_memory(call: str, memory: str) -> None:
    total = spelled(only(call).local_memory.total)
    assert total == memory or (memory == "unknown" and not total.isdigit())


@pytest.mark.parametrize(
    ("call", "width"),
    [
        ("sc::launch<16, scale>(4, 8, d, n)", "16"),
        ("sce::launch<scale, 32>(sycl::nd_range<1>(64, 64), d, n)", "32"),
        ("sc::launch<narrow>(4, 8, d, n)", "8"),
        (
            "sce::launch<scale>(sce::launch_policy{1, 8, sce::kernel_properties{syclex::sub_group_size<16>}}, d, n)",
            "16",
        ),
        ("sc::launch<scale>(4, 8, d, n)", None),
    ],
)
def test_the_sub_group_size(call: str, width: str | None) -> None:
    size = only(call).sub_group_size
    assert (None if size is None else spelled(size.value)) == width


def test_the_kernel_is_looked_into() -> None:
    assert only("sc::launch<waits>(4, 8, d, n)").barrier is True
    assert only("sc::launch<scale>(4, 8, d, n)").barrier is False
    assert only("sc::launch<unseen>(4, 8, d, n)").barrier is None


def test_its_local_arrays_count() -> None:
    before = f"{BEFORE} void k(float *d, int n) {{ auto *s = sc::local_mem<float[64]>(); d[0] = s[0]; }}"
    assert spelled(only("sc::launch<k>(4, 8, d, n)", before).local_memory.total) == "256"


LAUNCHER = """
namespace dpct { class kernel_launcher { public:
  template <class F, class... A>
  static void launch(F *f, dim3 grid, dim3 block, unsigned bytes, queue_ptr q, A... args) {
    set(grid, block, bytes, q); f(args...);
  }
}; }
"""


@pytest.mark.parametrize("before", [BEFORE, BEFORE + LAUNCHER], ids=["not visible", "visible"])
@pytest.mark.parametrize(
    ("call", "whole", "local"),
    [
        ("dpct::kernel_launcher::launch(f, dpct::dim3(4), dpct::dim3(8, 2), 0, 0, d, n)", "1x2x32", "1x2x8"),
        ("::dpct::kernel_launcher::launch(f, 64, 32, 128, &q, d)", "1x1x2048", "1x1x32"),
        ("sc::kernel_launcher::launch(f, sc::dim3(3), sc::dim3(700), arguments, 0, 0)", "1x1x2100", "1x1x700"),
        ("dpct::kernel_launcher::launch(f, n, 32, 0, 0)", "1x1x?", "1x1x32"),
        ("dpct::kernel_launcher::launch(f, grid, block, 0, 0)", "?x?x?", "?x?x?"),
        ("dpct::kernel_launcher::launch(f, grid, 64, 0, 0)", "?x?x?", "1x1x64"),
    ],
)
def test_a_wrapper_function_is_launched(call: str, whole: str, local: str, before: str) -> None:
    launch = only(call, before)
    assert (extents(launch.global_range), extents(launch.local_range)) == (whole, local)
    assert launch.kind is LaunchKind.ND_RANGE
    assert not spelled(launch.local_memory.total).isdigit()


def test_directives_open_the_launcher() -> None:
    launch = only("kernel_launcher::launch(f, dim3(1), dim3(16), 0, 0, d)", f"{BEFORE} using namespace dpct;")
    assert extents(launch.local_range) == "1x1x16"
