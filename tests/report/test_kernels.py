"""The launches of a run, as a table and as JSON; the expectations are the contract."""

import json
from collections.abc import Mapping, Sequence

from sycllint.hardware.device import Vendor
from sycllint.hardware.profiles import device
from sycllint.launch.compiled import CompiledKernel
from sycllint.launch.kernel import Kernel, KernelLaunch, LaunchKind, Range, Required
from sycllint.launch.memory import LocalMemory, PrivateMemory
from sycllint.launch.not_followed import NotFollowed
from sycllint.occupancy.estimate import estimate_occupancy
from sycllint.occupancy.occupancy import Limiter, Occupancy
from sycllint.pipeline import Kernels, LaunchReport
from sycllint.pipeline.result import Coverage
from sycllint.record import replace
from sycllint.report.kernels import kernels_json, kernels_table, unknown_numbers
from sycllint.report.terminal.display import cells
from sycllint.report.value import shape_text
from sycllint.source.span import Location, Span
from sycllint.values.value import DEVICE_PROPERTY, Known, OneOf, Parameter, Step, Symbolic, Term, Unknown, Value
from tests.report.sample import SWEEP, at, files

HERE = at("a.cpp", SWEEP, "parallel_for")
R_LINE = at("a.cpp", SWEEP, "R = 5")
SIX_FORTY = Known(640)
FOUR_KIB = Known(4096)


def launch(
    *,
    kind: LaunchKind = LaunchKind.ND_RANGE,
    global_range: Sequence[Value] | None = (Known(64), Known(60), Known(128)),
    local_range: Sequence[Value] | None = (Known(1), Known(5), Known(128)),
    size: Value | None = SIX_FORTY,
    sub_group: Value | None = None,
    local_memory: Value = FOUR_KIB,
    kernel: Kernel = Kernel("sweep", body_found=True, barriers=(HERE,)),  # noqa: B008 - a frozen value
    location: Location = HERE,
) -> KernelLaunch:
    return KernelLaunch(
        location=location,
        kind=kind,
        dims=None if global_range is None else len(global_range),
        function="main",
        kernel=kernel,
        global_range=None if global_range is None else Range(tuple(global_range), HERE),
        local_range=None if local_range is None else Range(tuple(local_range), HERE),
        work_group_size=size,
        sub_group_size=None if sub_group is None else Required(sub_group, HERE),
        required_work_group=None,
        register_count=None,
        local_memory=LocalMemory((), local_memory, 0),
        private_memory=PrivateMemory((), Known(0)),
    )


def occupancy(
    sub_group: int,
    ratio: float,
    *,
    groups: int = 1,
    waves: float | None = None,
    limiter: Limiter = Limiter.THREADS,
) -> Occupancy:
    return Occupancy(
        sub_group_size=sub_group,
        threads_per_group=512 // sub_group,
        groups_per_core=groups,
        threads_per_core=112,
        ratio=ratio,
        limiter=limiter,
        limits=((limiter, groups),),
        waves=waves,
        peak=None if waves is None else ratio,
        average=None if waves is None else ratio,
    )


def kernels(
    *reports: tuple[KernelLaunch, Mapping[str, tuple[Occupancy, ...]]], notices: tuple[str, ...] = ()
) -> Kernels:
    return Kernels(
        launches=tuple(LaunchReport(*report) for report in reports),
        devices=tuple(map(device, dict.fromkeys(["tgl", *(name for _, found in reports for name in found)]))),
        targets_assumed=False,
        checked=1,
        skipped=0,
        with_parse_errors=0,
        notices=notices,
        complete=True,
    )


def table(found: Kernels, width: int = 200, *, wide: bool = False) -> str:
    return kernels_table(found, files(a_cpp=SWEEP), color=False, width=width, wide=wide)


def entry(found: KernelLaunch, *occupancies: Occupancy) -> dict[str, object]:
    output = json.loads(kernels_json(kernels((found, {"tgl": occupancies})), files(a_cpp=SWEEP)))
    assert list(output) == ["launches", "coverage", "unknown"]
    [only] = output["launches"]
    assert isinstance(only, dict)
    return only


def number(value: Value) -> object:
    """The JSON of a value, by the way of a launch."""
    return entry(launch(size=value))["work_group_size"]


