"""What a file is checked against: the configuration's devices, the build's, or Intel's."""

import json
from pathlib import Path

import pytest

from sycllint.config import Config, Overrides, load
from sycllint.diagnostic import Severity
from sycllint.pipeline import check, kernels
from sycllint.pipeline.targets import Targets
from sycllint.pipeline.unnamed import UNNAMED

CPP = """
#include <sycl/sycl.hpp>
void run(sycl::queue q) {
  q.parallel_for(sycl::nd_range<1>(640 * 64, 640), [=](sycl::nd_item<1> it) {});
}
"""


def project(folder: Path, **options: str) -> Path:
    """A source per keyword, compiled with those options, and a header that the database does not list."""
    folder.mkdir(exist_ok=True)
    for name in (*options, "listed_nowhere"):
        (folder / f"{name}.cpp").write_text(CPP)
    commands = [
        {"directory": str(folder), "file": f"{name}.cpp", "command": f"icpx -fsycl {text} -c {name}.cpp"}
        for name, text in options.items()
    ]
    (folder / "compile_commands.json").write_text(json.dumps(commands))
    return folder


def names(targets: Targets, path: Path) -> list[str]:
    return [device.name for device in targets.of(str(path)).devices]


def test_the_build_names_the_targets_of_each_source(tmp_path: Path) -> None:
    folder = project(tmp_path, a="-fsycl-targets=intel_gpu_pvc", b="-fsycl-targets=nvidia_gpu_sm_90,intel_gpu_tgllp")
    targets = Targets(Config())
    assert names(targets, folder / "a.cpp") == ["pvc"]
    assert names(targets, folder / "b.cpp") == ["sm_90", "tgl"]
    assert not targets.assumed
    assert [device.name for device in targets.devices] == ["pvc", "sm_90", "tgl"]


def test_the_configuration_goes_before_the_build(tmp_path: Path) -> None:
    folder = project(tmp_path, a="-fsycl-targets=intel_gpu_pvc")
    targets = Targets(Config(targets=("gfx90a",)))
    assert names(targets, folder / "a.cpp") == ["gfx90a"]
    assert not targets.of(str(folder / "a.cpp")).assumed


def test_a_file_that_the_database_does_not_list_is_checked_against_what_all_others_have(tmp_path: Path) -> None:
    folder = project(tmp_path, a="-fsycl-targets=intel_gpu_pvc,intel_gpu_tgllp", b="-fsycl-targets=intel_gpu_tgllp")
    choice = Targets(Config()).of(str(folder / "listed_nowhere.cpp"))
    assert ([device.name for device in choice.devices], choice.assumed) == (["tgl"], False)


def test_where_the_sources_differ_it_is_a_guess(tmp_path: Path) -> None:
    folder = project(tmp_path, a="-fsycl-targets=intel_gpu_pvc", b="-fsycl-targets=intel_gpu_tgllp")
    choice = Targets(Config()).of(str(folder / "listed_nowhere.cpp"))
    assert ([device.name for device in choice.devices], choice.assumed) == (["pvc", "tgl"], True)


@pytest.mark.parametrize("options", ["", "-fsycl-targets=spir64", "-fsycl-targets=nvidia_gpu_sm_50"])
def test_without_a_known_name_intels_gpus_are_judged_for(tmp_path: Path, options: str) -> None:
    folder = project(tmp_path, a=options)
    targets = Targets(Config())
    assert tuple(names(targets, folder / "a.cpp")) == UNNAMED
    assert targets.assumed


def test_an_error_on_the_builds_device_is_an_error(tmp_path: Path) -> None:
    folder = project(tmp_path, a="-fsycl-targets=intel_gpu_tgllp", b="-fsycl-targets=nvidia_gpu_sm_90")
    result = check([str(folder / "a.cpp"), str(folder / "b.cpp")], Config(select=("SYC101",)), raise_rule_errors=True)
    [only] = result.diagnostics
    assert (only.severity, only.message) == (Severity.ERROR, "work-group 640 exceeds max 512 on tgl")
    assert (only.location.path.endswith("a.cpp"), result.targets, result.targets_assumed) == (
        True,
        ("tgl", "sm_90"),
        False,
    )


def test_launches_are_listed_with_the_builds_devices(tmp_path: Path) -> None:
    folder = project(tmp_path, a="-fsycl-targets=amd_gpu_gfx90a")
    found = kernels([str(folder / "a.cpp")], Config())
    assert found.targets == ("gfx90a",)
    [report] = found.launches
    [occupancy] = report.occupancies["gfx90a"]
    assert (occupancy.groups_per_core, occupancy.ratio, occupancy.registers) == (3, 30 / 32, None)


