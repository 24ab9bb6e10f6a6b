"""Sizes in the wrong unit: a number of elements where bytes are asked for, or bytes where elements are."""

from __future__ import annotations

from sycllint.cpp.expression import (
    Binary,
    Call,
    Cast,
    Conditional,
    Expr,
    Index,
    Member,
    Name,
    Number,
    SizeOf,
    Type,
    Unary,
)
from sycllint.cpp.node import walk
from sycllint.cpp.spelling import spelled
from sycllint.cpp.statement import Enumerator, Function, FunctionParameter, Variable
from sycllint.host.records import MiscountedAllocation, MiscountedCopy
from sycllint.host.scopes.extents import ZERO
from sycllint.host.scopes.kinds import element_of
from sycllint.host.scopes.scope import FunctionScope
from sycllint.host.scopes.things import Kind, Moved, Ref, Thing, WrittenNumber
from sycllint.host.vocabulary import CONTAINER_QUIET, ELEMENTS
from sycllint.record import NamedTuple, replace
from sycllint.source.span import Location
from sycllint.values.objects import Point
from sycllint.values.symbolic import constant, sum_of, symbolic
from sycllint.values.value import Known, Symbolic, known

_MOST_STEPS = 8
"""Names, each initialised by the one before, that are looked through."""
_SIZES = frozenset({1, 2, 4, 8, 16})
"""Numbers that may be written for a ``sizeof``."""


class _Extent(NamedTuple):
    """The size of memory of which all is used."""

    thing: Thing
    element: Type
    step: int
    """Bytes of an element: more than one."""
    bytes: Symbolic | None


