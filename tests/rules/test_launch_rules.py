"""SYC1xx on numbers of every kind of certainty. What they say of C++ is in fixtures/."""

from sycllint.diagnostic import Evidence, Severity
from sycllint.launch.kernel import LaunchKind
from sycllint.values.value import Symbolic
from sycllint_rules.launch.degenerate_range import degenerate_range
from sycllint_rules.launch.global_not_divisible import global_not_divisible
from sycllint_rules.launch.local_exceeds_global import local_exceeds_global
from sycllint_rules.launch.reqd_work_group_size_mismatch import reqd_work_group_size_mismatch
from sycllint_rules.launch.work_group_exceeds_max import work_group_exceeds_max
from tests.rules.launches import GLOBAL, LOCAL, REQUIRED, UNKNOWN, findings, launch, named, one_of, sentence


def test_a_size_beyond_the_limit_points_at_the_local_range_and_at_its_constant() -> None:
    (found,) = findings(work_group_exceeds_max, launch((64, 60, 128), (1, named("R", 5), 128)))
    assert sentence(found) == "work-group 1x5x128 = 640 exceeds max 512"
    assert (found.location, found.evidence) == (LOCAL, Evidence.PROVED)


def test_the_largest_legal_constant_divides_the_global_extent() -> None:
    (found,) = findings(work_group_exceeds_max, launch((64, 64, 96), (1, named("R", 8), 96)))
    assert found.help == "The largest legal R is 4."


def test_a_constant_that_is_legal_and_poor_is_not_the_only_advice() -> None:
    (found,) = findings(work_group_exceeds_max, launch((64, 60, 128), (1, named("R", 5), 128), width=8, barrier=True))
    assert found.help == "The largest legal R is 4; R=1 fills more of each Xe-core, 100%."


def test_a_possible_size_beyond_the_limit_is_derived() -> None:
    (found,) = findings(work_group_exceeds_max, launch(UNKNOWN, one_of(128, 256, 1024)))
    assert (sentence(found), found.evidence) == ("work-group 1024 exceeds max 512", Evidence.DERIVED)


def test_sizes_that_are_all_beyond_the_limit_are_proved() -> None:
    (found,) = findings(work_group_exceeds_max, launch(UNKNOWN, one_of(640, 1024)))
    assert (found.subject, found.evidence) == ("work-group 640", Evidence.PROVED)


def test_a_clamp_above_the_limit_is_derived() -> None:
    (found,) = findings(work_group_exceeds_max, launch(UNKNOWN, Symbolic("min(n, 768)", ("n",), maximum=768)))
    assert (found.subject, found.evidence) == ("work-group of up to 768", Evidence.DERIVED)


def test_a_bound_at_the_limit_is_silent() -> None:
    assert findings(work_group_exceeds_max, launch(UNKNOWN, Symbolic("min(n, 512)", ("n",), maximum=512))) == []


def test_a_floor_above_the_limit_is_derived() -> None:
    (found,) = findings(work_group_exceeds_max, launch(UNKNOWN, Symbolic("n + 600", ("n",), minimum=600)))
    assert (found.subject, found.evidence) == ("work-group of at least 600", Evidence.DERIVED)


def test_a_required_size_beyond_the_limit_points_at_the_attribute() -> None:
    (found,) = findings(work_group_exceeds_max, launch(4096, required=(1024,)))
    assert (found.location, sentence(found)) == (REQUIRED, "required work-group 1024 exceeds max 512")


def test_a_size_that_is_launched_and_required_is_reported_once() -> None:
    assert len(findings(work_group_exceeds_max, launch(4096, 1024, required=(1024,)))) == 1


def test_a_remainder_is_reported_once_for_the_first_dimension() -> None:
    (found,) = findings(global_not_divisible, launch((64, 65, 66), (1, 2, 4)))
    assert sentence(found) == "global 65 is not a multiple of local 2 in dimension 1 (65 = 32*2 + 1)"
    assert (found.location, found.device_specific) == (LOCAL, False)


def test_the_cure_for_a_remainder_names_the_next_multiple() -> None:
    (found,) = findings(global_not_divisible, launch(1000, 256))
    assert found.help.startswith("Round up to 1024 and guard ids from 1000 on")


def test_one_possible_local_size_that_does_not_divide_is_derived() -> None:
    (found,) = findings(global_not_divisible, launch(1024, one_of(64, 96, 128)))
    assert (found.evidence, found.subject) == (Evidence.DERIVED, "global 1024")


