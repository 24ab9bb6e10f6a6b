"""What a kernel may show before its values are followed: groups parted at a barrier, ids taken apart by a width.

Answered from the outlines of the kernel and of what it calls, which are read once per function of a file.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sycllint.cpp.expression import Lambda, Name, Number
from sycllint.cpp.place import Place
from sycllint.cpp.statement import Function
from sycllint.kernel.bearing import bearing
from sycllint.kernel.outline import ITEM, LANE, Division, Outline, Token, outline
from sycllint.kernel.vocabulary import ITEM_TYPES
from sycllint.record import NamedTuple
from sycllint.values.arithmetic import Scalar, literal
from sycllint.values.memory import Memory
from sycllint.values.objects import Closure, Point
from sycllint.values.value import Known

if TYPE_CHECKING:
    from sycllint.kernel.analyses import KernelCode

MAX_FUNCTIONS = 200
"""Functions of one kernel; beyond them anything may be the case."""


class Sight(NamedTuple):
    """What follows from the outlines of one kernel."""

    parted: bool
    """Something that differs in a group may decide whether a barrier or collective is met."""
    lanes: tuple[Division, ...]
    """Where a local id may be taken apart, as far as the kernel can be followed."""
    outlines: dict[int, Outline] | None
    """Of the functions that it may reach, by their identity; ``None`` when one of them cannot be followed."""


class _Answers:
    """What was worked out for one evaluator."""

    def __init__(self) -> None:
        self.outlines: dict[int, Outline] = {}
        self.sights: dict[int, Sight] = {}
        self.parts: dict[int, frozenset[int]] = {}
        """The statements that bear on barriers."""


_answers = Memory(lambda _: _Answers())


def sight(code: KernelCode) -> Sight:
    """What a kernel may show, whatever it is launched with."""
    answers = _answers.of(code.evaluator)
    found = answers.sights.get(id(code.function))
    if found is None:
        found = answers.sights[id(code.function)] = _sight(code, answers)
    return found


def barrier_part(code: KernelCode) -> frozenset[int] | None:
    """The statements, by identity, that bear on the barriers and collectives of a kernel; ``None`` is all."""
    outlines = sight(code).outlines
    if outlines is None:
        return None
    parts = _answers.of(code.evaluator).parts
    found = parts.get(id(code.function))
    if found is None:
        found = parts[id(code.function)] = bearing(outlines, lambda one: one.barriers)
    return found


def lane_part(code: KernelCode, widths: frozenset[int]) -> frozenset[int] | None:
    """Likewise those that bear on where a local id may be divided by one of ``widths``, or its last bits taken.

    No statements, when it is divided nowhere.
    """
    outlines, lanes = sight(code).outlines, sight(code).lanes
    if outlines is None:
        return None
    divided = {id(each.act) for each in lanes if _may_be(code, each, widths)}
    if not divided:
        return frozenset()
    return bearing(
        outlines, lambda one: [*one.widths, *(each.act for each in one.divisions if id(each.act) in divided)]
    )


def _may_be(code: KernelCode, division: Division, widths: frozenset[int]) -> bool:
    right = division.node.right
    result: object = None
    if isinstance(right, Number):
        result = literal(right.text)
    elif isinstance(right, Name):
        result = code.evaluator.evaluate(right, Point(division.place, right.start))
    if not isinstance(result, Scalar) or not isinstance(result.value, Known):
        return not isinstance(right, Number)
    number = result.value.value
    match division.node.operator:
        case "&":
            return number + 1 in widths
        case ">>":
            return 0 <= number < 32 and 1 << number in widths
        case _:
            return number in widths


def _sight(code: KernelCode, answers: _Answers) -> Sight:
    outlines = _reached(code, answers)
    if outlines is None:
        return Sight(parted=True, lanes=(), outlines=None)
    first = code.function.parameters[:1]
    is_value = any(each.type.name.last not in ITEM_TYPES for each in first)
    given = outlines[id(code.function)].parameters[:1] if is_value else ()
    taking = _taking(outlines)
    differing = _reachable(outlines, taking, {ITEM, *given})
    ids = _reachable(outlines, taking, {LANE})
    divisions = tuple(each for one in outlines.values() for each in one.divisions if not ids.isdisjoint(each.sources))
    return Sight(_parts(outlines, differing), divisions, outlines)


def _reached(code: KernelCode, answers: _Answers) -> dict[int, Outline] | None:
    """The outlines of a kernel and of all functions it may call; ``None`` when one of them is open."""
    unit = code.evaluator.facts
    found: dict[int, Outline] = {}
    names: set[str] = set()
    waiting: list[tuple[Lambda | Function, Place]] = [(code.function, code.place)]
    while waiting:
        function, place = waiting.pop()
        key = id(function)
        one = answers.outlines.get(key)
        if one is None:
            one = answers.outlines[key] = outline(unit, function, place)
        if one.open or len(found) > MAX_FUNCTIONS or any(_is_closure(code, each, place) for each in one.outside):
            return None
        found[key] = one
        for name in one.calling.keys() - names:
            names.add(name)
            waiting += [
                (each.node, each.place)
                for each in unit.functions.get(name)
                if each.node.body is not None and id(each.node) not in found
            ]
    return found


def _is_closure(code: KernelCode, name: Name, place: Place) -> bool:
    """Whether a function that is called is a lambda made outside the kernel."""
    return isinstance(code.evaluator.lookup.name(name, Point(place, name.start)), Closure)


def _taking(outlines: dict[int, Outline]) -> dict[Token, list[set[Token]]]:
    """For what no function declares as its own, where it goes in each of them."""
    found: dict[Token, list[set[Token]]] = {}
    for one in outlines.values():
        for token in one.taken:
            found.setdefault(token, []).append(one.flows[token])
    return found


def _reachable(outlines: dict[int, Outline], taking: dict[Token, list[set[Token]]], seeds: set[Token]) -> set[Token]:
    """All that something flows into."""
    found = set(seeds)
    waiting = list(seeds)
    while waiting:
        token = waiting.pop()
        own = outlines.get(token[0]) if isinstance(token, tuple) else None
        for fresh in taking.get(token, ()) if own is None else (own.flows.get(token, ()),):
            waiting += [each for each in fresh if each not in found]
            found.update(fresh)
    return found


def _parts(outlines: dict[int, Outline], differing: set[Token]) -> bool:
    """Whether one of the differing values decides over a barrier, or over a call that leads to one."""
    meeting = _meeting(outlines)
    return any(
        not differing.isdisjoint(act.sources)
        for one in outlines.values()
        for acts in (one.barriers, *(acts for name, acts in one.calling.items() if name in meeting))
        for act in acts
    )


def _meeting(outlines: dict[int, Outline]) -> set[str]:
    """The names of functions in which a barrier or collective may be met."""
    found = {one.name for one in outlines.values() if one.barriers}
    while True:
        more = {one.name for one in outlines.values() if not found.isdisjoint(one.calling)} - found
        if not more:
            return found
        found |= more
