"""Inputs made to cost much: twice as much of one costs no four times as much, and what costs too much is given up."""

import gc
import importlib
import subprocess
import sys
import time
from pathlib import Path

import pytest

from benchmarks.bombs import BOMBS, Files, host
from sycllint import patience
from sycllint.builds.reading import build_settings
from sycllint.config import Config, Configs
from sycllint.patience import GivenUp
from sycllint.pipeline import check, kernels

LINEAR = (
    "comments that open in comments",
    "comments without an end",
    "stars after slashes",
    "quotes",
    "raw strings without an end",
    "raw strings with many marks",
    "suppressions",
    "suppressions of many words",
    "NOLINT",
    "#if nested",
    "#if that cut statements",
    "#if of attributes and comments",
    "#if of attributes and slashes",
    "#define",
    "#include of itself",
    "braces that open",
    "braces nested",
    "words in capitals with parentheses",
    "one line",
    "one word",
    "words before comments without an end",
    "hashes",
    "strings without an end",
    "NOLINT in words",
    "stars of host code",
    "a table",
    "overloads",
    "branches",
    ".gitignore of stars",
    "makefile",
    "makefile of conditions",
    "makefile of variables that grow",
    "settings nested",
    "baseline nested",
)
SIZE = 30_000


def seconds(files: Files, folder: Path, monkeypatch: pytest.MonkeyPatch) -> float:
    """Processor time that a run over files takes, but for the collector's passes, which cost what other tests left."""
    folder.mkdir()
    for name, content in files.items():
        (folder / name).write_bytes(content)
    monkeypatch.chdir(folder)
    gc.collect()
    gc.disable()
    try:
        began = time.process_time()
        check(["."], Configs(Config(targets=("tgl",), select=("ALL",))), raise_rule_errors=True)
        return time.process_time() - began
    finally:
        gc.enable()


