"""Which functions may come to a command, or to memory, a queue or a buffer of SYCL's: by names, and cheap to ask.

A filter before the walk over a function: too many functions rather than too few.
"""

import re
from bisect import bisect_right
from functools import cached_property

from sycllint.cpp.statement import Function
from sycllint.facts.called import words_called
from sycllint.facts.extents import FunctionExtents, run_as
from sycllint.facts.file import FileFacts
from sycllint.host.vocabulary import ALLOCATORS, ASYNC_FUNCTIONS, COPIES, SUBMITS
from sycllint.memoized import memoized
from sycllint.record import NamedTuple
from sycllint.source.comments import blanked
from sycllint.symbols.unit import Unit


def _any_of(*names: str) -> bytes:
    return b"(?:%b)" % "|".join(names).encode()


def _word(pattern: bytes) -> bytes:
    """``pattern``, which begins with a letter, where no word goes on with it."""
    return rb"%b(?<!\w%b)%b" % (pattern[:1], pattern[:1], pattern[1:])


_FUNCTIONS = frozenset(ASYNC_FUNCTIONS) | frozenset(ALLOCATORS) | {"get_access", "get_host_access"}
_CALLED = frozenset(COPIES) | SUBMITS | _FUNCTIONS | {"free"}
_METHOD = rb"\s*+(?:template\s++)?(?:%b\b|%b\b(?=(?:[^;,]*+,){2}))" % (_any_of(*SUBMITS), _any_of(*COPIES))
_SOURCE = re.compile(
    b"|".join(
        (
            *(before + _METHOD for before in (rb"\.", b"->")),
            *(_word(each.encode() + rb"\b") for each in sorted(_FUNCTIONS)),
            rb"mkl\s*+::",
            _word(
                rb"sycl\s*+::\s*+(?:"
                + _any_of("queue", "buffer", "accessor", "host_accessor", "free", "khr")
                + rb"\b|ext\b(?!\s*+::\s*+oneapi\s*+::\s*+bfloat16\b))"
            ),
            _word(rb"using\s++namespace\s++[\w:\s]*\bsycl\b"),
            _word(rb"namespace\s++\w++\s*+=[\w:\s]*\bsycl\b"),
            _word(rb"free\s*+\([^;,{]*+,"),
        )
    )
)
"""A method of a queue, copies with their three arguments; a function that submits or allocates; what makes a queue or a
buffer, or names them so.

Each way begins with a letter that is given, by which the search finds it.
"""


def reaching_commands(unit: Unit) -> frozenset[str] | None:
    """The names of the functions that may, themselves or by what they call; ``None`` where any function may.

    That is so where something of it stands outside all functions, or in one that runs without a call of its name. A
    queue that is held outside of functions is used by those that name it.
    """
    new: set[str] = set()
    held: dict[str, None] = {}
    for facts in unit.files:
        written = facts.once(commands_in)
        if written is None:
            return None
        new |= written.functions
        held |= dict.fromkeys(written.held)
    for name in held:
        for facts in unit.named.spelling(name.encode()):
            naming = facts.once(_Written).naming(name)
            if naming is None:
                return None
            new |= naming
    found = frozenset(new)
    while new:
        if any(not each.isidentifier() or each in unit.structs for each in new):
            return None
        new = set().union(*map(unit.named.callers, new)) - found
        found |= new
    return found


class CommandsWritten(NamedTuple):
    """What leads to commands in one file."""

    functions: frozenset[str]
    """Those in which something of it is written, and those that give it."""
    held: frozenset[str]
    """Variables and members outside of functions that hold a queue, or several."""


def commands_in(facts: FileFacts) -> CommandsWritten | None:
    """What leads to commands in one file; ``None`` where something else of it stands outside of functions."""
    if any(_SOURCE.search(each.node.text.encode()) for found in facts.macros.values() for each in found):
        return None
    content = facts.content
    if facts.once(words_called).isdisjoint(_CALLED) and b"sycl" not in content and b"mkl" not in content:
        return CommandsWritten(frozenset(), frozenset())
    extents, written = facts.once(FunctionExtents), facts.once(_Written)
    names: set[str] = set()
    held: set[str] = set()
    end = 0
    while match := _SOURCE.search(content, end):
        offset, end = match.span()
        around = extents.names_around(offset)
        if not around and not written.is_aside(offset):
            variables = _of_type(facts, offset) if match.group().endswith(b"queue") else set()
            functions = _giving(facts, offset)
            if not variables and not functions:
                return None
            held |= variables
            names |= functions
        if not around or (not around <= names and offset in written.comments):
            continue
        names |= around
        # What else is written up to the end of the function, or to one in it, is in the same ones.
        ends = [each.extent_end for each in extents.around(offset)]
        end = max(end, min(*ends, written.next_function(offset)))
    return CommandsWritten(frozenset(names), frozenset(held))


class _Written:
    """Where something is written in one file, to which it does not lead back."""

    def __init__(self, facts: FileFacts) -> None:
        functions = (each.node for found in facts.functions.values() for each in found)
        self._facts = facts
        self._functions = sorted((each.start, each.extent_end) for each in functions)
        self._end = len(facts.content)
        self.comments = _Comments(facts.content)

    def is_aside(self, offset: int) -> bool:
        """Whether what is written outside of bodies is of a function's declaration, or a comment."""
        number = bisect_right(self._functions, (offset, self._end))
        return (number > 0 and offset < self._functions[number - 1][1]) or offset in self.comments

    def next_function(self, offset: int) -> int:
        """Where the next function begins."""
        number = bisect_right(self._functions, (offset, self._end))
        return self._functions[number][0] if number < len(self._functions) else self._end

    @memoized
    def naming(self, name: str) -> frozenset[str] | None:
        """The functions that write a word; ``None`` where it stands elsewhere, and is not declared there."""
        facts = self._facts
        extents, word = facts.once(FunctionExtents), re.compile(rb"\b%b\b" % name.encode())
        found: set[str] = set()
        parameters = [each for some in facts.functions.values() for one in some for each in one.node.parameters]
        macros = (each.node.text.encode() for some in facts.macros.values() for each in some)
        # A parameter of that type is an object that is made of it.
        if any(each.type.name.text == name for each in parameters) or any(map(word.search, macros)):
            return None
        declared = {each.node.start for each in facts.variables.get(name, ())}
        for offset in (each.start() for each in word.finditer(facts.content)):
            around = extents.names_around(offset)
            if not around and offset not in declared and not self.is_aside(offset):
                return None
            found |= around
        return frozenset(found)


def _of_type(facts: FileFacts, offset: int) -> set[str]:
    """The variables outside of functions in whose type an offset is."""
    variables = (each.node for found in facts.variables.values() for each in found)
    return {each.name for each in variables if each.type.name.start <= offset < each.start}


def _giving(facts: FileFacts, offset: int) -> set[str]:
    """The functions in the type of whose result an offset is."""
    functions = (each for found in facts.functions.values() for each in found)
    return {run_as(each.place) for each in functions if _result(each.node) <= offset < each.node.start}


def _result(function: Function) -> int:
    """Where the type of a function's result begins; where its name does when it has none."""
    return function.returns.name.start if function.returns is not None else function.start


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
