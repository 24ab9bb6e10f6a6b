"""Where a kernel takes a local id apart, and by which number."""

import pytest

from sycllint.device_code.uniformity import uniformity
from tests.device_code.body import kernel


def widths(body: str, before: str = "") -> list[int]:
    """The numbers by which a local id is divided, or its last bits are taken."""
    return [each.width for each in uniformity(kernel(body, before)).lanes()]


@pytest.mark.parametrize(
    "copied",
    ["int k = lid;", "int k = lid + n;", "auto ids = it.get_local_id(); int k = ids[0];", "int k = 0; k = (int)lid;"],
)
def test_what_has_the_number_of_a_local_id_is_taken_apart(copied: str) -> None:
    assert widths(f"int lid = it.get_local_id(0); {copied} y[k % 32] = 0;") == [32]


@pytest.mark.parametrize(
    "other", ["int k = lid < 3;", "int k = d[lid];", "int k = 1 << lid;", "int k = n; if (lid) k = 2;"]
)
def test_what_only_depends_on_a_local_id_is_not_taken_apart(other: str) -> None:
    assert widths(f"int lid = it.get_local_id(0); {other} y[k % 32] = 0;") == []


@pytest.mark.parametrize(
    ("taken", "expected"), [("lid % 4", 4), ("lid / 32", 32), ("lid & 31", 32), ("lid >> 5", 32), ("d[lid] / 2", None)]
)
def test_the_number_says_how_many_lanes_go_together(taken: str, expected: int | None) -> None:
    found = widths(f"int lid = it.get_local_id(0); y[{taken}] = 0;")
    assert found == ([expected] if expected is not None else [])


def test_the_number_of_an_id_goes_through_functions_and_macros() -> None:
    before = (
        "#define SAME(x) (x)\nint passed(int i) { return i; } "
        "void left(int &i, sycl::nd_item<1> t) { i = t.get_local_id(0); }\n"
    )
    for taken in ("passed(it.get_local_id(0))", "SAME(it.get_local_id(0))"):
        assert widths(f"y[{taken} % 32] = 0;", before) == [32]
    assert widths("int k; left(k, it); y[k % 32] = 0;", before) == [32]
    assert widths("y[passed(n) % 32] = 0;", before) == []


@pytest.mark.parametrize(("bound", "expected"), [("it.get_local_id(0)", ["branch"]), ("n", [])])
def test_what_a_lambda_is_called_with_decides_inside_it(bound: str, expected: list[str]) -> None:
    barrier = "sycl::group_barrier(g);"
    body = f"auto g = it.get_group(); auto f = [&](int i) {{ if (i < 3) {{ {barrier} }} }}; f({bound});"
    (met,) = uniformity(kernel(body)).reached_barriers()
    assert [each.kind for each in met.controls.values()] == expected
