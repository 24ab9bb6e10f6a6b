"""Two accesses by two work-items of one group: whether they meet at one element, tried on sampled work-items.

A meeting that is found is a real one for the numbers it was found with. Numbers of the launch that are not known are
sampled too: those in an index several times, and the accesses must meet each time; those that only decide whether an
access happens until it does.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice, product
from typing import TYPE_CHECKING, NamedTuple
from zlib import crc32

from sycllint.kernel.terms import Atom, Kind, Operation, Term, UndefinedError, atoms, evaluate, settled, varies
from sycllint.kernel.trace import Access, Guard, LoopHead, Scope
from sycllint.record import field, mutable, record, replace
from sycllint.values.value import Known, OneOf, Value

if TYPE_CHECKING:
    from sycllint.kernel.analyses import Geometry

Lane = tuple[int, ...]
Offsets = Mapping[LoopHead, int]

_FEW = (0, 1, 2)
"""Iterations of a loop that are tried."""
MAX_ITERATIONS = 128
"""How far the last iteration of a loop is looked for."""
MAX_COMBINATIONS = 27
MAX_MEETING = 4
"""Work-items remembered at one element."""
MAX_TRIALS = 40_000
_LAST = -1
_IDS = tuple(Atom(Kind.LOCAL, dimension) for dimension in range(3))
_NUMBERS = ((2, 3), (5, 7), (4099, 1009))
"""Least value and spread of the numbers tried in an index: narrow strides, and strides wider than any group."""
_HALVED = (8, 16, 32)
"""Powers of two no larger than a group, tried where a loop halves or doubles, and for the size of a mask."""
_LARGE = 1_000_003
_FREE = (Kind.GIVEN, Kind.FRESH)
_WIDEST = 64
"""No device has wider sub-groups (AMD GCN and CDNA: wave64)."""


@record
class World:
    """One group: its shape, the width of its sub-groups, and the work-items that are tried."""

    local: tuple[int, ...]
    width: int
    lanes: tuple[Lane, ...]

    def sub_group(self, lane: Lane, width: int) -> int:
        """The sub-group of a work-item: consecutive linear ids share one."""
        linear = 0
        for each, extent in zip(lane, self.local, strict=True):
            linear = linear * extent + each
        return linear // width


@record
class Visit:
    """An access in a pass over the loops around it; ``offsets`` tells the later of two passes from the first."""

    access: Access
    offsets: tuple[tuple[LoopHead, int], ...]

    def offset(self, head: LoopHead) -> int:
        """How many passes over ``head`` came before."""
        return next((number for each, number in self.offsets if each is head), 0)


@record
class Meeting:
    """Two work-items that meet, in a group of a shape that was known or tried."""

    first: Lane
    second: Lane
    proved: bool
    """No number had to be tried."""


@record
class Free:
    """Numbers in indices that are not known."""

    all: frozenset[Atom]
    halved: frozenset[Atom]
    """Those that are powers of two: a loop halves or doubles them, or they are used as a mask."""

    @classmethod
    def of(cls, indices: Iterable[Term]) -> Free:
        """The free numbers of some indices."""
        terms = tuple(indices)
        every = frozenset(each for term in terms for each in atoms(term) if each.kind in _FREE)
        return cls(every, frozenset(each for term in terms for each in _halved(term)))


_NOTHING = Free(frozenset(), frozenset())


def _halved(term: Term) -> Iterator[Atom]:
    if isinstance(term, Operation):
        if term.operator in (">>", "<<", "/", "*"):
            start, by = term.operands
            if any(each.kind is Kind.COUNTER for each in atoms(by)):
                yield from (each for each in atoms(start) if each.kind in _FREE)
        if term.operator == "&":
            # `id & (size - 1)` is written where the size is a power of two.
            for each in term.operands:
                match each:
                    case (
                        Operation(operator="-", operands=(Atom() as size, 1))
                        | Operation(operator="+", operands=(Atom() as size, -1) | (-1, Atom() as size))
                    ) if size.kind in _FREE:
                        yield size
        for each in term.operands:
            yield from _halved(each)


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
        # Of a name and where it stands in its file, `n@path:7`: where that file lies must not decide what is found.
        name, _, where = key.partition("@") if isinstance(key, str) else ("", "", "")
        mixed = crc32((f"{name}@{where.rpartition(':')[2]}" if where else repr(key)).encode())
        if atom in self._free.halved:
            return _HALVED[self._round]
        if atom in self._free.all:
            least, spread = _NUMBERS[self._round]
            return least + mixed % spread
        match self._mode:
            case 0:
                return _LARGE + mixed % 1009
            case 1 | 2:
                return 2 - self._mode
            case 4 if atom.kind is Kind.GIVEN:
                # What is read is often below what the kernel was given: `while (next < count)`.
                return _LARGE
            case _:
                return mixed % 5


class _Side(NamedTuple):
    """One of two accesses, and the iterations that are tried of the loops it is in by itself."""

    visit: Visit
    choices: tuple[tuple[LoopHead, tuple[int, ...]], ...]


@mutable
class Lanes:
    """Trials for one launch."""

    worlds: tuple[World, ...]
    certain: bool
    """The shape of the group is known."""
    width_known: bool
    budget: int = MAX_TRIALS
    """Single work-items that may still be tried."""
    _seen: dict[object, Meeting | None] = field(default_factory=dict)

    def meeting(self, first: Visit, second: Visit, *, far: bool = False) -> Meeting | None:
        """Two different work-items of which one makes ``first`` and one ``second`` at the same element.

        ``first`` comes before ``second``. With ``far`` they must be in different sub-groups.
        """
        a, b = first.access, second.access
        if len(a.indices) != len(b.indices) or not a.sure or not b.sure or _exclusive(a.guards, b.guards):
            return None
        key = (a, b, tuple(first.offset(each) for each in a.loops), tuple(second.offset(each) for each in b.loops), far)
        if key not in self._seen:
            self._seen[key] = self._met_in(first, second, far=far)
        return self._seen[key]

    def _met_in(self, first: Visit, second: Visit, *, far: bool) -> Meeting | None:
        """In a loop with a barrier of the sub-group only its own work-items are in the same iteration."""
        a, b = first.access, second.access
        both = [each for each in a.loops if each in b.loops and each.synchronises is not None]
        group = [each for each in both if each.synchronises is Scope.WORK_GROUP]
        met = self._met(first, second, both, far=far)
        if met is None and len(group) < len(both):
            met = self._met(first, second, group, far=True)
        return met

    def _met(self, first: Visit, second: Visit, shared: list[LoopHead], *, far: bool) -> Meeting | None:
        a, b = first.access, second.access
        written = [each for each in (*a.indices, *b.indices) if each is not None]
        asked = [guard.term for guard in (*a.guards, *b.guards) if guard.term is not None]
        inside = frozenset().union(*map(atoms, written), *map(atoms, asked))
        counted = _counted(inside)
        free = Free.of(written)
        sides = (
            _Side(first, _choices(first, b, shared, counted, earlier=True)),
            _Side(second, _choices(second, a, shared, counted, earlier=False)),
        )
        common = [(head, _FEW if head.counter in counted else (0,)) for head in shared]
        modes = _modes(inside, free)
        found: Meeting | None = None
        for world in self.worlds:
            for round_ in range(len(_NUMBERS) if free.all else 1):
                trials = (
                    (_numbers(world, group, free, round_, mode), dict(zip(shared, iterations, strict=True)))
                    for mode, group in modes
                    for iterations in islice(product(*(each for _, each in common)), MAX_COMBINATIONS)
                )
                met = next((one for each in trials if (one := self._at(world, *each, sides, far=far))), None)
                if met is None:
                    return None
                found = found or Meeting(*met, proved=self._proved(inside, a, b, far=far))
        return found

    def _proved(self, inside: frozenset[Atom], a: Access, b: Access, *, far: bool) -> bool:
        kinds = {each.kind for each in inside}
        doubts = any(guard.doubt is not None for guard in (*a.guards, *b.guards))
        given = kinds & {Kind.GIVEN, Kind.FRESH, Kind.GROUP_RANGE}
        width = Kind.WIDTH not in kinds and (not far or self.width_known)
        return self.certain and not given and not doubts and width

    def _at(
        self,
        world: World,
        numbers: Numbers,
        common: Mapping[LoopHead, int],
        sides: tuple[_Side, _Side],
        *,
        far: bool,
    ) -> tuple[Lane, Lane] | None:
        """A meeting under one choice of numbers."""
        if self.budget <= 0:
            return None
        width = world.width if self.width_known else _WIDEST
        places: dict[tuple[int, ...], list[Lane]] = {}
        for lane, element in self._elements(world, numbers, sides[0], common):
            known = places.setdefault(element, [])
            if len(known) < MAX_MEETING and lane not in known:
                known.append(lane)
        if not places:
            return None
        for lane, element in self._elements(world, numbers, sides[1], common):
            for other in places.get(element, ()):
                if other != lane and (not far or world.sub_group(other, width) != world.sub_group(lane, width)):
                    return other, lane
        return None

    def _elements(
        self, world: World, numbers: Numbers, side: _Side, common: Mapping[LoopHead, int]
    ) -> Iterator[tuple[Lane, tuple[int, ...]]]:
        """The elements that one side accesses, for each work-item that gets there."""
        access = side.visit.access
        for head, iteration in common.items():
            numbers[head.counter] = iteration + side.visit.offset(head)
        guards = [each.term for each in access.guards if each.term is not None]
        indices = [each for each in access.indices if each is not None]
        for iterations in islice(product(*(each for _, each in side.choices)), MAX_COMBINATIONS):
            for (head, _), iteration in zip(side.choices, iterations, strict=True):
                numbers[head.counter] = iteration if iteration >= 0 else _last(head, numbers)
            plain = _settled(guards, indices, numbers)
            if plain is None:
                continue
            conditions, places = plain
            self.budget -= len(world.lanes)
            for lane in world.lanes:
                for dimension, each in enumerate(lane):
                    numbers[_IDS[dimension]] = each
                element = _element(places, conditions, numbers)
                if element is not None:
                    yield lane, element

    def elements(
        self, access: Access, world: World, groups: tuple[int, ...] | None = None
    ) -> Iterator[tuple[Lane, tuple[int, ...]]]:
        """Which work-items access which elements, in the first iterations and the last of the loops around."""
        numbers = _numbers(world, 0, _NOTHING, 2, 0)
        for dimension, group in enumerate(groups or ()):
            numbers[Atom(Kind.GROUP, dimension)] = group
        choices = tuple((head, (*_FEW, _LAST)) for head in access.loops)
        yield from self._elements(world, numbers, _Side(Visit(access, ()), choices), {})

    def indices(self, access: Access, world: World) -> Iterator[tuple[Lane, tuple[int, ...]]]:
        """The element that each work-item would access, whatever the conditions."""
        yield from self.elements(replace(access, guards=(), loops=()), world)


def _numbers(world: World, group: int, free: Free, round_: int, mode: int) -> Numbers:
    fixed: dict[Atom, int] = {Atom(Kind.WIDTH): world.width}
    for dimension, extent in enumerate(world.local):
        fixed[Atom(Kind.LOCAL_RANGE, dimension)] = extent
        fixed[Atom(Kind.GROUP, dimension)] = group
        fixed[Atom(Kind.GROUP_RANGE, dimension)] = _LARGE
    return Numbers(fixed, free, round_, mode)


def _counted(inside: frozenset[Atom]) -> frozenset[object]:
    """The counters that matter: those in terms, and those of the loops in which a number is read anew."""
    found: set[object] = set()
    for each in inside:
        if each.kind is Kind.COUNTER:
            found.add(each)
        elif each.kind is Kind.FRESH and isinstance(each.key, tuple):
            found.update(each.key[1])
    return frozenset(found)


def _choices(
    visit: Visit, other: Access, shared: list[LoopHead], counted: frozenset[object], *, earlier: bool
) -> tuple[tuple[LoopHead, tuple[int, ...]], ...]:
    """The iterations to try of each loop that only this side is in, or that does not keep both sides together."""
    choices: list[tuple[LoopHead, tuple[int, ...]]] = []
    for head in visit.access.loops:
        if head in shared:
            continue
        if head.counter not in counted:
            choices.append((head, (0,)))
        elif head.synchronises is not None and head not in other.loops:
            # The other side stands behind the loop, or before it: this is the last iteration, or the first.
            choices.append((head, (_LAST,) if earlier else (visit.offset(head),)))
        else:
            choices.append((head, _FEW))
    return tuple(choices)


def _modes(inside: frozenset[Atom], free: Free) -> tuple[tuple[int, int], ...]:
    """What to try for numbers that only conditions ask for, and for the group's own ids."""
    if any(each.kind in _FREE and each not in free.all for each in inside):
        return ((0, 0), (0, 1), (1, 0), (2, 0), (3, 1), (4, 0))
    return ((0, 0), (0, 1)) if any(each.kind is Kind.GROUP for each in inside) else ((0, 0),)


