"""SYC2xx and SYC401 on launches made by hand. What they say of C++ is in fixtures/."""

import pytest

from sycllint.diagnostic import Evidence, Severity
from sycllint.record import replace
from sycllint_rules.local_memory.local_memory_exceeds_limit import local_memory_exceeds_limit
from sycllint_rules.occupancy.device_undersubscribed import device_undersubscribed
from sycllint_rules.occupancy.local_memory_limits_occupancy import local_memory_limits_occupancy
from sycllint_rules.occupancy.occupancy_quantised import occupancy_quantised
from sycllint_rules.occupancy.single_resident_group import single_resident_group
from sycllint_rules.occupancy.tail_wave import tail_wave
from sycllint_rules.occupancy.work_group_too_small import work_group_too_small
from tests.rules.launches import BODY, GLOBAL, LOCAL, MEMORY, UNKNOWN, findings, launch, named, one_of, place, sentence


def test_an_idle_part_of_the_core_is_reported_with_the_arithmetic_and_better_sizes() -> None:
    (found,) = findings(occupancy_quantised, launch((64, 64, 128), (1, named("R", 4), 128), width=8, barrier=True))
    assert (sentence(found), found.location) == ("R=4 leaves 43% of Xe-core idle", LOCAL)
    assert "is 64 threads, so 112 contexts hold 1 group" in found.help
    assert "128 (7 groups, 100%)" in found.help


def test_widths_that_disagree_are_a_note() -> None:
    (found,) = findings(occupancy_quantised, launch(UNKNOWN, 512, barrier=True))
    assert (found.severity, found.evidence) == (Severity.NOTE, Evidence.DERIVED)


def test_widths_that_agree_are_a_warning() -> None:
    (found,) = findings(occupancy_quantised, launch(704 * 1000, 704, barrier=True), on="pvc")
    assert (found.severity, found.evidence) == (None, Evidence.PROVED)
    assert found.verdict == "leaves 31% of Xe-core idle"


def test_the_register_mode_is_no_idle_core() -> None:
    assert findings(occupancy_quantised, launch(UNKNOWN, 512, width=16, barrier=True, registers=256), on="pvc") == []


def test_shares_are_of_the_core_and_of_the_register_mode_beside_it() -> None:
    in_the_mode = launch(UNKNOWN, 320, width=16, barrier=True, registers=256)
    (found,) = findings(occupancy_quantised, in_the_mode, on="pvc")
    assert found.verdict == "leaves 69% of Xe-core, 38% of the 256-register mode, idle"
    assert "so the 32 of 64 contexts that 256 registers leave hold 1 group; 128 (4 groups, 50%)" in found.help
    barriers = replace(in_the_mode, kernel=replace(in_the_mode.kernel, barriers=(BODY, BODY)))
    (found,) = findings(single_resident_group, barriers, on="pvc")
    assert found.help == (
        "320 work-items at SIMD16 are 20 of 64 threads (31%, 62% of the 256-register mode); 2 barriers in the kernel. "
        "160 work-items make room for 3."
    )


def test_widths_that_disagree_in_a_register_mode_have_shares_of_the_core() -> None:
    (found,) = findings(occupancy_quantised, launch(UNKNOWN, 320, barrier=True, registers=256), on="pvc")
    assert found.verdict == ("leaves 69% of Xe-core, 38% of the 256-register mode, idle at SIMD16 (53% at SIMD32)")


def test_the_default_mode_of_xe3_is_not_the_one_with_the_most_threads() -> None:
    (found,) = findings(occupancy_quantised, launch(UNKNOWN, 640, width=16, barrier=True), on="ptl")
    assert found.verdict == "leaves 50% of Xe-core, 38% of the 128-register mode, idle"


def test_groups_that_take_all_barriers_are_counted_among_all_threads() -> None:
    (found,) = findings(work_group_too_small, launch(UNKNOWN, 16, width=16, memory=(64,), barrier=True))
    assert found.help == (
        "16 work-items at SIMD16 are 1 thread, and the 64 barriers of Xe-core hold 64 of 112 threads (57%); "
        "32 work-items fill them."
    )


def test_a_tail_is_averaged_over_all_contexts_of_the_device() -> None:
    tied = launch(13 * 512, 512, width=8, loop=True, barrier=True)
    (found,) = findings(tail_wave, tied)
    assert found.help == "Occupancy averages 41% over the rounds; 12 or 18 groups come out even."


def test_an_open_size_is_silent() -> None:
    assert findings(occupancy_quantised, launch(UNKNOWN, one_of(256, 512), width=8, barrier=True)) == []


def test_a_device_without_public_numbers_is_silent() -> None:
    of = launch(UNKNOWN, 512, width=16, barrier=True, memory=(50_000,), loop=True)
    for rule in (occupancy_quantised, device_undersubscribed, tail_wave, local_memory_limits_occupancy):
        assert findings(rule, of, on="cri") == []


