"""Devices by every name, and what the profiles decided where sources disagree."""

import pickle
from pathlib import Path

import pytest

import sycllint
from sycllint.errors import SycllintError
from sycllint.hardware.device import IntelDevice, Vendor
from sycllint.hardware.profiles import SHORT_NAMES, device, devices, intel_devices, names_of, parts, resolve

KIB = 1024
INTEL = ["gen9", "gen11", "tgl", "dg1", "dg2", "ats-m", "mtl", "pvc", "lnl", "bmg", "ptl", "cri", "nvl-p"]


def intel(name: str) -> IntelDevice:
    found = device(name)
    assert isinstance(found, IntelDevice)
    return found


@pytest.mark.parametrize(
    ("name", "short"),
    [
        ("tgl", "tgl"),
        ("TGL", "tgl"),
        ("ats_m", "ats-m"),
        ("intel_gpu_tgllp", "tgl"),
        ("intel-gpu-tgllp", "tgl"),
        ("intel_gpu_12_0_0", "tgl"),
        ("intel_gpu_skl", "gen9"),
        ("intel_gpu_icllp", "gen11"),
        ("intel_gpu_pvc", "pvc"),
        ("intel_gpu_acm_g10", "dg2"),
        ("intel_gpu_bmg_g21", "bmg"),
        ("intel_gpu_lnl_m", "lnl"),
        ("intel_gpu_ptl_h", "ptl"),
        ("intel_gpu_nvl_p", "nvl-p"),
        ("xe_hpc_pvc", "pvc"),
        ("xe_hpg_dg2_arc", "dg2"),
        ("gen12", "tgl"),
        ("iris-xe", "tgl"),
        ("Arc-A770", "dg2"),
        ("arc-b580", "bmg"),
        ("max-1550", "pvc"),
        ("flex-170", "ats-m"),
        ("0x9a49", "tgl"),
        ("0x9A49", "tgl"),
        ("9a49", "tgl"),
        ("5690", "dg2"),
        ("0x0bd5", "pvc"),
    ],
)
def test_a_device_goes_by_its_short_name_its_targets_its_products_and_its_pci_ids(name: str, short: str) -> None:
    assert device(name).name == short


@pytest.mark.parametrize(
    ("name", "part", "cores"),
    [
        ("max-1100", "max-1100", 56),
        ("arc-a750", "arc-a750", 28),
        ("0x56a1", "arc-a750", 28),
        ("intel_gpu_adl_s", "adl-s", 2),
        ("0x193b", "gen9-72eu", 9),
        ("intel_gpu_mtl_u", "mtl-u", 4),
        ("arc-b570", "arc-b570", 18),
    ],
)
def test_a_smaller_part_of_an_architecture_has_its_own_name_and_cores(name: str, part: str, cores: int) -> None:
    assert (device(name).name, device(name).cores) == (part, cores)


@pytest.mark.parametrize("name", ["0x3185", "intel_gpu_glk", "0x4c8b", "0xa782"])
def test_a_part_with_half_cores_keeps_its_limits_and_has_no_thread_count(name: str) -> None:
    found = device(name)
    assert (found.cores, found.threads_per_core) == (None, None)
    assert found.max_work_group_size in {256, 512}


def test_all_architectures_are_listed_oldest_first() -> None:
    assert [each.name for each in devices()] == [each.name for each in intel_devices()] == INTEL


def test_every_profile_is_a_file_and_every_file_a_profile() -> None:
    directory = Path(sycllint.__file__).parent / "hardware" / "profiles"
    assert sorted(path.stem for path in directory.glob("*.toml")) == sorted(INTEL)
    assert list(SHORT_NAMES[Vendor.INTEL]) == INTEL


def test_no_two_devices_share_a_name() -> None:
    everything = [each for name in INTEL for each in (device(name), *parts(name))]
    names = [name for each in everything for name in names_of(each)]
    assert len(names) == len(set(names))
    assert all(device(name) in everything for name in names)


def test_the_150_pci_ids_of_the_calculator_are_known() -> None:
    everything = [each for name in INTEL for each in (device(name), *parts(name))]
    assert sum(len(each.pci_ids) for each in everything if isinstance(each, IntelDevice)) == 150


def test_a_group_stands_for_its_architectures_and_each_device_comes_once() -> None:
    found = resolve(["pvc", "intel", "intel_gpu_pvc", "max-1100", "PVC"])
    assert [each.name for each in found] == ["pvc", *(name for name in INTEL if name != "pvc"), "max-1100"]


