"""Fixes in host code: what is written, and where nothing is because it would be wrong."""

from pathlib import Path

import pytest

from sycllint.config import Config
from sycllint.pipeline.fixing import apply_fixes

HEAD = "#include <sycl/sycl.hpp>\n#include <vector>\n"
COPY = "int first(sycl::queue &q, const int *device) {\n  int host;\n  q.memcpy(&host, device, 4);\n  return host;\n}\n"
RECORDING = """\
void record(sycl::ext::oneapi::experimental::command_graph<> &graph, sycl::queue &q, const int *device) {
  graph.begin_recording(q);
  first(q, device);
  graph.end_recording(q);
}
"""


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)


def mended(text: str, *rules: str) -> str:
    """The text after all fixes; empty when there is none."""
    Path("a.cpp").write_text(HEAD + text)
    files = apply_fixes(["a.cpp"], Config(targets=("tgl",), select=rules), unsafe=True).files
    return files[0].after.decode() if files else ""


def test_a_wait_is_written_behind_the_copy() -> None:
    assert "q.memcpy(&host, device, 4).wait();" in mended(COPY, "SYC1102")


def test_no_wait_is_written_into_what_a_graph_may_record() -> None:
    assert mended(COPY + RECORDING, "SYC1102") == ""


@pytest.mark.parametrize(
    ("parameter", "kernel", "is_mended"),
    [
        ("int *p", "p[i] = 1;", True),
        ("std::vector<int> p", "p[i] = 1;", False),
        ("int p", "p = 1;", False),
    ],
)
def test_a_kernel_captures_copies_of_what_can_be_copied(parameter: str, kernel: str, *, is_mended: bool) -> None:
    text = f"void f(sycl::queue &q, {parameter}) {{ q.parallel_for(8, [&](sycl::id<1> i) {{ {kernel} }}); }}\n"
    assert ("[=]" in mended(text, "SYC1001")) is is_mended


@pytest.mark.parametrize(
    ("ranges", "becomes"),
    [("16, 64", "(16 * 64)"), ("256, 4096", "")],
)
def test_a_global_range_of_groups_is_multiplied_unless_the_two_are_swapped(ranges: str, becomes: str) -> None:
    body = "[=](sycl::nd_item<1> it) { p[it.get_global_id(0)] = 1; }"
    after = mended(
        f"void f(sycl::queue &q, int *p) {{ q.parallel_for(sycl::nd_range<1>({ranges}), {body}); }}", "SYC103"
    )
    assert becomes.strip("()") in after if becomes else not after
