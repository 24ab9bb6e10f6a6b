"""Where and when accesses happen, as far as trials ask: accesses of one form reach the same elements in each trial."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from sycllint.kernel.terms import Atom, Kind, Operation, Term, atoms, varies
from sycllint.kernel.trace import Access, LoopHead
from sycllint.kernel.trials import FREE, LAST, Free, How, counters
from sycllint.kernel.worlds import World
from sycllint.record import unique

_OWN = (Kind.LOCAL, Kind.LOCAL_RANGE, Kind.WIDTH)
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
    """Those that ask only for the shape of the group."""

    @classmethod
    def of(cls, access: Access) -> Form:
        """That of an access whose indices are known."""
        indices = tuple([each for each in access.indices if each is not None])
        guards = tuple([each.term for each in access.guards if each.term is not None])
        inside = frozenset().union(*map(atoms, indices), *map(atoms, guards))
        doubtful = access.by_data or any(each.doubt is not None for each in access.guards)
        chosen = tuple([each for each in guards if varies(each) and is_own(each)])
        shapes = tuple([part for each in guards for part in _parts(each) if not varies(part) and is_own(part)])
        free = Free.of(indices, guards)
        return cls(indices, guards, access.loops, doubtful, inside, counters(inside), free, chosen, shapes)

    def without_conditions(self) -> Form:
        """The same wherever the code stands."""
        inside = frozenset().union(*map(atoms, self.indices))
        return Form(self.indices, (), self.loops, False, inside, counters(inside), self.free, (), ())


@unique
class Trial:
    """One choice of numbers, and of iterations of the loops that both sides are in."""

    world: World
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
        # Both sides are told apart by what is tried, which may depend on the other.
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
            Kind.GROUP in kinds,
            Kind.WIDTH in kinds,
        )

    def key(self, trial: Trial) -> tuple[object, ...]:
        """Trials with the same have the same elements for it."""
        world, common = trial.world, trial.common
        return (
            self.form,
            self.choices,
            self.tried,
            world.local,
            world.width if self.wide else 0,
            trial.group if self.grouped else 0,
            (trial.round, len(trial.free.places)) if self.rounds else 0,
            (trial.mode, len(trial.free.places)) if self.decisive else 0,
            *[common[head] + offset if head in common else None for head, offset in self.counters],
        )


def _parts(guard: Term) -> Iterator[Term]:
    """The conditions that ``guard`` asks for together."""
    if isinstance(guard, Operation) and guard.operator in ("&&", "and"):
        for each in guard.operands:
            yield from _parts(each)
    elif isinstance(guard, Operation) and guard.operator == "!=" and guard.operands[1] == 0:
        yield from _parts(guard.operands[0])
    else:
        yield guard


def is_own(condition: Term) -> bool:
    """Whether a condition asks for nothing but the work-item's ids and the shape of its group."""
    return all(each.kind in _OWN for each in atoms(condition))
