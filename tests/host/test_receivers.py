"""Which queues and which memory are followed through members, functions, methods, and what is not visible."""

import pytest

from sycllint.facts.collect import file_facts
from sycllint.host.analyses import HostCode, observe
from sycllint.host.records import DyingMemory, EarlyUse
from sycllint.observation import EVERYTHING, Observations
from sycllint.values.evaluate import Evaluator

BEFORE = """
struct Node { float *h; float v; Node *next; };
struct Context {
  sycl::queue *q; float *h; float v; sycl::event done;
  void settle() { q->wait(); } void fetch(float *to);
};
struct Base { virtual void settle() {} void end() { q_.wait(); } sycl::queue q_; };
struct Outer { Context inner; std::unique_ptr<Context> own; sycl::queue &queue(); Context *context() const; };
struct Guard { Context &c; ~Guard() { c.q->wait(); } };
using stream_t = sycl::queue *;
void Context::fetch(float *to) { q->memcpy(to, h, 4); }
sycl::queue &current();
sycl::queue &of(Context &c) { return *c.q; }
void use(float);
"""


def seen(statements: str, before: str = "") -> Observations:
    """What is seen in ``run(Context &c, Outer *o, sycl::queue &q, float *h, const float *d, bool b)``."""
    parameters = "Context &c, Outer *o, sycl::queue &q, float *h, const float *d, bool b"
    code = f"{BEFORE}{before}\nvoid run({parameters}) {{ {statements} }}"
    facts = file_facts("host.cpp", code.encode(), {})
    return observe(HostCode(Evaluator(facts, {}), facts, ()), EVERYTHING)


def early(statements: str, before: str = "") -> list[tuple[str, str]]:
    """What is used too early, and what may have waited in code that is not visible."""
    return [(each.name, each.doubt) for each in seen(statements, before).of(EarlyUse)]


@pytest.mark.parametrize(
    "queue",
    [
        "c.q->",
        "(*c.q).",
        "o->inner.q->",
        "o->own->q->",
        "o->queue().",
        "o->context()->q->",
        "current().",
        "of(c).",
        "static_cast<sycl::queue *>(c.q)->",
        "dpct::get_in_order_queue().",
        "dpct::get_current_device().in_order_queue().",
    ],
)
def test_a_queue_is_reached_in_many_ways(queue: str) -> None:
    assert early(f"{queue}memcpy(h, d, 4); float x = h[0];") == [("h", "")]
    assert early(f"{queue}memcpy(h, d, 4); {queue}wait(); float x = h[0];") == []


@pytest.mark.parametrize(
    "declaration",
    [
        "auto &k = current();",
        "sycl::queue k = current();",
        "sycl::queue &k = *c.q;",
        "auto *k = c.q;",
        "stream_t k = c.q;",
        "std::shared_ptr<sycl::queue> k = make();",
        "auto k = std::make_unique<sycl::queue>();",
        "const auto &k = o->queue();",
    ],
)
def test_a_variable_is_a_queue(declaration: str) -> None:
    dot = "->" if "*" in declaration.partition("=")[0] or "_ptr" in declaration or "unique" in declaration else "."
    dot = "->" if "stream_t" in declaration else dot
    assert early(f"{declaration} k{dot}memcpy(h, d, 4); float x = h[0];") == [("h", "")]
    assert early(f"{declaration} k{dot}memcpy(h, d, 4); k{dot}wait(); float x = h[0];") == []


@pytest.mark.parametrize(
    "statements",
    [
        "q.memcpy(&c.v, d, 4); float x = c.v;",
        "q.memcpy(c.h, d, 4); float x = c.h[0];",
        "q.memcpy(c.h, d, 4); float x = *c.h;",
        "q.memcpy(o->inner.h, d, 4); use(o->inner.h[0]);",
        "Context mine; q.memcpy(&mine.v, d, 4); Context other = mine; q.wait();",
        "q.parallel_for(4, [=](sycl::id<1> i) { c.h[i] = 1; }); float x = c.h[0];",
        "c.fetch(h); float x = h[0];",
        "o->context()->fetch(h); float x = h[0];",
        "c.done = q.memcpy(h, d, 4); float x = h[0];",
        "T x; q.copy(d, &x, 1); T y = x;",
        "std::pair<float, int> p; q.memcpy(&p.first, d, 4); float x = p.first;",
        "q.parallel_for(4, sycl::reduction(h, sycl::plus<>()), [=](sycl::id<1> i, auto &s) { s += 1; }); use(h[0]);",
        "float a; q.memcpy(&a, d, 4); q.parallel_for(4, [=](sycl::id<1> i) { h[i] = a; }); q.wait();",
        "float a; q.memcpy(&a, d, 4); q.parallel_for(4, [a, h](sycl::id<1> i) { h[i] = a; }); q.wait();",
        "size_t n; q.memcpy(&n, d, 8); q.parallel_for(sycl::range<1>(n), [=](sycl::id<1> i) { h[i] = 1; }); q.wait();",
        "try { q.memcpy(h, d, 4); } catch (...) { q.wait(); } float x = h[0];",
        "std::vector<sycl::event> es; es.push_back(q.memcpy(h, d, 4)); float x = h[0];",
        "DPCT_CHECK_ERROR(q.memcpy(h, d, 4)); float x = h[0];",
        "dpct::async_dpct_memcpy(h, d, 4, dpct::automatic, q); float x = h[0];",
    ],
)
def test_memory_is_reached_in_many_ways(statements: str) -> None:
    assert [doubt for _, doubt in early(statements)] == [""]


