"""Plain TOML: what is read is what ``tomllib`` reads, and the rest is left to it."""

import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import sycllint.hardware
from sycllint.plain_toml import read_plain

PROFILES = sorted(Path(sycllint.hardware.__path__[0], "profiles").glob("*.toml"))
WORDS = r"""
a b -c 1 = , . [ ] [[ ]] { } # ' " [[a]] [a.b] "x" "\\" "\"" "\n" [] {}
0x1F 07 1_0 -1 +1 1.5 1e3 inf true false truth 1979-05-27 9223372036854775808
"""
PIECES = [
    *WORDS.split(),
    *(" ", "\t", "\n", "\r\n", " = ", "\0", "é", '"""', "[1, 2]", "{ a = 1, b = 2 }"),
    *("a = 1\n", "b = true\n", "[a]\n", "[[b]]\n", "a = [\n  1, # one\n]\n", "a.b = 1\n"),
]


@pytest.mark.parametrize("path", PROFILES, ids=lambda path: path.stem)
def test_a_profile_is_plain(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert read_plain(text) == tomllib.loads(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "# nothing",
        'targets = ["tgl", "pvc"]  # both\n',
        '[big]\nbase = "pvc"\ncores = 0x80\nnew = true\n',
        "[[parts]]\na = 1\n[[parts]]\na = {b = [[1], [2,],]}",
        'text = "a \\"quoted\\" \\\\ word"',
    ],
)
def test_it_is_read_as_tomllib_reads_it(text: str) -> None:
    assert read_plain(text) == tomllib.loads(text)


@pytest.mark.parametrize(
    "text",
    [
        "a = 'b'",
        "a.b = 1",
        "[a.b]",
        "a = 1.5",
        "a = 1\na = 2",
        "[a]\n[a]",
        "a = []\n[[a]]",
        'a = "\\n"',
        "a = 1\r\n",
        "a",
        "a = 1 b",
    ],
)
def test_the_rest_is_left_to_tomllib(text: str) -> None:
    assert read_plain(text) is None


@given(st.lists(st.sampled_from(PIECES), max_size=12).map("".join))
def test_no_text_is_read_otherwise_than_by_tomllib(text: str) -> None:
    found = read_plain(text)
    if found is not None:
        assert found == tomllib.loads(text)
