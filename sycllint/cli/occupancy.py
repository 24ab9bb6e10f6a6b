"""Compute the occupancy of a launch from its sizes alone: no source and no GPU are needed.

Sizes may have up to three extents, the slowest first, as in sycl::range: 1x4x128. Local memory is bytes per
work-group, or KiB with a K: 16K.
"""

import argparse
import os
import re
import sys

from sycllint.cli.parser import words
from sycllint.cli.terminal import has_color, shows_blocks, width_of, write, write_bytes
from sycllint.config import load
from sycllint.errors import SycllintError
from sycllint.hardware.device import Device, Vendor
from sycllint.hardware.profiles import device, resolve
from sycllint.occupancy.calculator import KIBIBYTE, Answer, Question, answer, large_registers
from sycllint.occupancy.timeline import Dispatch, Timeline, first_ends, timeline
from sycllint.record import replace
from sycllint.report.occupancy.chart import ASCII, BLOCKS, Canvas
from sycllint.report.terminal.style import Style

READABLE_WIDTH = 100
"""Columns beyond which charts and prose are not stretched."""

QUEUE_AHEAD = "queue-ahead"

_DIGITS = 12
"""More digits are no size."""


def run(arguments: argparse.Namespace) -> int:
    """Print the answer for one device, or a table for several."""
    _refuse_contradictions(arguments)
    if arguments.compare:
        return _compare(arguments)
    if arguments.device is None:
        raise SycllintError("--device is needed, or --compare; `sycllint devices` lists them")
    on = device(arguments.device, load().devices)
    found = answer(on, _asked_of(on, _question(arguments), large_grf=arguments.large_grf))
    write(_with_timeline(arguments, found) if arguments.timeline else _page(arguments, found))
    return 0


def extents(option: str, text: str) -> tuple[int, ...]:
    """``1x4x128`` as ``(1, 4, 128)``."""
    parts = re.split(r"[x×*,]", text.strip().lower())
    if len(parts) > 3:
        raise SycllintError(f"{option} {text}: {len(parts)} extents; a range has 1 to 3, as 1x4x128")
    return tuple(count(option, part, f"{option} {text}: not a size; as 512 or 1x4x128") for part in parts)


def count(option: str, text: str, wrong: str = "") -> int:
    """A number from 1 on; ``wrong`` is the complaint."""
    digits = text.strip()
    if not (digits.isascii() and digits.isdecimal()) or len(digits) > _DIGITS or int(digits) < 1:
        raise SycllintError(wrong or f"{option} {text}: not a number from 1 on")
    return int(digits)


def byte_count(option: str, text: str) -> int:
    """``16K``, ``16KiB`` and ``16384`` as 16384."""
    found = re.fullmatch(r"(\d{1,12})\s*(k|kb|kib|b)?", text.strip().lower(), re.ASCII)
    if found is None:
        raise SycllintError(f"{option} {text}: not an amount of memory; as 16K or 16384")
    return int(found[1]) * (KIBIBYTE if (found[2] or "b").startswith("k") else 1)


def _refuse_contradictions(arguments: argparse.Namespace) -> None:
    if arguments.work_group is None:
        raise SycllintError("--work-group is needed, as --work-group 1x4x128")
    if not arguments.timeline and (arguments.ends_first or arguments.assume):
        raise SycllintError("--ends-first and --assume are about --timeline")
    if arguments.timeline and arguments.global_range is None:
        raise SycllintError("--timeline needs --global, the size of the whole launch")
    if arguments.compare and (arguments.timeline or arguments.cores is not None):
        raise SycllintError("--timeline and --cores are about one device, not --compare")
    if arguments.svg is not None and os.path.splitext(arguments.svg)[1].lower() not in ("", ".svg", ".png"):
        raise SycllintError(f"--svg {arguments.svg}: the charts are written as .svg or .png")
    if arguments.assume and arguments.barrier:
        raise SycllintError(f"--assume {QUEUE_AHEAD} is about kernels without a barrier")


def _question(arguments: argparse.Namespace) -> Question:
    """The launch that is computed for every device."""
    return Question(
        extents("--work-group", arguments.work_group),
        None if arguments.sub_group is None else count("--sub-group", arguments.sub_group),
        0 if arguments.local_memory is None else byte_count("--local-memory", arguments.local_memory),
        arguments.barrier,
        None if arguments.registers is None else count("--registers", arguments.registers),
        None if arguments.global_range is None else extents("--global", arguments.global_range),
        None if arguments.cores is None else count("--cores", arguments.cores),
        None if arguments.halo is None else count("--halo", arguments.halo),
    )


