"""Numbers of work-items in types of fewer than 32 bits, which cut them off."""

from __future__ import annotations

from sycllint.device_code.access_trace.abstract_values import AbstractValue
from sycllint.device_code.access_trace.terms import TERM, Atom, AtomKind, Operation, Term, atoms, bounds, operation
from sycllint.device_code.limits import FULL, LARGEST
from sycllint.values.arithmetic import BOOL, IntegerType

_TRUTHS = frozenset({"<", "<=", ">", ">=", "==", "!=", "!", "&&", "||"})
_LOCAL_IDS = (0, LARGEST - 1)


def narrowed(thing: AbstractValue, kind: IntegerType | None) -> AbstractValue:
    """What a variable of an integer type holds that is given ``thing``."""
    if kind is None or kind.bits >= FULL or not isinstance(thing, TERM):
        return thing
    return _truth(thing) if kind == BOOL else _cut(thing, kind)


def _truth(term: Term) -> Term | None:
    if isinstance(term, Operation) and term.operator in _TRUTHS:
        return term
    return operation("!=", term, 0)


def _cut(term: Term, kind: IntegerType) -> Term | None:
    size = 1 << kind.bits
    lowest = -size // 2 if kind.signed else 0
    known: dict[Atom, tuple[int, int]] = {each: _LOCAL_IDS for each in atoms(term) if each.kind is AtomKind.LOCAL}
    reached = bounds(term, known)
    if reached is not None and lowest <= reached[0] and reached[1] < lowest + size:
        return term
    rest = operation("&", operation("-", term, lowest), size - 1)
    return operation("+", rest, lowest)
