"""Functions that surely leave the objects they are given what they are, by what is written in them."""

import pytest

from sycllint.cpp.expression import Member, Name
from sycllint.dataflow.receiving import Receiving
from sycllint.facts.collect import file_facts
from sycllint.symbols.unit import Unit
from sycllint.values.evaluate import Evaluator

HEADER = """
#define SIZE 16
#define FRESH(x) x = queue()
#define AGAIN q = queue();
#define Q(q) (q + 1)
void elsewhere(queue &q);
void reset(queue &s) { s = queue(); }
void work(queue &s, float *to) { s.submit([&](handler &h) { h.fill(to, 0, SIZE); }); s.wait(); }
void pointed(queue *s, float *to) { work(*s, to); (*s).wait(); s->wait(); }
void set(queue *s) { *s = queue(); }
void even(queue &s, int n) { if (n) odd(s, n - 1); }
void odd(queue &s, int n) { if (n) even(s, n - 1); }
struct Held { Held(queue &q) {} };
"""


def only_receives(body: str, *, name: str = "stream") -> bool:
    """Whether ``void asked(queue &stream) { … }`` does, where ``print`` reads what it is given."""
    text = f"{HEADER} void asked(queue &{name}) {{ {body} }}"
    evaluator = Evaluator(Unit((file_facts("a.cpp", text.encode(), {}),)), {})
    receiving = Receiving(
        evaluator,
        lambda kind, _: kind.name.text == "queue",
        lambda callee: isinstance(callee, Member) or not isinstance(callee, Name) or callee.text != "print",
    )
    return receiving.only(evaluator.facts.functions.get("asked")[0], frozenset((0,)))


@pytest.mark.parametrize(
    "body",
    [
        "stream.wait();",
        "auto e = stream.submit([&](handler &h) { h.parallel_for(SIZE, [=](int i) { use(i); }); });",
        "auto run = [&] { stream.wait(); };",
        "work(stream, p); odd(stream, 3); print(stream);",
        "pointed(&stream, p);",
        "int n = Q(3); n = SIZE; elsewhere(other());",
    ],
)
def test_methods_and_functions_that_do_no_more_leave_an_object_what_it_is(body: str) -> None:
    assert only_receives(body)


@pytest.mark.parametrize(
    "body",
    [
        "stream = queue();",
        "queue &same = stream;",
        "auto run = [&] { stream = queue(); };",
        "work(stream, p); reset(stream);",
        "pointed(&stream, p); set(&stream);",
        "elsewhere(&stream);",
        "elsewhere(stream);",
        "Held held(stream);",
        "Held{stream};",
        "FRESH(stream);",
        "auto print = [](queue &q) { q = queue(); }; print(stream);",
        "UNKNOWN;",
        'asm volatile("nop" : : "r"(0));',
        "delete p;",
    ],
)
def test_of_all_else_nothing_is_said(body: str) -> None:
    assert not only_receives(body)


def test_the_text_of_a_macro_may_name_the_object() -> None:
    assert not only_receives("q.wait();", name="q")
