"""What decides whether code runs, and what is met under it: barriers, collectives, lanes."""

from __future__ import annotations

from sycllint.cpp.expression import Expr
from sycllint.cpp.place import Place
from sycllint.domains.indices import Padding
from sycllint.domains.levels import Content, Level
from sycllint.domains.meaning import Role
from sycllint.record import NamedTuple, field, singular
from sycllint.source.span import Location


@singular
class Control:
    """Something that decides whether the code after or inside it runs."""

    kind: str
    """``branch``, ``loop``, or the jump before which it stood: ``return``, ``break``, ``continue``, ``throw``."""
    level: Level
    condition: Expr | None
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

    def opposite(self) -> Control:
        """The same for the other branch."""
        return Control(
            self.kind, self.level, self.condition, self.location, self.jump, self.proof, not self.negated, self.in_both
        )


@singular
class Meeting:
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
    """The id is that of one dimension, and the group has rows that are not whole sub-groups."""


class Construct:
    """What is kept of a branch, a loop or a ``switch`` that is being run."""

    __slots__ = (
        "control",
        "exits",
        "first",
        "left",
        "level",
        "met",
        "met_first",
        "numbers",
        "shared_turns",
        "skipped",
        "steady",
    )

    def __init__(self, exits: tuple[Control, ...]) -> None:
        self.control: Control | None = None
        """What decides over what runs now; ``None`` before the test of a loop."""
        self.first: Control | None = None
        """Of an ``if`` in its second arm, the control of the first."""
        self.exits = exits
        """What decided over the jumps before it."""
        self.level = Level.GRID
        """The highest one of the tests of a loop so far."""
        self.left = Level.GRID
        """The highest one of what decides over ``break``."""
        self.skipped = Level.GRID
        """Likewise over ``continue``."""
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
