"""Better work-group sizes, in the order a message names them."""

from hypothesis import given
from hypothesis import strategies as st

from sycllint.hardware.profiles import device
from sycllint.occupancy.estimate import estimate_occupancy
from sycllint.occupancy.suggest import suggestions

KIB = 1024


def test_for_r_4_on_tgl_at_simd8_224_and_128_fill_the_core() -> None:
    assert [str(each) for each in suggestions(device("tgl"), 8, above=64 / 112, most=2)] == [
        "224 (4 groups, 100%)",
        "128 (7 groups, 100%)",
    ]


def test_with_the_extents_only_sizes_that_divide_them_are_named() -> None:
    found = suggestions(device("tgl"), 8, extents=(64, 64, 128), above=64 / 112)
    assert [each.work_group for each in found] == [128, 64, 32]


def test_a_prime_extent_leaves_nothing_to_suggest() -> None:
    assert suggestions(device("tgl"), 8, extents=(1009,)) == ()


def test_nothing_is_better_than_full() -> None:
    assert suggestions(device("tgl"), 8, above=1.0) == ()


def test_local_memory_that_binds_makes_large_groups_the_better_ones() -> None:
    best = suggestions(device("tgl"), 32, local_memory=64 * KIB, most=1)[0]
    assert (best.work_group, best.groups) == (512, 2)


def test_the_limit_of_the_register_mode_is_kept() -> None:
    found = suggestions(device("pvc"), 16, registers=256, most=100)
    assert max(each.work_group for each in found) == 512


def test_one_resident_group_is_written_in_the_singular() -> None:
    best = suggestions(device("pvc"), 16, local_memory=128 * KIB, most=1)[0]
    assert str(best) == "1024 (1 group, 100%)"


@given(st.sampled_from([8, 16, 32]), st.lists(st.integers(1, 200), min_size=1, max_size=3), st.booleans())
def test_a_suggestion_is_legal_divides_the_range_and_does_what_it_says(
    sub_group: int, extents: list[int], barrier: bool
) -> None:
    total = 1
    for extent in extents:
        total *= extent
    for each in suggestions(device("dg2"), sub_group, extents=extents, barrier=barrier):
        found = estimate_occupancy(device("dg2"), each.work_group, sub_group, barrier=barrier)
        assert total % each.work_group == 0
        assert each.work_group % sub_group == 0
        assert (found.groups_per_core, found.ratio) == (each.groups, each.ratio)
