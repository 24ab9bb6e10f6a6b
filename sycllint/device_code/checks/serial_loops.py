"""Loops of a kernel as work: those that one work-item alone walks, and those that are unrolled by request."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, TypeGuard

from sycllint.cpp.expression import Lambda, Name
from sycllint.cpp.node import Node, walk
from sycllint.cpp.place import Place
from sycllint.cpp.statement import CONST, CONSTEXPR, STATIC, Evaluate, Function, FunctionParameter, Loop, Variable
from sycllint.device_code.bodies.trip_counts import Counted, counted, trips
from sycllint.device_code.once import once_per_function
from sycllint.ir import ops
from sycllint.ir.body import VARIABLES, Body, Local
from sycllint.ir.ops import NONE
from sycllint.record import record
from sycllint.source.span import Location
from sycllint.values.objects import Point
from sycllint.values.value import known

if TYPE_CHECKING:
    from sycllint.device_code.code import KernelCode

_ELSEWHERE = ("fpga", "cpu_selector", "host_selector", "pipe", "emulator")
"""Parts of names that stand for other devices than GPUs, where one work-item is the right number."""


@record
class SerialLoop:
    """A loop of a single work-item that writes one element of an array after the other."""

    location: Location
    array: str
    trips: int | None


@record
class UnrolledLoop:
    """A loop with ``#pragma unroll`` and no factor, whose trips the compiler knows or surely cannot know."""

    location: Location
    trips: int | None
    """Of the loop and those inside it that are unrolled too; ``None`` for a number that only the run knows."""
    statements: int
    bound: str = ""
    """The captured variable that sets how often it turns, when that is a number of the run."""


def serial_loops(code: "KernelCode") -> Iterator[SerialLoop]:
    """The loops of a kernel with one work-item, on what may be a GPU."""
    geometry = code.geometry
    one_item = geometry.whole is not None and all(known(each) == 1 for each in geometry.whole)
    if not code.scan.loops or not (one_item or geometry.dims == 0):
        return
    found = [each for body in code.lowered for each in _element_loops(code, body)]
    if found and not _is_elsewhere(code):
        yield from found


def _element_loops(code: "KernelCode", body: Body) -> Iterator[SerialLoop]:
    for position in body.at(ops.LOOP):
        loop, _ = body.origin(position)
        place = _outside(body, position)
        counter = counted(loop) if isinstance(loop, Loop) else None
        if counter is None or any(isinstance(each, Loop) for each in _inside_function(place)):
            continue
        array = _written_array(body, position, counter)
        if array is not None:
            yield SerialLoop(code.location(body, position), array, trips(counter, code.evaluator, place))


def _outside(body: Body, loop: int) -> Place:
    """The place of a loop itself, whose instructions stand in the region that it begins."""
    outer = body.around_of(loop).outer
    assert outer is not None
    return outer


def _inside_function(place: Place) -> Iterator[Node]:
    for node in place.chain():
        if isinstance(node, Function | Lambda):
            return
        yield node


def _written_array(body: Body, loop: int, counter: Counted) -> str | None:
    """The array of which the loop writes the elements one by one, each without the others."""
    inside = range(body.b[loop] + 1, body.extra[loop])
    elements = [each for each in inside if body.op[each] == ops.ELEM and body.op[body.a[each]] in VARIABLES]
    for write in inside:
        if body.op[write] not in (ops.WRITE, ops.UPDATE) or body.a[write] not in elements:
            continue
        array = body.root(body.a[write])
        own = [each for each in elements if body.root(each) == array]
        if all(_is_counter(body, each, counter) for each in own) and not _is_carried(body, loop, write, counter):
            return array.name if isinstance(array, Local) else array
    return None


def _is_carried(body: Body, loop: int, write: int, counter: Counted) -> bool:
    """Whether what is written depends on what an earlier step left, as in a prefix sum or a recurrence."""
    inside = range(body.b[loop] + 1, body.extra[loop])
    waiting, seen = [body.b[write]], set[int]()
    while waiting:
        value = waiting.pop()
        if value == NONE or value in seen:
            continue
        seen.add(value)
        code = body.op[value]
        if code == ops.LOAD and body.locals[body.a[value]].name != counter.variable:
            begun, stored = _changes(body, inside, body.a[value])
            if stored and not begun and not any(_is_before(body, each, value) for each in stored):
                return True
            waiting += [body.b[each] for each in (*begun, *stored) if each < value or begun]
        elif _is_left_over(body, inside, value) or _is_of_state(body, inside, value):
            return True
        waiting += body.operands(value)
    return False


def _is_before(body: Body, store: int, load: int) -> bool:
    """Whether each way through a step that leads to ``load`` passes ``store``."""
    number = body.region[load]
    while number != body.region[store] and body.regions[number].parent != number:
        number = body.regions[number].parent
    return store < load and number == body.region[store]


