"""Expressions as text: what a message says of a condition."""

import pytest

from sycllint.cpp.node import walk
from sycllint.cpp.spelling import MAX_TEXT, spelled
from sycllint.cpp.statement import If
from sycllint.facts.collect import file_facts


def again(text: str) -> str:
    """``text``, read as a condition and written."""
    unit = file_facts("a.cpp", f"void f() {{ if ({text}) g(); }}".encode(), {}).unit
    condition = next(node.condition for node in walk(unit) if isinstance(node, If))
    assert condition is not None
    return spelled(condition)


@pytest.mark.parametrize(
    "text",
    [
        "i < n",
        "(i + 1) * 2 < n",
        "i + 1 * 2 < n",
        "a && (b || c)",
        "!(a == b)",
        "-i >= n",
        "it.get_local_id(0) % 32 == 0",
        "values[i] > 1.5f",
        "f<int>(x)[0]",
        "i >= width || j >= height",
        "(a ? b : c) < 3",
    ],
)
def test_a_condition_reads_as_it_was_written(text: str) -> None:
    assert again(text).replace("f(x)", "f<int>(x)") == text


def test_a_long_condition_is_cut() -> None:
    text = again(" && ".join(f"condition_{number} < limit_{number}" for number in range(9)))
    assert (len(text), text[-1]) == (MAX_TEXT, "…")


def test_a_lambda_is_not_spelled_out() -> None:
    assert again("all([=](int i) { return i > 0; })") == "all(…)"
