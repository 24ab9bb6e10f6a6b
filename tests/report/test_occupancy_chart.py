"""Charts in text: whatever the numbers, there is a picture, and the launch as asked for is marked in it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sycllint.report.occupancy.chart import ASCII, BLOCKS, HEIGHT, Canvas, Glyphs, Labels, MarkedBar, bars, sampled
from sycllint.report.terminal.style import Style

LABELS = Labels("8", "256", "512")
PLAIN = Style()


def drawn(shares: list[float], mark: int, width: int = 60, glyphs: Glyphs = BLOCKS) -> list[str]:
    return bars(shares, LABELS, Canvas(width, PLAIN, glyphs), MarkedBar(mark, "64: 57.1%"))


def test_a_bar_is_as_high_as_its_share() -> None:
    assert drawn([1.0, 0.5, 0.25, 0.0], 1) == [
        "100% │███",
        " 75% │███",
        " 50% │██████",
        " 25% │█████████",
        "  0% └────────────",
        "          ^ 64: 57.1%",
        "      8  256   512",
    ]


def test_the_same_without_block_characters() -> None:
    assert drawn([1.0, 0.5], 0, glyphs=ASCII)[:5] == [
        "100% |###", " 75% |###", " 50% |######", " 25% |######", "  0% +------",
    ]  # fmt: skip


def test_little_is_not_drawn_as_nothing() -> None:
    assert drawn([1 / 1000, 0.0], 0)[HEIGHT - 1] == " 25% │▁▁▁"


def test_a_mark_at_the_right_edge_has_its_text_at_the_left() -> None:
    line = drawn([0.5] * 40, 39, width=46)[HEIGHT + 1]
    assert line == f"{'64: 57.1% ^':>46}"


def test_the_bar_that_is_marked_has_a_colour() -> None:
    lines = bars([1.0, 1.0], LABELS, Canvas(60, Style(color=True)), MarkedBar(1, "here"))
    assert lines[0] == "100% │███\x1b[1;32m███\x1b[0m"
    assert "\x1b[1;32m^ here\x1b[0m" in lines[HEIGHT + 1]


def test_more_points_than_cells_are_shown_at_equal_steps() -> None:
    assert sampled(16, 7, 4) == ((3, 7, 11, 15), 1)


def test_the_launch_stands_for_its_neighbours() -> None:
    assert sampled(16, 5, 4) == ((3, 5, 11, 15), 1)


@st.composite
def curves(draw: st.DrawFn) -> tuple[list[float], int]:
    shares = draw(st.lists(st.floats(0, 1), min_size=1, max_size=300))
    return shares, draw(st.integers(0, len(shares) - 1))


@given(curves(), st.integers(1, 200), st.sampled_from([BLOCKS, ASCII]), st.text(" -~", max_size=30))
def test_any_curve_is_drawn_and_the_current_point_marked(
    curve: tuple[list[float], int], width: int, glyphs: Glyphs, text: str
) -> None:
    shares, current = curve
    canvas = Canvas(width, PLAIN, glyphs)
    shown, bar = sampled(len(shares), current, canvas.room)
    assert shown[bar] == current
    assert list(shown) == sorted(set(shown))
    assert len(shown) <= canvas.room
    lines = bars([shares[index] for index in shown], LABELS, canvas, MarkedBar(bar, text.replace("^", "")))
    pointer = lines[HEIGHT + 1]
    wide = (len(lines[HEIGHT]) - 6) // len(shown)
    assert 6 + bar * wide <= pointer.index("^") < 6 + (bar + 1) * wide
    assert len(lines) == HEIGHT + 3
    assert all(len(line) <= max(width, 7) for line in lines[: HEIGHT + 1])


@pytest.mark.parametrize("width", [1, 7, 40])
def test_a_canvas_has_room_for_a_bar(width: int) -> None:
    assert Canvas(width, PLAIN).room >= 1
