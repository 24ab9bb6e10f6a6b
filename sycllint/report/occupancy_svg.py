"""The calculator's charts as an SVG picture, drawn by matplotlib, which is an optional extra."""

from collections.abc import Callable, Sequence
from io import BytesIO
from typing import TYPE_CHECKING

from sycllint.errors import SycllintError
from sycllint.occupancy.calculator import KIBIBYTE, Answer, Curve, by_local_memory, by_work_group
from sycllint.occupancy.timeline import Timeline

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_WIDTH, _HEIGHT = 8.0, 3.0
"""Inches of one chart."""
_SALT = "sycllint"
"""Makes the ids inside the picture, and so its bytes, the same on every run."""


def picture(answers: Sequence[Answer], played: Timeline | None = None) -> str:
    """The SVG: occupancy by work-group size and by local memory, one line per answer; the timeline when there is one.

    Raises ``SycllintError`` when matplotlib is not installed.
    """
    figure = _figure(2 if played is None else 3)
    axes = figure.axes
    _draw(axes[0], answers, by_work_group, 1)
    axes[0].set_xlabel("work-items per work-group")
    _draw(axes[1], answers, by_local_memory, KIBIBYTE)
    axes[1].set_xlabel("local memory per work-group, KiB")
    for axis in axes[:2]:
        axis.set_ylabel("threads of a core, %")
    if played is not None:
        _draw_timeline(axes[2], played)
    return _written(figure)


def _figure(charts: int) -> "Figure":
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise SycllintError("--svg needs matplotlib, which is not installed: pip install 'sycllint[plot]'") from None
    figure = Figure(figsize=(_WIDTH, _HEIGHT * charts), layout="constrained")
    figure.subplots(charts, 1)
    return figure


def _draw(axis: "Axes", answers: Sequence[Answer], curve_of: Callable[[Answer], Curve], unit: int) -> None:
    for found in answers:
        curve = curve_of(found)
        values = [point.value / unit for point in curve.points]
        here = curve.here
        label = f"{found.device.name}, sub-group {found.occupancy.sub_group_size}: {100 * here.ratio:.1f} %"
        (line,) = axis.step(values, [100 * point.ratio for point in curve.points], where="pre", label=label)
        axis.plot([here.value / unit], [100 * here.ratio], "o", color=line.get_color())
    axis.set_ylim(0, 110)
    axis.grid(visible=True, alpha=0.3)
    axis.legend()


def _draw_timeline(axis: "Axes", played: Timeline) -> None:
    edges = [played.phases[0].start, *(phase.end for phase in played.phases)]
    axis.stairs([100 * played.share(phase) for phase in played.phases], edges, fill=True, alpha=0.5)
    axis.set_xlabel("time, in units of one group's work (a model, not a measurement)")
    axis.set_ylabel("threads of the device, %")
    axis.set_ylim(0, 110)
    axis.grid(visible=True, alpha=0.3)


def _written(figure: "Figure") -> str:
    from matplotlib import rc_context

    stream = BytesIO()
    # Text stays text, and the same launch gives the same bytes.
    with rc_context({"svg.hashsalt": _SALT, "svg.fonttype": "none"}):
        figure.savefig(stream, format="svg", metadata={"Date": None})
    return stream.getvalue().decode("utf-8")
