"""The launches of a run: a table and a list of what is unknown for people, JSON for programs."""

from collections.abc import Callable, Iterator, Sequence
from textwrap import wrap

from sycllint.grouping import grouped
from sycllint.hardware.device import Device, Vendor
from sycllint.launch.compiled import CompiledKernel
from sycllint.launch.kernel import KernelLaunch, LaunchKind, Range
from sycllint.occupancy.added import added_local_memory
from sycllint.occupancy.budget import Budgets
from sycllint.occupancy.occupancy import Limiter, Occupancy
from sycllint.occupancy.sweep import sweep
from sycllint.pipeline import Kernels, LaunchReport
from sycllint.pipeline.result import Coverage
from sycllint.record import record
from sycllint.report import remembered
from sycllint.report.json import Json, written
from sycllint.report.occupancy.budget import budget_json, budget_lines, open_lines
from sycllint.report.occupancy.filling import device_by_size, device_by_width, device_cell, device_json
from sycllint.report.occupancy.shares import by_sub_group, occupancy_json, share_text
from sycllint.report.place import Sources, place_of
from sycllint.report.reports import report_lines, reports_json
from sycllint.report.terminal.display import cells, printable
from sycllint.report.terminal.style import Ink, Style
from sycllint.report.terminal.summary import assumed, plural, shown_notices
from sycllint.report.unknown import unknown_json, unknown_lines
from sycllint.report.value import bytes_text, number_text, shape_text, value_json
from sycllint.source.text import SourceFile
from sycllint.values.value import Value, known

SEPARATOR = "  "

_CELL = 24  # cells of a value or name in the table, unless it is wide
_NARROWEST = {"location": 18, "kernel": 9, "global": 8, "local": 8, "local mem": 9, "limiter": 9}
"""Columns that give way on a narrow terminal, and the cells they keep."""
_INDENT = "    "
_PLACES = 3
"""Places and names that a line lists."""
_SHORT = {Limiter.LOCAL_MEMORY: "local mem", Limiter.GROUPS: "slots", Limiter.WORK_GROUP_SIZE: "size"}
"""Limiters whose names are too long for a column."""


def kernels_table(
    kernels: Kernels,
    sources: Callable[[str], SourceFile],
    *,
    color: bool,
    width: int,
    wide: bool = False,
) -> str:
    """One row for each launch, under it what the values of its one open parameter would give; notices; a count.

    Names and values are shortened towards ``width`` cells, which several targets still exceed. ``wide`` shortens
    nothing, and shows the occupancy of each sub-group size, the kind of each launch and every step of its registers.
    """
    style = Style(color=color)
    files = remembered(sources)
    columns = _Columns.of(kernels, wide=wide)
    rows = [_row(report, columns, files) for report in kernels.launches]
    lines: list[str] = []
    if rows:
        budgets = [Budgets(device) for device in kernels.devices]
        first, *others = _table(columns.head(), rows, style, None if wide else width)
        lines.append(first)
        for report, line in zip(kernels.launches, others, strict=True):
            below = [
                *_sweep_lines(report, kernels.devices),
                *_device_lines(report),
                *budget_lines(
                    report.launch,
                    [(each, report.occupancies.get(each.device.name, ())) for each in budgets],
                    whole=wide,
                ),
            ]
            lines += [line, *(style.ink(each, Ink.QUIET) for each in _indented(below, None if wide else width))]
    return _page([lines, _at_most(kernels, width, wide=wide), _added(kernels, width)], kernels, style)


def unknown_numbers(kernels: Kernels, sources: Callable[[str], SourceFile], *, color: bool, width: int) -> str:
    """Unresolved numbers by reason, the commonest first: how many launches depend on them, for what, and where."""
    style = Style(color=color)
    return _page(unknown_lines(kernels, remembered(sources), style, width), kernels, style)


def kernels_json(kernels: Kernels, sources: Callable[[str], SourceFile]) -> str:
    """One JSON object: ``launches``, what is unknown of them, and which compilers' reports were joined, if any."""
    files = remembered(sources)
    budgets = [Budgets(device) for device in kernels.devices]
    launches = [_launch(report, budgets, files) for report in kernels.launches]
    document: dict[str, Json] = {
        "launches": launches,
        "coverage": _coverage(kernels.coverage),
        "unknown": unknown_json(kernels, files),
    }
    if kernels.joined is not None:
        document["kernel_info"] = reports_json(kernels.reports, kernels.joined)
    return written(document)


