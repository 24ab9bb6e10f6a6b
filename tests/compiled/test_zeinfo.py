"""Reports of Intel's offline compiler: recorded ones, and what is wrong with broken ones."""

from pathlib import Path

import pytest

from sycllint.compiled.reading import read_kernel_info
from sycllint.compiled.zeinfo import read_zeinfo
from sycllint.errors import SycllintError
from sycllint.launch.compiled import CompiledKernel

RECORDED = Path(__file__).parent.parent / "data" / "compiled"


def recorded(device: str) -> dict[str, CompiledKernel]:
    text = (RECORDED / f"{device}.zeinfo").read_text()
    found = read_zeinfo(text, device, device=device, binary=False)
    return {each.name: each for each in found if isinstance(each, CompiledKernel)}


@pytest.mark.parametrize("device", ["tgl", "dg2", "pvc"])
def test_width_registers_local_memory_and_barriers_are_read(device: str) -> None:
    tile = recorded(device)["tile_40k"]
    assert (tile.sub_group_size, tile.registers, tile.local_memory, tile.barriers) == (16, 128, 40960, 1)
    assert tile.local_memory_whole


def test_a_local_argument_may_add_to_the_local_memory() -> None:
    assert not recorded("tgl")["lines"].local_memory_whole


STATED = """\
kernels:
  - name: k
    execution_env:
      simd_size: 16
{environment}
    per_thread_memory_buffers:
      - type: scratch
        usage: {use}
        size: 16384
"""


@pytest.mark.parametrize(
    ("environment", "use", "arrays", "spills", "whole"),
    [
        ("      private_size: 8192", "single_space", 512, 0, 512),
        ("      spill_size: 640", "single_space", 0, 40, 40),
        ("      private_size: 8192\n      spill_size: 640", "single_space", 512, 40, 552),
        ("", "single_space", None, None, 1024),
        ("", "private_space", 1024, 0, 1024),
        ("", "spill_fill_space", 0, 1024, 1024),
    ],
)
def test_arrays_and_spills_are_apart_and_stated_sizes_go_before_rounded_buffers(
    environment: str, use: str, arrays: int | None, spills: int | None, whole: int, tmp_path: Path
) -> None:
    (tmp_path / "k.zeinfo").write_text(STATED.format(environment=environment, use=use))
    (kernel,) = read_kernel_info([str(tmp_path)]).kernels
    assert (kernel.private_arrays, kernel.spills, kernel.private_memory) == (arrays, spills, whole)


def test_private_memory_is_given_per_work_item_however_the_buffer_is_counted() -> None:
    # tgl has a scratch buffer of 16384 B per thread at SIMD16, dg2 a global one of 1024 B per work-item.
    assert recorded("tgl")["bins_256"].private_memory == recorded("dg2")["bins_256"].private_memory == 1024
    assert recorded("tgl")["bins_16"].private_memory == 0


@pytest.mark.parametrize(
    ("text", "line", "sentence"),
    [
        ("kernels:\n  - name: k\n    execution_env:\n      simd_size: wide\n", 4, "simd_size is not a number"),
        ("kernels:\n  - name: k\n    execution_env:\n      grf_count: 128\n", 2, "kernel k has no simd_size"),
        ("kernels:\n  - execution_env:\n      simd_size: 8\n", 2, "a kernel without `name`"),
        ("kernels:\n  - name: k\n    nonsense\n", 3, "'nonsense' is not KEY: VALUE"),
        ("kernels:\n  - name: k\n     deep: 1\n", 3, "this line is indented like none before it"),
    ],
)
def test_what_is_wrong_is_named_with_its_line(text: str, line: int, sentence: str, tmp_path: Path) -> None:
    (tmp_path / "a.zeinfo").write_text(text + "# execution_env:\n")
    with pytest.raises(SycllintError) as error:
        read_kernel_info([str(tmp_path / "a.zeinfo")])
    assert str(error.value) == f"{tmp_path}/a.zeinfo:{line}: {sentence}"


def test_a_path_without_a_report_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("nothing of the kind\n")
    with pytest.raises(SycllintError, match="holds no zeinfo"):
        read_kernel_info([str(tmp_path)])
    with pytest.raises(SycllintError, match="no such file"):
        read_kernel_info([str(tmp_path / "gone")])


def test_the_device_may_be_named(tmp_path: Path) -> None:
    found = read_kernel_info([f"acm-g10={RECORDED / 'dg2.zeinfo'}"]).kernels
    assert {each.device for each in found} == {"dg2"}
    with pytest.raises(SycllintError, match="nosuchgpu"):
        read_kernel_info([f"nosuchgpu={RECORDED / 'dg2.zeinfo'}"])
