"""Which functions of a file are walked."""

import pytest

from sycllint.facts.collect import file_facts
from sycllint.host.checks.hazards import hazards
from sycllint.host.code import HostCode
from sycllint.host.in_flight.course import Course
from sycllint.host.records import PlaceholderOnHost, TwoHostAccessors
from sycllint.values.evaluate import Evaluator

BEFORE = """
#include <sycl/sycl.hpp>
using reader = sycl::accessor<int, 1>;
using on_host = sycl::host_accessor<int, 1>;
void library(sycl::queue &, sycl::buffer<int> &);
"""


def code(text: str) -> HostCode:
    """A file with ``text``."""
    facts = file_facts("host.cpp", f"{BEFORE}\n{text}\n".encode(), {})
    return HostCode(Evaluator(facts, {}), facts, ())


@pytest.mark.parametrize(
    ("body", "record"),
    [
        ("reader a(b); a[0] = 1;", PlaceholderOnHost),
        ("if (n) { sycl::accessor a(b); a[n] = 1; }", PlaceholderOnHost),
        ("on_host one(b), other(b); one[0] = n;", TwoHostAccessors),
        ("auto one = b.get_host_access(); auto other = b.get_host_access();", TwoHostAccessors),
    ],
)
def test_what_is_given_a_buffer_may_use_it_without_a_call(body: str, record: type) -> None:
    assert any(isinstance(each, record) for each in hazards(code(f"void run(sycl::buffer<int> b, int n) {{ {body} }}")))


@pytest.mark.parametrize(
    ("body", "is_walked"),
    [
        ("library(q, b);", False),
        ("if (n > 0) library(q, b); else throw n;", False),
        ("for (; n > 0; --n) { library(q, b); library(q, b); }", False),
        ("q.wait(); library(q, b);", True),
        ("q.submit([&](sycl::handler &h) { h.fill(sycl::accessor{b, h}, 0); });", True),
        ("int more = n + 1; library(q, b);", True),
    ],
)
def test_a_wrapper_that_declares_nothing_is_not_walked(
    body: str, is_walked: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[str] = []
    monkeypatch.setattr(Course, "root", lambda self, function, place: seen.append(function.name))
    text = f"void run(sycl::queue &q, sycl::buffer<int> &b, int n) {{ {body} }}"
    hazards(code(text + "\nvoid last(sycl::queue &q, int *p) { q.memset(p, 0, 4).wait(); }"))
    assert seen == (["run", "last"] if is_walked else ["last"])


@pytest.mark.parametrize(
    ("defined", "is_walked"), [(("queue", "handler", "buffer"), False), (("queue", "buffer"), True), ((), True)]
)
def test_where_the_classes_are_the_project_s_own_no_function_is_walked(
    defined: tuple[str, ...], is_walked: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[str] = []
    monkeypatch.setattr(Course, "root", lambda self, function, place: seen.append(function.name))
    classes = "".join(f"class {each} {{ public: void fill(int *p, int n); }};" for each in defined)
    text = f"namespace own::sycl {{ {classes} }}\nvoid last(sycl::queue &q, int *p) {{ q.fill(p, 0, 4); }}"
    hazards(code(text))
    assert seen == (["last"] if is_walked else [])
