"""The calculator's answer for people: the numbers, the rounds in words, two small charts, the best sizes, a table."""

from collections.abc import Callable, Iterator, Sequence
from textwrap import wrap

from sycllint.hardware.device import Device, Vendor
from sycllint.occupancy.budget import unused
from sycllint.occupancy.calculator import (
    Answer,
    Best,
    Curve,
    Question,
    best,
    by_local_memory,
    by_registers,
    by_work_group,
    shape,
)
from sycllint.occupancy.halo import Halo
from sycllint.occupancy.registers import RegisterStep, register_word
from sycllint.occupancy.waves import Waves
from sycllint.report.occupancy.budget import of_mode
from sycllint.report.occupancy.chart import Canvas, Labels, MarkedBar, bars, sampled
from sycllint.report.occupancy.shares import percent, share_text
from sycllint.report.terminal.display import aligned
from sycllint.report.terminal.style import Ink
from sycllint.report.terminal.summary import plural
from sycllint.report.value import bytes_text

_INDENT = "  "
_NUMBERS = len("threads per group  ")
_HEAD = (
    "device", "sub-group", "threads/group", "groups/core", "occupancy", "limiter", "rounds", "peak", "average", "best",
)  # fmt: skip


def page(found: Answer, canvas: Canvas) -> str:
    """The whole answer for one device, with its final newline."""
    size, memory = by_work_group(found), by_local_memory(found)
    blocks = [
        heading(found, canvas),
        list(_numbers(found, canvas)),
        _chart(
            f"occupancy of a core by work-group size, in steps of {found.occupancy.sub_group_size}", size, str, canvas
        ),
        _chart("occupancy of a core by local memory per group", memory, bytes_text, canvas),
        list(_registers(found, by_registers(found), canvas)),
        list(_best_sizes(found, best(found), canvas)),
    ]
    return "\n\n".join("\n".join(block) for block in blocks if block) + "\n"


def comparison(answers: Sequence[tuple[Device, Answer | str]], canvas: Canvas) -> str:
    """One row per device and sub-group size; for a device that cannot run the launch, a line that says why.

    A column in which nothing is known is left out.
    """
    rows = [_row(found) for _, found in answers if isinstance(found, Answer)]
    refused = [f"{device.name}: {found}" for device, found in answers if not isinstance(found, Answer)]
    lines = []
    if rows:
        head, *body = ["  ".join(cells).rstrip() for cells in _padded(_without_unknown([_HEAD, *rows]))]
        lines = [canvas.style.ink(head, Ink.STRONG), *body]
    why = [line for text in refused for line in wrap(text, canvas.width, subsequent_indent=_INDENT)]
    return "\n\n".join("\n".join(block) for block in (lines, why) if block) + "\n"


def heading(found: Answer, canvas: Canvas) -> list[str]:
    """The device and the launch, two sentences."""
    device, cores = found.device, found.cores
    many = "an unknown number of cores" if cores is None else plural(cores, "core")
    first = f"{device.name}: {device.title}; {many} of {found.occupancy.threads_per_core} threads"
    return [
        *heading_lines(first, canvas),
        *wrap(_asked(found), canvas.width, subsequent_indent=_INDENT),
    ]


def heading_lines(text: str, canvas: Canvas) -> list[str]:
    """A heading, on as many lines as the canvas makes it."""
    lines = wrap(text, canvas.width, subsequent_indent=_INDENT, break_on_hyphens=False)
    return [canvas.style.ink(line, Ink.STRONG) for line in lines]


def rounds_text(rounds: Waves) -> str:
    """``44 groups: one full round, then 4.8%``; a full round that leaves threads idle says how many it fills."""
    groups = plural(rounds.groups, "group")
    if not rounds.full_waves:
        return f"{groups}: one round of {percent(rounds.last_occupancy)}"
    count = "one full round" if rounds.full_waves == 1 else f"{rounds.full_waves} full rounds"
    full = "" if rounds.full_occupancy >= 1 else f" of {percent(rounds.full_occupancy)}"
    rest = f", then {percent(rounds.last_occupancy)}" if rounds.last_groups else ""
    return f"{groups}: {count}{full}{rest}"


def _asked(found: Answer) -> str:
    question, occupancy = found.question, found.occupancy
    rounded_up = occupancy.local_memory_allocated
    allocated = f" ({bytes_text(rounded_up)} allocated)" if rounded_up != question.local_memory else ""
    work_group, *others = _demands(question, register_word(found.device), allocated)
    return ", ".join([work_group, f"sub-group {occupancy.sub_group_size}", *others])


def launch_text(question: Question) -> str:
    """``work-group 1x4x128 = 512, local memory 16 KiB, barrier``: the launch on any device at any sub-group size."""
    return ", ".join(_demands(question, "registers"))


def _demands(question: Question, registers: str, allocated: str = "") -> list[str]:
    product = f" = {question.size}" if len(question.work_group) > 1 else ""
    parts = [f"work-group {shape(question.work_group)}{product}"]
    if question.local_memory:
        parts.append(f"local memory {bytes_text(question.local_memory)}{allocated}")
    if question.barrier:
        parts.append("barrier")
    if question.registers is not None:
        parts.append(f"{question.registers} {registers}")
    if question.global_range is not None and question.groups is not None:
        parts.append(f"global {shape(question.global_range)} in {plural(question.groups, 'group')}")
    return parts


