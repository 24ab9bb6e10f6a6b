"""What a walk over one function shows of memory that a command uses, and what it leaves alone."""

import pytest

from sycllint.cpp.place import Place
from sycllint.cpp.statement import Block
from sycllint.facts.collect import file_facts
from sycllint.host.checks.hazards import concerned, definitions, walked
from sycllint.host.in_flight.course import Course
from sycllint.host.in_flight.walking import Way
from sycllint.host.records import Unordered
from sycllint.values.evaluate import Evaluator

BEFORE = """
static void copy_back(sycl::queue &q, float *to, const float *from, int n) { q.memcpy(to, from, n); }
static void copy_back_and_wait(sycl::queue &q, float *to, const float *from, int n) { q.memcpy(to, from, n).wait(); }
static float first(const float *from) { return from[0]; }
struct Pair { float *one; float *other; };
static void keep(sycl::queue &q) { q.wait(); }
static void renew(sycl::queue &q) { q = sycl::queue(sycl::property::queue::in_order()); }
static float *shared;
static void share(sycl::queue &q, const float *from, int n) { q.memcpy(shared, from, n).wait(); }
#define FIRST h[0]
"""
COPY = "q.memcpy(h, d, n);"


def found(statements: str) -> list[object]:
    """The records of ``run(sycl::queue &q, float *h, const float *d, int n, bool b)``."""
    code = f"{BEFORE}\nvoid run(sycl::queue &q, float *h, const float *d, int n, bool b) {{ {statements} }}"
    facts = file_facts("host.cpp", code.encode(), {})
    evaluator = Evaluator(facts, {})
    functions = concerned(evaluator.facts)
    run = [each for each in definitions(facts) if each.node.name == "run"]
    return list(walked(run, evaluator, functions))


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
        "auto group = [&](sycl::handler &c) { c.single_task([=] { h[0] = 1; }); }; q.submit(group); use(h[0]);",
        f"{COPY} use(first<std::pair<int, int>>(h));",
        f"use(first(h)); {COPY} use(first(h));",
        "copy_back_and_wait(q, h, d, n); copy_back_and_wait(q, h, d, n); copy_back(q, h, d, n); h[0] += 1;",
        "copy_back(q, h, d, n); q.wait(); copy_back(q, h, d, n); h[0] += 1;",
        "use(first(h)); float *s = sycl::malloc_device<float>(n, q); use(first(s));",
        "float *p = h; q.single_task([=] { p[0] = 1; }); p = nullptr; h[0] += 1;",
        "q.single_task([=] { FIRST = 1; }); h[0] += 1;",
        "q.single_task([=] { shared[0] = 1; }); shared[0] += 1;",
        "share(q, d, n); shared = sycl::malloc_device<float>(n, q); share(q, d, n); use(shared[0]);",
        "Pair pair; pair.one = h; q.single_task([=] { pair.one[0] = 1; }); h[0] += 1;",
    ],
)
def test_memory_in_use_by_a_command_is_found(statements: str) -> None:
    assert found(statements)


@pytest.mark.parametrize(
    "statements",
    [
        f"float *other; std::swap(h, other); {COPY} other[0] = 1;",
        "float *p = h; q.single_task([=] { p[0] = 1; }); p = shared; p[0] += 1;",
        "q.single_task([=] { shared[0] = 1; }); shared = h; shared[0] += 1;",
        "q.single_task([=] { use(h); }); h[0] += 1;",
        "q.submit([&](sycl::handler &c) { auto p = h + 1; c.single_task([=] { p[0] = d[0]; }); }); h[0] += 1;",
    ],
)
def test_what_no_walk_follows_is_passed_over(statements: str) -> None:
    assert not found(statements)


@pytest.mark.parametrize(
    "statements",
    [
        "h[0] += 1;",
        f"{COPY} q.wait(); h[0] += 1;",
        "q.memcpy(h, d, n).wait(); h[0] += 1;",
        "auto done = q.memcpy(h, d, n); done.wait(); h[0] += 1;",
        "copy_back_and_wait(q, h, d, n); h[0] += 1;",
        "copy_back_and_wait(q, h, d, n); copy_back_and_wait(q, h, d, n); h[0] += 1;",
        f"h[0] = 1; {COPY} q.wait();",
        f"{COPY} n += 1; q.wait(); use(h[n]);",
        "float *s = sycl::malloc_shared<float>(n, q); s[0] = 1; sycl::free(s, q);",
        f"{COPY} // use(h[0]);\n q.wait();",
        f'{COPY} puts("h[0]"); q.wait();',
        f"float *other; {COPY} std::swap(h, other); q.wait();",
        "q.submit([&](sycl::handler &c) { auto k = h[0]; c.single_task([=] { use(k); }); }); h[0] += 1; q.wait();",
        "float **rows = (float **)malloc(n); rows[0] = sycl::malloc_device<float>(n, q); sycl::free(rows[0], q);",
        "q.single_task([=] { use(sizeof h[0], d[0]); }); h[0] += 1; q.wait();",
    ],
)
def test_what_is_waited_for_or_left_alone_is_not(statements: str) -> None:
    assert not found(statements)


@pytest.mark.parametrize(
    ("statements", "count"),
    [
        ("copy_back_and_wait(q, h, d, n); copy_back_and_wait(q, h, d, n); copy_back_and_wait(q, h, d, n);", 1),
        ("copy_back(q, h, d, n); q.wait(); copy_back(q, h, d, n); q.wait();", 2),
        (f"copy_back_and_wait(q, h, d, n); {COPY} copy_back_and_wait(q, h, d, n);", 2),
        ("copy_back_and_wait(q, h, d, n); h = nullptr; copy_back_and_wait(q, h, d, n);", 2),
        ("share(q, d, n); share(q, d, n); use(shared[0]); share(q, d, n);", 1),
        ("share(q, d, n); shared = nullptr; share(q, d, n);", 1),
        ("share(q, d, n); shared = h; share(q, d, n);", 2),
    ],
)
def test_a_function_is_walked_again_only_from_another_state(
    statements: str, count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    walks: list[Place] = []
    function = Course.function

    def counting(course: Course, body: Block, place: Place, bind: Way) -> None:
        walks.append(place)
        function(course, body, place, bind)

    monkeypatch.setattr(Course, "function", counting)
    found(statements)
    assert len(walks) == 1 + count


@pytest.mark.parametrize(("handing", "is_found"), [("use(n);", True), ("keep(own);", True), ("renew(own);", False)])
def test_a_queue_that_may_be_another_has_no_known_order(handing: str, is_found: bool) -> None:
    made = "sycl::queue own{sycl::default_selector_v}; float *p = sycl::malloc_device<float>(n, own);"
    used = "own.memset(p, 0, n); own.single_task([=] { p[0] += 1; }); own.wait();"
    assert any(isinstance(each, Unordered) for each in found(f"{made} {handing} {used}")) is is_found
