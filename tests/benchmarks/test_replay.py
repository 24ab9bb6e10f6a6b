"""What became of a defect that a repository's history has mended."""

import subprocess
from pathlib import Path

import pytest

from benchmarks.replay import LIST, Defect, Outcome, Verdict, defects, replayed

COPY = """
#include <cstdio>
#include <sycl/sycl.hpp>

void show(sycl::queue &q, const float *device, float *host, size_t n) {
  q.memcpy(host, device, n * sizeof(float))%s;
  std::printf("%%f", host[0]);
}
"""


def git(folder: Path, *words: str) -> str:
    names = ("-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false")
    return subprocess.run(
        ("git", *names, *words), cwd=folder, check=True, capture_output=True, text=True
    ).stdout.strip()


@pytest.fixture
def history(tmp_path: Path) -> Path:
    git(tmp_path, "init", "--quiet")
    file = tmp_path / "copy" / "main.cpp"
    file.parent.mkdir()
    for waits in ("", ".wait()"):
        file.write_text(COPY % waits)
        git(tmp_path, "add", "--all")
        git(tmp_path, "commit", "--quiet", "--message=copy")
    return tmp_path


def test_a_defect_that_is_reported_before_and_not_after_is_caught(history: Path) -> None:
    outcome = replayed(history, Defect(git(history, "rev-parse", "HEAD"), "copy/main.cpp", frozenset({"SYC1102"})))
    assert outcome.verdict is Verdict.CAUGHT
    assert outcome.gone == ("SYC1102 `host` is read while the asynchronous `q.memcpy` may still write it",)
    assert outcome.after == ()


def test_a_defect_that_no_selected_rule_reports_is_missed(history: Path) -> None:
    outcome = replayed(history, Defect(git(history, "rev-parse", "HEAD"), "copy/main.cpp", frozenset({"SYC504"})))
    assert outcome.verdict is Verdict.MISSED


def test_a_defect_that_is_also_reported_after_is_not_caught() -> None:
    defect = Defect("0", "main.cpp", frozenset({"SYC504"}))
    assert Outcome(defect, ("a", "b"), ("b", "a")).verdict is Verdict.STILL
    assert Outcome(defect, ("a", "a"), ("a",)).verdict is Verdict.CAUGHT


def test_a_list_has_a_commit_a_path_and_rules_on_a_line() -> None:
    assert list(defects(["# of a repository", "", "c0ffee src/main.cpp SYC503,SYC504  # tiles"])) == [
        Defect("c0ffee", "src/main.cpp", frozenset({"SYC503", "SYC504"}))
    ]
    with pytest.raises(ValueError, match="line 1: not `commit path rules`"):
        list(defects(["c0ffee src/main.cpp"]))


def test_the_list_beside_the_benchmark_is_one() -> None:
    assert len(list(defects(LIST.read_text().splitlines()))) >= 10
