"""What Intel's compiler makes of twelve kernels on each device: recorded, and made again where ocloc is installed."""

import csv
import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import pytest

from sycllint.compiled.reading import read_kernel_info
from sycllint.launch.compiled import CompiledKernel

RECORDED = Path(__file__).parent.parent / "data" / "compiled"
DEVICES = {"tgl": "tgllp", "dg2": "acm-g10", "pvc": "pvc"}
"""What ocloc calls them."""
SPILLED = re.compile(r"kernel (\w+)\s+compiled SIMD\d+ allocated \d+ regs and spilled around (\d+)")
"""What ocloc prints of a kernel that spills; its zeinfo has arrays and spilled registers in one number."""


class Row(NamedTuple):
    """One kernel on one device."""

    kernel: str
    simd: int
    local_memory: int
    barriers: int
    in_memory: int
    """Bytes of each work-item's state that live in memory."""
    spilled: int
    """Registers, as ocloc prints them."""


def recorded(device: str) -> list[Row]:
    """The rows of a device, by kernel."""
    numbers = Row._fields[1:]
    with (RECORDED / "kernels.csv").open() as stream:
        return [
            Row(each["kernel"], *(int(each[number]) for number in numbers))
            for each in csv.DictReader(stream)
            if each["device"] == device
        ]


def rows(kernels: Sequence[CompiledKernel], spilled: dict[str, int]) -> list[Row]:
    """The same of what was read from reports."""
    return sorted(
        Row(
            each.name,
            each.sub_group_size or 0,
            each.local_memory or 0,
            each.barriers or 0,
            each.private_memory or 0,
            spilled.get(each.name, 0),
        )
        for each in kernels
    )


@pytest.mark.parametrize("device", DEVICES)
def test_the_recorded_reports_say_what_the_table_says(device: str) -> None:
    read = read_kernel_info([f"{device}={RECORDED}/{device}.zeinfo"]).kernels
    table = recorded(device)
    assert len(table) == 12
    assert rows(read, {each.kernel: each.spilled for each in table}) == table


@pytest.mark.parametrize("device", DEVICES)
def test_what_spills_is_in_memory(device: str) -> None:
    table = recorded(device)
    assert all(each.in_memory for each in table if each.spilled)
    assert next(each for each in table if each.kernel == "sums_96").spilled > 0


@pytest.mark.skipif(shutil.which("ocloc") is None, reason="ocloc is not installed")
@pytest.mark.parametrize("device", DEVICES)
def test_ocloc_makes_the_table(device: str, tmp_path: Path) -> None:
    assert made(device, tmp_path) == recorded(device)


def made(device: str, folder: Path) -> list[Row]:
    """The rows that the installed ocloc makes."""
    shutil.copy(RECORDED / "kernels.cl", folder)
    command = ["ocloc", "compile", "-file", "kernels.cl", "-device", DEVICES[device], "-out_dir", "out"]
    options = ["-internal_options", "-cl-intel-allow-zebin"]
    done = subprocess.run([*command, *options], cwd=folder, check=True, capture_output=True, text=True)
    spilled = {name: int(count) for name, count in SPILLED.findall(done.stdout + done.stderr)}
    return rows(read_kernel_info([str(folder / "out")]).kernels, spilled)
