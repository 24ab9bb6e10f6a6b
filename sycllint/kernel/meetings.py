"""Two accesses by two work-items of one group: whether they meet at one element, tried on sampled work-items.

A meeting that is found is a real one for the numbers it was found with. Numbers of the launch that are not known are
sampled too: those in an index several times, and the accesses must meet each time; those that only decide whether an
access happens until it does.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import compress, islice, product, repeat
from typing import TYPE_CHECKING
from zlib import crc32

from sycllint.kernel.terms import (
    Atom,
    Column,
    Kind,
    Operation,
    Term,
    UndefinedError,
    along,
    atoms,
    column,
    evaluate,
    every,
    slope,
    varies,
)
from sycllint.kernel.trace import Access, Guard, LoopHead, Scope
from sycllint.record import field, mutable, record, replace, unique
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
_SIZES = tuple(
    tuple(Atom(kind, dimension) for kind in (Kind.LOCAL_RANGE, Kind.GROUP, Kind.GROUP_RANGE)) for dimension in range(3)
)
_WIDTH = Atom(Kind.WIDTH)
_NUMBERS = ((2, 3), (5, 7), (4099, 1009))
"""Least value and spread of the numbers tried in an index: narrow strides, and strides wider than any group."""
_HALVED = (8, 16, 32)
"""Powers of two no larger than a group, tried where a loop halves or doubles, and for the size of a mask."""
_LARGE = 1_000_003
_FREE = (Kind.GIVEN, Kind.FRESH)
_OWN = (Kind.LOCAL, Kind.LOCAL_RANGE, Kind.WIDTH)
_WIDEST = 64
"""No device has wider sub-groups (AMD GCN and CDNA: wave64)."""


@record
class World:
    """One group: its shape, the width of its sub-groups, and the work-items that are tried."""

    local: tuple[int, ...]
    width: int
    lanes: tuple[Lane, ...]
    ids: tuple[tuple[int, ...], ...]
    """The same by dimension."""

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
        return cls(every, frozenset(each for term in terms for each in _halved(term)) if every else every)

    def __or__(self, other: Free) -> Free:
        return Free(self.all | other.all, self.halved | other.halved)


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
        mixed = _mixed(key)
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


@lru_cache(maxsize=4096)
def _mixed(key: object) -> int:
    # Of a name and where it stands in its file, `n@path:7`: where that file lies must not decide what is found.
    name, _, where = key.partition("@") if isinstance(key, str) else ("", "", "")
    return crc32((f"{name}@{where.rpartition(':')[2]}" if where else repr(key)).encode())


@unique
class _Form:
    """Where and when an access happens. Accesses that share one meet the same others."""

    indices: tuple[Term, ...]
    guards: tuple[Term, ...]
    loops: tuple[LoopHead, ...]
    doubtful: bool
    """A condition is not known."""
    atoms: frozenset[Atom]
    counted: frozenset[object]
    free: Free
    chosen: tuple[Term, ...]
    """The guards that choose work-items by their local ids alone."""

    @classmethod
    def of(cls, access: Access) -> _Form:
        """That of an access whose indices are known."""
        indices = tuple([each for each in access.indices if each is not None])
        guards = tuple([each.term for each in access.guards if each.term is not None])
        inside = frozenset().union(*map(atoms, indices), *map(atoms, guards))
        doubtful = any(each.doubt is not None for each in access.guards)
        chosen = tuple([each for each in guards if varies(each) and all(one.kind in _OWN for one in atoms(each))])
        return cls(indices, guards, access.loops, doubtful, inside, _counted(inside), Free.of(indices), chosen)


Choices = tuple[tuple[LoopHead, tuple[int, ...]], ...]
"""The iterations to try of some loops."""
Elements = Sequence[tuple[Lane, tuple[int, ...]]]
"""Which work-items access which elements."""


@unique
class _Trial:
    """One choice of numbers, and of iterations of the loops that both sides are in."""

    world: World
    group: int
    free: Free
    round: int
    mode: int
    common: Mapping[LoopHead, int]


@unique
class _Side:
    """One of two accesses, and what of a trial decides which elements it reaches."""

    form: _Form
    offsets: tuple[int, ...]
    """For each of its loops, how many passes came before."""
    choices: Choices
    """For the loops it is in by itself."""
    counters: tuple[tuple[LoopHead, int], ...]
    """The loops whose iterations matter, with their offsets."""
    tried: tuple[frozenset[Atom], frozenset[Atom]] | None
    """The free numbers in it that indices ask for, and those of them that a loop halves."""
    conditional: bool
    """There are others."""
    grouped: bool
    wide: bool
    """The group's id, the width of its sub-groups are asked for."""

    @classmethod
    def of(cls, form: _Form, offsets: tuple[int, ...], choices: Choices, free: Free) -> _Side:
        """With what matters; the condition of a loop does where its last iteration is looked for."""
        last = [head.condition for head, tried in choices if tried == (_LAST,) and head.condition is not None]
        inside = form.atoms.union(*map(atoms, last)) if last else form.atoms
        counted = [
            (head, offset)
            for head, offset in zip(form.loops, offsets, strict=True)
            if head.counter in form.counted or head.counter in inside
        ]
        kinds = {each.kind for each in inside}
        tried = inside & free.all
        return cls(
            form,
            offsets,
            choices,
            tuple(counted),
            (tried, inside & free.halved) if tried else None,
            any(each.kind in _FREE and each not in tried for each in inside),
            Kind.GROUP in kinds,
            Kind.WIDTH in kinds,
        )

    def key(self, trial: _Trial) -> tuple[object, ...]:
        """Trials with the same have the same elements for it."""
        world, common = trial.world, trial.common
        return (
            self.form,
            self.choices,
            self.tried,
            world.local,
            world.width if self.wide else 0,
            trial.group if self.grouped else 0,
            trial.round if self.tried else 0,
            trial.mode if self.conditional else 0,
            *[common[head] + offset if head in common else None for head, offset in self.counters],
        )


