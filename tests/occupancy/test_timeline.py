"""Dispatch played through: what was measured once, what holds of every launch, and where it refuses."""

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sycllint.errors import SycllintError
from sycllint.hardware.profiles import device
from sycllint.occupancy.estimate import estimate_occupancy
from sycllint.occupancy.occupancy import Occupancy
from sycllint.occupancy.timeline import MAX_GROUPS, Dispatch, Timeline, first_ends, timeline
from sycllint.occupancy.waves import waves

TGL_CORES = 6


def vector_add(work_group: int, *, barrier: bool) -> Occupancy:
    """VectorAdd3 (no barrier) or VectorAdd4 at SIMD8."""
    return estimate_occupancy(device("tgl"), work_group, 8, barrier=barrier)


def on_tgl(groups: int, *, barrier: bool, queue_ahead: bool = False, ends_first: tuple[int, ...] = ()) -> Dispatch:
    return Dispatch(groups, TGL_CORES, barrier, partial=True, queue_ahead=queue_ahead, ends_first=frozenset(ends_first))


def phases(played: Timeline) -> list[tuple[float, float, int, float]]:
    """Start, end, threads, and share of the device in percent to one decimal."""
    return [(each.start, each.end, each.threads, round(100 * played.share(each), 1)) for each in played.phases]


class TestVectorAddOf320:
    """Intel oneAPI GPU Optimization Guide, "SYCL Thread Mapping and GPU Occupancy", section "A Detailed Example"."""

    def test_with_a_barrier_304_threads_then_80(self) -> None:
        played = timeline(vector_add(320, barrier=True), on_tgl(8, barrier=True))
        assert phases(played) == [(0, 1, 304, 45.2), (1, 2, 80, 11.9)]
        assert played.phases[0].per_core == (112, 112, 80, 0, 0, 0)
        assert played.phases[0].waiting == 2 * 8

    def test_264_in_between_when_a_group_on_the_core_without_a_split_one_ends_first(self) -> None:
        played = timeline(vector_add(320, barrier=True), on_tgl(8, barrier=True, ends_first=(7,)))
        assert phases(played) == [(0, 0.5, 304, 45.2), (0.5, 1, 264, 39.3), (1, 2, 80, 11.9)]

    def test_which_group_ends_first_decides_what_comes_in_between(self) -> None:
        found = first_ends(vector_add(320, barrier=True), on_tgl(8, barrier=True))
        assert [(each.cores, each.threads) for each in found] == [((0, 1), 304 - 40 + 8), ((2,), 304 - 40)]

    def test_without_a_barrier_the_assumptions_give_304_and_16_not_the_224_and_96_that_were_measured(self) -> None:
        played = timeline(vector_add(320, barrier=False), on_tgl(8, barrier=False))
        assert phases(played) == [(0, 1, 304, 45.2), (1, 2, 16, 2.4)]

    def test_queueing_ahead_is_what_gives_224_and_96(self) -> None:
        played = timeline(vector_add(320, barrier=False), on_tgl(8, barrier=False, queue_ahead=True))
        assert phases(played) == [(0, 1, 224, 33.3), (1, 2, 96, 14.3)]


@pytest.mark.parametrize(("barrier", "queue_ahead"), [(True, False), (False, False), (False, True)])
def test_24_groups_of_28_threads_fill_the_device_in_one_phase(barrier: bool, queue_ahead: bool) -> None:
    played = timeline(vector_add(224, barrier=barrier), on_tgl(24, barrier=barrier, queue_ahead=queue_ahead))
    assert phases(played) == [(0, 1, 672, 100.0)]
    assert played.average == 1


def test_44_groups_are_a_full_round_and_a_twentieth_of_one() -> None:
    occupancy = estimate_occupancy(device("tgl"), 512, 32)
    assert phases(timeline(occupancy, on_tgl(44, barrier=False))) == [(0, 1, 672, 100.0), (1, 2, 32, 4.8)]


def test_local_memory_is_held_by_begun_groups_too() -> None:
    occupancy = estimate_occupancy(device("tgl"), 320, 8, local_memory=64 * 1024, barrier=True)
    played = timeline(occupancy, on_tgl(3, barrier=True))
    assert played.phases[0].per_core == (80, 40, 0, 0, 0, 0)


def test_a_core_that_takes_whole_groups_only_begins_none_it_cannot_hold() -> None:
    whole = replace(on_tgl(8, barrier=True), partial=False)
    assert phases(timeline(vector_add(320, barrier=True), whole)) == [(0, 1, 320, 47.6)]


def test_256_registers_leave_half_of_the_contexts() -> None:
    occupancy = estimate_occupancy(device("pvc"), 256, 16, large_grf=True)
    played = timeline(occupancy, Dispatch(4, 2, barrier=True, partial=True))
    assert phases(played) == [(0, 1, 64, 50.0)]


@pytest.mark.parametrize(
    ("dispatch", "message"),
    [
        (on_tgl(MAX_GROUPS + 1, barrier=True), "a timeline of 100001 work-groups is too long"),
        (on_tgl(8, barrier=True, ends_first=(8,)), "there is no work-group 8; their linear ids are 0 to 7"),
        (on_tgl(0, barrier=True), "a timeline needs at least one work-group"),
    ],
    ids=["too long", "no such group", "no groups"],
)
def test_what_cannot_be_played_through_is_refused(dispatch: Dispatch, message: str) -> None:
    with pytest.raises(SycllintError, match=message):
        timeline(vector_add(320, barrier=True), dispatch)


def test_a_launch_that_cannot_run_has_no_timeline_but_a_reason() -> None:
    with pytest.raises(SycllintError, match="work-group 640 exceeds max 512 on tgl"):
        timeline(vector_add(640, barrier=True), on_tgl(8, barrier=True))


DISPATCHES = st.builds(
    Dispatch,
    groups=st.integers(1, 300),
    cores=st.integers(1, 8),
    barrier=st.booleans(),
    partial=st.booleans(),
    queue_ahead=st.booleans(),
)
SIZES = st.integers(1, 512)


@given(DISPATCHES, SIZES, st.sampled_from([0, 1024, 40_000]))
def test_phases_follow_each_other_within_the_device_until_all_work_is_done(
    dispatch: Dispatch, work_group: int, local_memory: int
) -> None:
    occupancy = estimate_occupancy(device("tgl"), work_group, 8, local_memory=local_memory, barrier=dispatch.barrier)
    played = timeline(occupancy, dispatch)
    edges = [(each.start, each.end) for each in played.phases]
    assert edges[0][0] == 0
    assert all(before[1] == after[0] for before, after in pairwise(edges))
    assert all(
        0 < each.threads <= dispatch.cores * 112 and sum(each.per_core) == each.threads for each in played.phases
    )
    work = dispatch.groups * occupancy.threads_per_group
    busy = sum(each.threads * (each.end - each.start) for each in played.phases)
    assert busy == work if not dispatch.barrier else busy >= work


@given(st.integers(1, 300), st.integers(1, 8), SIZES, st.booleans())
def test_whole_groups_go_in_the_rounds_of_the_wave_arithmetic(
    groups: int, cores: int, work_group: int, barrier: bool
) -> None:
    occupancy = estimate_occupancy(device("tgl"), work_group, 8, barrier=barrier)
    rounds = waves(occupancy, groups, cores, pinned=True)
    assert rounds is not None
    played = timeline(occupancy, Dispatch(groups, cores, barrier, partial=False))
    assert played.end == rounds.rounds
    assert played.share(played.phases[0]) == pytest.approx(rounds.first_occupancy)
    assert played.average == pytest.approx(rounds.efficiency * rounds.full_occupancy)
