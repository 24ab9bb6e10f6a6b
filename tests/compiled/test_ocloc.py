"""Intel's offline compiler itself, where it is installed: what it takes and what it refuses."""

import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from sycllint.compiled.reading import read_kernel_info
from sycllint.hardware.profiles import device
from sycllint.launch.compiled import CompiledKernel

pytestmark = pytest.mark.skipif(shutil.which("ocloc") is None, reason="ocloc is not installed")

DEVICES = {"tgl": "tgllp", "dg2": "acm-g10", "pvc": "pvc"}
"""What ocloc calls them."""

LIMITED = """\
#ifdef WIDTH
__attribute__((intel_reqd_sub_group_size(WIDTH)))
#endif
__attribute__((reqd_work_group_size(SIZE, 1, 1))) kernel void limited(global const float *in, global float *out) {
  local float tile[BYTES / 4];
  tile[get_local_id(0)] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = tile[BYTES / 4 - 1 - get_local_id(0)];
}
"""


def compiled(folder: Path, source: str, target: str, *defines: str) -> Mapping[str, CompiledKernel] | None:
    """The kernels as ocloc reports them; ``None`` when it refuses the source."""
    (folder / "kernels.cl").write_text(source)
    shutil.rmtree(folder / target, ignore_errors=True)
    command = ["ocloc", "compile", "-q", "-file", "kernels.cl", "-device", DEVICES[target], "-out_dir", target]
    options = " ".join(f"-D{each}" for each in defines)
    zebin = ["-options", options, "-internal_options", "-cl-intel-allow-zebin"]
    done = subprocess.run([*command, *zebin], cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        return None
    return {each.name: each for each in read_kernel_info([f"{target}={folder / target}"]).kernels}


@pytest.mark.parametrize("target", DEVICES)
def test_it_takes_the_sub_group_sizes_of_the_device_and_refuses_others(target: str, tmp_path: Path) -> None:
    taken = [
        width
        for width in (4, 8, 16, 32, 64)
        if compiled(tmp_path, LIMITED, target, "SIZE=256", "BYTES=1024", f"WIDTH={width}") is not None
    ]
    assert tuple(taken) == device(target).sub_group_sizes


@pytest.mark.parametrize("target", DEVICES)
def test_it_knows_no_limits_of_work_group_and_local_memory(target: str, tmp_path: Path) -> None:
    most, memory = device(target).max_work_group_size, device(target).max_local_memory_per_group
    beyond = compiled(tmp_path, LIMITED, target, f"SIZE={2 * most}", f"BYTES={2 * memory}")
    assert beyond is not None
    assert beyond["limited"].local_memory == 2 * memory