def test_the_table_has_a_row_for_each_launch_and_one_column_for_each_target() -> None:
    one_size = launch(sub_group=Known(8), local_range=[Known(1), Known(4), Known(128)])
    some_sizes = launch(global_range=[Unknown("read from argv")], local_range=[Known(512)], local_memory=Known(96))
    task = launch(
        kind=LaunchKind.SINGLE_TASK,
        global_range=None,
        local_range=None,
        local_memory=Known(0),
        kernel=Kernel(None, body_found=False),
    )
    found = kernels(
        (one_size, {"tgl": (occupancy(8, 64 / 112),)}),
        (some_sizes, {"tgl": (occupancy(8, 64 / 112), occupancy(16, 96 / 112), occupancy(32, 1.0))}),
        (task, {"tgl": ()}),
    )
    assert (
        table(found)
        == """\
location  kernel  global     local    sub-group  local mem  barrier  tgl      limiter
a.cpp:6   sweep   64x60x128  1x4x128  8          4 KiB      yes      57.1%    threads
a.cpp:6   sweep   ?          512      auto       96 B       yes      57-100%  threads
a.cpp:6   -       -          -        auto       0          ?        -        -

1 file checked, 3 kernels found, 0 with known sizes
"""
    )
    assert (
        table(found, wide=True)
        == """\
location  kernel  kind         global     local    sub-group  local mem  barrier  tgl                            limiter
a.cpp:6   sweep   nd_range     64x60x128  1x4x128  8          4 KiB      yes      57.1%                          threads
a.cpp:6   sweep   nd_range     ?          512      auto       96 B       yes      8: 57.1%, 16: 85.7%, 32: 100%  threads
a.cpp:6   -       single_task  -          -        auto       0          ?        -                              -

1 file checked, 3 kernels found, 0 with known sizes
"""
    )


def test_sub_group_sizes_that_agree_are_one_entry() -> None:
    found = kernels((launch(), {"tgl": (occupancy(8, 1.0), occupancy(16, 1.0))}))
    assert table(found, wide=True).splitlines()[1].endswith("yes      100%  -")


def test_sub_group_sizes_with_equal_occupancy_share_an_entry() -> None:
    sizes = (occupancy(8, 6 / 7), occupancy(16, 1.0), occupancy(32, 1.0))
    found = kernels((launch(), {"tgl": sizes}))
    assert table(found, wide=True).splitlines()[1].endswith("8: 85.7%, 16|32: 100%  threads")
    assert table(found).splitlines()[1].endswith("86-100%  threads")


def test_each_sub_group_size_has_its_own_limiter() -> None:
    sizes = (occupancy(8, 0.5), occupancy(16, 0.25, limiter=Limiter.LOCAL_MEMORY))
    found = kernels((launch(), {"tgl": sizes}))
    assert table(found, wide=True).splitlines()[1].endswith("8: 50.0%, 16: 25.0%  8: threads, 16: local memory")
    assert table(found).splitlines()[1].endswith("25-50%  threads, local mem")


def test_a_launch_that_cannot_run_says_so() -> None:
    found = kernels((launch(), {"tgl": (occupancy(8, 0.0, groups=0, limiter=Limiter.WORK_GROUP_SIZE),)}))
    assert table(found).splitlines()[1].endswith("cannot run  size")


def test_values_read_as_a_person_would_write_them() -> None:
    extents: list[Value] = [
        OneOf((Known(64), Known(128))),
        OneOf((Known(8), Known(16)), open=True),
        Symbolic("128*R", ("R",), 128),
    ]
    row = table(kernels((launch(global_range=extents, local_range=None, size=None), {})), wide=True).splitlines()[1]
    assert "nd_range  64|128x8|16|…x128*R  auto " in row


def test_a_table_gives_way_to_the_terminal_and_keeps_line_numbers() -> None:
    long = Kernel("a_kernel_with_quite_a_long_name_indeed", body_found=True)
    found = kernels((launch(kernel=long, global_range=[Symbolic("rows_of_the_matrix * 128", (), 128)]), {}))
    rows = table(found, width=95).splitlines()[:2]
    assert max(map(cells, rows)) <= 95
    assert rows[1].startswith("a.cpp:6 ")
    assert "a_kernel_with_quite_a_long_name_indeed" in table(found, width=95, wide=True)


