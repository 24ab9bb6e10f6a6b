"""What a walk over host code passes over, and that nothing is lost with it."""

from pathlib import Path

import pytest

from sycllint.cpp.place import Place
from sycllint.cpp.statement import Function
from sycllint.facts.collect import file_facts
from sycllint.facts.file import Declared
from sycllint.host.checks.hazards import concerned, definitions, walked
from sycllint.host.scopes.code_index import CodeIndex
from sycllint.host.scopes.relevance import mentioned
from sycllint.host.scopes.scope import FunctionScope
from sycllint.values.evaluate import Evaluator

BEFORE = """
#include <vector>
#define COUNT 256
#define FIRST h[0]
struct Pair { float *data; int count; };
void elsewhere(const float *);
"""
COPY = "q.memcpy(h, d, n);"
FIXTURES = sorted((Path(__file__).parents[2] / "fixtures").glob("*/*.cpp"))


def run(statements: str) -> tuple[Evaluator, Declared[Function]]:
    """The function ``run(sycl::queue &q, float *h, const float *d, int n, Pair pair)``."""
    code = f"{BEFORE}\nvoid run(sycl::queue &q, float *h, const float *d, int n, Pair pair) {{ {statements} }}"
    facts = file_facts("host.cpp", code.encode(), {})
    found = [each for each in definitions(facts) if each.node.name == "run"]
    return Evaluator(facts, {}), found[0]


def found(statements: str) -> list[object]:
    evaluator, declared = run(statements)
    return list(walked([declared], evaluator, concerned(evaluator.facts)))


def mentions(statement: str) -> set[str] | None:
    """What the one statement names that is plain by its form."""
    evaluator, declared = run(statement)
    body = declared.node.body
    assert body is not None
    place = Place(body.statements[0], Place(body, declared.place))
    named = mentioned(CodeIndex(evaluator), body.statements[0], place)
    return None if named is None else set(named)


@pytest.mark.parametrize(
    ("statement", "names"),
    [
        ("for (int i = 0; i < n; ++i) h[i] = i * 0.5f;", {"h", "i", "n"}),
        ("for (int i = 0; i < COUNT; i++) { if (d[i] < 0) break; h[i] += d[i]; }", {"h", "d", "i", "COUNT"}),
        ("while (n > 1) n = n / 2;", {"n"}),
        ('if (n < 0) printf("%d", n);', {"n", "printf"}),
        ("{ float sum = std::sqrt(d[0]); *h = sum; }", {"d", "h", "sum", "std::sqrt"}),
        ("if (pair.count > 0) n = pair.count;", {"pair", "n"}),
    ],
)
def test_code_that_reads_and_writes_is_plain(statement: str, names: set[str]) -> None:
    assert mentions(statement) == names


@pytest.mark.parametrize(
    "statement",
    [
        "for (int i = 0; i < n; ++i) elsewhere(h);",
        "for (int i = 0; i < n; ++i) q.wait();",
        "if (n < 0) return;",
        "if (n < 0) exit(1);",
        "if (n < 0) free(h);",
        "{ delete[] h; }",
        "{ static int calls = 0; calls = calls + 1; }",
        "{ pair.data = h; }",
        "{ auto address = &h[n]; }",
        "if (n) n = FIRST;",
        "{ SYNCHRONIZE; }",
        "{ std::swap(h, pair.data); }",
        "{ sycl::event::wait({}); }",
        "for (;;) { [&] { q.wait(); }(); }",
    ],
)
def test_what_may_do_more_is_not(statement: str) -> None:
    assert mentions(statement) is None


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
def test_plain_code_that_uses_other_memory_is_passed_over(statements: str) -> None:
    assert not found(statements)


@pytest.mark.parametrize("folder", sorted({each.parent.name for each in FIXTURES}))
def test_walking_all_code_shows_no_more(folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for path in (each for each in FIXTURES if each.parent.name == folder):
        facts = file_facts(path.name, path.read_bytes(), {})
        evaluator = Evaluator(facts, {})
        functions, every = concerned(evaluator.facts), list(definitions(facts))
        sliced = list(walked(every, evaluator, functions))
        with monkeypatch.context() as patched:
            patched.setattr(FunctionScope, "is_relevant", lambda *_: True)
            assert list(walked(every, evaluator, functions)) == sliced, path
