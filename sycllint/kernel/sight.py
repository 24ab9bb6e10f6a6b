"""What a kernel may show before its values are followed: groups parted at a barrier, ids taken apart by a width.

Answered from the outlines of the kernel and of what it calls, which are read once per function of a file.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sycllint.cpp.expression import Lambda, Name, Number
from sycllint.cpp.place import Place
from sycllint.cpp.statement import Function
from sycllint.kernel.bearing import bearing
from sycllint.kernel.outline import ITEM, LANE, Division, Outline, Token
from sycllint.kernel.outlining import outline
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
    outlines: dict[int, Outline] | None
    """Of the functions that it may reach, by their identity; ``None`` when one of them cannot be followed."""


class _Answers:
    """What was worked out for one evaluator."""

    def __init__(self) -> None:
        self.outlines: dict[int, Outline] = {}
        self.sights: dict[int, Sight] = {}
        self.lanes: dict[int, tuple[Division, ...]] = {}
        """Where a local id may be taken apart, by kernel."""
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
        found = parts[id(code.function)] = bearing(outlines, lambda one: [*one.barriers, *one.unseen])
    return found


def lane_part(code: KernelCode, widths: frozenset[int]) -> frozenset[int] | None:
    """Likewise those that bear on where a local id may be divided by one of ``widths``, or its last bits taken.

    No statements, when it is divided nowhere.
    """
    outlines = sight(code).outlines
    if outlines is None:
        return None
    lanes = _answers.of(code.evaluator).lanes
    found = lanes.get(id(code.function))
    if found is None:
        found = lanes[id(code.function)] = _divisions(outlines)
    divided = {id(each) for each in found if _may_be(code, each, widths)}
    if not divided:
        return frozenset()
    return bearing(outlines, lambda one: [*one.widths, *(each.act for each in one.divisions if id(each) in divided)])


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
        return Sight(parted=True, outlines=None)
    own = outlines[id(code.function)]
    first = code.function.parameters[:1]
    is_value = any(each.type.name.last not in ITEM_TYPES for each in first)
    takers = _takers(outlines)
    differing = _reachable(outlines, takers, ITEM, {id(code.function): own.parameters[0]} if is_value else {})
    return Sight(_parts(outlines, differing), outlines)


def _divisions(outlines: dict[int, Outline]) -> tuple[Division, ...]:
    """Where what has the number of a local id, give or take something, is divided or its bits are taken."""
    if not any(one.divisions for one in outlines.values()):
        return ()
    ids = _reachable(outlines, _takers(outlines), LANE, {}, as_number=True)
    return tuple(each for key, one in outlines.items() for each in one.divisions if each.left & ids[key])


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


def _takers(outlines: dict[int, Outline]) -> dict[Token, list[int]]:
    """By which functions each token is known."""
    found: dict[Token, list[int]] = {}
    for key, one in outlines.items():
        for token in one.tokens:
            found.setdefault(token, []).append(key)
    return found


def _reachable(
    outlines: dict[int, Outline],
    takers: dict[Token, list[int]],
    seed: Token,
    own: dict[int, int],
    *,
    as_number: bool = False,
) -> dict[int, int]:
    """For each function all that ``seed``, or what is its ``own``, flows into; or only what has its number."""
    found = dict.fromkeys(outlines, 0)
    given = {key: one.tokens[seed] | own.get(key, 0) for key, one in outlines.items()}
    told = {seed}
    waiting = set(outlines)
    while waiting:
        key = waiting.pop()
        one = outlines[key]
        found[key] = one.reach(given[key], as_number=as_number)
        for token in one.known(found[key], one.written):
            if token in told:
                continue
            told.add(token)
            for each in takers[token]:
                given[each] |= outlines[each].tokens[token]
                waiting.add(each)
    return found


def _parts(outlines: dict[int, Outline], differing: dict[int, int]) -> bool:
    """Whether one of the differing values decides over a barrier, or over a call that leads to one."""
    meeting = _meeting(outlines)
    return any(
        one.sources[act] & differing[key]
        for key, one in outlines.items()
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
