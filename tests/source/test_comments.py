"""Comments, and strings that look like comments."""

import pytest

from sycllint.source.comments import blanked, comments


def texts(content: bytes) -> list[bytes]:
    return [content[each.text.start : each.text.end] for each in comments(content)]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"a; // one\nb; /* two */ c;", [b" one", b" two "]),
        (b'"// no" R"x(/* no )" // no)x" // yes', [b" yes"]),
        (b"'\"' // yes\n'\\'' // too", [b" yes", b" too"]),
        (b"int a = 1'000'000; // yes", [b" yes"]),
        (b"u8R\"(// no)\" L'/' // yes", [b" yes"]),
        (b"// goes on \\\nhere\nint a;", [b" goes on \\\nhere"]),
        (b"// ends at the carriage return\r\nint a;", [b" ends at the carriage return"]),
        (b"/* never ends", [b" never ends"]),
        (b'"a string that does not end\n// yes', [b" yes"]),
    ],
)
def test_each_is_found_and_nothing_else(content: bytes, expected: list[bytes]) -> None:
    assert texts(content) == expected


def test_blanked_text_keeps_offsets_and_lines() -> None:
    assert blanked(b'a("{"); /* {\n */ }') == b"a(   );     \n    }"
