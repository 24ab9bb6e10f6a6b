"""Launches in an editor: the line above each, its sizes beside the ranges, and the page under the pointer."""

import os
import re
from collections.abc import Iterator, Sequence

from lsprotocol import types

from sycllint.errors import SycllintError
from sycllint.hardware.device import Device
from sycllint.launch.kernel import KernelLaunch, LaunchKind, Range
from sycllint.occupancy.calculator import Best, Question, answer, best
from sycllint.occupancy.model import missing_numbers
from sycllint.occupancy.occupancy import Occupancy
from sycllint.occupancy.sweep import sweep
from sycllint.report.derivation import derivation
from sycllint.report.occupancy.shares import percent, share_text
from sycllint.report.place import Sources, place_of
from sycllint.report.terminal.summary import plural
from sycllint.report.uri import file_uri
from sycllint.report.value import bytes_text, number_text, shape_text
from sycllint.server.place import covers, position_at, range_of
from sycllint.server.session import Snapshot
from sycllint.source.span import Location
from sycllint.target import Target
from sycllint.values.value import Known, OneOf, Value, known

_SEPARATOR = " · "
_STEPS = 8
"""Steps of one number that a hover shows, at most."""
_PLACES = 4
_NUMBER = re.compile(rb"\d+")


def lenses(snapshot: Snapshot, path: str, units: types.PositionEncodingKind) -> list[types.CodeLens]:
    """A line above each launch in a file (by path as shown) that has work-groups, for each of its targets."""
    source = snapshot.source(path)
    return [
        types.CodeLens(range_of(source, launch.row.span, units), types.Command(title, ""))
        for launch, targets in _launches(snapshot, path)
        if launch.row.path == path
        for title in _titles(launch, targets)
    ]


def hints(snapshot: Snapshot, path: str, units: types.PositionEncodingKind) -> list[types.InlayHint]:
    """The extents of global and local ranges where the source has names for them and their numbers are known."""
    found: dict[int, types.InlayHint] = {}
    source = snapshot.source(path)
    for launch, _ in _launches(snapshot, path):
        for extents in (launch.global_range, launch.local_range):
            if extents is None or extents.location.path != path or not extents.extents:
                continue
            if not all(isinstance(each, Known | OneOf) for each in extents.extents):
                continue
            start, end = extents.location.span
            if _is_spelt_out(extents, source.content[start:end]):
                continue
            text = f"= {shape_text(extents.extents)}"
            found.setdefault(end, types.InlayHint(position_at(source, end, units), text, padding_left=True))
    return list(found.values())


def hover(snapshot: Snapshot, path: str, offset: int, units: types.PositionEncodingKind) -> types.Hover | None:
    """The page of the launch whose name, or one of whose ranges, stands at an offset of a file."""
    for launch, targets in _launches(snapshot, path):
        for location in _touched(launch):
            if location.path == path and covers(location, offset):
                text = "\n".join(_page(launch, targets, snapshot.source))
                place = range_of(snapshot.source(path), location.span, units)
                return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, text), place)
    return None


def _launches(snapshot: Snapshot, path: str) -> Iterator[tuple[KernelLaunch, tuple[Target, ...]]]:
    launches = snapshot.launches.get(path)
    if launches is None or not launches.found:
        return
    from sycllint.hardware.profiles import resolve

    devices = resolve(launches.devices, launches.config.devices)
    targets = tuple(Target(device) for device in devices)
    for launch in launches.found:
        yield launch, targets


def _touched(launch: KernelLaunch) -> Iterator[Location]:
    yield launch.row
    yield launch.location
    for extents in (launch.global_range, launch.local_range):
        if extents is not None:
            yield extents.location


# ----------------------------------------------------------------- the line above


def _titles(launch: KernelLaunch, targets: Sequence[Target]) -> list[str]:
    """``tgl 57 % · 1 group · threads`` for each target."""
    if launch.kind is LaunchKind.SINGLE_TASK:
        return []
    if launch.work_group_size is None:
        return ["work-group size chosen by the runtime"]
    return [_on(launch, target) for target in targets]


