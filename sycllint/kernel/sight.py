"""What a kernel may show before its values are followed: groups parted at a barrier, ids taken apart by a width.

Answered from the outlines of the kernel and of what it calls, which are read once per function of a file.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sycllint.cpp.expression import Lambda, Name, Number
from sycllint.cpp.place import Place
from sycllint.cpp.statement import Function
from sycllint.kernel.outline import ITEM, LANE, Division, Outline, Token, outline
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
    lanes: tuple[Division, ...] | None
    """Where a local id may be taken apart; ``None`` is anywhere."""


class _Answers:
    """What was worked out for one evaluator."""

    def __init__(self) -> None:
        self.outlines: dict[int, Outline] = {}
        self.sights: dict[int, Sight] = {}


_answers = Memory(lambda _: _Answers())


def sight(code: KernelCode) -> Sight:
    """What a kernel may show, whatever it is launched with."""
    answers = _answers.of(code.evaluator)
    found = answers.sights.get(id(code.function))
    if found is None:
        found = answers.sights[id(code.function)] = _sight(code, answers)
    return found


def may_divide(code: KernelCode, widths: frozenset[int]) -> bool:
    """Whether a local id may be divided by one of ``widths``, or its remainder or last bits be taken likewise."""
    lanes = sight(code).lanes
    return lanes is None or any(_may_be(code, each, widths) for each in lanes)


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
        return Sight(parted=True, lanes=None)
    given = {(id(code.function), each.name) for each in code.function.parameters[:1]}
    differing = _reachable(outlines, {ITEM, *given})
    ids = _reachable(outlines, {LANE})
    divisions = tuple(each for one in outlines.values() for each in one.divisions if not ids.isdisjoint(each.sources))
    return Sight(_parts(outlines, differing), divisions)


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
        for name in {each for each, _ in one.calls} - names:
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


def _reachable(outlines: dict[int, Outline], seeds: set[Token]) -> set[Token]:
    """All that something flows into."""
    found = set(seeds)
    waiting = list(seeds)
    every = [each.flows for each in outlines.values()]
    while waiting:
        token = waiting.pop()
        own = outlines.get(token[0]) if isinstance(token, tuple) else None
        for flows in every if own is None else (own.flows,):
            fresh = flows.get(token)
            if fresh is not None:
                waiting += fresh - found
                found |= fresh
    return found


def _parts(outlines: dict[int, Outline], differing: set[Token]) -> bool:
    """Whether one of the differing values decides over a barrier, or over a call that leads to one."""
    meeting = _meeting(outlines)
    return any(
        not differing.isdisjoint(sources)
        for one in outlines.values()
        for sources in (*one.barriers, *(sources for name, sources in one.calls if name in meeting))
    )


def _meeting(outlines: dict[int, Outline]) -> set[str]:
    """The names of functions in which a barrier or collective may be met."""
    found: set[str] = set()
    while True:
        more = {
            one.name
            for one in outlines.values()
            if one.name not in found and (one.barriers or any(name in found for name, _ in one.calls))
        }
        if not more:
            return found
        found |= more
