"""What suppressions say, and of which lines."""

from datetime import date

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sycllint.source.edit import applied
from sycllint.source.suppress import Flaw, Suppression, SuppressionScope, suppressions
from sycllint.source.text import SourceFile

LAUNCH = b"q.parallel_for(r, k);\n"


def read(text: str) -> list[Suppression]:
    return list(suppressions(SourceFile("a.cpp", text.encode())).found)


def one(text: str) -> Suppression:
    (found,) = read(text)
    return found


def lines(text: str) -> list[tuple[str, int, int]]:
    return [(word.text, word.first, word.last) for each in read(text) for word in each.words]


def flaws(text: str) -> list[tuple[Flaw, str]]:
    return [(each.flaw, each.word) for each in suppressions(SourceFile("a.cpp", text.encode())).flawed]


def without(text: str) -> str:
    content = text.encode()
    return applied(content, one(text).removal().edits).decode()


class TestLines:
    def test_a_comment_after_code_applies_to_its_own_line(self) -> None:
        assert lines("a();\nb();  // sycllint: ignore[SYC101]\nc();\n") == [("SYC101", 2, 2)]

    def test_a_comment_of_its_own_applies_to_the_line_after(self) -> None:
        assert lines("// sycllint: ignore[SYC101]\na();\nb();\n") == [("SYC101", 2, 2)]

    def test_other_comments_and_empty_lines_may_stand_between(self) -> None:
        assert lines("// sycllint: ignore[SYC101] because\n// of this\n\na();\n") == [("SYC101", 4, 4)]

    def test_two_may_be_stacked(self) -> None:
        text = "// sycllint: ignore[SYC101] one\n// sycllint: ignore[SYC102] two\na();\n"
        assert lines(text) == [("SYC101", 3, 3), ("SYC102", 3, 3)]

    def test_the_statement_after_counts_as_a_whole_up_to_its_block(self) -> None:
        text = "// sycllint: ignore[SYC101]\nq.f(\n  range{1,\n        2},\n  [=](item i) {\n    x();\n  });\n"
        assert lines(text) == [("SYC101", 2, 5)]

    def test_a_block_after_a_specifier_is_one(self) -> None:
        assert lines("// sycllint: ignore[SYC101]\nq.f([=]() mutable {\n  x();\n});\n") == [("SYC101", 2, 2)]

    def test_a_semicolon_in_a_string_ends_nothing(self) -> None:
        assert lines('// sycllint: ignore[SYC101]\nf(";",\n  2);\ng();\n') == [("SYC101", 2, 3)]

    def test_a_range_reaches_to_its_end(self) -> None:
        text = "// sycllint: disable[SYC1, SYC2]\na();\n// sycllint: enable[SYC1]\nb();\n// sycllint: enable\nc();\n"
        assert lines(text) == [("SYC1", 1, 3), ("SYC2", 1, 5)]

    def test_a_range_without_an_end_reaches_to_that_of_the_file(self) -> None:
        assert lines("a();\n// sycllint: disable\nb();\nc();") == [("ALL", 2, 4)]

    def test_a_whole_file(self) -> None:
        assert lines("a();\n// sycllint: ignore-file[SYC2] made by a script\nb();") == [("SYC2", 1, 3)]

    def test_at_the_end_of_the_file_there_is_nothing_to_speak_of(self) -> None:
        ((_, first, last),) = lines("a();\n// sycllint: ignore[SYC2]\n")
        assert first > last


class TestClangTidy:
    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("a();  // NOLINT(sycllint-SYC101)\n", [("SYC101", 1, 1)]),
            ("// NOLINTNEXTLINE(sycllint-tail-wave)\na();\n", [("tail-wave", 2, 2)]),
            ("// NOLINTBEGIN(sycllint-*)\na();\n// NOLINTEND(sycllint-*)\nb();\n", [("*", 1, 3)]),
            ("a();  // see NOLINT(bugprone-x, sycllint-SYC101)\n", [("SYC101", 1, 1)]),
        ],
    )
    def test_words_are_understood_where_they_name_us(self, text: str, expected: list[tuple[str, int, int]]) -> None:
        assert lines(text) == expected

    @pytest.mark.parametrize("text", ["a();  // NOLINT\n", "a();  // NOLINT(bugprone-x)\n", "a();  // NOLINT(*)\n"])
    def test_words_to_others_are_none_of_ours(self, text: str) -> None:
        assert read(text) == []

    def test_our_own_end_does_not_end_theirs(self) -> None:
        assert lines("// NOLINTBEGIN(sycllint-*)\n// sycllint: enable\na();")[0] == ("*", 1, 3)


