"""Parts of a project: each file in one, the files of a program together, the same wherever and however it is asked."""

import os
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sycllint.config import Config
from sycllint.pipeline import Shard, check
from sycllint.pipeline.shards import MOST_TOGETHER, share
from sycllint.source.files import Candidate

KERNEL = """\
#include "size.hpp"

void scale(sycl::queue &q, float *data) {
  q.parallel_for(sycl::nd_range<1>(64000, SIZE), [=](sycl::nd_item<1> item) { data[item.get_global_id(0)] *= 2.0f; });
}
"""


def program(folder: Path, size: int, files: int = 1) -> None:
    """A program with a makefile, a header and as many sources."""
    folder.mkdir(parents=True)
    (folder / "Makefile").touch()
    (folder / "size.hpp").write_text(f"#define SIZE {size}\n")
    for number in range(files):
        (folder / f"part{number}.cpp").write_text(KERNEL)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Nine programs of different sizes, under git."""
    (tmp_path / ".git").mkdir()
    for number in range(9):
        program(tmp_path / f"group{number % 2}" / f"program{number}", 640, files=1 + number % 4)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def linted(paths: Sequence[str], shard: Shard | None = None, root: str = ".") -> list[str]:
    config = Config(root=os.path.abspath(root), targets=("tgl",))
    return sorted(map(os.path.abspath, check(paths, config, shard=shard).linted))


def test_every_file_is_in_one_part(project: Path) -> None:
    parts = [linted(["."], Shard(number, 4)) for number in (1, 2, 3, 4)]
    assert sorted(each for part in parts for each in part) == linted(["."])
    assert all(parts)


def test_the_parts_find_what_one_run_finds(project: Path) -> None:
    config = Config(root=str(project), targets=("tgl",))
    whole = check(["."], config).diagnostics
    parts = [check(["."], config, shard=Shard(number, 3)).diagnostics for number in (1, 2, 3)]
    assert whole
    assert sorted((each for part in parts for each in part), key=lambda each: each.location) == list(whole)


def test_the_launches_of_a_part_are_those_of_its_files(project: Path) -> None:
    parts = [check(["."], Config(), shard=Shard(number, 2)).launches().launches for number in (1, 2)]
    whole = check(["."], Config()).launches().launches
    assert all(parts)
    assert {each.launch.location.path for each in parts[0]} < {each.launch.location.path for each in whole}
    assert sorted(each.launch.location for part in parts for each in part) == [each.launch.location for each in whole]


def test_files_of_a_program_stay_together(project: Path) -> None:
    for number in range(1, 6):
        for folder in {os.path.dirname(each) for each in linted(["."], Shard(number, 5))}:
            assert set(linted([folder])) <= set(linted(["."], Shard(number, 5)))


def test_neither_order_nor_place_matter(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = linted(["."], Shard(2, 3))
    assert linted(["group1", "group0"], Shard(2, 3)) == expected
    monkeypatch.chdir(project / "group0")
    assert linted([".."], Shard(2, 3), root="..") == expected


def test_parts_weigh_about_the_same(project: Path) -> None:
    weights = [sum(os.stat(each).st_size for each in linted(["."], Shard(number, 3))) for number in (1, 2, 3)]
    assert max(weights) < 1.6 * min(weights)


def test_there_may_be_more_parts_than_programs(project: Path) -> None:
    parts = [linted(["."], Shard(number, 40)) for number in range(1, 41)]
    assert sum(map(len, parts)) == len(linted(["."]))
    assert [] in parts


def test_what_is_too_large_for_one_program_is_cut_by_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".git").mkdir()
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        for number in range(MOST_TOGETHER // 2 + 1):
            (tmp_path / folder / f"{number}.cpp").write_text("int x;\n")
    monkeypatch.chdir(tmp_path)
    first, second = (linted(["."], Shard(number, 2)) for number in (1, 2))
    assert ({os.path.dirname(each) for each in first}, {os.path.dirname(each) for each in second}) == (
        {str(tmp_path / "a")},
        {str(tmp_path / "b")},
    )


@given(st.lists(st.integers(0, 30), min_size=1, max_size=30), st.integers(1, 9))
def test_any_files_are_each_in_one_part(programs: list[int], count: int) -> None:
    listed = [(Candidate(f"p{folder}/{number}.cpp", named=False), Config()) for number, folder in enumerate(programs)]
    parts = [
        share(listed, Shard(number, count), lambda path, config: path.partition("/")[0], ".")
        for number in range(1, count + 1)
    ]
    assert sorted(each[0].path for part in parts for each in part) == sorted(each[0].path for each in listed)
    for number, part in enumerate(parts, 1):
        again = share(listed[::-1], Shard(number, count), lambda path, config: path.partition("/")[0], ".")
        assert again[::-1] == part
