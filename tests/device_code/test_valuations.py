"""What is tried for numbers that are not known."""

import pytest

from sycllint.device_code.access_trace.iterations import MAX_ITERATIONS, last_iteration
from sycllint.device_code.access_trace.terms import Atom, AtomKind, Term, operation
from sycllint.device_code.access_trace.trace import LoopHead
from sycllint.device_code.races.valuations import farthest

K = Atom(AtomKind.COUNTER, 1)
N = Atom(AtomKind.GIVEN, "n", "n")
LID = Atom(AtomKind.LOCAL, 0)


@pytest.mark.parametrize(
    ("condition", "last"),
    [
        (operation("<", K, 8), 7),
        (operation("<=", K, 8), 8),
        (operation("<", operation("+", operation("*", K, 3), 1), 8), 2),
        (operation("<", operation("+", operation("*", K, 3), 2), 8), 1),
        (operation(">", operation(">>", 64, K), 0), 6),
        (operation("<", 9, 8), 1),
        (operation("<", operation("+", K, 9), 8), 0),
        (operation("<", K, MAX_ITERATIONS), 1),
        (operation("<", K, N), 1),
        (operation("<", K, LID), 1),
        (None, 1),
    ],
)
def test_the_last_iteration_is_the_one_before_the_condition_fails(condition: Term | None, last: int) -> None:
    assert last_iteration(LoopHead(K, condition), {}) == last


def test_a_loop_is_tried_as_far_as_its_own_counter_decides() -> None:
    assert farthest(LoopHead(K, operation("<", K, 8))) == 7
    assert farthest(LoopHead(K, operation("<", K, 1))) == 2
    assert farthest(LoopHead(K, operation("<", K, N))) is None
