"""Summaries over the strongly connected components of a call graph."""

from collections.abc import Callable, Iterator

import pytest

from sycllint.cpp.place import Place
from sycllint.dataflow.summaries import Summaries
from sycllint.ir.body import Body
from tests.device_code.body import kernel

Calls = dict[str, str]
"""Names of functions of one letter, and the letters of those that each calls."""


class Letters:
    """Of each function the letters of all that it reaches, itself included."""

    bottom: frozenset[str] = frozenset()

    def __init__(self, calls: Calls) -> None:
        function = kernel("").function
        self.bodies = {name: Body(function, Place(function, None)) for name in calls}
        self.names = {body: name for name, body in self.bodies.items()}
        self.calls = calls
        self.asked: list[str] = []
        self.summarised: list[str] = []

    def callees(self, body: Body) -> Iterator[Body]:
        self.asked.append(self.names[body])
        yield from (self.bodies[each] for each in self.calls[self.names[body]])

    def summary(self, body: Body, of: Callable[[Body], frozenset[str]]) -> frozenset[str]:
        name = self.names[body]
        self.summarised.append(name)
        return frozenset({name}).union(*(of(self.bodies[each]) for each in self.calls[name]))


def reached(calls: Calls, *asked: str) -> list[str]:
    """What is said of functions that are asked about in this order."""
    letters = Letters(calls)
    summaries = Summaries(letters)
    return ["".join(sorted(summaries.of(letters.bodies[each]))) for each in asked]


def test_callees_come_first() -> None:
    assert reached({"a": "b", "b": "c", "c": ""}, "a", "b", "c") == ["abc", "bc", "c"]


@pytest.mark.parametrize("order", ["abcd", "dcba", "bdac", "cabd"])
def test_functions_that_call_each_other_are_summarised_together_whichever_is_asked_first(order: str) -> None:
    calls = {"a": "b", "b": "ac", "c": "bd", "d": ""}
    expected = {"a": "abcd", "b": "abcd", "c": "abcd", "d": "d"}
    assert reached(calls, *order) == [expected[each] for each in order]


@pytest.mark.parametrize("order", ["ab", "ba"])
def test_a_circle_inside_a_circle(order: str) -> None:
    calls = {"a": "b", "b": "cd", "c": "b", "d": "a"}
    assert reached(calls, *order) == ["abcd", "abcd"]


def test_only_what_is_reached_is_looked_at() -> None:
    letters = Letters({"a": "b", "b": "", "c": "a"})
    summaries = Summaries(letters)
    summaries.of(letters.bodies["a"])
    assert letters.asked == ["a", "b"]
    summaries.of(letters.bodies["c"])
    assert letters.asked == ["a", "b", "c"]


def test_no_chain_of_calls_is_too_long() -> None:
    names = [chr(0x4E00 + each) for each in range(5000)]
    calls = dict(zip(names, [*names[1:], ""], strict=True))
    letters = Letters(calls)
    start = letters.bodies[names[0]]

    class Depth:
        """How long the chain below a function is."""

        bottom = 0

        def callees(self, body: Body) -> Iterator[Body]:
            return letters.callees(body)

        def summary(self, body: Body, of: Callable[[Body], int]) -> int:
            return 1 + max((of(letters.bodies[each]) for each in calls[letters.names[body]]), default=0)

    assert Summaries(Depth()).of(start) == 5000


def test_only_functions_that_call_each_other_are_summarised_more_than_once() -> None:
    letters = Letters({"a": "bc", "b": "", "c": "cd", "d": "b"})
    assert Summaries(letters).of(letters.bodies["a"]) == frozenset("abcd")
    assert letters.summarised == ["b", "d", "c", "c", "a"]
