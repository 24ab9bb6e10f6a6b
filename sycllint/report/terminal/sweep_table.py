"""The launch at each value of the one number that its work-group size depends on, as a table.

The columns are those of Intel's guide ("SYCL Thread Mapping and GPU Occupancy", section "Impact of Work-item
Synchronization Within Work-group"): what one work-group takes of a core, how many fit, what they occupy together.
"""

from collections.abc import Iterator, Sequence

from sycllint.hardware.device import Device
from sycllint.hardware.words import core, thread, width
from sycllint.occupancy.sweep import Sweep, SweepPoint
from sycllint.report.terminal.display import aligned

_ROWS = 16
"""Values that a table lists."""


def sweep_table(device: Device, sweep: Sweep) -> Iterator[str]:
    """A line for each value, ascending; a table for each sub-group size at which the launch can run.

    Of many values those that divide the global range, and of many of these the first times a power of two and the last.
    """
    listed, left_out = _listed(sweep)
    reason = f"fails to launch: does not divide {sweep.dividing}"
    remarks = {point.value: reason for point in sweep.uneven}
    head = (sweep.name, "work-items", f"{thread(device)}s", f"of {core(device)}", "groups", "occupancy", "")
    sizes = sorted({each.sub_group_size for point in listed for each in point.occupancies})
    for size in sizes:
        if len(sizes) > 1:
            yield f"{width(device, size)}:"
        rows = (_row(point, size, remarks.get(point.value, "")) for point in listed)
        yield from aligned([head, *(row for row in rows if row is not None)])
    if not sizes:
        short = [(str(each.value), str(each.work_group), remarks.get(each.value, "")) for each in listed]
        yield from aligned([(sweep.name, "work-items", ""), *short])
    if left_out:
        yield f"… {left_out} more values"
    if sweep.refused is not None:
        # Between two values that the number can have there is none to name.
        bound = f">= {sweep.refused.value}" if sweep.parameter.multiple_of > 1 else f"> {sweep.refused.value - 1}"
        yield f"{sweep.name} {bound} fails to launch: {sweep.refused.why}"


def _listed(sweep: Sweep) -> tuple[Sequence[SweepPoint], int]:
    """The points that have a row, and how many legal ones have none."""
    every = sorted((*sweep.points, *sweep.uneven), key=lambda each: each.value)
    if len(every) <= _ROWS:
        return every, 0
    if len(sweep.points) <= _ROWS:
        return sweep.points, 0
    first, last = sweep.points[0].value, sweep.points[-1].value
    doubled = {first << shift for shift in range(_ROWS - 1)}
    rows = [point for point in sweep.points if point.value in doubled or point.value == last]
    return rows, len(sweep.points) - len(rows)


def _row(point: SweepPoint, size: int, reason: str) -> tuple[str, ...] | None:
    """``None`` when the launch cannot run with such sub-groups."""
    found = next((each for each in point.occupancies if each.sub_group_size == size), None)
    if found is None:
        return None
    return (
        str(point.value),
        str(point.work_group),
        str(found.threads_per_group),
        _percent(found.threads_per_group / found.threads_per_core),
        str(found.groups_per_core),
        _percent(found.ratio),
        reason,
    )


def _percent(ratio: float) -> str:
    """In whole percents, as the guide prints them."""
    return f"{100 * ratio:.0f}%"
