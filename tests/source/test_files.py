"""Which files are linted."""

import os
from collections.abc import Sequence
from pathlib import Path

import pytest

from sycllint.config import Config, Configs
from sycllint.errors import SycllintError
from sycllint.source.files import SIZE_LIMIT, Candidate, FileList, Refused, SkipReason, find_files, read_source
from sycllint.source.text import SourceFile


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty directory that is the working directory and the project root."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(root: Path, *names: str) -> None:
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("int a;\n")


def listed(*paths: str, exclude: Sequence[str] = ()) -> list[str]:
    excluded = Configs(Config(root=".", exclude=tuple(exclude))).excluded
    return [file.path for file in find_files(paths, excluded=excluded).files]


def refusal(path: str) -> Refused:
    refused = read_source(Candidate(path, named=True))
    assert isinstance(refused, Refused)
    return refused


def test_a_directory_stands_for_its_cpp_files_sorted(tree: Path) -> None:
    write(
        tree, "src/b.cpp", "src/a.hpp", "src/deep/c.dp.cpp", "src/k.sycl", "src/UPPER.CPP", "src/readme.md", "src/x.py"
    )
    assert listed("src") == ["src/UPPER.CPP", "src/a.hpp", "src/b.cpp", "src/k.sycl", "src/deep/c.dp.cpp"]


def test_a_named_file_is_linted_whatever_it_is_called(tree: Path) -> None:
    write(tree, "kernel.txt")
    assert listed("kernel.txt") == ["kernel.txt"]


def test_hidden_and_generated_directories_are_not_entered(tree: Path) -> None:
    write(tree, ".git/a.cpp", ".venv/b.cpp", "node_modules/c.cpp", "build/CMakeFiles/d.cpp", "build/kept.cpp")
    assert listed(".") == ["build/kept.cpp"]


def test_a_hidden_directory_that_is_named_is_entered(tree: Path) -> None:
    write(tree, ".generated/a.cpp")
    assert listed(".generated") == [".generated/a.cpp"]


def test_lock_files_of_editors_are_not_sources(tree: Path) -> None:
    write(tree, "a.cpp")
    (tree / ".#a.cpp").symlink_to("somebody@somewhere")
    assert listed(".") == ["a.cpp"]


def test_each_file_comes_once_however_it_is_spelled(tree: Path) -> None:
    write(tree, "src/a.cpp")
    assert listed("src/a.cpp", "src", "./src/../src/a.cpp", str(tree / "src")) == ["src/a.cpp"]


def test_a_path_that_does_not_exist_is_named(tree: Path) -> None:
    write(tree, "a.cpp")
    with pytest.raises(SycllintError, match=r"^missing\.cpp: no such file or directory$"):
        listed("a.cpp", "missing.cpp")


def test_a_directory_named_like_a_file_is_a_directory(tree: Path) -> None:
    write(tree, "odd.cpp/a.cpp")
    assert listed(".") == ["odd.cpp/a.cpp"]


class TestLinks:
    def test_a_loop_of_directories_ends(self, tree: Path) -> None:
        write(tree, "src/a.cpp")
        (tree / "src" / "loop").symlink_to(tree / "src", target_is_directory=True)
        (tree / "src" / "self").symlink_to("self")
        assert listed("src") == ["src/a.cpp"]

    def test_a_linked_directory_outside_is_followed(self, tree: Path) -> None:
        write(tree, "vendor/v.cpp", "src/a.cpp")
        (tree / "src" / "linked").symlink_to(tree / "vendor", target_is_directory=True)
        assert listed("src") == ["src/a.cpp", "src/linked/v.cpp"]

    def test_a_file_reached_both_ways_goes_by_its_own_name(self, tree: Path) -> None:
        write(tree, "src/z/a.cpp")
        (tree / "src" / "b").symlink_to(tree / "src" / "z", target_is_directory=True)
        assert listed("src") == ["src/z/a.cpp"]


