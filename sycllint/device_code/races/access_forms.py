"""Where and when accesses happen, as far as trials ask: accesses of one form reach the same elements in each trial."""

from __future__ import annotations

from collections.abc import Mapping

from sycllint.device_code.access_trace.iterations import counters
from sycllint.device_code.access_trace.terms import Atom, AtomKind, Term, atoms, conjuncts
from sycllint.device_code.access_trace.trace import Access, LoopHead
from sycllint.device_code.races.sampled_groups import SampledGroup
from sycllint.device_code.races.valuations import FREE, LAST, Free, How
from sycllint.record import unique

_OWN = (AtomKind.LOCAL, AtomKind.LOCAL_RANGE, AtomKind.WIDTH)
_UNKNOWN = (*FREE, AtomKind.GROUP, AtomKind.GROUP_RANGE)
Choices = tuple[tuple[LoopHead, tuple[int, ...]], ...]
"""The iterations to try of some loops."""


@unique
class Form:
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
    shapes: tuple[Term, ...]
    """Those that ask only for the shape of the group, in some iteration."""
    open: tuple[Term, ...] = ()
    """Those that all work-items find alike, by numbers that are not known."""

    @classmethod
    def of(cls, access: Access, rank: int | None = None) -> Form:
        """That of an access whose indices are known, or as far as the first ``rank`` of them go."""
        indices = tuple([each for each in access.indices[:rank] if each is not None])
        guards = tuple([part for each in access.guards if each.term is not None for part in conjuncts(each.term)])
        inside = frozenset().union(*map(atoms, indices), *map(atoms, guards))
        doubtful = access.by_data or any(each.doubt is not None for each in access.guards)
        free = Free.of(indices, guards)
        return cls(indices, guards, access.loops, doubtful, inside, counters(inside), free, *_sorted(guards))

    def without_conditions(self) -> Form:
        """The same wherever the code stands."""
        inside = frozenset().union(*map(atoms, self.indices))
        return Form(self.indices, (), self.loops, False, inside, counters(inside), self.free, (), ())

    def without(self, guards: frozenset[Term]) -> Form:
        """The same where ``guards`` hold."""
        if guards.isdisjoint(self.guards):
            return self
        kept = tuple([each for each in self.guards if each not in guards])
        inside = frozenset().union(*map(atoms, self.indices), *map(atoms, kept))
        doubtful = self.doubtful or any(each.kind in FREE for each in self.atoms - inside)
        free = Free.of(self.indices, kept)
        return Form(self.indices, kept, self.loops, doubtful, inside, counters(inside), free, self.chosen, self.shapes)


@unique
class Trial:
    """One choice of numbers, and of iterations of the loops that both sides are in."""

    sample: SampledGroup
    group: int
    free: Free
    round: int
    mode: int
    common: Mapping[LoopHead, int]


@unique
class Side:
    """One of two accesses, and what of a trial decides which elements it reaches."""

    form: Form
    offsets: tuple[int, ...]
    """For each of its loops, how many passes came before."""
    choices: Choices
    """For the loops it is in by itself."""
    counters: tuple[tuple[LoopHead, int], ...]
    """The loops whose iterations matter, with their offsets."""
    tried: frozenset[tuple[Atom, int, How | None]] | None
    """The free numbers in it, with their places and what is tried for them."""
    rounds: bool
    """Among them are such as are tried in several rounds."""
    decisive: frozenset[Atom]
    """Those of the others that conditions ask for."""
    grouped: bool
    wide: bool
    """The group's id, the width of its sub-groups are asked for."""

    @classmethod
    def of(cls, form: Form, offsets: tuple[int, ...], choices: Choices, free: Free) -> Side:
        """With what matters; the condition of a loop does where its last iteration is looked for."""
        last = [head.condition for head, tried in choices if tried == (LAST,) and head.condition is not None]
        inside = form.atoms.union(*map(atoms, last)) if last else form.atoms
        counted = [
            (head, offset)
            for head, offset in zip(form.loops, offsets, strict=True)
            if head.counter in form.counted or head.counter in inside
        ]
        kinds = {each.kind for each in inside}
        asked = [each for each in inside if each.kind in FREE] if free.places else []
        # The key holds what is tried, which may depend on the other side.
        tried = frozenset([(each, free.places.get(each, 0), free.how.get(each)) for each in asked])
        others = {each for each in asked if free.how.get(each, How.SUMMED) is How.SUMMED}
        conditions = frozenset().union(*map(atoms, form.guards), *map(atoms, last)) if asked else frozenset()
        return cls(
            form,
            offsets,
            choices,
            tuple(counted),
            tried if asked else None,
            len(others) < len(asked),
            conditions & others,
            AtomKind.GROUP in kinds,
            AtomKind.WIDTH in kinds,
        )

    def key(self, trial: Trial) -> tuple[object, ...]:
        """Trials with the same have the same elements for it."""
        sample, common = trial.sample, trial.common
        return (
            self.form,
            self.choices,
            self.tried,
            sample.local,
            sample.width if self.wide else 0,
            trial.group if self.grouped else 0,
            (trial.round, len(trial.free.places)) if self.rounds else 0,
            (trial.mode, len(trial.free.places)) if self.decisive else 0,
            *[common[head] + offset if head in common else None for head, offset in self.counters],
        )


def settled(one: Form, other: Form) -> frozenset[Term]:
    """The guards of two accesses on numbers that nothing else about them uses: they rule out no collision.

    All work-items of the group find them so, or none does. Where both accesses are under conditions on the same such
    numbers, these may exclude each other, and are tried.
    """
    if not one.open and not other.open:
        return frozenset()
    loose = {*one.open, *other.open}
    fixed = (each for form in (one, other) for each in (*form.indices, *form.guards) if each not in loose)
    bound = frozenset().union(*map(atoms, fixed))
    while hanging := {each for each in loose if not bound.isdisjoint(atoms(each))}:
        loose -= hanging
        bound = bound.union(*map(atoms, hanging))
    first, second = (_asked(loose.difference(form.guards)) for form in (other, one))
    return frozenset(loose) if first.isdisjoint(second) else frozenset()


def _asked(guards: set[Term]) -> set[object]:
    """What ``guards`` ask for: what is read twice in the same words may be the same."""
    return {each.text or each for guard in guards for each in atoms(guard)}


def _sorted(guards: tuple[Term, ...]) -> tuple[tuple[Term, ...], tuple[Term, ...], tuple[Term, ...]]:
    """The guards that choose work-items by local ids alone, that ask for the group's shape, and that all find alike."""
    chosen: list[Term] = []
    shapes: list[Term] = []
    alike: list[Term] = []
    for guard in guards:
        if isinstance(guard, int):
            continue
        if guard.local:
            if is_own(guard):
                chosen.append(guard)
            continue
        given = counted = False
        for each in guard.atoms:
            given = given or each.kind in _UNKNOWN
            counted = counted or each.kind is AtomKind.COUNTER
        if not given:
            shapes.append(guard)
        elif not counted:
            alike.append(guard)
    return tuple(chosen), tuple(shapes), tuple(alike)


def is_own(condition: Term) -> bool:
    """Whether a condition asks for nothing but the work-item's ids and the shape of its group."""
    return all(each.kind in _OWN for each in atoms(condition))
