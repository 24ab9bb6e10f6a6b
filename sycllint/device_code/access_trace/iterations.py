"""Trip counts of loops in device code whose conditions depend on the counter alone."""

from __future__ import annotations

from sycllint.device_code.access_trace.terms import (
    Atom,
    AtomKind,
    Operation,
    Term,
    UndefinedError,
    atoms,
    evaluate,
    slope,
    varies,
)
from sycllint.device_code.access_trace.trace import LoopHead

MAX_ITERATIONS = 128
"""How far the last iteration of a loop is looked for."""


def counters(inside: frozenset[Atom]) -> frozenset[object]:
    """The counters that matter: those in terms, and those of the loops in which a number is read again."""
    found: set[object] = set()
    for each in inside:
        if each.kind is AtomKind.COUNTER:
            found.add(each)
        elif each.kind is AtomKind.FRESH and isinstance(each.key, tuple):
            found.update(each.key[1])
    return frozenset(found)


def turns_of(head: LoopHead) -> int | None:
    """The exact trip count of a loop; ``None`` when that depends on more than its counter."""
    condition = head.condition
    if head.is_left or condition is None or isinstance(condition, int) or condition.atoms != {head.counter}:
        return None
    for iteration in range(MAX_ITERATIONS):
        try:
            if not evaluate(condition, {head.counter: iteration}):
                return iteration
        except UndefinedError:
            return None
    return _turns(condition, head.counter, {})


def last_iteration(head: LoopHead, numbers: dict[Atom, int]) -> int:
    """The last iteration of a loop whose condition is known and the same for all work-items; else its second."""
    condition = head.condition
    if condition is None or isinstance(condition, int) or varies(condition):
        return 1
    turns = _turns(condition, head.counter, numbers)
    if turns is not None:
        return max(turns - 1, 0) if turns < MAX_ITERATIONS else 1
    for iteration in range(MAX_ITERATIONS):
        numbers[head.counter] = iteration
        try:
            if not evaluate(condition, numbers):
                return max(iteration - 1, 0)
        except (UndefinedError, KeyError):
            return 1
    return 1


def _turns(condition: Term, counter: Atom, numbers: dict[Atom, int]) -> int | None:
    """How often a loop turns whose ``condition`` is that a growing number is below a fixed one."""
    if not isinstance(condition, Operation) or condition.operator not in ("<", "<="):
        return None
    growing, bound = condition.operands
    step = slope(growing, counter)
    if not step or step < 0 or counter in atoms(bound):
        return None
    numbers[counter] = 0
    try:
        distance = evaluate(bound, numbers) - evaluate(growing, numbers)
    except (UndefinedError, KeyError):
        return None
    return max(-(-(distance + (condition.operator == "<=")) // step), 0)
