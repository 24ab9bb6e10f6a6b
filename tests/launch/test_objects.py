"""Launches in methods: sizes that are members of the object, as far as nothing may have changed them."""

import pytest

from tests.launch.snippet import launches
from tests.launch.test_ways import LAUNCH, PARAMETERS, local

GO = f"void go({PARAMETERS}) {{ {LAUNCH.format('@SIZE')} }}"
GIVEN = "q, x, n, k"


def sizes(classes: str, body: str, size: str = "w") -> list[str]:
    """The local ranges of the launches that ``body`` leads to; ``@GO`` in ``classes`` is a method that launches."""
    written = (
        classes.replace("@GO", GO).replace("@SIZE", size).replace("@PARAMETERS", PARAMETERS).replace("@GIVEN", GIVEN)
    )
    body = body.replace("@GIVEN", GIVEN)
    seen = launches(f"#include <sycl/sycl.hpp>\n{written}\nvoid f({PARAMETERS}) {{ {body} }}")
    return [local(each) for each in seen]


@pytest.mark.parametrize(
    ("classes", "body", "found"),
    [
        ("struct L { int w; @GO };", "L l{64}; l.go(@GIVEN);", ["64"]),
        ("struct L { int w; L(int v) : w(v) {} @GO };", "L(128).go(@GIVEN); L{32}.go(@GIVEN);", ["128", "32"]),
        (
            "struct L { int w; L(int v) : w(v) {} @GO };",
            "L a(64), b(128); a.go(@GIVEN); b.go(@GIVEN);",
            ["64", "128"],
        ),
        ("struct L { int w = 1; void set(int v) { w = v; } @GO };", "L l; l.set(64); l.go(@GIVEN);", ["64"]),
        ("struct L { int w = 1; void set(int v) { w = v; } @GO };", "L l; if (k) l.set(64); l.go(@GIVEN);", ["1 | 64"]),
        ("struct L { int w = 1; @GO };", "L l; l.w = 64; l.go(@GIVEN);", ["64"]),
        ("template <class T> struct L { int w; @GO };", "L<float> l{64}; l.go(@GIVEN);", ["64"]),
        ("struct L { int w; @GO }; class A { L l{256}; public: void run(@PARAMETERS) { l.go(@GIVEN); } };",
         "A a; a.run(@GIVEN);", ["256"]),
        ("struct L { int w; @GO }; void run(L &l, @PARAMETERS) { l.go(@GIVEN); }",
         "L a{64}; run(a, @GIVEN); L b{32}; run(b, @GIVEN);", ["64", "32"]),
        ("struct B { int w; B(int v) : w(v) {} @GO }; struct L : B { L() : B(64) {} };", "L l; l.go(@GIVEN);", ["64"]),
        ("struct L { int w; void operator()(@PARAMETERS) { go(@GIVEN); } @GO };", "L l{64}; l(@GIVEN);", ["64"]),
    ],
)  # fmt: skip
def test_a_member_is_what_the_object_has_when_the_method_is_called(classes: str, body: str, found: list[str]) -> None:
    assert sizes(classes, body) == found


