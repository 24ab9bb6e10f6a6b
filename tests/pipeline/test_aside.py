"""What changed is linted by a copy of the process while the rest is looked up, and comes to the same."""

import os
import signal
import sys
from pathlib import Path

import pytest

from sycllint.config import Config
from sycllint.pipeline import Result, check, files, linter
from sycllint.pipeline.aside import begun
from sycllint.pipeline.cache import Cache
from sycllint.pipeline.cache_folder import FOLDER

pytestmark = pytest.mark.skipif(
    sys.platform != "linux" or len(os.sched_getaffinity(0)) < 2, reason="no copies here, or no core for one"
)

CONFIG = Config(targets=("tgl",))
KERNEL = """\
#include <sycl/sycl.hpp>
void f(sycl::queue q) {
  q.parallel_for(sycl::nd_range<1>(64000, GROUP), [=](sycl::nd_item<1> item) {});
}
"""
PARENT = os.getpid()


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Five folders, all in the cache, one of them changed since; a second process is worth it from two files on."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(files, "MANY_FILES", 2)
    for number in range(5):
        (tmp_path / f"p{number}").mkdir()
        (tmp_path / f"p{number}" / "main.cpp").write_text(KERNEL.replace("GROUP", "64"))
    run()
    (tmp_path / "p3" / "main.cpp").write_text(KERNEL.replace("GROUP", "640"))
    return tmp_path


def run(jobs: int | None = None) -> Result:
    return check(["."], CONFIG, cache=Cache(FOLDER), jobs=jobs, raise_rule_errors=True)


def said(result: Result) -> list[str]:
    return [f"{each.location.path}: {each.message}" for each in result.diagnostics if each.code == "SYC101"]


def test_what_changed_is_linted_elsewhere_and_reported_here(project: Path, linted: list[str]) -> None:
    assert said(run()) == ["p3/main.cpp: work-group 640 exceeds max 512 on tgl"]
    assert linted == []
    assert said(run()) == ["p3/main.cpp: work-group 640 exceeds max 512 on tgl"]  # from the cache


def test_one_process_is_one_process(project: Path, linted: list[str]) -> None:
    assert said(run(jobs=1)) == ["p3/main.cpp: work-group 640 exceeds max 512 on tgl"]
    assert linted == ["p3/main.cpp"]


def test_the_files_of_a_copy_that_dies_are_linted_here(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    original = linter.lint

    def dying(run, candidate, part):  # type: ignore[no-untyped-def]
        if os.getpid() != PARENT:
            os.kill(os.getpid(), signal.SIGKILL)
        return original(run, candidate, part)

    monkeypatch.setattr(linter, "lint", dying)
    assert said(run()) == ["p3/main.cpp: work-group 640 exceeds max 512 on tgl"]


def test_an_interrupted_run_leaves_no_process(project: Path) -> None:
    def interrupt(done: int, total: int) -> None:
        if done == 4:
            raise KeyboardInterrupt

    result = check(["."], CONFIG, cache=Cache(FOLDER), on_progress=interrupt)
    assert result.interrupted
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)


def test_an_outcome_comes_back() -> None:
    aside = begun(lambda: ["as it was", os.getpid()])
    assert aside is not None
    outcome = aside.outcome()
    assert outcome is not None
    assert outcome[0] == "as it was"
    assert outcome[1] != PARENT
    aside.end()


def test_a_failure_is_no_outcome() -> None:
    aside = begun(lambda: int("no number"))
    assert aside is not None
    assert aside.outcome() is None
