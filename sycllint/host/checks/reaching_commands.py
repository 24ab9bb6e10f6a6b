"""Which functions may come to a command, or to memory, a queue or a buffer of SYCL's: by names, and cheap to ask.

A filter before the walk over a function: too many functions rather than too few.
"""

import re
from bisect import bisect_right
from functools import cached_property

from sycllint.facts.called import words_called
from sycllint.facts.extents import FunctionExtents
from sycllint.facts.file import FileFacts
from sycllint.host.vocabulary import ALLOCATORS, ASYNC_FUNCTIONS, COPIES, SUBMITS
from sycllint.source.comments import blanked
from sycllint.symbols.unit import Unit


def _any_of(*names: str) -> bytes:
    return b"(?:%b)" % "|".join(names).encode()


def _word(pattern: bytes) -> bytes:
    """``pattern``, which begins with a letter, where no word goes on with it."""
    return rb"%b(?<!\w%b)%b" % (pattern[:1], pattern[:1], pattern[1:])


_METHODS = frozenset(COPIES) | SUBMITS
_FUNCTIONS = frozenset(ASYNC_FUNCTIONS) | frozenset(ALLOCATORS) | {"get_access", "get_host_access"}
_CALLED = _METHODS | _FUNCTIONS | {"free"}
_SOURCE = re.compile(
    b"|".join(
        (
            *(before + rb"\s*+(?:template\s++)?" + _any_of(*_METHODS) + rb"\b" for before in (rb"\.", b"->")),
            *(_word(each.encode() + rb"\b") for each in sorted(_FUNCTIONS)),
            rb"mkl\s*+::",
            _word(
                rb"sycl\s*+::\s*+"
                + _any_of("queue", "buffer", "accessor", "host_accessor", "free", "ext", "khr")
                + rb"\b"
            ),
            _word(rb"using\s++namespace\s++[\w:\s]*\bsycl\b"),
            _word(rb"namespace\s++\w++\s*+=[\w:\s]*\bsycl\b"),
            _word(rb"free\s*+\([^;,]*+,"),
        )
    )
)
"""A method of a queue; a function that submits or allocates; what makes a queue or a buffer, or names them so.

Each way begins with a letter that is given, by which the search finds it.
"""


def reaching_commands(unit: Unit) -> frozenset[str] | None:
    """The names of the functions that may, themselves or by what they call; ``None`` where any function may.

    That is so where something of it stands outside all functions, or in one that runs without a call of its name.
    """
    new: set[str] = set()
    for facts in unit.files:
        written = facts.once(commands_in)
        if written is None:
            return None
        new |= written
    found = frozenset(new)
    while new:
        if any(not each.isidentifier() or each in unit.structs for each in new):
            return None
        new = set().union(*map(unit.named.callers, new)) - found
        found |= new
    return found


def commands_in(facts: FileFacts) -> frozenset[str] | None:
    """The functions of one file in which that is written; ``None`` where it stands outside of functions."""
    if any(_SOURCE.search(each.node.text.encode()) for found in facts.macros.values() for each in found):
        return None
    content = facts.content
    if facts.once(words_called).isdisjoint(_CALLED) and b"sycl" not in content and b"mkl" not in content:
        return frozenset()
    extents = facts.once(FunctionExtents)
    declared = sorted((each.node.start, each.node.extent_end) for found in facts.functions.values() for each in found)
    names: set[str] = set()
    comments = _Comments(content)
    end = 0
    while match := _SOURCE.search(content, end):
        offset, end = match.span()
        number = bisect_right(declared, (offset, len(content)))
        is_in_declaration = number > 0 and offset < declared[number - 1][1]
        around = extents.names_around(offset)
        if not (around or is_in_declaration) and offset not in comments:
            return None
        if not around or (not around <= names and offset in comments):
            continue
        names |= around
        # What else is written up to the end of the function, or to one in it, is in the same ones.
        ends = [each.extent_end for each in extents.around(offset)]
        end = max(end, min(*ends, declared[number][0] if number < len(declared) else len(content)))
    return frozenset(names)


class _Comments:
    """The offsets that are surely in a comment; the whole text is blanked only where what is near does not decide."""

    def __init__(self, content: bytes) -> None:
        self._content = content

    @cached_property
    def _blanked(self) -> bytes:
        return blanked(self._content)

    def __contains__(self, offset: int) -> bool:
        content = self._content
        line = content[content.rfind(b"\n", 0, offset) + 1 : offset]
        if b"//" in line:
            return b'"' not in line and b"*/" not in line.partition(b"//")[2]
        is_open = content.rfind(b"/*", 0, offset) > content.rfind(b"*/", 0, offset)
        return is_open and self._blanked[offset : offset + 1] == b" "
