"""What the name of a type is where it stands."""

import pytest

from sycllint.cpp.expression import Name
from sycllint.cpp.place import Place
from sycllint.facts.collect import file_facts
from sycllint.symbols.unit import Unit
from sycllint.values.evaluate import Evaluator

SOURCE = """
struct Wide { int n; };
struct Narrow { int n; };
namespace a { struct Tile { int n; }; using Real = float; }
namespace b { struct Tile { int m; }; using Real = double; void in_b() { } }
using namespace a;
void first() { typedef Wide T; }
void second() { typedef Narrow T; }
void third() { using Count = unsigned; }
template <class Wide> void fourth() { }
void fifth() { }
struct Outer { struct Wide { long inner; }; void method() { } };
void Outer::method() { }
"""


def kind(text: str, function: str) -> str:
    """What ``text`` is in a function: the members of its class, or the type."""
    evaluator = Evaluator(Unit((file_facts("a.cpp", SOURCE.encode(), {}),)), {})
    declared = evaluator.facts.functions.get(function)[-1]
    assert declared.node.body is not None
    found = evaluator.types.kind(Name(text, None, None, 0, 0), Place(declared.node.body, declared.place))
    if found.struct is not None:
        return "::".join((*evaluator.symbols.scope_of(found.struct).path,))
    return found.name.text


@pytest.mark.parametrize(
    ("text", "function", "expected"),
    [
        ("T", "first", "Wide"),
        ("T", "second", "Narrow"),
        ("Count", "third", "unsigned"),
        ("Count", "fifth", "Count"),
        ("Wide", "fifth", "Wide"),
        ("Wide", "fourth", "Wide"),
        ("Wide", "method", "Outer::Wide"),
        ("Tile", "fifth", "a::Tile"),
        ("Tile", "in_b", "b::Tile"),
        ("Real", "fifth", "float"),
        ("Real", "in_b", "double"),
        ("b::Real", "fifth", "double"),
    ],
)
def test_a_type_is_what_its_name_means_there(text: str, function: str, expected: str) -> None:
    assert kind(text, function) == expected


def test_the_parameter_of_a_template_is_no_class() -> None:
    evaluator = Evaluator(Unit((file_facts("a.cpp", SOURCE.encode(), {}),)), {})
    for function, is_class in (("fifth", True), ("fourth", False), ("fifth", True)):
        (declared,) = evaluator.facts.functions.get(function)
        found = evaluator.types.kind(Name("Wide", None, None, 0, 0), declared.place)
        assert (found.struct is not None) is is_class