class TestText:
    def test_reason_and_day_stand_in_any_order(self) -> None:
        for text in ("until=2027-03-31 the new GPU", "the new GPU until=2027-03-31", "-- the new GPU until=2027-03-31"):
            found = one(f"a();  // sycllint: ignore[SYC101] {text}\n")
            assert (found.reason, found.until) == ("the new GPU", date(2027, 3, 31))

    def test_without_a_list_it_means_everything(self) -> None:
        assert one("a();  // sycllint: ignore it is a demo\n").words[0].text == "ALL"

    @pytest.mark.parametrize(
        "comment", ["/* sycllint: ignore[SYC1] */", "/// sycllint:ignore [SYC1]", "//!sycllint: ignore[SYC1]"]
    )
    def test_any_comment_will_do(self, comment: str) -> None:
        found = one(f"a(); {comment}\n")
        assert (found.words[0].text, found.scope, found.reason) == ("SYC1", SuppressionScope.STATEMENT, "")

    @pytest.mark.parametrize(
        ("comment", "flaw"),
        [
            ("ignor[SYC1]", (Flaw.VERB, "ignor")),
            ("suppress[SYC1]", (Flaw.VERB, "suppress")),
            ("ignore[SYC1", (Flaw.LIST, "it does not end")),
            ("ignore[]", (Flaw.LIST, "it is empty")),
            ("ignore[SYC1] until=2027-02-30", (Flaw.DATE, "2027-02-30")),
            ("enable", (Flaw.OPENING, "")),
            ("enable[SYC1]", (Flaw.OPENING, "syc1")),
        ],
    )
    def test_a_slip_is_reported(self, comment: str, flaw: tuple[Flaw, str]) -> None:
        assert flaws(f"a();  // sycllint: {comment}\n") == [flaw]
        assert read(f"a();  // sycllint: {comment}\n") == []

    @pytest.mark.parametrize("comment", ["sycllint: the sizes are those of the paper", "see sycllint: ignore[x]"])
    def test_prose_is_no_slip(self, comment: str) -> None:
        assert flaws(f"a();  // {comment}\n") == []

    def test_a_file_that_is_not_utf8_is_read(self) -> None:
        found = suppressions(SourceFile("a.cpp", b"\xff// \xfc sycllint\n// sycllint: ignore[SYC1] \xfc\na();\n")).found
        assert [(word.first, word.last) for word in found[0].words] == [(3, 3)]


class TestRemoval:
    @pytest.mark.parametrize(
        ("before", "after"),
        [
            ("a();\n  // sycllint: ignore[SYC1] why\n  b();\n", "a();\n  b();\n"),
            ("a();  // sycllint: ignore[SYC1] why\nb();\n", "a();\nb();\n"),
            ("a(); /* sycllint: ignore[SYC1] */ b();\n", "a(); b();\n"),
            ("long/* sycllint: ignore[SYC1] */a;\n", "long/**/a;\n"),
            ("a();  // ours NOLINT(sycllint-SYC1)\n", "a();  // ours\n"),
            ("a();  // NOLINT(sycllint-SYC1) why\r\nb();\r\n", "a();\r\nb();\r\n"),
            ("a();  // sycllint: NOLINT(sycllint-SYC1)ignore\n", "a();  // sycllint: NOLINT()ignore\n"),
            ("\ufeff// sycllint: ignore-file[SYC1]\na();\n", "\ufeffa();\n"),
            ("// sycllint: disable[SYC1]\na();\n// sycllint: enable[SYC1]\n", "a();\n"),
        ],
    )
    def test_leaves_everything_else_as_it_was(self, before: str, after: str) -> None:
        assert without(before) == after

    def test_of_one_word_leaves_the_others(self) -> None:
        text = "a();  // NOLINT(bugprone-x, sycllint-SYC1, sycllint-SYC2) why\n"
        fix = one(text).without(["sycllint-SYC1"])
        assert applied(text.encode(), fix.edits) == b"a();  // NOLINT(bugprone-x, sycllint-SYC2) why\n"


PIECES = st.lists(
    st.sampled_from(
        [
            "// sycllint: ", "/* sycllint: ", "ignore", "ignore-file", "disable", "enable", "[SYC101", ", SYC2",
            "]", "*/", " why", " until=2027-01-01", "NOLINT(sycllint-x", "NOLINTBEGIN(sycllint-*",
            "NOLINTEND(sycllint-*", ")", "\n", "\r\n", "a();", "{", "}", '"', "'", "\\\n", "ä", "\ufeff", 'R"(', ')"',
        ]
    ),
    max_size=25,
)  # fmt: skip


@given(PIECES)
@example(["// sycllint: ", "NOLINT(sycllint-x", ")", "ignore"])
@example(["// sycllint: ", "ignore", " sycllint: ignore ", "NOLINT(sycllint-x", ")"])
@example(["// NO ", "NOLINT(sycllint-x", ")", "LINT(sycllint-y", ")"])
def test_any_text_is_read_and_what_is_removed_is_gone(pieces: list[str]) -> None:
    source = SourceFile("a.cpp", "".join(pieces).encode())
    said = suppressions(source)
    for each in said.found:
        assert 0 <= each.location.span.start < each.location.span.end <= len(source.content)
        rest = suppressions(SourceFile("a.cpp", applied(source.content, each.removal().edits)))
        assert len(rest.found) < len(said.found)


@given(st.binary(max_size=80))
def test_any_bytes_are_read(content: bytes) -> None:
    assert suppressions(SourceFile("a.cpp", b"// sycllint: ignore[" + content)).found is not None
