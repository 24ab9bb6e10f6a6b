"""Which elements of memory a part of it has, and whether two parts have some in common.

Where a part begins and ends is a sum of numbers as they are written. They are worked out, to polynomials, only where
two parts of one memory are compared.
"""

from __future__ import annotations

import re
from math import gcd

from sycllint.cpp.expression import Number
from sycllint.cpp.place import Place
from sycllint.cpp.statement import Block, Loop
from sycllint.device_code.bodies.trip_counts import Counted, counted, loops_around
from sycllint.host.scopes.kinds import element_of
from sycllint.host.scopes.things import Ref, Sum, WrittenNumber
from sycllint.memoized import memoized
from sycllint.record import NamedTuple, replace
from sycllint.values.arithmetic import Scalar
from sycllint.values.evaluate import Evaluator
from sycllint.values.objects import ListObject, NdRangeObject, Point, RangeObject
from sycllint.values.symbolic import add, constant, difference_bounds, divide, multiply, subtract, sum_of, symbolic
from sycllint.values.value import Known, OneOf, Parameter, Symbolic, Term, Value, known

ONE = sum_of((Term((), 1),))
ZERO = sum_of(())
_VARIABLE = re.compile(r"(\w+)@")


class ElementSpan(NamedTuple):
    """Elements in steps of ``stride``, from ``low`` on."""

    low: Symbolic
    highs: tuple[Symbolic, ...]
    """None of the elements is as far as one of these."""
    stride: int | None
    """0 of one element; ``None`` where it is not known."""
    sizes: frozenset[str] = frozenset()
    """Parameters that are positive, as there are elements."""


def meet(one: ElementSpan | None, other: ElementSpan | None, *, surely: bool = False) -> bool | None:
    """Whether two parts have elements in common, given that they are long enough; ``None`` where that is not known.

    With ``surely`` it is not given. The first, where it begins further on by a number that is not known, does not meet
    the second, unless that begins in it or the reverse.
    """
    if one is None or other is None:
        return None
    sizes = one.sizes | other.sizes
    if any(_is_behind(*sides, sizes) for sides in ((one, other), (other, one))):
        return False
    difference = subtract(one.low, other.low)
    apart = constant(difference)
    if apart == 0 or any(_is_within(*sides, sizes) for sides in ((one, other), (other, one))):
        return True
    strides = [each.stride for each in (one, other)]
    if apart is None:
        return False if other.highs and parameters(one.low) & parameters(difference) else None
    if 1 in strides:
        return None if surely else True
    stride = gcd(*(each for each in strides if each is not None))
    return bool(stride) and None not in strides and apart % stride == 0


def _is_behind(one: ElementSpan, other: ElementSpan, sizes: frozenset[str]) -> bool:
    """Whether one part begins where the other has ended."""
    return any(_is_at_least(one.low, each, sizes) for each in other.highs)


def _is_within(one: ElementSpan, other: ElementSpan, sizes: frozenset[str]) -> bool:
    """Whether one part surely begins in the other, which has no gaps."""
    is_after = other.stride == 1 and _is_at_least(one.low, other.low, sizes)
    return is_after and bool(other.highs) and all(_is_at_least(each, add(one.low, ONE), sizes) for each in other.highs)


def _is_at_least(one: Symbolic, other: Symbolic, sizes: frozenset[str]) -> bool:
    least, _ = difference_bounds(_positive(one, sizes), _positive(other, sizes))
    return least is not None and least >= 0


def _positive(value: Symbolic, sizes: frozenset[str]) -> Symbolic:
    def known_of(atom: Parameter) -> Parameter:
        return replace(atom, minimum=max(atom.minimum or 1, 1)) if atom.key in sizes else atom

    return sum_of(tuple(Term(tuple(map(known_of, each.atoms)), each.factor) for each in value.terms))


def parameters(value: Symbolic) -> frozenset[str]:
    """The keys of the parameters in a sum."""
    return frozenset(atom.key for term in value.terms for atom in term.atoms)