def _settled(guards: list[Term], indices: list[Term], numbers: Numbers) -> tuple[list[Term], list[Term]] | None:
    """Conditions that work-items differ in, and indices, all else in place; ``None`` when none gets there."""
    conditions: list[Term] = []
    try:
        for guard in guards:
            plain = settled(guard, numbers)
            if isinstance(plain, int):
                if not plain:
                    return None
            else:
                conditions.append(plain)
        return conditions, [settled(index, numbers) for index in indices]
    except (UndefinedError, KeyError):
        return None


def _element(indices: list[Term], guards: list[Term], numbers: Numbers) -> tuple[int, ...] | None:
    try:
        for guard in guards:
            if not evaluate(guard, numbers):
                return None
        return tuple([evaluate(index, numbers) for index in indices])
    except (UndefinedError, KeyError):
        return None


def _last(head: LoopHead, numbers: Numbers) -> int:
    """The last iteration of a loop whose condition is known and the same for all work-items; else its second."""
    condition = head.condition
    if condition is None or isinstance(condition, int) or varies(condition):
        return 1
    for iteration in range(MAX_ITERATIONS):
        numbers[head.counter] = iteration
        try:
            if not evaluate(condition, numbers):
                return max(iteration - 1, 0)
        except (UndefinedError, KeyError):
            return 1
    return 1