POINTED = "struct L { int w; L(int v) : w(v) {} void set(int v) { w = v; } void look() {} @GO };"


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("auto p = std::make_unique<L>(64); p->go(@GIVEN);", "64"),
        ("auto p = std::make_shared<L>(64); p->look(); p->go(@GIVEN);", "64"),
        ("L *p = new L(64); p->go(@GIVEN); delete p;", "64"),
        ("std::unique_ptr<L> p(new L(64)); p->go(@GIVEN);", "64"),
        ("std::unique_ptr<L> p = std::make_unique<L>(64); p->go(@GIVEN);", "64"),
        ("auto p = new L{64}; if (k) { p->go(@GIVEN); }", "64"),
        ("auto p = std::make_unique<L>(64); p->set(8); p->go(@GIVEN);", "8"),
        ("auto p = std::make_unique<L>(64); p->go(@GIVEN); p->set(8);", "64"),
        ("auto p = std::make_unique<L>(64); p->w = 8; p->go(@GIVEN);", "8"),
        ("auto p = std::make_unique<L>(64); if (k) p->w = 8; p->go(@GIVEN);", "8 | 64"),
        ("L *p = new L(64); p->w = 8; p->go(@GIVEN); delete p;", "8"),
        ("auto p = std::make_unique<L>(64); tune(p.get()); p->go(@GIVEN);", "?"),
        ("auto p = std::make_unique<L>(64); tune(*p); p->go(@GIVEN);", "?"),
        ("auto p = std::make_unique<L>(64); tune(&p->w); p->go(@GIVEN);", "?"),
        ("auto p = std::make_unique<L>(64); int &r = p->w; r = 8; p->go(@GIVEN);", "?"),
        ("auto p = std::make_unique<L>(64); auto s = [&] { p->w = 8; }; s(); p->go(@GIVEN);", "?"),
        ("auto p = std::make_unique<L>(64); auto &r = *p; r.set(8); p->go(@GIVEN);", "?"),
        ("auto p = std::make_unique<L>(64); L *r = p.get(); r->set(8); p->go(@GIVEN);", "?"),
        ("auto p = std::make_shared<L>(64); auto r = p; r->set(8); p->go(@GIVEN);", "?"),
        ("auto p = std::make_unique<L>(64); p = std::make_unique<L>(8); p->go(@GIVEN);", "?"),
        ("auto p = std::make_unique<L>(64); p.reset(new L(8)); p->go(@GIVEN);", "?"),
        ("L *p = nullptr; p = new L(64); p->go(@GIVEN);", "?"),
        ("L *p = new L[4]{1, 2, 3, 4}; p->go(@GIVEN);", "?"),
        ("L *p = k ? new L(64) : new L(8); p->go(@GIVEN);", "?"),
    ],
)
def test_an_object_behind_a_pointer_that_only_calls_it(body: str, found: str) -> None:
    assert sizes(POINTED, body) == [found]


GIVEN_TO = "struct L { int w; void set(int v) { w = v; } void look() {} @GO }; void tune(L *); void tune(L &);"


@pytest.mark.parametrize(
    ("function", "body", "found"),
    [
        ("void g(L *l, @PARAMETERS) { l->go(@GIVEN); }", "L l{64}; g(&l, @GIVEN);", ["64"]),
        ("void g(L *l, @PARAMETERS) { l->look(); l->go(@GIVEN); }", "L l{64}; g(&l, @GIVEN);", ["64"]),
        ("void g(const L *l, @PARAMETERS) { @LAUNCH }", "L l; l.w = 64; g(&l, @GIVEN);", ["64"]),
        ("void h(const L *l, @PARAMETERS) { @LAUNCH } void g(const L *l, @PARAMETERS) { h(l, @GIVEN); }",
         "L l{64}; g(&l, @GIVEN);", ["64"]),
        ("void g(L *l, @PARAMETERS) { l->set(32); l->go(@GIVEN); }", "L l{64}; g(&l, @GIVEN);", ["?"]),
        ("void g(L *l, @PARAMETERS) { l->w = 32; l->go(@GIVEN); }", "L l{64}; g(&l, @GIVEN);", ["?"]),
        ("void g(L *l, @PARAMETERS) { *l = L{32}; l->go(@GIVEN); }", "L l{64}; g(&l, @GIVEN);", ["?"]),
        ("void g(L *l, @PARAMETERS) { tune(l); l->go(@GIVEN); }", "L l{64}; g(&l, @GIVEN);", ["?"]),
        ("void g(L *l, @PARAMETERS) { tune(*l); l->go(@GIVEN); }", "L l{64}; g(&l, @GIVEN);", ["?"]),
        ("void g(L *l, @PARAMETERS) { L *p = l; p->set(3); l->go(@GIVEN); }", "L l{64}; g(&l, @GIVEN);", ["?"]),
        ("void g(L *l, @PARAMETERS) { l++; l->go(@GIVEN); }", "L l{64}; g(&l, @GIVEN);", ["?"]),
        ("void g(L *l, L *m, @PARAMETERS) { m->set(8); l->go(@GIVEN); }", "L l{64}; g(&l, &l, @GIVEN);", ["?"]),
        ("void g(const L *l, L &m, @PARAMETERS) { m.w = 8; @LAUNCH }", "L l{64}; g(&l, l, @GIVEN);", ["?"]),
        ("void g(const L *l, @PARAMETERS) { const_cast<L *>(l)->w = 8; @LAUNCH }", "L l{64}; g(&l, @GIVEN);", ["?"]),
        ("L all; void k_() { all.w = 3; } void g(const L *l, @PARAMETERS) { k_(); @LAUNCH }",
         "all.w = 64; g(&all, @GIVEN);", ["?"]),
    ],
)  # fmt: skip
def test_an_object_whose_address_is_given_is_what_it_was(function: str, body: str, found: list[str]) -> None:
    seen = sizes(GIVEN_TO + function.replace("@LAUNCH", LAUNCH.format("l->w")), body)
    assert [each for each in seen if each != "?"] == [each for each in found if each != "?"]