def _asked_of(on: Device, asked: Question, *, large_grf: bool) -> Question:
    """The question as it is put to one device, which has its own number of registers in the large mode."""
    return replace(asked, registers=large_registers(on)) if large_grf else asked


def _page(arguments: argparse.Namespace, found: Answer) -> str:
    _draw(arguments, [found], None)
    if arguments.json or arguments.csv:
        from sycllint.report.occupancy.data import answer_csv, answer_json

        return answer_json(found, None) if arguments.json else answer_csv(found)
    from sycllint.report.occupancy.page import page

    return page(found, _canvas(arguments))


def _with_timeline(arguments: argparse.Namespace, found: Answer) -> str:
    dispatch = _dispatch(arguments, found)
    played = timeline(found.occupancy, dispatch)
    _draw(arguments, [found], played)
    from sycllint.report.occupancy.timeline import timeline_json, timeline_page

    if arguments.json or arguments.csv:
        from sycllint.report.occupancy.data import answer_json, timeline_csv

        return answer_json(found, timeline_json(played, dispatch)) if arguments.json else timeline_csv(played)
    from sycllint.report.occupancy.page import heading

    canvas = _canvas(arguments)
    ends = () if dispatch.ends_first else first_ends(found.occupancy, dispatch)
    return "\n".join([*heading(found, canvas), "", timeline_page(played, dispatch, ends, canvas)])


def _dispatch(arguments: argparse.Namespace, found: Answer) -> Dispatch:
    groups = found.question.groups
    if found.cores is None:
        raise SycllintError(f"--timeline needs --cores: no document gives those of {found.device.name}")
    early = words([arguments.ends_first or ""])
    if any(not (each.isascii() and each.isdecimal()) for each in early):
        raise SycllintError(f"--ends-first {arguments.ends_first}: not linear ids of work-groups; as 7 or 0,7")
    intel = found.device.vendor is Vendor.INTEL
    if arguments.assume and not intel:
        raise SycllintError(f"--assume {QUEUE_AHEAD} is fitted to an Intel GPU, not to {found.device.name}")
    return Dispatch(
        groups or 0,
        found.cores,
        found.question.barrier,
        partial=intel,
        queue_ahead=arguments.assume == QUEUE_AHEAD,
        ends_first=frozenset(map(int, early)),
    )


def _compare(arguments: argparse.Namespace) -> int:
    """A row per device, or per sub-group size of it; 2 when none of them can run the launch."""
    names = [*([arguments.device] if arguments.device else []), *words(arguments.compare)]
    asked = _question(arguments)
    answers = [pair for on in resolve(names, load().devices) for pair in _each_width(arguments, asked, on)]
    ran = [found for _, found in answers if isinstance(found, Answer)]
    _draw(arguments, ran, None)
    if arguments.json or arguments.csv:
        from sycllint.report.occupancy.data import answers_csv, answers_json

        write(answers_json(answers) if arguments.json else answers_csv(answers))
    else:
        from sycllint.report.occupancy.page import comparison

        write(comparison(answers, _canvas(arguments)))
    return 0 if ran else 2


def _each_width(arguments: argparse.Namespace, asked: Question, on: Device) -> list[tuple[Device, Answer | str]]:
    """The answer at the sub-group size asked for, or at each; why there is none, once."""
    widths = on.sub_group_sizes if asked.sub_group is None else (asked.sub_group,)
    found: list[tuple[Device, Answer | str]] = []
    refused: dict[int, str] = {}
    for width in widths:
        try:
            question = _asked_of(on, replace(asked, sub_group=width), large_grf=arguments.large_grf)
            found.append((on, answer(on, question)))
        except SycllintError as error:
            refused[width] = str(error)
    if len(set(refused.values())) > 1:
        return [*found, *((on, f"{why} (sub-group {width})") for width, why in refused.items())]
    return [*found, *((on, why) for why in set(refused.values()))]


def _draw(arguments: argparse.Namespace, answers: list[Answer], played: Timeline | None) -> None:
    if arguments.svg is not None and answers:
        from sycllint.report.occupancy.svg import picture, pixels

        if arguments.svg.lower().endswith(".png"):
            write_bytes(pixels(answers, played), arguments.svg, option="--svg")
        else:
            write(picture(answers, played), arguments.svg, option="--svg")


def _canvas(arguments: argparse.Namespace) -> Canvas:
    color = has_color(arguments.color, sys.stdout)
    glyphs = BLOCKS if shows_blocks(sys.stdout) else ASCII
    return Canvas(min(width_of(sys.stdout), READABLE_WIDTH), Style(color=color), glyphs)
