"""Which bodies a body reaches."""

from sycllint.ir.body import Body
from sycllint.ir.callgraph import CallGraph
from tests.device_code.body import kernel

FUNCTIONS = """
void last(float *y) { y[0] = 1; }
void middle(float *y) { last(y); last(y); }
void again(float *y, int n) { if (n > 0) again(y, n - 1); }
"""


def graph_of(body: str, before: str = FUNCTIONS) -> tuple[CallGraph, Body]:
    """The graph, and the body of a kernel with this text."""
    code = kernel(body, before)
    return code.graph, code.graph.body(code.function, code.place)


def reached(body: str, before: str = FUNCTIONS, *, limit: int = 10) -> list[str]:
    """The names of the functions that a kernel reaches, itself left out."""
    graph, start = graph_of(body, before)
    found = [each.body.function for each in graph.reached(start, limit)]
    return [getattr(each, "name", "lambda") for each in found[1:]]


def test_each_function_is_reached_once() -> None:
    assert reached("middle(y); last(y);") == ["middle", "last"]


def test_what_calls_itself_is_reached_once() -> None:
    assert reached("again(y, n);") == ["again"]


def test_calls_in_lambdas_count_for_the_function_around() -> None:
    assert reached("auto f = [&](int k) { middle(y); }; f(n);") == ["lambda", "middle", "last"]


def test_a_macro_may_stand_for_the_name_of_a_function() -> None:
    assert reached("LAST(y);", FUNCTIONS + "#define LAST last\n") == ["last"]


def test_a_macro_may_be_given_the_function() -> None:
    assert reached("APPLY(last);", FUNCTIONS + "#define APPLY(f) f(y)\n") == ["last"]


def test_there_is_a_limit() -> None:
    assert reached("middle(y); last(y);", limit=2) == ["middle"]


def test_a_caller_chooses_which_calls_count() -> None:
    graph, start = graph_of("middle(y); again(y, n);")
    names = [
        getattr(each.body.function, "name", "")
        for each in graph.reached(start, 10, lambda edge: edge.body.called(edge.position) != "middle")
    ]
    assert names == ["", "again"]


def test_the_way_to_a_function_is_known() -> None:
    graph, start = graph_of("middle(y);")
    *_, end = graph.reached(start, 10)
    assert end.caller is not None
    assert end.caller.caller is not None
    assert end.caller.caller.body is start