def test_an_unknown_name_is_answered_with_close_ones() -> None:
    with pytest.raises(SycllintError, match=r"unknown device 'tlg'; close: tgl.*; 'sycllint devices' lists all"):
        device("tlg")
    with pytest.raises(SycllintError, match="unknown device 'arc-a771'; close: arc-a770"):
        resolve(["tgl", "arc-a771"])


def test_a_name_like_no_other_is_answered_with_the_way_to_list_them() -> None:
    with pytest.raises(SycllintError, match=r"^unknown device '!!'; 'sycllint devices' lists all$"):
        device("!!")


def test_a_group_is_not_a_device() -> None:
    with pytest.raises(SycllintError, match="'intel' is a group of devices"):
        device("intel")


def test_every_number_names_its_source() -> None:
    for each in intel_devices():
        assert isinstance(each, IntelDevice)
        for name in ("cores", "max_work_group_size", "threads_per_core", "local_memory_per_core", "register_modes"):
            assert each.sources[name], (each.name, name)
        assert set(each.conflicts) <= set(each.sources)


def test_tgl_has_128_kib_per_core_for_residency_and_64_per_group_to_launch() -> None:
    assert (intel("tgl").local_memory_per_core, intel("tgl").max_local_memory_per_group) == (128 * KIB, 64 * KIB)
    assert "64 KiB" in intel("tgl").conflicts["local_memory_per_core"]


def test_tgl_has_64_barriers_and_not_the_16_groups_of_the_2021_guide() -> None:
    assert (intel("tgl").barriers_per_core, intel("tgl").groups_per_core) == (64, 112)
    assert "16" in intel("tgl").conflicts["groups_per_core"]


@pytest.mark.parametrize("name", ["dg2", "ats-m", "mtl", "pvc", "lnl", "bmg"])
def test_the_256_register_mode_exists_from_xe_hp_on(name: str) -> None:
    assert [(mode.registers, mode.threads_per_engine) for mode in intel(name).register_modes] == [(128, 8), (256, 4)]


@pytest.mark.parametrize("name", ["gen9", "gen11", "tgl", "dg1"])
def test_before_xe_hp_there_is_one_register_mode(name: str) -> None:
    assert [(mode.registers, mode.threads_per_engine) for mode in intel(name).register_modes] == [(128, 7)]


def test_bmg_and_lnl_have_64_threads_per_core_by_name_and_by_pci_id() -> None:
    assert {device(name).threads_per_core for name in ("bmg", "lnl", "0xE20B", "0xE20C", "0x64B0")} == {64}


@pytest.mark.parametrize(
    ("name", "kib"),
    [("bmg", 160), ("lnl", 128), ("dg2", 128), ("arc-a380", 96), ("flex-140", 96), ("mtl", 96), ("arl_h", 128)],
)
def test_the_drivers_carve_out_decides_the_local_memory_of_a_core(name: str, kib: int) -> None:
    assert device(name).local_memory_per_core == kib * KIB


@pytest.mark.parametrize("name", ["pvc", "lnl", "bmg", "ptl", "cri", "nvl-p"])
def test_from_xe_hpc_on_there_are_no_sub_groups_of_8(name: str) -> None:
    assert device(name).sub_group_sizes == (16, 32)


def test_pvc_is_one_stack_as_a_program_sees_it() -> None:
    assert intel("pvc").cores == 64
    assert "128" in intel("pvc").conflicts["cores"]


@pytest.mark.parametrize("name", ["cri", "nvl-p"])
def test_what_no_document_says_is_none_and_says_where_it_was_looked_for(name: str) -> None:
    found = intel(name)
    assert (found.cores, found.threads_per_core, found.groups_per_core) == (None, None, None)
    assert "compute-runtime" in found.sources["engines_per_core"]


def test_threads_per_core_are_engines_times_threads() -> None:
    for each in intel_devices():
        assert isinstance(each, IntelDevice)
        if each.engines_per_core is not None:
            assert each.threads_per_core == each.engines_per_core * each.threads_per_engine, each.name


def test_a_device_travels_between_processes_and_serves_as_a_key() -> None:
    assert pickle.loads(pickle.dumps(device("tgl"))) == device("tgl")
    assert {device("tgl"): 1}[device("intel_gpu_tgllp")] == 1


def test_the_python_interface_is_on_the_package() -> None:
    assert sycllint.device("arc-a770").name == "dg2"
    assert sycllint.estimate_occupancy(sycllint.device("tgl"), work_group=512, sub_group=8).threads_per_group == 64
    with pytest.raises(AttributeError, match="no attribute 'devise'"):
        sycllint.__getattr__("devise")