@pytest.mark.parametrize("use", ["c.q->wait();", "c.inner.tune();", "c.lists[0].clear();", "(void)c.inner.tune();"])
def test_what_is_called_on_one_member_leaves_the_others(use: str) -> None:
    classes = (
        "struct Inner { void tune(); }; struct L { int w = 1; sycl::queue *q; Inner inner; Inner lists[2]; };"
        f"void go(const L &c, @PARAMETERS) {{ {use} {LAUNCH.format('c.w')} }}"
    )
    assert sizes(classes, "L c; c.w = 64; c.q = &q; go(c, @GIVEN);") == ["64"]


def test_what_is_called_on_the_member_itself_may_change_it() -> None:
    classes = "struct W { int v; void tune(); operator int() const { return v; } }; struct L { W w; };"
    go = f"void go(L &c, @PARAMETERS) {{ c.w.tune(); {LAUNCH.format('c.w.v')} }}"
    assert sizes(classes + go, "L c; c.w.v = 64; go(c, @GIVEN);") == ["?"]


@pytest.mark.parametrize(
    ("size", "found"),
    [("w", "64"), ("this->w", "64"), ("width()", "64"), ("this->width()", "64"), ("2 * width()", "128")],
)
def test_members_are_named_in_several_ways(size: str, found: str) -> None:
    classes = "class L { int w; int width() const { return w; } public: L(int v) : w(v) {} @GO };"
    assert sizes(classes, "L l(64); l.go(@GIVEN);", size) == [found]


@pytest.mark.parametrize(
    ("before", "found"),
    [
        ("", "64"),
        ("w = 32;", "32"),
        ("look();", "64"),
        ("w = 32; look();", "32"),
        ("set();", "?"),
        ("w = 32; set();", "?"),
        ("elsewhere();", "?"),
        ("w = 32; elsewhere();", "?"),
        ("this->w = 32;", "?"),
        ("tune(this);", "?"),
        ("w = 32; tune(this);", "?"),
        ("tune(*this);", "?"),
        ("tune(w);", "?"),
        ("auto set = [this] { w = 8; }; set();", "?"),
        ("auto set = [&] { w = 8; }; set();", "?"),
    ],
)
def test_what_runs_on_the_object_before_is_seen(before: str, found: str) -> None:
    classes = (
        "struct L; void tune(L *); void tune(L &); void tune(int &); struct L { int w; void look() const {} "
        "void set() { w = 1; } void elsewhere(); void run(@PARAMETERS) { " + before + " go(@GIVEN); } @GO };"
    )
    assert sizes(classes, "L l{64}; l.run(@GIVEN);") == [found]
    itself = classes.replace("@GO", "").replace("go(@GIVEN);", LAUNCH.format("w"))
    assert sizes(itself, "L l{64}; l.run(@GIVEN);") == [found]


