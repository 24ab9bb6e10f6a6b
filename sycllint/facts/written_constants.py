"""Constants that macros write: what a macro used outside all functions declares, as facts of a text of its own.

``IN_NAMESPACES(blur, DECLARE_BLUR);`` where ``DECLARE_BLUR`` is ``constexpr int tile = 32; void blur(…)``. Of the text
only the constants are kept: what else it declares is defined elsewhere.
"""

import re
from collections.abc import Iterator, Mapping, Sequence

from sycllint.cpp.expression import Call
from sycllint.cpp.place import locate
from sycllint.cpp.statement import Block, Evaluate, Macro, Namespace
from sycllint.facts.file import FileFacts
from sycllint.facts.generated import expanded, facts_of
from sycllint.record import replace
from sycllint.source.span import Span

_CONSTANT = re.compile(
    r"\bconst(?:expr)?\b(?:(?!\bconst(?:expr)?\b)[^;(){}=])*+=|\bconstexpr\b(?:(?!\bconstexpr\b)[^;(){}=])*+\{"
)
"""A variable that cannot change, with its initialiser."""
_AROUND = (Call, Evaluate, Namespace, Block)
"""What stands around a use outside all functions that is surely compiled."""
_WORD = re.compile(r"[A-Za-z_]\w*")


def written_constants(files: Sequence[FileFacts], defines: Mapping[str, str]) -> list[FileFacts]:
    """The constants that macros write in ``files``: facts for each use that declares some."""
    macros = _Macros(files)
    return [each for facts in files for each in _of_file(facts, macros, defines)] if macros.writing else []


class _Macros:
    """The macros of a unit by name, and which of them write constants."""

    def __init__(self, files: Sequence[FileFacts]) -> None:
        self._known: dict[str, list[tuple[FileFacts, Macro]]] = {}
        for facts in files:
            for name, declared in facts.macros.items():
                self._known.setdefault(name, []).extend((facts, each.node) for each in declared)
        self.writing = {name for name, found in self._known.items() if any(_CONSTANT.search(m.text) for _, m in found)}
        """Names of the macros whose text has a constant, or uses a macro that has."""
        new = self.writing
        while new:
            new = {name for name, found in self._known.items() if any(_mentions(m.text, new) for _, m in found)}
            new -= self.writing
            self.writing |= new

    def takes_arguments(self, name: str) -> bool:
        """Whether a use of the name has parentheses."""
        return any(macro.parameters is not None for _, macro in self._known.get(name, ()))

    def in_force(self, facts: FileFacts, offset: int, names: set[str]) -> dict[str, Macro]:
        """The definitions of ``names`` at a place; those of which several may hold there are left out."""
        found: dict[str, Macro] = {}
        for name in names:
            known = self._known.get(name, ())
            own = [macro for home, macro in known if home is facts and macro.start < offset]
            meant = own or [macro for _, macro in known]
            if len({(macro.parameters, macro.text) for macro in meant}) == 1:
                found[name] = meant[-1]
        return found


def _of_file(facts: FileFacts, macros: _Macros, defines: Mapping[str, str]) -> Iterator[FileFacts]:
    uses = sorted(_uses(facts, macros))
    for span, place in locate(facts.unit, uses, Call).items() if uses else ():
        if not all(isinstance(node, _AROUND) for node in place.chain()):
            continue  # in a function, or in an arm of #if, beside which another may write another number
        text = _text(facts, span)
        name = text.partition("(")[0].strip()
        text = expanded(text, macros.in_force(facts, span.start, macros.writing | {name})) or ""
        if _CONSTANT.search(text):
            made = facts_of(facts, span, place, text, defines)
            if made.variables:
                yield replace(made, submissions=(), functions={}, structs={}, aliases={}, calls={}, damaged=())


def _uses(facts: FileFacts, macros: _Macros) -> Iterator[Span]:
    """Uses of macros in a file that may write a constant, by themselves or by a macro that they are handed."""
    for name, spans in facts.calls.items():
        if macros.takes_arguments(name):
            yield from (
                each for each in spans if name in macros.writing or _mentions(_text(facts, each), macros.writing)
            )


def _mentions(text: str, names: set[str]) -> bool:
    return not names.isdisjoint(_WORD.findall(text))


def _text(facts: FileFacts, span: Span) -> str:
    return facts.content[span.start : span.end].decode(errors="replace")
