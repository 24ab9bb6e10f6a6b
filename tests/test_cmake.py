"""What docs/cmake.md says, done with a real CMake project: a target that lints, and the linter slot of builds."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(shutil.which("cmake") is None, reason="there is no cmake here")

SYCL = """\
#pragma once
namespace sycl {
template <int> struct nd_item { int get_global_id(int) const; };
template <int> struct nd_range { nd_range(int, int) {} };
struct queue { template <class Range, class Kernel> void parallel_for(Range, Kernel) {} };
}
"""
"""As much of an implementation as the project needs to be compiled."""

PROJECT = """\
cmake_minimum_required(VERSION 3.16)
project(app LANGUAGES CXX)
{snippet}
add_executable(app src/app.cpp)
target_include_directories(app PRIVATE include)
target_compile_options(app PRIVATE -isystem {implementation})
target_compile_definitions(app PRIVATE $<$<COMPILE_LANGUAGE:CXX>:BLOCK=640>)
"""

HEADER = """\
#pragma once
#include <sycl/sycl.hpp>

inline void fill(sycl::queue &q, float *data) {
  q.parallel_for(sycl::nd_range<1>(64000, BLOCK), [=](sycl::nd_item<1> item) { data[item.get_global_id(0)] = 1.0f; });
}
"""

SOURCE = """\
#include "fill.hpp"
#include <sycl/sycl.hpp>

void scale(sycl::queue &q, float *data) {
  q.parallel_for(sycl::nd_range<1>(64000, BLOCK), [=](sycl::nd_item<1> item) { data[item.get_global_id(0)] *= 2.0f; });
}

int main() {}
"""

IN_SOURCE = "src/app.cpp:5:43: error[SYC101] work-group 640 exceeds max 512 on tgl"
IN_HEADER = "include/fill.hpp:5:43: error[SYC101] work-group 640 exceeds max 512 on tgl"


def run(*command: str | Path, cwd: Path) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(list(map(str, command)), cwd=cwd, capture_output=True, text=True, check=False, timeout=300)


@pytest.fixture
def sycllint(tmp_path: Path, repository: Path) -> Path:
    """A program that runs this sycllint, wherever it stands."""
    program = tmp_path / "sycllint"
    paths = f"{repository}:{repository / 'rules'}"
    program.write_text(f'#!/bin/sh\nPYTHONPATH="{paths}" exec "{sys.executable}" -m sycllint "$@"\n')
    program.chmod(0o755)
    return program


def snippet(repository: Path, word: str) -> str:
    """The block of CMake code in docs/cmake.md that has ``word``."""
    blocks = re.findall(r"```cmake\n(.*?)```", (repository / "docs/cmake.md").read_text(encoding="utf-8"), re.DOTALL)
    [found] = [each for each in blocks if word in each]
    return str(found)


def configured(folder: Path, code: str, sycllint: Path, generator: str) -> Path:
    """The source folder of a project with ``code``, configured in its folder ``build``."""
    project = folder / "project"
    (project / "src").mkdir(parents=True)
    (project / "include").mkdir()
    implementation = folder / "implementation"
    (implementation / "sycl").mkdir(parents=True)
    (implementation / "sycl" / "sycl.hpp").write_text(SYCL)
    (project / "CMakeLists.txt").write_text(PROJECT.format(snippet=code, implementation=implementation))
    (project / "src" / "app.cpp").write_text(SOURCE)
    (project / "include" / "fill.hpp").write_text(HEADER)
    (project / "sycllint.toml").write_text('targets = ["tgl"]\n')
    done = run("cmake", "-S", ".", "-B", "build", "-G", generator, f"-DSYCLLINT={sycllint}", cwd=project)
    assert done.returncode == 0, done.stdout + done.stderr
    return project


GENERATORS = [
    pytest.param(name, marks=pytest.mark.skipif(shutil.which(tool) is None, reason=f"there is no {tool} here"))
    for name, tool in (("Ninja", "ninja"), ("Unix Makefiles", "make"))
]


@pytest.mark.parametrize("generator", GENERATORS)
def test_the_target_lints_sources_and_headers_with_the_macros_of_the_build(
    repository: Path, tmp_path: Path, sycllint: Path, generator: str
) -> None:
    project = configured(tmp_path, snippet(repository, "add_custom_target"), sycllint, generator)
    linted = run("cmake", "--build", "build", "--target", "lint", cwd=project)
    assert linted.returncode != 0
    found = sorted(re.findall(r"^(\S+): error:", linted.stdout, re.MULTILINE))
    assert found == ["include/fill.hpp:5:43", "src/app.cpp:5:43"]
    assert linted.stdout.count("work-group 640 exceeds max 512 on tgl") == 2
    (project / "CMakeLists.txt").write_text((project / "CMakeLists.txt").read_text().replace("BLOCK=640", "BLOCK=320"))
    again = run("cmake", "--build", "build", "--target", "lint", cwd=project)
    assert again.returncode == 0, again.stdout


@pytest.mark.parametrize("generator", GENERATORS)
def test_the_linter_slot_shows_findings_and_lets_the_build_go_on(
    repository: Path, tmp_path: Path, sycllint: Path, generator: str
) -> None:
    code = "set(CMAKE_EXPORT_COMPILE_COMMANDS ON)\n" + snippet(repository, "set(CMAKE_CXX_CPPLINT")
    project = configured(tmp_path, code, sycllint, generator)
    built = run("cmake", "--build", "build", cwd=project)
    assert built.returncode == 0, built.stdout + built.stderr
    printed = built.stdout + built.stderr
    assert "Warning: cpplint diagnostics:" in printed
    assert IN_SOURCE in printed
    assert IN_HEADER not in printed
    assert IN_SOURCE in (repository / "docs/cmake.md").read_text(encoding="utf-8")
