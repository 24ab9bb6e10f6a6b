"""Uses of memory in code that only reads and writes."""

import pytest

from sycllint.cpp.statement import Function
from sycllint.facts.collect import file_facts
from sycllint.facts.file import Declared
from sycllint.host.checks.hazards import concerned, definitions, walked
from sycllint.values.evaluate import Evaluator

BEFORE = """
#include <vector>
#define COUNT 256
#define FIRST h[0]
struct Pair { float *data; int count; };
void elsewhere(const float *);
"""
COPY = "q.memcpy(h, d, n);"


def run(statements: str) -> tuple[Evaluator, Declared[Function]]:
    """The function ``run(sycl::queue &q, float *h, const float *d, int n, Pair pair)``."""
    code = f"{BEFORE}\nvoid run(sycl::queue &q, float *h, const float *d, int n, Pair pair) {{ {statements} }}"
    facts = file_facts("host.cpp", code.encode(), {})
    found = [each for each in definitions(facts) if each.node.name == "run"]
    return Evaluator(facts, {}), found[0]


def found(statements: str) -> list[object]:
    evaluator, declared = run(statements)
    return list(walked([declared], evaluator, concerned(evaluator.facts)))


@pytest.mark.parametrize(
    "statements",
    [
        f"{COPY} for (int i = 0; i < n; ++i) n += h[i];",
        f"{COPY} if (n > 0) {{ for (int i = 0; i < n; ++i) {{ if (h[i] > 1) break; }} }}",
        f"float *alias = h + 4; {COPY} for (int i = 0; i < n; ++i) alias[i] = 0;",
        f"float &first = h[0]; {COPY} while (first < 1) n = n + 1;",
        f"float *last; do {{ last = h; n = n - 1; }} while (n > 0); {COPY} n = last[0] + 1;",
        f"pair.data = h; {COPY} for (int i = 0; i < n; ++i) n += pair.data[i];",
        f'{COPY} for (int i = 0; i < n; ++i) printf("%f", h[i]);',
        f"{COPY} n = std::max(n, int(h[0]));",
        "float *s = sycl::malloc_device<float>(n, q); for (int i = 0; i < n; ++i) s[i] = 0;",
        "float *s = h; for (int i = 0; i < n; ++i) { n += s[0]; s = sycl::malloc_device<float>(n, q); }",
        "std::vector<float> v(n); q.memcpy(v.data(), d, n); for (int i = 0; i < n; ++i) v[i] += 1;",
        "float a[4]; q.memcpy(a, d, n); for (float x : a) n += x;",
        "q.memcpy(&n, d, 4); for (int i = 0; i < n; ++i) h[i] = 0;",
    ],
)
def test_uses_of_memory_in_flight_are_seen_in_plain_code(statements: str) -> None:
    assert found(statements)


@pytest.mark.parametrize(
    "statements",
    [
        f"for (int i = 0; i < n; ++i) h[i] = 0; {COPY} for (int i = 0; i < n; ++i) n += d[i]; q.wait();",
        f"{COPY} for (int i = 0; i < 1; ++i) {{ q.wait(); }} q.wait(); n = h[0] + 1;",
        f"float *last = h; {COPY} for (int i = 0; i < n; ++i) {{ last = pair.data; }} n = last[0] + 1; q.wait();",
    ],
)
def test_plain_code_may_use_other_memory(statements: str) -> None:
    assert not found(statements)
