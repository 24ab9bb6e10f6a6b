"""What kernels hold: captures of lambdas, members of function objects, without SYCL's own objects."""

import pytest

from sycllint.semantics.answers import Held
from sycllint.semantics.commands import INCLUDE, command_of
from sycllint.semantics.unit import ParsedUnit, parse
from sycllint.source.disk import Disk

pytest.importorskip("clang.cindex")

SOURCE = """\
#include <sycl/sycl.hpp>
struct Base { float weights[100]; };
struct Plain : Base {
  float table[600], unused[9000];
  sycl::accessor<float, 1> input;
  int *output;
  void operator()(sycl::id<1> i) const { output[i] = table[i] + weights[0] + twice(); }
  int twice() const { return 2 * count; }
  int count;
};
template <class T> struct Wide {
  T table[600];
  T *output;
  void operator()(sycl::nd_item<1> it) const { output[0] = table[it.get_global_id(0)]; }
  void operator()(sycl::id<1>) const { output[0] = 0; }
};
template <class T, int N> struct Tall {
  T table[N];
  void operator()(sycl::id<1> i) const { (void)table[i]; }
};
struct Elsewhere { float table[600]; void operator()(sycl::id<1>) const; };
struct Mixed { sycl::local_accessor<float, 1> tile; float table[600]; };
template <class T> void in_template(sycl::queue &q, T *y) {
  T coefficient[600];
  q.parallel_for(sycl::range<1>(64), [=](sycl::id<1> i) { y[i] = coefficient[i]; });
}
void f(sycl::queue &q, Plain plain, Wide<double> wide, Elsewhere elsewhere, Mixed mixed) {
  q.parallel_for(sycl::range<1>(64), plain);
  q.parallel_for(sycl::nd_range<1>(64, 64), wide);
  q.parallel_for(sycl::range<1>(64), Tall<char, 3000>{});
  q.parallel_for(sycl::range<1>(64), elsewhere);
  q.parallel_for(sycl::range<1>(64), [=](sycl::id<1> i) { (void)mixed.table[i]; });
  float *y = nullptr;
  double *z = nullptr;
  in_template(q, y);
  in_template(q, z);
}
"""


@pytest.fixture(scope="module")
def unit(tmp_path_factory: pytest.TempPathFactory) -> ParsedUnit:
    path = tmp_path_factory.mktemp("unit") / "a.cpp"
    path.write_text(SOURCE)
    command = command_of(
        str(path), database=None, defines={}, folders=(), headers=f"{INCLUDE}/declarations", disk=Disk()
    )
    found = parse(str(path), command, {})
    assert found is not None
    assert found.errors == []
    return found


def held(unit: ParsedUnit, text: str) -> Held | None:
    start = SOURCE.index(text + ");")
    return unit.held_by_object(unit.main, start, start + len(text))


def test_a_function_object_holds_the_members_that_its_call_operator_uses(unit: ParsedUnit) -> None:
    found = held(unit, "plain")
    assert found is not None
    assert [(each.name, each.bytes) for each in found.parts] == [
        ("table", 2400), ("weights", 400), ("output", 8), ("count", 4),
    ]  # fmt: skip


def test_of_several_call_operators_only_what_all_use_counts(unit: ParsedUnit) -> None:
    found = held(unit, "wide")
    assert found is not None
    assert [each.name for each in found.parts] == ["output"]


def test_members_of_an_instantiation_have_its_sizes(unit: ParsedUnit) -> None:
    found = held(unit, "Tall<char, 3000>{}")
    assert found is not None
    assert found.bytes == 3000


def test_a_call_operator_without_a_visible_definition_says_nothing(unit: ParsedUnit) -> None:
    assert held(unit, "elsewhere") is None


def test_accessors_in_a_captured_object_do_not_count(unit: ParsedUnit) -> None:
    found = unit.held_by_lambda(unit.main, SOURCE.index("[=](sycl::id<1> i) { (void)mixed"))
    assert found is not None
    assert found.bytes == 2400


def test_a_kernel_of_a_template_holds_what_its_smallest_instantiation_does(unit: ParsedUnit) -> None:
    offset = SOURCE.index("[=](sycl::id<1> i) { y[i]")
    to_double = SOURCE.index("in_template(q, z)")
    way = ((unit.main, to_double, to_double + len("in_template(q, z)")),)
    least, meant = unit.held_by_lambda(unit.main, offset), unit.held_by_lambda(unit.main, offset, way)
    assert least is not None
    assert meant is not None
    assert (least.bytes, meant.bytes) == (2408, 4808)
