"""Loops of a kernel as work: those that one work-item alone walks, and those that are unrolled by request."""

from collections.abc import Iterator
from typing import TypeGuard

from sycllint.cpp.expression import Lambda, Name
from sycllint.cpp.node import Node, walk
from sycllint.cpp.place import Place
from sycllint.cpp.statement import CONST, CONSTEXPR, STATIC, Evaluate, Function, FunctionParameter, Loop, Variable
from sycllint.device_code.bodies.trip_counts import Counted, counted, trips, trips_of
from sycllint.device_code.code import KernelCode
from sycllint.device_code.once import once_per_function
from sycllint.ir import ops
from sycllint.ir.body import Body, Local
from sycllint.ir.ops import NONE
from sycllint.record import record
from sycllint.source.span import Location
from sycllint.values.objects import Point
from sycllint.values.value import known

_ELSEWHERE = ("fpga", "cpu_selector", "host_selector", "pipe", "emulator")
"""Parts of names that stand for other devices than GPUs, where one work-item is the right number."""
_COMBINING = frozenset({"+=", "*=", "&=", "|=", "^="})
"""Operators by which a sum may be taken in any order."""
_LEAVING = frozenset({ops.BREAK, ops.CONTINUE, ops.RETURN, ops.THROW, ops.GOTO})
_PERHAPS = frozenset({ops.IF, ops.SWITCH, ops.LOOP, ops.TRY, ops.VARIANT})
"""What an iteration need not run whole, or once."""
_FROM_MEMORY = frozenset({ops.READ, ops.CALL, ops.UNSEEN})
"""What a test may depend on other than counters."""
_EXTREMES = frozenset({"min", "max", "fmin", "fmax"})


@record
class SerialLoop:
    """A loop of a single work-item over an array, whose steps need no order."""

    location: Location
    array: str
    trips: int | None
    """Of the loop, times those of the loops inside it as far as these are known."""
    is_combined: bool
    """It adds up; otherwise each step writes elements of its own."""


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
    evaluator, outer = code.evaluator, code.evaluator.frame
    found = list[SerialLoop]()
    for each in code.bodies:
        evaluator.frame = each.frame(outer)
        for body in each.lowered.whole() if not each.function.damaged else ():
            found += _element_loops(code, body)
    evaluator.frame = outer
    if found and not _is_elsewhere(code):
        yield from found


def _element_loops(code: "KernelCode", body: Body) -> Iterator[SerialLoop]:
    for position in body.at(ops.LOOP):
        is_counted = _counter(body, position) is not None or bool(_stepped(body, position))
        if not is_counted or any(isinstance(each, Loop) for each in _inside_function(_outside(body, position))):
            continue
        nest = _Nest(body, position)
        array, is_combined = nest.written(), False
        if array is None:
            array, is_combined = nest.combined(), True
        if array is not None:
            yield SerialLoop(code.location(body, position), array, _steps(code, body, position), is_combined)


def _counter(body: Body, loop: int) -> Counted | None:
    node = body.node[loop]
    return counted(node) if isinstance(node, Loop) else None


def _stepped(body: Body, loop: int) -> frozenset[int]:
    """The variables that each iteration moves by one, where these alone end the loop: ``while (p != end)``."""
    inside, test = range(loop + 1, body.extra[loop]), body.b[loop]
    if any(body.op[each] in _LEAVING for each in inside):
        return frozenset()
    found = set[int]()
    for each in inside:
        if body.op[each] == ops.STORE and not any(
            body.op[around] in _PERHAPS and around < each < body.extra[around] for around in inside
        ):
            step, slot = body.b[each], body.a[each]
            is_one = body.op[step] == ops.UNARY and body.name(step) in ("++", "--")
            if is_one and _changes(body, inside, slot) == ([], [each]):
                found.add(slot)
    asked = [*body.made_of(body.a[test])]
    if any(body.op[each] in _FROM_MEMORY for each in asked):
        return frozenset()
    loads = [body.a[each] for each in asked if body.op[each] == ops.LOAD]
    is_ended = any(each in found for each in loads)
    fixed = (each in found or not any(_changes(body, inside, each)) for each in loads)
    return frozenset(found) if is_ended and all(fixed) else frozenset()