def _on(launch: KernelLaunch, target: Target) -> str:
    found = target.occupancy_of(launch)
    if not found:
        if target.device.threads_per_core is None:
            return f"{target.name} ?{_SEPARATOR}threads per core are not public"
        missing = _missing(launch)
        return (
            f"{target.name} ?{_SEPARATOR}depends on {missing}" if missing else f"{target.name}{_SEPARATOR}does not fit"
        )
    if all(each.groups_per_core == 0 for each in found):
        return f"{target.name}{_SEPARATOR}cannot run"
    groups = _span([each.groups_per_core for each in found])
    many = "group" if groups == "1" else "groups"
    limiters = dict.fromkeys(each.limiter.value for each in found if each.ratio < 1)
    parts = [f"{target.name} {_span([int(100 * each.ratio + 0.5) for each in found])} %", f"{groups} {many}", *limiters]
    return _SEPARATOR.join(parts)


def _span(numbers: Sequence[int]) -> str:
    """``57``; ``86–100`` over the legal sub-group sizes."""
    least, most = min(numbers), max(numbers)
    return str(least) if least == most else f"{least}–{most}"


def _missing(launch: KernelLaunch) -> str:
    """The sizes that are not known, in the words of the source."""
    missing = [(name, number_text(value)) for name, value in missing_numbers(launch)]
    if not missing and launch.barrier is None:
        return "whether the kernel has a barrier"
    return ", ".join(dict.fromkeys(name if text == "?" else text for name, text in missing))


# ------------------------------------------------------------- beside the ranges


def _is_spelt_out(extents: Range, text: bytes) -> bool:
    """Whether the source has the same numbers, and no names for them."""
    numbers = [number for number in map(known, extents.extents) if number is not None]
    return [int(each) for each in _NUMBER.findall(text.partition(b">")[2] or text)] == numbers


# ---------------------------------------------------------------- under the pointer


def _page(launch: KernelLaunch, targets: Sequence[Target], sources: Sources) -> Iterator[str]:
    """The occupancy on each target, then the sizes and their derivation."""
    yield _heading(launch)
    rows = [row for target in targets for row in _occupancies(launch, target)]
    if rows:
        yield ""
        yield from _table(("target", "sub-group", "occupancy", "groups", "limiter", "better sizes"), rows)
    for target in targets:
        found = sweep(target.device, launch)
        if found is not None:
            yield ""
            yield _escaped(found.sentence(target.name))
    yield ""
    yield from _table(("", "size", "from"), _sizes(launch, sources))
    if launch.open:
        yield ""
        yield "Calls that are not visible may launch it with other sizes."


def _heading(launch: KernelLaunch) -> str:
    name = f"`{launch.kernel.name}`" if launch.kernel.name else "Kernel without a name"
    dims = f", {plural(launch.dims, 'dimension')}" if launch.dims else ""
    function = f", in `{launch.function}`" if launch.function else ""
    return f"**{name}**: `{launch.kind.value}`{dims}{function}"


def _sizes(launch: KernelLaunch, sources: Sources) -> Iterator[tuple[str, ...]]:
    """Each number, and the steps it came by."""
    if launch.global_range is not None:
        yield _extents("global range", launch.global_range, sources)
    if launch.local_range is not None:
        yield _extents("local range", launch.local_range, sources)
    elif launch.dims:
        yield ("local range", "chosen by the runtime", "")
    size = launch.work_group_size
    if size is not None and (launch.local_range is None or len(launch.local_range.extents) > 1):
        yield ("work-group", _code(number_text(size)), "")
    if launch.required_work_group is not None:
        yield _extents("required work-group", launch.required_work_group, sources)
    width = launch.sub_group_size
    if width is None:
        yield ("sub-group", "chosen by the compiler", "")
    else:
        yield ("sub-group", _code(number_text(width.value)), _at(width.location, sources))
    if launch.register_count is not None:
        value = launch.register_count.value
        yield ("registers", _code(number_text(value)), _steps([value], sources))
    memory = launch.local_memory
    parts = [f"{_code(each.name)} {_code(bytes_text(each.bytes))}" for each in memory.allocations]
    why = ", ".join(parts) if parts else _steps([memory.total], sources)
    yield ("local memory", _code(bytes_text(memory.total)), why)
    private = launch.private_memory
    if private.arrays:
        names = ", ".join(_code(each.name) for each in private.arrays)
        yield ("private arrays", _code(bytes_text(private.total)), names)
    places = list(dict.fromkeys(_at(each, sources) for each in launch.kernel.barriers))
    barrier = {True: "yes", False: "no", None: "unknown"}[launch.barrier]
    yield ("barrier", barrier, _first(places, _PLACES, ", "))


