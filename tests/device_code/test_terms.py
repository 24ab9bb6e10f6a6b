"""Terms: integers of device code as functions of the work-item."""

import pytest

from sycllint.device_code.access_trace.terms import (
    Atom,
    AtomKind,
    Column,
    Term,
    UndefinedError,
    along,
    bounds,
    column,
    evaluate,
    every,
    operation,
    slope,
    varies,
)

LID = Atom(AtomKind.LOCAL, 0)
N = Atom(AtomKind.GIVEN, "n", "n")


def _known(term: Term | None) -> Term:
    assert term is not None
    return term


@pytest.mark.parametrize(
    ("operator", "left", "right", "result"),
    [("/", -7, 2, -3), ("%", -7, 2, -1), (">>", 9, 1, 4), ("min", 3, 5, 3), ("power", 2, 5, 32), ("<", 1, 2, 1)],
)
def test_numbers_are_folded_as_in_cpp(operator: str, left: int, right: int, result: int) -> None:
    assert operation(operator, left, right) == result


def test_division_by_zero_is_not_known() -> None:
    assert operation("/", 1, 0) is None
    with pytest.raises(UndefinedError):
        evaluate(_known(operation("%", LID, N)), {LID: 3, N: 0})


def test_what_has_an_unknown_operand_is_unknown() -> None:
    assert operation("+", LID, None) is None


def test_nothing_is_computed_where_the_result_is_plain() -> None:
    assert operation("+", LID, 0) is LID
    assert operation("*", 0, LID) == 0
    assert operation("-", N, N) == 0


def test_a_term_varies_with_the_local_id_alone() -> None:
    assert varies(_known(operation("+", N, LID)))
    assert not varies(_known(operation("*", N, 2)))


def test_the_left_side_of_and_shields_the_right_one() -> None:
    both = _known(operation("&&", operation(">", N, 0), operation("==", operation("%", LID, N), 0)))
    assert evaluate(both, {LID: 4, N: 0}) == 0
    assert evaluate(both, {LID: 4, N: 2}) == 1


def test_a_column_holds_the_number_of_each_work_item() -> None:
    shifted = _known(operation("+", LID, operation("*", N, 4)))
    assert list(_several(shifted, [0, 3])) == [8, 11]


def test_what_all_work_items_share_is_one_number() -> None:
    assert column(_known(operation("*", N, 4)), {N: 2}, [[0, 3]]) == 8
    assert column(_known(operation("?", operation("<", N, 4), 1, LID)), {N: 2}, [[0, 3]]) == 1


def test_an_arm_is_chosen_for_each_work_item() -> None:
    assert list(_several(_known(operation("?", operation("<", LID, 2), 7, LID)), [0, 1, 2])) == [7, 7, 2]


def test_a_column_has_no_result_where_one_work_item_has_none() -> None:
    with pytest.raises(UndefinedError):
        _several(_known(operation("/", 8, LID)), [0, 1])


def _several(term: Term, ids: list[int]) -> Column:
    found = column(term, {N: 2}, [ids])
    assert not isinstance(found, int)
    return found


K = Atom(AtomKind.COUNTER, 1)


@pytest.mark.parametrize(
    ("term", "grows"),
    [
        (LID, 1),
        (operation("+", operation("*", LID, 33), N), 33),
        (operation("-", operation("*", 4, LID), LID), 3),
        (N, 0),
        (operation("*", LID, N), None),
        (operation("%", LID, 8), None),
    ],
)
def test_a_slope_is_what_a_term_grows_by_with_one_id(term: Term | None, grows: int | None) -> None:
    assert slope(_known(term), LID) == grows


@pytest.mark.parametrize(
    ("term", "least_and_greatest"),
    [
        (operation("+", LID, 16), (16, 79)),
        (operation("-", 63, LID), (0, 63)),
        (operation("+", operation("*", K, 64), LID), (0, 255)),
        (operation("/", LID, 32), (0, 1)),
        (operation("%", LID, 8), (0, 7)),
        (operation("&", operation("+", LID, 1), 63), (0, 63)),
        (operation(">>", LID, 2), (0, 15)),
        (operation("*", operation("-", LID, 1), 2), None),
        (operation("+", LID, N), None),
    ],
)
def test_bounds_of_a_term_follow_from_those_of_its_atoms(
    term: Term | None, least_and_greatest: tuple[int, int] | None
) -> None:
    assert bounds(_known(term), {LID: (0, 63), K: (0, 3)}) == least_and_greatest


def test_conditions_hold_for_the_work_items_for_which_all_do() -> None:
    assert along(every, (1, [1, 0, 1], [1, 1, 0])) == [1, 0, 0]
    assert along(every, ()) == 1
