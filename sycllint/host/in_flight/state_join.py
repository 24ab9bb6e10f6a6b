"""Join of the walk states of several paths through a function."""

from collections.abc import Mapping, Sequence
from typing import TypeVar

from sycllint.host.scopes.things import Allocator, Command, Flight, Freed, Kind, QueueOrder, Thing, WalkState
from sycllint.record import replace

Key = TypeVar("Key")
Each = TypeVar("Each")


def joined(before: WalkState, ends: Sequence[WalkState], region: int, assumptions: Sequence[str] = ()) -> WalkState:
    """The join of the states of several paths; those that have ended do not come here.

    ``region`` is the branch they join in. An assumption, for each of ``ends``, is what it takes to go that way.
    """
    notes = assumptions or ("",) * len(ends)
    live = [(state, note) for state, note in zip(ends, notes, strict=True) if not state.over]
    if not live:
        # A function's own ends are copies that have not ended: this is code that is not reached.
        return ends[-1] if ends else before
    if len(live) == 1:
        return _only_way(before, live[0][0], region)
    states = [state for state, _ in live]
    if states.count(states[0]) == len(states):
        return states[0]
    delivered = [state for state, note in live if not note] or states
    known = WalkState(
        things=_same([each.things for each in states]),
        outer=_same([each.outer for each in states]),
        locks=_in_all([each.locks for each in states]),
        blocked=_in_all([each.blocked for each in states]),
        stale=_in_all([each.stale for each in states]),
        finished=_united([each.finished for each in states]),
        moved=_united([each.moved for each in states]),
        written=_united([each.written for each in states]),
        keeping=_united([each.keeping for each in states]),
        freed=_on_all_ways([each.freed for each in states]),
        recording=True in [each.recording for each in states],
    )
    # Which of several memories a pointer has now is not known: it may be one that was written.
    if known.things is not states[0].things:
        known.written |= frozenset(each for name, each in known.things.items() if each is not states[0].things[name])
    assumption = next((note for _, note in live if note), "")
    known.flights = _flights(before, states, delivered, known.finished, region, assumption)
    return known


def _in_all(known: Sequence[tuple[Each, ...]]) -> tuple[Each, ...]:
    first, *others = known
    return tuple([each for each in first if all(each in other for other in others)]) if first else first


def _on_all_ways(freed: Sequence[Mapping[Thing, Freed]]) -> Mapping[Thing, Freed]:
    first, *others = freed
    return {each: where for each, where in first.items() if all(each in other for other in others)} if first else first


def _united(sets: Sequence[frozenset[Each]]) -> frozenset[Each]:
    first, *others = sets
    return first if others.count(first) == len(others) else first.union(*others)


def _only_way(before: WalkState, state: WalkState, region: int) -> WalkState:
    """The others have ended: what was submitted on this way is as sure from here on as what comes after it."""
    for command, flight in state.flights.items():
        if command not in before.flights and flight.begun != region and flight.region is None:
            state.flights[command] = replace(flight, begun=region)
    return state


def _flights(
    before: WalkState,
    states: list[WalkState],
    delivered: list[WalkState],
    finished: frozenset[Command],
    region: int,
    assumption: str,
) -> dict[Command, Flight]:
    """What may be in flight; what was in flight on all ways that are ``delivered`` is so under an assumption."""
    found: dict[Command, Flight] = {}
    flights = [each.flights for each in states]
    if flights.count(flights[0]) == len(flights):
        return flights[0]
    everywhere = set(states[0].flights).intersection(*(each.flights for each in states[1:]))
    for state in states:
        for command, flight in state.flights.items():
            if command in found:
                continue
            if command in everywhere:
                # Whatever is doubtful on one way is so from here on.
                found[command] = next((each.flights[command] for each in states if each.flights[command].doubt), flight)
            elif command not in before.flights:
                if command not in finished:
                    found[command] = replace(flight, region=region)
            elif all(command in each.flights for each in delivered):
                found[command] = replace(flight, assumption=assumption)
    return found


def _same(maps: Sequence[dict[Key, Thing]]) -> dict[Key, Thing]:
    """Names that are known on all ways; one with several values stands for something new."""
    first, *others = maps
    count = len(others)
    if others.count(first) == count:
        return first
    found: dict[Key, Thing] = {}
    for name, thing in first.items():
        values = [other[name] for other in others if name in other]
        if values.count(thing) == count:
            found[name] = thing
        elif len(values) == count:
            found[name] = _either([thing, *values])
    return found


def _either(things: Sequence[Thing]) -> Thing:
    """A variable that has one of several values; alike in what they have in common."""
    first = things[0]
    if any(each.kind is not first.kind for each in things):
        return Thing(first.name, Kind.OTHER, first.location, first.block)
    orders = {each.order for each in things}
    origins = {each.origin for each in things}
    return Thing(
        first.name,
        first.kind,
        first.location,
        block=first.block,
        automatic=all(each.automatic for each in things),
        leaves=all(each.leaves for each in things),
        # How many events a list has is no longer known where ways of other lengths meet.
        constant=first.kind is not Kind.EVENT and all(each.constant for each in things),
        order=orders.pop() if len(orders) == 1 else QueueOrder.UNKNOWN,
        own=all(each.own for each in things),
        origin=origins.pop() if len(origins) == 1 else Allocator.UNKNOWN,
        allocated=first.allocated,
        holds_queue=any(each.holds_queue for each in things),
        type_name=first.type_name,
        written=first.written,
        owner=first.owner,
        hidden=any(each.hidden for each in things),
    )
