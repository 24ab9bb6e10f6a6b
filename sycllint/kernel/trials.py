"""What is tried for numbers that are not known: those given to a kernel, and the iterations of its loops."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING
from zlib import crc32

from sycllint.kernel.terms import Atom, Kind, Operation, Term, UndefinedError, atoms, evaluate, slope, varies
from sycllint.kernel.trace import LoopHead
from sycllint.record import record

if TYPE_CHECKING:
    from sycllint.kernel.worlds import World

FEW = (0, 1, 2)
"""Iterations of a loop that are tried."""
LAST = -1
"""Stands for the last of them."""
MAX_ITERATIONS = 128
"""How far the last iteration of a loop is looked for."""
FREE = (Kind.GIVEN, Kind.FRESH)
_SIZES = tuple(
    tuple(Atom(kind, dimension) for kind in (Kind.LOCAL_RANGE, Kind.GROUP, Kind.GROUP_RANGE)) for dimension in range(3)
)
_WIDTH = Atom(Kind.WIDTH)
NUMBERS = ((2, 3), (5, 7), (4099, 1009))
"""Least value and spread of the numbers tried in an index: narrow strides, and strides wider than any group."""
_HALVED = (8, 16, 32)
"""Powers of two no larger than a group, tried where a loop halves or doubles, and for the size of a mask."""
_EXPONENTS = (4, 6, 8)
_LARGE = 1_000_003


# --------------------------------------------------------------------- numbers


@record
class Free:
    """Numbers in indices that are not known."""

    all: frozenset[Atom]
    halved: frozenset[Atom]
    """Those that are powers of two: a loop halves or doubles them, or they are used as a mask."""
    shifted: frozenset[Atom] = frozenset()
    """Those by which something is shifted, in conditions too: powers of two are what is tried."""

    @classmethod
    def of(cls, indices: Iterable[Term], conditions: Iterable[Term] = ()) -> Free:
        """The free numbers of some indices, and exponents in what decides about them."""
        terms = tuple(indices)
        every = frozenset(each for term in terms for each in atoms(term) if each.kind in FREE)
        halved = frozenset(each for term in terms for each in _halved(term)) if every else every
        shifted = frozenset(each for term in (*terms, *conditions) for each in _shifted(term))
        return cls(every, halved, shifted)

    def __or__(self, other: Free) -> Free:
        return Free(self.all | other.all, self.halved | other.halved, self.shifted | other.shifted)


NOTHING = Free(frozenset(), frozenset())


def _halved(term: Term) -> Iterator[Atom]:
    if isinstance(term, Operation):
        if term.operator in (">>", "<<", "/", "*"):
            start, by = term.operands
            if any(each.kind is Kind.COUNTER for each in atoms(by)):
                yield from (each for each in atoms(start) if each.kind in FREE)
        if term.operator == "&":
            # `id & (size - 1)` is written where the size is a power of two.
            for each in term.operands:
                match each:
                    case (
                        Operation(operator="-", operands=(Atom() as size, 1))
                        | Operation(operator="+", operands=(Atom() as size, -1) | (-1, Atom() as size))
                    ) if size.kind in FREE:
                        yield size
        for each in term.operands:
            yield from _halved(each)


def _shifted(term: Term) -> Iterator[Atom]:
    if not isinstance(term, Operation) or not any(each.kind in FREE for each in term.atoms):
        return
    if term.operator in ("<<", ">>") and isinstance(term.operands[1], Atom) and term.operands[1].kind in FREE:
        yield term.operands[1]
    for each in term.operands:
        yield from _shifted(each)


class Numbers(dict[Atom, int]):
    """What atoms are in one trial; those not fixed are made from their keys."""

    def __init__(self, fixed: Mapping[Atom, int], free: Free, round_: int, mode: int) -> None:
        super().__init__(fixed)
        self._free = free
        self._round = round_
        self._mode = mode

    def __missing__(self, atom: Atom) -> int:
        key = atom.key
        if atom.kind is Kind.FRESH and isinstance(key, tuple):
            key = (key[0], tuple(self.get(each, 0) for each in key[1]))
        if atom.kind is Kind.DATA:
            return 0
        mixed = _mixed(key)
        if atom in self._free.shifted:
            return _EXPONENTS[self._round]
        if atom in self._free.halved:
            return _HALVED[self._round]
        if atom in self._free.all:
            least, spread = NUMBERS[self._round]
            return least + mixed % spread
        match self._mode:
            case 0:
                return _LARGE + mixed % 1009
            case 1 | 2:
                return 2 - self._mode
            case 5 if atom.kind is Kind.FRESH and isinstance(key, tuple):
                # Of two bounds that are read, the second is the end: `rows[i]` and `rows[i + 1]`.
                return _LARGE + 4099 * int(key[0])
            case 4 if atom.kind is Kind.GIVEN:
                # What is read is often below what the kernel was given: `while (next < count)`.
                return _LARGE
            case _:
                return mixed % 5


@lru_cache(maxsize=4096)
def _mixed(key: object) -> int:
    # Of a name and where it stands in its file, `n@path:7`: where that file lies must not decide what is found.
    name, _, where = key.partition("@") if isinstance(key, str) else ("", "", "")
    return crc32((f"{name}@{where.rpartition(':')[2]}" if where else repr(key)).encode())


def numbers_in(world: World, group: int, free: Free, round_: int, mode: int) -> Numbers:
    """The numbers of one trial: what the group's shape fixes, and a guess for everything else."""
    fixed: dict[Atom, int] = {_WIDTH: world.width}
    for extent, (local_range, own_group, groups) in zip(world.local, _SIZES, strict=False):
        fixed[local_range] = extent
        fixed[own_group] = group
        fixed[groups] = _LARGE
    return Numbers(fixed, free, round_, mode)


# ------------------------------------------------------------------ iterations


def counters(inside: frozenset[Atom]) -> frozenset[object]:
    """The counters that matter: those in terms, and those of the loops in which a number is read anew."""
    found: set[object] = set()
    for each in inside:
        if each.kind is Kind.COUNTER:
            found.add(each)
        elif each.kind is Kind.FRESH and isinstance(each.key, tuple):
            found.update(each.key[1])
    return frozenset(found)


def farthest(head: LoopHead) -> int | None:
    """The greatest iteration of a loop that ``Lanes.elements`` tries; ``None`` when that hangs on something else."""
    condition = head.condition
    if condition is not None and atoms(condition) - {head.counter}:
        return None if not varies(condition) else FEW[-1]
    return max(FEW[-1], last_iteration(head, {}))


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
