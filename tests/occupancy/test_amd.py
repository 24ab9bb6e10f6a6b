"""AMD's arithmetic: whole groups of waves, against LLVM's own numbers and by hand."""

import csv
from pathlib import Path

import pytest

from sycllint.errors import SycllintError
from sycllint.hardware.device import AmdDevice
from sycllint.hardware.profiles import device
from sycllint.occupancy.amd import waves_by_vector_registers
from sycllint.occupancy.estimate import estimate_occupancy, limit
from sycllint.occupancy.occupancy import Limiter

KIB = 1024
Row = dict[str, str]


def rows() -> list[Row]:
    path = Path(__file__).parents[1] / "data" / "amd_llvm19.csv"
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


ROWS = rows()
"""Occupancy in waves per SIMD as LLVM 19 prints it, by registers, local memory and work-group size."""
PLAIN = [row for row in ROWS if row["lds_bytes"] == "0" and row["wg_size"] == "64"]


def amd(name: str) -> AmdDevice:
    found = device(name)
    assert isinstance(found, AmdDevice)
    return found


def waves_per_simd(row: Row) -> float:
    found = amd(row["gfx"])
    occupancy = estimate_occupancy(
        found, int(row["wg_size"]), local_memory=int(row["lds_bytes"]), registers=int(row["vgprs"])
    )
    return occupancy.threads_resident / found.simds_per_core


def test_waves_per_simd_equal_llvms_for_groups_of_64_without_local_memory() -> None:
    assert len(PLAIN) == 177
    assert [row for row in PLAIN if waves_per_simd(row) != int(row["llvm_occupancy_waves_per_eu"])] == []


