"""Intel's arithmetic where the published tables do not reach: local memory, barriers, registers, limits."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sycllint.errors import SycllintError
from sycllint.hardware.device import IntelDevice
from sycllint.hardware.profiles import device, intel_devices
from sycllint.occupancy.estimate import estimate_occupancy, limit
from sycllint.occupancy.intel import allocation
from sycllint.occupancy.occupancy import Limiter

KIB = 1024


def intel(name: str) -> IntelDevice:
    found = device(name)
    assert isinstance(found, IntelDevice)
    return found


def test_40_kib_are_handed_out_as_64_and_two_groups_share_the_128_of_a_tgl_core() -> None:
    found = estimate_occupancy(device("tgl"), 128, 8, local_memory=40 * KIB, barrier=True)
    assert found.local_memory_allocated == 64 * KIB
    assert found.limits[:2] == ((Limiter.LOCAL_MEMORY, 2), (Limiter.THREADS, 7))
    assert found.limiter is Limiter.LOCAL_MEMORY
    assert found.ratio == 32 / 112


def test_a_core_of_bmg_holds_ten_groups_of_16_kib() -> None:
    found = estimate_occupancy(device("bmg"), 64, 16, local_memory=16 * KIB)
    assert found.groups_per_core == 10


@pytest.mark.parametrize(
    ("asked", "given_bytes"),
    [(0, 0), (1, KIB), (KIB, KIB), (KIB + 1, 2 * KIB), (17 * KIB, 32 * KIB), (64 * KIB, 64 * KIB)],
)
def test_local_memory_on_tgl_comes_in_powers_of_two(asked: int, given_bytes: int) -> None:
    assert allocation(intel("tgl"), asked) == given_bytes


def test_pvc_has_steps_of_24_48_and_96_kib_between() -> None:
    assert [allocation(intel("pvc"), each * KIB) // KIB for each in (17, 33, 65, 97)] == [24, 48, 96, 128]


def test_more_local_memory_than_a_group_may_take_cannot_run() -> None:
    found = estimate_occupancy(device("tgl"), 128, 8, local_memory=64 * KIB + 1)
    assert found.groups_per_core == 0
    assert found.limiter is Limiter.LOCAL_MEMORY
    assert found.why == "local memory 65537 B exceeds the 65536 B of a work-group on tgl"


def test_barriers_bind_only_groups_of_one_thread_on_tgl() -> None:
    one = estimate_occupancy(device("tgl"), 32, 32, barrier=True)
    two = estimate_occupancy(device("tgl"), 64, 32, barrier=True)
    assert (one.groups_per_core, one.limiter) == (64, Limiter.BARRIERS)
    assert (two.groups_per_core, two.limiter) == (56, Limiter.THREADS)
    assert estimate_occupancy(device("tgl"), 32, 32, barrier=False).groups_per_core == 112


def test_where_the_barriers_of_a_core_are_not_public_they_do_not_bind() -> None:
    assert intel("ptl").barriers_per_core is None
    assert estimate_occupancy(device("ptl"), 16, 16, barrier=True).groups_per_core == 64


def test_256_registers_halve_the_threads_but_not_what_they_are_a_share_of() -> None:
    found = estimate_occupancy(device("pvc"), 512, 16, large_grf=True)
    assert (found.groups_per_core, found.ratio, found.limiter) == (1, 0.5, Limiter.REGISTERS)
    assert (found.usable_threads_per_core, found.threads_per_core) == (32, 64)
    assert found.limits[:2] == ((Limiter.REGISTERS, 1), (Limiter.THREADS, 2))


@pytest.mark.parametrize(("registers", "groups"), [(96, 5), (128, 4), (160, 3), (192, 2), (256, 2), (None, 4)])
def test_xe3_has_fewer_threads_the_more_registers_a_kernel_takes(registers: int | None, groups: int) -> None:
    assert estimate_occupancy(device("ptl"), 256, 16, registers=registers).groups_per_core == groups


def test_registers_are_rounded_up_to_a_mode() -> None:
    assert estimate_occupancy(device("pvc"), 256, 16, registers=129).usable_threads_per_core == 32


def test_tgl_has_no_256_register_mode() -> None:
    found = estimate_occupancy(device("tgl"), 128, 8, large_grf=True)
    assert (found.groups_per_core, found.limiter) == (0, Limiter.REGISTERS)
    assert found.why == "256 registers per thread exceed the largest mode on tgl, 128"


@pytest.mark.parametrize(
    ("name", "registers", "sub_group", "most"),
    [
        ("gen9", None, 8, 256),
        ("tgl", None, 8, 512),
        ("dg2", None, 8, 1024),
        ("dg2", 256, 8, 512),
        ("dg2", 256, 16, 512),
        ("dg2", 256, 32, 1024),
        ("pvc", None, 16, 1024),
        ("pvc", 256, 16, 512),
        ("pvc", 256, 32, 1024),
        ("lnl", 256, 16, 512),
        ("bmg", 256, 32, 1024),
        ("ptl", 160, 16, 768),
        ("ptl", 192, 16, 640),
        ("ptl", 256, 16, 512),
        ("ptl", 256, 32, 1024),
        ("pvc", 256, None, 1024),
        ("tgl", None, None, 512),
        ("cri", None, None, 2048),
    ],
)
def test_the_limit_of_a_launch_depends_on_registers_and_sub_group_size(
    name: str, registers: int | None, sub_group: int | None, most: int
) -> None:
    assert limit(device(name), registers, sub_group) == most


def test_a_work_group_over_the_limit_of_its_register_mode_says_so() -> None:
    found = estimate_occupancy(device("pvc"), 1024, 16, large_grf=True)
    assert found.why == "work-group 1024 exceeds max 512 with 256 registers at sub-group size 16 on pvc"


def test_waves_peak_and_average_of_a_launch_that_leaves_a_rest() -> None:
    found = estimate_occupancy(device("tgl"), 512, 32, barrier=True, global_size=44 * 512)
    assert found.waves == 44 / 42
    assert found.peak == 1
    assert found.average == 44 / 84


def test_a_launch_smaller_than_one_core_is_spread_over_the_device() -> None:
    found = estimate_occupancy(device("tgl"), 512, 32, global_size=512)
    assert found.groups_per_core == 7
    assert found.peak == found.average == pytest.approx(16 / 672)


def test_a_global_size_that_does_not_divide_counts_the_begun_group() -> None:
    assert estimate_occupancy(device("tgl"), 512, 32, global_size=513).waves == 2 / 42


def test_other_core_counts_can_be_asked_for() -> None:
    assert estimate_occupancy(device("pvc"), 1024, 16, global_size=1 << 17, cores=128).waves == 1


def test_without_a_global_size_nothing_is_said_of_the_device() -> None:
    found = estimate_occupancy(device("tgl"), 512, 32)
    assert (found.waves, found.peak, found.average) == (None, None, None)


def test_a_part_with_unknown_cores_has_a_core_level_only() -> None:
    found = estimate_occupancy(device("bmg_g31"), 1024, 16, global_size=1 << 20)
    assert (found.groups_per_core, found.waves) == (1, None)


def test_where_thread_contexts_are_not_public_nothing_is_computed() -> None:
    with pytest.raises(SycllintError, match="hardware threads per core of cri are not public"):
        estimate_occupancy(device("cri"), 256, 16)


def test_a_sub_group_size_may_be_left_out_where_there_is_one() -> None:
    one = replace(intel("pvc"), sub_group_sizes=(32,))
    assert estimate_occupancy(one, 1024).sub_group_size == 32
    with pytest.raises(SycllintError, match="a sub-group size is needed on pvc: 16, 32"):
        estimate_occupancy(device("pvc"), 1024)


@pytest.mark.parametrize(("work_group", "local_memory", "global_size"), [(0, 0, None), (8, -1, None), (8, 0, 0)])
def test_sizes_that_no_launch_has_are_refused(work_group: int, local_memory: int, global_size: int | None) -> None:
    with pytest.raises(SycllintError, match="at least"):
        estimate_occupancy(device("tgl"), work_group, 8, local_memory=local_memory, global_size=global_size)


DEVICES = st.sampled_from([each for each in intel_devices() if each.threads_per_core is not None])
WORK_GROUPS = st.integers(1, 1100)
LOCAL_MEMORY = st.integers(0, 140 * KIB)


@given(DEVICES, WORK_GROUPS, st.tuples(LOCAL_MEMORY, LOCAL_MEMORY), st.booleans(), st.data())
def test_more_local_memory_never_gives_more_groups(
    found: IntelDevice, work_group: int, amounts: tuple[int, int], barrier: bool, data: st.DataObject
) -> None:
    size = data.draw(st.sampled_from(found.sub_group_sizes))
    less, more = sorted(amounts)
    few = estimate_occupancy(found, work_group, size, local_memory=more, barrier=barrier)
    many = estimate_occupancy(found, work_group, size, local_memory=less, barrier=barrier)
    assert few.groups_per_core <= many.groups_per_core


@given(DEVICES, WORK_GROUPS, LOCAL_MEMORY, st.data())
def test_a_barrier_never_gives_more_groups(
    found: IntelDevice, work_group: int, local_memory: int, data: st.DataObject
) -> None:
    size = data.draw(st.sampled_from(found.sub_group_sizes))
    with_barrier, without = (
        estimate_occupancy(found, work_group, size, local_memory=local_memory, barrier=each) for each in (True, False)
    )
    assert with_barrier.groups_per_core <= without.groups_per_core


@given(DEVICES, WORK_GROUPS, LOCAL_MEMORY, st.booleans(), st.data())
def test_what_is_resident_fits_and_one_more_group_does_not(
    found: IntelDevice, work_group: int, local_memory: int, barrier: bool, data: st.DataObject
) -> None:
    size = data.draw(st.sampled_from(found.sub_group_sizes))
    global_size = data.draw(st.integers(1, 10**7))
    occupancy = estimate_occupancy(
        found, work_group, size, local_memory=local_memory, barrier=barrier, global_size=global_size
    )
    assert 0 <= occupancy.ratio <= 1
    if occupancy.groups_per_core == 0:
        assert occupancy.why
        return
    assert occupancy.threads_resident <= occupancy.usable_threads_per_core <= occupancy.threads_per_core
    assert occupancy.groups_per_core * occupancy.local_memory_allocated <= found.local_memory_per_core
    assert occupancy.limits[0] == (occupancy.limiter, occupancy.groups_per_core)
    assert all(occupancy.groups_per_core <= groups for _, groups in occupancy.limits)
    one_more = occupancy.groups_per_core + 1
    assert (
        one_more * occupancy.threads_per_group > occupancy.usable_threads_per_core
        or one_more * occupancy.local_memory_allocated > found.local_memory_per_core
        or (barrier and one_more > (found.barriers_per_core or one_more))
    )
    assert occupancy.average is not None
    assert occupancy.peak is not None
    assert occupancy.average <= occupancy.peak + 1e-12 <= occupancy.ratio + 2e-12


@given(DEVICES, WORK_GROUPS, LOCAL_MEMORY, st.data())
def test_a_launch_runs_exactly_when_it_keeps_the_limits(
    found: IntelDevice, work_group: int, local_memory: int, data: st.DataObject
) -> None:
    size = data.draw(st.sampled_from(found.sub_group_sizes))
    occupancy = estimate_occupancy(found, work_group, size, local_memory=local_memory)
    legal = work_group <= limit(found, None, size) and local_memory <= found.max_local_memory_per_group
    assert (occupancy.groups_per_core > 0) == legal
