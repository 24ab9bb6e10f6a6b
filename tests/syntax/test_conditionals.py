"""Conditionals before parsing: include guards are none, and of those that cut a construct one branch is left."""

import time

import pytest
from hypothesis import given

from sycllint.source.span import Span
from sycllint.syntax.conditionals import guard_blanked, settled
from sycllint.syntax.reading import BOM, readings
from tests import written
from tests.syntax.test_normalize import CODE, line_ends


@given(CODE)
def test_settling_keeps_length_and_line_ends(text: bytes) -> None:
    choice = settled(text, {"B": "1"}, [Span(0, len(text))])
    assert choice is None or (len(choice.text), line_ends(choice.text)) == (len(text), line_ends(text))


def everywhere(text: bytes, **defines: str) -> tuple[bytes, list[frozenset[str]]]:
    """``text`` settled where it goes on with a statement, and the names reported; lines are stripped."""
    choice = settled(b"k =\n" + text, defines, [Span(0, len(text))])
    assert choice is not None
    kept = b" ".join(line.strip() for line in choice.text.splitlines() if line.strip())
    return kept.removeprefix(b"k = "), [each.names for each in choice.unsettled]


CONDITIONAL = b"#ifdef A\nn = 1;\n#else\nm = 2;\n#endif\n"


def test_the_first_branch_is_taken_when_nothing_is_known_and_all_names_are_doubtful() -> None:
    assert everywhere(CONDITIONAL) == (b"n = 1;", [frozenset({"n", "m"})])


def test_a_configured_macro_decides_and_leaves_no_doubt() -> None:
    assert everywhere(CONDITIONAL, A="1") == (b"n = 1;", [])
    assert everywhere(CONDITIONAL.replace(b"#ifdef", b"#ifndef"), A="1") == (b"m = 2;", [])


@pytest.mark.parametrize(("condition", "kept"), [(b"0", b"m = 2;"), (b"1", b"n = 1;"), (b"0 // off", b"m = 2;")])
def test_a_constant_condition_decides(condition: bytes, kept: bytes) -> None:
    assert everywhere(CONDITIONAL.replace(b"#ifdef A", b"#if " + condition)) == (kept, [])


def test_names_are_those_that_an_operator_bracket_comma_or_end_of_statement_follows() -> None:
    text = b"#if A\na = b; c += d; e(f); g{h}; i[j]; k++; if (l == m) {}\n#endif\n"
    assert everywhere(text)[1] == [frozenset({*"abcdegik", "if"})]


def test_a_conditional_inside_another_is_reported_by_both() -> None:
    text = b"#if A\n#if B\nn = 1,\n#endif\nm = 2;\n#endif\n"
    assert everywhere(text) == (b"n = 1, m = 2;", [frozenset({"n"}), frozenset({"n", "m"})])


@pytest.mark.parametrize(
    "text",
    [
        b"a(\n#if A\nb\n#else\nc\n#endif\n);",
        b"x =\n#if A\n1;\n#else\n2;\n#endif\n",
        b"#if A\nif (a) {\n#else\nif (b) {\n#endif\nc(); }",
        b"#if A\nif (a) {}\n#endif\nelse {}",
        b"if (a) {}\n#if A\nelse {}\n#endif\n",
        b"#if A\nvoid f()\n#else\nvoid g()\n#endif\n{}",
        b"a\n#if A\n// f();\n+ b;\n#endif\n",
        b"#if A\n}}\n#endif\n",
    ],
)
def test_a_conditional_that_cuts_a_construct_is_settled(text: bytes) -> None:
    assert settled(text, {}, [Span(0, len(text))]) is not None


@pytest.mark.parametrize(
    "text",
    [
        CONDITIONAL,
        b"{ f();\n" + CONDITIONAL + b"}",
        b"#include <a>\n#if A // (\n#define N (\n/* { */ f(\"(\", '(');\n#endif\ng();",
        b"struct S {\npublic:\n#if A\nint n;\n#endif\n};",
        b"#if A\n\n#endif\n+ b;",
    ],
)
def test_a_conditional_around_whole_statements_stays_whatever_is_damaged(text: bytes) -> None:
    assert settled(text, {}, [Span(0, len(text))]) is None


def test_only_the_conditional_that_cuts_is_settled_and_not_the_one_around_it() -> None:
    text = b"#if A\nf(\n#if B\nn\n#else\nm\n#endif\n);\n#endif\n"
    choice = settled(text, {}, [Span(0, len(text))])
    assert choice is not None
    assert [text[each.span.start :][:5] for each in choice.unsettled] == [b"#if B"]
    assert choice.text.split() == b"#if A f( n ); #endif".split()


def test_conditionals_away_from_the_damage_stay() -> None:
    assert settled(CONDITIONAL + b"\n\n}", {}, [Span(len(CONDITIONAL) + 2, len(CONDITIONAL) + 3)]) is None


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (b"submit([=](item i) {", b"submit([=]() {"),
        (b"if (a) {", b"else_if (b) {"),
        (b"for (int i = 0; i < n; ++i) {\n g(i);", b"while (more()) {\n g(0);"),
    ],
)
def test_a_brace_that_is_open_at_the_end_of_a_branch_damages_what_is_far_away(first: bytes, second: bytes) -> None:
    text = b"void f() {\n#ifdef A\n%b\n#else\n%b\n#endif\n} }\n}\n" % (first, second)
    end = text.rindex(b"}")
    choice = settled(text, {}, [Span(end, end + 1)])
    assert choice is not None
    assert choice.text.split() == (b"void f() { %b } } }" % first).split()


