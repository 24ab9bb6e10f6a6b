"""Private arrays that would be smaller if declared otherwise: of vectors used by component, of wide counters."""

import re
from collections.abc import Iterator

from sycllint.cpp.expression import Assign, Brace, Call, Expr, Increment, Index, Lambda, Member, Name
from sycllint.cpp.node import Node, children, walk
from sycllint.cpp.place import Place, macros_around
from sycllint.cpp.statement import CONST, CONSTEXPR, STATIC, Function, Loop, RangeLoop, Variable
from sycllint.device_code.bodies.instruction_index import Spot
from sycllint.device_code.bodies.reading import DeviceFunction
from sycllint.device_code.bodies.trip_counts import trips_of
from sycllint.device_code.code import KernelCode
from sycllint.device_code.once import once_per_function
from sycllint.record import record
from sycllint.source.span import Location
from sycllint.values.objects import Point
from sycllint.values.side_effects.library import BY_VALUE
from sycllint.values.value import known

_VECTOR = re.compile(r"(?:float|double|half|u?int|u?short|u?char|u?long)(?:2|3|4|8|16)|vec")
_COMPONENT = re.compile(r"[xyzwrgba]|s[0-9A-Fa-f]")
_ATOMIC = frozenset({"fetch_add", "fetch_sub", "fetch_min", "fetch_max", "fetch_or", "fetch_and", "store", "exchange"})
"""Members of atomics, which take values."""
_WIDE = 64
_NARROW_MAXIMUM = 2**31 - 1
"""What a signed integer of 32 bits holds."""


@record
class VectorArray:
    """A private array of vectors of which the kernel only ever names components."""

    name: str
    element: str
    bytes: int
    location: Location


@record
class WideArray:
    """A private array of 64-bit integers whose elements surely stay below what 32 bits hold."""

    name: str
    element: str
    bytes: int
    most: int
    """The largest number that an element may reach."""
    location: Location


@once_per_function
def private_arrays(code: KernelCode) -> Iterator[VectorArray | WideArray]:
    """Such arrays of one kernel and of what it calls."""
    for body in code.bodies:
        for spot in body.of(Variable):
            variable = spot.node
            plain = not variable.flags & (STATIC | CONST | CONSTEXPR) and not variable.type.pointers
            if plain and variable.type.extents and not variable.type.reference:
                found = _seen(code, body, spot)
                if found is not None:
                    yield found


def _seen(code: KernelCode, body: DeviceFunction, spot: Spot[Variable]) -> VectorArray | WideArray | None:
    variable, place = spot
    kind = code.evaluator.types.kind(variable.type.name, place)
    vector = _VECTOR.fullmatch(kind.sycl) is not None
    wide = kind.integer is not None and kind.integer.bits == _WIDE
    if not vector and not wide:
        return None
    size = known(code.evaluator.sizes.of_type(variable.type, Point(place, variable.start)))
    if not size or sum(each.name == variable.name for each, _ in body.of(Variable)) > 1 or any(macros_around(place)):
        return None
    location = code.reading.location(spot)
    element = variable.type.name.text
    if vector:
        named = sum(isinstance(each, Name) and each.text == variable.name for each in walk(body.function))
        by_component = _components(body.function, variable.name)
        return VectorArray(variable.name, element, size, location) if named and named == by_component else None
    most = _most(code, body, spot)
    return WideArray(variable.name, element, size, most, location) if most is not None else None


def _root(value: Expr) -> str:
    """The array of ``a[i][j]``; empty for what is no element."""
    if not isinstance(value, Index):
        return ""
    while isinstance(value, Index):
        value = value.object
    return value.text if isinstance(value, Name) else ""


def _components(function: Node, name: str) -> int:
    """How often a component of an element is named: ``v[i].x()`` and ``v[i].x``."""
    return sum(
        isinstance(each, Member) and _root(each.object) == name and _COMPONENT.fullmatch(each.name) is not None
        for each in walk(function)
    )