def _coverage(coverage: Coverage) -> Json:
    functions = grouped((each.function, each) for each in coverage.not_followed)
    return {
        "launches": coverage.launches,
        "sizes_known": coverage.sizes_known,
        "not_followed": [
            {"function": name, "calls": len(calls), "setting": calls[0].setting} for name, calls in functions.items()
        ],
        "not_parsed": list(coverage.not_parsed),
    }


def _unseen(coverage: Coverage) -> list[str]:
    """Functions that get a kernel and may launch it, with the lines of ``[launch-helpers]`` for them."""
    calls = coverage.not_followed
    if not calls:
        return []
    settings = {each.function: each.setting for each in reversed(calls)}
    functions = plural(len(settings), "function")
    were = "was" if len(calls) == 1 else "were"
    return [
        f"{plural(len(calls), 'call')} of {functions} that may launch {were} not followed; in sycllint.toml:",
        f"{_INDENT}[launch-helpers]",
        *(f"{_INDENT}{printable(settings[name])}" for name in sorted(settings)),
    ]


def _at_most(kernels: Kernels, width: int, *, wide: bool) -> list[str]:
    """Notes that the registers of a kernel, which the compiler chooses, may lower the shares on some devices."""
    open_on = [
        device.name
        for device in kernels.devices
        if device.vendor is not Vendor.INTEL
        and any(found.registers is None for each in kernels.launches for found in each.occupancies.get(device.name, ()))
    ]
    if not open_on:
        return []
    fact = "register use is the compiler's choice and assumed not to limit; each share is an upper bound"
    launches = [(report.launch, report.occupancies) for report in kernels.launches]
    stairs = list(open_lines(launches, [Budgets(device) for device in kernels.devices], whole=wide))
    return [
        *wrap(f"{', '.join(open_on)}: {fact}", width, break_on_hyphens=False),
        *_indented(stairs, None if wide else width),
    ]


def _added(kernels: Kernels, width: int) -> list[str]:
    """The local memory that the compiler is assumed to add, the maximum of each device."""
    lines: list[str] = []
    for device in kernels.devices:
        found = [
            each
            for report in kernels.launches
            if report.occupancies.get(device.name) and (each := added_local_memory(device, report.launch)) is not None
        ]
        if found:
            most = max(found)
            others = f" ({plural(len(found), 'launch', 'launches')})" if len(found) > 1 else ""
            text = f"{device.name}: occupancy {most.text} to local memory{others}"
            lines += wrap(text, width, break_on_hyphens=False)
    return lines


def _count(kernels: Kernels) -> str:
    parts = [f"{plural(kernels.checked, 'file')} checked, {plural(len(kernels.launches), 'kernel')} found"]
    if kernels.launches:
        parts[0] += f", {kernels.coverage.sizes_known} with known sizes"
    if kernels.targets_assumed:
        parts.append(assumed(kernels.targets))
    if kernels.interrupted:
        parts.append("interrupted: the rest was not read")
    elif not kernels.complete:
        parts.append("incomplete: not everything could be read")
    return "; ".join(parts)


def _page(blocks: Sequence[Sequence[str]], kernels: Kernels, style: Style) -> str:
    """The blocks that are not empty, the notices, and the count, with blank lines between."""
    notices = [
        f"{style.ink('notice', Ink.STRONG)}: {printable(each)}"
        for each in shown_notices(kernels.notices, all_with=None)
    ]
    reports = [] if kernels.joined is None else [*map(printable, report_lines(kernels.reports, kernels.joined))]
    page = (*blocks, reports, notices, _unseen(kernels.coverage), [_count(kernels)])
    return "\n\n".join("\n".join(block) for block in page if block) + "\n"


@record
class _Columns:
    """The columns of the table that depend on the run."""

    targets: Sequence[str]
    filled: frozenset[str]
    """Targets of which it is known for some launch how it fills the whole device."""
    wide: bool

    @classmethod
    def of(cls, kernels: Kernels, *, wide: bool) -> "_Columns":
        """The columns in which some launch of ``kernels`` has a value."""
        filled = {target for report in kernels.launches for target, found in report.fillings.items() if found}
        return cls(kernels.targets, frozenset(filled), wide)

    def head(self) -> tuple[str, ...]:
        first = ("location", "kernel", *(["kind"] if self.wide else []), "global", "local")
        cores: list[str] = []
        for target in self.targets:
            device = "device (avg)" if len(self.targets) == 1 else f"{target} device (avg)"
            cores += [target, *([device] if target in self.filled else []), *(["limiter"] if self.wide else [])]
        return (*first, "sub-group", "local mem", "barrier", *cores, *([] if self.wide else ["limiter"]))

    def shares(self, report: LaunchReport) -> list[str]:
        """For each target the occupancy of a core, the share of the device, and the limiter."""
        launch, absent = report.launch, _absent(report.launch)
        cells_of_row: list[str] = []
        limiters: list[str] = []
        for target in self.targets:
            found, whole = report.occupancies.get(target, ()), report.fillings.get(target, ())
            cells_of_row.append(_occupancy_text(launch, found) if self.wide else _span_text(launch, found))
            if target in self.filled:
                cells_of_row.append((device_by_width if self.wide else device_cell)(whole, absent))
            if self.wide:
                cells_of_row.append(_limiter_text(found))
            limiters += [_SHORT.get(each, each.value) for each in _limiters(found)]
        return cells_of_row if self.wide else [*cells_of_row, ", ".join(dict.fromkeys(limiters)) or "-"]


