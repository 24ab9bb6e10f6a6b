"""Methods of objects of which the class alone is known: what they give, if that depends on no object."""

import pytest

from tests.launch.snippet import launches
from tests.launch.test_ways import LAUNCH, PARAMETERS, local

GO = LAUNCH.format("c.block()")
CURIOUS = f"template <class D> struct Base {{ @SELF void go({PARAMETERS}) {{ @BODY }} }};"


def sizes(text: str) -> list[str]:
    """The local ranges of the launches in ``text``."""
    return [local(each) for each in launches(f"#include <sycl/sycl.hpp>\n{text}")]


@pytest.mark.parametrize(
    ("classes", "parameter", "found"),
    [
        ("struct C { int block() const { return 64; } };", "const C &c", "64"),
        ("struct C { static constexpr int b = 32; int block() const { return 2 * b; } };", "C &c", "64"),
        ("struct B { int block() const { return 64; } }; struct C : B {};", "C c", "64"),
        ("template <int W> struct B { int block() const { return W; } }; struct C : B<64> {};", "const C &c", "64"),
        ("template <int W> struct T { int block() const { return 2 * W; } }; using C = T<32>;", "const C &c", "64"),
        ("struct C { int block(int w = 32) const { return w * 2; } };", "const C &c", "64"),
        ("class C { const int w = 64; public: int block() const { return w; } };", "const C &c", "64"),
        ("struct C { virtual int block() const { return 64; } };", "const C &c", "?"),
        ("struct B { virtual int block() const; }; struct C : B { int block() const override { return 64; } };",
         "const C &c", "?"),
        ("struct C { int w() const { return 64; } virtual int v() const { return 8; } int block() { return v(); } };",
         "C &c", "?"),
        ("struct C { int w = 64; int block() const { return w; } };", "const C &c", "?"),
        ("class C { int w = 64; public: void set(int v) { w = v; } int block() const { return w; } };", "C &c", "?"),
        ("struct A { int block() { return 8; } }; struct B { int block() { return 64; } }; struct C : A, B {};",
         "C &c", "?"),
    ],
)  # fmt: skip
def test_a_method_that_reads_no_object_gives_the_same_for_all(classes: str, parameter: str, found: str) -> None:
    (size,) = sizes(f"{classes} void f({PARAMETERS}, {parameter}) {{ {GO} }}")
    assert (size == found) if found != "?" else not size.isdigit()


@pytest.mark.parametrize(
    ("own", "body"),
    [
        ("", LAUNCH.format("static_cast<D *>(this)->block()")),
        ("", LAUNCH.format("static_cast<const D &>(*this).block()")),
        ("", f"auto &d = static_cast<D &>(*this); int w = d.block(); {LAUNCH.format('w')}"),
        ("D &self() { return static_cast<D &>(*this); }", LAUNCH.format("self().block()")),
        ("const D *derived() const { return static_cast<const D *>(this); }", LAUNCH.format("derived()->block()")),
    ],
)
def test_a_base_asks_the_class_that_is_its_argument(own: str, body: str) -> None:
    """The curiously recurring template pattern."""
    base = CURIOUS.replace("@SELF", own).replace("@BODY", body)
    one = "struct One : Base<One> { int block() const { return 64; } };"
    two = "class Two : public Base<Two> { public: static constexpr int w = 128; int block() const { return w; } };"
    run = f"void f({PARAMETERS}) {{ One one; one.go(q, x, n, k); Two().go(q, x, n, k); }}"
    assert sizes(f"{base} {one} {two} {run}") == ["64", "128"]


def test_a_base_does_not_guess_what_an_object_of_the_class_holds() -> None:
    base = CURIOUS.replace("@SELF", "").replace("@BODY", LAUNCH.format("static_cast<D *>(this)->block()"))
    one = "struct One : Base<One> { int w = 8; int block() const { return w; } };"
    (size,) = sizes(f"{base} {one} void f({PARAMETERS}) {{ One one; one.w = 64; one.go(q, x, n, k); }}")
    assert size not in ("8", "64")
