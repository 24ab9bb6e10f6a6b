"""Devices by every name, and what the profiles decided where sources disagree."""

import pickle
from dataclasses import fields
from pathlib import Path

import pytest

import sycllint
from sycllint.errors import SycllintError
from sycllint.hardware.device import AmdDevice, Device, IntelDevice, NvidiaDevice, Vendor
from sycllint.hardware.profiles import SHORT_NAMES, device, devices, intel_devices, parts, resolve

KIB = 1024
INTEL = ["gen9", "gen11", "tgl", "dg1", "dg2", "ats-m", "mtl", "pvc", "lnl", "bmg", "ptl", "cri", "nvl-p"]
SHORT = [name for names in SHORT_NAMES.values() for name in names]


def everything() -> list[Device]:
    return [each for name in SHORT for each in (device(name), *parts(name))]


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
        ("amd_gpu_gfx942", "gfx942"),
        ("gfx90a", "gfx90a"),
        ("mi300x", "gfx942"),
        ("MI250X", "gfx90a"),
        ("rx7900xtx", "gfx1100"),
        ("rx-7900-xtx", "gfx1100"),
        ("RX 7900 XTX", "gfx1100"),
        ("rdna2", "gfx1030"),
        ("sm_90", "sm_90"),
        ("SM-90", "sm_90"),
        ("nvidia_gpu_sm_90", "sm_90"),
        ("nvidia_gpu_sm_90a", "sm_90"),
        ("h100", "sm_90"),
        ("a100", "sm_80"),
        ("rtx4090", "sm_89"),
        ("rtx-4090", "sm_89"),
        ("Arc A770", "dg2"),
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
        ("mi210", "mi250", 104),
        ("mi300a", "mi300a", 228),
        ("rx7800xt", "gfx1101", 30),
        ("amd_gpu_gfx1201", "gfx1201", 32),
        ("h100-pcie", "h100-pcie", 114),
        ("gfx1031", "gfx1031", None),
    ],
)
def test_a_smaller_part_of_an_architecture_has_its_own_name_and_cores(name: str, part: str, cores: int | None) -> None:
    assert (device(name).name, device(name).cores) == (part, cores)


@pytest.mark.parametrize("name", ["0x3185", "intel_gpu_glk", "0x4c8b", "0xa782"])
def test_a_part_with_half_cores_keeps_its_limits_and_has_no_thread_count(name: str) -> None:
    found = device(name)
    assert (found.cores, found.threads_per_core) == (None, None)
    assert found.max_work_group_size in {256, 512}


def test_all_architectures_are_listed_oldest_first() -> None:
    assert [each.name for each in intel_devices()] == INTEL
    assert [each.name for each in devices()] == SHORT
    assert {each.vendor for each in resolve(["amd"])} == {Vendor.AMD}
    assert [each.name for each in resolve(["nvidia"])] == list(SHORT_NAMES[Vendor.NVIDIA])


def test_every_profile_is_a_file_and_every_file_a_profile() -> None:
    directory = Path(sycllint.__file__).parent / "hardware" / "profiles"
    assert sorted(path.stem for path in directory.glob("*.toml")) == sorted(SHORT)


def test_no_two_devices_share_a_name() -> None:
    names = [name for each in everything() for name in (each.name, *each.aliases)]
    assert len(names) == len(set(names))
    for each in everything():
        assert {device(name).name for name in (each.name, *each.aliases)} == {each.name}


def test_the_150_pci_ids_of_the_calculator_are_known() -> None:
    assert sum(len(each.pci_ids) for each in everything() if isinstance(each, IntelDevice)) == 150


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
    words = {"name", "title", "vendor", "sources", "conflicts", "aliases"}
    for each in everything():
        missing = {field.name for field in fields(each)} - words - set(each.sources)
        assert missing <= {"pci_ids"}, (each.name, missing)
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


def test_engines_run_in_pairs_from_gen12_to_xe_lpg() -> None:
    assert {name for name in INTEL if intel(name).fused_engines == 2} == {"tgl", "dg1", "dg2", "ats-m", "mtl"}


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


def amd(name: str) -> AmdDevice:
    found = device(name)
    assert isinstance(found, AmdDevice)
    return found


def test_a_wgp_is_the_core_of_rdna_unless_cu_mode_is_asked_for() -> None:
    wgp, cu = amd("gfx1100"), amd("gfx1100:cu")
    assert (wgp.cores, wgp.simds_per_core, wgp.threads_per_core, wgp.local_memory_per_core) == (48, 4, 64, 128 * KIB)
    assert (cu.cores, cu.simds_per_core, cu.threads_per_core, cu.local_memory_per_core) == (96, 2, 32, 64 * KIB)
    assert (cu.name, cu.compute_units) == ("gfx1100:cu", 96)


def test_wave64_is_asked_for_by_name_alone_or_with_cu_mode() -> None:
    assert (amd("gfx1100").sub_group_sizes, amd("gfx1100").vector_registers) == ((32,), 1536)
    assert (amd("gfx1100:wave64").sub_group_sizes, amd("gfx1100:wave64").vector_registers) == ((64,), 768)
    both = amd("rx7600:cu:wave64")
    assert (both.name, both.cores, both.vector_register_granule) == ("gfx1102:cu:wave64", 32, 8)


def test_gcn_and_cdna_have_no_modes() -> None:
    with pytest.raises(SycllintError, match=r"^gfx90a has no mode 'cu'$"):
        device("gfx90a:cu")


@pytest.mark.parametrize(
    ("name", "waves", "file", "granule"),
    [
        ("gfx803", 10, 256, 4),
        ("gfx908", 10, 256, 4),
        ("gfx90a", 8, 512, 8),
        ("gfx950", 8, 512, 8),
        ("gfx1010", 20, 1024, 8),
        ("gfx1030", 16, 1024, 16),
        ("gfx1102", 16, 1024, 16),
        ("gfx1151", 16, 1536, 24),
        ("gfx1200", 16, 1536, 24),
    ],
)
def test_register_files_of_amd_by_generation(name: str, waves: int, file: int, granule: int) -> None:
    found = amd(name)
    assert (found.waves_per_simd, found.vector_registers, found.vector_register_granule) == (waves, file, granule)


@pytest.mark.parametrize(
    ("name", "warps", "blocks", "kib"),
    [
        ("sm_60", 64, 32, 64),
        ("sm_75", 32, 16, 64),
        ("sm_80", 64, 32, 164),
        ("sm_86", 48, 16, 100),
        ("sm_89", 48, 24, 100),
        ("sm_90", 64, 32, 228),
        ("sm_103", 64, 32, 228),
        ("sm_110", 48, 24, 228),
        ("sm_121", 48, 24, 100),
    ],
)
def test_what_an_sm_holds_by_compute_capability(name: str, warps: int, blocks: int, kib: int) -> None:
    found = device(name)
    assert isinstance(found, NvidiaDevice)
    assert (found.threads_per_core, found.groups_per_core, found.local_memory_per_core) == (warps, blocks, kib * KIB)
    assert found.local_memory_carve_outs[-1] == found.local_memory_per_core


def test_pascal_has_shared_memory_of_its_own_and_no_opt_in() -> None:
    assert device("sm_61").max_local_memory_per_group == 48 * KIB
    assert device("sm_90").max_local_memory_per_group == 227 * KIB
