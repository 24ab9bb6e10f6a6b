"""Devices that a configuration describes."""

from pathlib import Path

import pytest

from sycllint.config import Config, load, target_devices
from sycllint.errors import SycllintError
from sycllint.hardware.device import AmdDevice, Device, IntelDevice

KIB = 1024


def described(folder: Path, text: str) -> Config:
    (folder / "sycllint.toml").write_text(text)
    return load(file=str(folder / "sycllint.toml"))


def only(folder: Path, text: str) -> Device:
    [device] = described(folder, "[devices.mine]\n" + text).devices.values()
    return device


def refusal(folder: Path, text: str) -> tuple[int | None, str]:
    with pytest.raises(SycllintError) as caught:
        described(folder, text)
    assert caught.value.path is not None
    assert caught.value.path.endswith("sycllint.toml")
    return caught.value.line, caught.value.message


def test_it_is_its_base_but_for_the_numbers_given(tmp_path: Path) -> None:
    found = only(tmp_path, 'base = "tgl"\ncores = 5\nlocal_memory_per_core = { kib = 96 }\n')
    assert (found.name, found.cores, found.local_memory_per_core) == ("mine", 5, 96 * KIB)
    assert (found.max_work_group_size, found.threads_per_core) == (512, 112)
    assert found.sources["cores"].endswith("sycllint.toml:3")
    assert "Mesa" in found.sources["max_threads_per_group"]


def test_it_has_no_pci_ids_and_aliases_of_its_base(tmp_path: Path) -> None:
    found = only(tmp_path, 'base = "tgl"\n')
    assert isinstance(found, IntelDevice)
    assert (found.pci_ids, found.aliases) == ((), ())


def test_the_product_of_changed_factors_changes_with_them(tmp_path: Path) -> None:
    assert only(tmp_path, 'base = "tgl"\nengines_per_core = 8\n').threads_per_core == 56
    assert only(tmp_path, 'base = "tgl"\nengines_per_core = 8\nthreads_per_core = 50\n').threads_per_core == 50


def test_its_base_may_be_a_product_or_a_mode(tmp_path: Path) -> None:
    found = only(tmp_path, 'base = "rx7900xtx:cu"\ntitle = "Half"\ncompute_units = 12\n')
    assert isinstance(found, AmdDevice)
    assert (found.title, found.cores, found.simds_per_core) == ("Half", 12, 2)


def test_it_is_a_target_beside_the_known_ones(tmp_path: Path) -> None:
    config = described(tmp_path, 'targets = ["mine", "sm_90"]\n[devices.mine]\nbase = "pvc"\n')
    assert [each.name for each in target_devices(config)] == ["mine", "sm_90"]


def test_a_misspelt_target_is_answered_with_its_name_too(tmp_path: Path) -> None:
    config = described(tmp_path, 'targets = ["mien"]\n[devices.mine]\nbase = "pvc"\n')
    with pytest.raises(SycllintError, match="unknown device 'mien'; close: mine") as caught:
        target_devices(config)
    assert caught.value.line == 1


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("devices = 3\n", 1, "devices is a number"),
        ("[devices]\nmine = 3\n", 2, "mine is a number"),
        ("[devices.mine]\ncores = 3\n", 1, 'mine has no base; write base = "tgl"'),
        ('[devices.mine]\nbase = "tlg"\n', 2, "unknown device 'tlg'; close: tgl"),
        ('[devices.mine]\nbase = "intel"\n', 2, "'intel' is a group of devices"),
        ('[devices.tgl]\nbase = "dg1"\n', 1, "tgl is the name of a device already"),
        ('[devices.amd]\nbase = "dg1"\n', 1, "amd is the name of a device already"),
        ('[devices.mine]\nbase = "tgl"\ncoers = 3\n', 3, "unknown field 'coers'; did you mean 'cores'?"),
        (
            '[devices.mine]\nbase = "tgl"\nvector_registers = 3\n',
            3,
            "unknown field 'vector_registers'; `sycllint devices tgl` lists those of its base",
        ),
        ('[devices.mine]\nbase = "tgl"\ncores = "3"\n', 3, "cores is neither a whole number nor a list of them"),
        ('[devices.mine]\nbase = "tgl"\ncores = [3]\n', 3, "cores is not a whole number"),
        ('[devices.mine]\nbase = "tgl"\ncores = -1\n', 3, "cores is below 1"),
        ('[devices.mine]\nbase = "tgl"\nsub_group_sizes = [0, 8]\n', 3, "sub_group_sizes is below 1"),
        ('[devices.mine]\nbase = "tgl"\nlocal_memory_per_core = 64\n', 3, "local_memory_per_core needs a unit"),
        (
            '[devices.mine]\nbase = "tgl"\nlocal_memory_per_core = { mb = 1 }\n',
            3,
            "needs one of value, kib and unknown",
        ),
    ],
)
def test_what_is_wrong_is_said_with_file_and_line(tmp_path: Path, text: str, line: int, message: str) -> None:
    at, said = refusal(tmp_path, text)
    assert at == line
    assert message in said
