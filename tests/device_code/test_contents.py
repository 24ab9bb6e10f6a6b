"""What else is seen of a kernel: sub-group operations, loops, private arrays."""

import pytest

from tests.launch.snippet import with_kernel
from tests.values.program import spelled


@pytest.mark.parametrize(
    ("body", "uses"),
    [
        ("x[0] = 1;", False),
        ("it.barrier();", False),
        ("auto sg = it.get_sub_group(); x[0] = sg.get_local_id();", False),
        ("auto sg = it.get_sub_group(); x[0] = sycl::shift_group_left(sg, 3, 1);", True),
        ("auto sg = it.get_sub_group(); x[0] = sg.shuffle_down(3, 1);", True),
        ("x[0] = sycl::reduce_over_group(it.get_sub_group(), 3, sycl::plus<>());", True),
        ("sycl::sub_group sg = it.get_sub_group(); sg.load(p);", True),
        ("table.load(3);", False),
    ],
)
def test_operations_of_the_sub_group(body: str, uses: bool) -> None:
    assert bool(with_kernel(body).kernel.sub_group_operations) == uses


@pytest.mark.parametrize(
    ("body", "count"),
    [
        ("x[0] = 1;", 0),
        ("for (int i = 0; i < 4; ++i) x[i] = 1;", 1),
        ("for (int v : table) x[v] = 1;", 1),
        ("while (x[0] > 0) --x[0];", 1),
        ("do { --x[0]; } while (x[0] > 0);", 1),
        ("for (int i = 0; i < 4; ++i) for (int j = 0; j < 4; ++j) x[i + j] = 1;", 2),
        ("fill(x);", 1),
        ("fill(x); fill(x);", 1),
    ],
)
def test_loops_of_the_kernel_and_of_what_it_calls(body: str, count: int) -> None:
    fill = "void fill(int *x) { for (int i = 0; i < 4; ++i) x[i] = 1; }"
    assert len(with_kernel(body, fill).kernel.loops) == count


@pytest.mark.parametrize(
    ("body", "total"),
    [
        ("float one;", "0"),
        ("float row[4];", "16"),
        ("float a[4]; double b[2][3];", "64"),
        ("float a[2], b[3];", "20"),
        ("if (x[0]) { int inner[8]; }", "32"),
        ("sycl::float4 quads[4];", "64"),
        ("float *pointers[4];", "32"),
        ("const int table[4] = {1, 2, 3, 4};", "0"),
        ("static const int table[4] = {1, 2, 3, 4};", "0"),
        ("float row[WIDTH];", "32"),
        ("float row[unseen];", "multiple of 4 in [None, None]"),
        ("Unseen row[4];", "unknown"),
        ("helper();", "64"),
        ("auto fill = [&] { int row[16]; }; fill();", "64"),
    ],
)
def test_private_arrays_in_bytes(body: str, total: str) -> None:
    before = "#define WIDTH 8\nvoid helper() { int scratch[16]; }"
    assert spelled(with_kernel(body, before).private_memory.total) == total


def test_an_attribute_hides_nothing_of_the_body() -> None:
    launch = with_kernel("it.barrier();", attribute="[[sycl::reqd_sub_group_size(16)]]")
    assert (launch.kernel.body_found, launch.barrier) == (True, True)


@pytest.mark.parametrize(
    ("body", "name"), [("smooth(it, x);", "smooth"), ("smooth(it, x); smooth(it, x);", None), ("x[0] = 1;", None)]
)
def test_a_kernel_that_only_calls_a_function_has_its_name(body: str, name: str | None) -> None:
    assert with_kernel(body, "void smooth(sycl::nd_item<1> it, int *x) {}").kernel.name == name
