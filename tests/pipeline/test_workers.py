"""Several processes report what one reports; a process that ends too early costs only time."""

import os
import signal
from pathlib import Path

import pytest

from sycllint.config import Config
from sycllint.diagnostic import Severity
from sycllint.pipeline import check
from sycllint.pipeline.linter import lint

KERNEL = """\
#include <sycl/sycl.hpp>
#include "sizes.h"
void f(sycl::queue q) {
  q.parallel_for(sycl::nd_range<1>(64000, GROUP), [=](sycl::nd_item<1> item) {});
}
"""

PARENT = os.getpid()


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Six folders with a program each, of which some do not launch."""
    monkeypatch.chdir(tmp_path)
    for number in range(6):
        folder = tmp_path / f"p{number}"
        folder.mkdir()
        (folder / "Makefile").write_text("all:\n")
        (folder / "sizes.h").write_text(f"#define GROUP {(number + 1) * 128}\n")
        for name in ("a", "b"):
            (folder / f"{name}.cpp").write_text(KERNEL)
    (tmp_path / "p0" / "broken.cpp").write_text(f"{KERNEL}\nvoid g( {{{{ sycl::queue")
    (tmp_path / "p1" / "binary.cpp").write_bytes(b"\0\1\2")
    return tmp_path


CONFIG = Config(targets=("tgl", "pvc"), severity={"SYC101": Severity.WARNING})


@pytest.mark.parametrize("jobs", [2, 4, 40])
def test_any_number_of_processes_reports_the_same(project: Path, jobs: int) -> None:
    alone = check(["."], CONFIG)
    assert len(alone.diagnostics) > 4
    assert check(["."], CONFIG, jobs=jobs) == alone


def test_the_order_of_the_arguments_is_kept(project: Path) -> None:
    paths = ["p5", "p0/b.cpp", "p3", "p0"]
    assert check(paths, CONFIG, jobs=3) == check(paths, CONFIG)


def test_progress_counts_to_the_end(project: Path) -> None:
    seen: list[tuple[int, int]] = []
    check(["."], CONFIG, jobs=2, on_progress=lambda done, total: seen.append((done, total)))
    assert seen == [(number, 20) for number in range(1, 21)]


@pytest.mark.skipif(os.name != "posix", reason="ends a process by a signal")
def test_the_files_of_a_process_that_dies_are_linted_nevertheless(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    alone = check(["."], CONFIG)

    def dying(run, candidate, part):  # type: ignore[no-untyped-def]
        if os.getpid() != PARENT and candidate.path == "p3/a.cpp":
            os.kill(os.getpid(), signal.SIGKILL)
        return lint(run, candidate, part)

    monkeypatch.setattr("sycllint.pipeline.workers.lint", dying)
    result = check(["."], CONFIG, jobs=2)
    assert result.diagnostics == alone.diagnostics
    assert (result.checked, result.complete) == (alone.checked, True)
    assert [each for each in result.notices if "died" in each] == [
        "a process died (exit code -9): its files were linted in this one"
    ]


@pytest.mark.skipif(os.name != "posix", reason="sends a signal")
def test_ctrl_c_ends_the_run_with_what_was_found(project: Path) -> None:
    def interrupt(done: int, total: int) -> None:
        if done == 8:
            raise KeyboardInterrupt

    result = check(["."], CONFIG, jobs=2, on_progress=interrupt)
    assert result.interrupted
    assert not result.complete
    assert 0 < len(result.linted) <= 8
