"""Which arms of preprocessor conditionals must be taken for a place to be compiled, and what that says of macros."""

import re

from sycllint.cpp.place import Place
from sycllint.cpp.statement import Arm, Variants

_PLAIN = re.compile(r"(!?)\s*+(?:defined\b\s*+)?\(?\s*+([A-Za-z_]\w*+)\s*+\)?")
"""A condition on one macro: ``M``, ``defined(M)`` or the contrary."""


class Taken:
    """What holds in every build that compiles ``place``."""

    def __init__(self, place: Place) -> None:
        self._arms: dict[int, Arm] = {}
        self._macros: dict[str, bool] = {}
        for each in place.within():
            arm, outer = each.node, each.outer
            if isinstance(arm, Arm) and outer is not None and isinstance(outer.node, Variants):
                self._arms[id(outer.node)] = arm
                self._note(arm, outer.node)

    def contradicts(self, other: "Taken") -> bool:
        """Whether no build compiles both places.

        They lie in two arms of one conditional, or under conditions on one macro that exclude each other.
        """
        mine, theirs = self._arms, other._arms
        if any(theirs.get(key, arm) is not arm for key, arm in mine.items()):
            return True
        return any(other._macros.get(name, holds) is not holds for name, holds in self._macros.items())

    def _note(self, arm: Arm, conditional: Variants) -> None:
        """Arms before it are not taken, and it is."""
        for each in conditional.arms:
            is_taken = each is arm
            parts = each.condition.split("&&") if is_taken else [each.condition]
            for part in parts:
                found = _PLAIN.fullmatch(part.strip())
                if found is not None:
                    holds = (found[1] == "!") is (each.keyword == "ifndef")
                    self._macros[found[2]] = holds if is_taken else not holds
            if is_taken:
                return
