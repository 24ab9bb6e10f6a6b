"""Sets of names that are never listed: those for which a question is answered with yes."""

from collections.abc import Callable
from collections.abc import Set as AbstractSet


class Those:
    """The names for which ``holds``; a program has tens of thousands, and a function names a few."""

    def __init__(self, holds: Callable[[str], bool]) -> None:
        self._holds = holds
        self._known: dict[str, bool] = {}

    def __contains__(self, name: object) -> bool:
        if not isinstance(name, str):
            return False
        found = self._known.get(name)
        if found is None:
            found = self._known[name] = self._holds(name)
        return found

    def __rand__(self, names: AbstractSet[str]) -> frozenset[str]:
        return frozenset(name for name in names if name in self)
