"""A file replaced on the disk: in one step, with its permissions and owner, and only if it is still what was read."""

import os
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from sycllint.source.replace import replace_file
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
