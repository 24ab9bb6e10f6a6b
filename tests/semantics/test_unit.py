"""What clang answers about places in a file, with our own headers for what its package lacks."""

from pathlib import Path

import pytest

from sycllint.semantics.commands import INCLUDE, command_of
from sycllint.semantics.unit import ParsedUnit, parse
from sycllint.source.disk import Disk

pytest.importorskip("clang.cindex")

TEXT = """\
#include <array>
#include <climits>
#include <cstddef>
#include <limits>
namespace cfg {
template <class T> struct traits { static constexpr int size = 16; };
template <> struct traits<float> { static constexpr int size = 64; };
constexpr int pick(int a) { return a > 3 ? a * 2 : 7; }
constexpr int pick(double) { return 5; }
}
struct Base { double d; };
struct Derived : Base { char c; virtual ~Derived(); };
template <int N, class T> int eval(T x) { return N * 3 + sizeof(T) + cfg::traits<float>::size; }
template <class T> int once(T x) { return sizeof(x); }
int g(int n) {
  int run_time = n;
  float coefficient[600] = {};
  const int folded = 6;
  auto kernel = [=](int i) { return coefficient[i] + run_time; };
  auto generic = [=](auto i) { return coefficient[i]; };
  int a = cfg::pick(10) + cfg::pick(1.5) + sizeof(Derived) + folded + run_time;
  return a + std::numeric_limits<short>::max() + CHAR_BIT + kernel(1) + eval<4>(1.0) + eval<8>(n) + once('c');
}
"""


@pytest.fixture(scope="module")
def unit(tmp_path_factory: pytest.TempPathFactory) -> ParsedUnit:
    path = tmp_path_factory.mktemp("unit") / "a.cpp"
    path.write_text(TEXT)
    command = command_of(
        str(path), database=None, defines={}, folders=(), headers=f"{INCLUDE}/declarations", disk=Disk()
    )
    found = parse(str(path), command, {})
    assert found is not None
    assert found.errors == []
    return found


def number(unit: ParsedUnit, text: str) -> int | None:
    start = TEXT.rindex(text)
    found = unit.number(unit.main, start, start + len(text)).constant
    return None if found is None else found.value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("cfg::pick(10)", 20),
        ("cfg::pick(1.5)", 5),
        ("sizeof(Derived)", 24),
        ("folded", 6),
        ("std::numeric_limits<short>::max()", 32767),
    ],
)
def test_constants_are_folded_as_clang_does(unit: ParsedUnit, text: str, value: int) -> None:
    assert number(unit, text) == value


def test_a_run_time_value_is_not_answered(unit: ParsedUnit) -> None:
    assert number(unit, "run_time") is None


def test_instantiations_that_agree_answer_and_others_do_not(unit: ParsedUnit) -> None:
    assert number(unit, "cfg::traits<float>::size") == 64
    assert number(unit, "sizeof(x)") == 1
    assert number(unit, "sizeof(T)") is None
    assert number(unit, "N") is None


def test_an_expression_of_other_extent_is_not_answered(unit: ParsedUnit) -> None:
    start = TEXT.index("cfg::pick(10)")
    assert unit.number(unit.main, start, start + len("cfg::pick(10) ")).constant is None


def test_sizes_of_classes_with_bases_are_known(unit: ParsedUnit) -> None:
    assert unit.layout_of(unit.main, TEXT.index("Derived)")) == (24, 8)


def test_what_a_lambda_captures_is_counted(unit: ParsedUnit) -> None:
    found = unit.held_by_lambda(unit.main, TEXT.index("[=](int i)"))
    assert found is not None
    assert [(each.name, each.bytes) for each in found.parts] == [("coefficient", 2400), ("run_time", 4)]
    assert found.bytes == 2404


def test_a_file_outside_the_unit_has_no_answers(unit: ParsedUnit) -> None:
    assert unit.number("nowhere.cpp", 0, 4).constant is None


