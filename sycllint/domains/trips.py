"""How often loops turn: which bounds may be met by all work-items at once."""

from __future__ import annotations

from sycllint.domains.levels import Content, Level
from sycllint.domains.rounding import WHOLE
from sycllint.values.value import Symbolic


def perhaps_alike(left: Content, right: Content) -> bool:
    """Whether a comparison of ``left`` and ``right`` may end a loop for all work-items at once, for all that we know.

    Pointers may be any distance apart. A bound that was rounded may be a multiple of the step.
    """
    sides = (left, right)
    if any(each.memory is not None and not each.through and each.number is None for each in sides):
        return True
    return any(each.level <= Level.GROUP and each.made == WHOLE and _is_open(each) for each in sides)


def perhaps_aligned(left: Content, right: Content) -> bool:
    """Whether a comparison with a rounded bound may part groups between sub-groups, for all that we know."""
    return any(each.level <= Level.GROUP and each.made == WHOLE and not _is_numbered(each) for each in (left, right))


def _is_numbered(content: Content) -> bool:
    """Whether a rounded number says to a multiple of what."""
    value = content.number.value if content.number is not None else None
    if not isinstance(value, Symbolic):
        return value is not None
    divisions = [atom.division for term in value.terms for atom in term.atoms if atom.division is not None]
    return all(not term.atoms for each in divisions for term in each.divisor)


def _is_open(content: Content) -> bool:
    """Whether we do not know what a number is a multiple of."""
    value = content.number.value if content.number is not None else None
    if not isinstance(value, Symbolic):
        return value is None
    return any("%" in atom.text for term in value.terms for atom in term.atoms)
