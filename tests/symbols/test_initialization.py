"""What the members of an object are made from."""

import pytest

from sycllint.cpp.expression import Brace, Call, Name
from sycllint.cpp.node import walk
from sycllint.cpp.spelling import spelled
from sycllint.facts.collect import file_facts
from sycllint.symbols.initialization import initialization
from sycllint.symbols.symbols import Symbols
from sycllint.symbols.unit import Unit


def kept(members: str, made: str = "K(a, b)", *, bases: str = "") -> dict[str, str] | None:
    """The members of ``K`` that are an argument of ``made``."""
    code = f"struct B {{ int z; }};\nstruct K {bases} {{ {members} }};\nvoid f(int *a, int b) {{ {made}; }}"
    facts = file_facts("k.cpp", code.encode(), {})
    unit = Unit((facts,))
    [struct] = unit.structs.get("K")
    [function] = [each.node for each in unit.functions.get("f")]
    for each in walk(function):
        match each:
            case Call(function=Name(text="K"), arguments=given) | Brace(type=Name(text="K"), elements=given):
                found = initialization(Symbols(unit, lambda _: None), struct, given)
                return {name: spelled(value) for name, value in found.kept.items()} if found is not None else None
    raise AssertionError(made)


@pytest.mark.parametrize(
    ("members", "made"),
    [
        ("int *p; int n;", "K{a, b}"),
        ("int *p; int n; K(int *q, int m) : p(q), n(m) {}", "K(a, b)"),
        ("int n; int *p; K(int *q, int m = 1) : n{m}, p{q} {}", "K(a, b)"),
        ("K() = default; K(int *q, int m) : p(q), n(m) {} K(const K &) = default; int *p; int n;", "K(a, b)"),
        ("static int count; int *p; int n;", "K{a, b}"),
    ],
)
def test_a_member_is_the_argument_that_it_is_given(members: str, made: str) -> None:
    assert kept(members, made) == {"p": "a", "n": "b"}


def test_what_is_worked_out_from_an_argument_is_not_kept() -> None:
    assert kept("int *p; int n; K(int *q, int m) : p(q), n(m + 1) {}") == {"p": "a"}


def test_of_several_constructors_that_fit_none_is_known() -> None:
    assert kept("int *p; K(int *q, int m) : p(q) {} K(int *q, long m) : p(q + 1) {}") is None


def test_a_base_class_takes_the_first_values() -> None:
    assert kept("int *p; int n;", "K{a, b}", bases=": B") is None
