"""The launches of a run, as a table for people and as JSON for programs."""

from collections.abc import Callable, Iterator, Sequence

from sycllint.launch.kernel import KernelLaunch, LaunchKind, Range
from sycllint.occupancy.occupancy import Occupancy
from sycllint.pipeline import Kernels, LaunchReport
from sycllint.report import remembered
from sycllint.report.display import cells, printable
from sycllint.report.json import Json, written
from sycllint.report.place import Sources, place_of
from sycllint.report.style import Ink, Style
from sycllint.report.summary import assumed, plural, shown_notices
from sycllint.report.value import bytes_text, number_text, value_json
from sycllint.source.text import SourceFile
from sycllint.values.value import Value

SEPARATOR = "  "

_CELL = 24  # cells of a value or name in the table, unless it is wide
_NARROWEST = {"location": 24, "kernel": 12, "global": 10, "local": 10, "local memory": 12}
"""Columns that give way on a narrow terminal, and the cells they keep."""


def kernels_table(
    kernels: Kernels,
    sources: Callable[[str], SourceFile],
    *,
    color: bool,
    width: int,
    wide: bool = False,
) -> str:
    """One row for each launch, then the notices and a count.

    Names and values are shortened towards ``width`` cells, which many targets still exceed; ``wide`` shortens nothing.
    """
    style = Style(color=color)
    files = remembered(sources)
    head = ("location", "kernel", "kind", "global", "local", "sub-group", "local memory", "barrier", *kernels.targets)
    rows = [_row(report, kernels.targets, files) for report in kernels.launches]
    lines = list(_table(head, rows, style, None if wide else width)) if rows else []
    notices = [
        f"{style.ink('notice', Ink.STRONG)}: {printable(each)}"
        for each in shown_notices(kernels.notices, all_with=None)
    ]
    blocks = [lines, notices, [_count(kernels)]]
    return "\n\n".join("\n".join(block) for block in blocks if block) + "\n"


def kernels_json(kernels: Kernels, sources: Callable[[str], SourceFile]) -> str:
    """One JSON object with the list ``launches``."""
    files = remembered(sources)
    return written({"launches": [_launch(report, kernels.targets, files) for report in kernels.launches]})


def _count(kernels: Kernels) -> str:
    parts = [f"{plural(kernels.checked, 'file')} checked, {plural(len(kernels.launches), 'kernel')} found"]
    if kernels.targets_assumed:
        parts.append(assumed(kernels.targets))
    if kernels.interrupted:
        parts.append("interrupted: the rest was not read")
    elif not kernels.complete:
        parts.append("incomplete: not everything could be read")
    return "; ".join(parts)


def _row(report: LaunchReport, targets: Sequence[str], sources: Sources) -> tuple[str, ...]:
    launch = report.launch
    place = place_of(launch.location, sources)
    auto = "auto" if launch.kind.value != "single_task" else "-"
    cores = [_occupancy_text(launch, report.occupancies.get(target, ())) for target in targets]
    return tuple(
        map(
            printable,
            (
                f"{place.path}:{place.line}",
                launch.kernel.name or "-",
                launch.kind.value,
                _extents_text(launch.global_range, "-"),
                _extents_text(launch.local_range, auto),
                "auto" if launch.sub_group_size is None else number_text(launch.sub_group_size.value),
                bytes_text(launch.local_memory.total),
                {True: "yes", False: "no", None: "?"}[launch.barrier],
                *cores,
            ),
        )
    )


def _extents_text(extents: Range | None, absent: str) -> str:
    return absent if extents is None else "x".join(map(number_text, extents.extents)) or absent


def _occupancy_text(launch: KernelLaunch, occupancies: Sequence[Occupancy]) -> str:
    """``57.1% threads``; where the sub-group sizes differ, ``8: 85.7% threads, 16|32: 100%``."""
    if not occupancies:
        return "-" if launch.kind is LaunchKind.SINGLE_TASK else "?"
    sizes: dict[str, list[str]] = {}
    for each in occupancies:
        sizes.setdefault(_residency_text(each), []).append(str(each.sub_group_size))
    if len(sizes) == 1:
        return next(iter(sizes))
    return ", ".join(f"{'|'.join(alike)}: {text}" for text, alike in sizes.items())


