"""The calculator refuses what cannot be and says what would fit; its curves and proposals are those of the model."""

from itertools import pairwise
from math import prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sycllint.errors import SycllintError
from sycllint.hardware.profiles import device
from sycllint.occupancy.calculator import (
    Answer,
    Question,
    answer,
    best,
    by_local_memory,
    by_registers,
    by_work_group,
    large_registers,
)
from sycllint.occupancy.estimate import estimate_occupancy, limit

GRID = (64, 64, 128)


def on_tgl(
    *work_group: int, local_memory: int = 0, barrier: bool = True, global_range: tuple[int, ...] | None = None
) -> Answer:
    question = Question(work_group, 8, local_memory, barrier, global_range=global_range)
    return answer(device("tgl"), question)


@pytest.mark.parametrize(
    ("work_group", "global_range", "message"),
    [
        (
            (1, 3, 128),
            GRID,
            r"global 64 is not a multiple of local 3 in dimension 1 \(64 = 21\*3 \+ 1\); 2 or 4 divides",
        ),
        ((13,), (14,), r"\(14 = 1\*13 \+ 1\); 7 or 14 divides it"),
        ((64,), (32,), r"\(32 = 0\*64 \+ 32\); 32 divides it"),
        ((1, 5, 128), GRID, r"work-group 640 exceeds max 512 on tgl; 128 \(7 groups, 100%\)"),
        ((640,), (14,), r"work-group 640 exceeds max 512 on tgl$"),
        ((512,), GRID, "global 64x64x128 has 3 extents and work-group 512 has 1; 1x4x128 is a work-group of 512"),
        ((7, 7), (512,), "global 512 has 1 extents and work-group 7x7 has 2$"),
    ],
)
def test_what_cannot_be_launched_is_refused_with_what_would_fit(
    work_group: tuple[int, ...], global_range: tuple[int, ...], message: str
) -> None:
    with pytest.raises(SycllintError, match=message):
        on_tgl(*work_group, global_range=global_range)


def test_the_divisor_that_is_proposed_above_leaves_the_work_group_legal() -> None:
    with pytest.raises(SycllintError, match=r"\(64 = 21\*3 \+ 1\); 2 divides it"):
        on_tgl(1, 3, 170, global_range=(64, 64, 170))


def test_local_memory_beyond_the_limit_of_a_group_is_refused() -> None:
    with pytest.raises(SycllintError, match=r"local memory 66560 B exceeds the 65536 B of a work-group on tgl$"):
        on_tgl(128, local_memory=65 * 1024)


def test_the_curve_over_sizes_has_each_whole_number_of_sub_groups_and_the_launch_itself() -> None:
    curve = by_work_group(on_tgl(100))
    assert {point.value for point in curve.points} == {*range(8, 513, 8), 100}
    assert curve.here.value == 100


def test_the_curve_over_local_memory_falls_at_the_allocation_steps() -> None:
    curve = by_local_memory(on_tgl(128, local_memory=100))
    assert curve.here.value == 100
    falls = [after.value for before, after in pairwise(curve.points) if after.groups_per_core < before.groups_per_core]
    # 7 groups of 16 threads fill a core; 128 KiB are 4 times 32 KiB and 2 times 64 KiB.
    assert falls == [1024 * 17, 1024 * 33]


@given(st.integers(1, 512), st.sampled_from([8, 16, 32]), st.integers(0, 65536), st.booleans())
def test_a_curve_passes_through_the_answer(work_group: int, sub_group: int, local_memory: int, barrier: bool) -> None:
    found = answer(device("tgl"), Question((work_group,), sub_group, local_memory, barrier))
    for curve in (by_work_group(found), by_local_memory(found)):
        assert (curve.here.groups_per_core, curve.here.ratio) == (
            found.occupancy.groups_per_core,
            found.occupancy.ratio,
        )


def test_the_best_sizes_divide_the_range_and_come_with_a_shape() -> None:
    found = on_tgl(1, 4, 128, global_range=GRID)
    sizes = best(found)
    assert [each.local_range for each in sizes] == [(1, 1, 128), (1, 1, 64), (1, 1, 32)]
    for each in sizes:
        assert each.local_range is not None
        assert prod(each.local_range) == each.suggestion.work_group
        assert all(whole % part == 0 for whole, part in zip(GRID, each.local_range, strict=True))
        there = estimate_occupancy(device("tgl"), each.suggestion.work_group, 8, barrier=True)
        assert each.suggestion.ratio == there.ratio >= found.occupancy.ratio


def test_registers_halve_the_groups_of_an_intel_core_beyond_128_and_do_not_matter_where_there_is_one_mode() -> None:
    on_pvc = answer(device("pvc"), Question((256,), 16))
    assert [(each.registers, each.groups_per_core) for each in by_registers(on_pvc)] == [(128, 4), (256, 2)]
    assert by_registers(on_tgl(256)) == ()


def test_groups_that_nothing_ties_to_a_core_may_be_cut_between_cores() -> None:
    free, tied = on_tgl(320, barrier=False, global_range=(5440,)), on_tgl(320, global_range=(5440,))
    assert tied.split_rounds is None
    assert free.rounds == tied.rounds
    assert free.split_rounds is not None
    assert (free.split_rounds.full_waves, free.split_rounds.full_occupancy) == (1, 1)


def test_without_a_count_of_cores_nothing_is_said_of_the_device() -> None:
    found = answer(device("tgl"), Question((64,), 8, global_range=(640,), cores=2))
    assert found.rounds is not None
    assert found.rounds.last_occupancy == 80 / 224
    assert on_tgl(64).rounds is None


def test_the_large_register_mode_is_intels() -> None:
    assert large_registers(device("pvc")) == 256
    assert limit(device("pvc"), large_registers(device("pvc")), 16) == 512


def test_a_launch_smaller_than_one_core_is_counted_on_all_cores() -> None:
    # Intel's calculator packs it into one core: 4 groups of 16 threads, 57.1 % of it, 0.17 waves.
    found = on_tgl(128, global_range=(512,)).occupancy
    assert (found.groups_per_core, found.ratio) == (7, 1)
    assert found.waves == 4 / 42
    assert found.peak == found.average == pytest.approx(64 / 672)
