"""What the border of a work-group costs."""

import pytest

from sycllint.occupancy.halo import halo


def test_a_row_has_a_border_at_both_ends() -> None:
    found = halo((256,), 3)
    assert (found.payload, found.border, found.loads) == (256, 6, 262)


def test_without_neighbours_there_is_no_border() -> None:
    assert halo((16, 16), 0).share == 0


def test_the_border_is_counted_element_by_element() -> None:
    inside = {(x, y) for x in range(4) for y in range(6)}
    around = {(x + dx, y + dy) for x, y in inside for dx in (-2, -1, 0, 1, 2) for dy in (-2, -1, 0, 1, 2)}
    assert halo((4, 6), 2).border == len(around - inside)


@pytest.mark.parametrize(("extents", "radius"), [((0, 4), 1), ((4, 4), -1)])
def test_a_group_without_elements_and_a_negative_radius_are_refused(extents: tuple[int, int], radius: int) -> None:
    with pytest.raises(ValueError, match="no halo"):
        halo(extents, radius)
