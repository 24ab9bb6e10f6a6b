"""Kernels of several dimensions whose slow one walks along memory, and what their accesses cost in either order."""

from collections.abc import Iterator
from math import prod

from sycllint.cpp.expression import Index
from sycllint.cpp.place import Place
from sycllint.device_code.affine.indexing import ONE, AffineAtom, Axis, Of, Sum, same
from sycllint.device_code.affine.subscripts import Subscript, element_bytes, subscripts
from sycllint.device_code.bodies.reading import DeviceFunction
from sycllint.device_code.bodies.trip_counts import loops_around, trips_of
from sycllint.device_code.code import KernelCode
from sycllint.record import NamedTuple, record
from sycllint.source.span import Location
from sycllint.values.value import Value, all_known, known

FEW_ITEMS = 1024
"""Work-items of a launch below which it does not matter how they access memory: one work-group holds as many."""
_FEW = 8
"""Work-items along the fast dimension, and elements between two of them, below which it hardly matters."""
_BYTES = 16
"""What one work-item loads or stores at once (SYCL 2020, ``vec<float, 4>``)."""
_LINES = 16
"""Cache lines that a sub-group of the usual width touches, when each work-item is in one of its own."""
_TURNS = 16
"""Taken for the iterations of a loop that are not known."""
_WORTH = 2
"""How much cheaper the other order of dimensions has to be."""
_MOST = 128
"""Subscripts that are weighed, each of which has to be evaluated: of more, hardly one decides over the cost."""
_ITEMS = (Of.GLOBAL, Of.LOCAL)


@record
class SlowFirst:
    """An array whose elements lie side by side along the dimension in which neighbours do not differ."""

    array: str
    location: Location
    unit: int
    """The dimension whose id has the factor one."""
    fast: int
    """The dimension in which neighbours differ."""
    stride: Value
    """Elements between neighbours."""


class _CostedSubscript(NamedTuple):
    """One subscript, with what bears on its cost."""

    subscript: Subscript
    turns: int
    bytes: int | None
    """Of one element."""

    def lines(self, dimension: int) -> int:
        """Cache lines that a sub-group touches, were its work-items to differ in ``dimension``."""
        axes = ((each, factor) for each, factor in self.subscript.total.items() if isinstance(each, Axis))
        strides = [factor for axis, factor in axes if axis.of in _ITEMS and axis.dimension == dimension]
        exact = all_known(strides)
        if exact is None:
            return _LINES
        stride = abs(sum(exact))
        return 1 if stride < _FEW or stride * (self.bytes or _BYTES) <= _BYTES else _LINES


def slow_first(code: KernelCode, dims: int) -> Iterator[SlowFirst]:
    """The most frequent such access, when the accesses of the kernel would cost less with the two dimensions swapped.

    A read of the same element by all lanes is one line, and so is one of neighbouring elements: only the sum over all
    accesses, each as often as the loops around it turn, says which order is better.
    """
    local, whole = code.geometry.local, code.geometry.whole
    if local is not None and (len(local) != dims or (known(local[-1]) or 0) < _FEW):
        return
    if whole is None or len(whole) != dims or (known(whole[-1]) or _FEW) < _FEW or is_small(code):
        return
    if sum(len(body.of(Index)) for body in code.bodies) > _MOST:
        return
    fast = Axis(Of.GLOBAL, dims - 1)
    found = list(_accesses(code))
    wrong = [(each, unit) for each in found if (unit := _unit(each, fast)) is not None]
    if not wrong:
        return
    worst, unit = max(wrong, key=lambda each: each[0].turns)
    as_is = sum(each.lines(dims - 1) * each.turns for each in found)
    swapped = sum(each.lines(unit) * each.turns for each in found)
    if as_is >= _WORTH * swapped:
        location = code.reading.location(worst.subscript.spot)
        yield SlowFirst(worst.subscript.array, location, unit, dims - 1, worst.subscript.total[fast])


def is_small(code: KernelCode) -> bool:
    """Whether the launch is known to have few work-items."""
    extents = all_known(code.geometry.whole or (None,))
    return extents is not None and prod(extents) < FEW_ITEMS


def turns(code: KernelCode, body: DeviceFunction, place: Place) -> int:
    """How often the loops around ``place`` turn, all together and with those of callers; a guess where not known."""
    count = 1
    for loop, outside in loops_around(place, body.function):
        exact = trips_of(loop, code.evaluator, outside)
        count *= _TURNS if exact is None else max(exact, 1)
    if body.caller is None or body.call is None:
        return count
    return count * turns(code, body.caller, body.call.place)


def _accesses(code: KernelCode) -> Iterator[_CostedSubscript]:
    """Each subscript of global memory once, however often it is written in a function."""
    for body in code.bodies:
        seen: set[tuple[object, ...]] = set()
        for each in subscripts(code, body):
            count = turns(code, body, each.spot.place)
            key = (each.array, count, frozenset(each.total.items()))
            if key not in seen:
                seen.add(key)
                yield _CostedSubscript(each, count, element_bytes(code, each.spot))


def _unit(access: _CostedSubscript, fast: Axis) -> int | None:
    """The dimension that walks along memory, where neighbours are far apart; ``None`` where they are not."""
    total = access.subscript.total
    if fast not in total or access.lines(fast.dimension or 0) == 1:
        return None
    unit = next((each for each in total if _is_unit(each, total)), None)
    return unit.dimension if isinstance(unit, Axis) else None


def _is_unit(atom: AffineAtom | None, total: Sum) -> bool:
    """Whether ``atom`` is the id of one dimension, with the factor one."""
    is_id = isinstance(atom, Axis) and atom.of is Of.GLOBAL and atom.dimension is not None
    return is_id and same(total[atom], ONE)