def parameter(text: str, reason: str) -> Parameter:
    return Parameter(f"{text}@1", text, reason, R_LINE)


def open_size() -> KernelLaunch:
    """``1 x R x 128`` work-items, R being a parameter."""
    lines = parameter("R", "R is a parameter of main")
    size = Symbolic("128*R", ("R",), 128, terms=(Term((lines,), 128),))
    extents: list[Value] = [Known(1), Unknown(lines.reason, lines.location), Known(128)]
    return launch(local_range=extents, size=size, sub_group=Known(8))


def test_under_a_launch_of_open_size_stands_what_each_value_would_give() -> None:
    found = kernels((open_size(), {"tgl": (), "dg1": (), "gen9": ()}))
    assert table(found).splitlines()[2:4] == [
        "    R <= 4 launches on tgl, dg1; R=1 100%, 2 86%, 3 86%, 4 57%",
        "    R <= 2 launches on gen9; R=1 86%, 2 57%",
    ]


def test_unknown_numbers_are_listed_by_reason_the_commonest_first() -> None:
    block = "BLOCK is not declared in this file"
    other = at("a.cpp", SWEEP, "sycl::queue")
    first = launch(global_range=[Unknown(block, R_LINE)], local_range=[Known(64)], local_memory=Unknown(block, R_LINE))
    second = launch(
        global_range=[Symbolic("64*BLOCK", ("BLOCK",), 64, terms=(Term((parameter("BLOCK", block),), 64),))],
        local_range=[Unknown("read from argv")],
        location=other,
    )
    third = launch()
    found = kernels((first, {}), (second, {}), (third, {}))
    assert (
        unknown_numbers(found, files(a_cpp=SWEEP), color=False, width=100)
        == """\
BLOCK is not declared in this file
    2 launches: global, local memory; at a.cpp:3
read from argv
    1 launch: local; at a.cpp:5

Macros that the build sets can be declared in sycllint.toml: defines = { BLOCK = "..." }, or with
-D.

2 of 3 kernels with unknown numbers

1 file checked, 3 kernels found, 0 with known sizes
"""
    )


def test_what_is_asked_of_the_device_is_not_unknown() -> None:
    most = Parameter("max", "max_work_group_size", "queried from the device", R_LINE, roots=(DEVICE_PROPERTY,))
    size = Symbolic("max", (DEVICE_PROPERTY,), terms=(Term((most,), 1),))
    found = kernels((launch(local_range=[size], size=size), {}))
    assert unknown_numbers(found, files(a_cpp=SWEEP), color=False, width=100).startswith("0 of 1 kernel with")


def test_a_kernel_without_a_visible_definition_leaves_its_barriers_unknown() -> None:
    found = kernels((launch(kernel=Kernel(None, body_found=False)), {}))
    text = unknown_numbers(found, files(a_cpp=SWEEP), color=False, width=100)
    assert text.startswith("the kernel's definition is not visible\n    1 launch: barrier; at a.cpp:6\n")


def test_sums_are_kept_together_in_a_shape() -> None:
    assert shape_text([Symbolic("n + 1", ("n",)), Known(16)]) == "(n + 1)x16"
    assert shape_text([Symbolic("n + 1", ("n",))]) == "n + 1"


def test_unknown_registers_are_listed_for_the_devices_where_only_the_compiler_knows_them() -> None:
    found = kernels((launch(), {"tgl": (occupancy(8, 1.0),), "sm_90": (occupancy(32, 1.0),)}))
    assert "\n\nsm_90: register use is the compiler's choice and assumed not to limit; each share" in table(found)
    assert "registers" not in table(kernels((launch(), {"tgl": (occupancy(8, 1.0),)})))


def of_1024(registers: int | None, *names: str) -> Kernels:
    """A launch of the article's group with 32 KiB of local memory."""
    there = launch(
        global_range=[Known(1 << 20)], local_range=[Known(1024)], size=Known(1024), local_memory=Known(32 * 1024)
    )
    return kernels(
        (
            there,
            {
                name: (estimate_occupancy(device(name), 1024, local_memory=32 * 1024, registers=registers),)
                for name in names
            },
        )
    )


