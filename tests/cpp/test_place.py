"""Places: nodes found by their spans, with everything around them."""

from sycllint.cpp.expression import Call, Expr, Name
from sycllint.cpp.node import children, walk
from sycllint.cpp.place import Place, descend, locate, span_of
from sycllint.cpp.statement import Block, Function, Macro, Struct
from sycllint.source.span import Span
from sycllint.syntax.reading import readings

CODE = b"""\
void f() { g(h(1)); }
struct S {
  int size = g(2);
  void m() { auto l = [x = g(3)](int a) { return g(4); }; }
};
#if A
int v = g(5);
#endif
"""
UNIT = readings(CODE, {})[0].unit


def span(text: bytes) -> Span:
    start = CODE.index(text)
    return Span(start, start + len(text))


CALLS = [span(text) for text in (b"g(h(1))", b"h(1)", b"g(2)", b"g(3)", b"g(4)", b"g(5)")]


def test_one_walk_finds_every_call_wherever_it_hides() -> None:
    found = locate(UNIT, CALLS, Call)
    assert sorted(found) == sorted(CALLS)
    assert all(isinstance(place.node, Call) for place in found.values())


def test_a_span_without_such_a_node_is_left_out() -> None:
    assert locate(UNIT, [span(b"g(2)"), span(b"size"), Span(0, 1), Span(10**6, 10**6)], Call).keys() == {span(b"g(2)")}


def test_a_chain_leads_outwards_to_the_file() -> None:
    place = descend(UNIT, *span(b"g(4)"), Call)
    assert place is not None
    chain = [type(node).__name__ for node in place.chain()]
    assert chain == [
        "Call",
        "Return",
        "Block",
        "Lambda",
        "Variable",
        "Declaration",
        "Block",
        "Function",
        "Block",
        "Struct",
        "Block",
    ]
    assert list(place.chain())[-1] is UNIT


def test_of_nested_calls_with_one_start_each_is_found_by_its_end() -> None:
    unit = readings(b"int a = f(1)(2);", {})[0].unit
    found = locate(unit, [Span(8, 12), Span(8, 15)], Call)
    calls = {span.end: place.node for span, place in found.items()}
    inner, outer = calls[12], calls[15]
    assert isinstance(outer, Call)
    assert outer.function is inner


def test_walking_goes_outside_in_and_left_to_right() -> None:
    (function,) = (node for node in UNIT.statements if isinstance(node, Function))
    names = [node.text for node in walk(function) if isinstance(node, Name)]
    assert names == ["void", "g", "h"]


def test_children_are_nodes_in_the_order_they_are_written() -> None:
    kinds = [type(child).__name__ for child in children(UNIT)]
    assert kinds == ["Function", "Struct", "Variants"]
    assert isinstance(UNIT, Block)


def test_a_node_prints_its_fields() -> None:
    node: Expr = Name("n", None, None, 3, 4)
    assert repr(node) == "Name(text='n', arguments=None, scope=None, start=3, end=4)"


def test_the_text_of_a_macro_is_repeated() -> None:
    unit = readings(b"#define M g(6)\nvoid f() { M; }\n", {})[0].unit
    macro = next(each for each in walk(unit) if isinstance(each, Macro))
    assert macro.value is not None
    inside = Place(macro.value, Place(macro, Place(unit, None)))
    assert inside.enclosing.is_repeated
    assert not Place(unit, None).enclosing.is_repeated


def test_a_place_knows_the_templates_around_it_innermost_first() -> None:
    code = b"template <int N> struct S { template <typename T> void f() { g(1); } void h() { g(2); } };"
    unit = readings(code, {})[0].unit
    found = locate(unit, [Span(61, 65), Span(80, 84)], Call)
    kinds = {span_of(place.node).start: [type(each) for each in place.enclosing.templates] for place in found.values()}
    assert kinds == {61: [Function, Struct], 80: [Struct]}
