"""Work-items that are singled out by their place in a row, and how far their sub-group reaches."""

import pytest

from sycllint.device_code.checks.rows import RowLeader
from tests.launch.snippet import only

LEADER = "if (it.get_local_id(1) == 0) x[0] = v;"
SHIFT = "auto sg = it.get_sub_group(); int v = sycl::shift_group_left(sg, x[1], {});"


def leaders(body: str, local: str = "{8, 8}") -> tuple[RowLeader, ...]:
    found = only(
        "void run(sycl::queue &q, int *x) {\n"
        f"  q.parallel_for(sycl::nd_range<2>({{64, 64}}, {local}), [=](sycl::nd_item<2> it) {{ {body} }});\n"
        "}\n"
    )
    return found.kernel.seen.of(RowLeader)


@pytest.mark.parametrize(
    ("exchange", "reach"),
    [
        ("int v = sycl::reduce_over_group(it.get_sub_group(), x[1], sycl::plus<>());", None),
        ("auto sg = it.get_sub_group(); int v = sg.shuffle_down(x[1], 4);", 4),
        (SHIFT.format("2"), 2),
        ("auto sg = it.get_sub_group(); int v = 0; for (int o = 16; o > 0; o /= 2) v += sg.shuffle_xor(v, o);", 16),
    ],
)
def test_an_exchange_reaches_as_far_as_is_known(exchange: str, reach: int | None) -> None:
    (found,) = leaders(exchange + LEADER)
    assert (found.text, found.reach) == ("get_local_id(1) == 0", reach)


@pytest.mark.parametrize(
    "body",
    [
        LEADER.replace("v", "1"),
        SHIFT.format("x[2]") + LEADER,
        SHIFT.format("2"),
        SHIFT.format("2") + LEADER.replace("(1)", "(0)"),
        SHIFT.format("2") + "if (it.get_local_id(1) == 0 && it.get_local_id(0) == 0) x[0] = v;",
        SHIFT.format("2") + "const int i = it.get_local_linear_id(); if (i < 8) x[i] = v;" + LEADER,
        "int v = sycl::reduce_over_group(it.get_group(), x[1], sycl::plus<>());" + LEADER,
    ],
)
def test_without_an_exchange_or_a_leader_of_rows_nothing_is_seen(body: str) -> None:
    assert leaders(body) == ()


def test_a_variable_that_is_the_place_in_the_row_counts() -> None:
    body = SHIFT.format("2") + "const int lane = it.get_local_id(1); if (lane == 0) x[0] = v;"
    assert [found.reach for found in leaders(body)] == [2]


def test_a_name_for_ids_of_two_dimensions_is_no_place_in_a_row() -> None:
    body = (
        SHIFT.format("2")
        + "{ int i = it.get_local_id(0); x[i] = 1; } { int i = it.get_local_id(1); if (i == 0) x[0] = v; }"
    )
    assert leaders(body) == ()