@pytest.mark.parametrize(
    "statements",
    [
        "q.memcpy(&c.v, d, 4); float *x = c.h;",
        "q.memcpy(c.h, d, 4); c.h = h; float x = c.h[0];",
        "q.memcpy(c.h, d, 4); std::swap(c.h, o->inner.h); float x = c.h[0];",
        "q.memcpy(c.h, d, 4); other(c); float x = c.h[0];",
        "q.memcpy(c.h, d, 4); other(&c); float x = c.h[0];",
        "Node *n = first(); q.memcpy(n->h, d, 4); n = n->next; float x = n->h[0];",
        "auto n = m.begin(); q.memcpy(&n->v, d, 4); ++n; float x = n->v;",
        "std::shared_ptr<Node> n = first(); q.memcpy(&n->v, d, 4); n = after(n); float x = n->v;",
        "q.memcpy(h, d, 4); c.settle(); float x = h[0];",
        "c.q->memcpy(h, d, 4); c.settle(); float x = h[0];",
        "c.q->memcpy(h, d, 4); synchronize(); float x = h[0];",
        "{ Guard g{c}; c.q->memcpy(h, d, 4); } float x = h[0];",
        "{ Context mine; mine.q->memcpy(h, d, 4); other(mine); } float x = h[0];",
        "c.done = q.memcpy(h, d, 4); c.done.wait(); float x = h[0];",
        "std::vector<sycl::event> es; es.push_back(q.memcpy(h, d, 4)); sycl::event::wait(es); float x = h[0];",
        "std::vector<sycl::event> es; es.push_back(q.memcpy(h, d, 4)); other(es); float x = h[0];",
        "float a; q.memcpy(&a, d, 4); q.parallel_for(4, [=](sycl::id<1> i) { float a = 1; h[i] = a; }); q.wait();",
        "pool.submit([&](int i) { h[i] = 1; }); float x = h[0];",
        "data.memcpy(h, d, 4); float x = h[0];",
        "DPCT_CHECK_ERROR(q.memcpy(h, d, 4).wait()); float x = h[0];",
        "dpct::dpct_memcpy(h, d, 4, dpct::automatic, q); float x = h[0];",
    ],
)
def test_what_may_be_other_memory_or_in_time_is_silent(statements: str) -> None:
    assert early(statements) == []


@pytest.mark.parametrize(
    ("statements", "doubt"),
    [
        ("CHECK(q.memcpy(h, d, 4)); use(h[0]);", "CHECK"),
        ("SYCL_CHECK(CHECK_TRY_ERROR(q.memcpy(h, d, 4))); use(h[0]);", "CHECK_TRY_ERROR"),
        ("checkErrors((q.memcpy(h, d, 4), 0)); use(h[0]);", "checkErrors"),
        ("auto &queue = hidden(); queue.memcpy(h, d, 4); use(h[0]);", "queue.memcpy"),
        ("q.memcpy(h, d, 4); SYCL_CHECK(last(1)); use(h[0]);", "SYCL_CHECK"),
        ("q.memcpy(h, d, 4); verify(size(h), 1); use(h[0]);", ""),
        ("stream_.memcpy(h, d, 4); use(h[0]);", "stream_.memcpy"),
        ("device->get_queue()->memcpy(h, d, 4); use(h[0]);", "device.get_queue().memcpy"),
        ("queue_.submit([&](sycl::handler &g) { g.memcpy(h, d, 4); }); use(h[0]);", "queue_.submit"),
        ("current().memcpy(h, d, 4); elsewhere(); use(h[0]);", "elsewhere"),
    ],
)
def test_what_is_not_visible_leaves_a_doubt(statements: str, doubt: str) -> None:
    assert early(statements) == [("h", doubt)]


