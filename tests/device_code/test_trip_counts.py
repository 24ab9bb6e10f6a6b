"""Loops that count."""

import pytest

from sycllint.cpp.statement import Loop
from sycllint.device_code.bodies.trip_counts import counted, trips
from tests.device_code.body import kernel


def runs(head: str, body: str = "") -> int | None:
    """How often ``head { body }`` runs."""
    code = kernel(f"{head} {{ {body} }}")
    (spot,) = code.bodies[0].of(Loop)
    counter = counted(spot.node)
    return None if counter is None else trips(counter, code.evaluator, spot.place)


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        ("for (int k = 0; k < 8; ++k)", 8),
        ("for (int k = 0; k <= 8; k++)", 9),
        ("for (int k = 1; k < 8; k += 3)", 3),
        ("for (int k = 8; k > 0; --k)", 8),
        ("for (int k = 8; k >= 0; k -= 4)", 3),
        ("for (int k = 0; 8 > k; k = k + 2)", 4),
        ("for (int k = 9; k < 8; ++k)", 0),
        ("for (int k = 0; k < n; ++k)", None),
        ("for (int k = 1; k < 8; k *= 2)", None),
        ("while (n > 0)", None),
    ],
)
def test_a_loop_runs_as_often_as_its_head_says(head: str, expected: int | None) -> None:
    assert runs(head) == expected


def test_a_counter_that_the_body_changes_counts_nothing() -> None:
    assert runs("for (int k = 0; k < 8; ++k)", "k += n;") is None
