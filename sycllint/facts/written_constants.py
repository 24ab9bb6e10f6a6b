"""Constants that macros write: what a macro used outside all functions declares, as facts of a text of its own.

``IN_NAMESPACES(blur, DECLARE_BLUR);`` where ``DECLARE_BLUR`` is ``constexpr int tile = 32; void blur(…)``. Of the text
only the constants are kept: what else it declares is defined elsewhere.
"""

import re
from collections.abc import Iterator, Mapping

from sycllint.cpp.expression import Call
from sycllint.cpp.statement import Block, Evaluate, Macro, Namespace
from sycllint.facts.file import FileFacts, MacroUse
from sycllint.facts.generated import expanded, facts_of, text_of
from sycllint.facts.macro_table import MacroTable, Writing
from sycllint.facts.writers import WORD
from sycllint.record import replace

_CONSTANT = re.compile(
    r"\bconst(?:expr)?\b(?:(?!\bconst(?:expr)?\b)[^;(){}=])*+=|\bconstexpr\b(?:(?!\bconstexpr\b)[^;(){}=])*+\{"
)
"""A variable that cannot change, with its initialiser."""
_AROUND = (Call, Evaluate, Namespace, Block)
"""What stands around a use outside all functions that is surely compiled."""


def written_constants(table: MacroTable, defines: Mapping[str, str]) -> list[FileFacts]:
    """The constants that macros write in the files of ``table``: facts for each use that declares some."""
    writing = Writing(table.files, lambda name: (macro for _, macro in table.of(name)), _CONSTANT)
    return list(_of_uses(table, writing, defines))


def _of_uses(table: MacroTable, writing: Writing, defines: Mapping[str, str]) -> Iterator[FileFacts]:
    for facts, use in table.uses(_CONSTANT):
        # In an arm of #if, beside which another may write another number, nothing is sure.
        if not all(isinstance(node, _AROUND) for node in use.place.chain()):
            continue
        name, written = use.name, text_of(facts, use)
        if not any(macro.parameters is not None for _, macro in table.of(name)):
            continue
        if name not in writing and not any(word in writing for word in set(WORD.findall(written))):
            continue

        def meant(word: str, home: FileFacts = facts, used: MacroUse = use) -> Macro | None:
            return _in_force(table, home, word, used.span.start) if word == used.name or word in writing else None

        text = expanded(written, meant) or ""
        if _CONSTANT.search(text):
            made = facts_of(facts, use, text, defines)
            if made.variables:
                yield replace(made, submissions=(), functions={}, structs={}, aliases={}, calls={}, damaged=())


def _in_force(table: MacroTable, facts: FileFacts, name: str, offset: int) -> Macro | None:
    """The definition of ``name`` at a place; ``None`` where several may hold there."""
    known = table.of(name)
    meant = [macro for home, macro in known if home is facts and macro.start < offset] or [macro for _, macro in known]
    return meant[-1] if len({(macro.parameters, macro.text) for macro in meant}) == 1 else None
