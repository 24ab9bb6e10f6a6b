"""When the circumstances of a launch are looked into."""

import pytest

from sycllint.cpp.place import Place
from sycllint.hardware.profiles import device
from sycllint.launch.circumstances import ORDINARY, Answers, Circumstance, Circumstances
from sycllint.launch.conditions.guards import Guards
from sycllint.launch.device_numbers import answers
from sycllint_rules.launch.work_group_exceeds_max import work_group_exceeds_max
from tests.launch.snippet import in_queue
from tests.rules.launches import findings

ASKED = (
    "if (q.get_device().get_info<sycl::info::device::max_work_group_size>() >= {size})"
    " q.parallel_for(sycl::nd_range<1>(4096, {size}), [=](sycl::nd_item<1> it) {{}});"
)


def test_each_is_computed_once_and_only_on_demand() -> None:
    asked: list[Circumstance] = []

    def ask(_: Circumstances, which: Circumstance, __: Answers | None) -> bool:
        asked.append(which)
        return which is Circumstance.SELECTED

    found = Circumstances(ask)
    assert not asked
    assert [found.hold(Circumstance.SELECTED) for _ in range(2)] == [True, True]
    assert not found.hold(Circumstance.ELSEWHERE)
    assert asked == [Circumstance.SELECTED, Circumstance.ELSEWHERE]


def test_what_holds_on_all_ways_holds_of_all_in_one() -> None:
    selected = Circumstances(lambda _, which, __: which is Circumstance.SELECTED)
    assert Circumstances.of_all([selected, selected]).hold(Circumstance.SELECTED)
    assert not Circumstances.of_all([selected, ORDINARY]).hold(Circumstance.SELECTED)


@pytest.mark.parametrize(("size", "looks"), [(256, False), (1024, True)])
def test_a_rule_looks_into_them_only_where_it_has_something_to_say(
    size: int, looks: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    launch = in_queue(ASKED.format(size=size))
    known, count = Guards.device_checked, 0

    def counted(guards: Guards, place: Place, offset: int, *, varies: bool, device: Answers | None) -> bool:
        nonlocal count
        count += 1
        return known(guards, place, offset, varies=varies, device=device)

    monkeypatch.setattr(Guards, "device_checked", counted)
    assert not findings(work_group_exceeds_max, launch, "tgl")
    assert bool(count) is looks


@pytest.mark.parametrize(
    ("condition", "kept_out", "looks"),
    [
        ("q.get_device().get_info<sycl::info::device::max_work_group_size>() >= 1024", [False, True], 2),
        ("q.get_device().get_info<sycl::info::device::local_mem_size>() > 70000", [False, True], 2),
        ("n > 4", [False, False], 1),
    ],
)
def test_what_keeps_a_launch_out_is_asked_again_only_where_devices_answer(
    condition: str, kept_out: list[bool], looks: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    launch = in_queue(f"if ({condition}) q.parallel_for(sycl::nd_range<1>(4096, 1024), [=](sycl::nd_item<1> it) {{}});")
    known, count = Guards.keeps_out, 0

    def counted(guards: Guards, place: Place, offset: int, ask: Answers) -> bool:
        nonlocal count
        count += 1
        return known(guards, place, offset, ask)

    monkeypatch.setattr(Guards, "keeps_out", counted)
    assert [launch.circumstances.keep_out(answers(device(name))) for name in ("pvc", "tgl")] == kept_out
    assert count == looks
