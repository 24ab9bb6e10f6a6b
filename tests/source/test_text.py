"""Places in a file, as people and as tools count them."""

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sycllint.source.span import Position
from sycllint.source.text import SourceFile


def source(content: bytes) -> SourceFile:
    return SourceFile("a.cpp", content)


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"], ids=["LF", "CRLF", "CR"])
def test_every_line_end_starts_a_line(end: bytes) -> None:
    file = source(b"int a;" + end + b"int b;" + end)
    assert file.position(file.content.index(b"b;")) == Position(2, 5)
    assert [file.line_text(line) for line in range(1, file.line_count + 1)] == ["int a;", "int b;", ""]


def test_columns_count_characters_not_bytes() -> None:
    file = source("/* é𝛼 */ x".encode())
    assert file.position(file.content.index(b"x")) == Position(1, 10)


def test_utf16_columns_count_a_surrogate_pair_as_two() -> None:
    file = source("/* é𝛼 */ x".encode())
    assert file.utf16_column(file.content.index(b"x")) == 11


def test_a_byte_order_mark_is_no_column() -> None:
    file = source(b"\xef\xbb\xbfint a;\nint b;")
    assert file.position(3) == Position(1, 1)
    assert file.position(0) == Position(1, 1)
    assert file.position(7) == Position(1, 5)
    assert file.position(10) == Position(2, 1)
    assert file.line_text(1) == "int a;"


def test_a_byte_that_is_no_utf8_is_one_character() -> None:
    file = source(b"/* caf\xe9 */ x")
    assert file.position(file.content.index(b"x")) == Position(1, 12)
    assert file.line_text(1) == "/* caf� */ x"


def test_the_end_of_an_empty_file_is_line_1_column_1() -> None:
    assert source(b"").position(0) == Position(1, 1)
    assert source(b"").line_text(1) == ""


def test_an_offset_past_the_end_means_the_end() -> None:
    assert source(b"ab\ncd").position(99) == Position(2, 3)


def test_a_line_that_is_not_there_is_empty() -> None:
    assert source(b"a\n").line_text(0) == source(b"a\n").line_text(7) == ""


def test_survives_the_way_to_another_process() -> None:
    file = source(b"a\nb")
    assert file.line_count == 2
    assert pickle.loads(pickle.dumps(file)) == file


@given(st.binary(max_size=60), st.integers(0, 60))
def test_a_position_is_in_its_line(content: bytes, offset: int) -> None:
    file = source(content)
    line, column = file.position(offset)
    assert 1 <= line <= file.line_count
    # A column may lie beyond the text only on the line end itself, or inside a character.
    assert 1 <= column <= len(file.line_text(line)) + 3
