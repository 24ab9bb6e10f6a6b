"""Sizes that depend on how a file is compiled: compilation databases, response files, what compilers define."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from sycllint.config import Config, Deep
from sycllint.launch.kernel import KernelLaunch
from sycllint.launch.merge import merged
from sycllint.observation import EVERYTHING
from sycllint.pipeline import check, kernels
from sycllint.pipeline.project import Project
from sycllint.source.text import SourceFile
from sycllint.values.value import Unknown, known, possible

SIZE = "void f(sycl::queue &q) { q.parallel_for(sycl::nd_range<1>(1024 * 64, BS), [=](sycl::nd_item<1> it) {}); }\n"
DEFAULT = "#ifndef BS\n#define BS 64\n#endif\n" + SIZE

TEMPLATE = """\
template <int BS> void g(sycl::queue &q) {
  q.parallel_for(sycl::nd_range<1>(1024, BS), [=](sycl::nd_item<1> it) {});
}
void f(sycl::queue &q) { g<32>(q); }
"""


def launches(
    folder: Path, source: str, commands: tuple[str, ...], files: Mapping[str, str], defines: dict[str, str]
) -> list[KernelLaunch]:
    for name, text in files.items():
        (folder / name).write_text(text)
    path = folder / "a.cpp"
    path.write_text(source)
    entries = [{"directory": str(folder), "file": "a.cpp", "command": f"{each} -c a.cpp"} for each in commands]
    (folder / "compile_commands.json").write_text(json.dumps(entries))
    return merged(Project(defines).analyze(SourceFile(str(path), path.read_bytes()), EVERYTHING).launches)


def either(condition: str) -> str:
    return f"#if {condition}\n#define BS 128\n#else\n#define BS 256\n#endif\n{SIZE}"


CASES: dict[str, tuple[str, tuple[str, ...], set[int]]] = {
    "the command line defines what the source defaults": (DEFAULT, ("icpx -fsycl -DBS=2048",), {2048}),
    "a command line that says nothing leaves the default": (DEFAULT, ("icpx -fsycl",), {64}),
    "two entries, two values": (DEFAULT, ("g++ -DBS=128", "g++ -DBS=256"), {128, 256}),
    "one entry leaves the default": (DEFAULT, ("g++ -DBS=128", "g++ -O2"), {64, 128}),
    "the source defines it again": ("#undef BS\n#define BS 96\n" + SIZE, ("g++ -DBS=128", "g++ -DBS=256"), {96}),
    "an entry without text does not compile": (SIZE, ("g++ -DBS=", "g++ -DBS=256"), {256}),
    "a condition that both entries decide alike": (either("N > 1"), ("g++ -DN=2", "g++ -DN=3"), {128}),
    "a condition that the entries decide differently": (either("N > 2"), ("g++ -DN=2", "g++ -DN=3"), {128, 256}),
    "a condition on two macros": (either("N == 2 || M == 2"), ("g++ -DN=2 -DM=3", "g++ -DN=3 -DM=2"), {128, 256}),
    "the language version is defined": (either("defined(SYCL_LANGUAGE_VERSION)"), ("clang++ -fsycl",), {128}),
    "the language version is that of SYCL 2020": (either("SYCL_LANGUAGE_VERSION >= 202000"), ("icpx -fsycl",), {128}),
    "the revision of the language version is not known": (
        either("SYCL_LANGUAGE_VERSION == 202012L"),
        ("icpx -fsycl",),
        {128, 256},
    ),
    "without -fsycl the version may be defined by a header": (
        either("defined(SYCL_LANGUAGE_VERSION)"),
        ("g++ -O2",),
        {128, 256},
    ),
    "icpx is Intel's compiler": (either("defined __INTEL_LLVM_COMPILER"), ("icpx -fsycl",), {128}),
    "which version of it is not known": (either("__INTEL_LLVM_COMPILER >= 20240000"), ("icpx -fsycl",), {128, 256}),
    "unless it is given": (
        either("__INTEL_LLVM_COMPILER >= 20240000"),
        ("icpx -fsycl -D__INTEL_LLVM_COMPILER=20230000",),
        {256},
    ),
    "AdaptiveCpp": (either("defined(__ACPP__) && !defined(NEVER)"), ("acpp -O3",), {128}),
    "clang": (either("__clang__"), ("clang++-17 -fsycl",), {128}),
    "a template parameter of a name that one entry defines": (
        TEMPLATE,
        ("g++ -DBS=128", "g++"),
        {32},
    ),
    "a constant of a name that one entry defines": ("constexpr int BS = 32;\n" + SIZE, ("g++ -DBS=128", "g++"), {32}),
    "a constant that stands for the macro": (
        "#ifndef BS\nconstexpr int BS = 32;\n#endif\n" + SIZE,
        ("g++ -DBS=128", "g++"),
        set(),
    ),
    "a response file": (DEFAULT, ("g++ @flags.rsp",), {96}),
}


@pytest.mark.parametrize("case", CASES)
def test_the_work_group_of(tmp_path: Path, case: str) -> None:
    source, commands, expected = CASES[case]
    (found,) = launches(tmp_path, source, commands, {"flags.rsp": "-DBS=96\n"}, {})
    assert found.work_group_size is not None
    assert {each.value for each in possible(found.work_group_size)} == expected


def test_what_the_configuration_defines_is_no_alternative(tmp_path: Path) -> None:
    (found,) = launches(tmp_path, DEFAULT, ("g++ -DBS=128", "g++ -DBS=256"), {}, {"BS": "32"})
    assert found.work_group_size is not None
    assert {each.value for each in possible(found.work_group_size)} == {32}


HEADERS = "#include <array>\n#include <sycl/sycl.hpp>\n#include <tuple>\n"


def folded(source: str) -> str:
    """``source`` with a size that only a front end works out."""
    return HEADERS + source.replace("BS)", "std::tuple_size_v<std::array<char, BS>>)")


INTEL = "#ifdef __INTEL_LLVM_COMPILER\n#define BS 32\n#else\n#define BS 64\n#endif\n"


@pytest.mark.parametrize(
    ("source", "commands", "size"),
    [
        (folded(SIZE), ("c++ -DBS=128",), 128),
        (folded(SIZE), ("c++ -DBS=128", "c++ -DBS=256"), None),
        (folded(SIZE), ("c++ @flags.rsp",), 96),
        (folded(either("defined(SYCL_LANGUAGE_VERSION)")), ("icpx -fsycl",), 128),
        (folded(INTEL + SIZE), ("icpx -fsycl",), None),
    ],
)
def test_the_front_end_knows_no_more_of_the_build(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, source: str, commands: tuple[str, ...], size: int | None
) -> None:
    pytest.importorskip("clang.cindex")
    launches(tmp_path, source, commands, {"flags.rsp": "-DBS=96\n"}, {})
    monkeypatch.chdir(tmp_path)
    (found,) = kernels(["a.cpp"], Config(targets=("tgl",), deep=Deep("on"))).launches
    assert known(found.launch.work_group_size) == size


DEVICE = """\
{before}
void f(sycl::queue &q, float *y) {{
  {around}
  q.parallel_for(sycl::nd_range<1>(1024, BS), [=](sycl::nd_item<1> it) {{
#ifdef __SYCL_DEVICE_ONLY__
    float row[16];
#else
    float row[64];
#endif
    row[it.get_local_id(0) & 7] = 1;
    y[it.get_global_id(0)] = row[0];
  }});
}}
"""


def test_a_kernel_is_compiled_for_the_device(tmp_path: Path) -> None:
    (found,) = launches(tmp_path, DEVICE.format(before="", around="constexpr int BS = 64;"), ("g++",), {}, {})
    assert known(found.private_memory.total) == 16 * 4


def test_the_host_s_code_may_be_compiled_for_both(tmp_path: Path) -> None:
    before = "#ifdef __SYCL_DEVICE_ONLY__\n#define BS 32\n#else\n#define BS 64\n#endif"
    (found,) = launches(tmp_path, DEVICE.format(before=before, around=""), ("g++",), {}, {})
    assert found.work_group_size is not None
    assert {each.value for each in possible(found.work_group_size)} == {32, 64}


def test_a_version_as_a_size_is_not_known(tmp_path: Path) -> None:
    (found,) = launches(tmp_path, SIZE.replace("BS", "__INTEL_LLVM_COMPILER"), ("icpx -fsycl",), {}, {})
    assert isinstance(found.work_group_size, Unknown)
    assert "the version of icpx" in found.work_group_size.reason


LARGE = """
void f(sycl::queue &q, char *x) {
  q.parallel_for(sycl::range<2>(65536, 65536), [=](sycl::id<2> i) { x[i[0]] = 1; });
}
"""


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (("icpx -fsycl",), ["SYC104"]),
        (("icpx -fsycl -fno-sycl-id-queries-fit-in-int",), []),
        (("clang++ -fsycl -O2 -fno-sycl-id-queries-fit-in-int",) * 2, []),
        (("icpx -fsycl -fno-sycl-id-queries-fit-in-int", "icpx -fsycl"), ["SYC104"]),
    ],
)
def test_a_build_that_compiles_wide_ids_may_launch_many(
    tmp_path: Path, options: tuple[str, ...], expected: list[str]
) -> None:
    launches(tmp_path, LARGE, options, {}, {})
    found = check([str(tmp_path / "a.cpp")], Config(targets=("pvc",), select=("SYC104",)), raise_rule_errors=True)
    assert [each.code for each in found.diagnostics] == expected


@pytest.mark.parametrize(
    ("commands", "expected"),
    [
        ("add_executable(app a.cpp)", ["SYC104"]),
        ("add_compile_options(-fno-sycl-id-queries-fit-in-int)\nadd_executable(app a.cpp)", []),
        ("add_executable(app a.cpp)\ntarget_compile_options(app PRIVATE -fsycl -fno-sycl-id-queries-fit-in-int)", []),
        ('set(CMAKE_CXX_FLAGS "-fsycl -fno-sycl-id-queries-fit-in-int")\nadd_executable(app a.cpp)', []),
        ("add_executable(app a.cpp)\ntarget_compile_options(b PRIVATE -fno-sycl-id-queries-fit-in-int)", ["SYC104"]),
    ],
)
def test_so_may_one_whose_cmake_files_say_it(tmp_path: Path, commands: str, expected: list[str]) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "CMakeLists.txt").write_text(f"project(p)\n{commands}\n")
    (tmp_path / "a.cpp").write_text(LARGE)
    found = check([str(tmp_path / "a.cpp")], Config(targets=("pvc",), select=("SYC104",)), raise_rule_errors=True)
    assert [each.code for each in found.diagnostics] == expected