def _row(report: LaunchReport, columns: _Columns, sources: Sources) -> tuple[str, ...]:
    launch = report.launch
    place = place_of(launch.row, sources)
    auto = "auto" if launch.kind is not LaunchKind.SINGLE_TASK else "-"
    cells_of_row = (
        f"{place.path}:{place.line}",
        launch.kernel.name or "-",
        *([launch.kind.value] if columns.wide else []),
        _named("GWS", launch, _extents_text(launch.global_range, "-")),
        _named("LWS", launch, _local_text(report, auto)),
        "auto" if launch.sub_group_size is None else number_text(launch.sub_group_size.value),
        bytes_text(launch.local_memory.total),
        {True: "yes", False: "no", None: "?"}[launch.barrier],
        *columns.shares(report),
    )
    return tuple(map(printable, cells_of_row))


def _sweep_lines(report: LaunchReport, devices: Sequence[Device]) -> list[str]:
    """``R <= 4 launches on tgl; R=1 100%, 2 86%, 3 86%, 4 57%`` for each target; those that agree together."""
    sentences: dict[str, list[str]] = {}
    for device in devices:
        found = sweep(device, report.launch) if device.name in report.occupancies else None
        if found is not None:
            sentences.setdefault(found.sentence("{}"), []).append(device.name)
    return [printable(text.replace("{}", ", ".join(targets))) for text, targets in sentences.items()]


def _device_lines(report: LaunchReport) -> list[str]:
    """``of tgl by work-groups: 1 2.4%, 2 4.8%`` for a launch that is reached with several sizes."""
    texts = (device_by_size(device, fillings) for device, fillings in report.fillings.items())
    return [printable(text) for text in texts if text]


def _indented(lines: Sequence[str], width: int | None) -> list[str]:
    """Under the row of a launch; wrapped unless ``width`` is ``None``."""
    if width is None:
        return [_INDENT + line for line in lines]
    below = 2 * _INDENT
    return [
        part
        for line in lines
        for part in wrap(line, width, initial_indent=_INDENT, subsequent_indent=below, break_on_hyphens=False)
    ]


def _extents_text(extents: Range | None, absent: str) -> str:
    return absent if extents is None else shape_text(extents.extents) or absent


def _local_text(report: LaunchReport, absent: str) -> str:
    """The local range; ``1x16x16|1x32x8`` where several dimensions differ: it shows which extents belong together."""
    columns = list(zip(*report.local_tuples, strict=True))
    if sum(len(set(each)) > 1 for each in columns) > 1:
        return "|".join("x".join(map(str, each)) for each in report.local_tuples)
    local = report.launch.local_range
    text = _extents_text(local, absent)
    is_known = local is not None and all(known(each) is not None for each in local.extents)
    return f"{text} on {report.for_target}" if report.for_target is not None and is_known else text


def _named(name: str, launch: KernelLaunch, text: str) -> str:
    """``LWS 256``: the sizes of an OpenMP region by the names that its users know."""
    return f"{name} {text}" if launch.kind is LaunchKind.OMP_TARGET else text


def _occupancy_text(launch: KernelLaunch, occupancies: Sequence[Occupancy]) -> str:
    """``57.1%``; where the sub-group sizes differ, ``8: 85.7%, 16|32: 100%``."""
    if not occupancies:
        return _absent(launch)
    return by_sub_group((each.sub_group_size, share_text(each)) for each in occupancies)


def _span_text(launch: KernelLaunch, occupancies: Sequence[Occupancy]) -> str:
    """``57.1%``; from the least to the most over the sub-group sizes: ``86-100%``."""
    if not occupancies:
        return _absent(launch)
    shares = list(dict.fromkeys(map(share_text, sorted(occupancies, key=lambda each: each.ratio))))
    if len(shares) == 1:
        return shares[0]
    return f"{100 * min(each.ratio for each in occupancies):.0f}-{100 * max(each.ratio for each in occupancies):.0f}%"


