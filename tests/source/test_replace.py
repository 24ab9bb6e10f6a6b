"""A file replaced on the disk: in one step, with its permissions and owner, and only if it is still what was read."""

import os
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from sycllint.source.replace import PREFIX, replace_file, write_over
from tests.root import needs_root


def test_the_new_text_stands_in_place_of_the_old(tmp_path: Path) -> None:
    file = tmp_path / "a.cpp"
    file.write_bytes(b"old")
    assert replace_file(str(file), b"old", b"new") == ""
    assert file.read_bytes() == b"new"
    assert [each.name for each in tmp_path.iterdir()] == ["a.cpp"]


def test_permissions_are_kept(tmp_path: Path) -> None:
    file = tmp_path / "a.cpp"
    file.write_bytes(b"old")
    file.chmod(0o750)
    replace_file(str(file), b"old", b"new")
    assert stat.S_IMODE(file.stat().st_mode) == 0o750


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    file, link = tmp_path / "a.cpp", tmp_path / "link.cpp"
    file.write_bytes(b"old")
    link.symlink_to(file)
    assert replace_file(str(link), b"old", b"new") == ""
    assert (link.is_symlink(), file.read_bytes()) == (True, b"new")


def test_a_file_edited_meanwhile_is_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "a.cpp"
    file.write_bytes(b"newer")
    assert "it was edited since it was read" in replace_file(str(file), b"old", b"new")
    assert file.read_bytes() == b"newer"


def test_a_read_only_file_is_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "a.cpp"
    file.write_bytes(b"old")
    file.chmod(0o444)
    assert "it is read-only" in replace_file(str(file), b"old", b"new")
    assert file.read_bytes() == b"old"


def test_a_file_that_has_gone_is_said(tmp_path: Path) -> None:
    assert "No such file" in replace_file(str(tmp_path / "a.cpp"), b"old", b"new")


def test_a_file_with_two_names_keeps_both(tmp_path: Path) -> None:
    file, other = tmp_path / "a.cpp", tmp_path / "b.cpp"
    file.write_bytes(b"old and longer")
    other.hardlink_to(file)
    assert replace_file(str(file), b"old and longer", b"new") == ""
    assert (file.read_bytes(), other.read_bytes(), file.stat().st_nlink) == (b"new", b"new", 2)


@needs_root
def test_owner_and_group_are_kept(tmp_path: Path) -> None:
    file = tmp_path / "a.cpp"
    file.write_bytes(b"old")
    os.chown(file, 1234, 2345)
    file.chmod(0o640)
    before = file.stat().st_ino
    assert replace_file(str(file), b"old", b"new") == ""
    after = file.stat()
    assert (after.st_uid, after.st_gid, stat.S_IMODE(after.st_mode)) == (1234, 2345, 0o640)
    assert after.st_ino != before
    assert file.read_bytes() == b"new"