def _residency_text(occupancy: Occupancy) -> str:
    if occupancy.groups_per_core == 0:
        return f"cannot run ({occupancy.limiter.value})"
    return "100%" if occupancy.ratio >= 1 else f"{occupancy.ratio:.1%} {occupancy.limiter.value}"


def _table(head: Sequence[str], rows: Sequence[Sequence[str]], style: Style, width: int | None) -> Iterator[str]:
    widths = [max(cells(row[index]) for row in (head, *rows)) for index in range(len(head))]
    if width is not None:
        widths = _fitted(head, widths, width)
    yield style.ink(_line(head, widths), Ink.STRONG)
    for row in rows:
        yield _line(row, widths)


def _fitted(head: Sequence[str], widths: Sequence[int], width: int) -> list[int]:
    """Names and values at most 24 cells, then the columns that can spare most narrower until the row fits."""
    fitted = [
        min(each, _CELL) if name in _NARROWEST and name != "location" else each
        for name, each in zip(head, widths, strict=True)
    ]
    spare = [max(each - _NARROWEST.get(name, each), 0) for name, each in zip(head, fitted, strict=True)]
    excess = sum(fitted) + len(SEPARATOR) * (len(fitted) - 1) - width
    for _ in range(min(excess, sum(spare))):
        widest = spare.index(max(spare))
        spare[widest] -= 1
        fitted[widest] -= 1
    return fitted


def _line(row: Sequence[str], widths: Sequence[int]) -> str:
    written = [
        _padded(_cut(text, width, keep_end=index == 0), width)
        for index, (text, width) in enumerate(zip(row, widths, strict=True))
    ]
    return SEPARATOR.join(written).rstrip()


def _padded(text: str, width: int) -> str:
    return text + " " * (width - cells(text))


def _cut(text: str, width: int, *, keep_end: bool) -> str:
    """Text of at most ``width`` cells; of a place the end is kept, which has the line number."""
    if cells(text) <= width:
        return text
    characters = list(reversed(text)) if keep_end else list(text)
    kept = ""
    for character in characters:
        if cells(kept + character) > width - 1:
            break
        kept += character
    return "…" + kept[::-1] if keep_end else kept + "…"


def _launch(report: LaunchReport, targets: Sequence[str], sources: Sources) -> Json:
    launch = report.launch
    place = place_of(launch.location, sources)
    return {
        "path": place.path,
        "line": place.line,
        "column": place.column,
        "kind": launch.kind.value,
        "kernel": launch.kernel.name,
        "function": launch.function,
        "dims": launch.dims,
        "global": _extents(launch.global_range, sources) or [],
        "local": _extents(launch.local_range, sources),
        "work_group_size": _value(launch.work_group_size, sources),
        "sub_group_size": _value(None if launch.sub_group_size is None else launch.sub_group_size.value, sources),
        "local_memory_bytes": value_json(launch.local_memory.total, sources),
        "barrier": launch.barrier,
        "private_bytes": value_json(launch.private_memory.total, sources),
        "occupancy": {target: _occupancies(launch, report.occupancies.get(target, ())) for target in targets},
    }


def _extents(extents: Range | None, sources: Sources) -> Sequence[Json] | None:
    return None if extents is None else [value_json(each, sources) for each in extents.extents]


def _value(value: Value | None, sources: Sources) -> Json:
    return None if value is None else value_json(value, sources)


def _occupancies(launch: KernelLaunch, occupancies: Sequence[Occupancy]) -> Json:
    if not occupancies:
        return None
    if launch.sub_group_size is not None and len(occupancies) == 1:
        return _occupancy(occupancies[0])
    return [_occupancy(each) for each in occupancies]


def _occupancy(occupancy: Occupancy) -> Json:
    return {
        "sub_group_size": occupancy.sub_group_size,
        "threads_per_group": occupancy.threads_per_group,
        "groups_per_core": occupancy.groups_per_core,
        "ratio": _rounded(occupancy.ratio),
        "limiter": occupancy.limiter.value,
        "peak": _rounded(occupancy.peak),
        "average": _rounded(occupancy.average),
        "waves": _rounded(occupancy.waves),
    }


def _rounded(number: float | None) -> float | None:
    return None if number is None else round(number, 4)
