"""What single numbers and sets of numbers prove."""

from sycllint.diagnostic import Evidence
from sycllint.values.value import Known, Symbolic
from sycllint_rules.evidence import Pair, Witness, case, certainly, pair
from tests.rules.launches import UNKNOWN, one_of


def _large(number: int) -> bool:
    return number > 512


def _rest(whole: int, part: int) -> bool:
    return whole % part != 0


def test_a_known_number_that_is_wrong_is_proved() -> None:
    assert case(Known(640), _large) == Witness(Known(640), Evidence.PROVED)


def test_a_known_number_that_is_right_is_nothing() -> None:
    assert case(Known(512), _large) is None


def test_one_wrong_number_among_right_ones_is_derived_and_named() -> None:
    assert case(one_of(256, 640, 1024), _large) == Witness(Known(640), Evidence.DERIVED)


def test_only_wrong_numbers_are_proved() -> None:
    assert case(one_of(640, 1024), _large) == Witness(Known(640), Evidence.PROVED)


def test_only_wrong_numbers_of_an_open_set_are_derived() -> None:
    assert case(one_of(640, 1024, others=True), _large) == Witness(Known(640), Evidence.DERIVED)


def test_nothing_is_wrong_with_what_is_not_known() -> None:
    assert case(UNKNOWN, _large) is None
    assert case(Symbolic("n*8", ("n",), multiple_of=8), _large) is None


def test_a_known_pair_is_proved() -> None:
    assert pair(Known(64), Known(3), _rest) == Pair(Known(64), Known(3), Evidence.PROVED)


def test_one_set_in_a_pair_is_derived() -> None:
    assert pair(Known(64), one_of(16, 24), _rest) == Pair(Known(64), Known(24), Evidence.DERIVED)
    assert pair(one_of(60, 64), Known(16), _rest) == Pair(Known(60), Known(16), Evidence.DERIVED)


def test_two_sets_that_may_belong_together_are_nothing() -> None:
    assert pair(one_of(640, 960), one_of(128, 192), _rest) is None


def test_two_sets_that_fail_in_every_combination_are_proved() -> None:
    assert pair(one_of(7, 11), one_of(2, 3), _rest) == Pair(Known(7), Known(2), Evidence.PROVED)


def test_certainly_wants_every_number_wrong() -> None:
    assert certainly(one_of(16, 64), lambda size: size not in (8, 16, 32)) is None
    assert certainly(one_of(48, 64), lambda size: size not in (8, 16, 32)) == Known(48)
