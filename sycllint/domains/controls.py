"""What decides whether code runs, and what is met under it: barriers, collectives, lanes."""

from __future__ import annotations

from collections.abc import Sequence

from sycllint.cpp.expression import Expr
from sycllint.cpp.place import Place
from sycllint.domains.indices import Indices, Padding
from sycllint.domains.levels import Content, Level
from sycllint.domains.meaning import Role
from sycllint.record import NamedTuple, field, replace, singular
from sycllint.source.span import Location
from sycllint.values.symbolic import subtract
from sycllint.values.value import Symbolic


class Limit(NamedTuple):
    """Of the turns of a loop, those from the one on in which a counter has moved by ``distance``, or those before."""

    counter: int
    """The number of the variable, which only ever moves one way in the loop."""
    loop: int
    distance: Symbolic
    """How far the counter moves until then, as a positive number whichever way it counts."""
    late: bool
    """It is the turns from that one on."""


@singular
class Control:
    """Something that decides whether the code after or inside it runs."""

    kind: str
    """``branch``, ``loop``, or the jump before which it stood: ``return``, ``break``, ``continue``, ``throw``."""
    level: Level
    condition: Expr | None
    place: Place
    """Where the condition is written; it may be the text of a macro."""
    location: Location
    """Of the condition; of the kernel, where it is uniform."""
    jump: Location | None = None
    """Of the jump that leaves by it."""
    proof: Padding | bool = False
    """Why it surely comes out both ways inside one group."""
    negated: bool = False
    """The code stands in the ``else`` branch."""
    in_both: bool = False
    """Both arms of the branch have as many barriers."""
    within: Control | None = None
    """The loop of whose turns the branch runs only in such that all work-items make."""
    limits: tuple[Limit, ...] = ()
    """All of them hold where the branch runs, or where the jump is made."""
    otherwise: tuple[Limit, ...] = ()
    """All of them hold in the other branch."""
    leaving: tuple[tuple[Limit, ...], ...] = ()
    """Of a loop that only jumps make different for work-items, in which turns each of these is made."""

    def opposite(self) -> Control:
        """The same for the other branch."""
        return replace(
            self, negated=not self.negated, within=None, limits=self.otherwise, otherwise=self.limits, leaving=()
        )


@singular
class ReachedBarrier:
    """A barrier or collective, by one chain of calls, with the controls by which some work-items miss it."""

    location: Location
    place: Place
    name: str
    role: Role
    call: Location | None
    """The call in the kernel by which it is reached, when it is not in the kernel itself."""
    controls: dict[tuple[str, Location, Location | None], Control] = field(default_factory=dict)
    undecided: bool = False
    """It stands under a condition of which it is not known whether it holds at all."""


class LaneArithmetic(NamedTuple):
    """``local_id % 32``, ``local_id & 31``, ``local_id / 32`` or ``local_id >> 5``."""

    width: int
    text: str
    location: Location
    is_lane: bool
    """It is the lane that is worked out, and not the sub-group."""
    per_row: bool
    """The id is that of one dimension, which counts the work-items of one row."""


class Construct:
    """What is kept of a branch, a loop or a ``switch`` that is being run."""

    def __init__(self, exits: tuple[Control, ...]) -> None:
        self.control: Control | None = None
        """What decides over what runs now; ``None`` before the test of a loop."""
        self.first: Control | None = None
        """Of an ``if`` in its second arm, the control of the first."""
        self.exits = exits
        """What decided over the jumps before it."""
        self.level = Level.GRID
        """The highest one of the tests of a loop so far."""
        self.tested = Level.GRID
        """The highest one of these tests alone."""
        self.left = Level.GRID
        """The highest one of what decides over ``break``."""
        self.leaving: dict[int, tuple[Limit, ...]] = {}
        """By position of a ``break`` that not all make, in which turns it is made."""
        self.skipped = Level.GRID
        """The highest one of what decides over ``continue``."""
        self.shared_turns = 0
        """Of a loop, the number of turns that each work-item of a group surely makes."""
        self.met = 0
        """Barriers met before the arm that runs."""
        self.met_first = 0
        """Barriers met in the first of two arms."""
        self.numbers: dict[int, Content] = {}
        """Of a loop, what the variables held before it that it changes and whose numbers are known."""
        self.steady: dict[int, Content] = {}
        """Of those, what ones hold in any one iteration that each moves by as much."""
        self.begun: list[Content | None] = []
        """Of a loop, what the variables held before its first round."""

    def resume(self, earlier: Construct) -> None:
        """Of a loop: what an earlier run of it has shown of who leaves it holds from the first round on."""
        self.level, self.tested = earlier.level, earlier.tested
        self.left, self.skipped = earlier.left, earlier.skipped
        self.leaving.update(earlier.leaving)


def missed_by_nobody(indices: Indices, control: Control, around: Sequence[Limit]) -> bool:
    """Whether what runs in the turns ``around`` only does so before ``control`` parts the group by jumps."""
    jumps = control.leaving if control.kind == "loop" else (control.limits,)
    return bool(jumps) and all(_is_before(indices, around, each) for each in jumps)


def _is_before(indices: Indices, around: Sequence[Limit], jump: Sequence[Limit]) -> bool:
    for late in jump:
        for early in around:
            if late.late and not early.late and (late.counter, late.loop) == (early.counter, early.loop):
                least = indices.lowest(subtract(late.distance, early.distance))
                if least is not None and least >= 0:
                    return True
    return False
