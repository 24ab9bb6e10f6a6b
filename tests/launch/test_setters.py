"""Objects whose members are set by methods of their own: in constructors, in methods, in copies that methods give."""

import pytest

from tests.launch.snippet import extents, in_queue

LAUNCH = "q.parallel_for(sycl::nd_range<1>(4096, c.block), [=](sycl::nd_item<1> it) {});"
SET = "void set(size_t b) { block = b; }"


@pytest.mark.parametrize(
    ("members", "body", "found"),
    [
        (f"size_t block; C() {{ set(256); }} {SET}", "C c;", "256"),
        (f"size_t block = 8; C() {{ this->set(256); }} {SET}", "C c;", "256"),
        (f"size_t block; C(size_t b) {{ set(b * 2); }} {SET}", "C c(32);", "64"),
        (f"size_t block; C() {{ set(256); block = 64; }} {SET}", "C c;", "64"),
        (f"size_t block; C() {{ block = 64; set(256); }} {SET}", "C c;", "256"),
        (f"size_t block; C() {{ set(256); set(32); }} {SET}", "C c;", "32"),
        (f"size_t block; C() {{ init(); }} void init() {{ set(16); }} {SET}", "C c;", "16"),
        (f"size_t block, warp; C() {{ warp = 16; init(); }} void init() {{ set(warp * 4); }} {SET}", "C c;", "64"),
        (f"size_t block, n; C() {{ set(16); n = block * 2; set(n); }} {SET}", "C c;", "32"),
        (f"size_t block; C() {{ set(16); set(block * 2); }} {SET}", "C c;", "32"),
        ("size_t block; C(size_t block) { set(); } void set() { block = 8; }", "C c(4);", "8"),
        (f"size_t block; C() : block(8) {{}} void init() {{ set(16); set(block * 2); }} {SET}", "C c; c.init();", "32"),
        (
            "size_t block; C(bool b) : block(8) { go(b); } void go(bool b) { if (b) block = 16; }",
            "C c(true);",
            "16",
        ),
        (f"size_t block, n; C() {{ block = 1; set(8); block += 8; }} {SET}", "C c;", "16"),
        (f"size_t block, n; C() {{ n = 2; set(8); if (n > 1) {{ block = n * block; }} }} {SET}", "C c;", "?"),
        ("size_t block = 4; C(size_t n) { if (n > 8) { this->block = n; } }", "C c(16);", "16"),
        # What is not followed has no number.
        ("size_t block = 4; C(size_t n) { if (k() > 8) { this->block = n; } } int k();", "C c(16);", "?"),
        (f"size_t block = 8; C(bool b) {{ if (b) set(256); }} {SET}", "C c(wide);", "?"),
        ("size_t block = 8; C() { set(); } void set();", "C c;", "?"),
        (f"size_t block = 8; C() {{ init(); }} virtual void init() {{ set(16); }} {SET}", "C c;", "?"),
        ("size_t block = 8; C() { set(&block); } void set(size_t *b) { *b = 4; }", "C c;", "4"),
        ("size_t block = 8; C() { set(&block); } void set(size_t *b);", "C c;", "?"),
        ("size_t block = 8; C() { set(); } void set() { reset(); } void reset() { set(); block = 2; }", "C c;", "?"),
        ("size_t block = 8; C(int n) { set(n); } void set(int n) { if (n > 1) return; block = 2; }", "C c(n);", "?"),
    ],
)
def test_members_set_by_calls_of_own_methods(members: str, body: str, found: str) -> None:
    assert extents(in_queue(f"{body} {LAUNCH}", f"struct C {{ {members} }};").local_range) == found


COPIES = """
struct C {
  size_t block = 64, grid = 1;
  C with(size_t b) const { C c = *this; c.block = b; return c; }
  C on(size_t g) const { C c(*this); c.grid = g; return c; }
  C &twice() { block *= 2; return *this; }
  C &over(size_t n) { grid = (n + block - 1) / block; return *this; }
  C half() { block /= 2; return *this; }
};
"""


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("C a; C c = a.with(128);", "128"),
        ("C a; auto c = a.on(2).with(128).on(4);", "128"),
        ("auto c = C().with(32);", "32"),
        ("C c; c.twice().over(n);", "128"),
        ("auto c = C{}.with(32).twice();", "64"),
        ("C c; c.with(128);", "64"),
        ("C a; a.block = 16; C c = a.on(4);", "16"),
        ("C a = C().with(16); C b = a.with(32); C c = a;", "16"),
        ("C a; C c = a.half();", "?"),
        ("C a; C &r = a; r.twice(); C c = a.with(6);", "?"),
    ],
)
def test_changed_copies_of_an_object(body: str, found: str) -> None:
    assert extents(in_queue(f"{body} {LAUNCH}", COPIES).local_range) == found