@pytest.mark.parametrize(
    ("classes", "body"),
    [
        ("struct L { int w = 1; @GO }; void tune(L &);", "L l; tune(l); l.go(@GIVEN);"),
        ("struct L { int w = 1; int &width() { return w; } @GO };", "L l; l.width() = 64; l.go(@GIVEN);"),
        ("struct L { int w; L(int v) : w(v) {} @GO };", "L a(64), b(32); std::swap(a, b); a.go(@GIVEN);"),
        ("struct L { int &w; L(int &v) : w(v) {} @GO };", "int v = 64; L l(v); v = 32; l.go(@GIVEN);"),
        ("struct L { int w; void run(@PARAMETERS) { int w = 512; go(@GIVEN); } @GO };", "L l{64}; l.run(@GIVEN);"),
        ("struct L { int w; void set(int v) { w = v; } @GO }; static L l{64}; void tune() { l.set(8); }",
         "l.go(@GIVEN);"),
        ("struct L { int w; void set(int v) { w = v; } @GO };", "static L l{32}; l.go(@GIVEN); l.set(64);"),
        ("struct L { int w; void set(int v) { w = v; } @GO };",
         "L l{32}; for (int i = 0; i < k; i++) { l.go(@GIVEN); l.set(64); }"),
        ("struct L { int w; void set(int v) { w = v; } @GO };", "L l{32}; L *p = &l; p->set(64); l.go(@GIVEN);"),
        ("struct L { int w; void set(int v) { w = v; } @GO };",
         "L l{32}; auto s = [&] { l.set(8); }; s(); l.go(@GIVEN);"),
        ("struct L { int w; void run(@PARAMETERS) { go(@GIVEN); w *= 2; } @GO };",
         "L l{64}; for (int i = 0; i < k; i++) l.run(@GIVEN);"),
    ],
)  # fmt: skip
def test_an_object_that_others_may_change_says_nothing(classes: str, body: str) -> None:
    assert sizes(classes, body) == ["?"]


@pytest.mark.parametrize(
    ("body", "size"),
    [("D d; d.get();", "d.w"), ("D d; d.get();", "d.look()"), ("D d;", "d.get()"), ("D d; d.through();", "d.w")],
)
def test_a_method_of_a_base_may_set_what_the_object_has_of_it(body: str, size: str) -> None:
    classes = (
        "struct B { int w = 1; void set() { w = 64; } };"
        "struct D : B { int get() { set(); return w; } int look() { return w; } void through() { this->set(); } };"
    )
    # All that is stored there is one of two numbers.
    found = {"d.look()": "?", "d.get()": "64"}.get(size, "1 | 64")
    assert sizes(classes, body + LAUNCH.format(size)) == [found]


def test_an_overridden_function_is_not_that_of_the_base() -> None:
    base = "struct B { virtual int width() const { return 64; } @GO };"
    derived = "struct D : B { int width() const override { return 256; } };"
    assert sizes(base + derived, "D d; d.go(@GIVEN);", "width()") == ["?"]
    assert sizes(base, "B b; b.go(@GIVEN);", "B::width()") == ["64"]


