"""SYC3xx on numbers of every kind of certainty. What they say of C++ is in fixtures/."""

from sycllint.diagnostic import Evidence
from sycllint_rules.sub_groups.unsupported_sub_group_size import unsupported_sub_group_size
from sycllint_rules.sub_groups.work_group_not_multiple_of_sub_group import work_group_not_multiple_of_sub_group
from tests.rules.launches import LOCAL, UNKNOWN, WIDTH, findings, launch, named, one_of, sentence


def test_an_unsupported_size_points_at_the_attribute() -> None:
    (found,) = findings(unsupported_sub_group_size, launch(1024, 128, width=named("SG", 8)), on="pvc")
    assert (sentence(found), found.location) == ("sub-group size 8 is not supported (16 and 32 are)", WIDTH)
    assert [each.message for each in found.related] == ["SG is 8 here"]


def test_one_supported_size_among_several_is_silent() -> None:
    assert findings(unsupported_sub_group_size, launch(1024, 128, width=one_of(16, 64))) == []


def test_only_unsupported_sizes_are_proved() -> None:
    (found,) = findings(unsupported_sub_group_size, launch(1024, 128, width=one_of(48, 64)))
    assert found.evidence is Evidence.PROVED


def test_an_unknown_size_is_silent() -> None:
    assert findings(unsupported_sub_group_size, launch(1024, 128, width=UNKNOWN)) == []


def test_a_rest_counts_the_idle_lanes_of_the_last_sub_group() -> None:
    (found,) = findings(work_group_not_multiple_of_sub_group, launch(700, 100, width=16))
    assert found.verdict == "is not a multiple of sub-group size 16: 12 of 16 lanes of the last sub-group idle"
    assert (found.location, found.device_specific) == (LOCAL, False)


def test_a_size_required_of_no_device_depends_on_none() -> None:
    (found,) = findings(work_group_not_multiple_of_sub_group, launch(1000, 100))
    assert (found.verdict, found.device_specific) == ("is not a multiple of any sub-group size: 8, 16 or 32", True)


def test_one_possible_size_that_leaves_a_rest_is_derived() -> None:
    (found,) = findings(work_group_not_multiple_of_sub_group, launch(UNKNOWN, one_of(96, 100, 128), width=32))
    assert (found.subject, found.evidence) == ("work-group 100", Evidence.DERIVED)


def test_possible_sizes_of_both_that_may_belong_together_are_silent() -> None:
    of = launch(UNKNOWN, one_of(48, 64), width=one_of(16, 32))
    assert findings(work_group_not_multiple_of_sub_group, of) == []
