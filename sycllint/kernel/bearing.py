"""Which statements of a kernel, and of what it calls, bear on some of its acts: all others need not be walked.

A statement bears on an act when it is or holds it, when something it writes goes into the values or conditions that
the act comes from, or when it leaves what is still to come.
"""

from collections.abc import Callable, Iterable, Mapping
from itertools import accumulate

from sycllint.kernel.outline import Kind, Outline, Stretch, Token

_LEAVING = (Kind.RETURN, Kind.BREAK, Kind.CONTINUE)


def bearing(outlines: Mapping[int, Outline], asked: Callable[[Outline], Iterable[int]]) -> frozenset[int]:
    """The identities of the statements that bear on the acts that are asked for; outlines by that of their function."""
    found: set[int] = set()
    needed = _needed(outlines, asked)
    for key, one in outlines.items():
        found |= one.handles
        if needed[key]:
            found.update(_holding(one, needed[key]))
    return frozenset(found)


def _needed(outlines: Mapping[int, Outline], asked: Callable[[Outline], Iterable[int]]) -> dict[int, set[int]]:
    """For each function the acts that those come from: what flows into them, and the calls that lead to those."""
    writers: dict[Token, list[int]] = {}
    callers: dict[str, list[int]] = {}
    for key, one in outlines.items():
        for token in one.written:
            writers.setdefault(token, []).append(key)
        for name in one.calling:
            callers.setdefault(name, []).append(key)
    needed = {key: {*one.leaps, *asked(one)} for key, one in outlines.items()}
    wanted = dict.fromkeys(outlines, 0)
    followed: set[Token] = set()
    reached: set[int] = set()
    waiting = {key for key, acts in needed.items() if acts}
    while waiting:
        key = waiting.pop()
        one = outlines[key]
        wanted[key] = one.roots(needed[key], wanted[key])
        if needed[key] and key not in reached:
            reached.add(key)
            for each in callers.get(one.name, ()):
                needed[each].update(outlines[each].calling[one.name])
                waiting.add(each)
        for token in one.known(wanted[key], one.tokens.keys() - followed):
            followed.add(token)
            for each in writers.get(token, ()):
                wanted[each] |= outlines[each].tokens[token]
                waiting.add(each)
    return needed


def _holding(one: Outline, needed: set[int]) -> Iterable[int]:
    """The statements of one function with needed acts, or with jumps over such."""
    own = [act in needed for act in range(len(one.kinds))]
    counts = [0, *accumulate(own)]
    last = max(needed)
    last = max([last, *(each.end for each in one.loops if counts[each.end] > counts[each.start])])
    for position, kind in enumerate(one.kinds):
        if kind in _LEAVING:
            own[position] = _matters(one, kind, position, last, counts)
    held = [0, *accumulate(own)]
    return [statement for statement, start, end in one.stretches if held[end] > held[start]]


def _matters(one: Outline, kind: Kind, position: int, last: int, counts: list[int]) -> bool:
    """Whether a jump leaves anything that is needed."""
    if kind is Kind.RETURN:
        return position < last
    around = [each for each in one.loops if each.start <= position < each.end]
    return any(_needs(each, counts) for each in (around[:1] if kind is Kind.BREAK else around))


def _needs(loop: Stretch, counts: list[int]) -> bool:
    return counts[loop.end] > counts[loop.start]
