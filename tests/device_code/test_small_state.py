"""What a kernel that demands registers is seen to keep in them."""

import pytest

from sycllint.device_code.checks.small_state import SmallState
from tests.launch.snippet import only


def states(body: str, registers: int = 256) -> tuple[SmallState, ...]:
    demand = f"sycl::ext::oneapi::experimental::properties p{{sycl::ext::intel::experimental::grf_size<{registers}>}};"
    kernel = f"[=](sycl::nd_item<1> it) {{ {body} }}"
    found = only(
        f"void run(sycl::queue &q, float *x) {{ {demand} q.parallel_for(sycl::nd_range<1>(1024, 256), p, {kernel}); }}"
    )
    return found.kernel.seen.of(SmallState)


@pytest.mark.parametrize(
    ("body", "size"),
    [
        ("float s = 0; float taps[4]; x[it.get_global_id(0)] = s + taps[0];", 4 + 16),
        ("sycl::vec<float, 16> v; x[0] = v[0];", 64),
        ("auto v = x[0]; x[1] = v;", 4),
        ("x[0] = it.get_sub_group().load(x);", 0),
        ('_Pragma("unroll") for (int i = 0; i < 8; ++i) x[i] = 0;', 4),
        ("sycl::double2 pair; x[0] = pair.x();", 16),
    ],
)
def test_every_variable_counts_its_size(body: str, size: int) -> None:
    assert states(body) == (SmallState(size),)


@pytest.mark.parametrize(
    "body",
    [
        "float taps[N]; x[0] = taps[0];",
        "x[0] = anything(x);",
        "simd<float, 64> v; x[0] = v[0];",
        "auto v = pick[0]; x[1] = v;",
        '_Pragma("unroll") for (int i = 0; i < 64; ++i) x[i] = 0;',
        '_Pragma("unroll") for (int i = 0; i < it.get_global_id(0); ++i) x[i] = 0;',
        '_Pragma("unroll 64") for (int i = 0; i < it.get_global_id(0); ++i) x[i] = 0;',
        "x[0] = [](float v) { return v; }(x[0]);",
    ],
)
def test_what_may_take_registers_unseen_says_nothing(body: str) -> None:
    assert states(body) == ()


def test_the_default_registers_are_no_demand() -> None:
    assert states("x[0] = 0;", registers=128) == ()
