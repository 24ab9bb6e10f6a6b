"""Arrays and ranges that are members, parts of objects by reference, and lambdas that are called where they stand."""

import pytest

from sycllint.values.value import Known
from tests.values.program import returned

CLASSES = """struct List { std::array<int, 3> of; }; struct Plain { int of[3]; }; struct Pair { int a, b; };
struct Two { int v[2]; Two(int a, int b) : v{a, b} {} int operator[](int i) const { return v[i]; }
  int last() const { return v[1]; } int *raw() { return v; } int &at(int i) { return v[i]; }
  void twice() { for (int i = 0; i < 2; ++i) v[i] *= 2; } };
struct Sizes { sycl::range<2> of{1, 1}; }; void change(std::array<int, 3> &a); Pair pair() { return {4, 96}; }
"""


def known(statements: str, result: str) -> int | None:
    """What ``result`` is after these statements; ``None`` when that is not certain."""
    found = returned(f"{CLASSES} long f(int n, bool wide) {{ {statements} return {result}; }}")
    return found.value if isinstance(found, Known) else None


@pytest.mark.parametrize(
    ("statements", "result", "found"),
    [
        ("List s; s.of = {1, 2, 128};", "s.of[2]", 128),
        ("List s; s.of = {1, 2};", "s.of[2]", 0),
        ("List s; s.of[2] = 16;", "s.of[2]", 16),
        ("List s; s.of = std::array<int, 3>{1, 2, 48};", "s.of[2]", 48),
        ("List s{{1, 2, 64}};", "s.of[2]", 64),
        ("List s; s.of[2] = 4; List t = s; t.of[2] = 8;", "s.of[2]", 4),
        ("List s; s.of = {1, 2, 3}; s.of.fill(128);", "s.of[2]", None),
        ("List s; s.of = {1, 2, 3}; std::fill(s.of.begin(), s.of.end(), 128);", "s.of[2]", None),
        ("List s; s.of = {1, 2, 3}; auto &r = s.of; r[2] = 128;", "s.of[2]", None),
        ("List s; s.of = {1, 2, 3}; change(s.of);", "s.of[2]", None),
        ("List s; s.of = {1, 2, 3}; int *p = s.of.data(); p[2] = 7;", "s.of[2]", None),
        ("List s; s.of = {1, 2, 3}; for (auto &each : s.of) each *= 2;", "s.of[2]", None),
        ("List s; s.of = {1, 2, 3}; if (wide) s.of = {1, 2, 4};", "s.of[2]", None),
        ("Two t(4, 32);", "t[1]", 32),
        ("Two t{4, 32};", "t.last()", 32),
        ("Two t(4, 32); t.v[1] = 8;", "t[1]", 8),
        ("Two t(4, 32); t.twice();", "t[1]", 64),
        ("Two t(4, 32); t.raw()[1] = 8;", "t[1]", None),
        ("Two t(4, 32); t.at(1) = 8;", "t[1]", None),
        ("Sizes s; s.of[1] = 40;", "s.of[1]", 40),
        ("Sizes s; s.of[1] = 40;", "s.of[0]", 1),
        ("Sizes s; s.of[n] = 40;", "s.of[1]", None),
    ],
)
def test_elements_of_a_member(statements: str, result: str, found: int | None) -> None:
    assert known(statements, result) == found


@pytest.mark.parametrize(
    ("statements", "result", "found"),
    [
        ("const auto &[a, b] = pair();", "b", 96),
        ("auto &&[a, b] = std::array<int, 2>{4, 80};", "b", 80),
        ("Pair p{4, 32}; auto &[a, b] = p;", "b", 32),
        ("Pair p{4, 32}; auto &[a, b] = p; b = 64;", "b", 64),
        ("Pair p{4, 32}; auto &[a, b] = p; b = 64;", "p.b", None),
        ("Pair p{4, 32}; const auto &[a, b] = p; p.b = 64;", "b", None),
        ("std::array<int, 2> l{4, 8}; auto &[a, b] = l; b = 16;", "l[1]", None),
    ],
)
def test_parts_of_an_object_by_reference(statements: str, result: str, found: int | None) -> None:
    assert known(statements, result) == found


@pytest.mark.parametrize(
    ("statements", "result", "found"),
    [
        ("const int r = [] { return 32; }();", "r", 32),
        ("int w = 8; auto r = [&] { w = 16; return w; }();", "r", 16),
        ("int w = 8; auto r = [&] { w = 16; return w; }();", "w", None),
        ("auto r = [](int n) { return n * 2; }(16);", "r", 32),
        ("auto r = [&]() -> int { if (n == 3) return 32; return 64; }();", "r", None),
        ("constexpr int r = [] { if constexpr (sizeof(int) == 4) return 32; else return 64; }();", "r", 32),
        ("auto r = [n]() mutable { return n; }();", "r", None),
    ],
)
def test_a_lambda_that_is_called_where_it_stands(statements: str, result: str, found: int | None) -> None:
    assert known(statements, result) == found
