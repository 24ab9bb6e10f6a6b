"""Every table and figure of the documents that sycllint was built from, each with its document and section.

The Intel tables are computed from the C++ of ``fixtures/guide`` where the document prints the program, else from plain
numbers. The guides truncate some percentages and round others (32/112 is printed as 28.2 %, 320/672 as 47.7 %, 32/672
as 4.7 % and as 4.8 %); the numbers here are the quotients that the guides print beside them, rounded to one decimal.

Documents: the Intel oneAPI GPU Optimization Guide, "SYCL Thread Mapping and GPU Occupancy" (*the guide*), its edition
of 2021, "DPC++ Thread Hierarchy and Mapping", and its chapter "Sub-groups and SIMD Vectorization"; the notebook "Thread
Mapping and GPU Occupancy" of oneAPI-samples (*the notebook*); AMD GPUOpen, "Optimizing GPU occupancy and resource usage
with large thread groups" (*the article*).
"""

import os
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from sycllint.config import Config
from sycllint.diagnostic import Diagnostic
from sycllint.hardware.device import AmdDevice, IntelDevice
from sycllint.hardware.profiles import device
from sycllint.launch.build import analyze_source
from sycllint.launch.kernel import KernelLaunch
from sycllint.occupancy.budget import unused
from sycllint.occupancy.estimate import estimate_occupancy, limit
from sycllint.occupancy.halo import halo
from sycllint.occupancy.model import occupancies
from sycllint.occupancy.occupancy import Limiter, Occupancy
from sycllint.occupancy.registers import register_steps
from sycllint.occupancy.timeline import Dispatch, timeline
from sycllint.occupancy.waves import Waves, waves
from sycllint.pipeline import check
from sycllint.source.text import SourceFile
from sycllint.values.value import known

KIB = 1024
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
    # The documents are older than SYCL 2020; their spelling is not the question.
    config = Config(targets=("tgl",), ignore=("SYC9",))
    found = check([os.fspath(GUIDE / name)], config, raise_rule_errors=True).diagnostics
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


# The notebook, section "Mapping Work-groups to Xe-cores for Maximum Occupancy": threads per XVE, XVEs per core, threads
# per core, cores, XVEs, threads, operations (eight per thread context), largest work-group.
PARAMETERS = [
    ("gen9", 7, 8, 56, 3, 24, 168, 1344, 256),
    ("gen11", 7, 8, 56, 8, 64, 448, 3584, 256),
    ("tgl", 7, 16, 112, 6, 96, 672, 5376, 512),
]


@pytest.mark.parametrize("row", PARAMETERS, ids=lambda row: str(row[0]))
def test_gpu_parameters(row: tuple[str, int, int, int, int, int, int, int, int]) -> None:
    name, *printed = row
    found = _intel(name)
    per_core, engines, cores = found.threads_per_core, found.engines_per_core, found.cores
    assert per_core
    assert engines
    assert cores
    threads = per_core * cores
    totals = (engines * cores, threads, 8 * threads)
    assert [found.threads_per_engine, engines, per_core, cores, *totals, found.max_work_group_size] == printed


def _intel(name: str) -> IntelDevice:
    found = device(name)
    assert isinstance(found, IntelDevice)
    return found


@pytest.mark.parametrize(("sub_group", "most_threads"), [(8, 64), (16, 32), (32, 16)])
def test_threads_times_sub_group_size_is_at_most_512(sub_group: int, most_threads: int) -> None:
    # The guide, section "Mapping Work-groups to Xe-cores for Maximum Occupancy": at most 64 threads, 8 <= sub-group
    # <= 32, at most 512 work-items.
    assert limit(device("tgl"), None, sub_group) == 512 == most_threads * sub_group


def test_tgl_has_sub_groups_from_8_to_32_and_no_other() -> None:
    assert device("tgl").sub_group_sizes == (8, 16, 32)
    found = estimate_occupancy(device("tgl"), 128, 4)
    assert (found.groups_per_core, found.limiter) == (0, Limiter.SUB_GROUP_SIZE)
    assert found.why == "sub-group size 4 is not supported on tgl (8, 16, 32)"


def test_112_contexts_times_8_are_more_than_a_work_group_may_have() -> None:
    # The same section: 112 x 8 = 896 > 512.
    found = estimate_occupancy(device("tgl"), 896, 8)
    assert (found.threads_per_group, found.groups_per_core, found.limiter) == (112, 0, Limiter.WORK_GROUP_SIZE)


