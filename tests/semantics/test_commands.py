"""Compile commands as libclang is given them."""

import json
import os
from pathlib import Path

import pytest

from sycllint.semantics.commands import INCLUDE, ClangInvocation, command_of
from sycllint.semantics.unit import parse
from sycllint.source.disk import Disk


def command(path: Path, database: Path | None = None, **others: str) -> ClangInvocation:
    return command_of(
        str(path), database=str(database) if database else None, defines=others, folders=(), headers=None, disk=Disk()
    )


def listed(folder: Path, text: str) -> Path:
    database = folder / "compile_commands.json"
    database.write_text(json.dumps([{"directory": str(folder), "file": "a.cpp", "command": text}]))
    return database


def test_what_only_a_sycl_compiler_knows_is_left_out(tmp_path: Path) -> None:
    text = (
        "icpx -fsycl -fsycl-targets=intel_gpu_pvc -fno-sycl-id-queries-fit-in-int -Xs '-device pvc' -O3 -march=native "
        "-std=c++17 -DN=4 -I inc -Iother -fno-exceptions -fp-model=precise -Wall -o a.o -c a.cpp"
    )
    found = command(tmp_path / "a.cpp", listed(tmp_path, text))
    assert found.listed
    own = [each for each in found.arguments if not each.startswith(("-isystem", "-W", "-x", "-ferror", "-D__SYCLLINT"))]
    assert own == [
        "-DSYCL_LANGUAGE_VERSION=202012L",
        "-std=c++17",
        "-DN=4",
        f"-I{tmp_path}/inc",
        f"-I{tmp_path}/other",
        "-fno-exceptions",
    ]


def test_a_file_without_an_entry_gets_defaults(tmp_path: Path) -> None:
    found = command(tmp_path / "b.cpp", listed(tmp_path, "c++ -std=c++14 -c a.cpp"), N="4")
    assert not found.listed
    assert "-std=c++20" in found.arguments
    assert "-DN=4" in found.arguments


def test_the_headers_of_the_command_go_before_our_own(tmp_path: Path) -> None:
    (tmp_path / "inc" / "sycl").mkdir(parents=True)
    (tmp_path / "inc" / "sycl" / "sycl.hpp").write_text("")
    found = command(tmp_path / "a.cpp", listed(tmp_path, "c++ -Iinc -c a.cpp"))
    assert (found.headers, found.own_headers) == (f"{tmp_path}/inc", False)


def test_without_any_sycl_there_are_declarations_of_our_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sycllint.semantics.commands.installed_headers", lambda: None)
    assert command(tmp_path / "a.cpp").headers == os.path.join(INCLUDE, "declarations")


def test_files_that_are_included_first_are_found_from_the_folder_of_the_command(tmp_path: Path) -> None:
    for name in ("config.h", "macros.h", "pch.hxx", "own.h"):
        (tmp_path / name).write_text("")
    text = (
        "c++ -include config.h -imacrosmacros.h -include elsewhere.h -Xclang -include-pch -Xclang pch.hxx.pch "
        "-Xclang -include -Xclang own.h -include-pch gone.pch -c a.cpp"
    )
    arguments = command(tmp_path / "a.cpp", listed(tmp_path, text)).arguments
    first = [
        (option, file)
        for option, file in zip(arguments, arguments[2:], strict=False)
        if option in ("-include", "-imacros")
    ]
    assert first == [
        ("-include", f"{tmp_path}/config.h"),
        ("-imacros", f"{tmp_path}/macros.h"),
        ("-include", "elsewhere.h"),
        ("-include", f"{tmp_path}/pch.hxx"),
        ("-include", f"{tmp_path}/own.h"),
    ]
    assert not [each for each in arguments if "pch" in each and each.endswith(".pch")]


@pytest.mark.parametrize("header", ["omp.h", "stdatomic.h", "cpuid.h", "unwind.h", "smmintrin.h", "immintrin.h"])
def test_headers_that_come_with_a_compiler_are_there(header: str, tmp_path: Path) -> None:
    pytest.importorskip("clang.cindex")
    path = tmp_path / "a.cpp"
    path.write_text(f"#include <{header}>\nint x;\n")
    found = parse(str(path), command(path), {})
    assert found is not None
    assert found.errors == []
