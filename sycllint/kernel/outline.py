"""What one walk over a function's text tells of it: which names flow into which, and what decides over its barriers.

An outline knows neither types nor numbers nor the order of statements; it is there to say cheaply, and for all ways to
reach a kernel at once, that nothing differing between work-items can decide over a barrier. What it cannot follow makes
it ``open``: then it says nothing.

Within an outline each name is a bit of its own, and what something comes from the union of such bits. ``tokens`` says
which of them other functions know, too.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from typing import TypeAlias

from sycllint.cpp.expression import Binary, Name
from sycllint.cpp.place import Place
from sycllint.record import NamedTuple, field, singular

Token: TypeAlias = object
"""A name that several functions know: one from outside, or what stands for a parameter or result of a function."""
ITEM: Token = "an id of the work-item"
LANE: Token = "an id of the work-item in its group"
OBJECT: Token = "the object a method is called on"
SHARED = (ITEM, LANE, OBJECT)
"""They have the first bits of every outline."""


class Kind(Enum):
    """What an act of a function is."""

    FLOW = "flow"
    """Something goes into a variable, or by a call into another function."""
    STORE = "store"
    """Something may be written through a pointer or accessor; what comes of it is not followed, only that it is so."""
    CALL = "call"
    """A function of the project may run."""
    BARRIER = "barrier"
    """A barrier or collective is met."""
    UNSEEN = "unseen"
    """Something runs that is not in sight and may wait for other work-items."""
    LEAP = "leap"
    """A ``goto``."""
    RETURN = "return"
    BREAK = "break"
    CONTINUE = "continue"
    DIVISION = "division"
    WIDTH = "width"
    """A sub-group may be asked for its size."""


class Division(NamedTuple):
    """``left % right`` and the like, which may take a local id apart."""

    act: int
    node: Binary
    left: int
    """What the number on the left side may be that of."""
    place: Place
    """The function it stands in."""


class Stretch(NamedTuple):
    """The acts of one statement, by their positions."""

    statement: int
    """Its identity."""
    start: int
    end: int


@singular
class Outline:
    """One function, lambda or kernel. An act is its position in ``kinds``, ``sources`` and ``into``."""

    name: str = ""
    """Empty for lambdas."""
    kinds: list[Kind] = field(default_factory=list)
    """Of the acts, in the order of the text."""
    sources: list[int] = field(default_factory=list)
    """What each act, and the conditions on it, come from."""
    into: list[int] = field(default_factory=list)
    """Of flows and stores: what they write."""
    tokens: dict[Token, int] = field(default_factory=dict)
    """The bits of what other functions know, too."""
    written: tuple[Token, ...] = ()
    """Those of the tokens that something goes into."""
    calling: dict[str, list[int]] = field(default_factory=dict)
    """The acts that call a function, by its name."""
    barriers: list[int] = field(default_factory=list)
    """The acts of these kinds."""
    widths: list[int] = field(default_factory=list)
    unseen: list[int] = field(default_factory=list)
    leaps: list[int] = field(default_factory=list)
    stretches: list[Stretch] = field(default_factory=list)
    """Of the statements that act, the outer after the inner."""
    loops: list[Stretch] = field(default_factory=list)
    """Of loops and ``switch``, likewise."""
    handles: set[int] = field(default_factory=set)
    """The declarations of items, groups and lambdas, by identity."""
    parameters: tuple[int, ...] = ()
    """Their bits."""
    divisions: list[Division] = field(default_factory=list)
    outside: tuple[Name, ...] = ()
    """What is called by a name that is no function of the project."""
    open: bool = False
    """It holds something that cannot be followed."""
    flows: list[tuple[int, int]] = field(default_factory=list)
    """Sources and targets of the acts that are flows."""
    carries: list[tuple[int, int]] = field(default_factory=list)
    """Likewise of those by which a number goes into a variable as it is, or with something added to it."""
    writes: list[tuple[int, int, int]] = field(default_factory=list)
    """Targets, sources and positions of the flows and stores, the last first."""
    targets: int = 0
    """All that they write."""
    reached: dict[tuple[int, bool], int] = field(default_factory=dict)
    """Answers given before."""

    def reach(self, start: int, *, as_number: bool) -> int:
        """All that something flows into, with the conditions on what it decides; or only what has its number."""
        key = (start, as_number)
        found = self.reached.get(key)
        if found is None:
            found, waiting, before = start, self.carries if as_number else self.flows, -1
            while len(waiting) != before:
                before = len(waiting)
                flows, waiting = waiting, []
                for flow in flows:
                    if flow[0] & found:
                        found |= flow[1]
                    else:
                        waiting.append(flow)
            self.reached[key] = found
        return found

    def roots(self, acts: set[int], wanted: int) -> int:
        """All that ``acts`` and ``wanted`` come from; the acts by which it gets there are added to ``acts``."""
        for act in acts:
            wanted |= self.sources[act]
        waiting, before = self.writes, -1
        while len(waiting) != before and wanted & self.targets:
            before = len(waiting)
            writes, waiting = waiting, []
            for write in writes:
                if write[0] & wanted:
                    acts.add(write[2])
                    wanted |= write[1]
                else:
                    waiting.append(write)
        return wanted

    def known(self, bits: int, tokens: Iterable[Token]) -> list[Token]:
        """Those of ``tokens`` whose bits are among these."""
        own = self.tokens
        return [token for token in tokens if own[token] & bits]