@pytest.mark.parametrize(("sub_group", "size"), [(8, 64), (16, 128), (32, 256)])
def test_the_smallest_work_groups_that_fill_a_sub_slice_of_16_groups(sub_group: int, size: int) -> None:
    # Edition of 2021, same section: 16 work-groups per sub-slice, so 8 threads at least. That number is of the barrier
    # registers of Gen8; the current guide dropped it, and so do we: smaller groups fill a core of 112 slots as well.
    obsolete = replace(_intel("tgl"), groups_per_core=16)
    assert estimate_occupancy(obsolete, size, sub_group).ratio == 1
    below = estimate_occupancy(obsolete, size - 2 * sub_group, sub_group)
    assert (below.ratio, below.limiter) == (6 * 16 / 112, Limiter.GROUPS)
    assert estimate_occupancy(device("tgl"), size - 4 * sub_group, sub_group).ratio == 1
    assert "16 in the 2021 guide" in device("tgl").conflicts["groups_per_core"]


@pytest.mark.parametrize(("kib", "groups"), [(64, 2), (32, 4), (16, 7)])
def test_work_groups_share_the_128_kib_of_an_xe_core(kib: int, groups: int) -> None:
    # The guide, section "Impact of Local Memory Within Work-group": 128 KB per Xe-core. The edition of 2021 has 64 KB,
    # which is what one work-group may ask for.
    assert device("tgl").local_memory_per_core == 128 * KIB
    assert device("tgl").max_local_memory_per_group == 64 * KIB
    assert estimate_occupancy(device("tgl"), 512, 32, local_memory=kib * KIB, barrier=True).groups_per_core == groups


def test_26880_work_groups_of_512_fill_tgl_640_times() -> None:
    # The guide, section "A Detailed Example", VectorAdd1: 13.7M work-items in groups of 512 at SIMD32, 430K threads,
    # 100 %. How many groups that are, the profile of tgl has beside what the table prints.
    found = estimate_occupancy(device("tgl"), 512, 32, global_size=13_762_560)
    assert 13_762_560 // 512 == 26_880
    assert found.threads_per_group * 26_880 == 430_080
    assert (found.waves, found.peak, found.average) == (640, 1, 1)
    assert "26880" in device("tgl").conflicts["total_threads"]


# The guide, section "A Detailed Example", the timelines of VectorAdd3 (no barrier) and VectorAdd4 (with one) of
# <8, 320, 8> and <24, 224, 8>: threads, percent. The 224 and 96 of VectorAdd3 depend on an assumption that is fitted
# to them, the 264 of VectorAdd4 on which group ends first.
TIMELINES = [
    (320, True, False, (), 8, [(304, 45.2), (80, 11.9)]),
    (320, True, False, (7,), 8, [(304, 45.2), (264, 39.3), (80, 11.9)]),
    (320, False, True, (), 8, [(224, 33.3), (96, 14.3)]),
    (224, True, False, (), 24, [(672, 100.0)]),
    (224, False, False, (), 24, [(672, 100.0)]),
]


@pytest.mark.parametrize(("size", "barrier", "queue_ahead", "ends_first", "groups", "phases"), TIMELINES)
def test_phases_of_vector_add_3_and_4(
    size: int, barrier: bool, queue_ahead: bool, ends_first: tuple[int, ...], groups: int,
    phases: list[tuple[int, float]],
) -> None:  # fmt: skip
    occupancy = estimate_occupancy(device("tgl"), size, 8, barrier=barrier)
    dispatch = Dispatch(groups, 6, barrier, partial=True, queue_ahead=queue_ahead, ends_first=frozenset(ends_first))
    played = timeline(occupancy, dispatch)
    assert [(each.threads, round(100 * played.share(each), 1)) for each in played.phases] == phases


@pytest.mark.parametrize(("sub_group", "threads"), [(16, 2), (32, 1)])
def test_32_work_items_are_two_threads_of_16_or_one_of_32(sub_group: int, threads: int) -> None:
    # "Sub-groups and SIMD Vectorization": the printed ids of a work-group of 32 at each sub-group size.
    assert estimate_occupancy(device("dg2"), 32, sub_group).threads_per_group == threads


def _gcn() -> AmdDevice:
    found = device("gfx900")
    assert isinstance(found, AmdDevice)
    return found