class TestExclude:
    def test_patterns_read_as_in_gitignore(self, tree: Path) -> None:
        write(tree, "src/a.cpp", "src/gen/b.cpp", "src/gen/keep.cpp", "third_party/c.cpp", "src/third_party.cpp")
        assert listed(".", exclude=["third_party/", "src/gen/*", "!keep.cpp"]) == [
            "src/a.cpp",
            "src/third_party.cpp",
            "src/gen/keep.cpp",
        ]

    def test_a_file_given_by_name_is_excluded_too(self, tree: Path) -> None:
        write(tree, "gen/a.cpp", "b.cpp")
        assert listed("gen/a.cpp", "b.cpp", exclude=["gen/"]) == ["b.cpp"]

    def test_directories_above_the_root_do_not_count(self, tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        write(tree, "build/project/a.cpp")
        monkeypatch.chdir(tree / "build" / "project")
        assert listed(".", exclude=["build/"]) == ["a.cpp"]

    def test_patterns_hold_from_a_directory_below_the_root(self, tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        write(tree, "src/gen/a.cpp", "src/b.cpp")
        monkeypatch.chdir(tree / "src")
        found = find_files(["."], excluded=Configs(Config(root=str(tree), exclude=("/src/gen/",))).excluded)
        assert [file.path for file in found.files] == ["b.cpp"]


class TestReading:
    def test_bytes_come_as_they_are(self, tree: Path) -> None:
        (tree / "a.cpp").write_bytes(b"\xef\xbb\xbfint a;\r\n\xff")
        assert read_source(Candidate("a.cpp", named=False)) == SourceFile("a.cpp", b"\xef\xbb\xbfint a;\r\n\xff")

    def test_an_empty_file_is_a_source(self, tree: Path) -> None:
        (tree / "a.cpp").touch()
        assert read_source(Candidate("a.cpp", named=True)) == SourceFile("a.cpp", b"")

    def test_a_binary_file_is_not(self, tree: Path) -> None:
        (tree / "a.cpp").write_bytes(b"\x7fELF\0\0")
        assert refusal("a.cpp") == Refused(SkipReason.BINARY, "a.cpp: skipped: a binary file")

    def test_utf16_is_not_binary(self, tree: Path) -> None:
        (tree / "a.cpp").write_bytes("int a;".encode("utf-16"))
        assert refusal("a.cpp").notice == "a.cpp: skipped: UTF-16 text; sycllint reads UTF-8"

    def test_a_file_over_the_limit_is_not_read(self, tree: Path) -> None:
        with (tree / "a.cpp").open("wb") as stream:
            stream.truncate(50_000_000)
        assert refusal("a.cpp").notice == "a.cpp: skipped: 50 MB is over the limit of 10 MB for one file"

    def test_a_file_at_the_limit_is_read(self, tree: Path) -> None:
        (tree / "a.cpp").write_bytes(b" " * SIZE_LIMIT)
        assert isinstance(read_source(Candidate("a.cpp", named=True)), SourceFile)

    def test_a_dangling_link_is_unreadable(self, tree: Path) -> None:
        (tree / "a.cpp").symlink_to("nowhere.cpp")
        assert find_files(["a.cpp"]).files == (Candidate("a.cpp", named=True),)
        assert refusal("a.cpp") == Refused(SkipReason.UNREADABLE, "a.cpp: not read: No such file or directory")

    def test_a_named_pipe_is_not_waited_for(self, tree: Path) -> None:
        os.mkfifo(tree / "a.cpp")
        assert refusal("a.cpp").notice == "a.cpp: not read: not a regular file"


def test_a_directory_that_cannot_be_read_leaves_the_list_incomplete(
    tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tree, "src/a.cpp", "src/locked/b.cpp")
    scandir = os.scandir

    def refuse(path: str) -> object:  # root may read anything, so a locked directory has to be played
        if path.endswith("locked"):
            raise PermissionError(13, "Permission denied")
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refuse)
    assert find_files(["src"]) == FileList(
        (Candidate("src/a.cpp", named=False),), ("src/locked: not read: Permission denied",), complete=False
    )


@pytest.mark.parametrize(
    ("name", "text", "is_linted"),
    [
        ("kernel.cu", "#include <sycl/sycl.hpp>\n", True),
        ("kernel.cu", "#ifdef USE_SYCL\nvoid f(sycl::queue &q);\n#else\nvoid f();\n#endif\n", True),
        ("shared.cuh", "inline auto block = syclcompat::dim3(32);\n", True),
        ("old.CU", "#include <CL/sycl.hpp>\n", True),
        ("kernel.cu", "__global__ void scale(float *x) { x[threadIdx.x] *= 2; }\n", False),
        ("kernel.cu", "#ifdef USE_SYCL\n#error not here\n#endif\n__global__ void f();\n", False),
        ("notes.txt", "sycl::queue\n", False),
        (".#kernel.cu", "sycl::queue q;\n", False),
    ],
)
def test_files_called_as_those_of_cuda_are_linted_when_they_speak_of_sycl(
    tree: Path, name: str, text: str, is_linted: bool
) -> None:
    (tree / name).write_text(text)
    assert listed(".") == ([name] if is_linted else [])
    assert listed(name) == [name]
