"""The calculator's answer in words, as a table, as JSON and as CSV."""

import csv
import io
import json
from collections.abc import Iterable
from dataclasses import replace

import pytest

from sycllint.hardware.device import Device
from sycllint.hardware.profiles import device
from sycllint.occupancy.calculator import Answer, Question, answer, by_local_memory, by_work_group
from sycllint.occupancy.timeline import Dispatch, first_ends, timeline
from sycllint.occupancy.waves import waves
from sycllint.report.occupancy.chart import Canvas
from sycllint.report.occupancy.data import answer_csv, answer_json, answers_csv, answers_json, timeline_csv
from sycllint.report.occupancy.page import comparison, page, rounds_text
from sycllint.report.occupancy.timeline import timeline_json, timeline_page
from sycllint.report.terminal.style import Style

CANVAS = Canvas(100, Style())


def found(work_group: int, global_size: int | None, *, sub_group: int = 8, barrier: bool = True) -> Answer:
    global_range = None if global_size is None else (global_size,)
    return answer(device("tgl"), Question((work_group,), sub_group, 0, barrier, global_range=global_range))


class TestWavesInWords:
    @pytest.mark.parametrize(
        ("groups", "work_group", "sub_group", "text"),
        [
            (1, 512, 32, "1 group: one round of 2.4%"),
            (42, 512, 32, "42 groups: one full round"),
            (44, 512, 32, "44 groups: one full round, then 4.8%"),
            (90, 512, 32, "90 groups: 2 full rounds, then 14.3%"),
            (12, 320, 8, "12 groups: one full round of 71.4%"),
            (13, 320, 8, "13 groups: one full round of 71.4%, then 6.0%"),
        ],
    )
    def test_say_how_full_they_are(self, groups: int, work_group: int, sub_group: int, text: str) -> None:
        rounds = found(work_group, groups * work_group, sub_group=sub_group).rounds
        assert rounds is not None
        assert rounds_text(rounds) == text

    def test_are_given_both_ways_where_groups_may_be_cut(self) -> None:
        text = " ".join(page(found(320, 17 * 320, barrier=False), CANVAS).split())
        assert "1.42 (17 groups: one full round of 71.4%, then 29.8%)" in text
        assert "split across cores, as groups without a barrier may be: 17 groups: one full round, then 1.2%" in text


class TestPage:
    @pytest.mark.parametrize("width", [40, 60, 100])
    def test_fits_its_width(self, width: int) -> None:
        assert max(map(len, page(found(512, 524288), Canvas(width, Style())).splitlines())) <= width

    def test_says_what_is_missing_for_the_device(self) -> None:
        assert "rounds             ? (peak and average too: they need --global)" in page(found(512, None), CANVAS)

    def test_marks_the_launch_in_both_charts(self) -> None:
        text = page(found(512, None), CANVAS)
        assert text.count("^") == 2
        assert "^ 512: 57.1%" in text
        assert "^ 0: 57.1%" in text


def test_a_comparison_has_a_row_for_each_device_and_says_which_cannot() -> None:
    pvc = answer(device("pvc"), Question((512,), 16, 0, True))
    text = comparison([(device("tgl"), found(512, None)), (device("pvc"), pvc), (device("dg2"), "no.")], CANVAS)
    rows = text.splitlines()
    assert [row.split()[:5] for row in rows[1:3]] == [
        ["tgl", "8", "64", "1", "57.1%"],
        ["pvc", "16", "32", "2", "100%"],
    ]
    assert rows[-1] == "dg2: no."


def test_the_json_has_the_answer_and_the_numbers_of_the_charts() -> None:
    asked = found(512, 524288)
    data = json.loads(answer_json(asked, None))
    assert data["occupancy"] == {
        "sub_group_size": 8,
        "threads_per_group": 64,
        "groups_per_core": 1,
        "ratio": round(64 / 112, 4),
        "limiter": "threads",
        "peak": round(64 / 112, 4),
        "average": round(1024 * 64 / (171 * 672), 4),
        "waves": round(1024 / 6, 4),
    }
    assert (data["groups"], data["rounds"]["full"], data["rounds"]["last_groups"]) == (1024, 170, 4)
    assert [each["ratio"] for each in data["by_work_group"]] == [round(p.ratio, 4) for p in by_work_group(asked).points]
    assert len(data["by_local_memory"]) == len(by_local_memory(asked).points)
    assert "timeline" not in data