def test_launches_of_a_size_share_the_staircase_of_their_registers() -> None:
    text = table(of_1024(None, "gfx900", "gfx906", "sm_80"))
    assert "    work-group 1024 on gfx900, gfx906: 2 groups up to 32 VGPRs (80%), then 1 up to 64 (40%)\n" in text
    assert "    work-group 1024 on sm_80: 2 groups up to 32 registers (100%), then 1 up to 64 (50%)\n" in text


def test_local_memory_that_lowers_the_staircase_has_a_line() -> None:
    def of(local_memory: int) -> tuple[KernelLaunch, dict[str, tuple[Occupancy, ...]]]:
        found = estimate_occupancy(device("gfx900"), 512, local_memory=local_memory)
        return launch(size=Known(512), local_memory=Known(local_memory)), {"gfx900": (found,)}

    text = table(kernels(of(0), of(20 * 1024), of(8 * 1024), of(18 * 1024)))
    assert "    work-group 512 on gfx900: 5 groups up to 24 VGPRs (100%), then 4 up to 32 (80%)\n" in text
    lower = "work-group 512 with 18 KiB or more of local memory on gfx900: 3 groups up to 40 VGPRs (60%)"
    assert f"    {lower}, then 2 up to 64 (40%)\n" in text
    assert text.count("up to 24") == 1


def test_registers_that_a_compiler_reports_have_what_they_leave_and_are_not_called_open() -> None:
    found = of_1024(40, "gfx900")
    (report,) = found.launches
    compiled = CompiledKernel("solver", Vendor.AMD, "gfx900", "build.log", 1, registers=40)
    text = table(replace(found, launches=(replace(report, launch=replace(report.launch, compiled=(compiled,))),)))
    assert (
        "    gfx900: 2 groups up to 32 VGPRs (80%), then 1 up to 64 (40%); "
        "40 VGPRs leave 37.5% of the VGPRs and 50% of the LDS unused\n"
    ) in text
    assert "registers are the compiler's choice" not in text


def test_a_wide_table_has_every_step() -> None:
    of = launch(global_range=[Known(1 << 20)], local_range=[Known(512)], size=Known(512), local_memory=Known(0))
    found = kernels((of, {"gfx900": (estimate_occupancy(device("gfx900"), 512),)}))
    assert "    work-group 512 on gfx900: 5 groups up to 24 VGPRs (100%), then 4 up to 32 (80%)\n" in table(found)
    assert "3 up to 40 (60%), 2 up to 64 (40%), then 1 up to 128 (20%)\n" in table(found, wide=True)


def test_a_register_mode_that_was_asked_for_has_its_own_share() -> None:
    asked = replace(launch(), register_count=Required(Known(256), HERE))
    mode = estimate_occupancy(device("pvc"), 320, 16, registers=256)
    assert "    pvc: 62.5% of the 32 threads that 256 registers leave\n" in table(kernels((asked, {"pvc": (mode,)})))
    usual = estimate_occupancy(device("pvc"), 320, 16)
    assert "registers leave" not in table(kernels((launch(), {"pvc": (usual,)})))


def test_the_staircase_in_json() -> None:
    (found,) = json.loads(kernels_json(of_1024(40, "gfx900"), files(a_cpp=SWEEP)))["launches"]
    (there,) = found["occupancy"]["gfx900"]
    assert (there["ratio"], there["threads_per_core"], there["usable_threads_per_core"]) == (0.4, 40, 24)
    assert there["register_steps"] == [
        {"registers": 32, "groups_per_core": 2, "ratio": 0.8},
        {"registers": 64, "groups_per_core": 1, "ratio": 0.4},
    ]
    assert there["unused"] == {"registers": 0.375, "local_memory": 0.5}


def test_notices_follow_the_table() -> None:
    assert table(kernels(notices=("a.cpp:3: kernel not analysed",))) == (
        "notice: a.cpp:3: kernel not analysed\n\n1 file checked, 0 kernels found\n"
    )


