"""Edits to bytes: what they change, what they leave, and which of them can be made together."""

import pytest

from sycllint.source.edit import Edit, Fix, applied, compatible
from sycllint.source.span import Location, Span


def edit(start: int, end: int, text: str, path: str = "a.cpp") -> Edit:
    return Edit(Location(path, Span(start, end)), text)


def fix(*edits: Edit) -> Fix:
    return Fix("fix it", edits)


class TestApplied:
    def test_edits_are_made_from_whatever_order(self) -> None:
        assert applied(b"abcdef", [edit(4, 5, "E"), edit(0, 2, "x"), edit(3, 3, "+")]) == b"xc+dEf"

    def test_an_edit_given_twice_is_made_once(self) -> None:
        assert applied(b"ab", [edit(1, 1, "-"), edit(1, 1, "-")]) == b"a-b"

    def test_bytes_that_are_no_text_stay(self) -> None:
        assert applied(b"\xef\xbb\xbf// caf\xe9\r\nab", [edit(12, 13, "x")]) == b"\xef\xbb\xbf// caf\xe9\r\nxb"

    def test_a_line_end_is_written_as_the_file_writes_its_own(self) -> None:
        assert applied(b"a;\r\nb;\r\n", [edit(4, 4, "if (c)\n")]) == b"a;\r\nif (c)\r\nb;\r\n"
        assert applied(b"a;\nb;\r\nc;\n", [edit(3, 3, "if (c)\n")]) == b"a;\nif (c)\nb;\r\nc;\n"


class TestCompatible:
    def test_fixes_apart_are_made_together(self) -> None:
        one, other = fix(edit(0, 2, "x")), fix(edit(2, 4, "y"))
        assert compatible([one, other]) == ([one, other], [])

    @pytest.mark.parametrize(
        "second", [edit(1, 3, "y"), edit(0, 2, "y"), edit(0, 4, "y"), edit(1, 1, "y"), edit(2, 2, "y"), edit(0, 0, "y")]
    )
    def test_of_two_that_contradict_the_later_is_left_out(self, second: Edit) -> None:
        one, other = fix(edit(0, 2, "x")), fix(second)
        assert compatible([one, other]) == ([one], [other])

    def test_two_insertions_at_one_place_contradict(self) -> None:
        one, other = fix(edit(3, 3, "{")), fix(edit(3, 3, "("))
        assert compatible([one, other]) == ([one], [other])

    def test_a_fix_is_left_out_as_a_whole(self) -> None:
        one, other, third = fix(edit(0, 2, "x")), fix(edit(1, 2, "y"), edit(8, 9, "z")), fix(edit(8, 9, "w"))
        assert compatible([one, other, third]) == ([one, third], [other])

    def test_an_edit_that_two_have_in_common_is_no_contradiction(self) -> None:
        include = edit(0, 0, "#include <sycl/sycl.hpp>\n")
        one, other = fix(include, edit(5, 6, "x")), fix(include, edit(8, 9, "y"))
        assert compatible([one, other]) == ([one, other], [])

    def test_files_do_not_matter_to_each_other(self) -> None:
        one, other = fix(edit(0, 2, "x")), fix(edit(0, 2, "y", "b.cpp"))
        assert compatible([one, other]) == ([one, other], [])
