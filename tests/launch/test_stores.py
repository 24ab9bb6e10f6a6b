"""Data members that all code sets to the same numbers: no object leads from where they are set to the launch."""

import pytest

from sycllint.values.value import possible
from tests.launch.snippet import extents, launches

LAUNCH = "q.parallel_for(sycl::nd_range<1>(4096, {}), [=](sycl::nd_item<1> it) {{}});"
RUN = "void run(sycl::queue &q, const Conf &c) { " + LAUNCH.format("c.block") + " }"
PLAIN = "struct Conf { int n; int block; };"


def local_range(code: str) -> str:
    """The one local range that is launched; ``64,128`` where it is one of these."""
    (launch,) = launches(code)
    assert launch.local_range is not None
    (extent,) = launch.local_range.extents
    values = getattr(extent, "values", None)
    return ",".join(str(each.value) for each in values) if values else extents(launch.local_range)


@pytest.mark.parametrize(
    ("classes", "stores", "found"),
    [
        (PLAIN, "void init(Conf &c, int n) { c.n = n; c.block = 256; }", "256"),
        (PLAIN, "void init(Conf *c) { c->block = 256; }", "256"),
        (PLAIN, "void init(Conf &c) { c = Conf(); c.block = 256; }", "256"),
        (PLAIN, "void init(Conf &c) { constexpr int w = 16; c.block = w * 8; }", "128"),
        (PLAIN, "void a(Conf &c) { c.block = 64; } void b(Conf &c) { c.block = 64; }", "64"),
        (PLAIN, "void a(Conf &c, int k) { c.block = k > 3 ? 64 : 128; }", "64,128"),
        (PLAIN, "void a(Conf &c, int k) { if (k) c.block = 64; else c.block = 128; }", "64,128"),
        (PLAIN, "struct Pd { Conf conf; void init() { conf.block = 32; } };", "32"),
        (PLAIN, "struct Pd { Conf conf; Conf &get() { return conf; } }; void f(Pd &p) { p.get().block = 32; }", "32"),
        (PLAIN, "struct Other { int block; }; void f(Other &o, int n) { o.block = n; }", "?"),
        (PLAIN, "struct X { int block; }; void f(X &o, int n) { o.block = n; } void g(Conf &c) { c.block = 8; }", "8"),
        (PLAIN, "void g(Conf &c) { int block = 4; block += 2; c.block = 8; }", "8"),
        (PLAIN, "int used(const Conf &c) { return c.block * 2; } void g(Conf &c) { c.block = 8; }", "8"),
        (PLAIN, "void use(int); void g(Conf &c) { c.block = 8; use(c.block); }", "8"),
        ("struct Conf { int n = 0; int block = 0; };", "void g(Conf &c) { c.block = 8; }", "8"),
        ("struct Conf { int block = 16; };", "void g(Conf &c) { c.block = 8; }", "8,16"),
        ("struct Conf { Conf() : block(4) {} int block; };", "void g(Conf &c) { c.block = 8; }", "4,8"),
        ("struct Conf { Conf() {} int block; };", "void g(Conf &c) { c.block = 8; }", "8"),
        # What is not said of every object, or at all.
        ("struct Conf { Conf() : block(4) {} int block; };", "void g(Conf &c) { c.block *= 8; }", "?"),
        ("struct Conf { Conf() : block(4) {} int block; };", "void g(Conf &c) { c.block++; }", "?"),
        ("struct Conf { Conf() : block(4) {} int block; void tune(); };", "", "?"),
        ("struct A { struct Conf; }; struct A::Conf { Conf(int b) : block(b) {} int block; }; using A::Conf;",
         "void g(A::Conf &c) { c.block = 8; }", "?"),
        (PLAIN, "", "?"),
        ("struct Conf { int block = 16; };", "", "?"),
        (PLAIN, "void g(Conf &c, int n) { c.block = n; }", "?"),
        (PLAIN, "void g(Conf &c) { c.block = 8; } void h(Conf &c, int n) { c.block = n; }", "?"),
        (PLAIN, "void g(Conf &c) { c.block = 8; c.block *= 2; }", "?"),
        (PLAIN, "void g(Conf &c) { c.block = 8; ++c.block; }", "?"),
        (PLAIN, "void g(Conf &c) { c.block = 8; int *p = &c.block; *p = 3; }", "?"),
        (PLAIN, "void g(Conf &c) { c.block = 8; int &p = c.block; p = 3; }", "?"),
        (PLAIN, "void tune(int &); void g(Conf &c) { c.block = 8; tune(c.block); }", "?"),
        (PLAIN, "void g(Conf &c, std::istream &in) { c.block = 8; in >> c.block; }", "?"),
        (PLAIN, "#define SET(o, f, v) (o).f = (v)\nvoid g(Conf &c, int n) { c.block = 8; SET(c, block, n); }", "?"),
        (PLAIN, "#define TUNE(o) (o).block = 4\nvoid g(Conf &c, int n) { c.block = 8; TUNE(c); }", "?"),
        (PLAIN, "void g(Conf &c) { c.block = 8; } Conf made(int n) { return {n, n}; }", "?"),
        (PLAIN, "void g(Conf &c) { c.block = 8; } void h(int n) { Conf c{n, n}; }", "?"),
        (PLAIN, "void g(Conf &c) { c.block = 8; } void h(int n) { auto c = Conf{n, n}; }", "?"),
        (PLAIN, "void g(Conf &c) { c.block = 8; } void h(Conf &c, int n) { c = {n, n}; }", "?"),
        (PLAIN, "void g(Conf &c) { c.block = 8; } void h(sycl::queue &q, int n) { run(q, {n, n}); }", "?"),
        (PLAIN, "void g(Conf &c) { c.block = 8; } void h(int n) { Conf c = {.n = n, .block = n}; }", "?"),
        (PLAIN, "void g(Conf &c) { c.block = 8; } std::vector<Conf> all(int n) { return {{n, n}}; }", "?"),
        (PLAIN, "struct P { int k; Conf c; }; void g(Conf &c) { c.block = 8; } void h(int n) { P p{n, {n, n}}; }", "?"),
        ("struct Conf { Conf(int b) : block(b) {} int block; };", "void g(Conf &c) { c.block = 8; }", "?"),
        ("struct Conf { bool block; };", "void g(Conf &c) { c.block = 8; }", "?"),
        ("struct Conf { int *block; };", "void g(Conf &c) { c.block = 8; }", "?"),
        ("union Conf { int n; int block; };", "void g(Conf &c) { c.block = 8; }", "?"),
    ],
)  # fmt: skip
def test_what_all_stores_agree_on(classes: str, stores: str, found: str) -> None:
    assert local_range(f"{classes} {RUN}\n{stores}") == found