def test_a_device_of_the_configuration_is_a_target_like_any_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.cpp").write_text(CPP)
    (tmp_path / "sycllint.toml").write_text(
        'targets = ["mine"]\n[devices.mine]\nbase = "tgl"\nmax_work_group_size = 256\n'
    )
    monkeypatch.chdir(tmp_path)
    [only] = check(["a.cpp"], load(["a.cpp"], Overrides(select=("SYC101",))), raise_rule_errors=True).diagnostics
    assert (only.message, only.targets) == ("work-group 640 exceeds max 256 on mine", ("mine",))
    assert kernels(["a.cpp"], load(["a.cpp"])).targets == ("mine",)


LIST = 'set(AOT_DEVICES "pvc,bmg")\n'


@pytest.mark.parametrize(
    ("commands", "expected"),
    [
        ("add_compile_options(-fsycl -fsycl-targets=intel_gpu_pvc)", ["pvc"]),
        ('set(CMAKE_CXX_FLAGS "${CMAKE_CXX_FLAGS} -fsycl -fsycl-targets=intel_gpu_pvc")', ["pvc"]),
        (LIST + 'add_link_options(-fsycl-targets=spir64_gen -Xs "-device ${AOT_DEVICES}")', ["pvc", "bmg"]),
        (LIST + "set(CMAKE_CXX_FLAGS \"-fsycl-targets=spir64_gen -Xs '-device ${AOT_DEVICES}'\")", ["pvc", "bmg"]),
        (
            (
                "target_compile_options(app PRIVATE -fsycl-targets=spir64_gen)\n"
                'target_link_options(app PRIVATE -fsycl-targets=spir64_gen -Xsycl-target-backend "-device bmg,ptl")'
            ),
            ["bmg", "ptl"],
        ),
        (
            (
                "set(CMAKE_CXX_FLAGS -fsycl-targets=spir64_gen)\n"
                'set(CMAKE_EXE_LINKER_FLAGS "-Xsycl-target-backend=spir64_gen \\"-device pvc\\"")'
            ),
            ["pvc"],
        ),
        (
            (
                "add_library(kernels INTERFACE)\n"
                "target_link_options(kernels INTERFACE -fsycl-targets=spir64_gen \"SHELL:-Xs '-device pvc'\")\n"
                "target_link_libraries(app PRIVATE kernels)"
            ),
            ["pvc"],
        ),
        ('target_link_libraries(app -fsycl-targets=spir64_gen -Xs "-device pvc")', ["pvc"]),
        (
            (
                "set_target_properties(app PROPERTIES COMPILE_FLAGS -fsycl-targets=spir64_gen"
                " LINK_FLAGS \"-fsycl-targets=spir64_gen -Xs '-device bmg'\")"
            ),
            ["bmg"],
        ),
        ("if(TRUE)\nadd_compile_options(-fsycl-targets=intel_gpu_pvc)\nendif()", ["pvc"]),
        ("add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-fsycl-targets=intel_gpu_pvc>)", ["pvc"]),
    ],
)
def test_without_a_build_folder_cmake_names_the_devices(tmp_path: Path, commands: str, expected: list[str]) -> None:
    targets = Targets(Config())
    assert names(targets, listed(tmp_path, commands)) == expected
    assert not targets.assumed


@pytest.mark.parametrize(
    "commands",
    [
        "add_compile_options(-fsycl)",
        'add_link_options(-Xs "-device pvc")',
        'option(AOT "" OFF)\nif(AOT)\nadd_compile_options(-fsycl-targets=intel_gpu_pvc)\nendif()',
        'add_link_options(-fsycl-targets=spir64_gen -Xs "-device $ENV{GPU}")',
        "add_compile_options($<$<CONFIG:Release>:-fsycl-targets=intel_gpu_pvc>)",
        "if(FALSE)\nadd_compile_options(-fsycl-targets=intel_gpu_pvc)\nendif()",
        "add_compile_options(-fsycl-targets=intel_gpu_never_heard_of)",
        "add_executable(other b.cpp)\ntarget_compile_options(other PRIVATE -fsycl-targets=intel_gpu_pvc)",
    ],
)
def test_options_that_not_every_build_has_name_no_device(tmp_path: Path, commands: str) -> None:
    targets = Targets(Config())
    assert tuple(names(targets, listed(tmp_path, commands))) == UNNAMED
    assert targets.assumed


def listed(folder: Path, commands: str) -> Path:
    """The only source of a project whose target ``app`` stands before ``commands``."""
    (folder / ".git").mkdir()
    (folder / "CMakeLists.txt").write_text(f"project(p)\nadd_executable(app a.cpp)\n{commands}\n")
    (folder / "a.cpp").write_text(CPP)
    return folder / "a.cpp"


def test_a_compilation_database_goes_before_cmakes_commands(tmp_path: Path) -> None:
    path = listed(
        project(tmp_path, a="-fsycl-targets=intel_gpu_pvc"), "add_compile_options(-fsycl-targets=intel_gpu_bmg)"
    )
    assert names(Targets(Config()), path) == ["pvc"]
