"""Numbers, shapes and names as messages write them."""

import pytest

from sycllint.launch.kernel import Range
from sycllint.values.value import Known, OneOf, Symbolic
from sycllint_rules.wording import because, listed, named_size, percent, plural, shape, size, work_group
from tests.rules.launches import LOCAL, UNKNOWN, launch, named, one_of, step


def test_a_shape_is_written_slowest_dimension_first() -> None:
    assert shape((Known(1), Known(5), Known(128))) == "1x5x128"


def test_a_shape_has_a_mark_or_the_expression_where_the_number_is_not_known() -> None:
    assert shape((UNKNOWN, Known(8), Symbolic("n", ("n",)))) == "?x8xn"


def test_a_work_group_of_several_dimensions_is_multiplied_out() -> None:
    assert work_group(Range((Known(1), Known(5), Known(128)), LOCAL), 640) == "work-group 1x5x128 = 640"


def test_a_work_group_of_one_dimension_is_its_number() -> None:
    assert work_group(Range((Known(640),), LOCAL), 640) == "work-group 640"


def test_a_work_group_of_several_possible_shapes_is_its_number() -> None:
    assert work_group(Range((one_of(8, 16), Known(64)), LOCAL), 1024) == "work-group 1024"


def test_a_size_is_named_by_its_only_constant() -> None:
    assert named_size(launch((64, 64, 128), (1, named("R", 4), 128)), 512) == "R=4"


def test_a_size_of_two_constants_is_named_by_its_shape() -> None:
    assert named_size(launch((64, 64), (named("rows", 4), named("columns", 16))), 64) == "work-group 4x16"


def test_a_size_without_constants_is_named_by_its_shape() -> None:
    assert named_size(launch(5120, 512), 512) == "work-group 512"


@pytest.mark.parametrize(
    ("share", "text"), [(0.4286, "43%"), (1.0, "100%"), (0.0476, "4.8%"), (0.0, "0%"), (0.1, "10%"), (0.0999, "10.0%")]
)
def test_shares_are_whole_percents_and_tenths_below_ten(share: float, text: str) -> None:
    assert percent(share) == text


@pytest.mark.parametrize(("count", "text"), [(40960, "40 KB"), (655400, "655,400 B"), (16, "16 B"), (0, "0 B")])
def test_bytes_are_kilobytes_when_they_are_whole(count: int, text: str) -> None:
    assert size(count) == text


def test_lists_end_in_and() -> None:
    assert (listed(["8", "16", "32"]), listed(["32"])) == ("8, 16 and 32", "32")


def test_one_is_singular() -> None:
    assert (plural(1, "group"), plural(2, "group")) == ("1 group", "2 groups")


def test_each_constant_is_a_place_once() -> None:
    rows = named("R", 4)
    places = because(rows, Known(8, (step("R", 4), step("lanes", 8))), OneOf((Known(1), Known(2))))
    assert [each.message for each in places] == ["R is 4 here", "lanes is 8 here"]
