"""Which objects a function may assign through references and pointers."""

import pytest

from sycllint.cpp.expression import Expr, Member, Name, Type
from sycllint.cpp.node import walk
from sycllint.cpp.place import Place
from sycllint.dataflow.overwrites import Overwrites
from sycllint.facts.collect import file_facts
from sycllint.symbols.unit import Unit
from sycllint.values.evaluate import Evaluator
from sycllint.values.objects import TypeKind

BEFORE = """
void elsewhere(queue &q);
void only_read(const queue &q);
void set(queue &q) { q = queue(); }
void set_to(queue *q) { *q = queue(); }
void turn(queue *q) { q = nullptr; }
void copy(queue q) { q = queue(); }
void read(queue &q) { use(q.size()); }
void wait(queue &q, int n) { if (n > 0) wait(q, n - 1); q.wait(); }
void even(queue &q, int n) { if (n > 0) odd(q, n - 1); }
void odd(queue &q, int n) { if (n > 0) even(q, n - 1); else set(q); }
void alias(queue &q) { auto &same = q; same = queue(); }
void alias_of_a_copy(queue &q) { queue own = q; queue &same = own; same = queue(); }
void later_in_a_loop(queue &q, queue &r) { queue *p = &r; for (int i = 0; i < 2; ++i) { set_to(p); p = &q; } }
void both(queue &first, queue &second) { set(second); }
void variadic(int n, queue &...all) { (set(all), ...); }
queue &same(queue &q) { return q; }
template <class T> void any(T &q) { q = T(); }
struct Setter { explicit Setter(queue &q) : q_(q) {} void now() { q_ = queue(); } queue &q_; };
struct Indirect { explicit Indirect(queue &q) : inner_(q) {} Setter inner_; };
struct Derived : Setter { using Setter::Setter; };
struct Timer { explicit Timer(queue &q) : q_(q) {} int ask() { return q_.size(); } queue &q_; };
struct Aggregate { queue &q; void now() { set(q); } };
struct Owner { queue q; void now() { set(q); } };
struct Turned { explicit Turned(queue *q) : q_(q) {} void next() { q_ = nullptr; } queue *q_; };
struct Unknown { explicit Unknown(queue &q) : q_(q) {} void now(); queue &q_; };
struct Quiet { void look(queue &q) const; void set_it(queue &q) { q = queue(); } };
"""


class _Queues:
    """Objects of the class ``queue``; a function ``print`` without a visible definition only reads them."""

    def may_be(self, kind: Type, _: Place) -> bool:
        return kind.name.text in ("queue", "auto", "T")

    def is_overwritten_by(self, callee: Expr) -> bool:
        return not isinstance(callee, Name | Member) or getattr(callee, "text", "") not in ("print", "queue")

    def is_overwritten_in(self, made: TypeKind) -> bool:
        return made.name.last not in ("queue", "auto")


def overwritten(statements: str) -> str:
    """What the statements of ``void asked(queue &other, bool b) { queue q; int n; … }`` may overwrite."""
    text = f"{BEFORE} void asked(queue &other, bool b) {{ queue q; int n = 0; {statements} }}"
    evaluator = Evaluator(Unit((file_facts("a.cpp", text.encode(), {}),)), {})
    (declared,) = evaluator.facts.functions.get("asked")
    assert declared.node.body is not None
    domain = Overwrites(evaluator, _Queues())
    place = Place(declared.node.body, declared.place)
    found = [domain.at(node, place) for each in declared.node.body.statements for node in walk(each)]
    return " ".join(sorted(frozenset().union(*found)))


@pytest.mark.parametrize(
    ("statements", "expected"),
    [
        ("set(q);", "q"),
        ("set_to(&q);", "q"),
        ("elsewhere(q);", "q"),
        ("nobody_knows(q);", "q"),
        ("world.nobody_knows(q);", "q"),
        ("set(other);", "other"),
        ("auto &same_one = q; set(same_one);", "q"),
        ("queue *p = &q; set_to(p);", "q"),
        ("queue *p = &q; *p = other;", "q"),
        ("set(b ? q : other);", "other q"),
        ("odd(q, n);", "q"),
        ("even(q, n);", "q"),
        ("alias(q);", "q"),
        ("later_in_a_loop(q, other);", "other q"),
        ("both(q, other);", "other"),
        ("any(q);", "q"),
        ("set(same(q));", "q"),
        ("same(q) = other;", "q"),
        ("set(std::ref(q));", "q"),
        ("archive >> q;", "q"),
        ("auto f = [&] { set(q); };", "q"),
        ("auto f = [&q] { auto g = [&] { q = queue(); }; g(); };", "q"),
        ("auto f = [&r = q] { r = queue(); };", "q"),
        ("auto p = &q; auto f = [=] { set_to(p); };", "q"),
        ("auto f = [](queue &r) { r = queue(); }; f(q);", "q"),
        ("Setter s(q);", "q"),
        ("Setter s{q};", "q"),
        ("auto s = Setter(q);", "q"),
        ("auto s = new Setter(q);", "q"),
        ("Indirect s(q);", "q"),
        ("Derived s(q);", "q"),
        ("Aggregate s{q};", "q"),
        ("Unknown s(q);", "q"),
        ("Elsewhere s(q);", "q"),
        ("quiet.set_it(q);", "q"),
        ("struct { queue *held; } h; h.held = &q;", "q"),
    ],
)
def test_an_object_may_be_overwritten(statements: str, expected: str) -> None:
    assert overwritten(statements) == expected


@pytest.mark.parametrize(
    "statements",
    [
        "only_read(q);",
        "copy(q);",
        "read(q);",
        "wait(q, 3);",
        "turn(&q);",
        "alias_of_a_copy(q);",
        "print(q);",
        "q.wait();",
        "use(q.size());",
        "queue r = q; r = queue();",
        "queue r(q); set(r.partner);",
        "queue *p = &q; p = nullptr;",
        "auto f = [&] { q.wait(); };",
        "auto f = [=]() mutable { q = queue(); };",
        "auto f = [q]() mutable { set(q); };",
        "auto f = [r = other]() mutable { r = queue(); };",
        "auto f = [&](queue &q) { q = queue(); };",
        "auto f = [](const queue &r) { print(r); }; f(q);",
        "Timer t(q);",
        "Owner o{q};",
        "Turned t(&q);",
        "quiet.size(n);",
    ],
)
def test_an_object_stays_what_it_is(statements: str) -> None:
    assert overwritten(statements).replace("r", "") == ""