def _numbers(found: Answer, canvas: Canvas) -> Iterator[str]:
    occupancy = found.occupancy
    limits = ", ".join(f"{limiter} {groups}" for limiter, groups in occupancy.limits)
    rows = [
        ("threads per group", str(occupancy.threads_per_group)),
        ("groups per core", f"{occupancy.groups_per_core} (by {limits})"),
        ("occupancy", _resident_text(found)),
        ("limiter", occupancy.limiter.value),
        *((["unused", left],) if (left := str(unused(found.device, occupancy))) else ()),
        *_halo(found.halo),
        *_device_numbers(found),
    ]
    for line in aligned(rows):
        yield from wrap(line, canvas.width, subsequent_indent=" " * _NUMBERS, break_on_hyphens=False)


def _resident_text(found: Answer) -> str:
    """``31.2% of a core: 20 of 64 threads``; in an Intel register mode, its share of the mode's threads as well."""
    occupancy = found.occupancy
    mode = of_mode(found.device, occupancy)
    held, slots = occupancy.threads_resident, occupancy.threads_per_core
    return f"{percent(occupancy.ratio)} of a core: {held} of {slots} threads" + (f", {mode}" if mode else "")


def _halo(border: Halo | None) -> Iterator[tuple[str, str]]:
    if border is not None:
        more = f"{percent(border.overhead)} on top of {border.payload}, {percent(border.share)} of {border.loads} loads"
        yield "halo", f"{plural(border.border, 'element')} per group: {more}"


def _device_numbers(found: Answer) -> Iterator[tuple[str, str]]:
    occupancy, rounds = found.occupancy, found.rounds
    if occupancy.waves is None or occupancy.peak is None or occupancy.average is None or rounds is None:
        missing = "--global" if found.question.global_range is None else f"the cores of {found.device.name} (--cores)"
        yield "rounds", f"? (peak and average too: they need {missing})"
        return
    yield "rounds", f"{occupancy.waves:.2f} ({rounds_text(rounds)})"
    yield "peak", f"{percent(occupancy.peak)} of the device"
    yield "average", percent(occupancy.average)
    if found.split_rounds is not None:
        yield "", f"split across cores, as groups without a barrier may be: {rounds_text(found.split_rounds)}"


def _chart(title: str, curve: Curve, text: Callable[[int], str], canvas: Canvas) -> list[str]:
    shown, bar = sampled(len(curve.points), curve.current, canvas.room)
    points = [curve.points[index] for index in shown]
    labels = Labels(*(text(each.value) for each in (curve.points[0], points[(len(points) - 1) // 2], points[-1])))
    mark = MarkedBar(bar, f"{text(curve.here.value)}: {percent(curve.here.ratio)}")
    return [*heading_lines(title, canvas), *bars([each.ratio for each in points], labels, canvas, mark)]


def _registers(found: Answer, thresholds: Sequence[RegisterStep], canvas: Canvas) -> Iterator[str]:
    """``up to 32  100%  2 groups per core``, and what is assumed while the number is not given."""
    if not thresholds:
        return
    word = register_word(found.device)
    holder = "hardware thread" if found.device.vendor is Vendor.INTEL else "work-item"
    unknown = found.question.registers is None and found.device.vendor is not Vendor.INTEL
    title = f"occupancy of a core by {word} per {holder}"
    yield from heading_lines(title + (" (assumed above not to limit)" if unknown else ""), canvas)
    yield from aligned(
        [
            (
                f"{_INDENT}up to {each.registers}",
                percent(each.ratio),
                f"{plural(each.groups_per_core, 'group')} per core",
            )
            for each in thresholds
        ]
    )


def _best_sizes(found: Answer, sizes: Sequence[Best], canvas: Canvas) -> Iterator[str]:
    whole = found.question.global_range
    dividing = f" that divide {shape(whole)}" if whole else ""
    kept = (
        f", with {bytes_text(found.question.local_memory)} of local memory each" if found.question.local_memory else ""
    )
    yield from heading_lines(f"best work-group sizes{dividing}{kept}", canvas)
    rows = [
        (f"{_INDENT}{each.size}", percent(each.suggestion.ratio), f"{plural(each.suggestion.groups, 'group')} per core")
        for each in sizes
    ]
    yield from aligned(rows) if rows else [f"{_INDENT}none"]


def _without_unknown(rows: Sequence[Sequence[str]]) -> list[list[str]]:
    """The table without the columns that have nothing but question marks under their head."""
    kept = [number for number in range(len(rows[0])) if any(row[number] != "?" for row in rows[1:])]
    return [[row[number] for number in kept] for row in rows]


def _padded(rows: Sequence[Sequence[str]]) -> list[list[str]]:
    """The cells at the widths of their columns, numbers and shares at the right."""
    columns = []
    for column in zip(*rows, strict=True):
        width = max(map(len, column))
        numeric = all(cell[:1].isdigit() and " " not in cell for cell in column[1:])
        columns.append([cell.rjust(width) if numeric else cell.ljust(width) for cell in column])
    return [list(row) for row in zip(*columns, strict=True)]


def _row(found: Answer) -> tuple[str, ...]:
    occupancy = found.occupancy
    first = next(iter(best(found)), None)
    return (
        found.device.name,
        str(occupancy.sub_group_size),
        str(occupancy.threads_per_group),
        str(occupancy.groups_per_core),
        share_text(occupancy),
        occupancy.limiter.value,
        "?" if occupancy.waves is None else f"{occupancy.waves:.2f}",
        "?" if occupancy.peak is None else percent(occupancy.peak),
        "?" if occupancy.average is None else percent(occupancy.average),
        "-" if first is None else str(first.suggestion),
    )
