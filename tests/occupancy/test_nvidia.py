"""NVIDIA's arithmetic, against cuda_occupancy.h of CUDA 13.0 and by hand."""

import csv
from dataclasses import replace
from pathlib import Path

import pytest

from sycllint.errors import SycllintError
from sycllint.hardware.device import Bytes, NvidiaDevice
from sycllint.hardware.profiles import device
from sycllint.occupancy.estimate import estimate_occupancy, limit
from sycllint.occupancy.occupancy import Limiter, Occupancy

KIB = 1024
Row = dict[str, str]
BITS = {Limiter.THREADS: 1, Limiter.REGISTERS: 2, Limiter.LOCAL_MEMORY: 4, Limiter.GROUPS: 8}
"""Of the column ``limit``."""


def rows() -> list[Row]:
    path = Path(__file__).parents[1] / "data" / "nvidia_occupancy.csv"
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


ROWS = rows()


def nvidia(name: str) -> NvidiaDevice:
    found = device(name)
    assert isinstance(found, NvidiaDevice)
    return found


def occupancy(row: Row) -> Occupancy:
    name = f"sm_{row['cc'].replace('.', '')}"
    return estimate_occupancy(
        device(name), int(row["block"]), local_memory=int(row["smem"]), registers=int(row["regs"])
    )


def test_blocks_per_sm_equal_cuda_occupancy_on_every_row() -> None:
    assert len(ROWS) == 1000
    assert [row for row in ROWS if occupancy(row).groups_per_core != int(row["blocks_per_sm"])] == []


def test_the_limiters_equal_cuda_occupancys_on_every_row_that_fits() -> None:
    for row in ROWS:
        found = occupancy(row)
        if found.groups_per_core:
            tightest = [limiter for limiter, groups in found.limits if groups == found.groups_per_core]
            assert sum(BITS[limiter] for limiter in tightest) == int(row["limit"]), row


def test_unknown_registers_do_not_limit_and_the_answer_says_so() -> None:
    free = estimate_occupancy(device("sm_90"), 1024)
    assert (free.groups_per_core, free.ratio, free.registers) == (2, 1.0, None)
    assert Limiter.REGISTERS not in dict(free.limits)


@pytest.mark.parametrize(("registers", "groups"), [(32, 8), (40, 6), (41, 5), (64, 4), (255, 1)])
def test_registers_are_handed_out_to_warps_in_256s(registers: int, groups: int) -> None:
    assert estimate_occupancy(device("sm_80"), 256, registers=registers).groups_per_core == groups


def test_registers_of_a_block_bound_its_size() -> None:
    assert limit(device("sm_80"), 65) == 896
    found = estimate_occupancy(device("sm_80"), 1024, registers=65)
    assert (found.groups_per_core, found.limiter) == (0, Limiter.REGISTERS)
    assert found.why == "work-group 1024 exceeds max 896 with 65 registers per work-item on sm_80"


def test_a_block_on_tegra_x2_may_have_half_of_the_registers() -> None:
    assert (limit(device("sm_61"), 64), limit(device("sm_62"), 64)) == (1024, 512)


def test_the_system_takes_a_kib_of_each_block_from_8_0_on() -> None:
    assert estimate_occupancy(device("sm_80"), 64, local_memory=40 * KIB).groups_per_core == 4
    assert estimate_occupancy(device("sm_70"), 64, local_memory=48 * KIB).groups_per_core == 2
    assert estimate_occupancy(device("sm_80"), 64, local_memory=1).local_memory_allocated == KIB + 128


def test_a_block_may_opt_in_to_all_but_that_kib() -> None:
    assert estimate_occupancy(device("sm_90"), 64, local_memory=227 * KIB).groups_per_core == 1
    assert "232449 B exceeds the 232448 B" in estimate_occupancy(device("sm_90"), 64, local_memory=227 * KIB + 1).why


def test_without_opting_in_a_block_has_48_kib() -> None:
    assert estimate_occupancy(device("sm_90:no-opt-in"), 64, local_memory=48 * KIB + 1).groups_per_core == 0


@pytest.mark.parametrize(("asked", "groups"), [(0, 32), (31 * KIB, 2), (64 * KIB, 1), (90 * KIB, 1)])
def test_a_smaller_carve_out_holds_fewer_blocks_and_grows_to_hold_one(asked: int, groups: int) -> None:
    half = replace(nvidia("sm_90"), local_memory_per_core=Bytes(64 * KIB))
    assert estimate_occupancy(half, 32, local_memory=asked).groups_per_core == groups


@pytest.mark.parametrize(
    ("name", "groups"), [("sm_75", 16), ("sm_80", 32), ("sm_86", 16), ("sm_89", 24), ("sm_121", 24)]
)
def test_blocks_of_one_warp_stop_at_the_block_slots(name: str, groups: int) -> None:
    found = estimate_occupancy(device(name), 32, barrier=True)
    assert (found.groups_per_core, found.limiter) == (groups, Limiter.GROUPS)


def test_more_registers_than_a_work_item_may_have_cannot_run() -> None:
    found = estimate_occupancy(device("sm_90"), 64, registers=256)
    assert (found.groups_per_core, found.limiter) == (0, Limiter.REGISTERS)
    assert found.why == "256 registers exceed the 255 of a work-item on sm_90"


def test_scalar_registers_are_an_error() -> None:
    with pytest.raises(SycllintError, match="scalar registers are AMD's"):
        estimate_occupancy(device("sm_90"), 64, scalar_registers=10)
