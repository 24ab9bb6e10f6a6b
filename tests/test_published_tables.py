"""The published occupancy tables, row by row, from the C++ of ``fixtures/guide``.

The guides truncate some percentages and round others (32/112 is printed as 28.2 %, 320/672 as 47.7 %, 32/672 as 4.7 %
and as 4.8 %); the numbers here are the quotients that the guides print beside them, rounded to one decimal.
"""

import os
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import pytest

from sycllint.config import Config
from sycllint.diagnostic import Diagnostic
from sycllint.hardware.profiles import device
from sycllint.launch.build import analyze_source
from sycllint.launch.kernel import KernelLaunch
from sycllint.occupancy.model import occupancies
from sycllint.occupancy.occupancy import Occupancy
from sycllint.occupancy.timeline import Dispatch, timeline
from sycllint.occupancy.waves import Waves, waves
from sycllint.pipeline import check
from sycllint.source.text import SourceFile
from sycllint.values.value import known

GUIDE = Path(__file__).parent.parent / "fixtures" / "guide"
ROWS = ("one", "two", "three", "four", "five")

# Intel oneAPI GPU Optimization Guide, "SYCL Thread Mapping and GPU Occupancy", section "Impact of Work-item
# Synchronization Within Work-group": R, work-group size, threads, Xe-core utilization in percent, resident groups,
# Xe-core occupancy in percent. SIMD8, Tiger Lake.
SYNCHRONIZATION = [
    (1, 128, 16, 14.3, 7, 100.0),
    (2, 256, 32, 28.6, 3, 85.7),
    (3, 384, 48, 42.9, 2, 85.7),
    (4, 512, 64, 57.1, 1, 57.1),
]

# The same guide, section "A Detailed Example", VectorAdd2: groups, work-items, threads, occupancy in percent (of the
# first round and of the rest). Work-groups of 512 at SIMD32, 16 threads each, Tiger Lake.
VECTOR_ADD = [
    (1, 512, 16, (2.4,)),
    (2, 1024, 32, (4.8,)),
    (3, 1536, 48, (7.1,)),
    (4, 2048, 64, (9.5,)),
    (5, 2560, 80, (11.9,)),
    (6, 3072, 96, (14.3,)),
    (7, 3584, 112, (16.7,)),
    (8, 4096, 128, (19.0,)),
    (12, 6144, 192, (28.6,)),
    (16, 8192, 256, (38.1,)),
    (20, 10240, 320, (47.6,)),
    (24, 12288, 384, (57.1,)),
    (28, 14336, 448, (66.7,)),
    (32, 16384, 512, (76.2,)),
    (36, 18432, 576, (85.7,)),
    (40, 20480, 640, (95.2,)),
    (42, 21504, 672, (100.0,)),
    (44, 22528, 704, (100.0, 4.8)),
    (48, 24576, 768, (100.0, 14.3)),
]

# oneAPI-samples, notebook "Thread Mapping and GPU Occupancy", section "GPU Occupancy Calculation Example": groups,
# work-items, threads, occupancy of one core and of the GPU in percent. Work-groups of 256 at SIMD32, Gen9 (P630). The
# last row is 192 threads on 168 contexts, which the notebook prints as 100 %.
GEN9 = [
    (1, 256, 8, 14.3, (4.8,)),
    (2, 512, 16, 28.6, (9.5,)),
    (3, 768, 24, 42.9, (14.3,)),
    (4, 1024, 32, 57.1, (19.0,)),
    (5, 1280, 40, 71.4, (23.8,)),
    (6, 1536, 48, 85.7, (28.6,)),
    (7, 1792, 56, 100.0, (33.3,)),
    (8, 2048, 64, 100.0, (38.1,)),
    (12, 3072, 96, 100.0, (57.1,)),
    (16, 4096, 128, 100.0, (76.2,)),
    (20, 5120, 160, 100.0, (95.2,)),
    (24, 6144, 192, 100.0, (100.0, 14.3)),
]


