"""What resident groups leave of a core, and what fewer registers bring."""

import pytest

from sycllint.hardware.profiles import device
from sycllint.occupancy.budget import Budgets, unused
from sycllint.occupancy.estimate import estimate_occupancy
from tests.rules.launches import UNKNOWN, launch

KIB = 1024


@pytest.mark.parametrize(
    ("registers", "expected"),
    [
        (40, "37.5% of the VGPRs and 50% of the LDS"),
        (37, "37.5% of the VGPRs and 50% of the LDS"),  # handed out by fours
        (48, "25% of the VGPRs and 50% of the LDS"),
        (32, ""),
    ],
)
def test_a_compute_unit_with_groups_of_1024(registers: int, expected: str) -> None:
    # GPUOpen, "Optimizing GPU occupancy and resource usage with large thread groups", "Problem: Single thread group per
    # CU": 40,960 of 65,536 VGPRs and 32 of 64 KiB of LDS are taken.
    found = estimate_occupancy(device("gfx900"), 1024, local_memory=32 * KIB, registers=registers)
    assert str(unused(device("gfx900"), found)) == expected


def test_lds_that_no_group_uses_is_not_counted() -> None:
    found = estimate_occupancy(device("gfx900"), 1024, registers=40)
    assert str(unused(device("gfx900"), found)) == "37.5% of the VGPRs"


def test_shared_memory_that_no_block_takes_may_be_cache() -> None:
    # 80 registers of 512 work-items are 40,960 of the 65,536 of an SM.
    found = estimate_occupancy(device("sm_80"), 512, local_memory=8 * KIB, registers=80)
    assert (found.groups_per_core, str(unused(device("sm_80"), found))) == (1, "37.5% of the registers")


def test_nothing_is_known_to_be_unused_while_registers_are_not() -> None:
    for name in ("gfx900", "sm_80"):
        found = estimate_occupancy(device(name), 1024, local_memory=32 * KIB)
        assert str(unused(device(name), found)) == ""


def test_a_thread_of_an_xe_core_owns_its_registers() -> None:
    found = estimate_occupancy(device("pvc"), 320, 16, local_memory=32 * KIB, registers=256)
    assert str(unused(device("pvc"), found)) == ""


def test_the_step_above_is_the_next_that_fewer_registers_reach() -> None:
    budgets = Budgets(device("gfx900"))
    of = launch(UNKNOWN, 512)
    for registers, above in ((24, None), (25, 24), (40, 32), (100, 64)):
        step = budgets.of(of, estimate_occupancy(device("gfx900"), 512, registers=registers)).above
        assert (step.registers if step else None) == above
    assert budgets.of(of, estimate_occupancy(device("gfx900"), 512)).above is None


def test_a_sub_group_that_every_number_of_registers_admits_has_no_staircase() -> None:
    assert Budgets(device("tgl")).of(launch(UNKNOWN, 512), estimate_occupancy(device("tgl"), 512, 8)).steps == ()
    default = estimate_occupancy(device("pvc"), 320, 16)
    large = estimate_occupancy(device("pvc"), 320, 16, registers=256)
    budgets, of = Budgets(device("pvc")), launch(UNKNOWN, 320, width=16, barrier=True)
    assert budgets.of(of, default).steps == ()
    assert budgets.of(of, large).whole == "3 groups up to 128 registers (93.8%), then 1 up to 256 (31.2%)"