def test_a_gcn_compute_unit() -> None:
    # The article, section "AMD GCN compute unit (CU)": four SIMDs of 64 KiB of registers, 65,536 VGPRs in all; waves of
    # 64; ten of them per SIMD; 64 KiB of LDS. Direct3D's 32 KiB per group is not SYCL's limit.
    found = _gcn()
    (width,) = found.sub_group_sizes
    assert (found.simds_per_core, width, found.waves_per_simd) == (4, 64, 10)
    assert found.vector_registers * width * 4 == 64 * KIB
    assert found.vector_registers * width * found.simds_per_core == 65_536
    assert (found.local_memory_per_core, found.max_local_memory_per_group) == (64 * KIB, 64 * KIB)
    assert "32 KiB under Direct3D 11" in found.conflicts["max_local_memory_per_group"]


def test_scalar_registers_grew_from_512_to_800() -> None:
    # The same section; per SIMD, since it counts 3200 = 4 x 800 per CU. 512 hold five waves of 102, 800 seven.
    before = estimate_occupancy(device("gfx700"), 64, scalar_registers=102).threads_resident
    since = estimate_occupancy(device("gfx803"), 64, scalar_registers=102).threads_resident
    assert (before, since) == (4 * (512 // 102), 4 * (800 // 102))
    assert 800 * _gcn().simds_per_core == 3200


def test_one_group_of_1024_with_40_vgprs() -> None:
    # Section "Problem: Single thread group per CU": 16 waves, four per SIMD, 40 % occupancy, half of the LDS and 37.5 %
    # of the registers idle; two groups would take 81,920 VGPRs.
    found, gcn = estimate_occupancy(_gcn(), 1024, local_memory=32 * KIB, registers=40), _gcn()
    assert (found.groups_per_core, found.threads_per_group, found.limiter) == (1, 16, Limiter.REGISTERS)
    assert (found.threads_resident / gcn.simds_per_core, found.ratio) == (4, 0.4)
    assert str(unused(gcn, found)) == "37.5% of the VGPRs and 50% of the LDS"
    registers = gcn.vector_registers * found.sub_group_size * gcn.simds_per_core
    assert registers < 2 * 1024 * 40


def test_two_groups_of_1024_need_32_vgprs() -> None:
    # Section "Large thread group resource goals".
    assert estimate_occupancy(_gcn(), 1024, local_memory=32 * KIB, registers=32).groups_per_core == 2
    two, one = register_steps(_gcn(), 1024, local_memory=32 * KIB)
    assert (two.groups_per_core, two.registers, one.groups_per_core) == (2, 32, 1)
    assert str(two) == "2 groups up to 32 VGPRs (80%)"


@pytest.mark.parametrize(("registers", "groups"), [(48, 1), (32, 2)])
def test_a_shader_that_went_from_48_to_32_vgprs(registers: int, groups: int) -> None:
    # Section "Solution: Two thread groups per CU".
    assert estimate_occupancy(_gcn(), 1024, registers=registers).groups_per_core == groups


@pytest.mark.parametrize(("registers", "groups", "ratio"), [(24, 5, 1.0), (32, 4, 0.8), (40, 3, 0.6)])
def test_up_to_five_groups_of_512(registers: int, groups: int, ratio: float) -> None:
    # Section "When large thread groups should be used": up to five, and 32 VGPRs for good occupancy.
    found = estimate_occupancy(_gcn(), 512, registers=registers)
    assert (found.groups_per_core, found.ratio) == (groups, ratio)


# The article, section "When large thread groups should be used", neighbourhoods of one pixel or element: extents,
# payload, border, percent. In two dimensions it gives the border as a share of the payload (13 % "of loads" for 32x32
# is that, too: of all loads it is 11 %); in three dimensions as a share of all loads, where the 216 elements it calls
# the boundary of 4x4x4 are all of the 6x6x6 cube.
@pytest.mark.parametrize(
    ("extents", "payload", "border", "overhead"),
    [((8, 8), 64, 36, 56), ((16, 16), 256, 68, 27), ((32, 32), 1024, 132, 13)],
)
def test_the_border_of_a_square_group(extents: tuple[int, int], payload: int, border: int, overhead: int) -> None:
    found = halo(extents)
    assert (found.payload, found.border, round(100 * found.overhead)) == (payload, border, overhead)
    assert found.border == 4 * extents[0] + 4


@pytest.mark.parametrize(
    ("extents", "payload", "border", "loads", "share"),
    [((4, 4, 4), 64, 152, 216, 70), ((8, 8, 8), 512, 488, 1000, 48)],
)
def test_the_border_of_a_cubic_group(
    extents: tuple[int, int, int], payload: int, border: int, loads: int, share: int
) -> None:
    found = halo(extents)
    assert (found.payload, found.border, found.loads, int(100 * found.share)) == (payload, border, loads, share)
