"""Which statements bear on the barriers of a kernel, by the lines they stand on."""

import pytest

from sycllint.kernel.sight import barrier_part, lane_part
from sycllint.kernel.uniformity import parted
from tests.kernel.body import kernel


def walked(body: str) -> list[int]:
    """The positions of the kernel's outermost statements that bear on its barriers."""
    code = kernel(body)
    part = barrier_part(code)
    assert part is not None
    assert code.function.body is not None
    return [position for position, each in enumerate(code.function.body.statements) if id(each) in part]


BARRIER = "sycl::group_barrier(g);"


def test_what_flows_into_no_condition_on_a_barrier_does_not_bear_on_it() -> None:
    assert walked(f"auto g = it.get_group(); float s = 0; s += y[0]; {BARRIER} y[1] = s;") == [0, 3]


def test_a_condition_brings_what_it_comes_from() -> None:
    assert walked(f"auto g = it.get_group(); int a = 1, b = 2; float s = 0; if (a < b) {{ {BARRIER} }}") == [0, 1, 3]


def test_a_return_before_the_barrier_bears_on_it_and_one_behind_it_does_not() -> None:
    leaves = "if (it.get_global_id(0) >= n) return;"
    assert walked(f"auto g = it.get_group(); {leaves} {BARRIER}") == [0, 1, 2]
    assert walked(f"auto g = it.get_group(); {BARRIER} {leaves}") == [0, 1]


def test_a_break_that_leaves_a_loop_before_the_barrier_does_not_bear_on_it() -> None:
    assert walked(f"auto g = it.get_group(); for (int i = 0; i < n; i++) if (y[i] > 0) break; {BARRIER}") == [0, 2]


def test_names_of_inner_scopes_are_their_own() -> None:
    inner = "for (int i = it.get_local_id(0); i < n; i += 64) y[i] = 0;"
    assert walked(f"auto g = it.get_group(); {inner} for (int i = 0; i < n; i++) {{ {BARRIER} }}") == [0, 2]


def test_a_store_to_memory_that_a_condition_reads_bears_on_it() -> None:
    assert walked(f"auto g = it.get_group(); y[0] = n; y[1] = 2; if (y[0] > 1) {{ {BARRIER} }}") == [0, 1, 2, 3]


@pytest.mark.parametrize("bound", ["it.get_local_id(0)", "n"])
def test_what_a_lambda_is_called_with_decides_inside_it(bound: str) -> None:
    body = f"auto g = it.get_group(); auto f = [&](int i) {{ if (i < 3) {{ {BARRIER} }} }}; f({bound});"
    assert parted(kernel(body)) is (bound != "n")


def test_no_statement_bears_on_lanes_where_no_id_is_divided_by_a_width() -> None:
    body = "int lid = it.get_local_id(0); y[lid % 4] = y[n / 32];"
    assert lane_part(kernel(body), frozenset({32})) == frozenset()
    assert lane_part(kernel(body), frozenset({4})) != frozenset()