def _exclusive(first: tuple[Guard, ...], second: tuple[Guard, ...]) -> bool:
    """Whether one of two unknown conditions decides that only one of them happens."""
    sides = {id(each.doubt): each.positive for each in first if each.doubt is not None}
    return any(each.doubt is not None and sides.get(id(each.doubt), each.positive) != each.positive for each in second)


# ------------------------------------------------------------------ worlds


def lanes_of(geometry: Geometry, accesses: Iterable[Access]) -> Lanes | None:
    """Trials for a launch; ``None`` when its groups are one work-item, or have no shape."""
    local = geometry.local
    if local is None or not geometry.dims or len(local) != geometry.dims:
        return None
    used = _used(accesses)
    shapes = [_extents(local, used, position) for position in (0, 1)]
    width = geometry.sub_group_size.value if isinstance(geometry.sub_group_size, Known) else None
    worlds: list[World] = []
    for position, shape in enumerate(dict.fromkeys(shapes)):
        items = 1
        for extent in shape:
            items *= extent
        if items < 2:
            return None
        worlds.append(World(shape, width or (16, 32)[position], _lanes(shape)))
    if width is None and len(worlds) == 1:
        worlds.append(World(worlds[0].local, 32, worlds[0].lanes))
    certain = all(isinstance(each, Known) for each in local)
    return Lanes(tuple(worlds), certain, width is not None)