def test_no_multiple_of_eight_divides_an_odd_number() -> None:
    (found,) = findings(global_not_divisible, launch(1001, Symbolic("8*n", ("n",), multiple_of=8)))
    assert found.evidence is Evidence.DERIVED
    assert sentence(found) == "global 1001 is not a multiple of local 8*n, which is a multiple of 8"


def test_a_symbolic_global_extent_is_silent() -> None:
    assert findings(global_not_divisible, launch(Symbolic("3*n", ("n",), multiple_of=3), 64)) == []


def test_a_larger_local_extent_is_not_a_remainder() -> None:
    assert findings(global_not_divisible, launch(16, 64)) == []


def test_a_group_launch_always_divides() -> None:
    assert findings(global_not_divisible, launch(100, 64, kind=LaunchKind.WORK_GROUP)) == []


def test_a_local_range_larger_than_global_shows_both_shapes() -> None:
    (found,) = findings(local_exceeds_global, launch((1, 1, 16), (1, 1, 64)))
    assert sentence(found) == "local 1x1x64 exceeds global 1x1x16 in dimension 2"
    assert "16 groups of 64 are a global extent of 1024" in found.help


def test_ranges_of_different_dimensions_are_silent() -> None:
    assert findings(local_exceeds_global, launch((16, 16), (64,))) == []
    assert findings(global_not_divisible, launch((100, 16), (64,))) == []


def test_an_empty_local_range_is_an_error() -> None:
    (found,) = findings(degenerate_range, launch(48, 0))
    assert (found.location, found.severity, found.evidence) == (LOCAL, None, Evidence.PROVED)


def test_an_empty_global_range_is_a_warning_and_its_local_range_does_not_matter() -> None:
    for local in (64, 0, one_of(0, 64)):
        (found,) = findings(degenerate_range, launch(0, local))
        assert (found.location, found.severity) == (GLOBAL, Severity.WARNING)


def test_a_local_range_that_is_empty_only_where_the_global_one_may_be_is_silent() -> None:
    found = findings(degenerate_range, launch(one_of(0, 512), one_of(0, 64)))
    assert [each.location for each in found] == [GLOBAL]


def test_a_global_range_that_is_empty_by_name_is_a_note() -> None:
    (found,) = findings(degenerate_range, launch(named("n", 0)))
    assert (sentence(found), found.severity) == ("global extent 0 launches no work-items", Severity.NOTE)


def test_a_launch_of_nothing_exceeds_no_limit() -> None:
    of = launch((0, 8), (1024, 8), required=(2048, 8), width=64, memory=(1_000_000,), barrier=True)
    for rule in (work_group_exceeds_max, global_not_divisible, local_exceeds_global, reqd_work_group_size_mismatch):
        assert findings(rule, of) == []


def test_a_wrapped_extent_reads_as_the_negative_number_it_was() -> None:
    (found,) = findings(degenerate_range, launch(2**64 - 4))
    assert sentence(found) == "global extent -4 wraps to more than 2^63 work-items"


def test_two_billion_ids_are_one_too_many_for_int() -> None:
    assert findings(degenerate_range, launch(2**31 - 1)) == []
    (found,) = findings(degenerate_range, launch(2**31))
    assert (found.severity, found.evidence) == (Severity.WARNING, Evidence.DERIVED)


def test_a_required_shape_points_at_the_attribute_and_at_the_launch() -> None:
    (found,) = findings(reqd_work_group_size_mismatch, launch((64, 64), (8, 32), required=(32, 8)))
    assert (found.location, [each.location for each in found.related]) == (REQUIRED, [LOCAL])
    assert found.help.startswith("The reverse order matches")


def test_one_extent_that_differs_is_enough() -> None:
    (found,) = findings(reqd_work_group_size_mismatch, launch((64, 64), (UNKNOWN, 32), required=(8, 16)))
    assert (sentence(found), found.evidence) == (
        "required work-group size 8x16 differs from the launched ?x32",
        Evidence.PROVED,
    )


def test_a_possible_shape_that_differs_is_derived_and_named() -> None:
    (found,) = findings(reqd_work_group_size_mismatch, launch(1024, one_of(64, 128), required=(128,)))
    assert (sentence(found), found.evidence) == (
        "required work-group size 128 differs from the launched 64",
        Evidence.DERIVED,
    )


def test_a_shape_of_other_dimensions_is_reported_as_such() -> None:
    (found,) = findings(reqd_work_group_size_mismatch, launch((64, 64), (8, 32), required=(256,)))
    assert sentence(found) == "required work-group size 256 of 1 dimension is launched in 2 dimensions"