def _steps(code: "KernelCode", body: Body, loop: int) -> int | None:
    """How often the innermost of the loops runs whose trips are known; ``None`` where those of the first are not."""
    counter = _counter(body, loop)
    own = trips(counter, code.evaluator, _outside(body, loop)) if counter is not None else None
    inner = body.inside(loop, ops.LOOP)
    return None if own is None else own * max((_steps(code, body, each) or 1 for each in inner), default=1)


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


class _Nest:
    """A loop with those inside it: which elements its steps write, and what they need of one another."""

    def __init__(self, body: Body, loop: int) -> None:
        self._body = body
        self._inside = range(body.b[loop] + 1, body.extra[loop])
        self._counters = {
            slot for each in body.at(ops.LOOP) if each in (loop, *self._inside) for slot in self._counts(each)
        }
        self._own = self._counts(loop)
        elements = [each for each in self._inside if body.op[each] == ops.ELEM or self._is_pointed_to(each)]
        bases = {self._under(body.a[each]) for each in elements}
        self._elements = [each for each in elements if each not in bases]
        """Each with all its indices."""

    def _counts(self, loop: int) -> frozenset[int]:
        """The slots of a loop's counter, and of the pointers that it moves."""
        body, counter = self._body, _counter(self._body, loop)
        stores = (each for each in range(loop, body.extra[loop]) if body.op[each] == ops.STORE)
        slots = (body.a[each] for each in stores)
        named = {each for each in slots if counter is not None and body.locals[each].name == counter.variable}
        return _stepped(body, loop) | named

    def written(self) -> str | None:
        """The array of which each step writes elements of its own, or adds to any, without what other steps left."""
        for write in self._writes():
            element = self._body.a[write]
            is_looked_up = self._has_own_counter(element) and self._is_added_to(write)
            if (is_looked_up or self._is_own(element)) and not self._is_carried(self._body.b[write]):
                return self._array(element)
        return None

    def combined(self) -> str | None:
        """The array that the loop adds up, in whichever order; a running sum is serial by nature."""
        body, carried = self._body, self._carried()
        if any(_is_of_state(body, self._inside, each) for each in self._inside):
            return None
        if not all(self._is_accumulated(each, carried) for each in carried):
            return None
        asked = [each for each in self._inside if body.op[each] in (ops.IF, ops.TEST, ops.SWITCH)]
        indices = [each for one in self._elements for each in self._indices(one)]
        if any(self._needs(each, carried) for each in (*(body.a[one] for one in asked), *indices)):
            return None
        kept = [each for each in self._writes() if not self._is_added_to(each)]
        if any(not self._is_own(body.a[each]) or self._needs(body.b[each], carried) for each in kept):
            return None
        if not carried and not any(map(self._is_added_to, self._writes())):
            return None
        return next((self._array(each) for each in self._elements if self._has_own_counter(each)), None)

    def _writes(self) -> list[int]:
        """What changes memory that other steps may see."""
        body = self._body
        writes = [each for each in self._inside if body.op[each] in (ops.WRITE, ops.UPDATE)]
        begun = {body.a[each] for each in self._inside if body.op[each] == ops.DECL}
        return [each for each in writes if self._slot(body.a[each]) not in begun]

    def _slot(self, place: int) -> int:
        """The variable that a place is part of or found through."""
        body = self._body
        while body.op[place] in (ops.FIELD, ops.ELEM, ops.DEREF, ops.READ, ops.ADDR, ops.CAST):
            place = body.a[place]
        return body.a[place] if body.op[place] == ops.LOAD else NONE

    def _is_added_to(self, write: int) -> bool:
        """Whether one place is only added to, and not looked at."""
        body, place = self._body, self._body.a[write]
        if body.op[write] != ops.UPDATE or body.name(write) not in _COMBINING:
            return False
        same = [each for each in self._elements if self._array(each) == self._array(place)]
        return same == [place] or (not same and body.op[place] == ops.DEREF)

    # -------------------------------------------------------------- elements

    def _under(self, base: int) -> int:
        """What an element is one of, without the reading of a pointer between."""
        return self._body.a[base] if self._body.op[base] == ops.READ else base

    def _is_pointed_to(self, place: int) -> bool:
        """Whether a place is what a pointer leads to that the loops move."""
        body = self._body
        pointer = body.a[place] if body.op[place] == ops.DEREF else NONE
        return pointer != NONE and body.op[pointer] == ops.LOAD and body.a[pointer] in self._counters

    def _indices(self, element: int) -> list[int]:
        body, found = self._body, list[int]()
        if body.op[element] == ops.DEREF:
            return [body.a[element]]
        while body.op[element] == ops.ELEM:
            found += (body.b[element],) if body.extra[element] == NONE else body.list(element)
            element = self._under(body.a[element])
        return found

    def _array(self, place: int) -> str | None:
        """The array of an element, as a variable and the members behind it."""
        body, members = self._body, list[str]()
        while body.op[place] in (ops.ELEM, ops.FIELD, ops.READ, ops.DEREF):
            if body.op[place] == ops.FIELD:
                members.insert(0, body.name(place))
            place = body.a[place]
        begin = self._begin(place)
        root = body.root(place) if begin is None else body.root(begin)
        name = root.name if isinstance(root, Local) else root
        return None if name is None else ".".join((name, *members))

    def _begin(self, pointer: int) -> int | None:
        """Where a pointer that the loops move begins, ``NONE`` when it is set again; ``None`` for another value."""
        body = self._body
        if body.op[pointer] != ops.LOAD or body.a[pointer] not in self._counters:
            return None
        value, slots = pointer, set[int]()
        while value != NONE and body.op[value] in (ops.BINARY, ops.CAST, ops.ADDR, ops.ELEM, ops.LOAD):
            if body.op[value] != ops.LOAD:
                value = body.a[value]
                continue
            slot = body.a[value]
            begun = [body.b[each] for each in body.at(ops.DECL) if body.a[each] == slot]
            stored = (body.b[each] for each in body.at(ops.STORE) if body.a[each] == slot)
            if slot in slots or any(body.op[each] != ops.UNARY for each in stored):
                return NONE
            if not begun:
                break
            slots.add(slot)
            value = begun[0]
        return value

    def _is_own(self, element: int) -> bool:
        """Whether each step has an element of its own, and the loop uses those of the array in no other way."""
        is_element = self._body.op[element] == ops.ELEM or self._is_pointed_to(element)
        array = self._array(element) if is_element else None
        if array is None or not self._has_own_counter(element):
            return False
        own = [each for each in self._elements if self._array(each) == array]
        ways = {tuple(map(self._form, self._indices(each))) for each in own}
        return len(ways) == 1 and all(each is not None for each in next(iter(ways)))

    def _has_own_counter(self, element: int) -> bool:
        return any(self._mentions_own(each) for each in self._indices(element))

    def _mentions_own(self, value: int) -> bool:
        body = self._body

        def held(load: int) -> list[int]:
            begun, stored = _changes(body, self._inside, body.a[load])
            return [] if stored else [body.b[each] for each in begun]

        return any(body.op[each] == ops.LOAD and body.a[each] in self._own for each in body.made_of(value, held=held))

    def _form(self, index: int) -> object:
        """An index as a sum or product of counters and what does not change; ``None`` for another one."""
        body, code = self._body, self._body.op[index]
        if code == ops.LOAD:
            begun, stored = _changes(body, self._inside, body.a[index])
            is_set = stored and body.a[index] not in self._counters
            if is_set or (begun and self._form(body.b[begun[0]]) is None):
                return None
            return body.a[index], any(each < index for each in stored)
        if code in (ops.CAPTURE, ops.GLOBAL):
            return body.name(index)
        if code == ops.CONST:
            return getattr(body.node[index], "text", None)
        if code == ops.CAST:
            return self._form(body.a[index])
        if code == ops.BINARY and body.name(index) in ("+", "-", "*"):
            parts = tuple(self._form(each) for each in body.operands(index))
            return None if None in parts else (body.name(index), *parts)
        return None

    # ------------------------------------------------------ what steps leave

    def _carried(self) -> set[int]:
        """The variables from outside the loop that a step may find as the one before left them."""
        body = self._body
        found = {body.a[each] for each in self._inside if body.op[each] == ops.STORE} - self._counters
        return {
            slot
            for slot in found
            if not _changes(body, self._inside, slot)[0]
            and any(
                body.op[each] == ops.LOAD
                and body.a[each] == slot
                and not any(_is_before(body, store, each) for store in _changes(body, self._inside, slot)[1])
                for each in self._inside
            )
        }

    def _is_accumulated(self, slot: int, carried: set[int]) -> bool:
        """Whether a variable is only ever combined with what does not depend on what was there before."""
        body = self._body
        for store in _changes(body, self._inside, slot)[1]:
            value = body.b[store]
            operands = body.operands(value)
            is_sum = body.op[value] == ops.BINARY and f"{body.name(value)}=" in _COMBINING
            if not is_sum and not (body.op[value] == ops.CALL and body.called(value) in _EXTREMES):
                return False
            others = [each for each in operands if body.op[each] != ops.LOAD or body.a[each] != slot]
            if len(others) != 1 or len(operands) != 2 or self._needs(others[0], carried):
                return False
        return True

    def _needs(self, value: int, slots: set[int]) -> bool:
        """Whether a value depends on one of ``slots``."""
        body = self._body

        def held(load: int) -> list[int]:
            begun, stored = _changes(body, self._inside, body.a[load])
            return [body.b[each] for each in (*begun, *stored) if each < load]

        return any(body.op[each] == ops.LOAD and body.a[each] in slots for each in body.made_of(value, held=held))

    def _is_carried(self, value: int) -> bool:
        """Whether what is written depends on what an earlier step left, as in a prefix sum or a recurrence."""
        body, waiting, seen = self._body, [value], set[int]()
        while waiting:
            value = waiting.pop()
            if value == NONE or value in seen:
                continue
            seen.add(value)
            if body.op[value] == ops.LOAD and body.a[value] not in self._counters:
                begun, stored = _changes(body, self._inside, body.a[value])
                if stored and not begun and not any(_is_before(body, each, value) for each in stored):
                    return True
                waiting += [body.b[each] for each in (*begun, *stored) if each < value or begun]
            elif _is_left_over(body, self._inside, value) or _is_of_state(body, self._inside, value):
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
    if root is None or (body.op[body.a[read]] in (ops.ELEM, ops.DEREF) and not _is_fixed(body, inside, body.a[read])):
        return False
    writes = [each for each in inside if body.op[each] in (ops.WRITE, ops.UPDATE) and body.root(body.a[each]) == root]
    return bool(writes) and all(each > read or body.op[each] == ops.UPDATE for each in writes)


def _is_fixed(body: Body, inside: range, element: int) -> bool:
    """Whether an element is the same in each step."""
    if body.op[element] == ops.DEREF:
        pointer = body.a[element]
        return body.op[pointer] != ops.LOAD or not _changes(body, inside, body.a[pointer])[1]
    return body.extra[element] == NONE and body.op[body.b[element]] in (ops.CONST, ops.CAPTURE, ops.GLOBAL)


def _is_of_state(body: Body, inside: range, call: int) -> bool:
    """Whether a call may change an object from outside the loop: a generator of numbers, or what its address is of."""
    if body.op[call] != ops.CALL:
        return False
    given = [each for each in body.list(call) if body.op[each] == ops.ADDR_LOCAL]
    if body.a[call] != NONE and body.op[body.a[call]] in (ops.LOAD, ops.ADDR_LOCAL):
        given.append(body.a[call])
    return any(not _changes(body, inside, body.a[each])[0] for each in given)


def _is_elsewhere(code: "KernelCode") -> bool:
    """Whether the file mentions FPGAs or the host as a device."""
    facts = code.evaluator.facts
    if "fpga" in facts.file_at(code.submitted or code.place).path.lower():
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
    number = trips_of(loop, code.evaluator, place)
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
