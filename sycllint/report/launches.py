"""The launches of a run as plain values, for programs: frozen objects, and the rows of a table."""

from collections.abc import Iterable, Mapping
from typing import TypeAlias

from sycllint.config import Config, Configs
from sycllint.launch.kernel import KernelLaunch, Range
from sycllint.launch.unresolved import unresolved
from sycllint.occupancy.model import verdicts
from sycllint.occupancy.occupancy import Occupancy
from sycllint.pipeline import Kernels, LaunchReport, kernels
from sycllint.pipeline.asked import Paths, names_of, settings_of
from sycllint.record import field, record
from sycllint.report import remembered
from sycllint.report.place import Sources, line_text, place_of, read_file
from sycllint.report.value import number_text
from sycllint.values.value import Value, known

Number: TypeAlias = int | str
"""A number that is known, or what is known of it: ``128|256`` (one of them), ``128*R``, ``?``."""
Cell: TypeAlias = int | float | str | bool | None


@record(guarded=True)
class Launch:
    """One kernel submission in the source, as ``sycllint kernels`` lists it. Ranges: slowest dimension first."""

    path: str
    line: int
    """From 1; of the name ``parallel_for``, ``single_task`` and so on."""
    column: int
    kind: str
    """``nd_range``, ``range``, ``single_task``, ``work_group``, ``omp_target`` or ``unknown``."""
    kernel: str | None
    """Kernel name type, function object or free function; ``None`` if it has no name."""
    function: str | None
    """The host function around it."""
    dims: int | None
    global_range: tuple[Number, ...]
    """Empty for a single task."""
    local_range: tuple[Number, ...] | None
    """``None`` when the runtime chooses."""
    work_group_size: Number | None
    """Work-items; ``None`` when the runtime chooses."""
    sub_group_size: Number | None
    """``None`` when the compiler chooses."""
    local_memory: Number
    """Bytes per work-group."""
    private_memory: Number
    """Bytes of private arrays per work-item."""
    barrier: bool | None
    """Whether a work-group barrier or collective can be reached; ``None`` when that is unknown."""
    unknown: tuple[str, ...]
    """What is not known and why, as ``global: n is a parameter of scale (src/a.cpp:3)``."""
    occupancy: Mapping[str, tuple[Occupancy, ...]] = field(hash=False)
    """By target, one for each sub-group size that the launch may have there, also where it cannot run: then
    ``groups_per_core`` is 0 and ``why`` says why. Empty where a number that matters is unknown."""


def launches(
    paths: Paths, config: Config | Configs | None = None, *, targets: str | Iterable[str] | None = None
) -> tuple[Launch, ...]:
    """Every launch in a file, a folder, or several, by path and line, with its occupancy on each target.

    Arguments and errors as in ``analyze``; without targets, occupancy is that of Tiger Lake (``tgl``).
    """
    found = kernels(names_of(paths), settings_of(config, targets))
    files = remembered(read_file)
    return tuple(_launch(each, found, files) for each in found.launches)


def table(found: Iterable[Launch]) -> list[dict[str, Cell]]:
    """A row for each launch, target and sub-group size, as a data frame takes it; what is unknown is ``None``.

    A launch whose occupancy is unknown on a target has one row for that target.
    """
    return [
        _row(launch, target, each)
        for launch in found
        for target, occupancies in launch.occupancy.items()
        for each in occupancies or (None,)
    ]


def _launch(report: LaunchReport, found: Kernels, sources: Sources) -> Launch:
    launch = report.launch
    place = place_of(launch.row, sources)
    return Launch(
        path=place.path,
        line=place.line,
        column=place.column,
        kind=launch.kind.value,
        kernel=launch.kernel.name,
        function=launch.function,
        dims=launch.dims,
        global_range=_extents(launch.global_range) or (),
        local_range=_extents(launch.local_range),
        work_group_size=None if launch.work_group_size is None else _number(launch.work_group_size),
        sub_group_size=None if launch.sub_group_size is None else _number(launch.sub_group_size.value),
        local_memory=_number(launch.local_memory.total),
        private_memory=_number(launch.private_memory.total),
        barrier=launch.barrier,
        unknown=tuple(_unknown(launch, sources)),
        occupancy={
            device.name: verdicts(device, launch) for device in found.devices if device.name in report.occupancies
        },
    )


def _extents(extents: Range | None) -> tuple[Number, ...] | None:
    return None if extents is None else tuple(_number(each) for each in extents.extents)


def _number(value: Value) -> Number:
    number = known(value)
    return number_text(value) if number is None else number


def _unknown(launch: KernelLaunch, sources: Sources) -> Iterable[str]:
    for each in unresolved(launch):
        where = line_text(each.location, sources)
        yield f"{each.number}: {each.reason}" + ("" if where in each.reason else f" ({where})")


def _row(launch: Launch, target: str, each: Occupancy | None) -> dict[str, Cell]:
    return {
        "path": launch.path,
        "line": launch.line,
        "kind": launch.kind,
        "kernel": launch.kernel,
        "function": launch.function,
        "global": _shape(launch.global_range),
        "local": None if launch.local_range is None else _shape(launch.local_range),
        "work_group_size": _known(launch.work_group_size),
        "local_memory_bytes": _known(launch.local_memory),
        "private_bytes": _known(launch.private_memory),
        "barrier": launch.barrier,
        "target": target,
        "sub_group_size": _known(launch.sub_group_size) if each is None else each.sub_group_size,
        **{name: getattr(each, name, None) for name in ("threads_per_group", "groups_per_core", "ratio")},
        "limiter": None if each is None else each.limiter.value,
        **{name: getattr(each, name, None) for name in ("waves", "peak", "average")},
        "why": None if each is None or not each.why else each.why,
    }


def _shape(extents: tuple[Number, ...]) -> str:
    return "x".join(f"({each})" if " " in str(each) and len(extents) > 1 else str(each) for each in extents)


def _known(number: Number | None) -> int | None:
    return number if isinstance(number, int) else None
