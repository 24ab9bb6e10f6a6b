"""Bars in a terminal: shares of a core or a device side by side, with one of them marked."""

from collections.abc import Sequence

from sycllint.record import record
from sycllint.report.terminal.style import Ink, Style

HEIGHT = 4
"""Lines of bars; each stands for a quarter."""

_MARGIN = 6
"""Cells left of the bars, for the scale."""
_WIDEST_BAR = 3


@record
class Glyphs:
    """The characters of bars."""

    eighths: str
    """From an empty cell to a full one, nine characters."""
    wall: str
    corner: str
    floor: str


BLOCKS = Glyphs(" ▁▂▃▄▅▆▇█", "│", "└", "─")
ASCII = Glyphs("  ...::##", "|", "+", "-")
"""For a terminal that cannot show blocks."""


@record
class Canvas:
    """The width and style of a chart."""

    width: int
    """Terminal cells."""
    style: Style
    glyphs: Glyphs = BLOCKS

    @property
    def room(self) -> int:
        """Cells left for bars; at least one."""
        return max(1, self.width - _MARGIN)


@record
class MarkedBar:
    """The bar that is the launch as it was asked for, and what to write at it."""

    bar: int
    text: str


@record
class Labels:
    """What is written under the first bar, the middle one and the last."""

    first: str
    middle: str
    last: str


def sampled(count: int, current: int, room: int) -> tuple[tuple[int, ...], int]:
    """Which of ``count`` points are shown as bars in ``room`` cells, and which bar is the point ``current``.

    Every ``n``-th, so that what recurs in the points still does in the bars; ``current`` stands for its neighbours.
    """
    stride = -(-count // max(1, room))
    shown = [min(start + stride, count) - 1 for start in range(0, count, stride)]
    bar = current // stride
    shown[bar] = current
    return tuple(shown), bar


def bars(shares: Sequence[float], labels: Labels, canvas: Canvas, mark: MarkedBar | None = None) -> list[str]:
    """A chart of ``shares`` (0 to 1, at least one). A share above zero is never drawn as nothing."""
    wide = max(1, min(_WIDEST_BAR, canvas.room // len(shares)))
    lines = []
    for row in range(HEIGHT, 0, -1):
        cells = [_cell(share, row, canvas.glyphs) * wide for share in shares]
        if mark is not None:
            cells[mark.bar] = canvas.style.ink(cells[mark.bar], Ink.HELP)
        scale = f"{25 * row}%"
        lines.append(f"{scale:>{_MARGIN - 2}} {canvas.glyphs.wall}" + "".join(cells).rstrip())
    across = wide * len(shares)
    lines.append(f"{'0%':>{_MARGIN - 2}} {canvas.glyphs.corner}{canvas.glyphs.floor * across}")
    if mark is not None:
        lines.append(_pointer(mark, wide, across, canvas))
    lines.append(" " * _MARGIN + _spread(labels, (len(shares) - 1) // 2 * wide, across))
    return lines


def _cell(share: float, row: int, glyphs: Glyphs) -> str:
    eighths = len(glyphs.eighths) - 1
    height = round(share * HEIGHT * eighths)
    if share > 0:
        height = max(1, height)
    return glyphs.eighths[max(0, min(eighths, height - (row - 1) * eighths))]


def _pointer(mark: MarkedBar, wide: int, across: int, canvas: Canvas) -> str:
    """A caret under the bar, its text on the side that has room for it."""
    at = mark.bar * wide + wide // 2
    left = at - len(mark.text) - 1
    if at + len(mark.text) + 2 > max(across, canvas.room) and left >= 0:
        return " " * (_MARGIN + left) + canvas.style.ink(f"{mark.text} ^", Ink.HELP)
    return " " * (_MARGIN + at) + canvas.style.ink(f"^ {mark.text}", Ink.HELP)


def _spread(labels: Labels, middle: int, across: int) -> str:
    """The labels under their bars; the middle one only where there is room for it."""
    last = f"{labels.last:>{max(across - len(labels.first), len(labels.last) + 1)}}"
    line = labels.first + last
    end = middle + len(labels.middle)
    if line[middle - 1 : end + 1].strip() or middle < 1 or not line[end:]:
        return line
    return line[:middle] + labels.middle + line[end:]