def test_local_memory_that_limits_points_at_the_largest_allocation() -> None:
    of = launch(1 << 20, 128, width=8, barrier=True, memory=(8 * 1024, 32 * 1024))
    (found,) = findings(local_memory_limits_occupancy, of)
    assert found.location == place(MEMORY.span.start // 100 + 1)
    assert [each.message for each in found.related] == ["`tile0` takes 8 KB", "`tile1` takes 32 KB"]


def test_the_cure_for_local_memory_is_the_largest_step_that_leaves_room() -> None:
    (found,) = findings(local_memory_limits_occupancy, launch(1 << 20, 128, width=8, memory=(40 * 1024,)))
    assert found.help == ("40 KB is allocated as 64 KB of 128 KB; threads alone allow 7 groups, of 16 KB each at most.")


def test_the_help_has_the_share_at_each_width() -> None:
    (found,) = findings(local_memory_limits_occupancy, launch(UNKNOWN, 16, barrier=True, memory=(2180,)))
    assert found.verdict == "limits Xe-core to 32 work-groups, 29% to 57% of its threads"
    assert found.help == (
        "57% at SIMD8, 29% at SIMD16 and SIMD32; 2180 B is allocated as 4 KB of 128 KB; "
        "barriers alone allow 64 groups at SIMD16, of 2 KB each at most."
    )


def test_a_launch_of_nothing_leaves_nothing_idle() -> None:
    for rule in (occupancy_quantised, device_undersubscribed, tail_wave):
        assert findings(rule, launch(0, 512, width=8, barrier=True, loop=True)) == []
    for rule in (local_memory_limits_occupancy, local_memory_exceeds_limit):
        assert findings(rule, launch(0, 128, width=8, memory=(70_000,))) == []
        assert findings(rule, launch(0, 128, width=8, memory=(40 * 1024,))) == []


def test_a_launch_of_256_work_items_is_small_because_its_work_is() -> None:
    assert findings(device_undersubscribed, launch(256, 16, width=16, loop=True)) == []
    assert findings(device_undersubscribed, launch(272, 16, width=16, loop=True))


def test_half_of_the_threads_is_enough() -> None:
    assert findings(local_memory_limits_occupancy, launch(1 << 20, 256, width=8, memory=(40 * 1024,))) == []


def test_few_threads_point_at_the_global_range() -> None:
    (found,) = findings(device_undersubscribed, launch(named("n", 1024), 512, width=32, loop=True))
    assert (found.location, [each.message for each in found.related]) == (GLOBAL, ["n is 1024 here"])
    assert found.help == (
        "32 threads at SIMD32 for the 672 contexts of the 6 Xe-cores of a full tgl; "
        "the smallest part has 112 in 1 Xe-core."
    )


def test_a_group_count_that_does_not_come_out_is_another_rules_business() -> None:
    assert findings(device_undersubscribed, launch(1000, 512, width=32, loop=True)) == []


def test_a_required_width_the_device_lacks_is_another_rules_business() -> None:
    assert findings(device_undersubscribed, launch(1024, 512, width=64, loop=True)) == []


@pytest.mark.parametrize(
    ("groups", "heard"), [(42, False), (43, True), (52, True), (53, False), (84, False), (85, True)]
)
def test_a_tail_of_up_to_a_quarter_is_heard(groups: int, heard: bool) -> None:
    assert bool(findings(tail_wave, launch(groups * 512, 512, width=32, loop=True))) is heard


def test_after_eight_rounds_a_tail_weighs_little() -> None:
    assert findings(tail_wave, launch((7 * 42 + 1) * 512, 512, width=32, loop=True))
    assert findings(tail_wave, launch((8 * 42 + 1) * 512, 512, width=32, loop=True)) == []


def test_the_cure_for_a_tail_is_the_even_counts_around_it() -> None:
    (found,) = findings(tail_wave, launch(44 * 512, 512, width=32, loop=True))
    assert found.help == "Occupancy averages 52% over the rounds; 42 or 84 groups come out even."


def test_local_memory_beyond_the_limit_is_proved() -> None:
    (found,) = findings(local_memory_exceeds_limit, launch(1600, 16, memory=(655_400,)))
    assert (sentence(found), found.evidence) == ("local memory 655,400 B exceeds max 65,536 B", Evidence.PROVED)


def test_the_known_part_beyond_the_limit_is_proved() -> None:
    (found,) = findings(local_memory_exceeds_limit, launch(1600, 16, memory=(70_000, UNKNOWN)))
    assert (found.subject, found.evidence) == ("local memory at least 70,000 B", Evidence.PROVED)


def test_one_possible_size_beyond_the_limit_is_derived() -> None:
    (found,) = findings(local_memory_exceeds_limit, launch(1600, 16, memory=(one_of(32_768, 131_072),)))
    assert (found.subject, found.evidence) == ("local memory 131,072 B", Evidence.DERIVED)


def test_more_than_nine_tenths_is_a_warning() -> None:
    (found,) = findings(local_memory_exceeds_limit, launch(1600, 16, memory=(64_000,)))
    assert (found.severity, found.evidence) == (Severity.WARNING, Evidence.DERIVED)
    assert findings(local_memory_exceeds_limit, launch(1600, 16, memory=(58_000,))) == []
