"""Which functions may come to a command, or to memory, a queue or a buffer of SYCL's: by names, and cheap to ask.

A filter before the walk over a function: too many functions rather than too few.
"""

import re

from sycllint.cpp.statement import Function
from sycllint.facts.extents import FunctionExtents
from sycllint.facts.file import FileFacts
from sycllint.host.vocabulary import ALLOCATORS, ASYNC_FUNCTIONS, COPIES, SUBMITS
from sycllint.source.comments import blanked
from sycllint.symbols.unit import Unit


def _any_of(*names: str) -> bytes:
    return b"(?:%b)" % "|".join(names).encode()


_SOURCE = re.compile(
    rb"(?:\.|->)\s*+(?:template\s++)?" + _any_of(*COPIES, *SUBMITS) + rb"\b"
    rb"|\b" + _any_of(*ASYNC_FUNCTIONS, *ALLOCATORS, "get_access", "get_host_access") + rb"\b"
    rb"|mkl\s*+::"
    rb"|\bsycl\s*+::\s*+" + _any_of("queue", "buffer", "accessor", "host_accessor", "free") + rb"\b"
    rb"|\busing\s++namespace\s++[\w:\s]*\bsycl\b"
    rb"|\bnamespace\s++\w++\s*+=[\w:\s]*\bsycl\b"
    rb"|\bfree\s*+\([^;,]*+,"
)
"""A method of a queue; a function that submits or allocates; what makes a queue or a buffer, or names them so."""


def reaching_commands(unit: Unit) -> frozenset[str] | None:
    """The names of the functions that may, themselves or by what they call; ``None`` where any function may.

    That is so where something of it stands outside all functions, or in one that runs without a call of its name.
    """
    new: set[str] = set()
    for facts in unit.files:
        written = facts.once(_sources)
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


def _sources(facts: FileFacts) -> frozenset[str] | None:
    """The functions of one file in which that is written; ``None`` where it stands outside of functions."""
    if any(_SOURCE.search(each.node.text.encode()) for found in facts.macros.values() for each in found):
        return None
    if _SOURCE.search(facts.content) is None:
        return frozenset()
    extents = facts.once(FunctionExtents)
    found: set[str] = set()
    for match in _SOURCE.finditer(blanked(facts.content)):
        around = extents.names_around(match.start())
        if not around and not _is_in_prototype(facts, match.start()):
            return None
        found |= around
    return frozenset(found)


def _is_in_prototype(facts: FileFacts, offset: int) -> bool:
    functions: list[Function] = [each.node for found in facts.functions.values() for each in found]
    return any(each.body is None and each.start <= offset < each.extent_end for each in functions)
