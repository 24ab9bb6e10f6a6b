"""Thresholds: how many registers leave room for how many work-groups."""

from itertools import pairwise

import pytest

from sycllint.hardware.profiles import device
from sycllint.occupancy.estimate import estimate_occupancy
from sycllint.occupancy.registers import around, register_steps, staircase

KIB = 1024


def test_two_groups_of_1024_need_32_vgprs_on_gcn() -> None:
    steps = register_steps(device("gfx900"), 1024, local_memory=32 * KIB)
    assert [str(each) for each in steps] == [
        "2 groups up to 32 VGPRs (80%)",
        "1 group up to 64 VGPRs (40%)",
    ]


def test_thresholds_are_the_last_counts_before_a_group_is_lost() -> None:
    for name, work_group in [("gfx90a", 256), ("gfx1100", 512), ("gfx1030:cu", 256), ("sm_61", 128), ("sm_90", 512)]:
        steps = register_steps(device(name), work_group)
        assert len(steps) > 3
        for step in steps:
            assert (
                estimate_occupancy(device(name), work_group, registers=step.registers).groups_per_core
                == step.groups_per_core
            )
        for step, following in pairwise(steps):
            beyond = estimate_occupancy(device(name), work_group, registers=step.registers + 1)
            assert beyond.groups_per_core == following.groups_per_core < step.groups_per_core


@pytest.mark.parametrize(
    ("name", "sub_group", "expected"),
    [
        ("pvc", 16, ["4 groups up to 128 registers (100%)", "2 groups up to 256 registers (50%)"]),
        ("tgl", 16, ["7 groups up to 128 registers (100%)"]),
        (
            "ptl",
            16,
            [
                "5 groups up to 96 registers (100%)",
                "4 groups up to 128 registers (80%)",
                "3 groups up to 160 registers (60%)",
                "2 groups up to 256 registers (40%)",
            ],
        ),
    ],
)
def test_intels_steps_are_its_register_modes(name: str, sub_group: int, expected: list[str]) -> None:
    assert [str(each) for each in register_steps(device(name), 256, sub_group, barrier=True)] == expected


def test_a_launch_that_no_register_count_lets_run_has_no_steps() -> None:
    assert register_steps(device("gfx900"), 2048) == ()


def test_a_staircase_is_one_sentence() -> None:
    steps = register_steps(device("gfx900"), 1024, local_memory=32 * KIB)
    assert staircase(steps) == "2 groups up to 32 VGPRs (80%), then 1 up to 64 (40%)"
    assert staircase(steps[1:]) == "1 group up to 64 VGPRs (40%)"
    assert staircase(()) == ""


def test_up_to_five_groups_of_512_have_a_step_each() -> None:
    # GPUOpen, "Optimizing GPU occupancy and resource usage with large thread groups", "When large thread groups should
    # be used": up to five groups, and 32 VGPRs for good occupancy.
    assert staircase(register_steps(device("gfx900"), 512)) == (
        "5 groups up to 24 VGPRs (100%), 4 up to 32 (80%), 3 up to 40 (60%), 2 up to 64 (40%), then 1 up to 128 (20%)"
    )


@pytest.mark.parametrize(
    ("registers", "expected"), [(None, [24, 32]), (20, [24, 32]), (32, [24, 32]), (33, [32, 40]), (128, [64, 128])]
)
def test_near_a_kernel_are_its_step_and_the_one_above(registers: int | None, expected: list[int]) -> None:
    steps = register_steps(device("gfx900"), 512)
    assert [each.registers for each in around(steps, registers)] == expected
