"""Which functions a first look at their words sends on to the walk."""

import pytest

from sycllint.facts.collect import file_facts
from sycllint.host.hazards import _concerned, _definitions
from sycllint.host.prospects import Prospects
from sycllint.values.unit import Unit

BEFORE = """
void given(sycl::queue &q);
static void copy_back(sycl::queue &q, float *to, const float *from, int n) { q.memcpy(to, from, n); }
static void copy_back_and_wait(sycl::queue &q, float *to, const float *from, int n) { q.memcpy(to, from, n).wait(); }
static float first(const float *from) { return from[0]; }
"""
COPY = "q.memcpy(h, d, n);"


def is_walked(statements: str) -> bool:
    """Whether ``run(sycl::queue &q, float *h, const float *d, int n, bool b)`` may show something."""
    code = f"{BEFORE}\nvoid run(sycl::queue &q, float *h, const float *d, int n, bool b) {{ {statements} }}"
    facts = file_facts("host.cpp", code.encode(), {})
    unit = Unit((facts,))
    prospects = Prospects(unit, list(_concerned(unit)))
    [run] = [each for each in _definitions(facts) if each.node.name == "run"]
    return prospects.may_show(run)


@pytest.mark.parametrize(
    "statements",
    [
        f"{COPY} h[0] += 1;",
        f"{COPY} use(h[0]); q.wait();",
        f"if (b) {{ {COPY} }} use(h[0]);",
        f"for (int i = 0; i < n; ++i) {{ use(h[0]); {COPY} }}",
        f"float *alias = h; {COPY} alias[0] = 1;",
        f"{COPY} use(first(h));",
        "copy_back(q, h, d, n); h[0] += 1;",
        "auto copy = [&] { q.memcpy(h, d, n); }; copy(); h[0] += 1;",
        "float table[4] = {}; q.memcpy(table, d, sizeof table);",
        "float *s = sycl::malloc_device<float>(n, q); s[0] = 1;",
    ],
)
def test_memory_in_use_by_a_command_is_worth_a_walk(statements: str) -> None:
    assert is_walked(statements)


@pytest.mark.parametrize(
    "statements",
    [
        "h[0] += 1;",
        f"{COPY} q.wait(); h[0] += 1;",
        "q.memcpy(h, d, n).wait(); h[0] += 1;",
        "auto done = q.memcpy(h, d, n); done.wait(); h[0] += 1;",
        "copy_back_and_wait(q, h, d, n); h[0] += 1;",
        f"h[0] = 1; {COPY} q.wait();",
        f"{COPY} n += 1; q.wait(); use(h[n]);",
        "float *s = sycl::malloc_shared<float>(n, q); s[0] = 1; sycl::free(s, q);",
    ],
)
def test_what_is_waited_for_or_left_alone_is_not(statements: str) -> None:
    assert not is_walked(statements)
