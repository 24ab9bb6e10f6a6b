"""Programs in other words."""

from pathlib import Path

import pytest

from benchmarks.rewrites import REWRITES, main, rewritten


@pytest.mark.parametrize(
    ("name", "before", "after"),
    [
        ("mirrored", "x = a < b;", "x = b > a;"),
        ("exchanged", "x = a * (b + 1);", "x = ((1 + b)) * a;"),
        ("negated", "if (a) b(); else c();", "if (!(a)) { c(); } else b();"),
        ("negated", "if (a) b();", "if (!(a)) { {} } else b();"),
        ("enclosed", "a(); int b;", "{ a(); } int b;"),
        ("expanded", "a = f(1);", "DO_(a = f(1));"),
        ("spelled-out", "a[i] += 2;", "a[i] = a[i] + (2);"),
        ("summed", "int x[4]; f(64, 0);", "int x[4]; f((64 + 0), 0);"),
        ("looped", "for (int i = 0; i < n; i++) f(i);", "{ int i = 0; while (i < n) { f(i); i++; } }"),
        ("left", "for (; i < n; i++) f(i);", "for (;; i++) { if (!(i < n)) break; f(i); }"),
        ("left", "for (;;) { if (a) continue; }", "for (;;) { if (a) continue; }"),
    ],
)
def test_a_rewrite_keeps_the_meaning(name: str, before: str, after: str) -> None:
    program = "#define N 64\nvoid f() { %s }\n"
    assert rewritten((program % before).encode(), REWRITES[name]).decode() == program % after


def test_what_is_said_of_a_program_does_not_depend_on_its_words(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "main.cpp").write_text("""
#include <sycl/sycl.hpp>
void scale(sycl::queue &q, float *a, float *b, int n) {
  q.submit([&](sycl::handler &h) {
    sycl::local_accessor<float, 1> tile(1024, h);
    h.parallel_for(sycl::nd_range<1>(n * 1024, 1024), [=](sycl::nd_item<1> it) {
      int i = it.get_local_id(0);
      if (it.get_global_id(0) >= n) return;
      tile[i] = a[i];
      sycl::group_barrier(it.get_group());
      for (int k = 512; k > 0; k /= 2) {
        if (i < k) tile[i] += tile[i + k];
      }
      b[it.get_global_id(0)] = tile[0];
    });
  });
  q.memcpy(a, b, n * sizeof(float));
  sycl::free(b, q);
}
""")
    assert main([str(tmp_path)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines == [f"{name}: of 4 findings 0 new, 0 lost" for name in REWRITES]
