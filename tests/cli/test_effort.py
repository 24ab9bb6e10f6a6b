"""Processes and the cache change how long a run takes, and not a byte of what it says."""

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from sycllint.cli import main
from sycllint.report import FORMATS

KERNEL = """\
#include <sycl/sycl.hpp>
#include "../sizes.h"
void f(sycl::queue q) {
  q.parallel_for(sycl::nd_range<1>(64000, GROUP * %d), [=](sycl::nd_item<1> item) {});
}
"""

PATIENCE = 60
"""Seconds after which a run counts as stuck."""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Programs that share a header."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sycllint.toml").write_text('targets = ["tgl"]\n')
    (tmp_path / "sizes.h").write_text("#define GROUP 320\n")
    for number in range(12):
        (tmp_path / f"p{number:02}").mkdir()
        (tmp_path / f"p{number:02}" / "Makefile").write_text("all:\n")
        (tmp_path / f"p{number:02}" / "main.cpp").write_text(KERNEL % (number % 4 + 1))
    return tmp_path


def said(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main(["check", *arguments])
    out, err = capsys.readouterr()
    return code, out, err


@pytest.mark.parametrize("form", FORMATS)
def test_cold_or_warm_in_any_number_of_processes(project: Path, form: str, capsys: pytest.CaptureFixture[str]) -> None:
    expected = said(capsys, "-f", form, "--no-cache", "-j1")
    assert expected[0] == 1
    for arguments in (["--no-cache", "-j2"], ["--no-cache", "-j4"], ["-j2"], ["-j2"], []):
        assert said(capsys, "-f", form, *arguments) == expected


def test_no_cache_keeps_nothing(project: Path, own_cache: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said(capsys, "--no-cache")
    assert list(own_cache.iterdir()) == []


def test_the_cache_is_in_the_root_of_the_project(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("SYCLLINT_CACHE_DIR")
    monkeypatch.chdir(project / "p03")
    said(capsys)
    assert (project / ".sycllint_cache").is_dir()
    assert main(["cache", "clean"]) == 0
    assert not (project / ".sycllint_cache").exists()


@pytest.mark.parametrize("number", ["0", "-1", "many", "1.5"])
def test_a_number_of_processes_is_one_or_more(project: Path, number: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = said(capsys, f"-j{number}")
    assert code == 2
    assert err == f"sycllint: -j/--jobs: {number} is not a number of processes\n"


def test_a_selector_that_matches_nothing_is_reported_each_time(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for _ in range(2):
        assert said(capsys, "--ignore", "SYC999")[0] == 2
        said(capsys)


@pytest.fixture
def started(project: Path, repository: Path) -> Iterator[list["subprocess.Popen[str]"]]:
    """Runs of their own processes; those that are still going are ended."""
    processes: list[subprocess.Popen[str]] = []
    yield processes
    for each in processes:
        if os.name == "posix":
            with suppress(ProcessLookupError):  # its own processes, too
                os.killpg(each.pid, signal.SIGKILL)
        each.kill()
        each.communicate(timeout=PATIENCE)


def start(project: Path, repository: Path, *arguments: str) -> "subprocess.Popen[str]":
    environment = {**os.environ, "PYTHONPATH": f"{repository}{os.pathsep}{repository / 'rules'}"}
    command = [sys.executable, "-m", "sycllint", "check", "-f", "json", *arguments]
    return subprocess.Popen(
        command,
        cwd=project,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def test_two_runs_at_once_are_both_right(
    project: Path, repository: Path, started: list["subprocess.Popen[str]"], capsys: pytest.CaptureFixture[str]
) -> None:
    _, expected, _ = said(capsys, "-f", "json", "--no-cache")
    started += [start(project, repository), start(project, repository, "-j2")]
    assert [each.communicate(timeout=PATIENCE)[0] for each in started] == [expected, expected]
    assert said(capsys, "-f", "json")[1] == expected


@pytest.mark.skipif(os.name != "posix", reason="ends a process by a signal")
def test_a_run_after_one_that_was_killed_is_right(
    project: Path, repository: Path, started: list["subprocess.Popen[str]"], capsys: pytest.CaptureFixture[str]
) -> None:
    moments = random.Random(6)
    for number in range(4):
        (project / "sizes.h").write_text(f"#define GROUP {256 + 64 * number}\n")
        process = start(project, repository, "-j2")
        started.append(process)
        time.sleep(moments.uniform(0.1, 1.0))
        process.send_signal(signal.SIGKILL)
        process.communicate(timeout=PATIENCE)  # its processes end with it: else this would wait for them
        _, expected, _ = said(capsys, "-f", "json", "--no-cache")
        assert said(capsys, "-f", "json")[1] == expected
