"""Which devices a compilation database compiles for, as its options name them."""

import json
from pathlib import Path

import pytest

from sycllint.builds.offload import compiled_for


def database(folder: Path, *commands: str) -> str:
    """A database with one source per command: ``0.cpp``, ``1.cpp`` …"""
    entries = [
        {"directory": str(folder), "file": f"{number}.cpp", "command": command}
        for number, command in enumerate(commands)
    ]
    folder.mkdir(exist_ok=True)
    (folder / "compile_commands.json").write_text(json.dumps(entries))
    return str(folder / "compile_commands.json")


@pytest.mark.parametrize(
    ("options", "names"),
    [
        ("-fsycl-targets=intel_gpu_pvc", ("intel_gpu_pvc",)),
        ("-fsycl-targets=intel_gpu_pvc,nvidia_gpu_sm_90 -O2", ("intel_gpu_pvc", "nvidia_gpu_sm_90")),
        ("-fsycl-targets=amd_gpu_gfx942,spir64", ("amd_gpu_gfx942",)),
        ("-fsycl-targets=nvptx64-nvidia-cuda -Xsycl-target-backend --cuda-gpu-arch=sm_80", ("sm_80",)),
        ("-fsycl-targets=amdgcn-amd-amdhsa -Xsycl-target-backend=amdgcn-amd-amdhsa --offload-arch=gfx90a", ("gfx90a",)),
        ("-fsycl-targets=spir64_gen -Xs '-device pvc,bmg-g21'", ("pvc", "bmg-g21")),
        ("-fsycl-targets=spir64_gen -Xsycl-target-backend '-device 12.60.7'", ("12.60.7",)),
    ],
)
def test_the_devices_of_a_source(tmp_path: Path, options: str, names: tuple[str, ...]) -> None:
    found = compiled_for(database(tmp_path, f"icpx -fsycl {options} -c 0.cpp"))
    assert found == {str(tmp_path / "0.cpp"): names}


@pytest.mark.parametrize(
    "options",
    [
        "",
        "-fsycl-targets=spir64",
        "-fsycl-targets=nvptx64-nvidia-cuda",
        "--offload-arch=gfx90a",
        "-fsycl-targets=spir64 -Xs '-device pvc'",
    ],
)
def test_options_that_name_no_device_of_a_sycl_program(tmp_path: Path, options: str) -> None:
    assert compiled_for(database(tmp_path, f"icpx -fsycl {options} -c 0.cpp")) == {}


def test_a_list_of_arguments_is_read_like_a_command(tmp_path: Path) -> None:
    path = tmp_path / "compile_commands.json"
    path.write_text(
        json.dumps([{"directory": "src", "file": "a.cpp", "arguments": ["c", "-fsycl-targets=intel_gpu_dg1"]}])
    )
    assert compiled_for(str(path)) == {str(tmp_path / "src" / "a.cpp"): ("intel_gpu_dg1",)}


@pytest.mark.parametrize("text", ["", "{", "[1]", '{"a": 1}', "[" * 5000])
def test_a_database_that_is_none_names_nothing(tmp_path: Path, text: str) -> None:
    path = tmp_path / "compile_commands.json"
    path.write_text(text)
    assert compiled_for(str(path)) == {}