@pytest.mark.parametrize(
    ("before", "guard", "after"),
    [
        (b"", b"#ifndef A_H\n#define A_H\n", b""),
        (b"// a\n/* b\n*/\n#pragma once\n", b"# ifndef A_H // c\n\n# define A_H\n", b" // A_H\n/* end */\n"),
        (b"", b"#if !defined(A_H)\r\n#define A_H 1\r\n", b"\r\n"),
    ],
)
def test_an_include_guard_is_no_conditional(before: bytes, guard: bytes, after: bytes) -> None:
    text = before + guard + CONDITIONAL + b"#endif" + after
    blanked = guard_blanked(text)
    assert (len(blanked), line_ends(blanked)) == (len(text), line_ends(text))
    assert CONDITIONAL in blanked
    assert (blanked.count(b"#if"), blanked.count(b"endif"), blanked.count(b"A_H")) == (1, 1, 1)


@pytest.mark.parametrize(
    "text",
    [
        b"#ifndef N\n#define N 64\n#endif\n",
        b"#ifndef N\n#define N 1\n#endif\n",
        b"#ifndef A_H\n#define A_H\n#else\n#endif\n",
        b"#ifndef A_H\n#define A_H\n#endif\nint n;\n",
        b"#ifndef A_H\n#define A_H\n#endif\n#if B\n#endif\n",
        b"#ifndef A_H\n#define B_H\n#endif\n",
        b"int n;\n#ifndef A_H\n#define A_H\n#endif\n",
        b"#ifndef A_H\n#define A_H\n",
        b"#ifdef A_H\n#define A_H\n#endif\n",
    ],
)
def test_what_is_not_around_the_whole_file_or_gives_a_number_is_no_include_guard(text: bytes) -> None:
    assert guard_blanked(text) == text


@given(CODE)
def test_taking_the_guard_out_keeps_length_and_line_ends(text: bytes) -> None:
    guarded = b"#ifndef A_H\n#define A_H\n" + text + b"#endif"
    blanked = guard_blanked(guarded)
    assert (len(blanked), line_ends(blanked)) == (len(guarded), line_ends(guarded))


def test_damage_in_a_guarded_header_leaves_its_names_alone() -> None:
    plain, second = readings(BOM + b"#ifndef A_H\n#define A_H\nint n = 64;\nint @;\n#endif\n", {})
    assert plain.damaged
    assert second is None


def test_a_header_that_is_found_is_no_damage() -> None:
    assert not readings(b"#if __has_include(<a/b.h>)\n#include <a/b.h>\n#endif\n", {})[0].damaged


def test_an_unfinished_conditional_stays() -> None:
    assert settled(b"#if A\nx\n#else\ny\n", {}, [Span(0, 10)]) is None


def test_the_second_reading_repairs_a_construct_cut_by_a_conditional() -> None:
    text = b"void f(\n#ifdef A\nint a) {\n#else\nlong a) {\n#endif\n g(a); }\n"
    plain, second = readings(text, {})
    assert plain.damaged
    assert second is not None
    assert not second.damaged
    assert written.block(second.unit) == "void f(int a) { g(a); }"


def test_methods_behind_a_brace_that_each_branch_opens_are_read() -> None:
    methods = b"".join(b" template <typename T> void m%d(T t) { g(t); h(t); }\n" % each for each in range(40))
    text = (
        b"struct S {\n void f() {\n#ifdef A\n launch([=](int i) {\n#else\n launch<<<1, 2>>>([=]() {\n#endif\n"
        b" }); }\n template <typename T> std::enable_if_t<a<T>::value\n#ifndef B\n && b<T>::value\n#endif\n>\n"
        b" k(T t) {}\n%b};\n" % methods
    )
    best = min((each for each in readings(text, {}) if each is not None), key=lambda each: each.harm)
    assert not best.damaged
    assert all(b"void m%d(T t)" % each in written.block(best.unit).encode() for each in range(40))


def test_a_file_that_parses_is_read_once() -> None:
    assert readings(CONDITIONAL.replace(b"n", b"int n").replace(b"m", b"int m"), {})[1] is None


def test_branches_with_long_comments_hold_attributes_or_not_in_time_that_grows_with_them() -> None:
    comments = b"//////////////////////////// a line of slashes\n/* and / a / text / in / stars */ // /////\n" * 50
    attributes = comments + b"[[sycl::reqd_sub_group_size(8)]] __attribute__((aligned(4)))"
    for last, arms in ((b"", 2), (b"int other;", 0)):
        text = b"#if WIDE\n%b\n#else\n%b%b\n#endif\n" % (attributes, attributes, last)
        began = time.process_time()
        choice = settled(b"k =\n" + text, {}, [Span(0, len(text))])
        # Seconds. Where each comment may be cut in any way, that is the age of the universe.
        assert time.process_time() - began < 5
        assert choice is not None
        assert [len(each.arms) for each in choice.unsettled] == [arms]


def test_code_between_two_comments_is_no_comment() -> None:
    text = b"#if WIDE\n[[a]] /* one */ int n; /* two */\n#else\n[[b]]\n#endif\n"
    choice = settled(b"k =\n" + text, {}, [Span(0, len(text))])
    assert choice is not None
    assert [each.arms for each in choice.unsettled] == [()]
