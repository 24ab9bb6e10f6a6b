"""An OpenMP target region as a launch: LWS, the work-items of a team, and GWS, those of all teams.

A team is OpenMP's word for a work-group. ``thread_limit`` is an upper bound of its size, which the runtimes of GPUs
take as the size where the loop has work enough: LWS = thread limit, GWS = LWS × teams.
"""

from math import prod

from sycllint.launch.kernel import KernelLaunch
from sycllint.record import record
from sycllint.source.setting import Setting
from sycllint.source.span import Location
from sycllint.values.value import Value, all_known, known

_FEWEST = 1 << 62
"""More than any bound: an unknown one is not the smaller of two."""


@record
class Bound:
    """A number of work-items or teams, and who says so."""

    name: str
    """``thread_limit``, ``OMP_NUM_TEAMS``."""
    value: Value
    location: Location

    @property
    def from_environment(self) -> bool:
        """It is set outside the program, and may be set otherwise."""
        return self.name.startswith("OMP_")


@record
class NestedLoop:
    """One loop of a perfect nest, the outermost first."""

    trips: Value
    location: Location
    """Its head."""
    counted: bool
    """Its counter, bound and step are evident; their values need not be known."""
    independent: bool
    """No iteration of the nest down to here is seen to touch what another one writes; false where that is open."""
    rectangular: bool
    """Its bounds are the same in each iteration of the loops around."""


@record
class Offload:
    """One target region with what is known of its size."""

    launch: KernelLaunch
    constructs: tuple[str, ...]
    """The words of the first directive: ``("target", "teams", "distribute", "parallel", "for")``."""
    combined: bool
    """That directive is all of it; false where further directives are nested in the region."""
    thread_limit: Bound | None
    threads: Bound | None
    """Of ``num_threads``."""
    teams: Bound | None
    shared_by: Location | None
    """The directive by which the iterations of the loop go to the threads of all teams; ``None`` where none does."""
    nest: tuple[NestedLoop, ...]
    """Empty when no loop follows."""
    collapse: Value
    conditional: bool
    """An ``if`` clause may leave it to the host."""
    simple: bool
    """A loop shared out by one directive, whose body, with what it calls, holds no other and asks no OpenMP library."""
    clauses: frozenset[str]
    reduces: bool
    """It reduces over teams: each of them has a partial result to combine."""
    insertion: Location
    """Right after the word ``target``."""

    @property
    def counted(self) -> bool:
        """The loop is one whose iterations can be counted, once its bounds are known."""
        return bool(self.nest) and self.nest[0].counted

    @property
    def iterations(self) -> int | None:
        """How many are shared out: of the loop, or of all that are collapsed into one; ``None`` when unknown."""
        depth = known(self.collapse)
        trips = all_known([level.trips for level in self.nest[:depth]])
        return prod(trips) if trips is not None and len(trips) == depth else None

    @property
    def group(self) -> Bound | None:
        """LWS: the smaller of both bounds on a team, where they are known; else the one that is given."""
        given = [each for each in (self.thread_limit, self.threads) if each is not None]
        if not given:
            return None
        return min(given, key=lambda each: known(each.value) or _FEWEST)


@record
class Override:
    """A variable that a script sets for all target regions of a program."""

    setting: Setting
    regions: int
    """Target regions in the files beside the script."""
