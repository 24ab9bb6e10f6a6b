"""Local memory that Intel's compiler adds for group functions: recorded, and measured where ocloc is installed."""

import csv
import shutil
import subprocess
from pathlib import Path

import pytest

from sycllint.compiled.reading import read_kernel_info

RECORDED = Path(__file__).parent.parent / "data" / "compiled"
DEVICES = {"gen9": "skl", "gen11": "icllp", "tgl": "tgllp", "dg1": "dg1", "dg2": "acm-g10", "pvc": "pvc"}
"""What ocloc calls them."""
XE_HPG_ON = ("dg2", "pvc")


def table() -> dict[str, dict[str, int]]:
    """Bytes by kernel and device."""
    with (RECORDED / "collectives.csv").open() as stream:
        return {row["kernel"]: {device: int(row[device]) for device in DEVICES} for row in csv.DictReader(stream)}


@pytest.mark.parametrize("device", DEVICES)
def test_reductions_and_scans_take_as_much_for_each_byte_of_an_element(device: str) -> None:
    found = {kernel: row[device] for kernel, row in table().items()}
    four = 4096 if device in XE_HPG_ON else 1792
    assert {found[each] for each in ("reduce_add", "reduce_max", "scan_inc", "scan_exc")} == {four}
    assert {found[each] for each in ("reduce_add_long", "scan_exc_long")} == {2 * four}
    assert {found[each] for each in ("bcast", "any_of", "all_of")} == {32}


@pytest.mark.parametrize("device", DEVICES)
def test_all_of_one_kernel_share_it_and_add_it_to_what_the_source_has(device: str) -> None:
    found = {kernel: row[device] for kernel, row in table().items()}
    assert found["reduce_twice"] == found["reduce_add"]
    assert found["own_and_reduce"] == 1024 + found["reduce_add"]
    assert found["only_barrier"] == found["sub_reduce"] == 0


@pytest.mark.skipif(shutil.which("ocloc") is None, reason="ocloc is not installed")
@pytest.mark.parametrize("device", DEVICES)
def test_ocloc_reports_what_was_recorded(device: str, tmp_path: Path) -> None:
    shutil.copy(RECORDED / "collectives.cl", tmp_path)
    command = ["ocloc", "compile", "-q", "-file", "collectives.cl", "-device", DEVICES[device], "-out_dir", "out"]
    options = ["-options", "-cl-std=CL2.0", "-internal_options", "-cl-intel-allow-zebin"]
    subprocess.run([*command, *options], cwd=tmp_path, check=True, capture_output=True)
    found = {each.name: each.local_memory for each in read_kernel_info([str(tmp_path / "out")]).kernels}
    assert found == {kernel: row[device] for kernel, row in table().items()}
