"""Through which calls the size of a launch may be decided in another file."""

import pytest

from sycllint.facts.collect import file_facts
from sycllint.launch.call_sites import CallSites
from sycllint.launch.open_sizes import OpenSize
from sycllint.symbols.unit import Unit
from sycllint.values.evaluate import Evaluator

LAUNCHES = """
template <int... each> struct list {};
template <int size> struct config { static constexpr int block = size; };
template <typename cfg> void launches(sycl::queue &q, int n) {
  q.parallel_for(sycl::nd_range<1>(n, cfg::block), [=](sycl::nd_item<1> it) { work(it); });
}
"""
OWN = "void own(sycl::queue &q, int n) { run<config<64>>(q, list<8>(), n); }"


def may_decide(calls: str, *, anything: bool = False) -> bool:
    """Whether ``OWN`` may decide ``cfg``, or ``anything`` around the launch."""
    own = file_facts("own.cpp", OWN.encode(), {})
    evaluator = Evaluator(Unit([file_facts("launches.hpp", (LAUNCHES + calls).encode(), {}), own]), {})
    owner = evaluator.facts.functions.get("launches")[0].node
    size = OpenSize(owner, None if anything else frozenset({owner.template_parameters[0].start}))
    return size.may_depend_on(own, lambda _: True, CallSites(evaluator), evaluator)


@pytest.mark.parametrize(
    "calls",
    [
        "template <typename T> void run(sycl::queue &q, list<8>, int n) { launches<T>(q, n); }",
        "template <typename T, int k> void run(sycl::queue &q, list<k>, int n) { launches<config<k>>(q, n); }",
        "template <typename T> void run(sycl::queue &q, list<8>, int n) { go([&] { launches<T>(q, n); }); }",
        """template <typename... Ts> void all(sycl::queue &q, list<Ts...>, int n) { launches<Ts...>(q, n); }
           template <typename T> void run(sycl::queue &q, list<8>, int n) { all(q, list<T>(), n); }""",
        "template <typename T> void run(sycl::queue &q, list<8>, int n) { using own = T; launches<own>(q, n); }",
        """#define LAUNCH(kind) launches<kind>(q, n)
           template <typename T> void run(sycl::queue &q, list<8>, int n) { LAUNCH(T); }""",
        """#define CHOSEN T
           template <typename T> void run(sycl::queue &q, list<8>, int n) { launches<CHOSEN>(q, n); }""",
    ],
)
def test_a_type_is_followed_through_the_calls_that_hand_it_on(calls: str) -> None:
    assert may_decide(calls)


@pytest.mark.parametrize(
    "calls",
    [
        "template <typename T> void run(sycl::queue &q, list<8>, int n) { launches<config<32>>(q, n); }",
        "template <typename T> void run(sycl::queue &q, list<8>, int n) { go([&] { launches<config<32>>(q, n); }); }",
        """template <typename T> void middle(sycl::queue &q, T t, int n) { launches<T>(q, n); }
           constexpr config<32> chosen;
           template <typename T> void run(sycl::queue &q, list<8>, int n) { middle(q, chosen, n); }""",
        """template <typename... Ts> void all(sycl::queue &q, list<Ts...>, int n) { launches<Ts...>(q, n); }
           template <typename T> void run(sycl::queue &q, list<8> l, int n) { all(q, list<config<32>>(), n); }""",
    ],
)
def test_a_type_that_is_written_on_the_way_ends_it(calls: str) -> None:
    assert not may_decide(calls)


def test_whoever_calls_a_command_group_decides_nothing() -> None:
    group = (
        "template <typename T> void idle(sycl::queue &q, list<8>, int n) "
        "{{ q.submit([&]({} h) {{ launches<config<32>>(q, n); }}); }}"
    )
    assert not may_decide(group.format("sycl::handler &"), anything=True)
    assert may_decide(group.format("auto"), anything=True)
    assert may_decide(group.format("sycl::handler &").replace("idle", "run"), anything=True)
