"""How loops change variables."""

from sycllint.cpp.expression import Number
from sycllint.cpp.statement import Loop
from sycllint.device_code.bodies.loop_updates import changes, plain_update
from tests.device_code.body import kernel


def step_of_k(loop: str) -> tuple[str, object] | None:
    """Operator and right side, as far as that is a number, of what the outermost loop does to ``k`` each time."""
    code = kernel(f"int k = 0; {loop}")
    outermost = code.bodies[0].of(Loop)[0].node
    found = plain_update(changes(code.evaluator, outermost), outermost, "k")
    if found is None:
        return None
    operator, by = found
    return operator, by.text if isinstance(by, Number) else None


def test_a_loop_counts_in_its_head() -> None:
    assert step_of_k("for (; k < n; ++k) {}") == ("+", "1")


def test_a_loop_counts_in_its_body() -> None:
    assert step_of_k("while (k < n) { k = k * 2; }") == ("*", "2")


def test_what_a_continue_jumps_over_is_not_done_each_time() -> None:
    assert step_of_k("while (k < n) { if (n == 3) continue; k += 4; }") is None


def test_what_an_inner_loop_does_is_not_done_once() -> None:
    assert step_of_k("for (int i = 0; i < n; ++i) { for (int j = 0; j < n; ++j) k += 4; }") is None


def test_two_updates_are_no_plain_one() -> None:
    assert step_of_k("for (; k < n; ++k) { for (int j = 0; j < n; ++j) { k += 4; } }") is None