class MovedSizes:
    """Answers at the place where ``scope`` is."""

    def __init__(self, scope: FunctionScope) -> None:
        self._scope = scope

    # ---------------------------------------------------------------- copies

    def of_copy(self, what: str, moved: Moved, location: Location) -> MiscountedCopy | None:
        """What is wrong with the size of a copy or a filling."""
        in_bytes, written = moved.number.in_bytes, moved.number.expression
        has_sizeof = any(type(each) is SizeOf for each in walk(written))
        if in_bytes and has_sizeof and not any(_is_in_bytes(each.thing) for each in moved.memory):
            return None
        extents = [found for each in moved.memory if (found := self._extent(each, moved.number.point)) is not None]
        if not extents:
            return None
        number = self._as_given(moved.number)
        if number.frame is not moved.number.frame:
            location = self._scope.evaluator.facts.location(_call(moved.number, number), number.point.place)
        count = self._scope.extents.value(number)
        if count is not None and (constant(count) or 1) <= 0:
            return None
        past_end = self._past_end(moved, number, count, extents)
        found = past_end or (self._too_short(moved, number, count, extents) if in_bytes else None)
        if found is None:
            return None
        thing = found.thing
        declared = thing.allocated or thing.location
        element = spelled(found.element)
        what = moved.method or what
        shown = spelled(number.expression)
        return MiscountedCopy(thing.name, what, shown, element, found.step, past_end is not None, location, declared)

    def _past_end(
        self, moved: Moved, number: WrittenNumber, count: Symbolic | None, extents: list[_Extent]
    ) -> _Extent | None:
        """Memory that is exactly so many times too short as an element has bytes."""
        for each in extents:
            if number.in_bytes:
                if each.bytes is not None and _same(count, sum_of(each.bytes.terms, each.step)):
                    return each
            elif not self._moves(moved, each):
                continue
            elif _same(count, each.bytes) or self._is_count(self._without_sizeof(number, each.step), each):
                return each
        return None

    def _moves(self, moved: Moved, extent: _Extent) -> bool:
        """Whether a copy or a filling that counts elements moves such as the memory has."""
        other = moved.sides[-1] if len(moved.memory) < len(moved.sides) else None
        if other is None:
            return True
        written = self._scope.receivers.type_of(other)
        element = element_of(written) if written is not None else None
        if element is not None:
            return self._size(element, moved.number) == extent.step
        evaluator = self._scope.evaluator
        sized = evaluator.under(moved.number.frame, evaluator.sizes.of_operand, written or other, moved.number.point)
        return known(sized) == extent.step

    def _too_short(
        self, moved: Moved, number: WrittenNumber, count: Symbolic | None, extents: list[_Extent]
    ) -> _Extent | None:
        """Memory of which the size is the number of elements."""
        literal = number.expression.text if isinstance(number.expression, Number) else ""
        if (literal and constant(count or ZERO) in _SIZES) or any(map(self._is_of_bytes, moved.sides)):
            return None
        if any(_same(each.bytes, count) for each in extents):
            return None
        has_bytes = self._has_bytes(number, _MOST_STEPS)
        for each in extents if has_bytes is not True else ():
            asked = each.thing.count
            written = asked.number.expression if asked is not None else _only_extent(each.thing)
            is_same = written is not None and spelled(written) == spelled(number.expression)
            if asked is not None and asked.element is None and self._has_bytes(asked.number, _MOST_STEPS) is not True:
                continue
            if asked is not None and asked.element is not None and self._has_bytes(asked.number, _MOST_STEPS):
                continue
            if self._is_size_of(number, each.thing):
                return each
            is_equal = count is not None and _same(sum_of(count.terms, each.step), each.bytes)
            if is_equal and (has_bytes is False or is_same):
                return each
        return None

    def _is_of_bytes(self, side: Expr) -> bool:
        """Whether memory is, or may be, looked at as bytes."""
        ref = self._scope.memory(side)
        is_cast = ref is None or ref.begins is None
        written = self._scope.receivers.type_of(side) if is_cast or ref is None else ref.thing.written
        element = element_of(written)
        if element is None or element.pointers:
            return written is not None and "string" in written.name.last
        if element.name.last == "void":
            return True
        found = self._scope.evaluator.sizes.of_type(element, self._scope.point(side))
        return known(found) in (None, 1)

    # ----------------------------------------------------------- allocations

    def of_allocation(self, call: Call, function: Name) -> MiscountedAllocation | None:
        """An allocation of elements whose number has their size as a factor."""
        asked = self._scope.declarations.asked(function, call.arguments)
        if asked is None or asked.element is None:
            return None
        number, element = asked.number, asked.element
        size = self._size(element, number)
        if size is None or size < 2 or self._without_sizeof(number, size) is None:
            return None
        written = spelled(number.expression)
        return MiscountedAllocation(function.last, written, spelled(element), size, self._scope.location(call))

    # --------------------------------------------------------------- answers

    def _extent(self, ref: Ref, point: Point) -> _Extent | None:
        """The memory from its begin to its end; ``None`` of a part of it, and where an element may be a byte."""
        thing, asked = ref.thing, ref.thing.count
        if not ref.whole or ref.begins != ():
            return None
        here = WrittenNumber(Number("0", point.offset, point.offset), point, self._scope.frame, again=False)
        is_array = thing.kind is Kind.ARRAY and thing.written is not None
        element = replace(thing.written, extents=()) if is_array and thing.written else element_of(thing.written)
        step = self._size(element, here) if element is not None else None
        if element is None or step is None or step < 2:
            return None
        total: Symbolic | None = None
        if asked is not None and (thing.kind is Kind.POINTER or self._keeps_size(thing)):
            unit = self._size(asked.element, asked.number) if asked.element is not None else 1
            count = self._scope.extents.value(asked.number)
            total = sum_of(count.terms, unit) if count is not None and unit is not None else None
        elif thing.kind is Kind.ARRAY or self._scope.kinds.is_array(thing.written):
            assert thing.written is not None
            total = symbolic(Known(size)) if (size := self._size(thing.written, here)) is not None else None
        elif thing.kind is not Kind.CONTAINER:
            return None
        return _Extent(thing, element, step, total)

    def _size(self, kind: Type, at: WrittenNumber) -> int | None:
        """Bytes of a type that is written where a number is."""
        evaluator = self._scope.evaluator
        plain = replace(kind, reference=False) if kind.reference else kind
        return known(evaluator.under(at.frame, evaluator.sizes.of_type, plain, at.point))

    def _keeps_size(self, container: Thing) -> bool:
        """Whether nothing in the function may change how many elements a container has."""
        function = self._scope.place.innermost(Function)
        if function is None or self._scope.state.things.get(container.name) is not container:
            return False
        named = kept = 0
        for each in walk(function):
            match each:
                case Name(text=text):
                    named += text == container.name
                case Call(function=Member(object=Name(text=text), name=name)) if text == container.name:
                    kept += name in CONTAINER_QUIET | ELEMENTS
                case Index(object=Name(text=text)):
                    kept += text == container.name
                case _:
                    pass
        return named == kept

    def _is_count(self, number: WrittenNumber | None, extent: _Extent) -> bool:
        """Whether a number is that of the elements."""
        if number is None:
            return False
        count = self._scope.extents.value(number)
        is_equal = count is not None and _same(sum_of(count.terms, extent.step), extent.bytes)
        return is_equal or self._is_size_of(number, extent.thing)

    def _is_size_of(self, number: WrittenNumber, container: Thing) -> bool:
        """Whether a number is ``container.size()``."""
        for _ in range(_MOST_STEPS):
            match number.expression:
                case Call(function=Member(object=inner, name="size"), arguments=()):
                    is_here = number.frame is self._scope.frame
                    return container.kind is Kind.CONTAINER and is_here and self._scope.thing(inner) is container
                case Cast(operand=operand):
                    number = replace(number, expression=operand)
                case _:
                    inner_number = self._initial(number)
                    if inner_number is None:
                        return False
                    number = inner_number
        return False

    def _without_sizeof(self, number: WrittenNumber, size: int) -> WrittenNumber | None:
        """A product without the factor that is the ``sizeof`` of so many bytes; ``None`` where it has none."""
        match number.expression:
            case Binary(operator="*", left=left, right=right):
                for factor, rest in ((left, right), (right, left)):
                    if type(factor) is SizeOf and factor.operator == "sizeof" and factor.operand is not None:
                        evaluator = self._scope.evaluator
                        ask = evaluator.sizes.of_operand
                        if known(evaluator.under(number.frame, ask, factor.operand, number.point)) == size:
                            return replace(number, expression=rest)
                for factor, rest in ((left, right), (right, left)):
                    inner = self._without_sizeof(replace(number, expression=factor), size)
                    if inner is not None:
                        return replace(number, expression=Binary("*", inner.expression, rest, left.start, right.end))
                return None
            case Cast(operand=operand):
                return self._without_sizeof(replace(number, expression=operand), size)
            case Name():
                inner_number = self._initial(number)
                return self._without_sizeof(inner_number, size) if inner_number is not None else None
            case _:
                return None

    def _has_bytes(self, number: WrittenNumber, steps: int) -> bool | None:
        """Whether a ``sizeof`` is behind a number; ``None`` where that is not known, or a number may stand for one."""
        match number.expression:
            case SizeOf():
                return True
            case Number():
                value = self._scope.extents.value(number)
                return None if value is not None and constant(value) in _SIZES else False
            case Binary(left=left, right=right) | Conditional(then=left, otherwise=right):
                parts: tuple[Expr, ...] = (left, right)
            case Cast(operand=operand) | Unary(operand=operand):
                parts = (operand,)
            case Name():
                inner = self._initial(number) if steps else None
                if inner is not None:
                    return self._has_bytes(inner, steps - 1)
                return False if self._is_open_parameter(number) else None
            case _:
                return None
        found = [self._has_bytes(replace(number, expression=each), steps) for each in parts]
        return True if True in found else None if None in found else False

    # ---------------------------------------------------------------- values

    def _as_given(self, number: WrittenNumber) -> WrittenNumber:
        """A number that is a parameter of a function or a macro, as it is written in the outermost call."""
        evaluator = self._scope.evaluator
        for _ in range(_MOST_STEPS):
            name, point = number.expression, number.point
            if not isinstance(name, Name):
                break
            found = evaluator.declarations.nearest(name.text, point)
            is_parameter = found is not None and isinstance(found[0], FunctionParameter)
            is_given = is_parameter or evaluator.macros.argument(name.text, point.place) is not None
            inner = self._initial(number) if is_given else None
            if inner is None:
                break
            number = inner
        return number

    def _initial(self, number: WrittenNumber) -> WrittenNumber | None:
        """What a variable that nothing else sets is initialised with, or a parameter is given."""
        name, point, evaluator = number.expression, number.point, self._scope.evaluator
        if not isinstance(name, Name) or name.scope is not None:
            return None
        argument = evaluator.macros.argument(name.text, point.place)
        if argument is not None:
            return replace(number, expression=argument[0], point=argument[1])
        macro = evaluator.macros.macro(name, point) if name.text in evaluator.facts.macros else None
        if macro is not None:
            return replace(number, expression=macro.value) if macro.value is not None else None
        found = evaluator.declarations.nearest(name.text, point) if "::" not in name.text else None
        if found is None:
            return self._constant(number, name)
        node, place = found
        if name.text in self._scope.extents.set_around(point.place):
            return None
        if isinstance(node, Variable):
            is_one = node.style in ("=", "(", "{") and len(node.arguments) == 1
            at = Point(place, node.start)
            return replace(number, expression=node.arguments[0], point=at) if is_one else None
        owner = place.node
        if not isinstance(node, FunctionParameter) or not isinstance(owner, Function) or number.frame is None:
            return None
        frame, index = number.frame.of(owner), owner.parameters.index(node)
        if frame is None or index >= len(frame.arguments):
            return None
        return replace(number, expression=frame.arguments[index], point=frame.point, frame=frame.outer)

    def _constant(self, number: WrittenNumber, name: Name) -> WrittenNumber | None:
        """The same of a constant outside functions."""
        declared = self._scope.evaluator.symbols.variables(name, number.point.place).declared
        node = declared[0].node if len(declared) == 1 else None
        if not isinstance(node, Variable) or isinstance(node, Enumerator) or len(node.arguments) != 1:
            return None
        at = Point(declared[0].place, node.start)
        return replace(number, expression=node.arguments[0], point=at, frame=None)

    def _is_open_parameter(self, number: WrittenNumber) -> bool:
        """Whether a name is a parameter of the function that the walk began with."""
        assert isinstance(number.expression, Name)
        found = self._scope.evaluator.declarations.nearest(number.expression.text, number.point)
        if found is None or not isinstance(found[0], FunctionParameter):
            return False
        owner = found[1].node
        return number.frame is None or not isinstance(owner, Function) or number.frame.of(owner) is None


def _is_in_bytes(thing: Thing) -> bool:
    """Whether memory was allocated by a number of bytes without a ``sizeof``."""
    count = thing.count
    return (
        count is not None
        and count.element is None
        and not any(type(each) is SizeOf for each in walk(count.number.expression))
    )


def _only_extent(array: Thing) -> Expr | None:
    """How many elements an array is declared with."""
    extents = array.written.extents if array.written is not None else ()
    return extents[0] if len(extents) == 1 else None


def _same(one: Symbolic | None, other: Symbolic | None) -> bool:
    return one is not None and other is not None and one.terms == other.terms


def _call(inner: WrittenNumber, outer: WrittenNumber) -> Expr:
    """The call by which a parameter, ``inner``, was given ``outer``."""
    frames = [] if inner.frame is None else [inner.frame, *inner.frame.around()]
    calls = [each.call for each in frames if each.outer is outer.frame and each.call is not None]
    return calls[0] if calls else outer.expression
