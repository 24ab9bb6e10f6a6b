"""Subscripts as sums of ids and counters."""

import pytest

from sycllint.cpp.expression import Index, Name
from sycllint.device_code.affine.indexing import Axis, Counter, Indexing
from sycllint.device_code.affine.memory import IndexedMemory, memory
from sycllint.device_code.code import KernelCode
from sycllint.values.value import Known, Symbolic
from tests.device_code.body import kernel


def parts(subscript: str, before: str = "", *, local: int = 64, dims: int = 1) -> set[str]:
    """The parts of the sum that ``y[subscript]`` is, as ``2*global(0)`` and the like."""
    return sums(kernel(f"{before} y[{subscript}] = 0;", local=local, dims=dims))


def sums(code: KernelCode) -> set[str]:
    """The parts of the sum that the first subscript of ``y`` is."""
    body = code.bodies[0]
    spot = next(each for each in body.of(Index) if isinstance(each.node.object, Name) and each.node.object.text == "y")
    indexing = Indexing(code, body)
    total = indexing.of(spot.node.indices[0], spot.place)
    assert total is not None
    terms = set()
    for atom, factor in indexing.joined(total).items():
        number = factor.value if isinstance(factor, Known) else factor.text if isinstance(factor, Symbolic) else "?"
        match atom:
            case None:
                terms.add(str(number))
            case Axis(of=of, dimension=dimension):
                terms.add(f"{number}*{of.value}({dimension})")
            case Counter(loop=loop):
                terms.add(f"{number}*counter of {loop.keyword}")
            case _:
                terms.add(f"{number}*{atom.text}")
    return terms


@pytest.mark.parametrize(
    ("subscript", "expected"),
    [
        ("it.get_global_id(0)", {"1*global(0)"}),
        ("it.get_global_id()[0]", {"1*global(0)"}),
        ("it.get_global_linear_id()", {"1*global(0)"}),
        ("4 * it.get_local_id(0) + 3", {"4*local(0)", "3"}),
        ("it.get_group(0) * 64 + it.get_local_id(0)", {"1*global(0)"}),
        ("it.get_group(0) * it.get_local_range(0) + it.get_local_id(0)", {"1*global(0)"}),
        ("it.get_group(0) * 32 + it.get_local_id(0)", {"32*group(0)", "1*local(0)"}),
        ("(it.get_global_id(0) + 1) * n", {"n*global(0)", "n"}),
        ("it.get_local_id(0) - it.get_local_id(0)", set()),
    ],
)
def test_ids_are_separated_and_summed(subscript: str, expected: set[str]) -> None:
    assert parts(subscript) == expected


def test_a_variable_that_keeps_its_value_is_looked_through() -> None:
    assert parts("i + 1", "const int i = 2 * it.get_global_id(0);") == {"2*global(0)", "1"}


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        ("int i = it.get_global_id(0); i += 5;", {"1*global(0)", "5"}),
        ("int i = it.get_global_id(0); i = i * 16;", {"16*global(0)"}),
        ("int i = it.get_global_id(0); i *= 16;", {"16*global(0)"}),
        ("int i = it.get_global_id(0); i <<= 4;", {"16*global(0)"}),
        ("int i = it.get_global_id(0) << 4;", {"16*global(0)"}),
        ("int i = it.get_global_id(0); i += i * 15;", {"16*global(0)"}),
        ("int i = it.get_global_id(0); i -= 1; ++i; i--;", {"1*global(0)", "-1"}),
        ("int id = it.get_global_id(0); int i = id * 4; id = 0;", {"4*global(0)"}),
        ("int i; i = it.get_global_id(0);", {"1*global(0)"}),
        ("int i = 3; if (n > 2) { i = it.get_global_id(0); ++i; } i = 2 * n;", {"2*n"}),
        ("int i = it.get_global_id(0); { int i = 3; i *= 4; }", {"1*global(0)"}),
        ("int i = 7, k = it.get_global_id(0); i = k;", {"1*global(0)"}),
    ],
)
def test_straight_code_is_followed_to_the_last_definition(before: str, expected: set[str]) -> None:
    assert parts("i", before) == expected


