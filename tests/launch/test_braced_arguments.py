"""Kernels whose statements a macro of a header is given in braces."""

from pathlib import Path

import pytest

from sycllint import Config, launches
from sycllint.pipeline import check

HEADER = """#pragma once
#include <sycl/sycl.hpp>
{lines}
#define FOR_EACH(q, n, i, ...) (q).parallel_for(sycl::range<1>(n), [=](sycl::id<1> i) __VA_ARGS__)
#define GROUPS(q, n, item, BODY) \\
  (q).submit([&](sycl::handler &h) {{ \\
    h.parallel_for(sycl::nd_range<1>(n, 256), [=](sycl::nd_item<1> item) [[sycl::reqd_sub_group_size(16)]] BODY); \\
  }})
#define MANY(q, item, ...) GROUPS(q, 1 << 20, item, __VA_ARGS__)
"""
DIVERGENT = """
#include "launch.h"
void f(sycl::queue &q) {
  GROUPS(q, 1 << 20, it, {
    if (it.get_local_id(0) == 0)
      sycl::group_barrier(it.get_group());
  });
}
"""


@pytest.fixture
def program(tmp_path: Path) -> Path:
    """A folder with a header whose macros stand behind all that uses them, by their offsets."""
    (tmp_path / "launch.h").write_text(HEADER.format(lines="\n" * 4000))
    return tmp_path


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (DIVERGENT, [("SYC501", 6)]),
        (DIVERGENT.replace("get_local_id", "get_group"), []),
        (DIVERGENT.replace("GROUPS(q, 1 << 20,", "MANY(q,"), [("SYC501", 6)]),
    ],
)
def test_the_findings_stand_where_the_statements_do(
    program: Path, source: str, expected: list[tuple[str, int]]
) -> None:
    (program / "a.cpp").write_text(source)
    found = check([str(program)], Config(targets=("pvc",))).diagnostics
    assert [(each.code, source.count("\n", 0, each.location.span.start) + 1) for each in found] == expected


def test_a_launch_that_takes_its_whole_body_from_its_use_is_found(program: Path) -> None:
    use = "FOR_EACH(q, 1024, k, { a[k] = 0; });"
    (program / "a.cpp").write_text(f'#include "launch.h"\nvoid f(sycl::queue &q, int *a) {{ {use} }}\n')
    (launch,) = launches([str(program)])
    assert [str(each) for each in launch.global_range or ()] == ["1024"]
