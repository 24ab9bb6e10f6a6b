"""What is left of a file when its evaluator is released."""

import gc
import weakref

from sycllint.facts.collect import file_facts
from sycllint.launch.build import analyze_unit
from sycllint.observation import LAUNCHES_ALONE
from sycllint.source.text import SourceFile
from sycllint.symbols.unit import Unit
from sycllint.values.evaluate import Evaluator

CODE = b"""
template <int N> struct Fill {
  int *p;
  void operator()(sycl::nd_item<1> it) const { for (int i = 0; i < N; ++i) p[i] = helper(it, i); }
};
int helper(sycl::nd_item<1> it, int i) { it.barrier(); return i; }
struct Sizes { int group = 64; };
void run(sycl::queue &q, int *p) {
  Sizes sizes;
  q.parallel_for(sycl::nd_range<1>(1024, sizes.group), Fill<4>{p});
  q.submit([&](sycl::handler &h) {
    sycl::local_accessor<int> tile(64, h);
    h.parallel_for(sycl::nd_range<1>(1024, 64), [=](sycl::nd_item<1> it) { auto f = [&] { it.barrier(); }; f(); });
  });
}
"""


def test_nothing_of_a_file_waits_for_the_garbage_collector() -> None:
    gc.collect()
    gc.disable()
    try:
        facts = file_facts("a.cpp", CODE, {})
        unit = Unit((facts,))
        evaluator = Evaluator(unit, {})
        assert len(analyze_unit(SourceFile("a.cpp", CODE), facts, evaluator, wanted=LAUNCHES_ALONE).launches) == 2
        evaluator.release()
        alive = weakref.ref(unit)
        del facts, unit, evaluator
        assert alive() is None
    finally:
        gc.enable()
