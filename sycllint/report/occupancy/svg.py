"""The calculator's charts as a picture, SVG or PNG, drawn by matplotlib, which is an optional extra.

A device has a row of two panels, so that those of many devices are read side by side and not one through the other.
"""

from collections.abc import Callable, Sequence
from io import BytesIO
from typing import TYPE_CHECKING

from sycllint.errors import SycllintError
from sycllint.grouping import grouped
from sycllint.occupancy.calculator import KIBIBYTE, Answer, Curve, by_local_memory, by_work_group
from sycllint.occupancy.timeline import Timeline
from sycllint.report.occupancy.page import launch_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_WIDTH, _HEIGHT, _TITLE = 11.0, 2.5, 0.6
"""Inches of a row, and of the title above all."""
_DOTS = 144
"""Per inch of a PNG."""
_SALT = "sycllint"
"""Makes the ids inside the picture, and so its bytes, the same on every run."""


def picture(answers: Sequence[Answer], played: Timeline | None = None) -> str:
    """The SVG: for each device its occupancy by work-group size and by local memory; the timeline when there is one.

    A line for each sub-group size, and above all the launch. Raises ``SycllintError`` when matplotlib is not installed.
    """
    from matplotlib import rc_context

    figure = _figure(answers, played)
    stream = BytesIO()
    # Text stays text, and the same launch gives the same bytes.
    with rc_context({"svg.hashsalt": _SALT, "svg.fonttype": "none"}):
        figure.savefig(stream, format="svg", metadata={"Date": None})
    return stream.getvalue().decode("utf-8")


def pixels(answers: Sequence[Answer], played: Timeline | None = None) -> bytes:
    """The charts as a PNG."""
    figure = _figure(answers, played)
    stream = BytesIO()
    figure.savefig(stream, format="png", dpi=_DOTS, metadata={"Software": None})
    return stream.getvalue()


def _figure(answers: Sequence[Answer], played: Timeline | None) -> "Figure":
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise SycllintError("--svg needs matplotlib, which is not installed: pip install 'sycllint[plot]'") from None
    by_device = grouped((found.device.name, found) for found in answers)
    rows = len(by_device) + (played is not None)
    figure = Figure(figsize=(_WIDTH, _HEIGHT * rows + _TITLE), layout="constrained")
    figure.suptitle(launch_text(answers[0].question), fontweight="bold")
    grid = figure.add_gridspec(rows, 2)
    for row, (name, at_each_width) in enumerate(by_device.items()):
        size, memory = figure.add_subplot(grid[row, 0]), figure.add_subplot(grid[row, 1])
        _draw(size, at_each_width, by_work_group, 1)
        _label(size, f"{name}: occupancy of a core by work-group size", "work-items per work-group")
        _draw(memory, at_each_width, by_local_memory, KIBIBYTE)
        _label(memory, f"{name}: occupancy of a core by local memory", "local memory per work-group, KiB")
    if played is not None:
        axis = figure.add_subplot(grid[rows - 1, :])
        edges = [played.phases[0].start, *(phase.end for phase in played.phases)]
        axis.stairs([100 * played.share(phase) for phase in played.phases], edges, fill=True, alpha=0.5)
        name = answers[0].device.name
        _label(axis, f"{name}: occupancy over time", "time, in units of one group's work (a model, not a measurement)")
    return figure


def _label(axis: "Axes", title: str, across: str) -> None:
    axis.set_title(title, fontsize="medium", loc="left")
    axis.set_xlabel(across)
    axis.set_ylabel("threads, %")
    axis.set_ylim(0, 110)
    axis.grid(visible=True, alpha=0.3)


def _draw(axis: "Axes", answers: Sequence[Answer], curve_of: Callable[[Answer], Curve], unit: int) -> None:
    for found in answers:
        curve = curve_of(found)
        values = [point.value / unit for point in curve.points]
        here = curve.here
        label = f"{found.device.name}, sub-group {found.occupancy.sub_group_size}: {100 * here.ratio:.1f} %"
        (line,) = axis.step(values, [100 * point.ratio for point in curve.points], where="pre", label=label)
        axis.plot([here.value / unit], [100 * here.ratio], "o", color=line.get_color())
    axis.legend(fontsize="small")
