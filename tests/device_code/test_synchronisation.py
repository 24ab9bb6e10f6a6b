"""Which work-items may synchronise in functions that are not entered."""

import pytest

from sycllint.cpp.statement import Function
from sycllint.device_code.synchronisation import Synchronisation, Waiting
from sycllint.facts.collect import file_facts
from sycllint.symbols.unit import Unit
from sycllint.values.evaluate import Evaluator


def waits(text: str, *names: str) -> dict[str, str]:
    """Of the functions of a file, asked in this order, all that wait: the group, or work-items of a sub-group."""
    evaluator = Evaluator(Unit((file_facts("a.cpp", text.encode(), {}),)), {})
    synchronisation = Synchronisation(evaluator)
    found = {}
    for name in names:
        (declared,) = (each for each in evaluator.facts.functions.get(name) if each.node.body is not None)
        assert isinstance(declared.node, Function)
        who = synchronisation.who((declared,))
        if who is not Waiting.NOBODY:
            found[name] = who.name.lower()
    return found


PING = """
void ping(sycl::nd_item<1> it, int n);
void pong(sycl::nd_item<1> it, int n) { if (n) ping(it, n - 1); }
void ping(sycl::nd_item<1> it, int n) { pong(it, n); sycl::group_barrier(it.get_group()); }
"""


@pytest.mark.parametrize("order", [("ping", "pong"), ("pong", "ping")])
def test_functions_that_call_each_other_wait_as_one_of_them_does_whichever_is_asked_first(
    order: tuple[str, str],
) -> None:
    assert waits(PING, *order) == {"ping": "group", "pong": "group"}


def test_a_long_chain_of_calls() -> None:
    chain = "".join(f"void f{n}() {{ f{n + 1}(); }}\n" for n in range(2000))
    assert waits(chain + "void f2000() { wherever(); }", "f0") == {"f0": "group"}
    assert waits(chain + "void f2000() {}", "f0") == {}


@pytest.mark.parametrize(
    "body",
    [
        "sycl::group_barrier(it.get_group());",
        "it.barrier();",
        "auto g = it.get_group(); sycl::group_barrier(g);",
        "SYNC;",
        "wherever(n);",
        "Elsewhere made(it);",
        "int k = [&] { it.barrier(); return 1; }();",
        'asm volatile("bar");',
        "Phase phase;",
        "Phase{};",
        "Derived later;",
        "helper::phase(it);",
    ],
)
def test_a_function_may_wait(body: str) -> None:
    text = f"""
    #define SYNC it.barrier();
    struct Phase {{ Phase() {{ elsewhere_barrier(); }} }};
    struct Derived : Phase {{ int n; }};
    namespace helper {{ void phase(sycl::nd_item<1> it) {{ it.barrier(); }} }}
    namespace other {{ void phase(sycl::nd_item<1> it) {{}} }}
    void asked(sycl::nd_item<1> it, int n) {{ {body} }}
    """
    assert waits(text, "asked") == {"asked": "group"}


@pytest.mark.parametrize(
    "body",
    [
        "n = n + 1;",
        "n = square(n);",
        "n = SQUARE(n) + sycl::min(n, 3);",
        "T t = T(n) * T(2); t = t + T{};",
        "sycl::float4 v(n); n = v.x();",
        "Plain plain; plain.set(n);",
        "auto add = [](int a) { return a + 1; }; n = add(n);",
        "other::phase(it);",
        "sycl::atomic_ref<int, R, S> r(n); r.fetch_add(1);",
        "n = sizeof(wherever(n));",
    ],
)
def test_a_function_does_not_synchronise(body: str) -> None:
    text = f"""
    #define SQUARE(x) ((x) * (x))
    int square(int n) {{ return n * n; }}
    struct Plain {{ int n; void set(int k) {{ n = k; }} }};
    struct Team {{ void set(int k) {{ item.barrier(); }} sycl::nd_item<1> item; }};
    namespace helper {{ void phase(sycl::nd_item<1> it) {{ it.barrier(); }} }}
    namespace other {{ void phase(sycl::nd_item<1> it) {{}} }}
    template <class T> void asked(sycl::nd_item<1> it, int n) {{ {body} }}
    """
    assert waits(text, "asked") == {}


@pytest.mark.parametrize(
    "body",
    [
        "sycl::group_barrier(it.get_sub_group());",
        "auto sg = it.get_sub_group(); sycl::group_barrier(sg);",
        "auto sg = it.get_sub_group(); sg.barrier();",
        "sycl::sub_group sg = it.get_sub_group(); n = sycl::reduce_over_group(sg, n, sycl::plus<>());",
        "lanes(it.get_sub_group());",
    ],
)
def test_only_the_work_items_of_a_sub_group_wait(body: str) -> None:
    text = f"""
    void lanes(sycl::sub_group sg) {{ sycl::group_barrier(sg); }}
    void asked(sycl::nd_item<1> it, int n) {{ {body} }}
    """
    assert waits(text, "asked") == {"asked": "lanes"}
