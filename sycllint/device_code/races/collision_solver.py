"""Two accesses by two work-items of one group: whether they collide at one element, tried on sampled work-items.

A collision that is found is a real one for the numbers it was found with. Numbers of the launch that are not known are
left open or tried too (``valuations``): those in an index several times, and the accesses must collide each time; those
that only decide whether an access happens until it does.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import compress, islice, product, repeat
from math import prod

from sycllint.device_code.access_trace.iterations import last_iteration
from sycllint.device_code.access_trace.terms import (
    Atom,
    AtomKind,
    Column,
    Term,
    UndefinedError,
    along,
    atoms,
    column,
    evaluate,
    every,
)
from sycllint.device_code.access_trace.trace import Access, Guard, LoopHead, SyncScope
from sycllint.device_code.code import Geometry
from sycllint.device_code.races.access_forms import Choices, Form, Side, Trial, settled
from sycllint.device_code.races.sampled_groups import Lane, SampledGroup, largest, sampled_groups
from sycllint.device_code.races.valuations import (
    FAR,
    FEW,
    LAST,
    NOTHING,
    SPREAD,
    Free,
    IndexValuation,
    Valuation,
    modes_of,
    numbers_in,
)
from sycllint.record import field, mutable, record, replace
from sycllint.values.value import Known

MAX_COMBINATIONS = 27
MAX_MEETING = 4
"""Work-items remembered at one element."""
MAX_GROUPS = 4096
"""Work-groups that are asked whether any of them finds that conditions hold."""
MAX_TRIALS = 40_000
_IDS = tuple(Atom(AtomKind.LOCAL, dimension) for dimension in range(3))
_WIDEST = 64
"""No device has wider sub-groups (AMD GCN and CDNA: wave64)."""


@record
class Visit:
    """An access in a pass over the loops around it; ``offsets`` counts the earlier passes over each loop."""

    access: Access
    offsets: tuple[tuple[LoopHead, int], ...]

    def offset(self, head: LoopHead) -> int:
        """How many passes over ``head`` came before."""
        return next((number for each, number in self.offsets if each is head), 0)


@record
class Collision:
    """Two work-items that meet, in a group of a shape that was known or tried."""

    first: Lane
    second: Lane
    proved: bool
    """No number had to be tried."""


ReachedElements = Sequence[tuple[Lane, tuple[int, ...]]]
"""Which work-items access which elements."""


class _Reached:
    """The elements that one side accesses in one trial."""

    def __init__(self, elements: ReachedElements) -> None:
        self.elements = elements
        self.lanes: dict[tuple[int, ...], list[Lane]] = {}
        """By element, the first of them and the last, at most ``MAX_MEETING``."""
        for lane, element in elements:
            known = self.lanes.setdefault(element, [])
            if lane not in known:
                # The last is as far from the first as any: another sub-group has it if one has.
                known[MAX_MEETING - 1 :] = [lane]
        self.apart = all(len(each) == 1 for each in self.lanes.values())
        """No two work-items access the same."""


@mutable
class CollisionSolver:
    """Tries pairs of accesses on the sampled groups of one launch."""

    samples: tuple[SampledGroup, ...]
    certain: bool
    """The shape of the group is known."""
    width_known: bool
    last_group: tuple[int, ...] | None = None
    """Its ids, where they are known."""
    budget: int = MAX_TRIALS
    """Single work-items that may still be tried."""
    _forms: dict[tuple[Access, int], Form] = field(default_factory=dict)
    _alike: dict[tuple[object, ...], Form] = field(default_factory=dict)
    _met_before: dict[tuple[object, ...], Collision | None] = field(default_factory=dict)
    _reached: dict[tuple[object, ...], _Reached] = field(default_factory=dict)
    _chosen: dict[tuple[object, ...], Sequence[int]] = field(default_factory=dict)

    def collision(self, first: Visit, second: Visit, *, far: bool = False) -> Collision | None:
        """Two different work-items of which one makes ``first`` and one ``second`` at the same element.

        ``first`` comes before ``second``, and both are possible. With ``far`` they must be in different sub-groups.
        """
        a, b = first.access, second.access
        rank = _common_rank(a, b)
        if rank is None or _exclusive(a.guards, b.guards):
            return None
        one, other = self._form(a, rank), self._form(b, rank)
        before, after = _passes(first), _passes(second)
        key = (one, other, before, after, far)
        if key not in self._met_before:
            alone = self._is_alone(one, other)
            self._met_before[key] = None if alone else self._met_in((one, before), (other, after), far=far)
        return self._met_before[key]

    def _is_alone(self, one: Form, other: Form) -> bool:
        """Whether one and the same work-item makes both accesses, judged by conditions on ids alone."""
        if not (one.chosen and other.chosen):
            return False
        for sample in self.samples:
            items = self._items(one, sample)
            if len(items) <= 1 and items == self._items(other, sample):
                return True
        return False

    def _items(self, form: Form, sample: SampledGroup) -> Sequence[int]:
        """The positions of the work-items that the conditions on ids alone let through."""
        key = (form.chosen, sample.local, sample.width)
        found = self._chosen.get(key)
        if found is None:
            numbers = numbers_in(sample, 0, NOTHING, 0, 0)
            try:
                holds = along(every, [column(each, numbers, sample.ids) for each in form.chosen])
            except (UndefinedError, LookupError):
                holds = 1
            items = range(len(sample.lanes))
            found = self._chosen[key] = items if isinstance(holds, int) else [*compress(items, holds)]
        return found

    def _form(self, access: Access, rank: int) -> Form:
        found = self._forms.get((access, rank))
        if found is None:
            found = self._forms[access, rank] = self._interned(Form.of(access, rank))
        return found

    def _interned(self, form: Form) -> Form:
        return self._alike.setdefault((form.indices, form.guards, form.loops, form.doubtful), form)

    def _bare(self, form: Form) -> Form:
        key = (form.indices, form.loops)
        found = self._alike.get(key)
        if found is None:
            found = self._alike[key] = form.without_conditions() if form.guards else form
        return found

    def _met_in(
        self, first: tuple[Form, tuple[int, ...]], second: tuple[Form, tuple[int, ...]], *, far: bool
    ) -> Collision | None:
        """In a loop with a barrier of the sub-group only its own work-items are in the same iteration."""
        held = settled(first[0], second[0])
        if held and not self._holds_in_a_group(held):
            return None
        if held:
            first, second = ((self._interned(form.without(held)), passes) for form, passes in (first, second))
        inner = second[0].loops
        both = [each for each in first[0].loops if each in inner and each.synchronises is not None]
        group = [each for each in both if each.synchronises is SyncScope.WORK_GROUP]
        met = self._met(first, second, both, far=far)
        if met is None and len(group) < len(both):
            met = self._met(first, second, group, far=True)
        return met

    def _holds_in_a_group(self, guards: Iterable[Term]) -> bool:
        """Whether some group of the launch, if all are known, finds that all ``guards`` hold."""
        asked = [each for each in guards if all(atom.kind is AtomKind.GROUP for atom in atoms(each))]
        groups = [range(last + 1) for last in self.last_group or ()]
        if not asked or not groups or prod(map(len, groups)) > MAX_GROUPS:
            return True
        atoms_of = [Atom(AtomKind.GROUP, dimension) for dimension in range(len(groups))]
        tried = (dict(zip(atoms_of, each, strict=True)) for each in product(*groups))
        return any(all(_holds(each, numbers) for each in asked) for numbers in tried)

    def _met(
        self,
        first: tuple[Form, tuple[int, ...]],
        second: tuple[Form, tuple[int, ...]],
        shared: list[LoopHead],
        *,
        far: bool,
    ) -> Collision | None:
        a, b = first[0], second[0]
        inside = a.atoms | b.atoms
        counted = a.counted | b.counted
        free = a.free | b.free
        choices = (
            _choices(*first, b, shared, counted, earlier=True, far=far),
            _choices(*second, a, shared, counted, earlier=False, far=far),
        )
        sides = (Side.of(*first, choices[0], free), Side.of(*second, choices[1], free))
        tried = [(FAR if far else FEW) if head.counter in counted else (0,) for head in shared]
        common = [dict(zip(shared, each, strict=True)) for each in islice(product(*tried), MAX_COMBINATIONS)]
        samples = self.samples
        if not self.certain:
            samples = tuple(each for each in samples if _admits(each, a) and _admits(each, b)) or (
                largest(samples[-1]),
            )
        if sides[0].decisive or sides[1].decisive:
            # Most pairs that do not meet would not under any conditions, which need then not be tried.
            ways = zip((first, second), choices, strict=True)
            one, other = (Side.of(self._bare(form), offsets, each, free) for (form, offsets), each in ways)
            if self._in_round(samples[0], 0, free, (one, other), common, far=far) is None:
                return None
        found: Collision | None = None
        for sample in samples:
            for round_ in range(free.rounds):
                met = self._in_round(sample, round_, free, sides, common, far=far)
                if met is None:
                    return None
                found = found or Collision(*met, proved=self._proved(inside, a, b, far=far))
        return found

    def _in_round(
        self,
        sample: SampledGroup,
        round_: int,
        free: Free,
        sides: tuple[Side, Side],
        common: Sequence[Mapping[LoopHead, int]],
        *,
        far: bool,
    ) -> tuple[Lane, Lane] | None:
        """A meeting for some numbers that conditions ask for, where those in indices are as they are in one round."""
        grouped = sides[0].grouped or sides[1].grouped
        for mode, group in modes_of(free, sides[0].decisive | sides[1].decisive, grouped=grouped):
            for iterations in common:
                met = self._at(Trial(sample, group, free, round_, mode, iterations), sides, far=far)
                if met is not None:
                    return met
        return None

    def _proved(self, inside: frozenset[Atom], a: Form, b: Form, *, far: bool) -> bool:
        kinds = {each.kind for each in inside}
        given = kinds & {AtomKind.GIVEN, AtomKind.FRESH, AtomKind.GROUP_RANGE}
        width = AtomKind.WIDTH not in kinds and (not far or self.width_known)
        return self.certain and not given and not a.doubtful and not b.doubtful and width

    def _at(self, trial: Trial, sides: tuple[Side, Side], *, far: bool) -> tuple[Lane, Lane] | None:
        """A meeting in one trial."""
        if self.budget <= 0:
            return None
        first, second = (self._elements_of(trial, each) for each in sides)
        if first.lanes.keys().isdisjoint(second.lanes) or (first is second and first.apart):
            return None
        sample = trial.sample
        width = sample.width if self.width_known else _WIDEST
        for lane, element in second.elements:
            for other in first.lanes.get(element, ()):
                if other != lane and (not far or sample.sub_group(other, width) != sample.sub_group(lane, width)):
                    return other, lane
        return None

    def _elements_of(self, trial: Trial, side: Side) -> _Reached:
        key = side.key(trial)
        found = self._reached.get(key)
        if found is None:
            numbers = numbers_in(trial.sample, trial.group, trial.free, trial.round, trial.mode)
            for head, offset in zip(side.form.loops, side.offsets, strict=True):
                if head in trial.common:
                    numbers[head.counter] = trial.common[head] + offset
            found = self._reached[key] = _Reached(list(self._elements(trial.sample, numbers, side.form, side.choices)))
        return found

    def _elements(
        self, sample: SampledGroup, numbers: Valuation, form: Form, choices: Choices
    ) -> Iterator[tuple[Lane, tuple[int, ...]]]:
        """The elements that are accessed, for each work-item that gets there."""
        for iterations in islice(product(*(each for _, each in choices)), MAX_COMBINATIONS):
            for (head, _), iteration in zip(choices, iterations, strict=True):
                numbers[head.counter] = iteration if iteration >= 0 else last_iteration(head, numbers)
            self.budget -= len(sample.lanes)
            try:
                yield from _together(sample, form, numbers)
            except (UndefinedError, LookupError):
                yield from _one_by_one(sample, form, numbers)

    def elements(
        self,
        access: Access,
        sample: SampledGroup,
        groups: tuple[int, ...] | None = None,
        given: Mapping[Atom, int] | None = None,
    ) -> Iterator[tuple[Lane, tuple[int, ...]]]:
        """Which work-items access which elements, in the first iterations and the last of the loops around.

        ``given`` says what further numbers are.
        """
        numbers = numbers_in(sample, 0, NOTHING, 2, 0)
        numbers.update(given or {})
        for dimension, group in enumerate(groups or ()):
            numbers[Atom(AtomKind.GROUP, dimension)] = group
        form = Form.of(access)
        choices = tuple((head, (*FEW, LAST) if head.counter in form.counted else (0,)) for head in access.loops)
        yield from self._elements(sample, numbers, form, choices)

    def indices(self, access: Access, sample: SampledGroup) -> Iterator[tuple[Lane, tuple[int, ...]]]:
        """The element that each work-item would access, whatever the conditions."""
        yield from self.elements(replace(access, guards=(), loops=()), sample)


def _admits(sample: SampledGroup, form: Form) -> bool:
    """Whether a group of this shape, which is a guess, passes the conditions on shapes alone, and enters the loops."""
    asked = form.shapes
    if not asked:
        return True
    numbers = numbers_in(sample, 0, NOTHING, 0, 0)
    numbers.update((each, 0) for each in form.atoms if each.kind is AtomKind.COUNTER)
    try:
        return all(evaluate(each, numbers) for each in asked)
    except (UndefinedError, LookupError):
        return True


def _holds(condition: Term, numbers: Mapping[Atom, int]) -> bool:
    """Whether a condition holds; it does where it has no result."""
    try:
        return bool(evaluate(condition, numbers))
    except UndefinedError:
        return True


def _passes(visit: Visit) -> tuple[int, ...]:
    return tuple([visit.offset(each) for each in visit.access.loops])


def _choices(
    form: Form,
    offsets: tuple[int, ...],
    other: Form,
    shared: list[LoopHead],
    counted: frozenset[object],
    *,
    earlier: bool,
    far: bool,
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
            choices.append((head, (LAST,) if earlier else (offset,)))
        else:
            choices.append((head, SPREAD if far else FEW))
    return tuple(choices)


def _together(sample: SampledGroup, form: Form, numbers: Valuation) -> ReachedElements:
    """The elements of all work-items, each term worked out for all of them at once."""
    lanes: Sequence[Lane] = sample.lanes
    conditions: list[Column] = []
    for guard in form.guards:
        holds = column(guard, numbers, sample.ids)
        if isinstance(holds, int):
            if not holds:
                return ()
        else:
            conditions.append(holds)
    # Numbers that all share are repeated for as long as there are work-items.
    wanted = IndexValuation(numbers) if form.free.how else numbers
    columns = [column(index, wanted, sample.ids) for index in form.indices]
    spread = (repeat(each) if isinstance(each, int) else each for each in columns)
    elements = zip(lanes, zip(*spread, strict=False) if columns else repeat(()), strict=False)
    if not conditions:
        return list(elements)
    return list(compress(elements, map(all, zip(*conditions, strict=True))))


def _one_by_one(sample: SampledGroup, form: Form, numbers: Valuation) -> ReachedElements:
    """The same where a part of a term has no result for some work-item, which may not ask for it."""
    found: list[tuple[Lane, tuple[int, ...]]] = []
    wanted = IndexValuation(numbers)
    for lane in sample.lanes:
        numbers.update(zip(_IDS, lane, strict=False))
        try:
            if all(evaluate(guard, numbers) for guard in form.guards):
                found.append((lane, tuple([evaluate(index, wanted) for index in form.indices])))
        except (UndefinedError, LookupError):
            continue
    return found


def _common_rank(first: Access, second: Access) -> int | None:
    """How many indices decide whether both are at one element: a whole element holds each of its members."""
    one, other = len(first.indices), len(second.indices)
    return min(one, other) if one == other or min(one, other) == first.memory.rank else None


def _exclusive(first: tuple[Guard, ...], second: tuple[Guard, ...]) -> bool:
    """Whether one of two unknown conditions decides that only one of them happens."""
    sides = {id(each.doubt): each.positive for each in first if each.doubt is not None}
    return any(each.doubt is not None and sides.get(id(each.doubt), each.positive) != each.positive for each in second)


def collision_solver(geometry: Geometry, accesses: Iterable[Access]) -> CollisionSolver | None:
    """The solver for a launch; ``None`` when its groups are one work-item, or have no shape."""
    certain = all(isinstance(each, Known) for each in geometry.local or ())
    samples = sampled_groups(geometry, frozenset() if certain else _used(accesses))
    if not samples:
        return None
    return CollisionSolver(samples, certain, isinstance(geometry.sub_group_size, Known), geometry.last_group)


def _used(accesses: Iterable[Access]) -> frozenset[object]:
    """The dimensions whose ids or extents the kernel uses."""
    terms = (
        term
        for access in accesses
        for term in (*access.indices, *(guard.term for guard in access.guards))
        if term is not None
    )
    return frozenset(
        each.key for term in terms for each in atoms(term) if each.kind in (AtomKind.LOCAL, AtomKind.LOCAL_RANGE)
    )