@pytest.mark.parametrize(
    ("members", "found"),
    [
        ("void init() { block = 64; }", "64"),
        ("void init() { this->block = 64; }", "64"),
        ("void init(); };\nvoid Plan::init() { block = 64; } struct Rest {", "64"),
        ("void init() { block = 64; } void grow() { block += 1; }", "?"),
        ("void init(int block) { this->block = block; }", "?"),
        ("void init() { block = 64; } int &size() { return block; }", "?"),
        ("void init() { int block = 64; }", "?"),
        ("void init() { block = 64; } friend void set(Plan &p, int n) { p.block = n; }", "?"),
    ],
)
def test_a_member_that_one_method_sets_and_another_one_reads(members: str, found: str) -> None:
    run = "void run(sycl::queue &q) { " + LAUNCH.format("block") + " }"
    assert local_range(f"struct Plan {{ Plan() {{}} int block; {run} {members} }};") == found


BASE = "struct Base { explicit Base(int b) : block(b) {} virtual ~Base() {} int block; };"
DERIVED = (
    "struct D : Base {{ {} void run(sycl::queue &q) {{ " + LAUNCH.format("block").replace("{}", "{{}}") + " }} }};"
)


@pytest.mark.parametrize(
    ("made", "others", "found"),
    [
        ("D() : Base(64) {}", "", "64"),
        ("D(int n) : Base(64) { k = n; } int k;", "", "64"),
        ("D() : Base(64) {} D(int) : Base(32) {}", "", "32,64"),
        ("D() : Base(64) { block = 16; }", "", "16"),
        ("D() : Base(64) {}", "struct E : Base { E() : Base(8) { block = 4; } };", "64"),
        ("D() : Base(64) {}", "struct E : D { E() { block = 4; } };", "4,64"),
        ("D(int n) : Base(n) {}", "", "?"),
        ("D() : Base(64) {}", "void tune(Base &b, int n) { b.block = n; }", "?"),
        ("D() : Base(64) { other(); } void other();", "", "?"),
    ],
)
def test_a_member_of_a_base(made: str, others: str, found: str) -> None:
    assert local_range(f"{BASE} {DERIVED.format(made)} {others}") == found


@pytest.mark.parametrize(
    ("members", "launched", "found"),
    [
        ("int n = 0; void init() { n = 1024; }", "range<1>(n)", [1024]),
        ("int n = 0; void init() { n = 1024; } void more() { n = 2048; }", "range<1>(n)", [1024, 2048]),
        ("int n = 0; void init() { n = 1024; }", "nd_range<1>(n, 64)", [1024]),
        ("int n = 0; void init() { n = 1024; }", "range<1>(n / 64)", [16]),
        # What is added to another number may well be nothing, and what is set to 0 is that.
        ("int pad = 0; void init() { pad = 16; }", "range<1>(240 + pad)", [240, 256]),
        ("int n = 0; void init() { n = 1024; } void none() { n = 0; }", "range<1>(n)", [0, 1024]),
    ],
)
def test_a_launch_is_that_of_an_object_that_is_set_up(members: str, launched: str, found: list[int]) -> None:
    item = "nd_item" if launched.startswith("nd_") else "id"
    run = f"void run(sycl::queue &q) {{ q.parallel_for(sycl::{launched}, [=](sycl::{item}<1> i) {{}}); }}"
    (launch,) = launches(f"struct Plan {{ Plan() {{}} {run} {members} }};")
    assert launch.global_range is not None
    (extent,) = launch.global_range.extents
    assert [each.value for each in possible(extent)] == found