@pytest.mark.parametrize("name", LINEAR)
def test_twice_as_much_does_not_cost_four_times_as_much(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seconds({"a.cpp": b"int main() {}\n"}, tmp_path / "first", monkeypatch)
    ratios: list[float] = []
    for attempt in range(3):  # another process may get in the way of one of them
        whole, half = (
            seconds(BOMBS[name](size), tmp_path / f"{size}-{attempt}", monkeypatch) for size in (2 * SIZE, SIZE)
        )
        ratios.append((whole + 0.01) / (half + 0.01))
        if ratios[-1] < 3.4:
            return
    pytest.fail(f"twice as much costs {ratios} times as much")


def test_variables_of_a_makefile_that_hold_each_other_stay_small(tmp_path: Path) -> None:
    for name in ("makefile", "makefile of variables that grow"):
        (tmp_path / "Makefile").write_bytes(BOMBS[name](300_000)["Makefile"])
        found = build_settings(str(tmp_path))
        assert sum(map(len, found.defines.values())) < 1_000_000


# The end of the time may come within a callback of the collector, which swallows it; a second later it comes again.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
class TestLimits:
    @pytest.fixture
    def slow(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
        """A file that takes longer than a limit made small."""
        monkeypatch.setattr(patience, "SECONDS", 0.4)  # enough to load the rules in
        monkeypatch.setattr(patience, "SECONDS_PER_MEGABYTE", 0.0)
        monkeypatch.chdir(tmp_path)
        Path("a.cpp").write_bytes(BOMBS["macros that double"](100_000)["a.cpp"])
        Path("b.cpp").write_text("int main() {}\n")
        return "a.cpp: not analysed: it takes more than 0 s of processor time, the limit for a file of its size"

    def test_a_file_that_takes_too_long_is_given_up_and_the_others_are_not(self, slow: str) -> None:
        result = check(["."], Config(targets=("tgl",)))
        assert result.notices == (slow,)
        assert (result.checked, result.skipped, result.complete) == (1, 1, False)

    def test_so_it_is_for_the_list_of_launches(self, slow: str) -> None:
        found = kernels(["."], Config(targets=("tgl",)))
        assert slow in found.notices
        assert not found.complete

    def test_the_parser_ends_when_the_time_is_over(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(patience, "SECONDS", 0.2)
        monkeypatch.setattr(patience, "SECONDS_PER_MEGABYTE", 0.0)
        monkeypatch.chdir(tmp_path)
        Path("a.cpp").write_bytes(BOMBS["attributes"](60_000)["a.cpp"])
        began = time.process_time()
        assert not check(["."], Config(targets=("tgl",))).complete
        assert time.process_time() - began < 30  # seconds; whole it takes minutes

    @pytest.mark.parametrize("unit", ["*", "a=", "a<"])
    def test_what_takes_too_much_memory_to_parse_is_given_up_before_it_does(self, unit: str, tmp_path: Path) -> None:
        (tmp_path / "a.cpp").write_bytes(host(unit)(400_000)["a.cpp"])
        program = (
            "import os; from sycllint import patience; from sycllint.cli import main;"
            "patience.MEMORY = 100_000_000;"
            "main(['check', '--no-cache', '-f', 'concise', 'a.cpp']);"
            "place = '/proc/self/status';"
            "print(open(place).read() if os.path.exists(place) else 'VmHWM: 0 kB')"
        )
        run = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=True)
        notice = "a.cpp: not analysed: it takes more than 0.1 GB of memory to parse, the limit for one file"
        assert notice in run.stderr
        most = int(run.stdout.partition("VmHWM:")[2].split()[0])  # KB; getrusage has that of the tests' own process
        assert most < 160_000  # of the limit, and of the interpreter

    def test_what_takes_too_much_memory_after_that_is_given_up(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(patience, "MEMORY", 100_000_000)
        assert "0.1 GB of memory, the limit" in self.given_up_holding(150_000_000)

    def test_so_it_is_after_a_file_that_took_more(self, monkeypatch: pytest.MonkeyPatch) -> None:
        assert len(b"\1" * 400_000_000)  # which are free again
        monkeypatch.setattr(patience, "MEMORY", 100_000_000)
        assert "0.1 GB of memory, the limit" in self.given_up_holding(150_000_000)

    def given_up_holding(self, size: int) -> str:
        """By which limit a file is given up that holds so many bytes, and goes on working."""

        def hold() -> None:
            held = bytearray(b"\1") * size
            while held:
                pass

        with pytest.raises(GivenUp) as found, patience.bounded(100):
            hold()
        return found.value.limit

    def test_a_module_that_is_being_loaded_is_loaded_to_its_end(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(patience, "SECONDS", 0.01)
        monkeypatch.setattr(patience, "TICK", 0.01)
        monkeypatch.syspath_prepend(tmp_path)
        busy = "import time\nend = time.process_time() + 0.2\nwhile time.process_time() < end: pass\n"
        (tmp_path / "loaded_late.py").write_text(busy + "whole = True\n")

        def load() -> None:
            importlib.import_module("loaded_late")
            while True:
                pass

        with pytest.raises(GivenUp), patience.bounded(0):
            load()
        assert sys.modules.pop("loaded_late").whole

    def test_the_limit_is_over_when_the_file_is(self) -> None:
        with patience.bounded(100):
            pass
        patience.check()
        assert patience.over() is None

    def test_work_for_all_files_of_a_project_is_not_the_first_one_s(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(patience, "SECONDS", 0.2)
        monkeypatch.setattr(patience, "TICK", 0.01)

        def work(seconds: float) -> None:
            end = time.process_time() + seconds
            while time.process_time() < end:
                pass

        def file() -> None:
            with patience.uncounted(), patience.uncounted():
                work(0.4)
            patience.check()
            work(10)

        with pytest.raises(GivenUp) as found, patience.bounded(0):
            file()
        assert not any(each.name == "uncounted" for each in found.traceback)
        assert patience.over() is None

    def test_every_kind_of_bomb_makes_files_of_about_its_size(self) -> None:
        for name, bomb in BOMBS.items():
            assert 10_000 <= sum(map(len, bomb(40_000).values())) <= 120_000, name
