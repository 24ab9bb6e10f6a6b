"""Constants that macros write: what a macro used outside all functions declares, as facts of a text of its own.

``IN_NAMESPACES(blur, DECLARE_BLUR);`` where ``DECLARE_BLUR`` is ``constexpr int tile = 32; void blur(…)``. Of the text
only the constants are kept, and classes that have some: what else it declares is defined elsewhere.
"""

import re
from collections.abc import Iterator, Mapping

from sycllint.cpp.expression import Call
from sycllint.cpp.statement import STATIC, Block, Declaration, Evaluate, Macro, Namespace, Struct
from sycllint.facts.file import Declared, FileFacts, MacroUse
from sycllint.facts.generated import expansion, facts_of
from sycllint.facts.macro_table import MacroTable, Writing
from sycllint.record import replace
from sycllint.source.span import Span

_CONSTANT = re.compile(
    r"\bconst(?:expr)?\b(?:(?!\bconst(?:expr)?\b)[^;(){}=])*+=|\bconstexpr\b(?:(?!\bconstexpr\b)[^;(){}=])*+\{"
)
"""A variable that cannot change, with its initialiser."""
_AROUND = (Call, Evaluate, Namespace, Block)
"""Nodes around a use outside all functions that do not make its compilation conditional."""


def written_constants(table: MacroTable, defines: Mapping[str, str]) -> list[FileFacts]:
    """The constants that macros write in the files of ``table``: facts for each use that declares some."""
    writing = Writing(table.files, lambda name: (macro for _, macro in table.of(name)), _CONSTANT)
    return list(_of_uses(table, writing, defines))


def _of_uses(table: MacroTable, writing: Writing, defines: Mapping[str, str]) -> Iterator[FileFacts]:
    for each in table.uses(_CONSTANT):
        if each.use.span not in each.facts.once(_sure):
            continue
        if not any(macro.parameters is not None for _, macro in table.of(each.use.name)):
            continue
        if not any(word in writing for word in each.words):
            continue

        def meant(word: str, home: FileFacts = each.facts, used: MacroUse = each.use) -> Macro | None:
            return _in_force(table, home, word, used.span.start) if word == used.name or word in writing else None

        text = expansion(each, meant, written_constants) or ""
        if _CONSTANT.search(text):
            made = facts_of(each, text, defines)
            if made.variables or made.structs:
                yield made.once(_constants_alone)


def _constants_alone(written: FileFacts) -> FileFacts:
    structs = {name: tuple(filter(_has_constants, found)) for name, found in written.structs.items()}
    kept = {name: found for name, found in structs.items() if found}
    return replace(written, submissions=(), functions={}, structs=kept, aliases={}, calls={}, damaged=())


def _has_constants(struct: Declared[Struct]) -> bool:
    members = struct.node.members.statements
    return any(each.flags & STATIC for one in members if isinstance(one, Declaration) for each in one.variables)


def _sure(facts: FileFacts) -> frozenset[Span]:
    """The uses in a file that are surely compiled: beside an arm of #if another may write another number."""
    return frozenset(each.span for each in facts.uses if all(isinstance(node, _AROUND) for node in each.place.chain()))


def _in_force(table: MacroTable, facts: FileFacts, name: str, offset: int) -> Macro | None:
    """The definition of ``name`` at a place; ``None`` where several may hold there."""
    known = table.of(name)
    meant = [macro for home, macro in known if home is facts and macro.start < offset] or [macro for _, macro in known]
    return meant[-1] if len({(macro.parameters, macro.text) for macro in meant}) == 1 else None
