"""Patterns of ignore files: they match what they always matched, and none takes for ever."""

import random
import re
import time
import warnings

import pytest
from pathspec import GitIgnoreSpec

from sycllint.source.patterns import is_readable, spec_of

NAMES = ("a", "b", "ab", "aab", "ba", "a.b", "abc", "*", "[ab]", "!b")
PARTS = ("a", "b", "*", "**", "?", "[ab]", "[!a]", "\\*", ".", "ab", "[a-", "-", "]", "!", "\\")


def test_patterns_match_what_pathspec_matches() -> None:
    chance = random.Random(5)
    for _ in range(4000):
        names = ["".join(chance.choices(PARTS, k=chance.randint(0, 5))) for _ in range(chance.randint(1, 4))]
        pattern = "/".join(chance.choice((each, "**")) for each in names)
        path = "/".join(chance.choices(NAMES, k=chance.randint(1, 5))) + chance.choice(("", "/"))
        try:
            with warnings.catch_warnings(action="ignore"):
                expected = GitIgnoreSpec.from_lines([pattern]).check_file(path).include
        except (ValueError, re.error):
            assert not is_readable(pattern)
            continue
        assert spec_of([pattern]).check_file(path).include == expected, (pattern, path)


@pytest.mark.parametrize(
    ("pattern", "path"),
    [
        ("*a" * 40 + "b", "a" * 250),
        ("a*" * 40 + "b/x", "a" * 250 + "/x"),
        ("**/a/" * 40 + "b", "a/" * 1900),
        ("x/" + "**/a?[!b]*/" * 40 + "b", "x/" + "aaaa/" * 800),
        ("**" * 1000 + "b", "a" * 4000),
    ],
    ids=["stars", "ends", "folders", "both", "doubled"],
)
def test_no_pattern_takes_for_ever(pattern: str, path: str) -> None:
    began = time.process_time()
    spec_of([pattern]).match_file(path)
    assert time.process_time() - began < 20  # seconds; without the atoms, the age of the universe


@pytest.mark.parametrize("pattern", ["[9--]x", "a" * 5000, "[z-a"])
def test_what_cannot_be_read_is_refused(pattern: str) -> None:
    with warnings.catch_warnings(action="ignore"):
        if is_readable(pattern):
            spec_of([pattern]).match_file("a")
        else:
            with pytest.raises(ValueError, match=r"."):
                spec_of([pattern])