# ------------------------------------------------------------------ wide counters


def _most(code: KernelCode, body: DeviceFunction, spot: Spot[Variable]) -> int | None:
    """The largest number that an element may reach; ``None`` when it is more than 32 bits hold, or not known."""
    name = spot.node.name
    total = 0
    for value in spot.node.arguments:
        first = _largest_in(code, value, spot.place)
        if first is None:
            return None
        total = max(total, first)
    changes = 0
    for node, place in _uses(body.function, body.place, name):
        added = _added(code, node, place)
        times = _times(code, place, spot.place.node) if added else 0
        if added is None or times is None:
            return None
        changes += added > 0
        total += added * times
    return total if changes and total <= _NARROW_MAXIMUM else None


def _largest_in(code: KernelCode, value: Expr, place: Place) -> int | None:
    """The largest of the numbers in an initialiser; ``{}`` has none but 0."""
    parts = value.elements if isinstance(value, Brace) else (value,)
    numbers = [known(code.evaluator.value(each, Point(place, value.start))) for each in parts]
    exact = [each for each in numbers if each is not None and 0 <= each <= _NARROW_MAXIMUM]
    return max(exact, default=0) if len(exact) == len(numbers) else None


def _uses(function: Node, place: Place, name: str) -> Iterator[tuple[Node, Place]]:
    """What is done to the array: the assignment or increment of an element, the element that is read, the bare name."""
    stack = [(each, place) for each in children(function)]
    while stack:
        node, around = stack.pop()
        here = Place(node, around)
        match node:
            case Assign(left=left, right=right) if _root(left) == name:
                yield node, around
                stack += [(right, here), *((each, here) for each in _subscripts(left))]
            case Increment(operand=operand) if _root(operand) == name:
                yield node, around
                stack += [(each, here) for each in _subscripts(operand)]
            case Index() if _root(node) == name:
                yield node, around
                stack += [(each, here) for each in _subscripts(node)]
            case Name(text=text) if text == name:
                yield node, around
            case _:
                stack += [(each, here) for each in children(node)]


def _subscripts(value: Expr) -> Iterator[Expr]:
    while isinstance(value, Index):
        yield from value.indices
        value = value.object


def _added(code: KernelCode, node: Node, place: Place) -> int | None:
    """By how much a use may make an element larger; ``None`` when that is not known."""
    match node:
        case Increment(operator="++"):
            return 1
        case Assign(operator="=" | "+=", right=right):
            number = known(code.evaluator.value(right, Point(place, right.start)))
            return number if number is not None and 0 <= number <= _NARROW_MAXIMUM else None
        case Index():
            return None if _gets_out(node, place) else 0
        case _:
            return None


def _gets_out(node: Node, place: Place) -> bool:
    """Whether an element that is read may be changed where it goes: its address is taken, or a function gets it."""
    around = place.node
    if getattr(around, "operator", "") == "&" and len(children(around)) == 1:
        return True
    if isinstance(around, Variable):
        return around.type.reference
    return isinstance(around, Call) and any(each is node for each in around.arguments) and not _takes_values(around)


def _takes_values(call: Call) -> bool:
    match call.function:
        case Member(name=name):
            return name in _ATOMIC
        case Name() as function:
            return function.last in BY_VALUE
        case _:
            return False


def _times(code: KernelCode, place: Place, until: Node) -> int | None:
    """How often the code at ``place`` runs while the array lives: the trips of the loops inside its block."""
    times = 1
    current: Place | None = place
    while current is not None and current.node is not until:
        node, outer = current.node, current.outer
        if isinstance(node, RangeLoop | Lambda | Function):
            return None
        if isinstance(node, Loop):
            number = trips_of(node, code.evaluator, outer)
            if number is None:
                return None
            times *= number
        current = outer
    return times if current is not None else None