def test_llvm_takes_registers_and_groups_each_by_itself() -> None:
    # It takes the lesser of the waves that a SIMD's registers allow and of the waves that the groups on a core would
    # bring each SIMD, rounded up, if there were registers enough. That holds of every row.
    for row in ROWS:
        found = amd(row["gfx"])
        free = estimate_occupancy(found, int(row["wg_size"]), local_memory=int(row["lds_bytes"]))
        by_groups = -(-free.threads_resident // found.simds_per_core)
        by_registers = waves_by_vector_registers(found, int(row["vgprs"]))
        assert min(by_groups, by_registers) == int(row["llvm_occupancy_waves_per_eu"]), row


def test_the_other_rows_differ_only_by_the_part_of_a_group_that_a_core_cannot_hold() -> None:
    differing = 0
    for row in ROWS:
        found, work_group = amd(row["gfx"]), int(row["wg_size"])
        waves = -(-work_group // found.sub_group_sizes[0])
        llvm = int(row["llvm_occupancy_waves_per_eu"]) * found.simds_per_core
        ours = round(waves_per_simd(row) * found.simds_per_core)
        assert ours % waves == 0
        assert ours <= llvm, row
        if ours != llvm:
            differing += 1
            free = estimate_occupancy(found, work_group, local_memory=int(row["lds_bytes"]))
            by_registers = waves_by_vector_registers(found, int(row["vgprs"])) * found.simds_per_core
            assert ours == min(free.groups_per_core, by_registers // waves) * waves, row
            # Either a begun group is cut off, or a SIMD's wave that its neighbours have no counterpart for.
            assert llvm - ours < waves + found.simds_per_core, row
    assert differing == 91


@pytest.mark.parametrize(
    ("registers", "groups", "waves"),
    [(24, 10, 10), (28, 9, 9), (32, 8, 8), (36, 7, 7), (64, 4, 4), (84, 3, 3), (256, 1, 1)],
)
def test_vgprs_of_gcn_are_handed_out_in_fours(registers: int, groups: int, waves: int) -> None:
    # A wave per group and SIMD: 256 VGPRs per lane over the registers of a wave.
    found = estimate_occupancy(device("gfx900"), 64, registers=registers)
    assert (found.groups_per_core, found.threads_resident) == (4 * groups, 4 * waves)
    assert estimate_occupancy(device("gfx900"), 64, registers=registers - 3).groups_per_core == found.groups_per_core


@pytest.mark.parametrize(("registers", "waves"), [(80, 10), (81, 9), (88, 9), (100, 8), (102, 7)])
def test_sgprs_limit_gcn3_to_gcn5(registers: int, waves: int) -> None:
    found = estimate_occupancy(device("gfx906"), 64, scalar_registers=registers)
    assert found.threads_resident == 4 * waves
    assert found.limiter is (Limiter.SCALAR_REGISTERS if waves < 10 else Limiter.THREADS)


@pytest.mark.parametrize(("registers", "waves"), [(48, 10), (49, 9), (64, 8), (80, 6), (104, 5)])
def test_sgprs_limit_gcn1_and_gcn2_sooner(registers: int, waves: int) -> None:
    assert estimate_occupancy(device("gfx700"), 64, scalar_registers=registers).threads_resident == 4 * waves


def test_sgprs_never_limit_from_rdna_on() -> None:
    found = estimate_occupancy(device("gfx1030"), 32, scalar_registers=106)
    assert (found.limiter, found.ratio) == (Limiter.THREADS, 1.0)


def test_unknown_registers_do_not_limit_and_the_answer_says_so() -> None:
    free = estimate_occupancy(device("gfx90a"), 256)
    assert (free.ratio, free.registers) == (1.0, None)
    assert estimate_occupancy(device("gfx90a"), 256, registers=128).registers == 128


@pytest.mark.parametrize(
    ("name", "asked", "given", "groups"),
    [
        ("gfx906", 30 * KIB, 30 * KIB, 2),
        ("gfx906", 6 * KIB + 1, 6 * KIB + 512, 9),
        ("gfx950", 19 * KIB, 20 * KIB, 8),
        ("gfx950", 80 * KIB, 80 * KIB, 2),
        ("gfx1030", 12 * KIB + 1, 13 * KIB, 9),
        ("gfx1010", 12 * KIB + 1, 12 * KIB + 512, 10),
    ],
)
def test_local_memory_is_handed_out_in_granules(name: str, asked: int, given: int, groups: int) -> None:
    found = estimate_occupancy(device(name), 128, local_memory=asked)
    assert (found.local_memory_allocated, found.groups_per_core) == (given, groups)


def test_groups_of_one_wave_fill_every_slot_and_larger_ones_stop_at_the_barriers() -> None:
    assert estimate_occupancy(device("gfx900"), 64).groups_per_core == 40
    two = estimate_occupancy(device("gfx900"), 128)
    assert (two.groups_per_core, two.limiter) == (16, Limiter.GROUPS)


def test_a_wgp_is_two_compute_units_and_cu_mode_is_one() -> None:
    wgp, cu = estimate_occupancy(device("gfx1030"), 1024), estimate_occupancy(device("gfx1030:cu"), 1024)
    assert (wgp.threads_per_core, wgp.groups_per_core) == (64, 2)
    assert (cu.threads_per_core, cu.groups_per_core) == (32, 1)


def test_wave64_halves_the_waves_of_a_group_and_the_registers_of_a_lane() -> None:
    wave32 = estimate_occupancy(device("gfx1100"), 1024, registers=96)
    wave64 = estimate_occupancy(device("gfx1100:wave64"), 1024, registers=96)
    assert (wave32.threads_per_group, wave32.groups_per_core) == (32, 2)
    assert (wave64.threads_per_group, wave64.groups_per_core) == (16, 2)


def test_a_group_whose_registers_no_core_has_cannot_run() -> None:
    found = estimate_occupancy(device("gfx900"), 1024, registers=65)
    assert (found.groups_per_core, found.limiter) == (0, Limiter.REGISTERS)
    assert found.why == "work-group 1024 of 16 waves exceeds the 12 waves that its registers leave on a core of gfx900"
    assert limit(device("gfx900"), 65) == 768


def test_what_no_group_may_have_is_refused() -> None:
    assert estimate_occupancy(device("gfx942"), 1025).why == "work-group 1025 exceeds max 1024 on gfx942"
    assert estimate_occupancy(device("gfx942"), 64, local_memory=65 * KIB).why == (
        "local memory 66560 B exceeds the 65536 B of a work-group on gfx942"
    )


@pytest.mark.parametrize(
    ("arguments", "limiter", "why"),
    [
        ({"registers": 257}, Limiter.REGISTERS, "257 VGPRs exceed the 256 of a work-item on gfx900"),
        ({"scalar_registers": 103}, Limiter.SCALAR_REGISTERS, "103 SGPRs exceed the 102 of a wave on gfx900"),
    ],
)
def test_more_registers_than_there_are_cannot_run(arguments: dict[str, int], limiter: Limiter, why: str) -> None:
    found = estimate_occupancy(device("gfx900"), 64, **arguments)  # type: ignore[arg-type]
    assert (found.groups_per_core, found.limiter, found.why) == (0, limiter, why)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"large_grf": True}, "the 256-register mode is Intel's; gfx900 has none"),
        ({"registers": 0}, "registers are at least 1"),
    ],
)
def test_arguments_that_mean_nothing_are_errors(arguments: dict[str, int], message: str) -> None:
    with pytest.raises(SycllintError, match=message):
        estimate_occupancy(device("gfx900"), 64, **arguments)  # type: ignore[arg-type]
