"""A launch from source has an occupancy when every number that matters is known, and none otherwise."""

from dataclasses import replace

import pytest

from sycllint.hardware.profiles import device
from sycllint.launch.kernel import Kernel, KernelLaunch, LaunchKind, Range, Required
from sycllint.launch.memory import LocalMemory, PrivateMemory
from sycllint.occupancy.model import occupancies
from sycllint.source.span import Location, Span
from sycllint.values.value import Known, OneOf, Unknown, Value

HERE = Location("src/a.cpp", Span(0, 1))
SILENT = Unknown("read from argv at src/a.cpp:22")


def kernel(*, barrier: bool | None) -> Kernel:
    return Kernel("k", body_found=barrier is not None, barriers=(HERE,) if barrier else ())


def launch(work_group: Value | None, *, barrier: bool | None = False) -> KernelLaunch:
    return KernelLaunch(
        location=HERE,
        kind=LaunchKind.ND_RANGE,
        dims=1,
        function="main",
        kernel=kernel(barrier=barrier),
        global_range=None,
        local_range=None,
        work_group_size=work_group,
        sub_group_size=None,
        required_work_group=None,
        register_count=None,
        local_memory=LocalMemory((), Known(0), 0),
        private_memory=PrivateMemory((), Known(0)),
    )


def local_memory(total: Value) -> LocalMemory:
    return LocalMemory((), total, 0)


def test_without_a_required_sub_group_size_there_is_one_answer_per_legal_size() -> None:
    found = occupancies(device("tgl"), launch(Known(512)))
    assert [(each.sub_group_size, each.groups_per_core) for each in found] == [(8, 1), (16, 3), (32, 7)]


def test_a_required_sub_group_size_gives_one_answer() -> None:
    found = occupancies(device("tgl"), replace(launch(Known(512)), sub_group_size=Required(Known(16), HERE)))
    assert [each.sub_group_size for each in found] == [16]


def test_the_global_range_brings_waves() -> None:
    wide = replace(launch(Known(512)), global_range=Range((Known(2), Known(22 * 512)), HERE))
    assert [each.waves for each in occupancies(device("tgl"), wide)] == [44 / 6, 44 / 18, 44 / 42]


@pytest.mark.parametrize("extents", [(SILENT,), (Known(4), SILENT), (Known(0),), ()])
def test_a_global_range_that_is_not_known_or_empty_brings_none(extents: tuple[Value, ...]) -> None:
    found = occupancies(device("tgl"), replace(launch(Known(512)), global_range=Range(extents, HERE)))
    assert [each.waves for each in found] == [None, None, None]


@pytest.mark.parametrize("work_group", [None, SILENT, OneOf((Known(128), Known(256))), Known(640), Known(0), Known(-8)])
def test_a_work_group_size_that_is_not_known_or_not_legal_has_no_occupancy(work_group: Value | None) -> None:
    assert occupancies(device("tgl"), launch(work_group)) == ()


@pytest.mark.parametrize("total", [SILENT, Known(64 * 1024 + 1), Known(-1)])
def test_local_memory_that_is_not_known_or_not_legal_has_no_occupancy(total: Value) -> None:
    assert occupancies(device("tgl"), replace(launch(Known(128)), local_memory=local_memory(total))) == ()


@pytest.mark.parametrize("size", [SILENT, Known(4), Known(64)])
def test_a_required_sub_group_size_that_is_not_known_or_not_legal_has_no_occupancy(size: Value) -> None:
    assert occupancies(device("tgl"), replace(launch(Known(128)), sub_group_size=Required(size, HERE))) == ()


def test_a_barrier_that_may_be_there_is_no_matter_where_it_decides_nothing() -> None:
    assert occupancies(device("tgl"), launch(Known(512), barrier=None))


def test_a_barrier_that_may_be_there_silences_where_it_decides() -> None:
    narrow = replace(launch(Known(32), barrier=None), sub_group_size=Required(Known(32), HERE))
    assert occupancies(device("tgl"), narrow) == ()


def test_a_sub_group_size_at_which_the_launch_is_refused_is_left_out() -> None:
    large = replace(launch(Known(1024)), register_count=Required(Known(256), HERE))
    assert [each.sub_group_size for each in occupancies(device("pvc"), large)] == [32]


@pytest.mark.parametrize("registers", [SILENT, Known(200), Known(512)])
def test_a_register_count_that_is_not_known_or_no_mode_has_no_occupancy(registers: Value) -> None:
    assert occupancies(device("pvc"), replace(launch(Known(256)), register_count=Required(registers, HERE))) == ()


@pytest.mark.parametrize("name", ["cri", "nvl-p", "intel_gpu_glk"])
def test_a_device_whose_thread_contexts_are_not_public_has_no_occupancy(name: str) -> None:
    assert occupancies(device(name), launch(Known(256))) == ()


@pytest.mark.parametrize(("name", "width"), [("gfx90a", 64), ("gfx1100", 32), ("gfx1100:wave64", 64), ("sm_90", 32)])
def test_amd_and_nvidia_have_one_width(name: str, width: int) -> None:
    [found] = occupancies(device(name), launch(Known(256), barrier=None))
    assert (found.sub_group_size, found.threads_per_group) == (width, 256 // width)


@pytest.mark.parametrize("name", ["gfx90a", "gfx1030", "sm_61", "sm_90"])
def test_registers_that_the_source_cannot_say_do_not_limit_and_are_none(name: str) -> None:
    [found] = occupancies(device(name), launch(Known(256)))
    assert (found.registers, found.ratio, found.whole_groups) == (None, 1.0, True)


def test_registers_on_intel_are_those_of_the_mode() -> None:
    [*_, found] = occupancies(device("pvc"), launch(Known(256)))
    assert (found.registers, found.whole_groups) == (128, False)
    large = replace(launch(Known(256)), register_count=Required(Known(256), HERE))
    assert {each.registers for each in occupancies(device("pvc"), large)} == {256}


@pytest.mark.parametrize("registers", [Known(256), Known(77), SILENT])
def test_intels_register_property_means_nothing_on_other_devices(registers: Value) -> None:
    asking = replace(launch(Known(1024)), register_count=Required(registers, HERE))
    for name in ("gfx90a", "sm_90"):
        assert occupancies(device(name), asking) == occupancies(device(name), launch(Known(1024)))


def test_a_width_that_amd_does_not_have_gives_no_answer() -> None:
    wanting = replace(launch(Known(256)), sub_group_size=Required(Known(16), HERE))
    assert occupancies(device("gfx90a"), wanting) == ()
