"""The words of a file that may be called, by its bytes alone: a filter before a look into bodies not read yet."""

import re
from sys import intern

from sycllint.facts.file import FileFacts

_CALLED = re.compile(rb"(\w++)(?:\s|//[^\n]*+|/\*.*?\*/|\\)*+[(<]", re.DOTALL)


def words_called(facts: FileFacts) -> frozenset[str]:
    """The words before a parenthesis or an angle bracket: no other word is called in the file."""
    return called_in(facts.content, 0, len(facts.content))


def called_in(content: bytes, start: int, end: int) -> frozenset[str]:
    """The same of a part of a text."""
    return frozenset(intern(each.decode("latin-1")) for each in set(_CALLED.findall(content, start, end)))