CHAIN = "struct L { int w = 1; L &width(int v) { w = v; return *this; } L &other() { return *this; } @GO };"


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("L().width(64).go(@GIVEN);", ["64"]),
        ("L l; l.width(32).go(@GIVEN); l.go(@GIVEN);", ["32", "32"]),
        ("L l; l.width(8).width(16); l.go(@GIVEN);", ["16"]),
        ("auto l = L().width(8); l.go(@GIVEN);", ["8"]),
        ("L l; auto &m = l.width(8); m.w = 16; l.go(@GIVEN);", ["?"]),
        ("L l; auto &m = l.other(); m.w = 16; l.go(@GIVEN);", ["?"]),
    ],
)
def test_methods_that_return_their_object_are_chained(body: str, found: list[str]) -> None:
    assert sizes(CHAIN, body) == found


@pytest.mark.parametrize(
    ("members", "found"),
    [
        ("class L { int w = 64; public: @GO };", "64"),
        ("struct L { @GO private: int w = 64; };", "64"),
        ("class L { int w; public: L() { w = 64; } @GO };", "64"),
        ("class L { int w; public: L() : w(64) {} explicit L(int) : w(32) {} @GO };", "32 | 64"),
        ("class L { int w; public: explicit L(bool big) { if (big) w = 64; else w = 32; } @GO };", "32 | 64"),
        ("class L { int w = 64; public: L() = default; @GO };", "64"),
        ("class L { int w = 64; public: int look() const; @GO };", "64"),
        ("struct C { int w = 64; }; class L { C c; int w = c.w; public: @GO };", "64"),
        ("class L { int w; public: explicit L(int v) : w(v) {} @GO };", "?"),
        ("class L { int w; public: explicit L(int v = 64) : w(v) {} @GO };", "?"),
        ("class L { int w; public: L() = default; explicit L(int) : w(64) {} @GO };", "64"),
        ("struct L { int w = 64; @GO };", "?"),
        ("class L { protected: int w = 64; public: @GO };", "?"),
        ("class L { friend class T; int w = 64; public: @GO };", "?"),
        ("class L { int w = 64; public: void set(int v) { w = v; } @GO };", "?"),
        ("class L { int w = 64; public: void set(int v); @GO };", "?"),
        ("class L { int w = 64; public: L(); @GO };", "?"),
        ("class L { int w = 64; public: void take(L &o) const { o.w = 3; } @GO };", "3 | 64"),
        ("class L { int w = 64; public: static L made(int v) { L l; l.w = v; return l; } @GO };", "?"),
        ("class L { int w = 64; public: void swap(L &o) { std::swap(w, o.w); } @GO };", "?"),
        ("class L { int w = 64; public: int &width() { return w; } @GO };", "?"),
        ("class L { int w = 64; public: int *width() { return &w; } @GO };", "?"),
        ("class L { int w = 64; public: auto setter() { return [this](int v) { w = v; }; } @GO };", "?"),
        ("class L { struct T { void tune(L &l) { l.w = 3; } }; int w = 64; public: @GO };", "3 | 64"),
        ("class L { mutable int w = 64; public: void tune() const { w = 3; } @GO };", "?"),
        ("class L { int w = 64; public: void read(std::istream &in) { in >> w; } @GO };", "?"),
        ("class L { int w = 64; public: void clear() { memset(this, 0, sizeof(*this)); } @GO };", "?"),
    ],
)
def test_private_members_that_only_constructors_set_are_known_of_any_object(members: str, found: str) -> None:
    assert sizes(f"{members} void run(L &l, @PARAMETERS) {{ l.go(@GIVEN); }}", "") == [found]


@pytest.mark.parametrize("default", ["{}", "{ }", "Options()", "Options{}"])
def test_a_default_argument_is_an_object_of_the_parameters_class(default: str) -> None:
    classes = (
        "struct Options { int w = 256; int unroll = 4; };"
        f"void go(@PARAMETERS, Options o = {default}) {{ {LAUNCH.format('o.w')} }}"
    )
    body = "go(@GIVEN); go(@GIVEN, {128}); go(@GIVEN, Options{.w = 64}); Options p; p.w = 32; go(@GIVEN, p);"
    assert sizes(classes, body) == ["256", "128", "64", "32"]
