"""The macros of one function, as they are meant where it stands."""

from __future__ import annotations

from sycllint.cpp.expression import Name
from sycllint.cpp.place import Place
from sycllint.cpp.statement import Macro
from sycllint.values.evaluate import Evaluator
from sycllint.values.objects import Point


class MacroLookup:
    """The macros of one function: looked up once where both ends of it mean the same."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._macros = evaluator.macros
        self._table = evaluator.facts.macros
        self._defines = evaluator.defines
        self._named: dict[str, bool] = {}
        """Whether some macro has that name."""
        self._steady: dict[str, list[Macro]] = {}
        self._ends: tuple[Point, ...] = ()

    def begin(self, start: Point, end: Point) -> None:
        """What follows is asked in the function between these."""
        self._ends = start, end
        self._steady.clear()

    def is_named(self, name: str) -> bool:
        """Whether any macro is called so."""
        found = self._named.get(name)
        if found is None:
            found = self._named[name] = name in self._table or name in self._defines
        return found

    def meant(self, name: Name, place: Place) -> list[Macro]:
        """The definitions that ``name`` may have at ``place``; empty where it is no macro there."""
        if name.scope is not None:
            return []
        found = self._steady.get(name.text)
        if found is None:
            found = self._macros.definitions(name, Point(place, name.start))
            if all(self._macros.definitions(name, each) == found for each in self._ends):
                self._steady[name.text] = found
        return found
