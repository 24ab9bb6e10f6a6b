"""The GPUs of a machine, from a tree like the kernel's /sys."""

from pathlib import Path

from sycllint.hardware.detect import detected
from sycllint.hardware.device import Vendor


def pci(root: Path, address: str, vendor: int, number: int, kind: int = 0x030000) -> None:
    folder = root / "bus" / "pci" / "devices" / address
    folder.mkdir(parents=True)
    for name, value, digits in (("vendor", vendor, 4), ("device", number, 4), ("class", kind, 6)):
        (folder / name).write_text(f"0x{value:0{digits}x}\n")


def compute_node(root: Path, number: int, version: int, location: int, domain: int = 0) -> None:
    folder = root / "class" / "kfd" / "kfd" / "topology" / "nodes" / str(number)
    folder.mkdir(parents=True)
    lines = ["cpu_cores_count 0", f"gfx_target_version {version}", f"location_id {location}", f"domain {domain}"]
    (folder / "properties").write_text("\n".join(lines) + "\n")


def names(root: Path) -> list[tuple[str, Vendor, str | None]]:
    return [(each.address, each.vendor, each.device.name if each.device else None) for each in detected(root)]


def test_intel_gpus_are_known_by_their_pci_id(tmp_path: Path) -> None:
    pci(tmp_path, "0000:00:02.0", 0x8086, 0x9A49)
    pci(tmp_path, "0000:03:00.0", 0x8086, 0x56A0, 0x038000)
    assert names(tmp_path) == [("0000:00:02.0", Vendor.INTEL, "tgl"), ("0000:03:00.0", Vendor.INTEL, "dg2")]


def test_an_intel_gpu_that_is_not_in_the_tables_is_reported_without_a_name(tmp_path: Path) -> None:
    pci(tmp_path, "0000:00:02.0", 0x8086, 0x0001)
    [found] = detected(tmp_path)
    assert (found.device, found.pci_id) == (None, 1)


def test_amd_gpus_are_known_by_what_the_compute_driver_says_of_their_address(tmp_path: Path) -> None:
    pci(tmp_path, "0000:c1:00.0", 0x1002, 0x744C)
    pci(tmp_path, "0001:03:00.0", 0x1002, 0x74A1, 0x120000)
    compute_node(tmp_path, 0, 0, 0)
    compute_node(tmp_path, 1, 110000, 0xC100)
    compute_node(tmp_path, 2, 90402, 0x0300, domain=1)
    assert [name for *_, name in names(tmp_path)] == ["gfx1100", "gfx942"]


def test_a_stepping_above_nine_is_a_letter(tmp_path: Path) -> None:
    pci(tmp_path, "0000:c1:00.0", 0x1002, 0x740C, 0x038000)
    compute_node(tmp_path, 1, 90010, 0xC100)
    assert [name for *_, name in names(tmp_path)] == ["gfx90a"]


def test_an_amd_gpu_without_the_compute_driver_has_no_name(tmp_path: Path) -> None:
    pci(tmp_path, "0000:c1:00.0", 0x1002, 0x744C)
    compute_node(tmp_path, 1, 110000, 0xC200)
    assert names(tmp_path) == [("0000:c1:00.0", Vendor.AMD, None)]


def test_the_compute_capability_of_an_nvidia_gpu_is_not_in_the_tree(tmp_path: Path) -> None:
    pci(tmp_path, "0000:41:00.0", 0x10DE, 0x2330, 0x030200)
    assert names(tmp_path) == [("0000:41:00.0", Vendor.NVIDIA, None)]


def test_other_devices_and_broken_entries_are_passed_over(tmp_path: Path) -> None:
    pci(tmp_path, "0000:00:1f.0", 0x8086, 0x9A49, 0x060100)
    pci(tmp_path, "0000:00:03.0", 0x1AF4, 0x1050)
    (tmp_path / "bus" / "pci" / "devices" / "0000:00:04.0").mkdir()
    (tmp_path / "bus" / "pci" / "devices" / "0000:00:05.0").mkdir()
    (tmp_path / "bus" / "pci" / "devices" / "0000:00:05.0" / "vendor").write_text("what?")
    assert detected(tmp_path) == ()


def test_a_machine_without_such_a_tree_has_no_gpus(tmp_path: Path) -> None:
    assert detected(tmp_path / "nowhere") == ()
