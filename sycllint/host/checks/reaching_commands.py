"""Which functions may come to a command, or to memory, a queue or a buffer of SYCL's: by names, and cheap to ask.

A filter before the walk over a function: too many functions rather than too few.
"""

import re
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
_BEFORE = (b";", b"{", b"}")
"""What ends the statement before."""
_NAMING = re.compile(rb"\b(?:using|typedef|namespace)\b")
_SOURCE = re.compile(
    b"|".join(
        (
            *(before + rb"\s*+(?:template\s++)?" + _any_of(*_METHODS) + rb"\b" for before in (rb"\.", b"->")),
            *(_word(each.encode() + rb"\b") for each in sorted(_FUNCTIONS)),
            rb"mkl\s*+::",
            _word(rb"sycl\s*+::\s*+" + _any_of("queue", "accessor", "host_accessor", "free") + rb"\b"),
            _word(rb"using\s++namespace\s++[\w:\s]*\bsycl\b"),
            _word(rb"namespace\s++\w++\s*+=[\w:\s]*\bsycl\b"),
            _word(rb"free\s*+\([^;,]*+,"),
        )
    )
)
"""A method of a queue; a function that submits or allocates; what makes a queue or an accessor, or names them so.

Each way begins with a letter that is given, by which the search finds it.
"""


def reaching_commands(unit: Unit) -> frozenset[str] | None:
    """The names of the functions that may, themselves or by what they call; ``None`` where any function may.

    Constructors, destructors and operators, which run without a call of their names, are not followed from a function
    that has no command in flight.
    """
    new: set[str] = set()
    for facts in unit.files:
        written = facts.once(commands_in)
        if written is None:
            return None
        new |= written
    found = frozenset(new)
    while new:
        new = set().union(*(unit.named.callers(each) for each in new if each.isidentifier())) - found
        found |= new
    return found


def commands_in(facts: FileFacts) -> frozenset[str] | None:
    """The functions and macros of one file in which that is written; ``None`` where a name for it may be.

    Outside of functions only such a name matters: what is declared there is used by its methods.
    """
    names: set[str] = set()
    for name, declared in facts.macros.items():
        if any(_SOURCE.search(each.node.text.encode()) for each in declared):
            if any(each.node.parameters is None for each in declared):
                return None
            names.add(name)
    content = facts.content
    if facts.once(words_called).isdisjoint(_CALLED) and b"sycl" not in content and b"mkl" not in content:
        return frozenset(names)
    extents = facts.once(FunctionExtents)
    comments = _Comments(content)
    end = 0
    while match := _SOURCE.search(content, end):
        offset, end = match.span()
        around = extents.names_around(offset)
        if around <= names and (around or not _names_it(content, offset, match)):
            continue
        if offset in comments:
            continue
        if not around:
            return None
        names |= around
    return frozenset(names)


def _names_it(content: bytes, offset: int, match: re.Match[bytes]) -> bool:
    """Whether a statement around an offset gives a class or a namespace another name."""
    begin = max(content.rfind(each, 0, offset) for each in _BEFORE)
    return _NAMING.search(content, begin + 1, match.end()) is not None


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
