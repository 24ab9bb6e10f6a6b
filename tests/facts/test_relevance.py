"""What is never parsed: text that can hold nothing of what is asked for."""

import pytest

from sycllint.facts.relevance import can_launch, can_matter

LAUNCHES = {
    "a method of a queue or handler": b"q.parallel_for(n, kernel);",
    "a launch in a macro": b"#define RUN(f) q.single_task(f)",
    "a free function": b"nd_launch(q, range, kernel);",
    "a target region": b"#pragma omp target teams\nfor (;;) {}",
    "a target region on a continued line": b"#pragma omp \\\n  target\n{}",
}
HOST_CODE = {
    "a queue": b"sycl::queue q; q.wait();",
    "a kernel without its launch": b"struct K { void operator()(sycl::nd_item<1> it) const; };",
    "another pragma": b"#include <sycl/sycl.hpp>\n#pragma unroll\nfor (;;) {}",
}


@pytest.mark.parametrize("content", LAUNCHES.values(), ids=LAUNCHES)
def test_a_file_that_writes_a_launch_can_launch(content: bytes) -> None:
    assert can_launch(content)


@pytest.mark.parametrize("content", HOST_CODE.values(), ids=HOST_CODE)
def test_a_file_that_only_mentions_sycl_matters_to_rules_and_launches_nothing(content: bytes) -> None:
    assert (can_matter(content), can_launch(content)) == (True, False)
