"""Defects made in a program, one at a time."""

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
    taken_out = [each for each in mutations(PROGRAM) if each.kind in {"dependency", "barrier", "wait"}]
    assert [(each.kind, each.line) for each in taken_out] == [("dependency", 7), ("barrier", 12), ("wait", 17)]


def test_what_remains_stays_on_its_line() -> None:
    for mutation in mutations(PROGRAM):
        changed = mutation.applied(PROGRAM)
        assert changed != PROGRAM
        assert changed.count(b"\n") == PROGRAM.count(b"\n")
        if mutation.kind == "wait":
            assert b"  q.memcpy(host, device, 64 * sizeof(float))       ;" in changed


@pytest.mark.parametrize(
    ("kind", "before", "after"),
    [
        ("guard", "int i = it.get_global_id(0); if (i < n) f(i);", "int i = it.get_global_id(0); f(i);"),
        ("guard", "int i = it.get_global_id(0); if (i >= n) return;", "int i = it.get_global_id(0); ;"),
        ("guard", "int i = b * it.get_group(0); if (i >= n) { return; }", "int i = b * it.get_group(0); ;"),
        ("guard", "int i = it.get_local_id(0); if (i < n) f(i); else g();", ""),
        ("guard", "int i = it.get_local_id(0); if (i < 16) f(i);", ""),
        ("guard", "int i = first; if (i < n) f(i);", ""),
        ("off-by-one", "auto i = it.get_local_id(); if (i < n) f(i);", "auto i = it.get_local_id(); if (i <= n) f(i);"),
        (
            "off-by-one",
            "auto i = it.get_local_id(); if (i >= n) return;",
            "auto i = it.get_local_id(); if (i > n) return;",
        ),
        ("local-memory", "sycl::local_accessor<T, 1> t(2 * n, h);", "sycl::local_accessor<T, 1> t((2 * n) / 2, h);"),
        (
            "local-memory",
            "local_accessor<T> t{sycl::range<1>(n), h};",
            "local_accessor<T> t{sycl::range<1>((n) / 2), h};",
        ),
        ("local-memory", "sycl::local_accessor<T, 2> t(sycl::range<2>(n, n), h);", ""),
        ("by-reference", "q.parallel_for(n, [=](auto i) {});", "q.parallel_for(n, [&](auto i) {});"),
        ("by-reference", "h.parallel_for<class K>(n, [=](auto i) {});", "h.parallel_for<class K>(n, [&](auto i) {});"),
        ("by-reference", "std::sort(a, b, [=](auto x, auto y) {});", ""),
        ("allocation", "p = sycl::malloc_shared<T>(n + 1, q);", "p = (T *)malloc((n + 1) * sizeof(T));"),
        ("wrong-free", "sycl::free(p, q);", "free(p);"),
        ("double-free", "sycl::free(p, q);", "sycl::free(p, q); sycl::free(p, q);"),
        ("direction", "q.memcpy(a, b, 4 * n);", "q.memcpy(b, a, 4 * n);"),
        ("direction", "memcpy(a, b, 4 * n);", ""),
        ("bytes", "q.memcpy(a, b, n * sizeof(T));", "q.memcpy(a, b, n);"),
        ("dimension", "f(it.get_local_id(0), it.get_local_id(1));", "f(it.get_local_id(1), it.get_local_id(1));"),
        ("group-size", "f();\n#define BLOCK_SIZE 256\n", "f();\n#define BLOCK_SIZE 2048\n"),
    ],
)
def test_a_defect_is_made(kind: str, before: str, after: str) -> None:
    program = "void k() {\n%s\n}\n"
    text = (program % before).encode()
    made = [each.applied(text) for each in mutations(text) if each.kind == kind]
    assert [b"".join(each.split()) for each in made] == [b"".join((program % after).encode().split())] * bool(after)


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


def test_a_file_may_be_limited_to_some_defects_of_each_kind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "main.cpp").write_bytes(PROGRAM + PROGRAM.replace(b"reverse", b"again"))
    monkeypatch.chdir(tmp_path)
    assert main([".", "--kind", "wait", "--per-file", "1"]) == 0
    assert capsys.readouterr().out == "wait: 1 of 1 noticed (SYC1102 1)\n"
