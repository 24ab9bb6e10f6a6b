"""Thresholds: how many registers leave room for how many work-groups."""

from itertools import pairwise

import pytest

from sycllint.hardware.profiles import device
from sycllint.occupancy.estimate import estimate_occupancy
from sycllint.occupancy.registers import register_steps

KIB = 1024


def test_two_groups_of_1024_need_32_vgprs_on_gcn() -> None:
    steps = register_steps(device("gfx900"), 1024, local_memory=32 * KIB)
    assert [str(each) for each in steps] == [
        "2 work-groups need <= 32 VGPRs (80%)",
        "1 work-group needs <= 64 VGPRs (40%)",
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
        ("pvc", 16, ["4 work-groups need <= 128 registers (100%)", "2 work-groups need <= 256 registers (50%)"]),
        ("tgl", 16, ["7 work-groups need <= 128 registers (100%)"]),
        (
            "ptl",
            16,
            [
                "5 work-groups need <= 96 registers (100%)",
                "4 work-groups need <= 128 registers (80%)",
                "3 work-groups need <= 160 registers (60%)",
                "2 work-groups need <= 256 registers (40%)",
            ],
        ),
    ],
)
def test_intels_steps_are_its_register_modes(name: str, sub_group: int, expected: list[str]) -> None:
    assert [str(each) for each in register_steps(device(name), 256, sub_group, barrier=True)] == expected


def test_a_launch_that_no_register_count_lets_run_has_no_steps() -> None:
    assert register_steps(device("gfx900"), 2048) == ()