SYCL = """\
#include <sycl/sycl.hpp>
#include <CL/sycl.hpp>
void f(sycl::queue &q, float *y, std::vector<float> &v, int n) {
  sycl::buffer<float, 1> b(v.data(), sycl::range<1>(v.size()));
  sycl::buffer<int, 2> b2(sycl::range<2>(n, n));
  q.submit([&](sycl::handler &h) {
    sycl::accessor a(b, h, sycl::read_only);
    sycl::accessor a2(b2, h, sycl::write_only, sycl::no_init);
    auto c = b.get_access<sycl::access::mode::read_write>(h);
    sycl::local_accessor<sycl::float4, 2> t(sycl::range<2>(64, 2), h);
    h.parallel_for<class K>(sycl::nd_range<1>(n, 64), [=](sycl::nd_item<1> it) [[sycl::reqd_sub_group_size(16)]] {
      auto g = it.get_group();
      float x = a[it.get_global_id(0)] + sycl::sqrt(2.f) + sycl::fmin(1.f, c[0]);
      a2[1][2] = 3;
      a2[{1, 2}] = 4;
      t[1][0].x() = x;
      x += sycl::reduce_over_group(g, x, sycl::plus<>()) + sycl::shift_group_left(it.get_sub_group(), x, 1);
      sycl::atomic_ref<float, sycl::memory_order::relaxed, sycl::memory_scope::device> r(y[0]);
      r.fetch_add(x);
      sycl::float4 q4(x, x, x, x);
      q4 = q4 * 2.0f + q4;
      y[1] = q4.x() + sycl::dot(q4, q4);
      sycl::group_barrier(g);
    });
  }).wait();
  auto sum = sycl::reduction(y, sycl::plus<float>());
  q.parallel_for(sycl::nd_range<1>(n, 64), sum, [=](sycl::nd_item<1> it, auto &s) { s += 1; });
  q.parallel_for(sycl::range<1>(n), [=](sycl::id<1> i) { y[i] += 1; });
  auto most = q.get_device().get_info<sycl::info::device::max_work_group_size>();
  float *d = sycl::malloc_device<float>(n, q);
  q.memcpy(d, y, n * sizeof(float)).wait();
  sycl::free(d, q);
}
int main() {
  sycl::queue q{sycl::gpu_selector_v, sycl::property::queue::in_order{}};
  cl::sycl::queue old(cl::sycl::default_selector{});
}
"""


def test_kernels_parse_against_our_own_declarations(tmp_path: Path) -> None:
    path = tmp_path / "a.cpp"
    path.write_text(SYCL)
    for standard in ("c++17", "c++20"):
        command = command_of(
            str(path), database=None, defines={}, folders=(), headers=f"{INCLUDE}/declarations", disk=Disk()
        )
        arguments = tuple(f"-std={standard}" if each.startswith("-std") else each for each in command.arguments)
        found = parse(str(path), type(command)(arguments, listed=False, headers="", own_headers=True), {})
        assert found is not None
        assert found.errors == []


def test_declared_vectors_have_the_sizes_of_sycl(tmp_path: Path) -> None:
    path = tmp_path / "a.cpp"
    path.write_text(
        "#include <sycl/sycl.hpp>\n"
        "static_assert(sizeof(sycl::float3) == 16 && sizeof(sycl::float4) == 16 && sizeof(sycl::half) == 2);\n"
        "static_assert(alignof(sycl::double8) == 64 && sizeof(sycl::char2) == 2 && sizeof(sycl::int16) == 64);\n"
        "static_assert(sizeof(sycl::range<3>) == 24 && sizeof(sycl::id<2>) == 16);\n"
    )
    command = command_of(
        str(path), database=None, defines={}, folders=(), headers=f"{INCLUDE}/declarations", disk=Disk()
    )
    found = parse(str(path), command, {})
    assert found is not None
    assert found.errors == []
