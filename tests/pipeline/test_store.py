"""Facts and CMake's answers that a run leaves on the disk for files that change after it."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from sycllint.builds.cmake import project as cmake
from sycllint.config import Config
from sycllint.facts import collect
from sycllint.pipeline import check, kernels
from sycllint.pipeline.cache import Cache
from sycllint.pipeline.cache_folder import FOLDER, clean
from sycllint.pipeline.explanation import explain
from sycllint.pipeline.store import FEW_FILES

CONFIG = Config(targets=("tgl",))

MAIN = """\
#include <sycl/sycl.hpp>
#include "sizes.h"
int main() {
  sycl::queue q;
  q.parallel_for(sycl::nd_range<1>(64000, group()), [=](sycl::nd_item<1> item) {});
}
"""
SIZES = """\
#pragma once
inline int group() {
#ifdef LARGE
  // The largest that is tried: a group that no device of the generation takes, in a body too long to be read at once,
  // which is therefore put off, and put off again when the facts of the file are read back.
  return 1024;
#else
  return 640;
#endif
}
"""
LISTS = "project(p)\nadd_executable(a main.cpp)\ntarget_compile_definitions(a PRIVATE LARGE)\n"


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files whose facts were made, and the CMake projects that were run, in a project of three files."""
    monkeypatch.chdir(tmp_path)
    Path("main.cpp").write_text(MAIN)
    Path("sizes.h").write_text(SIZES)
    Path("CMakeLists.txt").write_text(LISTS)
    for each in (*Path().iterdir(), Path()):
        os.utime(each, (1, 1))
    found: list[str] = []
    facts, run = collect.file_facts, cmake._run

    def counted_facts(path, content, defines):  # type: ignore[no-untyped-def]
        found.append(path)
        return facts(path, content, defines)

    def counted_run(root, disk, *, whole=True):  # type: ignore[no-untyped-def]
        found.append("CMake")
        return run(root, disk, whole=whole)

    monkeypatch.setattr(collect, "file_facts", counted_facts)
    monkeypatch.setattr(cmake, "_run", counted_run)
    return found


def messages(*paths: str) -> list[str]:
    result = check(paths or ("main.cpp",), CONFIG, cache=Cache(FOLDER), raise_rule_errors=True)
    return [each.message for each in result.diagnostics if each.code == "SYC101"]


def edit(path: str, old: str, new: str) -> None:
    file = Path(path)
    file.write_text(file.read_text().replace(old, new))
    os.utime(file, (2, 2))


def stored() -> list[Path]:
    return sorted(Path(FOLDER).rglob("*.facts"))


def test_only_what_changed_is_read_again(made: list[str]) -> None:
    first = messages()
    assert "1024" in first[0]
    assert sorted(made) == ["CMake", "main.cpp", "sizes.h"]
    made.clear()
    edit("main.cpp", "64000", "65536")
    assert messages() == first
    assert made == ["main.cpp"]


CHANGES: dict[str, tuple[tuple[str, str, str], str, list[str]]] = {
    "a size": (("sizes.h", "1024", "768"), "768", ["sizes.h"]),
    "a macro of the build": (("CMakeLists.txt", "LARGE", "SMALL"), "640", ["CMake", "sizes.h"]),
    "what the build has nothing to say of": (("CMakeLists.txt", "p)", "p2)"), "1024", ["CMake"]),
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_change_is_seen(made: list[str], name: str) -> None:
    messages()
    made.clear()
    change, size, read = CHANGES[name]
    edit(*change)
    edit("main.cpp", "64000", "65536")
    assert size in messages()[0]
    assert sorted(made) == sorted([*read, "main.cpp"])


def test_the_same_text_elsewhere_is_known(made: list[str]) -> None:
    messages()
    made.clear()
    Path("other").mkdir()
    Path("other/sizes.h").write_text(SIZES)
    Path("other/other.cpp").write_text(MAIN.replace("main()", "other()"))
    messages("other/other.cpp")
    assert sorted(made) == [
        "main.cpp",
        "other/other.cpp",
    ]  # the header is known, and a source that was linted is not kept


DAMAGE: dict[str, Callable[[bytes], bytes]] = {
    "emptied": lambda _: b"",
    "cut": lambda content: content[: len(content) // 2],
    "another's": lambda _: b"\x80\x05cposix\nsystem\n.",
    "a byte": lambda content: content[:20] + bytes([content[20] ^ 1]) + content[21:],
}


@pytest.mark.parametrize("name", DAMAGE)
def test_what_is_damaged_is_as_if_it_were_not_there(made: list[str], name: str) -> None:
    first = messages()
    for path in stored():
        path.write_bytes(DAMAGE[name](path.read_bytes()))
    made.clear()
    edit("main.cpp", "64000", "65536")
    assert messages() == first
    assert sorted(made) == ["CMake", "main.cpp", "sizes.h"]


def test_of_a_source_that_is_linted_no_facts_are_written(made: list[str]) -> None:
    messages()
    assert [path.name[0] for path in stored()] == ["b", "f"]


@pytest.mark.parametrize(("jobs", "kinds"), [(1, ["b"]), (2, ["b", "f"])])
def test_of_many_files_several_processes_write_facts(made: list[str], jobs: int, kinds: list[str]) -> None:
    for number in range(FEW_FILES):
        Path(f"other{number}.cpp").write_text(MAIN.replace("main()", f"other{number}()"))
    result = check(["."], CONFIG, cache=Cache(FOLDER), jobs=jobs)
    assert result.checked == FEW_FILES + 2
    assert [path.name[0] for path in stored()] == kinds


def test_they_go_with_the_cache(made: list[str]) -> None:
    messages()
    assert stored()
    clean(FOLDER)
    assert not Path(FOLDER).exists()


def test_launches_are_listed_with_what_check_left(made: list[str]) -> None:
    alone = kernels(["main.cpp"], CONFIG)
    messages()
    made.clear()
    assert kernels(["main.cpp"], CONFIG, cache=Cache(FOLDER)) == alone
    assert made == ["main.cpp"]


def test_a_line_is_explained_with_what_check_found(made: list[str], linted: list[str]) -> None:
    alone = explain("main.cpp", 5, CONFIG)
    messages(".")
    linted.clear()
    made.clear()
    again = explain("main.cpp", 5, CONFIG, cache=Cache(FOLDER))
    assert (again.line, again.findings, again.opinions) == (alone.line, alone.findings, alone.opinions)
    assert linted == []
    assert made == ["main.cpp"]
