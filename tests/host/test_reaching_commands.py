"""Which functions of a unit may come to a command, so that the others need no walk."""

import pytest

from sycllint.facts.collect import file_facts
from sycllint.host.checks.reaching_commands import reaching_commands
from sycllint.symbols.unit import Unit


def reaching(*texts: str) -> frozenset[str] | None:
    """What may reach a command in a unit of several files."""
    return reaching_commands(Unit([file_facts(f"{at}.hpp", each.encode(), {}) for at, each in enumerate(texts)]))


SUBMITS = "void submits(Stream &q, float *to, const float *from, int n) { q.memcpy(to, from, n); }\n"


def test_the_functions_that_submit_and_those_that_call_them_do_in_whichever_file() -> None:
    calls = (
        "void calls(Stream &s) { submits(s, 0, 0, 1); } void far() { if (b) calls(get()); } void idle() { count(); }"
    )
    assert reaching(SUBMITS, calls) == frozenset({"submits", "calls", "far"})
    assert reaching(calls, SUBMITS) == frozenset({"submits", "calls", "far"})
    assert reaching(calls) == frozenset()


@pytest.mark.parametrize(
    "body",
    [
        "stream()->submit(group);",
        "this->q . template parallel_for<K>(range, kernel);",
        "q\n  .copy(from, to, n);",
        "float *p = sycl::malloc_device<float>(n, q);",
        "float *p = aligned_alloc_shared<float>(64, n, q);",
        "dpct::async_dpct_memcpy(to, from, n);",
        "oneapi::mkl::blas::column_major::axpy(q, n, 1, x, 1, y, 1);",
        "for (int i = 0; i < n; ++i) { sycl::queue made; }",
        "sycl::buffer<int> b(data, n); sycl :: host_accessor a(b), c(b);",
        "auto a = held.get_access<read>();",
        "using namespace sycl; queue made;",
        "namespace s = cl::sycl; s::queue made;",
        "free(allocated(n), context);",
        "sycl::free(p, q);",
        "auto later = [&] { q.memset(p, 0, n); };",
    ],
)
def test_a_function_may_come_to_a_command_by_what_it_says(body: str) -> None:
    assert reaching(f"void f(int n) {{ {body} }}\nvoid idle(int n) {{ count(n); }}") == frozenset({"f"})


@pytest.mark.parametrize(
    "text",
    [
        "void f(char *to, const char *from) { std::memcpy(to, from, 4); std::fill(to, to + 4, 'x'); }",
        "void f(View v) { Kokkos::parallel_for(10, [=](int i) { v(i) = 0; }); fence.wait(); }",
        "void f(void *p) { free(p); std::free(p); }",
        "struct S { void free(void *p) { log(p, 1); } };",
        "void f(View v, Ref &r) { v.copy(r); v->fill(0, n); }",
        "void f(void *p) { kokkos_free(p, n); my_malloc_device(n); unsycl::queue q; }",
        "// q.submit(group)\nvoid f() { /* q.memcpy(a, b, n) */ count(); }  // sycl::queue",
        "/*\n * sycl::queue // q.submit(group)\n * q.submit(group)\n */\nvoid f() { count(); }",
        "struct Queues { void submits(sycl::queue q); static int of(const sycl::queue &q); };",
        "void submits(sycl::queue q);\nvoid f(Task t) { t.queue(1); }",
    ],
)
def test_a_function_that_only_sounds_so_does_not(text: str) -> None:
    assert reaching(text) == frozenset()


@pytest.mark.parametrize(
    "text",
    [
        "struct S { sycl::buffer<int> b; };",
        "sycl::queue q; Task task(q);",
        "sycl::queue q;\n#define RUN(n) run(q, n)\n",
        "using namespace sycl;",
        "using queue_t = sycl::queue;",
        "#define COPY(q, to, from, n) q.memcpy(to, from, n)\n",
        "struct S { S(Stream q) { q.submit(group); } };",
        "struct S { ~S() { stream.submit(group); } };",
        "struct S { void operator()() { stream.submit(group); } };",
        "struct S { S &operator<<(int n) { stream.submit(group); return *this; } };",
    ],
)
def test_any_function_may_where_something_of_it_is_reached_without_a_call_of_its_name(text: str) -> None:
    assert reaching(text, "void idle() { count(); }") is None


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("struct S { std::unique_ptr<sycl::queue> q; };", {"names"}),
        ("static sycl::queue q, p;  // q is the first", {"names", "other"}),
        ("struct S { int q; sycl::queue &queue(); };", {"queue", "gives"}),
        ("sycl::queue q; void runs(int q);", {"names"}),
        ("using number = sycl::ext::oneapi::bfloat16;", set()),
    ],
)
def test_a_queue_outside_of_functions_is_used_by_those_that_name_it(text: str, names: set[str]) -> None:
    uses = "void names(S &s) { run(s.q); } void other() { run(p); } void gives() { run(queue()); } void idle() {}"
    assert reaching(text, uses) == frozenset(names)


def test_what_is_not_surely_in_a_comment_is_code() -> None:
    assert reaching('void f() { open("http://*", q.submit(group)); /* // */ } void idle() { count(); }') == frozenset(
        {"f"}
    )
    assert reaching("void f() { /* // */ q.submit(group); } void idle() { count(); }") == frozenset({"f"})
    assert reaching('void f() { glob("/*"); q.submit(group); } void idle() { count(); }') == frozenset({"f"})


def test_macros_lead_from_who_uses_them_to_what_they_call() -> None:
    macro = "#define RUN(q) submits(q, 0, 0, 1)\n"
    assert reaching(SUBMITS, macro + "void uses(Stream &q) { RUN(q); }\nvoid idle() { count(); }") == frozenset(
        {
            "submits",
            "RUN",
            "uses",
        }
    )