def test_shares_of_a_register_mode_and_what_stays_unused() -> None:
    text = page(answer(device("pvc"), Question((320,), 16, 0, True, 256)), CANVAS)
    assert "31.2% of a core: 20 of 64 threads, 62.5% of the 32 threads that 256 registers leave" in " ".join(
        text.split()
    )
    of_1024 = answer(device("gfx900"), Question((1024,), 64, 32 * 1024, True, 40))
    text = page(of_1024, CANVAS)
    assert "40 VGPRs" in text
    assert "unused             37.5% of the VGPRs and 50% of the LDS\n" in text
    assert "occupancy of a core by VGPRs per work-item\n  up to 32  80.0%  2 groups per core\n" in text
    data = json.loads(answer_json(of_1024, None))
    assert data["unused"] == {"registers": 0.375, "local_memory": 0.5}
    assert data["usable_threads_per_core"] == 24
    assert [each["registers"] for each in data["register_steps"]] == [32, 64]


def test_the_csv_has_a_row_for_the_launch_each_point_and_each_proposal() -> None:
    asked = found(512, 524288)
    rows = list(csv.DictReader(io.StringIO(answer_csv(asked))))
    kinds = [row["row"] for row in rows]
    assert kinds.count("work-group") == len(by_work_group(asked).points)
    assert kinds.count("local-memory") == len(by_local_memory(asked).points)
    assert (kinds[0], kinds.count("asked"), kinds.count("best")) == ("asked", 1, 3)
    assert (rows[0]["ratio"], rows[0]["limiter"]) == ("0.5714", "threads")
    assert rows[-1]["waves"] == ""


def test_a_device_that_cannot_run_it_has_its_reason_in_json_and_csv() -> None:
    answers: list[tuple[Device, Answer | str]] = [
        (device("tgl"), found(512, None)),
        (device("gen9"), "work-group 512 exceeds max 256 on gen9"),
    ]
    _, refused = json.loads(answers_json(answers))["devices"]
    assert refused == {"device": "gen9", "why": "work-group 512 exceeds max 256 on gen9"}
    *_, row = csv.DictReader(io.StringIO(answers_csv(answers)))
    assert (row["device"], row["why"], row["ratio"]) == ("gen9", "work-group 512 exceeds max 256 on gen9", "")


class TestTimeline:
    dispatch = Dispatch(8, 6, barrier=True, partial=True)

    def test_shows_the_phases_and_what_another_order_would_change(self) -> None:
        occupancy = found(320, None).occupancy
        played, ends = timeline(occupancy, self.dispatch), first_ends(occupancy, self.dispatch)
        text = timeline_page(played, self.dispatch, ends, CANVAS)
        assert (
            "  0 to 1  304 threads  45.2%  2 cores hold 112, 1 holds 80, 3 idle; 16 threads of started groups wait"
            in text
        )
        assert "264 threads (39.3%) from core 2 (--ends-first 7)" in " ".join(text.split())
        assert "A model, not a measurement." in text
        assert "A4" not in text

    @pytest.mark.parametrize(
        ("early", "text"), [((6, 7), ", but 6, 7 half as long."), (range(6), ", but 6 of them half")]
    )
    def test_says_which_groups_end_first(self, early: Iterable[int], text: str) -> None:
        dispatch = replace(self.dispatch, ends_first=frozenset(early))
        page = timeline_page(timeline(found(320, None).occupancy, dispatch), dispatch, (), CANVAS)
        assert f"all groups work equally long{text}" in " ".join(page.split())

    @pytest.mark.parametrize("width", [40, 63, 100])
    @pytest.mark.parametrize("groups", [1, 8, 5000])
    def test_the_chart_fits_its_width(self, width: int, groups: int) -> None:
        dispatch = Dispatch(groups, 6, barrier=True, partial=True)
        text = timeline_page(timeline(found(320, None).occupancy, dispatch), dispatch, (), Canvas(width, Style()))
        assert max(len(line) for line in text.splitlines() if "│" in line or "└" in line) <= width

    def test_as_json_and_csv(self) -> None:
        occupancy = found(320, None).occupancy
        played = timeline(occupancy, self.dispatch)
        data = timeline_json(played, self.dispatch)
        assert isinstance(data, dict)
        assert [each["threads"] for each in data["phases"]] == [304, 80]
        assert "A2 over-dispatch" in data["assumptions"]
        rows = list(csv.DictReader(io.StringIO(timeline_csv(played))))
        assert [(row["start"], row["threads"], row["ratio"]) for row in rows] == [
            ("0.0", "304", "0.4524"),
            ("1.0", "80", "0.119"),
        ]


def test_rounds_of_the_page_are_those_of_the_model() -> None:
    asked = found(512, 524288)
    assert asked.rounds == waves(asked.occupancy, 1024, 6, pinned=True)