@pytest.mark.parametrize(
    "statements",
    [
        "CHECK_SYNC(q.memcpy(h, d, 4)); use(h[0]);",
        "CHECK(q.memcpy(h, d, 4).wait()); use(h[0]);",
        "CHECK(q); q.memcpy(h, d, 4); CHECK(q); use(h[0]);",
        "LAUNCH(q.memcpy(h, d, 4)); use(h[0]);",
        "queue_.memcpy(h, d, 4); queue_.synchronize(); use(h[0]);",
        "auto &queue = hidden(); queue.memcpy(h, d, 4); other(queue); queue.wait(); use(h[0]);",
    ],
)
def test_what_is_not_visible_may_wait(statements: str) -> None:
    assert early(statements) == []


def test_a_method_that_another_class_may_replace_may_wait() -> None:
    own = "struct Run : Base {{ float *d; void go() {{ float x; q_.memcpy(&x, d, 4); {}(); use(x + 1); }} }};"
    assert early("", own.format("settle")) == []
    assert early("", own.format("end")) == []
    assert early("", own.format("use")) == []


def test_members_of_two_objects_are_two() -> None:
    methods = "void load() { q_.memcpy(h_, d_, 4); } float get() { return h_[0]; }"
    load = f"struct Part {{ sycl::queue &q_; float *h_, *d_; {methods} }};"
    call = "void both(Part &one, Part &other) {{ one.load(); float x = {}.get(); one.q_.wait(); }}"
    assert early("", load + call.format("other")) == []
    assert early("", load + call.format("one")) == [("one.h_", "")]


def test_an_event_is_handed_to_a_function_that_waits() -> None:
    assert early("done(q.memcpy(h, d, 4)); use(h[0]);", "void done(sycl::event e) { e.wait(); }") == []
    assert early("kept(q.memcpy(h, d, 4)); use(h[0]);", "void kept(sycl::event e) { q.prefetch(e); }") == [("h", "")]


def test_a_function_that_waits_when_asked_to_is_left_to_its_callers() -> None:
    copy = "void copy(sycl::queue &q, float *to, const float *d, int how) { switch (how) { %s } }"
    waits = "case 0: q.memcpy(to, d, 4).wait(); break; case 1: q.memcpy(to, d, 4); break;"
    assert early("copy(q, h, d, 0); use(h[0]);", copy % waits) == []


@pytest.mark.parametrize(
    "statements",
    [
        "std::vector<float> v(4); q.memcpy(h, v.data(), 16); kept.push_back(std::move(v));",
        "auto v = std::make_unique<float[]>(4); q.memcpy(h, v.get(), 16); kept.push_back(std::move(v));",
        "auto v = std::make_shared<float[]>(4); q.memcpy(h, v.get(), 16); kept.push_back(v);",
        "std::vector<float> v(4); q.memcpy(h, v.data(), 16); kept.swap(v);",
        "Context mine; q.memcpy(h, &mine.v, 4); return mine;",
        "Node *n = first(); q.memcpy(h, &n->v, 4);",
    ],
)
def test_memory_that_goes_elsewhere_does_not_end(statements: str) -> None:
    assert not [*seen(statements).of(DyingMemory)]


@pytest.mark.parametrize(
    "statements",
    [
        "Context mine; q.memcpy(h, &mine.v, 4);",
        "auto v = std::make_unique<float[]>(4); q.memcpy(h, v.get(), 16);",
        "float v; c.q->memcpy(h, &v, 4);",
        "float v; dpct::get_default_queue().memcpy(h, &v, 4);",
    ],
)
def test_memory_of_the_function_ends(statements: str) -> None:
    assert len([*seen(statements).of(DyingMemory)]) == 1


NAMESPACES = """
namespace backend { sycl::queue &shared(); }
namespace short_name = backend;
namespace first { struct Device { sycl::queue queue; }; struct Session : Device { float v; }; }
namespace second { struct Device { int number; }; }
namespace tools { void settle(sycl::queue &q); }
void tools::settle(sycl::queue &q) { q.wait(); }
"""


def test_functions_are_found_under_the_alias_of_their_namespace() -> None:
    early_use = [("h", "")]
    assert early("short_name::shared().memcpy(h, d, 4); float x = h[0];", NAMESPACES) == early_use
    assert early("short_name::shared().memcpy(h, d, 4); short_name::shared().wait(); float x = h[0];", NAMESPACES) == []


def test_a_base_class_is_that_of_its_own_namespace() -> None:
    copied = "first::Session s; s.queue.memcpy(h, d, 4);"
    assert early(f"{copied} float x = h[0];", NAMESPACES) == [("h", "")]
    assert early(f"{copied} s.queue.wait(); float x = h[0];", NAMESPACES) == []


def test_a_function_that_is_defined_outside_its_namespace_is_no_method() -> None:
    assert early("q.memcpy(h, d, 4); tools::settle(q); float x = h[0];", NAMESPACES) == []
