"""Waits, barriers and dependencies taken out of a program, one at a time."""

from pathlib import Path

import pytest

from benchmarks.mutations import main, mutations

PROGRAM = b"""
#include <cstdio>
#include <sycl/sycl.hpp>

void reverse(sycl::queue &q, float *device, float *host, sycl::event before) {
  q.submit([&](sycl::handler &h) {
    h.depends_on(before);
    sycl::local_accessor<float, 1> tile(64, h);
    h.parallel_for(sycl::nd_range<1>(64, 64), [=](sycl::nd_item<1> item) {
      size_t i = item.get_local_id(0);
      tile[i] = device[i];
      sycl::group_barrier(
          item.get_group());
      device[i] = tile[63 - i];
    });
  });
  q.memcpy(host, device, 64 * sizeof(float)).wait();
  std::printf("%", host[0]);
}
"""


def test_every_wait_barrier_and_dependency_is_taken_out() -> None:
    assert [(each.kind, each.line) for each in mutations(PROGRAM)] == [
        ("dependency", 7),
        ("barrier", 12),
        ("wait", 17),
    ]


def test_what_remains_stays_where_it_was() -> None:
    for mutation in mutations(PROGRAM):
        changed = mutation.applied(PROGRAM)
        assert changed != PROGRAM
        assert len(changed) == len(PROGRAM)
        assert changed.count(b"\n") == PROGRAM.count(b"\n")
    assert b"  q.memcpy(host, device, 64 * sizeof(float))       ;" in changed


def test_what_is_newly_said_is_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "main.cpp").write_bytes(PROGRAM)
    monkeypatch.chdir(tmp_path)
    assert main([".", "--kind", "wait", "--kind", "barrier", "--list", "noticed"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines == [
        "SYC306     barrier main.cpp:12: sycl::group_barrier(",
        "SYC1102    wait main.cpp:17: q.memcpy(host, device, 64 * sizeof(float)).wait();",
        "barrier: 1 of 1 noticed (SYC306 1)",
        "wait: 1 of 1 noticed (SYC1102 1)",
    ]


def test_a_copy_of_a_file_counts_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "main.cpp").write_bytes(PROGRAM)
    monkeypatch.chdir(tmp_path)
    assert main([".", "--kind", "barrier"]) == 0
    assert capsys.readouterr().out == "barrier: 1 of 1 noticed (SYC306 1)\n"
