"""The nodes of a function, and of the macros it uses."""

import pytest

from sycllint.cpp.expression import Index, Name, Number, Unary
from sycllint.device_code.bodies.instruction_index import Spot, Spots
from tests.device_code.body import kernel


def spots(body: str, before: str = "") -> Spots:
    """Those of a kernel with this body."""
    return kernel(body, before).bodies[0].spots


def numbers(body: str, before: str = "") -> list[str]:
    """The literals, in order."""
    return [each.node.text for each in spots(body, before).of(Number)]


def test_nodes_come_in_the_order_in_which_they_are_written() -> None:
    assert numbers("y[1] = 2; if (n > 3) { y[4] = 5; }") == ["1", "2", "3", "4", "5"]


@pytest.mark.parametrize(
    "before",
    [
        "#define ONE 1\n",
        "#define ONE (1)\n",
        "#define INNER (1)\n#define ONE (n * INNER)\n",
    ],
)
def test_the_text_of_a_macro_stands_where_the_macro_is_used(before: str) -> None:
    assert numbers("y[0] = ONE + 2; y[3] = ONE;", before) == ["0", "1", "2", "3", "1"]


def test_the_arguments_of_a_macro_come_before_its_text() -> None:
    assert numbers("y[0] = SCALED(2);", "#define SCALED(a) ((a) * 4)\n") == ["0", "2", "4"]


def test_statements_of_a_macro_are_looked_into() -> None:
    assert numbers("SET(2);", "#define SET(i) { if (n > 3) y[i] = 4; }\n") == ["2", "3", "4"]


def test_a_macro_is_the_one_that_is_in_force() -> None:
    assert numbers("y[0] = ONE;", "#define ONE (1)\n#undef ONE\n#define ONE (7)\n") == ["0", "7"]


def test_each_use_of_a_macro_is_a_place_of_its_own() -> None:
    found = spots("y[0] = ONE; y[0] = ONE;", "#define ONE (1)\n").of(Number)
    uses = [each.place.outer.node for each in found if each.node.text == "1" and each.place.outer is not None]
    assert all(isinstance(each, Name) for each in uses)
    assert len({each.start for each in uses if isinstance(each, Name)}) == 2


def test_a_spot_knows_the_statement_around_it() -> None:
    (spot,) = spots("for (int k = 0; k < n; ++k) y[k] = 1;").of(Index)
    assert isinstance(spot, Spot)
    assert type(spot.place.node).__name__ == "Block"


def test_kinds_that_are_not_asked_for_are_not_kept() -> None:
    with pytest.raises(AssertionError):
        spots("y[0] = -n;").of(Unary)
