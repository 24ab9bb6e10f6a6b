"""What build files say plainly, and what is left out because they do not."""

import json
from pathlib import Path

import pytest

from sycllint.source.build import build_settings, database_of
from sycllint.source.files import shown


def settings_of_makefile(folder: Path, text: str) -> dict[str, str]:
    (folder / "Makefile").write_text(text)
    return build_settings(str(folder)).defines


@pytest.mark.parametrize(
    ("text", "defines"),
    [
        ("CFLAGS = -O3 -DBLOCK=256 -DFAST\n", {"BLOCK": "256", "FAST": "1"}),
        ("SIZE = 64\nCXXFLAGS := -DBLOCK=$(SIZE)\n", {"BLOCK": "64"}),
        ("CXXFLAGS = -O2\nCXXFLAGS += -DA=1\\\n  -DB=2\n", {"A": "1", "B": "2"}),
        (
            "GPU = yes\nCFLAGS =\nifeq ($(GPU),yes)\n  CFLAGS += -DUSE_GPU\nelse\n  CFLAGS += -DUSE_CPU\nendif\n",
            {"USE_GPU": "1"},
        ),
        ("GPU ?= no\nCFLAGS =\nifeq ($(GPU),yes)\n  CFLAGS += -DUSE_GPU\nendif\n", {}),
        ("CFLAGS = -DROWS=4 # -DCOLUMNS=8\n", {"ROWS": "4"}),
        ("all:\n\tg++ -DIN_A_RECIPE=1 main.cpp\n", {}),
        ("LIBS = -DNOT_A_FLAG=1\n", {}),
    ],
)
def test_a_makefile_s_flags(tmp_path: Path, text: str, defines: dict[str, str]) -> None:
    assert settings_of_makefile(tmp_path, text) == defines


def test_a_makefile_s_folders_are_relative_to_it(tmp_path: Path) -> None:
    (tmp_path / "Makefile").write_text("CFLAGS = -I../shared -I include\n")
    found = build_settings(str(tmp_path))
    assert found.folders == (str(tmp_path.parent / "shared"), str(tmp_path / "include"))
    assert found.known


def test_cmake_definitions_outside_conditions(tmp_path: Path) -> None:
    (tmp_path / "CMakeLists.txt").write_text(
        "add_compile_definitions(WIDTH=16)\n"
        "target_compile_definitions(app PRIVATE ROWS=4 PUBLIC -DCOLUMNS=8)\n"
        "if(NVIDIA)\n  add_compile_definitions(WIDTH=32)\nendif()\n"
        "# add_definitions(-DNOT=1)\n"
    )
    found = build_settings(str(tmp_path))
    assert found.defines == {"WIDTH": "16", "ROWS": "4", "COLUMNS": "8"}
    assert not found.known


def test_a_compilation_database_speaks_for_the_files_it_lists(tmp_path: Path) -> None:
    main = tmp_path / "main.cpp"
    command = "icpx -fsycl -DBLOCK=128 -UOTHER -I inc -c main.cpp"
    (tmp_path / "compile_commands.json").write_text(
        json.dumps([{"directory": str(tmp_path), "file": "main.cpp", "command": command}])
    )
    found = build_settings(str(tmp_path), str(main))
    assert found.defines == {"BLOCK": "128"}
    assert found.folders == (shown(str(tmp_path / "inc")),)
    assert build_settings(str(tmp_path), str(tmp_path / "other.cpp")).defines == {}


def compiled(folder: Path, commands: dict[str, str]) -> Path:
    """A compilation database in ``folder/build``: the options of each source, which are relative to ``folder``."""
    (folder / "build").mkdir(exist_ok=True)
    database = folder / "build" / "compile_commands.json"
    entries = [
        {"directory": "..", "file": source, "command": f"c++ {options} -c {source}"}
        for source, options in commands.items()
    ]
    database.write_text(json.dumps(entries))
    return database


def test_the_database_of_a_cmake_build_is_read(tmp_path: Path) -> None:
    (tmp_path / "CMakeLists.txt").write_text("add_compile_definitions(BLOCK=1)\n")
    compiled(tmp_path, {"a.cpp": "-DBLOCK=640 -Iinc"})
    found = build_settings(str(tmp_path), str(tmp_path / "a.cpp"))
    assert (found.defines, found.folders) == ({"BLOCK": "640"}, (shown(str(tmp_path / "inc")),))


def test_headers_of_an_implementation_are_not_the_project_s(tmp_path: Path) -> None:
    (tmp_path / "implementation" / "sycl").mkdir(parents=True)
    (tmp_path / "implementation" / "sycl" / "sycl.hpp").touch()
    compiled(tmp_path, {"a.cpp": "-Iimplementation -isystem /usr/include/x -Iinc"})
    found = build_settings(str(tmp_path), str(tmp_path / "a.cpp"))
    assert found.folders == ("/usr/include/x", shown(str(tmp_path / "inc")))


def test_a_header_has_what_the_sources_have_in_common(tmp_path: Path) -> None:
    compiled(tmp_path, {"a.cpp": "-DBLOCK=64 -DN=1 -Iinc", "b.cpp": "-DBLOCK=64 -DN=2 -Ilib"})
    found = build_settings(str(tmp_path), str(tmp_path / "inc" / "a.hpp"))
    assert found.defines == {"BLOCK": "64"}
    assert found.folders == (shown(str(tmp_path / "inc")), shown(str(tmp_path / "lib")))
    assert not found.known
    assert build_settings(str(tmp_path), str(tmp_path / "unlisted.cpp")).defines == {}


def test_a_header_of_sources_that_are_compiled_alike_is_compiled_so(tmp_path: Path) -> None:
    compiled(tmp_path, {"a.cpp": "-DBLOCK=64", "b.cpp": "-DBLOCK=64"})
    assert build_settings(str(tmp_path), str(tmp_path / "a.h")).known


def test_sources_of_other_folders_say_nothing_of_a_header_beside_listed_ones(tmp_path: Path) -> None:
    compiled(tmp_path, {"app/a.cpp": "-DBLOCK=64", "lib/b.cpp": "-DBLOCK=32"})
    assert build_settings(str(tmp_path / "app"), str(tmp_path / "app" / "a.h")).defines == {"BLOCK": "64"}


def test_a_database_that_is_given_comes_before_the_nearest(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    compiled(tmp_path, {"a.cpp": "-DBLOCK=64"})
    given = compiled(tmp_path / "other", {"../a.cpp": "-DBLOCK=32"})
    for place in (given, given.parent):
        found = build_settings(str(tmp_path), str(tmp_path / "a.cpp"), database=str(place))
        assert found.defines == {"BLOCK": "32"}


def test_the_nearest_database_is_found_beside_the_sources_or_in_build(tmp_path: Path) -> None:
    repository = tmp_path / "repository"
    inner = repository / "src" / "kernels"
    inner.mkdir(parents=True)
    (repository / ".git").mkdir()
    (tmp_path / "compile_commands.json").write_text("[]")
    assert database_of(str(inner)) is None
    outer = compiled(repository, {})
    assert database_of(str(inner)) == str(outer)
    nearer = repository / "src" / "compile_commands.json"
    nearer.write_text("[]")
    assert database_of(str(inner)) == str(nearer)


def test_a_broken_database_says_nothing(tmp_path: Path) -> None:
    (tmp_path / "compile_commands.json").write_text("[{")
    assert build_settings(str(tmp_path), str(tmp_path / "main.cpp")).defines == {}


def test_without_build_files_nothing_is_known(tmp_path: Path) -> None:
    assert not build_settings(str(tmp_path)).known