def _used(accesses: Iterable[Access]) -> frozenset[object]:
    """The dimensions whose ids or extents the kernel uses."""
    terms = (
        term
        for access in accesses
        for term in (*access.indices, *(guard.term for guard in access.guards))
        if term is not None
    )
    return frozenset(each.key for term in terms for each in atoms(term) if each.kind in (Kind.LOCAL, Kind.LOCAL_RANGE))


def _extents(local: tuple[Value, ...], used: frozenset[object], position: int) -> tuple[int, ...]:
    """A shape to try: a small one or a large one where extents are unknown."""
    unknown = [index for index, each in enumerate(local) if not isinstance(each, Known) and index in used]
    sizes = (16, 256) if len(unknown) <= 1 else (4, 16) if len(unknown) == 2 else (2, 4)
    shape: list[int] = []
    for index, each in enumerate(local):
        match each:
            case Known(value=number):
                shape.append(max(number, 1))
            case OneOf(values=values, open=False):
                shape.append(max((values[0], values[-1])[position].value, 1))
            case _:
                shape.append(sizes[position] if index in used else 1)
    return tuple(shape)


def _lanes(shape: tuple[int, ...]) -> tuple[Lane, ...]:
    wide = sum(extent > 1 for extent in shape)
    return tuple(product(*(_ids(extent, wide) for extent in shape)))


def _ids(extent: int, wide: int) -> list[int]:
    """Ids of one dimension that are tried: the first, the last, those around powers of two."""
    half = extent // 2
    if wide <= 1:
        some = [0, 1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, half - 1, half, half + 1]
    elif wide == 2:
        some = [0, 1, 2, 3, half]
    else:
        some = [0, 1, half]
    some += [extent - 2, extent - 1]
    return sorted({each for each in some if 0 <= each < extent})
