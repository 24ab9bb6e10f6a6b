"""Macros that may write a certain text, over all files of a run: what says where a closer look is worth its cost."""

import re
from collections.abc import Sequence

from sycllint.cpp.statement import Function, Macro, Struct
from sycllint.facts.file import FileFacts, MacroUse
from sycllint.record import NamedTuple

WORD = re.compile(r"[A-Za-z_]\w*")
"""An identifier."""


class Writers:
    """The macros that write a text, by themselves or through macros that they name, in some file of the run.

    In one unit fewer may: a name may mean another macro there. None is left out.
    """

    def __init__(self, text: re.Pattern[str]) -> None:
        """``text``: what is looked for."""
        self._text = text
        self.names: set[str] = set()
        """The names in the files that were added so far."""
        self._naming: dict[str, set[str]] = {}
        """By a word, the macros whose text has it."""

    def take(self, facts: FileFacts) -> None:
        """Add the macros of a file, if they are not in."""
        if self in facts.made:
            return
        facts.made[self] = None
        for name, declared in facts.macros.items():
            for macro in declared:
                words = WORD.findall(macro.node.text)
                for word in words:
                    self._naming.setdefault(word, set()).add(name)
                if name not in self.names and (
                    not self.names.isdisjoint(words) or self._text.search(macro.node.text) is not None
                ):
                    self._reach(name)

    def _reach(self, name: str) -> None:
        """Add a macro and those that name it."""
        waiting = [name]
        while waiting:
            name = waiting.pop()
            if name not in self.names:
                self.names.add(name)
                waiting += self._naming.get(name, ())

    def uses(self, facts: FileFacts) -> "Sequence[TopLevelUse]":
        """The uses in a file that name one of the macros, in order."""
        key = (self, len(self.names))
        found = facts.made.get(key)
        if found is None:
            found = facts.made[key] = tuple(each for each in facts.once(_uses) if not self.names.isdisjoint(each.words))
        assert isinstance(found, tuple)
        return found


class TopLevelUse(NamedTuple):
    """The use of a macro outside all functions, in its file."""

    facts: FileFacts
    use: MacroUse
    text: str
    """As it is written."""
    words: frozenset[str]
    """The words of the text."""
    handed: frozenset[str]
    """The functions of its file among its arguments."""
    is_free: bool
    """Whether it is outside all classes, too."""


def _uses(facts: FileFacts) -> tuple[TopLevelUse, ...]:
    return tuple(_use(facts, each) for each in facts.uses)


def _use(facts: FileFacts, use: MacroUse) -> TopLevelUse:
    text = facts.content[use.span.start : use.span.end].decode(errors="replace")
    words = frozenset(WORD.findall(text))
    is_free = not any(isinstance(node, Struct | Function | Macro) for node in use.place.chain())
    return TopLevelUse(facts, use, text, words, words & facts.functions.keys(), is_free)