def replaced_by_nobody(file: Path) -> str:
    """What ``replace_file`` says when it is run by the user 65534."""
    program = (
        "import os, sys, tempfile; from sycllint.source.replace import replace_file; "
        "os.setgroups([]); os.setgid(65534); os.setuid(65534); "
        "print(replace_file(sys.argv[1], b'old and longer', b'new'), end='')"
    )
    root = Path(__file__).parent.parent.parent
    ran = subprocess.run(
        [sys.executable, "-c", program, str(file)],
        env={"PYTHONPATH": str(root)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


@pytest.fixture
def shared() -> Iterator[Path]:
    """A folder that another user reaches."""
    with TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


@needs_root
@pytest.mark.parametrize("folder", [0o777, 0o755], ids=["a folder for all", "a folder of one"])
def test_who_may_write_but_not_give_away_writes_in_place(shared: Path, folder: int) -> None:
    shared.chmod(folder)
    file = shared / "a.cpp"
    file.write_bytes(b"old and longer")
    os.chown(file, 1234, 2345)
    file.chmod(0o666)
    assert replaced_by_nobody(file) == ""
    assert (file.read_bytes(), file.stat().st_uid, file.stat().st_gid) == (b"new", 1234, 2345)
    assert [each.name for each in shared.iterdir()] == ["a.cpp"]


@needs_root
def test_who_may_not_write_leaves_the_file_alone(shared: Path) -> None:
    shared.chmod(0o777)
    file = shared / "a.cpp"
    file.write_bytes(b"old and longer")
    file.chmod(0o644)
    assert "Permission denied" in replaced_by_nobody(file)
    assert file.read_bytes() == b"old and longer"
    assert [each.name for each in shared.iterdir()] == ["a.cpp"]


class TestWhateverItHeld:
    @pytest.mark.parametrize("old", [None, b"", b"old and much longer"])
    def test_a_file_holds_the_new_text(self, tmp_path: Path, old: bytes | None) -> None:
        file = tmp_path / "report.json"
        if old is not None:
            file.write_bytes(old)
        write_over(str(file), b"new")
        assert file.read_bytes() == b"new"
        assert [each.name for each in tmp_path.iterdir()] == ["report.json"]

    def test_a_new_file_has_the_permissions_of_any_other(self, tmp_path: Path) -> None:
        write_over(str(tmp_path / "a"), b"new")
        (tmp_path / "b").write_bytes(b"new")
        assert (tmp_path / "a").stat().st_mode == (tmp_path / "b").stat().st_mode

    def test_links_stay_links_also_to_what_is_not_there_yet(self, tmp_path: Path) -> None:
        (tmp_path / "link").symlink_to("report")
        for text in (b"first", b"second"):
            write_over(str(tmp_path / "link"), text)
            assert (tmp_path / "link").is_symlink()
            assert (tmp_path / "report").read_bytes() == text

    def test_a_file_with_two_names_keeps_both(self, tmp_path: Path) -> None:
        (tmp_path / "a").write_bytes(b"old and longer")
        (tmp_path / "b").hardlink_to(tmp_path / "a")
        write_over(str(tmp_path / "a"), b"new")
        assert (tmp_path / "b").read_bytes() == b"new"

    def test_who_reads_the_old_one_reads_on_in_it(self, tmp_path: Path) -> None:
        file = tmp_path / "report.json"
        file.write_bytes(b"old")
        with file.open("rb") as reading:
            write_over(str(file), b"new")
            assert reading.read() == b"old"

    def test_a_write_that_fails_leaves_the_old_one(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        def full(descriptor: int) -> None:
            raise OSError(28, "No space left on device")

        file = tmp_path / "report.json"
        file.write_bytes(b"old")
        monkeypatch.setattr("sycllint.source.replace._settle", full)
        for path in (file, tmp_path / "new.json"):
            with pytest.raises(OSError, match="No space left"):
                write_over(str(path), b"new")
        assert file.read_bytes() == b"old"
        assert [each.name for each in tmp_path.iterdir()] == ["report.json"]

    @pytest.mark.skipif(sys.platform == "win32", reason="pipes by name are of POSIX systems")
    def test_a_pipe_is_written_to(self, tmp_path: Path) -> None:
        pipe = tmp_path / "pipe"
        os.mkfifo(pipe)
        reading = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
        write_over(str(pipe), b"new")
        assert os.read(reading, 10) == b"new"
        os.close(reading)
        assert stat.S_ISFIFO(pipe.stat().st_mode)

    @pytest.mark.skipif(not os.path.exists("/dev/stdout"), reason="a name that Linux and macOS have")
    def test_standard_output_stays_the_file_that_it_is(self, tmp_path: Path) -> None:
        program = "from sycllint.source.replace import write_over as w; w('/dev/stdout', b'new'); print(' more')"
        home = Path(__file__).parents[2]
        with (tmp_path / "out").open("ab") as out:
            subprocess.run([sys.executable, "-c", program], stdout=out, check=True, env={"PYTHONPATH": str(home)})
        assert (tmp_path / "out").read_bytes() == b"new more\n"
        assert not list(tmp_path.glob(f"{PREFIX}*"))

    @needs_root
    def test_who_may_not_write_leaves_the_file_alone(self, shared: Path) -> None:
        file = shared / "report.json"
        file.write_bytes(b"old")
        file.chmod(0o644)
        shared.chmod(0o777)
        program = (
            "import os, sys; from sycllint.source.replace import write_over; import tempfile; "
            "os.setgroups([]); os.setgid(65534); os.setuid(65534); write_over(sys.argv[1], b'new')"
        )
        run = subprocess.run(
            [sys.executable, "-c", program, str(file)],
            env={"PYTHONPATH": str(Path(__file__).parents[2])}, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert "PermissionError" in run.stderr
        assert file.read_bytes() == b"old"
