"""What build files say plainly, and what is left out because they do not."""

import json
from pathlib import Path

import pytest

from sycllint.builds.database import database_of
from sycllint.builds.reading import build_settings
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
        ("all:\n\tg++ -DIN_A_RECIPE=1 main.cpp\n", {"IN_A_RECIPE": "1"}),
        (
            "B = 64\nCXXFLAGS = -DA=1\nx: a.o\n\t@$(CXX) $^ -o $@\na.o: a.cpp\n\t$(CXX) $(CXXFLAGS) -DB=$(B) -c $<\n",
            {"A": "1", "B": "64"},
        ),
        ("x: main.cpp\n\techo -DIN_A_TEXT=1\n\tg++ main.cpp\n", {}),
        ("LIBS = -DNOT_A_FLAG=1\n", {}),
    ],
)
def test_a_makefile_s_flags(tmp_path: Path, text: str, defines: dict[str, str]) -> None:
    assert settings_of_makefile(tmp_path, text) == defines


def test_what_not_all_commands_of_a_makefile_define_is_open(tmp_path: Path) -> None:
    (tmp_path / "Makefile").write_text(
        "all: small large\nsmall:\n\ticpx -DN=64 -DFAST main.cpp -o small\nlarge:\n\ticpx -DN=1024 main.cpp -o large\n"
    )
    found = build_settings(str(tmp_path))
    assert "N" not in found.defines
    assert (found.choices["N"].texts, found.choices["N"].undefined) == (("64", "1024"), False)
    assert (found.choices["FAST"].texts, found.choices["FAST"].undefined) == (("1",), True)


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


def test_a_compilation_database_decides_for_the_files_it_lists(tmp_path: Path) -> None:
    main = tmp_path / "main.cpp"
    command = "icpx -fsycl -DBLOCK=128 -UOTHER -I inc -c main.cpp"
    (tmp_path / "compile_commands.json").write_text(
        json.dumps([{"directory": str(tmp_path), "file": "main.cpp", "command": command}])
    )
    found = build_settings(str(tmp_path), str(main))
    assert found.defines == {"BLOCK": "128", "__clang__": "1"}
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


def database(folder: Path, *commands: str) -> None:
    """A database that compiles ``a.cpp`` with each of these commands."""
    entries = [{"directory": str(folder), "file": "a.cpp", "command": each} for each in commands]
    (folder / "compile_commands.json").write_text(json.dumps(entries))


def test_several_entries_of_a_file_are_alternatives(tmp_path: Path) -> None:
    database(tmp_path, "g++ -DBS=64 -DN=1 -DA -c a.cpp", "g++ -DBS=128 -DN=1 -c a.cpp")
    found = build_settings(str(tmp_path), str(tmp_path / "a.cpp"))
    assert found.defines == {"N": "1"}
    assert (found.choices["BS"].texts, found.choices["BS"].undefined) == (("64", "128"), False)
    assert (found.choices["A"].texts, found.choices["A"].undefined) == (("1",), True)
    assert found.choices["BS"].reason == "compile_commands.json compiles this file in 2 ways"
    assert found.known


def test_entries_that_agree_are_one(tmp_path: Path) -> None:
    database(tmp_path, "g++ -DBS=64 -O2 -c a.cpp", "g++ -DBS=64 -O3 -c a.cpp")
    assert build_settings(str(tmp_path), str(tmp_path / "a.cpp")).choices == {}


def test_response_files_are_read_where_the_compiler_runs(tmp_path: Path) -> None:
    (tmp_path / "flags").mkdir()
    (tmp_path / "flags" / "all.rsp").write_text('-DBS=64 "-DNAME=a b"\n@flags/more.rsp -Iinc\n')
    (tmp_path / "flags" / "more.rsp").write_text("-DN=2\r\n")
    database(tmp_path, "g++ @flags/all.rsp @missing.rsp -c a.cpp")
    found = build_settings(str(tmp_path), str(tmp_path / "a.cpp"))
    assert found.defines == {"BS": "64", "NAME": "a b", "N": "2"}
    assert found.folders == (shown(str(tmp_path / "inc")),)


def test_response_files_that_name_each_other_end(tmp_path: Path) -> None:
    (tmp_path / "a.rsp").write_text("-DA=1 @a.rsp")
    database(tmp_path, "g++ @a.rsp -c a.cpp")
    assert build_settings(str(tmp_path), str(tmp_path / "a.cpp")).defines == {"A": "1"}


def test_a_makefile_s_response_file(tmp_path: Path) -> None:
    (tmp_path / "opts.txt").write_text("-DBS=32")
    assert settings_of_makefile(tmp_path, "CXXFLAGS = -O2 @opts.txt\n") == {"BS": "32"}


@pytest.mark.parametrize(
    ("command", "sure", "open_", "listed"),
    [
        ("icpx -fsycl", {"__clang__"}, {"__INTEL_LLVM_COMPILER"}, {"SYCL_LANGUAGE_VERSION"}),
        ("/opt/intel/bin/icpx.exe -O2", {"__clang__"}, {"__INTEL_LLVM_COMPILER"}, set()),
        ("ccache clang++-18 -fsycl", {"__clang__"}, set(), {"SYCL_LANGUAGE_VERSION"}),
        ("dpcpp -sycl-std=1.2.1 -fsycl", {"__clang__"}, {"__INTEL_LLVM_COMPILER"}, set()),
        ("acpp --acpp-targets=generic", set(), {"__ACPP__", "__ADAPTIVECPP__"}, set()),
        ("g++", set(), set(), set()),
        ("icpx -D__INTEL_LLVM_COMPILER=20250000", {"__clang__", "__INTEL_LLVM_COMPILER"}, set(), set()),
    ],
)
def test_what_a_compiler_defines_by_itself(
    tmp_path: Path, command: str, sure: set[str], open_: set[str], listed: set[str]
) -> None:
    database(tmp_path, f"{command} -c a.cpp")
    found = build_settings(str(tmp_path), str(tmp_path / "a.cpp"))
    assert set(found.defines) == sure
    assert {name for name, each in found.choices.items() if each.open} == open_
    assert {name for name, each in found.choices.items() if each.texts} == listed
    assert not any(each.undefined for each in found.choices.values())