class _Reached:
    """The elements that one side accesses in one trial."""

    def __init__(self, elements: Elements) -> None:
        self.elements = elements
        self.lanes: dict[tuple[int, ...], list[Lane]] = {}
        """By element, at most ``MAX_MEETING``."""
        for lane, element in elements:
            known = self.lanes.setdefault(element, [])
            if len(known) < MAX_MEETING and lane not in known:
                known.append(lane)
        self.apart = all(len(each) == 1 for each in self.lanes.values())
        """No two work-items access the same."""


@mutable
class Lanes:
    """Trials for one launch."""

    worlds: tuple[World, ...]
    certain: bool
    """The shape of the group is known."""
    width_known: bool
    budget: int = MAX_TRIALS
    """Single work-items that may still be tried."""
    _forms: dict[Access, _Form] = field(default_factory=dict)
    _alike: dict[tuple[object, ...], _Form] = field(default_factory=dict)
    _met_before: dict[tuple[object, ...], Meeting | None] = field(default_factory=dict)
    _reached: dict[tuple[object, ...], _Reached] = field(default_factory=dict)
    _chosen: dict[tuple[object, ...], Sequence[int]] = field(default_factory=dict)

    def meeting(self, first: Visit, second: Visit, *, far: bool = False) -> Meeting | None:
        """Two different work-items of which one makes ``first`` and one ``second`` at the same element.

        ``first`` comes before ``second``. With ``far`` they must be in different sub-groups.
        """
        a, b = first.access, second.access
        if len(a.indices) != len(b.indices) or not a.sure or not b.sure or _exclusive(a.guards, b.guards):
            return None
        one, other = self._form(a), self._form(b)
        before, after = _passes(first), _passes(second)
        key = (one, other, before, after, far)
        if key not in self._met_before:
            alone = self._is_alone(one, other)
            self._met_before[key] = None if alone else self._met_in((one, before), (other, after), far=far)
        return self._met_before[key]

    def _is_alone(self, one: _Form, other: _Form) -> bool:
        """Whether one and the same work-item makes both accesses, as far as conditions on ids alone tell."""
        if not (one.chosen and other.chosen):
            return False
        for world in self.worlds:
            items = self._items(one, world)
            if len(items) <= 1 and items == self._items(other, world):
                return True
        return False

    def _items(self, form: _Form, world: World) -> Sequence[int]:
        """The positions of the work-items that the conditions on ids alone let through."""
        key = (form.chosen, world.local, world.width)
        found = self._chosen.get(key)
        if found is None:
            numbers = _numbers(world, 0, _NOTHING, 0, 0)
            try:
                holds = along(every, [column(each, numbers, world.ids) for each in form.chosen])
            except (UndefinedError, LookupError):
                holds = 1
            items = range(len(world.lanes))
            found = self._chosen[key] = items if isinstance(holds, int) else [*compress(items, holds)]
        return found

    def _form(self, access: Access) -> _Form:
        found = self._forms.get(access)
        if found is None:
            made = _Form.of(access)
            found = self._alike.setdefault((made.indices, made.guards, made.loops, made.doubtful), made)
            self._forms[access] = found
        return found

    def _met_in(
        self, first: tuple[_Form, tuple[int, ...]], second: tuple[_Form, tuple[int, ...]], *, far: bool
    ) -> Meeting | None:
        """In a loop with a barrier of the sub-group only its own work-items are in the same iteration."""
        inner = second[0].loops
        both = [each for each in first[0].loops if each in inner and each.synchronises is not None]
        group = [each for each in both if each.synchronises is Scope.WORK_GROUP]
        met = self._met(first, second, both, far=far)
        if met is None and len(group) < len(both):
            met = self._met(first, second, group, far=True)
        return met

    def _met(
        self,
        first: tuple[_Form, tuple[int, ...]],
        second: tuple[_Form, tuple[int, ...]],
        shared: list[LoopHead],
        *,
        far: bool,
    ) -> Meeting | None:
        a, b = first[0], second[0]
        inside = a.atoms | b.atoms
        counted = a.counted | b.counted
        free = a.free | b.free
        sides = (
            _Side.of(*first, _choices(*first, b, shared, counted, earlier=True), free),
            _Side.of(*second, _choices(*second, a, shared, counted, earlier=False), free),
        )
        tried = [_FEW if head.counter in counted else (0,) for head in shared]
        common = [dict(zip(shared, each, strict=True)) for each in islice(product(*tried), MAX_COMBINATIONS)]
        modes = _modes(inside, free, sides)
        found: Meeting | None = None
        for world in self.worlds:
            for round_ in range(len(_NUMBERS) if free.all else 1):
                trials = (
                    _Trial(world, group, free, round_, mode, iterations)
                    for mode, group in modes
                    for iterations in common
                )
                met = next((one for each in trials if (one := self._at(each, sides, far=far))), None)
                if met is None:
                    return None
                found = found or Meeting(*met, proved=self._proved(inside, a, b, far=far))
        return found

    def _proved(self, inside: frozenset[Atom], a: _Form, b: _Form, *, far: bool) -> bool:
        kinds = {each.kind for each in inside}
        given = kinds & {Kind.GIVEN, Kind.FRESH, Kind.GROUP_RANGE}
        width = Kind.WIDTH not in kinds and (not far or self.width_known)
        return self.certain and not given and not a.doubtful and not b.doubtful and width

    def _at(self, trial: _Trial, sides: tuple[_Side, _Side], *, far: bool) -> tuple[Lane, Lane] | None:
        """A meeting in one trial."""
        if self.budget <= 0:
            return None
        first, second = (self._elements_of(trial, each) for each in sides)
        if first.lanes.keys().isdisjoint(second.lanes) or (first is second and first.apart):
            return None
        world = trial.world
        width = world.width if self.width_known else _WIDEST
        for lane, element in second.elements:
            for other in first.lanes.get(element, ()):
                if other != lane and (not far or world.sub_group(other, width) != world.sub_group(lane, width)):
                    return other, lane
        return None

    def _elements_of(self, trial: _Trial, side: _Side) -> _Reached:
        key = side.key(trial)
        found = self._reached.get(key)
        if found is None:
            numbers = _numbers(trial.world, trial.group, trial.free, trial.round, trial.mode)
            for head, offset in zip(side.form.loops, side.offsets, strict=True):
                if head in trial.common:
                    numbers[head.counter] = trial.common[head] + offset
            found = self._reached[key] = _Reached(list(self._elements(trial.world, numbers, side.form, side.choices)))
        return found

    def _elements(
        self, world: World, numbers: Numbers, form: _Form, choices: Choices
    ) -> Iterator[tuple[Lane, tuple[int, ...]]]:
        """The elements that are accessed, for each work-item that gets there."""
        for iterations in islice(product(*(each for _, each in choices)), MAX_COMBINATIONS):
            for (head, _), iteration in zip(choices, iterations, strict=True):
                numbers[head.counter] = iteration if iteration >= 0 else _last(head, numbers)
            self.budget -= len(world.lanes)
            try:
                yield from _together(world, form, numbers)
            except (UndefinedError, LookupError):
                yield from _one_by_one(world, form, numbers)

    def elements(
        self, access: Access, world: World, groups: tuple[int, ...] | None = None
    ) -> Iterator[tuple[Lane, tuple[int, ...]]]:
        """Which work-items access which elements, in the first iterations and the last of the loops around."""
        numbers = _numbers(world, 0, _NOTHING, 2, 0)
        for dimension, group in enumerate(groups or ()):
            numbers[Atom(Kind.GROUP, dimension)] = group
        form = _Form.of(access)
        choices = tuple((head, (*_FEW, _LAST) if head.counter in form.counted else (0,)) for head in access.loops)
        yield from self._elements(world, numbers, form, choices)

    def indices(self, access: Access, world: World) -> Iterator[tuple[Lane, tuple[int, ...]]]:
        """The element that each work-item would access, whatever the conditions."""
        yield from self.elements(replace(access, guards=(), loops=()), world)


