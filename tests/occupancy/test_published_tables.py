"""Tables that Intel printed, each from its document; a printed percentage may be rounded or cut at its last digit."""

import pytest

from sycllint.errors import SycllintError
from sycllint.hardware.device import IntelDevice
from sycllint.hardware.profiles import device
from sycllint.occupancy.estimate import estimate_occupancy, limit
from sycllint.occupancy.occupancy import Limiter
from sycllint.occupancy.waves import Waves, waves


def intel(name: str) -> IntelDevice:
    found = device(name)
    assert isinstance(found, IntelDevice)
    return found


def rounds(name: str, groups: int, work_group: int, sub_group: int, *, pinned: bool = False) -> Waves:
    found = intel(name)
    occupancy = estimate_occupancy(found, work_group, sub_group, barrier=pinned)
    assert found.cores is not None
    plan = waves(occupancy, groups, found.cores, pinned=pinned)
    assert plan is not None
    return plan


@pytest.mark.parametrize(
    ("r", "threads", "utilization", "groups", "ratio"),
    [(1, 16, 14.3, 7, 100), (2, 32, 28.6, 3, 85.7), (3, 48, 42.9, 2, 85.7), (4, 64, 57.1, 1, 57.1)],
)
def test_guide_impact_of_synchronization_range_1_r_128_at_simd8_on_tgl(
    r: int, threads: int, utilization: float, groups: int, ratio: float
) -> None:
    found = estimate_occupancy(device("tgl"), 128 * r, 8, barrier=True, global_size=64 * 64 * 128)
    assert found.threads_per_group == threads
    assert round(100 * threads / found.threads_per_core, 1) == utilization
    assert found.groups_per_core == groups
    assert round(100 * found.ratio, 1) == ratio
    assert found.limiter is Limiter.THREADS


def test_guide_impact_of_synchronization_r_5_fails_to_launch_on_tgl() -> None:
    found = estimate_occupancy(device("tgl"), 640, 8, barrier=True)
    assert found.groups_per_core == 0
    assert found.limiter is Limiter.WORK_GROUP_SIZE
    assert found.why == "work-group 640 exceeds max 512 on tgl"


@pytest.mark.parametrize(
    ("groups", "printed"),
    [
        (1, 2.4),
        (2, 4.8),
        (3, 7.1),
        (4, 9.5),
        (5, 11.9),
        (6, 14.3),
        (7, 16.7),
        (8, 19.0),
        (12, 28.6),
        (16, 38.1),
        (20, 47.7),
        (24, 57.1),
        (28, 66.7),
        (32, 76.2),
        (36, 85.7),
        (40, 95.2),
        (42, 100.0),
    ],
)
def test_guide_vector_add_2_one_round_on_tgl(groups: int, printed: float) -> None:
    plan = rounds("tgl", groups, 512, 32)
    assert plan.rounds == 1
    assert plan.first_occupancy == groups * 16 / 672
    assert 100 * plan.first_occupancy == pytest.approx(printed, abs=0.1)
    peak = estimate_occupancy(device("tgl"), 512, 32, global_size=groups * 512).peak
    assert peak == pytest.approx(plan.first_occupancy)


@pytest.mark.parametrize(("groups", "left", "printed"), [(44, 2, 4.7), (48, 6, 14.3)])
def test_guide_vector_add_2_a_full_round_then_a_rest_on_tgl(groups: int, left: int, printed: float) -> None:
    plan = rounds("tgl", groups, 512, 32)
    assert (plan.full_waves, plan.groups_per_wave, plan.last_groups) == (1, 42, left)
    assert plan.first_occupancy == 1
    assert plan.last_occupancy == left * 16 / 672
    assert 100 * plan.last_occupancy == pytest.approx(printed, abs=0.1)


def test_guide_vector_add_1_fills_tgl_1280_times() -> None:
    plan = rounds("tgl", 53760, 512, 32)
    assert (plan.full_waves, plan.last_groups, plan.efficiency) == (1280, 0, 1)


def test_guide_vector_add_4_of_24_groups_of_224_fills_tgl_with_or_without_barrier() -> None:
    for pinned in (False, True):
        plan = rounds("tgl", 24, 224, 8, pinned=pinned)
        assert (plan.full_waves, plan.last_groups, plan.efficiency) == (1, 0, 1)


@pytest.mark.parametrize(
    ("groups", "core", "gpu"),
    [
        (1, 14.2, 4.7),
        (2, 28.5, 9.5),
        (3, 42.8, 14.2),
        (4, 57.1, 19.0),
        (5, 71.4, 23.8),
        (6, 85.7, 28.5),
        (7, 100.0, 33.3),
        (8, 100.0, 38.0),
        (12, 100.0, 57.0),
        (16, 100.0, 76.0),
        (20, 100.0, 95.0),
        (24, 100.0, 100.0),
    ],
)
def test_notebook_vector_add_256_at_simd32_on_gen9(groups: int, core: float, gpu: float) -> None:
    plan = rounds("gen9", groups, 256, 32)
    digit = 0.1 if groups < 8 else 1.0  # the notebook prints whole percents from eight groups on
    assert 100 * min(1.0, groups * 8 / 56) == pytest.approx(core, abs=0.1)
    assert 100 * plan.first_occupancy == pytest.approx(gpu, abs=digit)


def test_notebook_24_groups_are_192_threads_and_gen9_has_168() -> None:
    plan = rounds("gen9", 24, 256, 32)
    assert (plan.full_waves, plan.last_groups, plan.last_occupancy) == (1, 3, 24 / 168)


@pytest.mark.parametrize(
    ("name", "printed"),
    [("gen9", (7, 8, 56, 3, 168, 256)), ("gen11", (7, 8, 56, 8, 448, 256)), ("tgl", (7, 16, 112, 6, 672, 512))],
)
def test_notebook_gpu_parameters(name: str, printed: tuple[int, ...]) -> None:
    found = intel(name)
    assert found.engines_per_core is not None
    assert found.threads_per_core is not None
    assert found.cores is not None
    row = (
        found.threads_per_engine,
        found.engines_per_core,
        found.threads_per_core,
        found.cores,
        found.threads_per_core * found.cores,
        found.max_work_group_size,
    )
    assert row == printed


@pytest.mark.parametrize("sub_group", [8, 16, 32])
def test_guide_threads_times_sub_group_size_is_at_most_512_on_tgl(sub_group: int) -> None:
    assert limit(device("tgl"), None, sub_group) == 512


def test_guide_tgl_has_sub_groups_of_8_16_and_32_and_no_other() -> None:
    with pytest.raises(SycllintError, match=r"sub-group size 4 is not supported on tgl \(8, 16, 32\)"):
        estimate_occupancy(device("tgl"), 128, 4)
