"""What build files say plainly, and what is left out because they do not."""

import json
from pathlib import Path

import pytest

from sycllint.source.build import build_settings


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
    assert found.folders == (str(tmp_path / "inc"),)
    assert build_settings(str(tmp_path), str(tmp_path / "other.cpp")).defines == {}


def test_a_broken_database_says_nothing(tmp_path: Path) -> None:
    (tmp_path / "compile_commands.json").write_text("[{")
    assert build_settings(str(tmp_path), str(tmp_path / "main.cpp")).defines == {}


def test_without_build_files_nothing_is_known(tmp_path: Path) -> None:
    assert not build_settings(str(tmp_path)).known