@pytest.mark.parametrize(
    "before",
    [
        "int i = it.get_global_id(0); if (n > 4) i *= 16;",
        "int i = it.get_global_id(0); for (int k = 0; k < n; ++k) i += 16;",
        "int i = it.get_global_id(0); switch (n) { case 1: i = 4; }",
        "int i = it.get_global_id(0); (n > 4) && (i = 3);",
        "int i = it.get_global_id(0); advance(&i);",
        "int i = it.get_global_id(0); auto &same = i; same = 3;",
        "int i = it.get_global_id(0); auto step = [&] { i += 16; }; step();",
        "int i = it.get_global_id(0); i = i++ + n;",
        "static int i = it.get_global_id(0);",
        "int i = it.get_global_id(0), k = i++;",
        "int i = it.get_global_id(0); while (n)",
    ],
)
def test_a_variable_that_something_else_may_change_is_a_number_of_its_own(before: str) -> None:
    change = "{ y[i] = 0; i += 16; }" if before.endswith(")") else ""
    assert parts("i", before + change) == {"1*i"}


def test_uses_before_and_after_an_assignment_differ() -> None:
    code = kernel("int i = it.get_global_id(0); y[i] = 0; i *= 2; y[i] = 1;")
    body = code.bodies[0]
    indexing = Indexing(code, body)
    first, second = (indexing.of(spot.node.indices[0], spot.place) for spot in body.of(Index))
    assert first != second


def test_a_narrow_variable_that_is_assigned_again_is_a_number_of_its_own() -> None:
    assert parts("i", "unsigned char i = 0; i = it.get_global_id(0);") == {"1*i"}


def test_a_counter_belongs_to_its_loop() -> None:
    assert parts("4 * it.get_global_id(0) + j", "for (int j = 0; j < 4; ++j)") == {
        "4*global(0)",
        "1*counter of for",
    }


def test_a_linear_id_of_two_dimensions_is_no_id_of_one() -> None:
    assert parts("it.get_global_linear_id()", dims=2) == {"1*global(None)"}


@pytest.mark.parametrize(
    ("statements", "name", "expected"),
    [
        ("y[0] = 0;", "y", IndexedMemory.GLOBAL),
        ("float own[4]; own[0] = 0;", "own", IndexedMemory.PRIVATE),
        ("float *part = y + 4; part[0] = 0;", "part", IndexedMemory.GLOBAL),
        ("float *part = some(y); part[0] = 0;", "part", IndexedMemory.UNKNOWN),
        ("tile[0] = 0;", "tile", IndexedMemory.LOCAL),
    ],
)
def test_a_name_leads_to_its_memory(statements: str, name: str, expected: IndexedMemory) -> None:
    code = kernel(statements, "sycl::local_accessor<float, 1> tile;")
    body = code.bodies[0]
    spot = next(each for each in body.of(Index) if isinstance(each.node.object, Name) and each.node.object.text == name)
    assert isinstance(spot.node.object, Name)
    assert memory(code, body, spot.node.object, spot.place) is expected


@pytest.mark.parametrize(
    ("statements", "expected"),
    [
        ("SET(2 * it.get_global_id(0) + 1);", {"2*global(0)", "1"}),
        ("int k = it.get_local_id(0); SET(k);", {"1*local(0)"}),
        # The kernel's own ``i`` is another.
        ("int i = it.get_global_id(0); SET(3);", {"3"}),
    ],
)
def test_a_parameter_of_a_macro_is_what_its_use_gives(statements: str, expected: set[str]) -> None:
    assert sums(kernel(statements, "#define SET(i) y[i] = 0\n")) == expected
