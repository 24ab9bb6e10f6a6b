"""Sets of names that are never listed: those for which a question is answered with yes."""

from collections.abc import Callable
from collections.abc import Set as AbstractSet
from functools import cache


class Those:
    """The names for which ``holds``; a program has tens of thousands, and a function names a few."""

    def __init__(self, holds: Callable[[str], bool]) -> None:
        self._holds = cache(holds)

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and self._holds(name)

    def __rand__(self, names: AbstractSet[str]) -> frozenset[str]:
        return frozenset(name for name in names if name in self)
