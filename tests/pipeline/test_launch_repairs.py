"""What is wrong with a launch is mended at once: its range, the guard in its kernel, and the barriers behind that."""

from pathlib import Path

import pytest

from sycllint.config import Config
from sycllint.pipeline.fixing import FixRun, apply_fixes

HEAD = "#include <sycl/sycl.hpp>\nconstexpr size_t n = 1000;\nconstexpr size_t block = 256;\n"
RULES = ("SYC102", "SYC103", "SYC501", "SYC502", "SYC802")
AN_EARLY_RETURN = """\
void smooth(sycl::queue &q, const float *from, float *to) {
  q.submit([&](sycl::handler &h) {
    sycl::local_accessor<float, 1> tile(block, h);
    h.parallel_for(sycl::nd_range<1>(GLOBAL, block), [=](sycl::nd_item<1> it) {
      const size_t i = it.get_global_id(0);
      if (i >= n) return;
      const size_t lid = it.get_local_id(0);
      tile[lid] = from[i];  // mine
      sycl::group_barrier(it.get_group());
      float sum = tile[lid];
      if (lid > 0) sum += tile[lid - 1];
      to[i] = sum;
    });
  });
}
"""
A_FLAG = """\
      const size_t i = it.get_global_id(0);
      const bool inside = i < n;
      const size_t lid = it.get_local_id(0);
      if (inside) {
        tile[lid] = from[i];  // mine
      }
      sycl::group_barrier(it.get_group());
      if (inside) {
        float sum = tile[lid];
        if (lid > 0) sum += tile[lid - 1];
        to[i] = sum;
      }
"""


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)


def mended(text: str, *, unsafe: bool = True) -> FixRun:
    Path("a.cpp").write_text(HEAD + text)
    return apply_fixes(["a.cpp"], Config(targets=("tgl",), select=RULES), unsafe=unsafe)


def after(run: FixRun) -> str:
    return run.files[0].after.decode() if run.files else ""


def test_an_early_return_before_a_barrier_becomes_a_flag() -> None:
    run = mended(AN_EARLY_RETURN.replace("GLOBAL", "1024"))
    assert A_FLAG in after(run)
    assert run.result.diagnostics == ()


def test_a_flag_is_unsafe() -> None:
    assert mended(AN_EARLY_RETURN.replace("GLOBAL", "1024"), unsafe=False).files == ()


def test_a_range_is_rounded_up_together_with_the_flag_that_this_asks_for() -> None:
    run = mended(AN_EARLY_RETURN.replace("GLOBAL", "n"))
    assert A_FLAG in after(run)
    assert "sycl::nd_range<1>((n + block - 1) / block * block, block)" in after(run)
    assert run.result.diagnostics == ()


def test_a_range_is_not_rounded_up_without_the_flag_that_this_asks_for() -> None:
    run = mended(AN_EARLY_RETURN.replace("GLOBAL", "n"), unsafe=False)
    assert run.files == ()
    assert [each.code for each in run.result.diagnostics] == ["SYC102"]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("if (lid > 0)", "if (lid > n) return;\n      if (lid > 0)"),
        ("sycl::group_barrier(it.get_group());", "for (int k = 0; k < 2; ++k) sycl::group_barrier(it.get_group());"),
        ("sum += tile[lid - 1];", "sum += tile[lid - 1];\n      sycl::group_barrier(it.get_group());"),
        ("if (i >= n) return;", "if (i >= n) /* past the end */ return;"),
    ],
    ids=["another return", "a barrier in a loop", "a variable needed behind two barriers", "a comment that would go"],
)
def test_a_return_stays_where_a_flag_would_not_do(old: str, new: str) -> None:
    assert mended(AN_EARLY_RETURN.replace("GLOBAL", "1024").replace(old, new)).files == ()


def test_a_return_is_left_alone_where_nothing_proves_that_it_parts_a_group() -> None:
    run = mended(AN_EARLY_RETURN.replace("GLOBAL", "m").replace("float *to)", "float *to, size_t m)"))
    assert run.files == ()
    assert [each.severity.label for each in run.result.diagnostics] == ["warning"]


A_GRID = """\
void clear(sycl::queue &q, float *cells) {
  sycl::range<3> grid(1, 1, 16), threads(1, 1, 64);
  q.parallel_for(sycl::nd_range<3>(grid, threads), [=](sycl::nd_item<3> it) { cells[it.get_global_linear_id()] = 0; });
}
"""


def test_a_grid_of_groups_is_multiplied_by_the_local_range_when_asked_to() -> None:
    run = mended(A_GRID)
    assert "sycl::nd_range<3>(grid * threads, threads)" in after(run)
    assert run.result.diagnostics == ()
    assert mended(A_GRID, unsafe=False).files == ()
