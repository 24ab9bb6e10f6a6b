"""Conditions of device code: as guards, put together, and what a value is that one of them chooses."""

from __future__ import annotations

from sycllint.device_code.access_trace.abstract_values import LOADED, Condition, Data
from sycllint.device_code.access_trace.terms import TERM, AtomKind, Term, atoms, operation, varies
from sycllint.device_code.access_trace.trace import (
    Doubt,
    Guard,
)

_GIVEN = (AtomKind.GIVEN, AtomKind.FRESH)


def guards_of(condition: Condition) -> tuple[Guard, Guard]:
    """What holds where ``condition`` does, and where it does not."""
    doubt = None if isinstance(condition, TERM) else _doubt_about(condition)
    return when(condition, doubt), unless(condition, doubt)


def when(condition: Condition, doubt: Doubt | None = None) -> Guard:
    """What holds where ``condition`` does."""
    if isinstance(condition, TERM):
        return Guard(operation("!=", condition, 0))
    among = condition.among if condition is not None else 1
    return Guard(None if among == 1 else operation("!=", among, 0), doubt or _doubt_about(condition), True)


def unless(condition: Condition, doubt: Doubt | None = None) -> Guard:
    """What holds where ``condition`` does not."""
    if isinstance(condition, TERM):
        return Guard(operation("!", condition))
    return Guard(None, doubt or _doubt_about(condition), False)


def _doubt_about(condition: Data | None) -> Doubt:
    if condition is None:
        return Doubt()
    return Doubt(data=True, memories=condition.memories, ordered=condition.ordered)


def conjunction(guards: tuple[Guard, ...]) -> Condition:
    """All of ``guards`` as one condition; 1 when there are none."""
    result: Condition = 1
    for each in guards:
        result = combined("&&", result, condition_of(each))
    return result


def condition_of(guard: Guard) -> Condition:
    """``guard`` as a condition."""
    if guard.doubt is None:
        return guard.term
    if not guard.doubt.data:
        return None
    among = 1 if guard.term is None else guard.term
    return Data(among, memories=guard.doubt.memories, ordered=guard.doubt.ordered)


def combined(operator: str, left: Condition, right: Condition) -> Condition:
    """Two conditions by ``&&`` or ``||``."""
    if not (isinstance(left, Data) or isinstance(right, Data)):
        if left == 1 and operator == "&&":
            return right
        return operation(operator, left, right)
    first, second = (each.among if isinstance(each, Data) else each for each in (left, right))
    among = operation(operator, first, second)
    ordered = all(each.ordered for each in (left, right) if isinstance(each, Data))
    return None if among is None else Data(among, memories=_memories(left, right), ordered=ordered)


def _memories(*parts: Condition) -> frozenset[int]:
    found: frozenset[int] = frozenset()
    for each in parts:
        if isinstance(each, Data) and each.memories:
            found = found | each.memories
    return found


_ORDERS = frozenset({"<", "<=", ">", ">="})
_COMPARISONS = _ORDERS | {"==", "!="}
_KEEPING_ZERO = frozenset({">>", "<<", "/", "%", "&", "*"})
"""Operators that make 0 of 0, whatever the number on their right is."""


def calculated(operator: str, left: Condition, right: Condition) -> Condition:
    """``left operator right``: what is made of what was read, and of numbers that all agree on, is data too."""
    # Most are numbers: they are passed on with a look at their classes and no call.
    first = left if left.__class__ is Data else None
    second = right if right.__class__ is Data else None
    if first is None and second is None:
        return operation(operator, left, right)  # type: ignore[arg-type]
    if right is None and first is not None and first.like == 0 and operator in _KEEPING_ZERO:
        return first
    if left is None or right is None:
        return None
    memories = (first or LOADED).memories | (second or LOADED).memories
    if operator in _COMPARISONS:
        return Data(memories=memories, ordered=operator in _ORDERS)
    other = right if second is None else left if first is None else 0
    if isinstance(other, TERM) and varies(other):
        return None
    read_by = (first or LOADED).read_by | (second or LOADED).read_by
    elements = (first or LOADED).elements | (second or LOADED).elements
    like = operation(operator, _likely(left), _likely(right))
    return Data(like=like, memories=memories, read_by=read_by, elements=elements)


def chosen(condition: Condition, *values: Condition) -> Condition:
    """One of two ``values``, the first where ``condition`` holds."""
    if isinstance(condition, TERM) and all(each is None or isinstance(each, TERM) for each in values):
        return operation("?", condition, *values)  # type: ignore[arg-type]
    if condition is None or any(each is None for each in values):
        return None
    if any(isinstance(each, TERM) and varies(each) for each in values):
        return None
    if isinstance(condition, TERM) and varies(condition) and not any(a.kind in _GIVEN for a in atoms(condition)):
        # Which work-items hold data depends on their ids.
        return None
    likely = [_likely(each) for each in values]
    return Data(like=0 if 0 in likely else likely[0], memories=_memories(condition, *values))


def _likely(value: Condition) -> Term | None:
    return value.like if isinstance(value, Data) else value
