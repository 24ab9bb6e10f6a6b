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


@pytest.mark.parametrize(
    "copied",
    ["int k = lid;", "int k = lid + n;", "auto ids = it.get_local_id(); int k = ids[0];", "int k = 0; k = (int)lid;"],
)
def test_what_has_the_number_of_a_local_id_may_be_taken_apart(copied: str) -> None:
    body = f"int lid = it.get_local_id(0); {copied} y[k % 32] = 0;"
    assert lane_part(kernel(body), frozenset({32})) != frozenset()


@pytest.mark.parametrize(
    "other", ["int k = lid < 3;", "int k = d[lid];", "int k = 1 << lid;", "int k = n; if (lid) k = 2;"]
)
def test_what_only_hangs_on_a_local_id_is_not_taken_apart(other: str) -> None:
    body = f"int lid = it.get_local_id(0); {other} y[k % 32] = 0;"
    assert lane_part(kernel(body), frozenset({32})) == frozenset()


def test_the_number_of_an_id_goes_through_functions_and_macros() -> None:
    before = (
        "#define SAME(x) (x)\nint passed(int i) { return i; } "
        "void left(int &i, sycl::nd_item<1> t) { i = t.get_local_id(0); }\n"
    )
    for taken in ("passed(it.get_local_id(0))", "SAME(it.get_local_id(0))"):
        assert lane_part(kernel(f"y[{taken} % 32] = 0;", before), frozenset({32})) != frozenset()
    assert lane_part(kernel("int k; left(k, it); y[k % 32] = 0;", before), frozenset({32})) != frozenset()
    assert lane_part(kernel("y[passed(n) % 32] = 0;", before), frozenset({32})) == frozenset()


def test_an_item_is_not_changed_by_what_it_is_handed_to() -> None:
    asks = "y[0] = unknown(it, s);"
    assert walked(f"auto g = it.get_group(); float s = 0; {asks} if (it.get_local_id(0) < 3) {{ {BARRIER} }}") == [0, 3]


def test_a_function_that_meets_no_barrier_and_gives_nothing_to_a_condition_does_not_bear_on_it() -> None:
    before = "float twice(float x) { return 2 * x; } int half(int i) { return i / 2; }\n"
    code = kernel(f"auto g = it.get_group(); y[0] = twice(y[1]); int h = half(n); if (h > 3) {{ {BARRIER} }}", before)
    part = barrier_part(code)
    assert part is not None
    assert code.function.body is not None
    assert [id(each) in part for each in code.function.body.statements] == [True, False, True, True]