def _changes(body: Body, inside: range, slot: int) -> tuple[list[int], list[int]]:
    """Where a variable begins inside a loop, and where it is set there."""
    found = [each for each in inside if body.op[each] in (ops.DECL, ops.STORE) and body.a[each] == slot]
    return [each for each in found if body.op[each] == ops.DECL], [each for each in found if body.op[each] == ops.STORE]


def _is_left_over(body: Body, inside: range, read: int) -> bool:
    """Whether a read may get what an earlier step wrote: to one place, further on in the loop, and not before."""
    root = body.root(read) if body.op[read] == ops.READ else None
    if root is None or (body.op[body.a[read]] == ops.ELEM and not _is_fixed(body, inside, body.a[read])):
        return False
    writes = [each for each in inside if body.op[each] in (ops.WRITE, ops.UPDATE) and body.root(body.a[each]) == root]
    return bool(writes) and all(each > read or body.op[each] == ops.UPDATE for each in writes)


def _is_fixed(body: Body, inside: range, element: int) -> bool:
    """Whether an element is the same in each step."""
    return body.extra[element] == NONE and body.op[body.b[element]] in (ops.CONST, ops.CAPTURE, ops.GLOBAL)


def _is_of_state(body: Body, inside: range, call: int) -> bool:
    """Whether a call may change an object from outside the loop: a generator of numbers, or what its address is of."""
    if body.op[call] != ops.CALL:
        return False
    given = [each for each in body.list(call) if body.op[each] == ops.ADDR_LOCAL]
    if body.a[call] != NONE and body.op[body.a[call]] in (ops.LOAD, ops.ADDR_LOCAL):
        given.append(body.a[call])
    return any(not _changes(body, inside, body.a[each])[0] for each in given)


def _is_counter(body: Body, element: int, counter: Counted) -> bool:
    """Whether an element is the one at the counter."""
    index = body.local(body.b[element])
    return body.extra[element] == NONE and index is not None and index.name == counter.variable


def _is_elsewhere(code: "KernelCode") -> bool:
    """Whether the file speaks of FPGAs or of the host as a device."""
    facts = code.evaluator.facts
    if "fpga" in facts.main.path.lower():
        return True
    for file in facts.files:
        if any("fpga" in each.path.lower() or "ac_types" in each.path for each in file.includes):
            return True
        for node in walk(file.unit):
            if isinstance(node, Name) and any(word in node.text.lower() for word in _ELSEWHERE):
                return True
    return False


@once_per_function
def unrolled_loops(code: "KernelCode") -> Iterator[UnrolledLoop]:
    """Loops that are to be unrolled whole; none of which it is not known whether the compiler knows the trips."""
    for body in code.lowered:
        for position in body.at(ops.LOOP):
            loop, place = body.node[position], _outside(body, position)
            if not _is_unrolled(loop) or any(_is_unrolled(each) for each in _inside_function(place)):
                continue
            inside = range(position, body.extra[position])
            statements = sum(body.op[each] == ops.DROP and isinstance(body.node[each], Evaluate) for each in inside)
            bound = _set_at_run_time(code, loop, place)
            copies = None if bound else _copies(code, loop, place)
            if bound or copies is not None:
                yield UnrolledLoop(code.location(body, position), copies, statements, bound)


def _is_unrolled(node: Node) -> TypeGuard[Loop]:
    return isinstance(node, Loop) and node.pragma.split()[-1:] == ["unroll"]


def _copies(code: "KernelCode", loop: Loop, place: Place) -> int | None:
    """How often the innermost statement is written out; ``None`` when that is not known."""
    counter = counted(loop)
    number = trips(counter, code.evaluator, place) if counter is not None else None
    if number is None or _set_at_run_time(code, loop, place):
        return None
    inside = Place(loop.body, Place(loop, place))
    inner = [each for each in loop.body.statements if isinstance(each, Loop) and _is_unrolled(each)]
    for each in inner:
        copies = _copies(code, each, inside)
        if copies is None:
            return None
        number *= copies
    return number


def _set_at_run_time(code: "KernelCode", loop: Loop, place: Place) -> str:
    """The variable that makes the trips a number of the run: one that the kernel captures and is no constant."""
    counter = counted(loop)
    if counter is None or not any(each is code.function for each in place.chain()):
        # What a function is given may be a constant once it is inlined.
        return ""
    for expression in (counter.bound, counter.first, counter.step):
        for node in walk(expression) if expression is not None else ():
            if isinstance(node, Name) and _is_captured_number(code, node, place):
                return node.text
    return ""


def _is_captured_number(code: "KernelCode", name: Name, place: Place) -> bool:
    found = code.evaluator.declarations.nearest(name.text, Point(place, name.start))
    if found is None or any(each is code.function for each in found[1].chain()):
        return False
    node = found[0]
    if not isinstance(node, Variable | FunctionParameter) or not any(
        isinstance(each, Function) for each in found[1].chain()
    ):
        return False
    integer = code.evaluator.types.kind(node.type.name, found[1]).integer
    constant = node.type.constant or (isinstance(node, Variable) and bool(node.flags & (CONST | CONSTEXPR | STATIC)))
    return integer is not None and not constant and not node.type.pointers
