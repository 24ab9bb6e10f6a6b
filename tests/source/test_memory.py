"""What one disk leaves to the next: taken again while it holds, and only then."""

import os
from pathlib import Path

import pytest

from sycllint.source import disk as module
from sycllint.source.disk import Disk, DiskCache
from sycllint.source.files import Candidate, read_source


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The paths that were really read; every file counts as one that was at rest."""
    paths: list[str] = []

    def noted(candidate: Candidate) -> object:
        paths.append(candidate.path)
        return read_source(candidate)

    monkeypatch.setattr(module, "read_source", noted)
    monkeypatch.setattr(module, "SETTLED", -(10**15))
    return paths


def content(disk: Disk, path: str) -> bytes | None:
    source = disk.source(path)
    return None if source is None else source.content


def test_a_file_at_rest_is_read_once(place: Path, read: list[str]) -> None:
    (place / "a.h").write_text("int a;")
    memory = DiskCache()
    assert [content(Disk(memory=memory), "a.h") for _ in range(3)] == [b"int a;"] * 3
    assert read == ["a.h"]


def test_a_file_that_changed_just_now_is_read_again_whatever_its_stamp(place: Path) -> None:
    memory = DiskCache()
    for text in ("int a;", "int b;", "int c;"):
        (place / "a.h").write_text(text)
        assert content(Disk(memory=memory), "a.h") == text.encode()


def test_an_answer_is_given_again_while_all_that_it_rests_on_stays(place: Path) -> None:
    (place / "a.h").write_text("1")
    memory, worked = DiskCache(), []

    def answer() -> bytes | None:
        disk = Disk(memory=memory)

        def work() -> bytes | None:
            worked.append(1)
            return content(disk, "a.h") if disk.is_file("a.h") else b"none"

        return disk.once("number", work)

    assert [answer(), answer()] == [b"1", b"1"]
    assert len(worked) == 1
    (place / "a.h").write_text("2")
    assert [answer(), answer()] == [b"2", b"2"]
    assert len(worked) == 2
    (place / "a.h").unlink()
    assert answer() == b"none"
    assert len(worked) == 3


def test_an_answer_that_rests_on_a_listing_knows_of_new_files(place: Path) -> None:
    memory = DiskCache()

    def files(**texts: bytes) -> tuple[str, ...]:
        disk = Disk({f"{name}.h": text for name, text in texts.items()}, memory)
        return disk.once("files", lambda: disk.listing("").files)

    assert files() == ()
    (place / "a.h").touch()
    assert files() == ("a.h",)
    assert files(b=b"") == ("a.h", "b.h")
    assert files() == ("a.h",)


@pytest.mark.parametrize("spelling", ["a.h", "./a.h", "sub/../a.h", "{place}/a.h", "linked/a.h"])
def test_a_text_stands_in_for_its_file_by_every_path(place: Path, spelling: str) -> None:
    (place / "a.h").write_text("saved")
    (place / "linked").symlink_to(place, target_is_directory=True)
    disk = Disk({"a.h": b"unsaved"}, DiskCache())
    assert content(disk, spelling.format(place=place)) == b"unsaved"


def test_a_text_without_a_file_is_a_file(place: Path) -> None:
    disk = Disk({"new.h": b"#include <x.h>\nint main() {}"})
    assert disk.is_file("new.h")
    assert disk.is_file(os.path.join(str(place), "new.h"))
    assert disk.outline("new.h").has_main
    assert disk.listing("").files == ("new.h",)


def test_what_rests_on_an_unsaved_text_holds_for_that_text_only(place: Path) -> None:
    (place / "a.h").write_text("saved")
    memory = DiskCache()
    disk = Disk({"a.h": b"unsaved"}, memory)
    with disk.asking() as asked:
        disk.source("a.h")
    assert disk.sure_of(asked)
    assert Disk({"a.h": b"unsaved"}, memory).confirms(asked)
    assert not Disk({"a.h": b"another"}, memory).confirms(asked)
    assert not Disk(memory=memory).confirms(asked)
    (place / "a.h").write_text("unsaved")
    assert Disk(memory=memory).confirms(asked)


def test_files_are_kept_up_to_a_size_and_those_used_last_stay(
    place: Path, read: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "CONTENTS", 20)
    for name in "abc":
        (place / name).write_text(f"int {name}000;")
    disk = Disk()
    for name in "ababcac":
        assert content(disk, name) == f"int {name}000;".encode()
    assert read == ["a", "b", "c", "a"]
