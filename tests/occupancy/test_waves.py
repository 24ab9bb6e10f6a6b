"""Rounds of dispatch: pinned groups go whole, others in part."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sycllint.hardware.profiles import device
from sycllint.occupancy.estimate import estimate_occupancy
from sycllint.occupancy.waves import Waves, waves


def plan(groups: int, work_group: int, sub_group: int, *, pinned: bool, cores: int = 6) -> Waves:
    found = waves(
        estimate_occupancy(device("tgl"), work_group, sub_group, barrier=pinned), groups, cores, pinned=pinned
    )
    assert found is not None
    return found


def test_44_groups_are_a_full_round_of_42_then_2_and_half_the_work_two_rounds_could_do() -> None:
    found = plan(44, 512, 32, pinned=True)
    assert (found.full_waves, found.groups_per_wave, found.last_groups, found.rounds) == (1, 42, 2, 2)
    assert round(100 * found.last_occupancy, 1) == 4.8
    assert round(100 * found.efficiency, 1) == 52.4


def test_pinned_groups_of_40_threads_go_two_to_a_core_and_others_fill_it() -> None:
    pinned, free = plan(12, 320, 8, pinned=True), plan(12, 320, 8, pinned=False)
    assert (pinned.groups_per_wave, pinned.full_waves, pinned.last_groups) == (12, 1, 0)
    assert pinned.full_occupancy == 80 / 112
    assert (free.groups_per_wave, free.full_waves, free.full_occupancy) == (16, 0, 1)
    assert free.first_occupancy == 480 / 672


def test_a_group_begun_in_one_round_is_finished_in_the_next() -> None:
    found = plan(17, 320, 8, pinned=False)
    assert (found.full_waves, found.last_groups, found.last_occupancy) == (1, 1, 8 / 672)


def test_256_registers_leave_half_of_the_contexts_to_a_full_round() -> None:
    occupancy = estimate_occupancy(device("pvc"), 256, 16, large_grf=True)
    for pinned in (False, True):
        found = waves(occupancy, 128, 64, pinned=pinned)
        assert found is not None
        assert (found.full_waves, found.full_occupancy, found.efficiency) == (1, 0.5, 1)


@pytest.mark.parametrize(("work_group", "groups", "cores"), [(640, 4, 6), (512, 0, 6), (512, 4, 0)])
def test_what_does_not_run_has_no_rounds(work_group: int, groups: int, cores: int) -> None:
    assert waves(estimate_occupancy(device("tgl"), work_group, 32), groups, cores, pinned=True) is None


@given(st.integers(1, 10_000), st.integers(1, 512), st.sampled_from([8, 16, 32]), st.integers(1, 64))
def test_pinned_rounds_agree_with_the_average_of_the_estimate(
    groups: int, work_group: int, sub_group: int, cores: int
) -> None:
    occupancy = estimate_occupancy(
        device("tgl"), work_group, sub_group, barrier=True, global_size=groups * work_group, cores=cores
    )
    found = waves(occupancy, groups, cores, pinned=True)
    assert found is not None
    assert found.efficiency * found.full_occupancy == pytest.approx(occupancy.average)
    assert found.full_waves * found.groups_per_wave + found.last_groups == groups
    assert found.first_occupancy == pytest.approx(occupancy.peak)


def test_amd_and_nvidia_take_whole_groups_with_or_without_a_barrier() -> None:
    # 22 warps per group: two groups on an SM of 64 warps, never a part of a third.
    occupancy = estimate_occupancy(device("sm_90"), 704)
    plans = [waves(occupancy, 528, 132, pinned=pinned) for pinned in (False, True)]
    assert plans[0] == plans[1]
    assert plans[0] is not None
    assert (plans[0].full_waves, plans[0].groups_per_wave, plans[0].full_occupancy) == (2, 264, 44 / 64)
