"""Patterns as in ``.gitignore`` files, read so that matching a path takes no longer than pattern and path are long.

Format: gitignore documentation, "PATTERN FORMAT". The package pathspec translates a pattern to a regular expression,
in which each ``*`` may try every length again for every length of those before it: forty of them in a pattern that
anyone may bring along would never end. Of two stars in one name, as of two ``**``, the first need only ever match the
shortest text; so all but the last are made atomic.
"""

import re
import warnings
from collections.abc import Iterable
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

_LONGEST = 4096
"""Characters of a pattern: no path is longer (Linux, PATH_MAX)."""
_STAR = "[^/]*"
_LEADING, _BETWEEN = "(?:.+/)?", "(?:/.+)?/"
"""The regular expressions of pathspec for ``**`` at the start and between two names."""
_LITERAL = r"(?:\\.|\[\^?\]?(?:\\.|[^]\\])*\]|[^][\\()/])"
"""A character of a name, escaped or not, or a class of them."""


def spec_of(patterns: Iterable[str]) -> "GitIgnoreSpec":
    """What matches paths by ``patterns``. Raises ``ValueError`` with the reason for one that cannot be read."""
    from pathspec import GitIgnoreSpec

    return GitIgnoreSpec([each for pattern in patterns for each in _translated(pattern).patterns])


def is_readable(pattern: str) -> bool:
    """Whether ``spec_of`` takes a pattern."""
    try:
        _translated(pattern)
    except ValueError:
        return False
    return True


@cache
def _translated(pattern: str) -> "GitIgnoreSpec":
    from pathspec import GitIgnoreSpec

    if len(pattern) > _LONGEST:
        raise ValueError(f"{len(pattern)} characters are more than a path has")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of sets in classes as Python may read them one day
        try:
            made = GitIgnoreSpec.from_lines([pattern])
            for each in made.patterns:
                if each.regex is not None:  # a comment has none
                    each.regex = re.compile(_atomic(each.regex.pattern))
        except re.error as error:
            raise ValueError(str(error)) from None
    return made


def _atomic(regex: str) -> str:
    """The regular expression of a pattern, with every star but the last of a name, and of the path, made atomic."""
    regex = re.sub(rf"(?:{re.escape(_STAR)})+", lambda _: _STAR, regex)
    regex = re.sub(rf"{re.escape(_STAR)}({_LITERAL}+?)(?={re.escape(_STAR)})", r"(?>[^/]*?\1)", regex)
    first, *others = regex.split(_BETWEEN)
    if not others:
        return regex
    *inner, last = others
    if first.startswith(f"^{_LEADING}"):
        first = f"^(?>(?:.+?/)??{first.removeprefix(f'^{_LEADING}')}(?=/))"
    return "".join([first, *(f"(?>(?:/.+?)??/{each}(?=/))" for each in inner), _BETWEEN, last])
