"""What is tried for numbers that are not known: those given to a kernel, and the iterations of its loops.

A number that indices only add, subtract and multiply is left open there: two work-items meet for whatever it may be,
or not at all. Others are tried with a few numbers, in all of which the work-items must meet. What decides whether an
access happens is tried until it does. Which numbers are tried depends on the order in which the code asks for them,
not on names.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from enum import Enum
from functools import lru_cache

from sycllint.device_code.access_trace.iterations import last_iteration
from sycllint.device_code.access_trace.terms import (
    Atom,
    AtomKind,
    Operation,
    Term,
    atoms,
    varies,
)
from sycllint.device_code.access_trace.trace import LoopHead
from sycllint.device_code.races.sampled_groups import SampledGroup
from sycllint.record import unique

FEW = (0, 1, 2)
"""Iterations of a loop that are tried."""
FAR = (*FEW, 5, 7)
SPREAD = (*FEW, 7, 64)
"""The same where only work-items of different sub-groups can meet: of a loop that doubles, and of one that counts."""
LAST = -1
"""Stands for the last of them."""
FREE = (AtomKind.GIVEN, AtomKind.FRESH)
_SIZES = tuple(
    tuple(Atom(kind, dimension) for kind in (AtomKind.LOCAL_RANGE, AtomKind.GROUP, AtomKind.GROUP_RANGE))
    for dimension in range(3)
)
_WIDTH = Atom(AtomKind.WIDTH)
_NUMBERS = ((2, 1), (5, 3), (4099, 5003))
"""The first number tried in an index, and how far the next is: narrow strides, and such as are wider than any group."""
_ORDERS = 3
"""Where there are two such numbers: the next is greater, less, or the same."""
_HALVED = (8, 16, 32)
"""Powers of two no larger than a group, tried where a loop halves or doubles, and for the size of a mask."""
_EXPONENTS = (4, 6, 8)
_SMALL, _APART = 3, 13
_LARGE = 1_000_003
_STEP = 1009
_TURNS = 5
"""More than the iterations of a loop that are tried."""
_SUMS = frozenset("+-*")
_PRIME = 2**127 - 1
_ROOT = 0x5851F42D4C957F2D14057B7EF767814F
"""Its powers modulo the prime have no sums and products in common that any program writes."""
_WIDE = 8
_MODES = ((0, 0), (0, 1), (1, 0), (2, 0), (3, 1), (4, 0), (5, 0), (6, 0), (7, 1), (_WIDE, 0), (9, 0))
"""What is tried for numbers that conditions ask for, each with an id of the group."""


class How(Enum):
    """How indices use a number that is not known, and so what stands for it in a trial."""

    SUMMED = 0
    """They only add, subtract and multiply it: it is left open."""
    BENT = 1
    """They divide, mask or compare it."""
    HALVED = 2
    """It is a power of two: a loop halves or doubles it, or it is used as a mask."""
    SHIFTING = 3
    """Something is shifted by it, in conditions too: powers of two are what is tried."""


@unique
class Free:
    """Numbers that are not known, in indices and in the conditions on them."""

    places: Mapping[Atom, int]
    """In the order in which the code asks for them."""
    how: Mapping[Atom, How]
    """Of those that more than conditions ask for."""

    @classmethod
    def of(cls, indices: tuple[Term, ...], conditions: tuple[Term, ...]) -> Free:
        """The free numbers of some indices, and of what decides about them."""
        places = _places((*indices, *conditions))
        if not places:
            return NOTHING
        how = {each: How.SUMMED for term in indices for each in atoms(term) if each.kind in FREE}
        how |= {each: How.BENT for term in indices for each in _bent(term)}
        how |= {each: How.HALVED for term in indices for each in _halved(term)}
        how |= {each: How.SHIFTING for term in (*indices, *conditions) for each in _shifting(term)}
        return cls(places, how)

    def __or__(self, other: Free) -> Free:
        if not other.places or self is other:
            return self
        how = {**other.how, **self.how}
        for each, way in other.how.items():
            if way.value > how[each].value:
                how[each] = way
        return Free({each: place for place, each in enumerate({**self.places, **other.places})}, how)

    @property
    def rounds(self) -> int:
        """How often numbers in indices are tried: once where all are left open."""
        ways = [*self.how.values()]
        if ways.count(How.BENT) > 1:
            return _ORDERS * len(_NUMBERS)
        return 1 if ways.count(How.SUMMED) == len(ways) else len(_NUMBERS)


def _places(terms: Iterable[Term]) -> dict[Atom, int]:
    found = dict.fromkeys(each for term in terms for each in _in_order(term))
    return {each: place for place, each in enumerate(found)}


def _in_order(term: Term) -> Iterator[Atom]:
    if isinstance(term, Atom):
        if term.kind in FREE:
            yield term
    elif isinstance(term, Operation) and any(each.kind in FREE for each in term.atoms):
        for operand in term.operands:
            yield from _in_order(operand)


def _bent(term: Term) -> Iterator[Atom]:
    if not isinstance(term, Operation):
        return
    if term.operator not in _SUMS:
        yield from (each for each in term.atoms if each.kind in FREE)
        return
    for each in term.operands:
        yield from _bent(each)


def _halved(term: Term) -> Iterator[Atom]:
    if isinstance(term, Operation):
        if term.operator in (">>", "<<", "/", "*"):
            start, by = term.operands
            if any(each.kind is AtomKind.COUNTER for each in atoms(by)) and (term.operator != "*" or _doubles(by)):
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


def _doubles(term: Term) -> bool:
    return isinstance(term, Operation) and (term.operator in ("power", "<<") or any(map(_doubles, term.operands)))


def _shifting(term: Term) -> Iterator[Atom]:
    if not isinstance(term, Operation) or not any(each.kind in FREE for each in term.atoms):
        return
    if term.operator in ("<<", ">>") and isinstance(term.operands[1], Atom) and term.operands[1].kind in FREE:
        yield term.operands[1]
    for each in term.operands:
        yield from _shifting(each)


NOTHING = Free({}, {})


class Valuation(dict[Atom, int]):
    """What atoms are in one trial, as far as conditions ask; those not fixed are made from the places they have."""

    def __init__(self, fixed: Mapping[Atom, int], free: Free, round_: int, mode: int) -> None:
        super().__init__(fixed)
        self.free = free
        self._round = round_
        self._mode = mode

    def turn(self, atom: Atom) -> int:
        """In which iteration of the loops around it a number is read; 0 for all that are read once."""
        turn = 0
        if atom.kind is AtomKind.FRESH and isinstance(atom.key, tuple):
            for counter in atom.key[1]:
                turn = turn * _TURNS + self.get(counter, 0)
        return turn

    def __missing__(self, atom: Atom) -> int:
        if atom.kind is AtomKind.DATA:
            return 0
        order, size = divmod(self._round, len(_NUMBERS))
        place, turn = self.free.places.get(atom, 0), self.turn(atom)
        match self.free.how.get(atom):
            case How.SHIFTING:
                return _EXPONENTS[size]
            case How.HALVED:
                return _HALVED[size]
            case How.BENT:
                first, distance = _NUMBERS[size]
                return first + distance * (place, self._backwards(place), 0)[order] + (size + 1) * turn
            case How.SUMMED:
                first, distance = _NUMBERS[-1 if self._mode == _WIDE else 0]
                return first + distance * place + turn
            case _:
                return self._condition(atom, place, turn)

    def _backwards(self, place: int) -> int:
        return len(self.free.places) - 1 - place

    def _condition(self, atom: Atom, place: int, turn: int) -> int:
        """A number that only conditions ask for."""
        match self._mode:
            case 0 | 8:
                return _LARGE + _STEP * place + turn
            case 1 | 2:
                return 2 - self._mode
            case 5 if atom.kind is AtomKind.FRESH and isinstance(atom.key, tuple):
                # Of two bounds that are read, the second is the end: `rows[i]` and `rows[i + 1]`.
                return _LARGE + 4099 * int(atom.key[0])
            case 4 | 9 if atom.kind is AtomKind.GIVEN:
                # What is read is often below what the kernel was given: `while (next < count)`, or says what to do.
                return _LARGE
            case 9:
                return 0
            case 6:
                return _LARGE + _STEP * self._backwards(place) + turn
            case 7:
                return _SMALL + _APART * self._backwards(place) + turn
            case _:
                return _SMALL + _APART * place + turn


class IndexValuation(dict[Atom, int]):
    """What atoms are in an index: as in ``numbers``, but for those left open, which are unlike everything else."""

    def __init__(self, numbers: Valuation) -> None:
        super().__init__()
        self._numbers = numbers

    def __missing__(self, atom: Atom) -> int:
        free = self._numbers.free
        if free.how.get(atom) is How.SUMMED:
            return _unlike(free.places[atom], self._numbers.turn(atom))
        return self._numbers[atom]


@lru_cache(maxsize=1024)
def _unlike(place: int, turn: int) -> int:
    return pow(_ROOT, 1 + place + 1024 * turn, _PRIME)


def modes_of(free: Free, decisive: frozenset[Atom], *, grouped: bool) -> Iterable[tuple[int, int]]:
    """What to try for the ``decisive`` numbers, and for the group's own ids; nothing twice."""
    found: dict[tuple[int, ...], tuple[int, int]] = {}
    # Where there are none, the first two differ in the group alone.
    for mode, group in _MODES if decisive else _MODES[:2]:
        tried = Valuation({}, free, 0, mode)
        found.setdefault((group if grouped else 0, *[tried[each] for each in decisive]), (mode, group))
    return found.values()


def numbers_in(sample: SampledGroup, group: int, free: Free, round_: int, mode: int) -> Valuation:
    """The numbers of one trial: what the group's shape fixes, and a guess for everything else."""
    fixed: dict[Atom, int] = {_WIDTH: sample.width}
    for extent, (local_range, own_group, groups) in zip(sample.local, _SIZES, strict=False):
        fixed[local_range] = extent
        fixed[own_group] = group
        fixed[groups] = _LARGE
    return Valuation(fixed, free, round_, mode)


def farthest(head: LoopHead) -> int | None:
    """The last iteration of a loop that the collision solver tries; ``None`` when that is not known."""
    condition = head.condition
    if condition is not None and atoms(condition) - {head.counter}:
        return None if not varies(condition) else FEW[-1]
    return max(FEW[-1], last_iteration(head, {}))
