"""The local range of a launch, told without the global one."""

import pytest

from sycllint.facts.collect import file_facts
from sycllint.launch.submission.shape import Shapes
from sycllint.symbols.unit import Unit
from sycllint.values.evaluate import Evaluator
from sycllint.values.objects import Point
from tests.launch.snippet import extents


@pytest.mark.parametrize(
    ("before", "given", "local"),
    [
        ("", "sycl::nd_range<1>(n * 64, 64)", "64"),
        ("", "sycl::nd_range<2>{{n, 8}, {4, 8}}", "4x8"),
        ("", "sycl::nd_range<1>({n, 32})", "32"),
        ("", "sycl::nd_range(sycl::range(n, n), sycl::range(16, 2))", "16x2"),
        ("", "sycl::range<1>(n)", "none"),
        ("sycl::nd_range<1> sizes(n, 64);", "sizes", "none"),
    ],
)
def test_the_global_range_is_not_asked_for(before: str, given: str, local: str) -> None:
    code = f"void run(sycl::queue &q, int n) {{ {before} q.parallel_for({given}, [=](auto it) {{}}); }}"
    facts = file_facts("snippet.cpp", code.encode(), {})
    evaluator = Evaluator(Unit((facts,)), {})
    (submission,) = facts.submissions
    point = Point(submission.place, submission.start)
    assert extents(Shapes(evaluator, "snippet.cpp").local_alone(submission.call.arguments[0], point)) == local
    assert not evaluator.free
