"""What lies where a file should: pipes, devices, links out of the tree, files that grow, and caches that came along."""

import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from sycllint.cli import main
from sycllint.config import Config
from sycllint.pipeline import check
from sycllint.pipeline.cache import Cache
from sycllint.pipeline.cache_folder import FOLDER, clean
from sycllint.source.disk import Disk
from sycllint.source.regular import TooLargeError, regular_content

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="pipes and devices by name are of POSIX systems")

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def tree(tmp_path: Path, planted_error: str, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with one finding."""
    place = tmp_path / "tree"
    (place / ".git").mkdir(parents=True)
    (place / "a.cpp").write_text(planted_error)
    monkeypatch.chdir(place)
    monkeypatch.delenv("SYCLLINT_CACHE_DIR")
    return place


NAMES = (
    "sycllint.toml", "pyproject.toml", ".gitignore", ".git/info/exclude", "Makefile", "CMakeLists.txt", "run.sh",
    "compile_commands.json", "b.cpp", "sizes.h", ".sycllint-baseline.json",
)  # fmt: skip


@pytest.fixture
def not_waiting() -> Iterator[None]:
    """A test that waits for what never comes fails."""

    def end(*_: object) -> None:
        pytest.fail("waits for what never comes")

    before = signal.signal(signal.SIGALRM, end)
    signal.alarm(60)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@pytest.mark.usefixtures("not_waiting")
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("kind", ["pipe", "link to a pipe", "endless device"])
def test_nothing_waits_for_what_is_no_file(tree: Path, name: str, kind: str, capsys: Capture) -> None:
    place = tree / name
    place.parent.mkdir(exist_ok=True)
    (tree / "a.cpp").write_text('#include "sizes.h"\n' + (tree / "a.cpp").read_text())
    if kind == "pipe":
        os.mkfifo(place)
    elif kind == "link to a pipe":
        os.mkfifo(tree / "pipe")
        place.symlink_to("pipe")
    else:
        place.symlink_to("/dev/zero")
    code = main(["check", "--target", "tgl"])
    said, complained = capsys.readouterr()
    assert "internal error" not in said + complained
    assert code in (1, 2, 3)
    assert "SYC101" in said or "not a regular file" in complained


@pytest.mark.usefixtures("not_waiting")
def test_files_that_kernel_reports_are_looked_for_in_may_be_pipes(tree: Path, capsys: Capture) -> None:
    (tree / "reports").mkdir()
    os.mkfifo(tree / "reports/a.zeinfo")
    assert main(["check", "--kernel-info", "reports", "--no-cache", "a.cpp"]) == 2
    assert "not a regular file" in capsys.readouterr().err


class TestReading:
    def test_a_file_of_no_size_that_never_ends_is_given_up(self) -> None:
        with pytest.raises(OSError, match="not a regular file"):
            regular_content("/dev/zero", 100)

    def test_a_file_that_grows_while_it_is_read_ends(self, tmp_path: Path) -> None:
        path, going = tmp_path / "a.cpp", threading.Event()
        path.write_bytes(b"x")

        def grow() -> None:
            with path.open("ab", buffering=0) as stream:
                while not going.is_set() and path.stat().st_size < 200_000_000:
                    stream.write(bytes(100_000))

        writer = threading.Thread(target=grow)
        writer.start()
        try:
            while path.stat().st_size < 1_000_000:
                time.sleep(0.001)
            with pytest.raises(TooLargeError):
                regular_content(str(path), 500_000)
        finally:
            going.set()
            writer.join()

    def test_files_of_the_kernel_say_nothing_of_their_size_and_are_read(self) -> None:
        if os.path.exists("/proc/self/status"):
            assert b"Name:" in regular_content("/proc/self/status", 100_000)

    def test_a_script_that_is_a_device_is_as_none(self) -> None:
        assert Disk().content("/dev/zero") is None


class TestLinks:
    def test_a_fix_does_not_leave_the_tree(self, tree: Path, capsys: Capture) -> None:
        outside = tree.parent / "outside.cpp"
        outside.write_text("#include <CL/sycl.hpp>\n" + (tree / "a.cpp").read_text())
        before = outside.read_bytes()
        (tree / "b.cpp").symlink_to(outside)
        (tree / "c.cpp").write_bytes(before)
        assert main(["check", "--fix", "--select", "SYC902", "."]) == 3
        assert outside.read_bytes() == before
        assert (tree / "c.cpp").read_bytes() != before
        assert f"b.cpp: not changed: it is a link to {outside}" in "".join(capsys.readouterr())

    def test_a_link_that_is_named_is_followed(self, tree: Path) -> None:
        outside = tree.parent / "outside.cpp"
        outside.write_text("#include <CL/sycl.hpp>\n")
        (tree / "b.cpp").symlink_to(outside)
        main(["check", "--fix", "--select", "SYC902", "b.cpp"])
        assert outside.read_text() == "#include <sycl/sycl.hpp>\n"

    def test_links_that_lead_to_themselves_and_upwards_end(self, tree: Path) -> None:
        (tree / "self.cpp").symlink_to("self.cpp")
        (tree / "up").symlink_to("..")
        (tree / "deep").mkdir()
        (tree / "deep/again").symlink_to(tree)
        result = check(["."], Config(targets=("tgl",)))
        assert [each.location.path for each in result.diagnostics] == ["a.cpp"]


class TestCaches:
    def test_a_cache_that_is_a_link_is_neither_written_nor_emptied(self, tree: Path) -> None:
        outside = tree.parent / "outside"
        kept = outside / "v1-0123456789abcdef" / "notes.json"
        kept.parent.mkdir(parents=True)
        kept.write_text("{}")
        os.utime(kept, (0, 0))
        (tree / FOLDER).symlink_to(outside)
        main(["check", "a.cpp"])
        assert clean(str(tree / FOLDER)) == 0
        assert [path for path in outside.rglob("*") if path.is_file()] == [kept]

    def test_a_link_in_a_cache_is_left_alone(self, tree: Path) -> None:
        outside = tree.parent / "outside"
        outside.mkdir()
        (outside / "notes.json").write_text("{}")
        (tree / FOLDER).mkdir()
        (tree / FOLDER / "v1-0123456789abcdef").symlink_to(outside)
        main(["check", "a.cpp"])
        clean(str(tree / FOLDER))
        assert (outside / "notes.json").exists()

    def test_what_is_no_part_of_a_cache_is_left_in_its_folder(self, tree: Path) -> None:
        (tree / FOLDER / "v1-0123456789abcdef").mkdir(parents=True)
        (tree / FOLDER / "v1-0123456789abcdef/main.cpp").write_text("int main() {}\n")
        clean(str(tree / FOLDER))
        assert (tree / FOLDER / "v1-0123456789abcdef/main.cpp").exists()

    def test_a_pipe_in_a_cache_is_as_nothing(self, tree: Path, capsys: Capture) -> None:
        main(["check", "a.cpp"])
        expected = capsys.readouterr()
        for path in (tree / FOLDER).rglob("*.json"):
            path.unlink()
            os.mkfifo(path)
        assert Cache(str(tree / FOLDER)).find("a.cpp", Config()) is None
        main(["check", "a.cpp"])
        assert capsys.readouterr() == expected
