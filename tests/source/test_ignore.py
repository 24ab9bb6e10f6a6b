"""Files that git ignores are not found in directories."""

import subprocess
from pathlib import Path

import pytest

from sycllint.source.files import find_files


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty repository that is the working directory."""
    (tmp_path / ".git" / "info").mkdir(parents=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(tree: Path, /, **files: str) -> None:
    for name in files["names"].split():
        path = tree / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("int a;\n")
    for folder, text in files.items():
        if folder != "names":
            (tree / folder.replace("root", ".") / ".gitignore").write_text(text)


def found(*paths: str, gitignore: bool = True) -> list[str]:
    return [each.path for each in find_files(paths, gitignore=gitignore).files]


def test_patterns_of_the_root_and_of_folders(tree: Path) -> None:
    write(
        tree,
        names="a.cpp gen/b.cpp src/c.cpp src/gen/d.cpp src/keep.cpp",
        root="gen/\n*.cpp\n!a.cpp\n",
        src="!keep.cpp",
    )
    assert found(".") == ["a.cpp", "src/keep.cpp"]


def test_a_file_given_by_name_is_linted_all_the_same(tree: Path) -> None:
    write(tree, names="a.cpp", root="*.cpp\n")
    assert (found("."), found("a.cpp"), found(".", gitignore=False)) == ([], ["a.cpp"], ["a.cpp"])


def test_a_folder_given_by_name_is_searched_all_the_same(tree: Path) -> None:
    write(tree, names="build/a.cpp build/deep/b.cpp build/tmp/c.cpp", root="/build/\n", build="tmp/\n")
    assert found("build") == ["build/a.cpp", "build/deep/b.cpp"]


def test_patterns_above_a_searched_folder_hold_in_it(tree: Path) -> None:
    write(tree, names="src/a.cpp src/gen/b.cpp", root="/src/gen/\n")
    assert found("src") == ["src/a.cpp"]


def test_the_repository_s_own_exclude_file_counts(tree: Path) -> None:
    write(tree, names="a.cpp b.cpp")
    (tree / ".git" / "info" / "exclude").write_text("b.cpp\n")
    assert found(".") == ["a.cpp"]


def test_a_folder_outside_of_the_repository_is_not_its_business(tree: Path, tmp_path: Path) -> None:
    inner = tree / "other"
    write(tree, names="other/a.cpp", root="*.cpp\n")
    (inner / ".git").mkdir()
    assert found("other") == ["other/a.cpp"]


def test_git_says_the_same(tree: Path) -> None:
    (tree / ".git" / "info").rmdir()
    (tree / ".git").rmdir()
    subprocess.run(["git", "init", "--quiet"], cwd=tree, check=True)
    write(
        tree,
        names="a.cpp b.cpp build/c.cpp src/build/d.cpp src/x.gen.cpp src/keep.gen.cpp docs/e.cpp"
        " docs/f/g.cpp lib/h.cpp",
        root="/build/\n*.gen.cpp\n!keep.gen.cpp\ndocs/*\n!docs/f\n# lib\n\\!b.cpp\nlib/**\n",
    )
    listed = subprocess.run(
        ["git", "ls-files", "--others", "--exclude-standard", "*.cpp"],
        cwd=tree,
        check=True,
        capture_output=True,
        text=True,
    ).stdout.split()
    assert sorted(found(".")) == sorted(listed)