def _passes(visit: Visit) -> tuple[int, ...]:
    return tuple([visit.offset(each) for each in visit.access.loops])


def _numbers(world: World, group: int, free: Free, round_: int, mode: int) -> Numbers:
    fixed: dict[Atom, int] = {_WIDTH: world.width}
    for extent, (local_range, own_group, groups) in zip(world.local, _SIZES, strict=False):
        fixed[local_range] = extent
        fixed[own_group] = group
        fixed[groups] = _LARGE
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
    form: _Form,
    offsets: tuple[int, ...],
    other: _Form,
    shared: list[LoopHead],
    counted: frozenset[object],
    *,
    earlier: bool,
) -> Choices:
    """The iterations to try of each loop that only this side is in, or that does not keep both sides together."""
    choices: list[tuple[LoopHead, tuple[int, ...]]] = []
    for head, offset in zip(form.loops, offsets, strict=True):
        if head in shared:
            continue
        if head.counter not in counted:
            choices.append((head, (0,)))
        elif head.synchronises is not None and head not in other.loops:
            # The other side stands behind the loop, or before it: this is the last iteration, or the first.
            choices.append((head, (_LAST,) if earlier else (offset,)))
        else:
            choices.append((head, _FEW))
    return tuple(choices)


def _modes(inside: frozenset[Atom], free: Free, sides: tuple[_Side, _Side]) -> Iterable[tuple[int, int]]:
    """What to try for numbers that only conditions ask for, and for the group's own ids, as far as a side asks."""
    modes = [(0, 0), (0, 1)]
    if any(each.kind in _FREE and each not in free.all for each in inside):
        modes += [(1, 0), (2, 0), (3, 1), (4, 0)]
    conditional, grouped = (any(each.conditional for each in sides), any(each.grouped for each in sides))
    return dict.fromkeys((mode if conditional else 0, group if grouped else 0) for mode, group in modes)


