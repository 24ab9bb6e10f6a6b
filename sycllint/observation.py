"""What analyses saw in the code, kept by kind for the rules that judge it."""

from collections.abc import Callable, Collection, Iterable, Sequence
from functools import cache
from importlib import import_module
from typing import Generic, TypeVar

from sycllint.record import field, record

Seen = TypeVar("Seen")
Code = TypeVar("Code")


@record
class Wanted:
    """The kinds of records that a run computes: those that its rules judge."""

    kinds: frozenset[str] | None = None
    """Names of the classes of records; ``None`` for every kind."""
    judged: bool = True
    """Launches are judged by rules, so what weakens a finding on them can be asked."""
    named: bool = True
    """What compilers may call the kernels is worked out: there are reports of them to be joined."""
    kernels_above: int | None = 0
    """Kernels are looked through of launches with more work-items per group than this; ``None`` for no kernel."""

    def any_of(self, kinds: Collection[str]) -> bool:
        """Whether records of one of ``kinds`` are to be computed."""
        return self.kinds is None or not self.kinds.isdisjoint(kinds)


EVERYTHING = Wanted()
LAUNCHES_ALONE = Wanted(frozenset(), judged=False)
"""Launches only, for which no rule runs."""


@record
class Observations:
    """Frozen records of any kinds, in the order in which they were seen."""

    records: tuple[object, ...] = ()
    wanted: Wanted = field(default=EVERYTHING, compare=False, repr=False)
    """What was looked for."""

    def of(self, kind: type[Seen]) -> tuple[Seen, ...]:
        """The records of one kind. Raises ``LookupError`` for a kind that no rule of the run names."""
        if not self.wanted.any_of((kind.__name__,)):
            raise LookupError(f"no rule of this run names {kind.__name__} in `seen` or `reads`, so none were computed")
        return tuple([each for each in self.records if isinstance(each, kind)]) if self.records else ()

    @property
    def kinds(self) -> frozenset[str]:
        """The names of the classes of the records."""
        return frozenset([type(each).__name__ for each in self.records])

    def also(self, *records: object) -> "Observations":
        """A copy with more records."""
        return Observations((*self.records, *records), self.wanted)

    @classmethod
    def gathered(cls, *sources: Iterable[object], wanted: Wanted = EVERYTHING) -> "Observations":
        """What several analyses saw; what two of them saw alike counts once."""
        return cls(tuple(dict.fromkeys(each for source in sources for each in source)), wanted)


NOTHING = Observations()


@record
class Analysis(Generic[Code]):
    """A function from code to records, and the kinds of records that it makes."""

    run: Callable[[Code], Iterable[object]]
    makes: frozenset[str]
    """Names of classes: the classes themselves are loaded with the analysis, where code can show what it looks for."""


def makes(*kinds: str) -> Callable[[Callable[[Code], Iterable[object]]], Analysis[Code]]:
    """Make a function an analysis that yields records of ``kinds`` and of no other."""

    def declare(run: Callable[[Code], Iterable[object]]) -> Analysis[Code]:
        return Analysis(run, frozenset(kinds))

    return declare


def loaded(function: str, *kinds: str, where: Callable[[Code], object] | None = None) -> Analysis[Code]:
    """The analysis ``module.function``, which makes records of ``kinds`` and of no other.

    It is loaded for the first code that can show what it looks for, as far as ``where`` says, and run for no other.
    """
    module, _, name = function.rpartition(".")

    @cache
    def analysis() -> Callable[[Code], Iterable[object]]:
        found: Callable[[Code], Iterable[object]] = getattr(import_module(module), name)
        return found

    def run(code: Code) -> Iterable[object]:
        return analysis()(code) if where is None or where(code) else ()

    return Analysis(run, frozenset(kinds))


def observed(analyses: Sequence[Analysis[Code]], code: Code, wanted: Wanted) -> Observations:
    """What those of ``analyses`` see in ``code`` that make a kind of records that is wanted."""
    return Observations.gathered(
        *(analysis.run(code) for analysis in analyses if wanted.any_of(analysis.makes)), wanted=wanted
    )


def kinds_made(analyses: Iterable[Analysis[Code]]) -> frozenset[str]:
    """The names of all kinds of records that ``analyses`` make."""
    return frozenset(kind for each in analyses for kind in each.makes)
