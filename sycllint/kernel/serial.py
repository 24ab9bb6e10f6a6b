"""Loops of a kernel as work: those that one work-item alone walks, and those that are unrolled by request."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from sycllint.cpp.expression import Assign, Index, Name
from sycllint.cpp.node import Node, walk
from sycllint.cpp.place import Place
from sycllint.cpp.statement import Evaluate, Loop
from sycllint.kernel.counted import Counted, counted, trips
from sycllint.kernel.once import once_per_function
from sycllint.kernel.reading import Body
from sycllint.kernel.spelling import spelled
from sycllint.record import record
from sycllint.source.span import Location
from sycllint.values.value import known

if TYPE_CHECKING:
    from sycllint.kernel.analyses import KernelCode

_ELSEWHERE = ("fpga", "cpu_selector", "host_selector", "pipe", "emulator")
"""Parts of names that stand for other devices than GPUs, where one work-item is the right number."""


_SHORT = 2
"""Statements of a body of which no number of copies is worth a word."""


@record
class SerialLoop:
    """A loop of a single work-item that writes one element of an array after the other."""

    location: Location
    array: str
    trips: int | None


@record
class UnrolledLoop:
    """A loop with ``#pragma unroll`` and no factor."""

    location: Location
    trips: int | None
    """Of the loop and those inside it that are unrolled too; ``None`` when unknown."""
    statements: int


def serial_loops(code: "KernelCode") -> Iterator[SerialLoop]:
    """The loops of a kernel with one work-item, on what may be a GPU."""
    geometry = code.geometry
    one_item = geometry.whole is not None and all(known(each) == 1 for each in geometry.whole)
    if not code.scan.loops or not (one_item or geometry.dims == 0):
        return
    found = [each for body in code.bodies for each in _element_loops(code, body)]
    if found and not _is_elsewhere(code):
        yield from found


def _element_loops(code: "KernelCode", body: Body) -> Iterator[SerialLoop]:
    for spot in body.of(Loop):
        loop, place = spot
        counter = counted(loop)
        if counter is None or any(isinstance(each, Loop) for each in _inside_function(place, body)):
            continue
        array = _written_array(body, counter)
        if array is not None:
            yield SerialLoop(code.reading.location(spot), array, trips(counter, code.evaluator, place))


def _inside_function(place: Place, body: Body) -> Iterator[Node]:
    for node in place.chain():
        if node is body.function:
            return
        yield node


def _written_array(body: Body, counter: Counted) -> str | None:
    """The array of which the loop writes the elements one by one, each without the others."""
    writes: dict[str, set[str | None]] = {}
    for node in walk(counter.loop.body):
        if isinstance(node, Assign) and isinstance(node.left, Index) and isinstance(node.left.object, Name):
            indices = {spelled(each) for each in node.left.indices}
            writes.setdefault(node.left.object.text, set()).update(indices)
    for array, indices in writes.items():
        if indices != {counter.variable}:
            continue
        used = {
            spelled(each)
            for node in walk(counter.loop.body)
            if isinstance(node, Index) and isinstance(node.object, Name) and node.object.text == array
            for each in node.indices
        }
        if used == {counter.variable}:
            return array
    return None


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
    """Loops that are to be unrolled whole."""
    for body in code.bodies:
        for spot in body.of(Loop):
            loop, place = spot
            if not _is_unrolled(loop) or any(_is_unrolled(each) for each in _inside_function(place, body)):
                continue
            statements = sum(isinstance(node, Evaluate) for node in walk(loop.body))
            if statements <= _SHORT and not any(isinstance(each, Loop) for each in loop.body.statements):
                continue
            yield UnrolledLoop(code.reading.location(spot), _copies(code, loop, place), statements)


def _is_unrolled(node: Node) -> bool:
    return isinstance(node, Loop) and node.pragma.split()[-1:] == ["unroll"]


def _copies(code: "KernelCode", loop: Loop, place: Place) -> int | None:
    """How often the innermost statement is written out."""
    counter = counted(loop)
    number = trips(counter, code.evaluator, place) if counter is not None else None
    if number is None:
        return None
    inside = Place(loop.body, Place(loop, place))
    inner = [each for each in loop.body.statements if isinstance(each, Loop) and _is_unrolled(each)]
    for each in inner:
        copies = _copies(code, each, inside)
        if copies is None:
            return None
        number *= copies
    return number