def _absent(launch: KernelLaunch) -> str:
    return "-" if launch.kind is LaunchKind.SINGLE_TASK else "?"


def _limiter_text(occupancies: Sequence[Occupancy]) -> str:
    """``threads``; where the sub-group sizes differ, ``8: threads, 16|32: local memory``; what is full has none."""
    limited = [each for each in occupancies if each.ratio < 1]
    if len(limited) == len(occupancies) and len(_limiters(occupancies)) == 1:
        return limited[0].limiter.value
    return by_sub_group((each.sub_group_size, each.limiter.value) for each in limited) if limited else "-"


def _limiters(occupancies: Sequence[Occupancy]) -> list[Limiter]:
    return list(dict.fromkeys(each.limiter for each in occupancies if each.ratio < 1))


def _table(head: Sequence[str], rows: Sequence[Sequence[str]], style: Style, width: int | None) -> Iterator[str]:
    widths = [max(cells(row[index]) for row in (head, *rows)) for index in range(len(head))]
    if width is not None:
        widths = _fitted(head, widths, width)
    yield style.ink(_row_line(head, widths), Ink.STRONG)
    for row in rows:
        yield _row_line(row, widths)


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


def _row_line(row: Sequence[str], widths: Sequence[int]) -> str:
    shown = [_cut(text, width, keep_end=not index) for index, (text, width) in enumerate(zip(row, widths, strict=True))]
    padded = (text + " " * (width - cells(text)) for text, width in zip(shown, widths, strict=True))
    return SEPARATOR.join(padded).rstrip()


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


def _launch(report: LaunchReport, budgets: Sequence[Budgets], sources: Sources) -> Json:
    launch = report.launch
    place = place_of(launch.row, sources)
    filled = {each.device.name: device_json(report.fillings.get(each.device.name, ())) for each in budgets}
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
        "local_tuples": [list(each) for each in report.local_tuples] or None,
        "for_target": report.for_target,
        "work_group_size": _value(launch.work_group_size, sources),
        "sub_group_size": _value(None if launch.sub_group_size is None else launch.sub_group_size.value, sources),
        "local_memory_bytes": value_json(launch.local_memory.total, sources),
        "barrier": launch.barrier,
        "private_bytes": value_json(launch.private_memory.total, sources),
        "via": [
            {"path": at.path, "line": at.line, "function": each.name}
            for each in launch.via
            for at in (place_of(each.location, sources),)
        ],
        "occupancy": {
            each.device.name: _occupancies(launch, each, report.occupancies.get(each.device.name, ()))
            for each in budgets
        },
        # By target an object for each size; an empty list where it is unknown how the launch fills the device.
        **({"device_occupancy": filled} if report.fillings else {}),
        **({"compiled": [_compiled(each) for each in launch.compiled]} if launch.compiled else {}),
    }


def _compiled(kernel: CompiledKernel) -> Json:
    """A compiler's report on the kernel; ``null`` for what it does not say."""
    return {
        "name": kernel.name,
        "vendor": kernel.vendor.value,
        "target": kernel.device,
        "path": kernel.path,
        "line": kernel.line,
        "sub_group_size": kernel.sub_group_size,
        "registers": kernel.registers,
        "accumulators": kernel.accumulators,
        "local_memory_bytes": kernel.local_memory,
        "barriers": kernel.barriers,
        "private_memory_bytes": kernel.private_memory,
        "private_array_bytes": kernel.private_arrays,
        "spill_bytes": kernel.spills,
        "dynamic_stack": kernel.dynamic_stack,
    }


def _extents(extents: Range | None, sources: Sources) -> Sequence[Json] | None:
    return None if extents is None else [value_json(each, sources) for each in extents.extents]


def _value(value: Value | None, sources: Sources) -> Json:
    return None if value is None else value_json(value, sources)


def _occupancies(launch: KernelLaunch, budgets: Budgets, occupancies: Sequence[Occupancy]) -> Json:
    if not occupancies:
        return None
    found = [
        {
            **occupancy_json(each),
            "registers": each.registers,
            "threads_per_core": each.threads_per_core,
            "usable_threads_per_core": each.usable_threads_per_core,
            **budget_json(budgets.of(launch, each)),
        }
        for each in occupancies
    ]
    return found[0] if launch.sub_group_size is not None and len(found) == 1 else found
