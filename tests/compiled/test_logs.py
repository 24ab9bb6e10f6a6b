"""What ptxas and the AMDGPU back end print: recorded, printed by the tools where they are installed, and broken off."""

import re
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from sycllint.compiled.logs import read_log
from sycllint.errors import SycllintError
from sycllint.hardware.device import AmdDevice, Vendor
from sycllint.hardware.profiles import device as named
from sycllint.launch.compiled import CompiledKernel
from sycllint.occupancy.amd import vector_registers_taken, waves_by_vector_registers

RECORDED = Path(__file__).parent.parent / "data" / "compiled"


def read(text: str, path: str = "build.log") -> Mapping[str, CompiledKernel]:
    return {each.name: each for each in read_log(text, path)}


def recorded(name: str) -> Mapping[str, CompiledKernel]:
    return read((RECORDED / name).read_text(), name)


def test_ptxas_reports_registers_shared_memory_barriers_and_the_stack_of_each_kernel() -> None:
    found = recorded("sm_80.log")
    assert {(each.vendor, each.device, each.sub_group_size) for each in found.values()} == {
        (Vendor.NVIDIA, "sm_80", 32)
    }
    numbers = {name: (each.registers, each.local_memory, each.barriers) for name, each in found.items()}
    assert numbers == {"axpy": (10, 0, 0), "tile_1k": (14, 1024, 1), "bins_64": (18, 0, 0), "wide": (64, 0, 1)}
    assert found["axpy"].private_memory == 0
    assert found["bins_64"].private_memory == 64 * 4
    assert (found["wide"].private_memory or 0) > 0, "what 64 registers do not hold is spilled"


def test_amd_reports_vgprs_lds_and_scratch() -> None:
    found = recorded("gfx1100.log")
    assert {(each.vendor, each.device, each.accumulators) for each in found.values()} == {(Vendor.AMD, None, None)}
    numbers = {name: (each.registers, each.local_memory, each.private_memory) for name, each in found.items()}
    assert numbers["tile_1k"] == (4, 1024, 0)
    assert numbers["bins_64"][2] == 64 * 4 + 4
    assert numbers["wide"] == (256, 0, 784)


def waves_of(log: str) -> Mapping[str, int]:
    """What the compiler itself says of waves per SIMD."""
    found = re.findall(r"Function Name: (\w+)|Occupancy \[waves/SIMD\]: (\d+)", log)
    return {name: int(waves) for (name, _), (_, waves) in zip(found[::2], found[1::2], strict=True)}


@pytest.mark.parametrize("target", ["gfx90a", "gfx1100"])
def test_registers_leave_as_many_waves_as_the_compiler_says(target: str) -> None:
    device = named(target)
    assert isinstance(device, AmdDevice)
    by_compiler = waves_of((RECORDED / f"{target}.log").read_text())
    for name, kernel in recorded(f"{target}.log").items():
        assert kernel.registers is not None
        taken = vector_registers_taken(device, kernel.registers, kernel.accumulators or 0)
        assert waves_by_vector_registers(device, taken) == by_compiler[name]


def test_accumulators_are_of_the_same_file_from_gfx90a_on() -> None:
    wide = recorded("gfx90a.log")["wide"]
    assert (wide.registers, wide.accumulators) == (256, 199)
    devices = [named(each) for each in ("gfx908", "gfx90a", "gfx942")]
    assert [vector_registers_taken(each, 254, 199) for each in devices if isinstance(each, AmdDevice)] == [
        254,
        455,
        455,
    ]


PTX = """\
.version 7.5
.target sm_75
.address_size 64
.visible .entry turned(.param .u64 out) {
  .reg .b32 %r<3>;
  .reg .b64 %rd<4>;
  .shared .align 4 .b8 tile[512];
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd2, %r1, 4;
  mov.u64 %rd3, tile;
  add.s64 %rd2, %rd2, %rd3;
  st.shared.u32 [%rd2], %r1;
  bar.sync 0;
  ld.shared.u32 %r2, [tile+4];
  st.global.u32 [%rd1], %r2;
  ret;
}
"""


@pytest.mark.skipif(shutil.which("ptxas") is None, reason="ptxas is not installed")
def test_what_ptxas_prints_today_is_read(tmp_path: Path) -> None:
    (tmp_path / "turned.ptx").write_text(PTX)
    done = subprocess.run(
        ["ptxas", "-v", "-arch=sm_75", "turned.ptx", "-o", "turned.bin"],
        cwd=tmp_path, capture_output=True, text=True, check=True,
    )  # fmt: skip
    turned = read(done.stdout + done.stderr)["turned"]
    assert (turned.device, turned.local_memory, turned.barriers, turned.private_memory) == ("sm_75", 512, 1, 0)
    assert turned.registers


def clangs() -> list[str]:
    """Compilers of this machine that make code for AMD's GPUs and have the remark, which came with clang 16."""
    names = ["clang", *(f"clang-{version}" for version in range(16, 23))]
    return [each for each in names if shutil.which(each) is not None and _prints_resources(each)]


def _prints_resources(clang: str) -> bool:
    targets = subprocess.run([clang, "--print-targets"], capture_output=True, text=True, check=False).stdout
    version = subprocess.run([clang, "-dumpversion"], capture_output=True, text=True, check=False).stdout
    return "amdgcn" in targets and int(version.partition(".")[0] or 0) >= 16


def test_what_clang_prints_today_is_read(tmp_path: Path) -> None:
    found = clangs()
    if not found:
        pytest.skip("no clang for amdgcn is installed")
    options = ["-x", "cl", "-cl-std=CL2.0", "-O2", "-nogpulib", "--target=amdgcn-amd-amdhsa", "-mcpu=gfx90a", "-c"]
    remark = ["-Rpass-analysis=kernel-resource-usage", "-o", str(tmp_path / "kernels.o")]
    for clang in found:
        command = [clang, *options, *remark, str(RECORDED / "builtin.cl")]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        tile, bins = (read(done.stderr)[each] for each in ("tile_1k", "bins_64"))
        assert (tile.local_memory, tile.private_memory, tile.accumulators) == (1024, 0, 0)
        assert (bins.private_memory or 0) >= 64 * 4


COLOURED = "\x1b[1ma.cpp:12:1: \x1b[0m\x1b[0;34mremark: \x1b[0m{} [-Rpass-analysis=kernel-resource-usage]\x1b[0m\n"


def test_colours_of_a_terminal_do_not_matter() -> None:
    log = "".join(COLOURED.format(each) for each in ("Function Name: _ZTS4tile", "    VGPRs: 148"))
    assert read(log)["_ZTS4tile"].registers == 148


def test_a_log_that_breaks_off_is_an_error_with_its_line() -> None:
    lines = (RECORDED / "sm_80.log").read_text().splitlines()
    last = next(index for index, each in enumerate(lines) if "Compiling entry function 'axpy'" in each)
    with pytest.raises(SycllintError) as error:
        read("\n".join(lines[: last + 2]))
    assert str(error.value) == f"build.log:{last + 1}: the report on axpy ends without its registers"


def test_a_remark_without_its_kernel_is_an_error() -> None:
    with pytest.raises(SycllintError, match=r"build.log:1: SGPRs of no kernel"):
        read("a.cpp:12:1: remark:     SGPRs: 34 [-Rpass-analysis=kernel-resource-usage]\n")
