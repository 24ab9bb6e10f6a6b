"""Occupancy over the values of one parameter: which are legal, and what each gives.

The shares of R are those of Intel's oneAPI GPU Optimization Guide, "SYCL Thread Mapping and GPU Occupancy", the table
of R for VectorAdd with a barrier on Tiger Lake.
"""

from dataclasses import replace

import pytest

from sycllint.hardware.profiles import device
from sycllint.launch.kernel import KernelLaunch, Range
from sycllint.launch.memory import LocalMemory
from sycllint.occupancy.sweep import MAX_VALUES, Sweep, sweep
from sycllint.values.symbolic import multiply, parameter, settled, symbolic
from sycllint.values.value import Known, Symbolic, Unknown, Value
from tests.rules.launches import LOCAL, launch, place

TGL = device("tgl")


def free(text: str = "R", *, multiple_of: int = 1, minimum: int | None = 0, maximum: int | None = None) -> Symbolic:
    return parameter(
        text, f"{text}@1", f"{text} is a parameter", place(9), multiple_of=multiple_of, minimum=minimum, maximum=maximum
    )


def times(factor: int, value: Symbolic) -> Symbolic:
    constant = symbolic(Known(factor))
    assert constant is not None
    return multiply(constant, value)


def lines(r: Symbolic, whole: tuple[Value | int, ...] = (64, 60, 128), *, width: int | None = 8) -> KernelLaunch:
    """The guide's kernel: work-groups of 1 x R x 128 with a barrier."""
    return launch(whole, (1, settled(r), 128), work_group=settled(times(128, r)), width=width, barrier=True)


def swept(of: KernelLaunch, on: str = "tgl") -> Sweep:
    found = sweep(device(on), of)
    assert found is not None
    return found


def values(of: KernelLaunch, on: str = "tgl") -> list[int]:
    return [point.value for point in swept(of, on).points]


def test_the_sentence_is_that_of_the_guide() -> None:
    assert swept(lines(free())).sentence("tgl") == "R <= 4 launches on tgl; R=1 100%, 2 86%, 3 86%, 4 57%"


@pytest.mark.parametrize(("target", "most"), [("gen9", 2), ("tgl", 4), ("dg2", 8)])
def test_the_device_bounds_the_parameter(target: str, most: int) -> None:
    assert values(lines(free(), (64, 840, 128)), target)[-1] == most


def test_only_divisors_of_a_known_global_extent_are_legal() -> None:
    found = swept(lines(free(), (64, 64, 128)))
    assert found.sentence("tgl") == "R <= 4 that divides 64 launches on tgl; R=1 100%, 2 86%, 4 57%"


def test_a_global_range_in_the_same_parameter_is_computed() -> None:
    r = free()
    of = launch(times(1024, r), times(64, r), work_group=times(64, r), width=8, barrier=True)
    assert values(of) == [1, 2, 3, 4, 5, 6, 7, 8]
    of = replace(of, global_range=Range((times(96, r),), LOCAL))
    assert sweep(TGL, of) is None


def test_a_global_range_in_another_parameter_forbids_nothing() -> None:
    assert values(lines(free(), (64, free("n"), 128))) == [1, 2, 3, 4]


def test_an_unknown_global_range_forbids_nothing() -> None:
    r = free()
    assert values(lines(r, (64, Unknown("R is a parameter", place(9)), 128))) == [1, 2, 3, 4]


def test_multiples_and_bounds_are_kept() -> None:
    r = free("n", multiple_of=8, minimum=5, maximum=30)
    found = swept(launch(None, times(16, r), work_group=times(16, r), width=8))
    assert [point.value for point in found.points] == [8, 16, 24]
    assert found.legal == "<= 24 in steps of 8"


def test_a_square_is_two_extents_of_one_parameter() -> None:
    r = free()
    of = launch((256, 256), (settled(r), settled(r)), work_group=multiply(r, r), width=16)
    assert values(of) == [1, 2, 4, 8, 16]
    assert swept(of).points[-1].work_group == 256


def test_local_memory_in_the_parameter_bounds_it_too() -> None:
    r = free()
    of = replace(lines(r), local_memory=LocalMemory((), times(24 * 1024, r), 0))
    assert values(of) == [1, 2]


def test_another_unknown_number_leaves_the_range_without_shares() -> None:
    of = replace(lines(free()), local_memory=LocalMemory((), Unknown("read from argv"), 0))
    assert swept(of).sentence("tgl") == "R <= 4 launches on tgl"


def test_the_shares_of_several_sub_group_sizes_are_a_span() -> None:
    assert swept(lines(free(), width=None)).shares == "R=1 100%, 2 86-100%, 3 86-96%, 4 57-100%"


def test_of_many_values_the_best_and_the_worst_are_shown() -> None:
    r = free()
    found = swept(launch(None, times(32, r), work_group=times(32, r), width=8, barrier=True))
    assert found.shares == "100% at R=1-2, 4, 7, 14; 54% at 15"


def test_no_more_values_are_tried_than_the_limit() -> None:
    r = free()
    of = launch(None, r, work_group=r)
    assert device("cri").max_work_group_size == 2 * MAX_VALUES
    assert len(values(of, "cri")) == MAX_VALUES


@pytest.mark.parametrize(
    "of",
    [
        pytest.param(launch(64, 8), id="a known size"),
        pytest.param(launch(64, Unknown("argv")), id="nothing known"),
        pytest.param(lines(multiply(free(), free("C"))), id="two parameters"),
        pytest.param(lines(free(minimum=5)), id="no legal value"),
        pytest.param(replace(lines(free()), required_work_group=Range((Known(128),), LOCAL)), id="stated"),
        pytest.param(lines(free(), width=64), id="an impossible sub-group size"),
        pytest.param(lines(free("{1, 2}")), id="a choice"),
    ],
)
def test_there_is_no_sweep_of(of: KernelLaunch) -> None:
    assert sweep(TGL, of) is None
