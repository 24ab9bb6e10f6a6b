"""What decides whether code runs, and what is met under it: the records of a walk through a kernel."""

from __future__ import annotations

from sycllint.cpp.expression import (
    Expr,
    Lambda,
)
from sycllint.cpp.place import Place
from sycllint.kernel.indices import Padding
from sycllint.kernel.levels import Content, Level, State
from sycllint.kernel.meaning import Role
from sycllint.kernel.meaning import Scope as Roles
from sycllint.record import NamedTuple, field, mutable, singular
from sycllint.source.span import Location


@singular
class Control:
    """Something that decides whether the code after or inside it runs."""

    kind: str
    """``branch``, ``loop``, or the jump before which it stood: ``return``, ``break``, ``continue``."""
    level: Level
    condition: Expr | None
    location: Location
    """Of the condition."""
    jump: Location | None = None
    """Of the jump that leaves by it."""
    proof: Padding | bool = False
    """Why it surely comes out both ways inside one group."""
    negated: bool = False
    """The code stands in the ``else`` branch."""
    in_both: bool = False
    """Both arms of the branch have as many barriers."""

    def opposite(self) -> Control:
        """The same for the other branch."""
        return Control(
            self.kind, self.level, self.condition, self.location, self.jump, self.proof, not self.negated, self.in_both
        )


@singular
class Meeting:
    """A barrier or collective, by one chain of calls, with the controls by which some work-items miss it."""

    location: Location
    name: str
    role: Role
    call: Location | None
    """The call in the kernel by which it is reached, when it is not in the kernel itself."""
    controls: dict[tuple[str, Location, Location | None], Control] = field(default_factory=dict)
    undecided: bool = False
    """It stands under a condition of which it is not known whether it holds at all."""
    guessed: bool = False


class LaneArithmetic(NamedTuple):
    """``local_id % 32``, ``local_id & 31``, ``local_id / 32`` or ``local_id >> 5``."""

    width: int
    text: str
    location: Location
    is_lane: bool
    """It is the lane that is worked out, and not the sub-group."""
    per_row: bool
    """The id is that of one dimension, and the group has rows that are not whole sub-groups."""


class Names(NamedTuple):
    """What names stand for in one scope."""

    keys: dict[str, object]
    """Of variables: their declarations."""
    roles: Roles
    closures: dict[str, tuple[Lambda, Place, Names]]

    def inner(self) -> Names:
        """A scope inside this one."""
        return Names(dict(self.keys), dict(self.roles), dict(self.closures))


@mutable
class Called:
    """One function being followed."""

    owner: Content | None
    """What its members hold; ``None`` for the kernel itself, whose members are its arguments."""
    controls: int
    """How many controls lie around the call."""
    exits: int
    contents: list[Content] = field(default_factory=list)
    states: list[State] = field(default_factory=list)
    left: Level = Level.GRID
    """The level of what decides which return is taken."""


@mutable
class Looped:
    """One loop being followed."""

    controls: int
    broken: list[State] = field(default_factory=list)
    continued: list[State] = field(default_factory=list)
    left: Level = Level.GRID
    skipped: Level = Level.GRID
