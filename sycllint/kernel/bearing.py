"""Which statements of a kernel, and of what it calls, bear on some of its acts: all others need not be walked.

A statement bears on an act when it is or holds it, when something it writes goes into the values or conditions that
the act comes from, or when it leaves what is still to come.
"""

from collections.abc import Callable, Iterable
from itertools import accumulate

from sycllint.kernel.outline import Act, Kind, Outline, Stretch, Token

_LEAVING = frozenset({Kind.RETURN, Kind.BREAK, Kind.CONTINUE})


def bearing(outlines: Iterable[Outline], asks: Callable[[Act], bool]) -> frozenset[int]:
    """The identities of the statements that bear on the acts that are asked for."""
    found: set[int] = set()
    needed = _needed(outlines, asks)
    for one in outlines:
        found |= one.handles
        found.update(_holding(one, needed))
    return frozenset(found)


def _needed(outlines: Iterable[Outline], asks: Callable[[Act], bool]) -> set[int]:
    """The acts that those come from, by identity: what flows into them, and the calls that lead to those."""
    writing: dict[Token, list[tuple[Outline, Act]]] = {}
    calling: dict[str, list[tuple[Outline, Act]]] = {}
    waiting = []
    for one in outlines:
        for act in one.acts:
            for token in act.into:
                writing.setdefault(token, []).append((one, act))
            if act.kind is Kind.CALL:
                calling.setdefault(act.called, []).append((one, act))
            elif act.kind is Kind.UNSEEN or asks(act):
                waiting.append((one, act))
    needed: set[int] = set()
    while waiting:
        one, act = waiting.pop()
        if id(act) in needed:
            continue
        needed.add(id(act))
        waiting += calling.pop(one.name, ())
        for token in act.sources:
            waiting += writing.pop(token, ())
    return needed


def _holding(one: Outline, needed: set[int]) -> Iterable[int]:
    """The statements of one function with needed acts, or with jumps over such."""
    own = [id(act) in needed for act in one.acts]
    if True not in own:
        return
    counts = [0, *accumulate(own)]
    last = len(own) - 1 - own[::-1].index(True)
    last = max([last, *(each.end for each in one.loops if counts[each.end] > counts[each.start])])
    for position, act in enumerate(one.acts):
        if act.kind in _LEAVING:
            own[position] = _matters(one, act.kind, position, last, counts)
    held = [0, *accumulate(own)]
    for each in one.stretches:
        if held[each.end] > held[each.start]:
            yield each.statement


def _matters(one: Outline, kind: Kind, position: int, last: int, counts: list[int]) -> bool:
    """Whether a jump leaves anything that is needed."""
    if kind is Kind.RETURN:
        return position < last
    around = [each for each in one.loops if each.start <= position < each.end]
    return any(_needs(each, counts) for each in (around[:1] if kind is Kind.BREAK else around))


def _needs(loop: Stretch, counts: list[int]) -> bool:
    return counts[loop.end] > counts[loop.start]
