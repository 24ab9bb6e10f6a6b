"""A file replaced on the disk: in one step, with its permissions, and only if it is still what was read."""

import stat
from pathlib import Path

from sycllint.source.replace import replace_file


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