def _together(world: World, form: _Form, numbers: Numbers) -> Elements:
    """The elements of all work-items, each term worked out for all of them at once."""
    lanes: Sequence[Lane] = world.lanes
    conditions: list[Column] = []
    for guard in form.guards:
        holds = column(guard, numbers, world.ids)
        if isinstance(holds, int):
            if not holds:
                return ()
        else:
            conditions.append(holds)
    # Numbers that all share are repeated for as long as there are work-items.
    columns = [column(index, numbers, world.ids) for index in form.indices]
    spread = (repeat(each) if isinstance(each, int) else each for each in columns)
    elements = zip(lanes, zip(*spread, strict=False) if columns else repeat(()), strict=False)
    if not conditions:
        return list(elements)
    return list(compress(elements, map(all, zip(*conditions, strict=True))))


def _one_by_one(world: World, form: _Form, numbers: Numbers) -> Elements:
    """The same where a part of a term has no result for some work-item, which may not ask for it."""
    found: list[tuple[Lane, tuple[int, ...]]] = []
    for lane in world.lanes:
        numbers.update(zip(_IDS, lane, strict=False))
        try:
            if all(evaluate(guard, numbers) for guard in form.guards):
                found.append((lane, tuple([evaluate(index, numbers) for index in form.indices])))
        except (UndefinedError, LookupError):
            continue
    return found


def farthest(head: LoopHead) -> int | None:
    """The greatest iteration of a loop that ``Lanes.elements`` tries; ``None`` when that hangs on something else."""
    condition = head.condition
    if condition is not None and atoms(condition) - {head.counter}:
        return None if not varies(condition) else _FEW[-1]
    return max(_FEW[-1], _last(head, {}))


def _last(head: LoopHead, numbers: dict[Atom, int]) -> int:
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
    certain = all(isinstance(each, Known) for each in local)
    used: frozenset[object] = frozenset() if certain else _used(accesses)
    shapes = [_extents(local, used, position) for position in (0, 1)]
    width = geometry.sub_group_size.value if isinstance(geometry.sub_group_size, Known) else None
    worlds: list[World] = []
    for position, shape in enumerate(dict.fromkeys(shapes)):
        items = 1
        for extent in shape:
            items *= extent
        if items < 2:
            return None
        worlds.append(_world(shape, width or (16, 32)[position]))
    if width is None and len(worlds) == 1:
        worlds.append(_world(worlds[0].local, 32))
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


@lru_cache(maxsize=256)
def _world(shape: tuple[int, ...], width: int) -> World:
    wide = sum(extent > 1 for extent in shape)
    lanes = tuple(product(*(_ids(extent, wide) for extent in shape)))
    return World(shape, width, lanes, tuple(zip(*lanes, strict=True)))


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