@cache
def _launches(name: str) -> Mapping[str, KernelLaunch]:
    """The launches of a fixture by the function around them."""
    source = SourceFile(name, (GUIDE / name).read_bytes())
    return {launch.function or "": launch for launch in analyze_source(source, {}).launches}


@cache
def _diagnostics(name: str, function: str) -> tuple[Diagnostic, ...]:
    """What is said on tgl inside one function of a fixture, by code."""
    content = (GUIDE / name).read_bytes()
    begin = content.index(f"void {function}(".encode())
    end = content.find(b"\n}\n", begin)
    found = check([os.fspath(GUIDE / name)], Config(targets=("tgl",)), raise_rule_errors=True).diagnostics
    return tuple(sorted((each for each in found if begin <= each.location.span.start < end), key=lambda one: one.code))


def _occupancy(launch: KernelLaunch, on: str, simd: int) -> Occupancy:
    (found,) = occupancies(device(on), launch)
    assert found.sub_group_size == simd
    return found


def _rounds(launch: KernelLaunch, on: str, simd: int) -> tuple[float, ...]:
    """Device occupancy of the first round, and of the rest when there is one, in percent."""
    assert launch.global_range is not None
    assert launch.work_group_size is not None
    (items,) = (known(extent) for extent in launch.global_range.extents)
    group, cores = known(launch.work_group_size), device(on).cores
    assert items
    assert group
    assert cores
    found = waves(_occupancy(launch, on, simd), items // group, cores, pinned=False)
    assert found is not None
    return tuple(round(100 * each, 1) for each in _each_round(found))


def _each_round(found: Waves) -> tuple[float, ...]:
    return (
        (found.first_occupancy, found.last_occupancy)
        if found.full_waves and found.last_groups
        else (found.first_occupancy,)
    )


@pytest.mark.parametrize(("r", "size", "threads", "utilization", "groups", "ratio"), SYNCHRONIZATION)
def test_rows_per_work_group(r: int, size: int, threads: int, utilization: float, groups: int, ratio: float) -> None:
    launch = _launches("work_item_synchronization.cpp")[f"rows_of_{ROWS[r - 1]}"]
    found = _occupancy(launch, "tgl", 8)
    assert launch.work_group_size is not None
    assert known(launch.work_group_size) == size
    assert (found.threads_per_group, found.groups_per_core) == (threads, groups)
    assert round(100 * threads / found.threads_per_core, 1) == utilization
    assert round(100 * found.ratio, 1) == ratio


def test_three_rows_are_no_legal_launch() -> None:
    (found,) = _diagnostics("work_item_synchronization.cpp", "rows_of_three")
    assert (found.code, found.message) == (
        "SYC102",
        "global 64 is not a multiple of local 3 in dimension 1 (64 = 21*3 + 1)",
    )


def test_four_rows_leave_three_sevenths_of_a_core_idle() -> None:
    (found,) = _diagnostics("work_item_synchronization.cpp", "rows_of_four")
    assert (found.code, found.message) == ("SYC201", "R=4 leaves 43% of Xe-core idle on tgl")
    assert [each.message for each in found.related] == ["R is 4 here"]


def test_five_rows_are_more_than_a_work_group_may_have() -> None:
    first, second = _diagnostics("work_item_synchronization.cpp", "rows_of_five")
    assert (first.code, first.message) == ("SYC101", "work-group 1x5x128 = 640 exceeds max 512 on tgl")
    assert second.code == "SYC102"
    assert occupancies(device("tgl"), _launches("work_item_synchronization.cpp")["rows_of_five"]) == ()


@pytest.mark.parametrize(("groups", "items", "threads", "percent"), VECTOR_ADD)
def test_vector_add_2(groups: int, items: int, threads: int, percent: tuple[float, ...]) -> None:
    launch = _launches("vector_add_groups.cpp")[f"vector_add_in_{groups}"]
    assert launch.global_range is not None
    assert [known(extent) for extent in launch.global_range.extents] == [items]
    assert groups * _occupancy(launch, "tgl", 32).threads_per_group == threads
    assert _rounds(launch, "tgl", 32) == percent


@pytest.mark.parametrize(("groups", "items", "threads", "core", "percent"), GEN9)
def test_vec_add_on_gen9(groups: int, items: int, threads: int, core: float, percent: tuple[float, ...]) -> None:
    launch = _launches("vec_add_gen9.cpp")[f"vec_add_in_{groups}"]
    found = _occupancy(launch, "gen9", 32)
    assert launch.global_range is not None
    assert [known(extent) for extent in launch.global_range.extents] == [items]
    assert groups * found.threads_per_group == threads
    assert round(100 * min(1.0, threads / found.threads_per_core), 1) == core
    assert _rounds(launch, "gen9", 32) == percent


def test_the_runtime_chooses_for_vector_add_1() -> None:
    # Section "A Detailed Example": the range version, whose sizes are not in the source.
    assert _launches("vector_add_sizes.cpp")["vector_add_1"].work_group_size is None


def test_eight_groups_of_320_with_a_barrier_fill_two_and_a_half_cores_or_more() -> None:
    # Section "A Detailed Example", VectorAdd4<8, 320, 8>: 40 threads per group, two whole groups on a core of 112.
    found = _occupancy(_launches("vector_add_sizes.cpp")["vector_add_4_of_320"], "tgl", 8)
    assert (found.threads_per_group, found.groups_per_core, found.threads_resident) == (40, 2, 80)


# The same section, what VTune showed of <8, 320, 8>: threads, percent of 672 contexts. The middle phase of VectorAdd4
# is what remains when one of the two groups on the third core ends first; VectorAdd3 needs an assumption fitted to it.
@pytest.mark.parametrize(
    ("function", "queue_ahead", "ends_first", "phases"),
    [
        ("vector_add_4_of_320", False, {7}, [(304, 45.2), (264, 39.3), (80, 11.9)]),
        ("vector_add_3_of_320", True, set(), [(224, 33.3), (96, 14.3)]),
    ],
)
def test_eight_groups_of_320_over_time(
    function: str, queue_ahead: bool, ends_first: set[int], phases: list[tuple[int, float]]
) -> None:
    launch = _launches("vector_add_sizes.cpp")[function]
    assert launch.barrier is not None
    dispatch = Dispatch(8, 6, launch.barrier, partial=True, queue_ahead=queue_ahead, ends_first=frozenset(ends_first))
    played = timeline(_occupancy(launch, "tgl", 8), dispatch)
    assert [(each.threads, round(100 * played.share(each), 1)) for each in played.phases] == phases


@pytest.mark.parametrize("function", ["vector_add_3_of_224", "vector_add_4_of_224"])
def test_24_groups_of_224_fill_the_device(function: str) -> None:
    # Section "A Detailed Example", <24, 224, 8>: 28 threads per group, four groups on a core, close to 100 %.
    launch = _launches("vector_add_sizes.cpp")[function]
    found = _occupancy(launch, "tgl", 8)
    assert (found.threads_per_group, found.groups_per_core, found.ratio) == (28, 4, 1.0)
    assert _rounds(launch, "tgl", 8) == (100.0,)


def test_seven_items_with_sub_groups_of_sixteen() -> None:
    # Intel oneAPI GPU Optimization Guide, "Sub-groups and SIMD Vectorization": work-group 7, required size 16.
    (found,) = _diagnostics("sub_groups.cpp", "seven_items_in_a_width_of_16")
    assert found.code == "SYC302"
    assert "9 of 16 lanes idle" in found.message


def test_nothing_is_said_of_the_reduction() -> None:
    # The same guide, "Considerations for Selecting Work-group Size": sizes unknown, barriers right.
    assert _diagnostics("reduction.cpp", "sum_in_groups") == ()
    assert _diagnostics("reduction.cpp", "copy_in_groups") == ()
