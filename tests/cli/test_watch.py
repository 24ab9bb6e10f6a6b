"""``sycllint check --watch``: what counts as a change, and a process that lints again and ends at Ctrl-C."""

import os
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from sycllint.cli import main
from sycllint.cli.watch import stamps

PATIENCE = 60
"""Seconds after which a test gives up, far more than a run takes."""


class Watched:
    """A watching process and the lines it writes."""

    def __init__(self, folder: Path) -> None:
        root = Path(__file__).resolve().parents[2]
        # A shell starts what runs in the background deaf to Ctrl-C, and so would be whatever the tests start.
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        self.process = subprocess.Popen(
            [sys.executable, "-m", "sycllint", "check", "--watch", "--target", "tgl", "-f", "concise", "."],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": os.pathsep.join([str(root), f"{root}/rules"]), "PYTHONUNBUFFERED": "1"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        signal.signal(signal.SIGINT, before)
        self._lines: queue.Queue[str] = queue.Queue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        with self.process.stdout as lines:
            for line in lines:
                self._lines.put(line.rstrip("\n"))

    def end(self) -> None:
        """Whatever it is doing."""
        self.process.kill()
        self.process.wait(timeout=PATIENCE)
        self._reader.join(timeout=PATIENCE)

    def round(self) -> list[str]:
        """The lines up to the one that says that it waits."""
        lines: list[str] = []
        while not lines or not lines[-1].startswith("watching "):
            lines.append(self._lines.get(timeout=PATIENCE))
        return lines[:-1]


@pytest.fixture
def watched(tmp_path: Path) -> Iterator[Watched]:
    (tmp_path / "clean.cpp").write_text("int answer() { return 42; }\n")
    watched = Watched(tmp_path)
    yield watched
    watched.end()


def test_it_lints_again_after_each_change_and_ends_at_ctrl_c(
    watched: Watched, tmp_path: Path, planted_error: str
) -> None:
    assert watched.round() == ["1 file checked, no findings"]
    (tmp_path / "clean.cpp").write_text(planted_error)
    finding, _ = watched.round()
    assert finding.startswith("clean.cpp:4:")
    (tmp_path / "sycllint.toml").write_text("targets = 5\n")
    [mistake] = watched.round()
    assert mistake.startswith("sycllint: sycllint.toml:1: ")
    (tmp_path / "sycllint.toml").write_text('ignore = ["SYC101"]\n')
    assert watched.round() == ["1 file checked, no findings"]
    watched.process.send_signal(signal.SIGINT)
    assert watched.process.wait(timeout=PATIENCE) == 0


def test_sources_settings_and_folders_count_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "a.cpp").touch()
    before = stamps([str(tmp_path)])
    (tmp_path / ".a.cpp.swp").touch()
    (tmp_path / "out.sarif").touch()
    (tmp_path / ".sycllint_cache").mkdir()
    assert stamps([str(tmp_path)]) == before
    for change in ("b.hpp", "CMakeLists.txt", ".sycllint-baseline.json"):
        (tmp_path / change).touch()
        assert stamps([str(tmp_path)]) != before
        (tmp_path / change).unlink()
    (tmp_path / "folder").mkdir()
    assert stamps([str(tmp_path)]) != before


@pytest.mark.parametrize(
    ("arguments", "other"), [("--fix", "--fix"), ("--diff", "--diff"), ("-", "stdin"), ("--files-from -", "stdin")]
)
def test_it_goes_with_nothing_that_changes_files_or_reads_once(
    arguments: str, other: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", "--watch", *arguments.split()]) == 2
    assert capsys.readouterr().err.endswith(f"it does not go with {other}\n")
