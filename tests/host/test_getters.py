"""What a method gives of its object or of an argument, written as where it is called."""

import pytest

from sycllint.cpp.expression import Name
from sycllint.cpp.spelling import spelled
from sycllint.facts.collect import file_facts
from sycllint.host.scopes.touched import only_given, written
from tests.host.test_flights import early

MEMBERS = frozenset({"memory_", "inherited_", "grid_", "all_", "pair_", "n_", "inner", "at"})


def given(methods: str) -> str | None:
    """What ``it.asked(x, y)`` gives, whose class has these methods."""
    (declared,) = file_facts("a.cpp", f"struct It {{ {methods} }};".encode(), {}).functions["asked"]
    it, x, y = (Name(each, None, None, 0, 0) for each in ("it", "x", "y"))
    value = only_given(declared.node)
    found = written(declared.node, value, it, (x, y), MEMBERS, it) if value is not None else None
    return spelled(found) if found is not None else None


@pytest.mark.parametrize(
    ("methods", "expected"),
    [
        ("float *asked() { return memory_; }", "it.memory_"),
        ("float *asked() const { return this->memory_; }", "it.memory_"),
        ("float *asked() { return inherited_; }", "it.inherited_"),
        ("float *asked() { return all_.data(); }", "it.all_.data()"),
        ("float *asked() { return pair_.first; }", "it.pair_.first"),
        ("float *asked() { return (float *)memory_; }", "it.memory_"),
        ("float *asked() { return &memory_[0]; }", "&it.memory_[0]"),
        ("float &asked(int i) { return memory_[i]; }", "it.memory_[x]"),
        ("float &asked(int i, int j) { return grid_[i][j]; }", "it.grid_[x][y]"),
        ("float *asked(int i) { return &memory_[n_]; }", "&it.memory_[it.n_]"),
        ("float *asked() { auto *own = memory_; return own; }", "it.memory_"),
        ("float *inner() { return memory_; } float *asked() { return inner(); }", "it.inner()"),
        ("float *inner() { return memory_; } float *asked() { return this->inner(); }", "it.inner()"),
        ("float &at(int i) { return memory_[i]; } float &asked(int j) { return at(j); }", "it.at(x)"),
        ("int *asked(int *p) { return p; }", "x"),
        ("int *asked(int n, int *p) { return p; }", "y"),
    ],
)
def test_a_function_gives_a_part(methods: str, expected: str) -> None:
    assert given(methods) == expected


@pytest.mark.parametrize(
    "methods",
    [
        "float *asked() { n_ = 1; return memory_; }",
        "float *asked() { if (n_) return memory_; return nullptr; }",
        "float *asked() { return n_ ? memory_ : inherited_; }",
        "float *asked() { elsewhere(); return memory_; }",
        "float *asked() { return elsewhere(memory_); }",
        "float *asked() { return memory_ + n_; }",
        "float *asked();",
        "int asked() { return outside; }",
        "float *asked(float *p) { p = memory_; return p; }",
        "float *asked() { auto *own = memory_; own = inherited_; return own; }",
        "float &asked(int i) { return memory_[i + 1]; }",
        "void asked() { }",
    ],
)
def test_nothing_is_said_of_a_function_that_does_more(methods: str) -> None:
    assert given(methods) is None


@pytest.mark.parametrize(
    ("methods", "asked"),
    [
        ("float *one() { return other(); } float *other() { return one(); }", "it.one()"),
        ("It *next; float *last() { return next->last(); }", "it.last()"),
        ("float *memory_; float *one() { return other(); } float *other() { return memory_; }", "it.one()"),
    ],
)
def test_getters_of_getters_are_followed_to_an_end(methods: str, asked: str) -> None:
    names = early(f"q.memcpy({asked}, d, n); use(it.memory_[0]);", f"struct It {{ {methods} }} it;")
    assert names == (["it.memory_"] if "float *memory_;" in methods else [])