def test_a_launch_in_json_has_every_field_of_the_interface() -> None:
    assert entry(launch(sub_group=Known(8)), occupancy(8, 4 / 7, waves=3.2)) == {
        "path": "a.cpp",
        "line": 6,
        "column": 5,
        "kind": "nd_range",
        "kernel": "sweep",
        "function": "main",
        "dims": 3,
        "global": [{"kind": "known", "value": 64}, {"kind": "known", "value": 60}, {"kind": "known", "value": 128}],
        "local": [{"kind": "known", "value": 1}, {"kind": "known", "value": 5}, {"kind": "known", "value": 128}],
        "work_group_size": {"kind": "known", "value": 640},
        "sub_group_size": {"kind": "known", "value": 8},
        "local_memory_bytes": {"kind": "known", "value": 4096},
        "barrier": True,
        "via": [],
        "private_bytes": {"kind": "known", "value": 0},
        "local_tuples": None,
        "for_target": None,
        "occupancy": {
            "tgl": {
                "sub_group_size": 8,
                "threads_per_group": 64,
                "groups_per_core": 1,
                "ratio": 0.5714,
                "limiter": "threads",
                "peak": 0.5714,
                "average": 0.5714,
                "waves": 3.2,
                "registers": None,
                "threads_per_core": 112,
                "usable_threads_per_core": 0,
                "register_steps": [],
                "unused": {"registers": None, "local_memory": None},
            }
        },
    }


def test_what_others_choose_is_null() -> None:
    found = entry(
        launch(
            kind=LaunchKind.RANGE,
            global_range=[Known(1024)],
            local_range=None,
            size=None,
            kernel=Kernel(None, body_found=False),
        )
    )
    chosen = ("local", "work_group_size", "sub_group_size", "kernel", "barrier")
    assert {name: found[name] for name in chosen} == dict.fromkeys(chosen)
    assert found["occupancy"] == {"tgl": None}


def test_a_single_task_has_no_global_range() -> None:
    assert entry(launch(kind=LaunchKind.SINGLE_TASK, global_range=None, local_range=None))["global"] == []


def test_occupancy_is_a_list_where_the_compiler_chooses_the_sub_group_size() -> None:
    sizes = entry(launch(), occupancy(8, 0.5), occupancy(16, 1.0))["occupancy"]
    assert isinstance(sizes, dict)
    assert [each["sub_group_size"] for each in sizes["tgl"]] == [8, 16]
    assert sizes["tgl"][0]["waves"] is None


def test_the_four_kinds_of_value() -> None:
    assert number(Known(256)) == {"kind": "known", "value": 256}
    five, ten = (Known(value, (Step("R", value, R_LINE),)) for value in (5, 10))
    assert number(OneOf((five, ten), open=True)) == {
        "kind": "one_of",
        "open": True,
        "values": [{"value": 5, "because": "R at a.cpp:3"}, {"value": 10, "because": "R at a.cpp:3"}],
    }
    assert number(Symbolic("128*R", ("R",), 128, minimum=128)) == {
        "kind": "symbolic",
        "text": "128*R",
        "parameters": ["R"],
        "multiple_of": 128,
        "min": 128,
        "max": None,
    }
    assert number(Unknown("read from argv", Location("a.cpp", Span(0, 1)))) == {
        "kind": "unknown",
        "reason": "read from argv at a.cpp:1",
    }


def test_a_reason_that_names_its_line_names_it_once() -> None:
    reason = "read from argv at a.cpp:3"
    assert number(Unknown(reason, R_LINE)) == {"kind": "unknown", "reason": reason}
    assert number(Unknown(reason)) == {"kind": "unknown", "reason": reason}


def test_the_summary_says_what_may_hide_launches() -> None:
    calls = tuple(
        NotFollowed("ns::run", Location("a.cpp", Span(start, start + 3)), '"ns::run" = { global = 0, kernel = 1 }')
        for start in (0, 8)
    )
    found = replace(kernels(), coverage=Coverage(0, 0, calls, ("b.h",)))
    assert table(found).splitlines()[:3] == [
        "2 calls of 1 function that may launch were not followed; in sycllint.toml:",
        "    [launch-helpers]",
        '    "ns::run" = { global = 0, kernel = 1 }',
    ]
    assert json.loads(kernels_json(found, files(a_cpp=SWEEP)))["coverage"] == {
        "launches": 0,
        "sizes_known": 0,
        "not_followed": [{"function": "ns::run", "calls": 2, "setting": calls[0].setting}],
        "not_parsed": ["b.h"],
    }