def _extents(label: str, extents: Range, sources: Sources) -> tuple[str, ...]:
    return label, _code(shape_text(extents.extents)), _steps(extents.extents, sources)


def _steps(values: Sequence[Value], sources: Sources) -> str:
    said = list(dict.fromkeys(text for value in values for text in derivation(value, sources)))
    return _first([*map(_escaped, said)], _STEPS, "; ")


def _first(texts: Sequence[str], most: int, between: str) -> str:
    more = [f"{len(texts) - most} more"] if len(texts) > most else []
    return between.join([*texts[:most], *more])


def _at(location: Location, sources: Sources) -> str:
    """A link to the line."""
    place = place_of(location, sources)
    address = f"{file_uri(os.path.abspath(place.path))}#L{place.line}"
    return f"[{_escaped(os.path.basename(place.path))}:{place.line}]({address})"


def _occupancies(launch: KernelLaunch, target: Target) -> Iterator[tuple[str, ...]]:
    """One row for each sub-group size that differs from the others; one that says why there is none."""
    found = target.occupancy_of(launch)
    if not found:
        if launch.dims:
            yield target.name, "", *_without_occupancy(launch, target.device)
        return
    groups: dict[tuple[str, str, str, str], list[str]] = {}
    for each in found:
        numbers = (share_text(each), str(each.groups_per_core), _limiter(each), _better(launch, target.device, each))
        groups.setdefault(numbers, []).append(str(each.sub_group_size))
    for numbers, sizes in groups.items():
        yield target.name, " or ".join(sizes), *numbers


def _without_occupancy(launch: KernelLaunch, device: Device) -> tuple[str, str, str, str]:
    """Why there is none, and which sizes would have one."""
    if device.threads_per_core is None:
        return "unknown: the threads per core are not public", "", "", ""
    if launch.work_group_size is None:
        return "unknown: the runtime chooses the work-group size", "", "", ""
    missing = _missing(launch)
    if missing:
        return f"unknown: depends on {_escaped(missing)}", "", "", ""
    width = None if launch.sub_group_size is None else known(launch.sub_group_size.value)
    return "does not fit", "0", "", _fitting(launch, device, width or device.sub_group_sizes[0], None)[1]


def _limiter(each: Occupancy) -> str:
    if each.groups_per_core == 0:
        return _escaped(each.why)
    return "-" if each.ratio >= 1 else each.limiter.value


def _better(launch: KernelLaunch, device: Device, here: Occupancy) -> str:
    """``64 (1 group, 100%)``: sizes that keep more of a core busy; ``-`` when there is none."""
    if here.ratio >= 1:
        return "-"
    found, refused = _fitting(launch, device, here.sub_group_size, here.registers)
    return refused or ", ".join(_size(each) for each in found if each.suggestion.ratio > here.ratio) or "-"


def _fitting(
    launch: KernelLaunch, device: Device, sub_group: int, registers: int | None
) -> tuple[tuple[Best, ...], str]:
    """The best sizes for the launch as far as it is known; or why it cannot be, and what could."""
    memory, local = known(launch.local_memory.total), launch.local_range and launch.local_range.numbers
    if memory is None or not local:
        return (), ""
    question = Question(
        local,
        sub_group,
        local_memory=memory,
        barrier=launch.barrier is True,
        registers=registers,
        global_range=launch.global_range.numbers if launch.global_range is not None else None,
    )
    try:
        return best(answer(device, question)), ""
    except SycllintError as error:
        return (), _escaped(error.message)


def _size(each: Best) -> str:
    shape = "x".join(map(str, each.local_range or (each.suggestion.work_group,)))
    return f"`{shape}` ({plural(each.suggestion.groups, 'group')}, {percent(each.suggestion.ratio)})"


def _table(head: Sequence[str], rows: Iterator[tuple[str, ...]] | Sequence[tuple[str, ...]]) -> Iterator[str]:
    yield _row(head)
    yield _row(["---"] * len(head))
    for row in rows:
        yield _row(row)


def _row(row: Sequence[str]) -> str:
    return f"| {' | '.join(each.replace('|', chr(92) + '|').replace(chr(10), ' ') for each in row)} |"


def _code(text: str) -> str:
    return f"`{text.replace('`', chr(39))}`"


def _escaped(text: str) -> str:
    """Text of a program as text of Markdown: names have underscores and stars."""
    return re.sub(r"([\\`*_{}\[\]<>#])", r"\\\1", text)
