"""The macros of a unit by name, looked up when asked for: of tens of thousands, few are."""

import re
from collections.abc import Callable, Iterable
from functools import cached_property, lru_cache

from sycllint.cpp.statement import Macro
from sycllint.facts.file import FileFacts
from sycllint.facts.leading import Leading
from sycllint.facts.postings import FileSet
from sycllint.facts.writers import WORD, TopLevelUse


class MacroTable:
    """The definitions of the macros of some files, in the order of the files."""

    def __init__(self, files: FileSet) -> None:
        self.files = files
        self._known: dict[str, tuple[tuple[FileFacts, Macro], ...]] = {}

    def uses(self, text: re.Pattern[str]) -> list[TopLevelUse]:
        """The uses of macros that may write ``text``, in order: all that do are among them."""
        writers = self.files.writers(text)
        return [use for each in self.files.files if each.uses for use in writers.uses(each)]

    def of(self, name: str) -> tuple[tuple[FileFacts, Macro], ...]:
        """All definitions of a name, each with its file."""
        found = self._known.get(name)
        if found is None:
            holding = self.files.declaring("macros", name)
            found = self._known[name] = tuple((facts, each.node) for facts in holding for each in facts.macros[name])
        return found

    @cached_property
    def leading(self) -> frozenset[str]:
        """The names of functions that lead to a launch, without what macros write."""
        return self.files.run.once(Leading).of(self.files)

    def last(self, name: str) -> Macro | None:
        """The last definition of a name, when that has parameters."""
        known = self.of(name)
        return known[-1][1] if known and known[-1][1].parameters is not None else None


class Writing:
    """Which macros write a certain text, by themselves or through the macros that they use."""

    def __init__(self, files: FileSet, definitions: Callable[[str], Iterable[Macro]], text: re.Pattern[str]) -> None:
        """``definitions``: those of a name that count; ``text``: what is looked for."""
        self._definitions = definitions
        self._macros = files.declared("macros")
        self._text = text
        self.possible = files.writers(text).names
        """Macros that may write the text in some file of the run."""
        self._known: dict[str, bool] = {}
        self._words: dict[str, frozenset[str]] = {}

    def __contains__(self, name: str) -> bool:
        if name not in self.possible:
            return False
        found = self._known.get(name)
        if found is None:
            found = self._known[name] = self._writes(name) or any(map(self._writes, self.words(name)))
        return found

    def _writes(self, name: str) -> bool:
        """Whether a macro of that name has the text itself."""
        return any(_has(self._text, macro.text) for macro in self._definitions(name))

    def words(self, name: str) -> frozenset[str]:
        """A name, the words of the macros of that name, and those of the macros that these name."""
        found = self._words.get(name)
        if found is None:
            seen = {name}
            waiting = [name]
            while waiting:
                for macro in self._definitions(waiting.pop()):
                    new = _words_of(macro.text) - seen
                    seen |= new
                    waiting += new & self._macros
            found = self._words[name] = frozenset(seen)
        return found


@lru_cache(maxsize=1024)
def _has(looked_for: re.Pattern[str], text: str) -> bool:
    """Whether a macro's text has what is looked for, which each unit asks again."""
    return looked_for.search(text) is not None


@lru_cache(maxsize=1024)
def _words_of(text: str) -> frozenset[str]:
    """The words of a macro's text, which each unit asks for again."""
    return frozenset(WORD.findall(text))
