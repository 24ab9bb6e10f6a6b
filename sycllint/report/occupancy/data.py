"""The calculator's answer for programs: one JSON object, or CSV with a row for each number the page is made of."""

import csv
import io
from collections.abc import Sequence

from sycllint.hardware.device import Device
from sycllint.occupancy.budget import unused
from sycllint.occupancy.calculator import Answer, Curve, CurvePoint, best, by_local_memory, by_registers, by_work_group
from sycllint.occupancy.halo import Halo
from sycllint.occupancy.timeline import Timeline
from sycllint.occupancy.waves import Waves
from sycllint.report.json import Json, written
from sycllint.report.occupancy.budget import steps_json, unused_json
from sycllint.report.occupancy.shares import occupancy_json, rounded
from sycllint.version import __version__

_COLUMNS = (
    "row", "device", "sub_group_size", "work_group_size", "local_memory_bytes", "threads_per_group", "groups_per_core",
    "ratio", "limiter", "waves", "peak", "average", "why",
)  # fmt: skip
_TIMELINE = ("start", "end", "threads", "ratio", "waiting")

Answers = Sequence[tuple[Device, Answer | str]]
"""Devices, each with its answer or why there is none."""


def answer_json(found: Answer, timeline: Json) -> str:
    """One object: what was asked, ``occupancy``, ``rounds``, curves, ``best``; ``timeline`` when there is one."""
    more = {} if timeline is None else {"timeline": timeline}
    curves = {
        "by_work_group": _curve(by_work_group(found), "work_group_size"),
        "by_local_memory": _curve(by_local_memory(found), "local_memory_bytes"),
        "register_steps": steps_json(by_registers(found)),
    }
    return written({"version": __version__, **_answer(found), **curves, **more})


def answers_json(answers: Answers) -> str:
    """``devices``: an object each as in ``answer_json`` but without the curves, or with ``why`` it cannot run."""
    devices: list[Json] = [
        _answer(found) if isinstance(found, Answer) else {"device": device.name, "why": found}
        for device, found in answers
    ]
    return written({"version": __version__, "devices": devices})


def answer_csv(found: Answer) -> str:
    """Rows ``asked`` (one), ``work-group``, ``local-memory`` (the curves) and ``best``."""
    question = found.question
    rows = [_asked_row(found)]
    rows += [_point_row(found, "work-group", p.value, question.local_memory, p) for p in by_work_group(found).points]
    rows += [_point_row(found, "local-memory", question.size, p.value, p) for p in by_local_memory(found).points]
    for each in best(found):
        size = each.suggestion
        there = CurvePoint(size.work_group, size.groups, size.ratio)
        rows.append(_point_row(found, "best", size.work_group, question.local_memory, there))
    return _csv(_COLUMNS, rows)


def answers_csv(answers: Answers) -> str:
    """A row ``asked`` for each device; one that cannot run the launch has only its ``why``."""
    rows: list[dict[str, Json]] = [
        _asked_row(found) if isinstance(found, Answer) else {"row": "asked", "device": device.name, "why": found}
        for device, found in answers
    ]
    return _csv(_COLUMNS, rows)


def timeline_csv(played: Timeline) -> str:
    """A row for each phase; times in units of one group's work."""
    rows: list[dict[str, Json]] = [
        {
            "start": phase.start,
            "end": phase.end,
            "threads": phase.threads,
            "ratio": rounded(played.share(phase)),
            "waiting": phase.waiting,
        }
        for phase in played.phases
    ]
    return _csv(_TIMELINE, rows)


def _answer(found: Answer) -> dict[str, Json]:
    question, occupancy = found.question, found.occupancy
    return {
        "device": found.device.name,
        "work_group": question.work_group,
        "work_group_size": question.size,
        "global": question.global_range,
        "groups": question.groups,
        "local_memory_bytes": question.local_memory,
        "local_memory_allocated": occupancy.local_memory_allocated,
        "barrier": question.barrier,
        "registers": question.registers,
        "cores": found.cores,
        "threads_per_core": occupancy.threads_per_core,
        "usable_threads_per_core": occupancy.usable_threads_per_core,
        "unused": unused_json(unused(found.device, occupancy)),
        "occupancy": occupancy_json(occupancy),
        "limits": {limiter.value: groups for limiter, groups in occupancy.limits},
        "rounds": _rounds(found.rounds),
        "halo": _halo(found.halo),
        "best": [
            {
                "work_group_size": each.suggestion.work_group,
                "local": each.local_range,
                "groups_per_core": each.suggestion.groups,
                "ratio": rounded(each.suggestion.ratio),
            }
            for each in best(found)
        ],
    }


def _halo(border: Halo | None) -> Json:
    if border is None:
        return None
    return {
        "payload": border.payload,
        "border": border.border,
        "overhead": rounded(border.overhead),
        "share": rounded(border.share),
    }


def _rounds(rounds: Waves | None) -> Json:
    if rounds is None:
        return None
    return {
        "full": rounds.full_waves,
        "groups_per_round": rounds.groups_per_wave,
        "full_ratio": rounded(rounds.full_occupancy),
        "last_groups": rounds.last_groups,
        "last_ratio": rounded(rounds.last_occupancy),
        "efficiency": rounded(rounds.efficiency),
    }


def _curve(curve: Curve, name: str) -> Json:
    return [
        {name: point.value, "groups_per_core": point.groups_per_core, "ratio": rounded(point.ratio)}
        for point in curve.points
    ]


def _asked_row(found: Answer) -> dict[str, Json]:
    question = found.question
    return {
        "row": "asked",
        "device": found.device.name,
        "work_group_size": question.size,
        "local_memory_bytes": question.local_memory,
        **occupancy_json(found.occupancy),
    }


def _point_row(found: Answer, row: str, work_group: int, local_memory: int, point: CurvePoint) -> dict[str, Json]:
    return {
        "row": row,
        "device": found.device.name,
        "sub_group_size": found.occupancy.sub_group_size,
        "work_group_size": work_group,
        "local_memory_bytes": local_memory,
        "threads_per_group": -(-work_group // found.occupancy.sub_group_size),
        "groups_per_core": point.groups_per_core,
        "ratio": rounded(point.ratio),
    }


def _csv(columns: Sequence[str], rows: Sequence[dict[str, Json]]) -> str:
    stream = io.StringIO()
    writer = csv.DictWriter(stream, columns, restval="", lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return stream.getvalue()
