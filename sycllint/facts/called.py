"""The words of a file that may be called, by its bytes alone: a filter before a look into bodies not read yet."""

import re
from collections.abc import Iterable
from sys import intern

from sycllint.facts.file import FileFacts

_CALLED = re.compile(rb"(\w++)(?:\s|//[^\n]*+|/\*.*?\*/|\\)*+[(<]", re.DOTALL)


def words_called(facts: FileFacts) -> frozenset[str]:
    """The words before a parenthesis or an angle bracket: no other word is called in the file."""
    return frozenset(intern(each.decode("latin-1")) for each in set(_CALLED.findall(facts.content)))


def called_in(facts: FileFacts, names: Iterable[str]) -> list[str]:
    """Those of ``names`` that may be called in a file, sorted: also what is no identifier, as ``operator()``."""
    words = facts.once(words_called)
    return sorted(each for each in names if each in words or not each.isidentifier())
