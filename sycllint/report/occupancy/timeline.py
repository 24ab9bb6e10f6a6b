"""A timeline for people: the device's occupancy over time as a chart, its phases in words, and what was assumed."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from textwrap import wrap

from sycllint.occupancy.timeline import Dispatch, FirstEnd, Phase, Timeline
from sycllint.report.json import Json
from sycllint.report.occupancy.chart import Canvas, Labels, bars
from sycllint.report.occupancy.page import heading_lines
from sycllint.report.occupancy.shares import percent
from sycllint.report.terminal.display import aligned
from sycllint.report.terminal.summary import plural

_PIECES = 2
"""Phases begin at whole units of one group's work, or at halves (groups that end first)."""
_LISTED = 4
"""Groups that a sentence lists by their ids."""


def timeline_page(played: Timeline, dispatch: Dispatch, ends: Sequence[FirstEnd], canvas: Canvas) -> str:
    """The chart and the phases, with the final newline. ``ends``: what one early group would change."""
    title = heading_lines("occupancy of the device over time, in units of one group's work", canvas)
    labels = Labels("0", number(played.end / 2), number(played.end))
    chart = bars(_columns(played, canvas.room), labels, canvas)
    phases = [*aligned([_row(played, phase) for phase in played.phases]), f"  average {percent(played.average)}"]
    assumed = f"A model, not a measurement. Assumed: {'; '.join(_named(dispatch).values())}."
    words = [*_variations(played, ends), assumed]
    prose = [
        line for text in words for line in wrap(text, canvas.width, subsequent_indent="  ", break_on_hyphens=False)
    ]
    return "\n\n".join("\n".join(block) for block in ([*title, *chart], phases, prose)) + "\n"


def timeline_json(played: Timeline, dispatch: Dispatch) -> Json:
    """The phases for programs, and the assumptions by their short names."""
    return {
        "assumptions": list(_named(dispatch)),
        "ends_first": sorted(dispatch.ends_first),
        "average": round(played.average, 4),
        "phases": [
            {
                "start": phase.start,
                "end": phase.end,
                "threads": phase.threads,
                "ratio": round(played.share(phase), 4),
                "waiting": phase.waiting,
                "threads_per_core": phase.per_core,
            }
            for phase in played.phases
        ],
    }


def number(time: float) -> str:
    """``2``, ``0.5``."""
    return f"{time:g}" if time < 1_000_000 else f"{time:.0f}"


def _columns(played: Timeline, room: int) -> list[float]:
    """The device's mean share in each of equal stretches of time, at most ``room``."""
    pieces = round(played.end * _PIECES)
    count = room // pieces * pieces if pieces <= room else room
    length = played.end / count
    shares, phases, index = [], played.phases, 0
    for column in range(count):
        start, end = column * length, (column + 1) * length
        while index < len(phases) - 1 and phases[index].end <= start:
            index += 1
        shares.append(_mean(played, index, start, end))
    return shares


def _mean(played: Timeline, index: int, start: float, end: float) -> float:
    """The mean share from ``start`` to ``end``; the phase at ``index`` is the first that reaches into it."""
    total = 0.0
    for phase in played.phases[index:]:
        if phase.start >= end:
            break
        total += played.share(phase) * (min(phase.end, end) - max(phase.start, start))
    return total / (end - start)


def _row(played: Timeline, phase: Phase) -> tuple[str, ...]:
    waiting = f"; {plural(phase.waiting, 'thread')} of started groups wait" if phase.waiting else ""
    return (
        f"  {number(phase.start)} to {number(phase.end)}",
        plural(phase.threads, "thread"),
        percent(played.share(phase)),
        _cores_text(phase.per_core) + waiting,
    )


def _cores_text(per_core: Sequence[int]) -> str:
    """``2 cores hold 112, 1 holds 80, 3 idle``; neighbours together."""
    texts: list[str] = []
    for threads, alike in groupby(per_core):
        count = len(list(alike))
        held = "idle" if not threads else f"hold{'s' if count == 1 else ''} {threads}"
        texts.append(f"{count} {held}" if texts else f"{plural(count, 'core')} {held}")
    return ", ".join(texts)


def _variations(played: Timeline, ends: Sequence[FirstEnd]) -> Iterator[str]:
    """The occupancies after one early group, where they depend on its core."""
    if len({end.threads for end in ends}) < 2:
        return
    cases = [
        f"{end.threads} threads ({percent(end.threads / played.contexts)}) from {_cores_named(end.cores)} "
        f"(--ends-first {end.group})"
        for end in ends
    ]
    yield f"If one group ended before the others, it would leave {', '.join(cases)}."


def _cores_named(cores: Sequence[int]) -> str:
    """``core 2``, ``cores 0 to 5``, ``cores 0, 1, 4``; lowest core 0."""
    if len(cores) == 1:
        return f"core {cores[0]}"
    if len(cores) > 2 and cores[-1] - cores[0] == len(cores) - 1:
        return f"cores {cores[0]} to {cores[-1]}"
    return "cores " + ", ".join(map(str, cores))


def _named(dispatch: Dispatch) -> dict[str, str]:
    """The assumptions at work, by number and short name."""
    named = {"A1 lowest-core-first": "A1 the lowest core that accepts a group gets it"}
    if dispatch.partial:
        named["A2 over-dispatch"] = "A2 one free thread is enough to start a group"
    else:
        named["whole-groups"] = "a core accepts whole groups only"
    if dispatch.barrier:
        named["A3 together"] = (
            "A3 a group with a barrier runs once all its threads are resident, and frees them together"
        )
    else:
        named["A3 one-by-one"] = "A3 without a barrier each thread goes on its own"
    if dispatch.queue_ahead:
        named["A4 queue-ahead"] = (
            "A4 a core with a split group accepts more until a whole one waits (fitted to one run)"
        )
    named["equal-work"] = "all groups work equally long" + _but(sorted(dispatch.ends_first))
    return named


def _but(early: Sequence[int]) -> str:
    """The groups that end first, by their ids when they are few."""
    if not early:
        return ""
    which = ", ".join(map(str, early)) if len(early) <= _LISTED else f"{len(early)} of them"
    return f", but {which} half as long"
