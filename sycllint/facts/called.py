"""The words of a file that may be called, by its bytes alone: a filter before a look into bodies not read yet."""

import re
from sys import intern

from sycllint.facts.file import FileFacts

_CALLED = re.compile(rb"\b(\w++)[\s\\]*+(?:[(<]|/[/*])")
"""A word before a comment counts: what follows that is not looked for."""


def words_called(facts: FileFacts) -> frozenset[str]:
    """The words before a parenthesis or an angle bracket: no other word is called in the file."""
    content = facts.content
    # What a macro wrote stands behind blanks, up to where the macro is used.
    start = 0 if facts.origin is None else len(content) - len(content.lstrip())
    return called_in(content, start, len(content))


def called_in(content: bytes, start: int, end: int) -> frozenset[str]:
    """The same of a part of a text."""
    return frozenset(intern(each.decode("latin-1")) for each in set(_CALLED.findall(content, start, end)))