class Extents:
    """Answers for one evaluator."""

    def __init__(self, evaluator: Evaluator) -> None:
        self.evaluator = evaluator
        self._known: dict[tuple[object, ...], tuple[Value, ...]] = {}
        """The values of numbers, which passes of a loop and calls ask for again and again."""
        self.asked = 0
        """How often a number was looked at that may be another in another call."""

    def used(self, ref: Ref, beside: Point) -> list[ElementSpan | None]:
        """The elements that the host uses: in all passes of the loops around that are not around ``beside``."""
        common = frozenset(loop for loop, _ in loops_around(beside.place))
        numbers = [each for each in ref.begins or () if isinstance(each, WrittenNumber)]
        for each in numbers if not common else ():
            match self._evaluated(each):
                case (OneOf(values=values, open=False),):
                    return [self.of(ref.with_number(each, one.value)) for one in values]
        span = self.of(ref)
        for each in numbers:
            for loop, around in loops_around(each.point.place):
                if span is not None and loop not in common:
                    span = self._in_all_passes(span, loop, around, each)
        return [span]

    def of(self, ref: Ref) -> ElementSpan | None:
        """The elements of a part."""
        if ref.begins is None:
            return None
        low, high = (self.total(each, ref) if each is not None else None for each in (ref.begins, ref.ends))
        if low is None:
            return None
        is_one = high is not None and constant(subtract(high, low)) == 1
        return ElementSpan(low, (high,) if high is not None else (), 0 if is_one else 1)

    def total(self, of: Sum, ref: Ref) -> Symbolic | None:
        """What a sum comes to, in elements of ``ref``."""
        whole = ZERO
        for each in of:
            part = symbolic(Known(each)) if isinstance(each, int) else self.value(each)
            if part is not None and isinstance(each, WrittenNumber) and each.in_bytes:
                size = self._element_size(ref, each.point)
                part = divide(part, size) if size is not None else None
            if part is None:
                return None
            whole = add(whole, part)
        return whole

    def value(self, number: WrittenNumber) -> Symbolic | None:
        """A number as a polynomial; ``None`` where it is not known, or something."""
        found = self.values(number)
        return found[0] if len(found) == 1 else None

    def values(self, number: WrittenNumber) -> tuple[Symbolic | None, ...]:
        """The same of each extent of a range."""
        return tuple(self._kept(symbolic(each), number) for each in self._evaluated(number))

    def _evaluated(self, number: WrittenNumber) -> tuple[Value, ...]:
        self.asked += number.frame is not None and not isinstance(number.expression, Number)
        key = (number.expression, number.point.place.occurrence, number.point.offset, number.frame)
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = self._worked_out(number)
        return found

    def _worked_out(self, number: WrittenNumber) -> tuple[Value, ...]:
        evaluator = self.evaluator
        found = evaluator.under(number.frame, evaluator.evaluate, number.expression, number.point)
        if isinstance(found, NdRangeObject):
            return found.global_range.extents
        if isinstance(found, ListObject | RangeObject):
            return evaluator.under(number.frame, evaluator.as_range, number.expression, number.point, None).extents
        scalar = evaluator.scalar(found)
        return (scalar.value,) if isinstance(scalar, Scalar) else ()

    def _kept(self, value: Symbolic | None, number: WrittenNumber) -> Symbolic | None:
        """A value, unless it has variables which are set somewhere: by their names alone no value of those is known."""
        if value is None or constant(value) is not None:
            return value
        frames = (number.frame, *number.frame.around()) if number.frame is not None else ()
        places = (number.point.place, *(each.point.place for each in frames))
        names = {name for key in parameters(value) for name in _VARIABLE.findall(key)}
        if any(not names.isdisjoint(self.set_around(each)) for each in places):
            return None
        return _of_second_pass(value, number.point.place) if number.again else value

    def set_around(self, place: Place) -> frozenset[str]:
        """The names of what statements of the blocks around a place may set."""
        return frozenset().union(*(self._set_in(node) for node in place.chain() if isinstance(node, Block)))

    @memoized
    def _set_in(self, block: Block) -> frozenset[str]:
        return frozenset().union(*map(self.evaluator.mutations.of, block.statements))

    def _element_size(self, ref: Ref, point: Point) -> Symbolic | None:
        element = element_of(ref.thing.written)
        size = known(self.evaluator.sizes.of_type(element, point)) if element is not None else None
        return symbolic(Known(size)) if size else None

    # ----------------------------------------------------------------- loops

    def _in_all_passes(self, span: ElementSpan, loop: Loop, around: Place, number: WrittenNumber) -> ElementSpan:
        """The elements that are used in all passes of a loop which counts, and of the loops in it."""
        counter = counted(loop)
        if counter is None or counter.variable in self.evaluator.mutations.of(loop.body):
            return span
        atom = self.value(replace(number, expression=counter.name))
        if atom is None or len(atom.terms) != 1 or not parameters(atom) & parameters(span.low):
            return span
        ends = self._passes(counter, Point(around, loop.start), number)
        factor = _factor(span.low, atom)
        if ends is None or factor is None:
            return span
        first, past, step = ends
        low = _put(span.low, atom, first if factor > 0 else subtract(past, ONE))
        highs = tuple(_put(each, atom, subtract(past, ONE) if factor > 0 else first) for each in span.highs)
        stride = gcd(span.stride or 0, factor * step) if span.stride is not None else None
        return ElementSpan(low, highs, stride, span.sizes | parameters(subtract(past, first)))

    def _passes(self, counter: Counted, point: Point, number: WrittenNumber) -> tuple[Symbolic, Symbolic, int] | None:
        """The least value of a counter, the number behind its greatest, and its step."""
        written = [counter.first, counter.bound]
        first, bound = (
            self.value(replace(number, expression=each, point=point)) if each is not None else None for each in written
        )
        step = 1 if counter.step is None else known(self.evaluator.value(counter.step, point))
        if first is None or bound is None or not step:
            return None
        if counter.upwards:
            return first, add(bound, ONE) if counter.operator == "<=" else bound, step
        return bound if counter.operator == ">=" else add(bound, ONE), add(first, ONE), step


def _factor(value: Symbolic, atom: Symbolic) -> int | None:
    """How often a sum has a parameter; ``None`` where that is no number."""
    key = atom.terms[0].atoms[0].key
    terms = [term for term in value.terms if any(each.key == key for each in term.atoms)]
    return terms[0].factor if len(terms) == 1 and len(terms[0].atoms) == 1 else None


def _put(value: Symbolic, atom: Symbolic, by: Symbolic) -> Symbolic:
    """A sum with another number in place of a parameter."""
    factor = symbolic(Known(_factor(value, atom) or 0))
    assert factor is not None
    return add(subtract(value, multiply(factor, atom)), multiply(factor, by))


def _of_second_pass(value: Symbolic, place: Place) -> Symbolic:
    """The number in a loop's second pass: what is set in the loop is another number there."""
    spans = [(loop.start, loop.end) for loop, _ in loops_around(place)]

    def renamed(atom: Parameter) -> Parameter:
        location = atom.location
        is_kept = location is not None and not any(start <= location.span.start < end for start, end in spans)
        return atom if is_kept else replace(atom, key=f"{atom.key}'")

    return sum_of(tuple(Term(tuple(map(renamed, each.atoms)), each.factor) for each in value.terms))
