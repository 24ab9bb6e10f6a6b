"""What ptxas and the AMDGPU back end print. The logs are written after the formats that their documents show."""

import pytest

from sycllint.compiled.logs import read_log
from sycllint.errors import SycllintError
from sycllint.hardware.device import Vendor

PTXAS = """\
[3/7] clang++ -fsycl -fsycl-targets=nvidia_gpu_sm_80 -Xcuda-ptxas -v a.cpp
ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function '_ZTS4tile' for 'sm_80'
ptxas info    : Function properties for _ZTS4tile
    16 bytes stack frame, 16 bytes spill stores, 12 bytes spill loads
ptxas info    : Used 72 registers, used 1 barriers, 8192 bytes smem, 360 bytes cmem[0]
ptxas info    : Function properties for helper
    8 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 22 registers
ptxas info    : Compiling entry function '_ZTS4axpy' for 'sm_80'
ptxas info    : Function properties for _ZTS4axpy
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 10 registers, 4096+16 bytes smem
"""

REMARK = "a.cpp:12:1: remark: {} [-Rpass-analysis=kernel-resource-usage]\n"
AMD = "".join(
    REMARK.format(each)
    for each in (
        "Function Name: _ZTS4tile",
        "    SGPRs: 34",
        "    VGPRs: 148",
        "    AGPRs: 0",
        "    ScratchSize [bytes/lane]: 48",
        "    Dynamic Stack: False",
        "    Occupancy [waves/SIMD]: 3",
        "    SGPRs Spill: 0",
        "    VGPRs Spill: 12",
        "    LDS Size [bytes/block]: 1792",
        "Function Name: _ZTS4axpy",
        "    VGPRs: 8",
    )
)


def test_ptxas_tells_registers_shared_memory_and_the_stack_of_each_kernel() -> None:
    tile, axpy = read_log(PTXAS, "build.log")
    assert (tile.name, tile.vendor, tile.device, tile.line) == ("_ZTS4tile", Vendor.NVIDIA, "sm_80", 3)
    assert tile.numbers == (32, 72, 8192, False, 1, 16)
    assert axpy.numbers == (32, 10, 4112, False, None, 0)


def test_a_log_that_breaks_off_is_an_error_with_its_line() -> None:
    with pytest.raises(SycllintError) as error:
        list(read_log("\n".join(PTXAS.splitlines()[:4]), "build.log"))
    assert str(error.value) == "build.log:3: the report on _ZTS4tile ends without its registers"


def test_amd_tells_vgprs_lds_and_scratch() -> None:
    tile, axpy = read_log("\x1b[1m" + AMD, "build.log")
    assert (tile.name, tile.vendor, tile.device) == ("_ZTS4tile", Vendor.AMD, None)
    assert tile.numbers == (None, 148, 1792, False, None, 48)
    assert axpy.numbers == (None, 8, None, False, None, None)


def test_a_remark_without_its_kernel_is_an_error() -> None:
    with pytest.raises(SycllintError, match=r"build.log:1: SGPRs of no kernel"):
        list(read_log(REMARK.format("    SGPRs: 34"), "build.log"))
