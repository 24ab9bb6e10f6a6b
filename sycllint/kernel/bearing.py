"""Which statements of a kernel, and of what it calls, bear on some of its acts: all others need not be walked.

A statement bears on an act when it is or holds it, when something it writes goes into the values or conditions that
the act comes from, or when it leaves what is still to come.
"""

from collections.abc import Callable, Iterable, Mapping
from itertools import accumulate

from sycllint.kernel.outline import Act, Kind, Outline, Stretch, Token

_LEAVING = (Kind.RETURN, Kind.BREAK, Kind.CONTINUE)


def bearing(outlines: Mapping[int, Outline], asked: Callable[[Outline], Iterable[Act]]) -> frozenset[int]:
    """The identities of the statements that bear on the acts that are asked for; outlines by that of their function."""
    found: set[int] = set()
    needed, reached = _needed(outlines, asked)
    for one in outlines.values():
        found |= one.handles
        if id(one) in reached:
            found.update(_holding(one, needed))
    return frozenset(found)


def _needed(outlines: Mapping[int, Outline], asked: Callable[[Outline], Iterable[Act]]) -> tuple[set[int], set[int]]:
    """The acts that those come from: what flows into them, and the calls that lead to those; and the outlines of these.

    Both by identity.
    """
    every = list(outlines.values())
    writers: dict[Token, list[Outline]] = {}
    for one in every:
        for token in one.shared:
            writers.setdefault(token, []).append(one)
    needed: set[int] = set()
    reached: set[int] = set()
    followed: set[Token] = set()
    waiting = [(one, [*one.unseen, *asked(one)]) for one in every]
    while waiting:
        one, acts = waiting.pop()
        if acts and id(one) not in reached:
            reached.add(id(one))
            waiting += [(each, each.calling[one.name]) for each in every if one.name in each.calling]
        for act in acts:
            if id(act) in needed:
                continue
            needed.add(id(act))
            for token in act.sources - followed:
                followed.add(token)
                if token in one.writing:
                    waiting.append((one, one.writing[token]))
                if token in writers:
                    waiting += [(each, each.writing[token]) for each in writers[token] if each is not one]
    return needed, reached


def _holding(one: Outline, needed: set[int]) -> Iterable[int]:
    """The statements of one function with needed acts, or with jumps over such."""
    own = [id(act) in needed for act in one.acts]
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
