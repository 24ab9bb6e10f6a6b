"""The words of a file that may be called, by its bytes alone: a filter before a look into bodies not read yet."""

import re
from collections.abc import Iterable
from sys import intern

from sycllint.facts.file import FileFacts
from sycllint.record import NamedTuple
from sycllint.source.comments import blanked

_CALLED = re.compile(rb"\b(\w++)[\s\\]*+[(<]")


def words_called(facts: FileFacts) -> frozenset[str]:
    """The words before a parenthesis or an angle bracket: no other word is called in the file."""
    return frozenset(intern(each.decode("latin-1")) for each in set(_CALLED.findall(blanked(facts.content))))


class Sought(NamedTuple):
    """Names whose calls are looked for in many files."""

    words: frozenset[str]
    others: frozenset[str]
    """Those that are no identifiers, as ``operator()``: any file may call them."""

    def may_be_in(self, facts: FileFacts) -> frozenset[str]:
        """Those of the names that may be called in a file."""
        return facts.once(words_called) & self.words | self.others


def sought(names: Iterable[str]) -> Sought:
    """To look for the calls of ``names``."""
    names = frozenset(names)
    others = frozenset(each for each in names if not each.isidentifier())
    return Sought(names - others, others)
