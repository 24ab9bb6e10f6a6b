"""Kernels that only stream: each work-item reads elements beside its neighbours' and writes such, one at a time.

With its own id alone, or in loops in which the work-items together go on by as many elements as there are of them.
"""

from collections.abc import Iterator

from sycllint.cpp.expression import Call, Increment, Index, Member, Name
from sycllint.cpp.place import Place
from sycllint.cpp.statement import If, Loop, RangeLoop, Switch, Variable
from sycllint.device_code.affine.indexing import (
    ONE,
    AffineAtom,
    Axis,
    Counter,
    Of,
    Sum,
    added,
    same,
    scaled,
    sole_axis,
    times,
)
from sycllint.device_code.affine.subscripts import Subscript, element_bytes, subscripts
from sycllint.device_code.bodies.reading import DeviceFunction
from sycllint.device_code.bodies.trip_counts import around, counted
from sycllint.device_code.code import KernelCode
from sycllint.record import record
from sycllint.source.span import Location
from sycllint.values.side_effects.library import BY_VALUE
from sycllint.values.value import Value

MAX_BYTES = 4
"""Elements up to this size leave most of what one access could carry unused."""
_MOST_STATEMENTS = 8
_SIDE_BY_SIDE = frozenset({Of.GLOBAL, Of.LOCAL, Of.LANE})
"""Ids in which the work-items of a sub-group differ by one."""


@record
class Stream:
    """A kernel that does nothing else."""

    array: str
    """One that is written."""
    location: Location
    bytes: int
    """Of the largest element."""


def streams(code: KernelCode) -> Iterator[Stream]:
    """At most one record, for a kernel in one dimension that shares nothing, and has no branch or unknown call.

    That it has no barrier, array or sub-group operation was asked before.
    """
    scan = code.scan
    if scan.statements > _MOST_STATEMENTS or scan.calls_unknown or len(code.bodies) != 1:
        return
    (body,) = code.bodies
    if any(body.of(each) for each in (If, Switch, RangeLoop)) or not all(
        _is_quiet(spot.node) for spot in body.of(Call)
    ):
        return
    if any(spot.node.type.pointers or spot.node.type.reference for spot in body.of(Variable)) or not _only_counts(body):
        return
    accesses = list(subscripts(code, body))
    strides = {each.spot: _stride(each) for each in accesses}
    elements = [each for each in body.of(Index) if not isinstance(each.node.object, Call)]
    if len(accesses) != len(elements) or None in strides.values():
        return
    sizes = {element_bytes(code, each.spot) for each in accesses}
    exact = [each for each in sizes if each is not None]
    written = [each for each in accesses if each.written]
    if written and len(written) < len(accesses) and len(exact) == len(sizes) and max(exact) <= MAX_BYTES:
        in_loop = [each for each in (*written, *accesses) if strides[each.spot]]
        shown = (*in_loop, *written)[0]
        yield Stream(shown.array, code.reading.location(shown.spot), max(exact))


def _only_counts(body: DeviceFunction) -> bool:
    """Whether all loops count, and nothing is counted outside their heads."""
    heads = [each.node for each in body.of(Loop)]
    return all(counted(each) is not None for each in heads) and all(
        any(spot.node is each.update for each in heads) for spot in body.of(Increment)
    )


def _stride(access: Subscript) -> bool | None:
    """Whether a loop takes neighbours' elements on by as many as there are of them; ``None``: neither that nor one id.

    ``a[id]`` is one id, and ``a[begin + j]`` in ``for (j = id; ...; j += work-items)`` is such a loop.
    """
    whole = sole_axis(access.total)
    if whole is not None and whole.of is Of.GLOBAL:
        return False
    indexing = access.indexing
    total = access.apart
    stride: Value | None = None
    for atom, factor in access.apart.items():
        if not isinstance(atom, Counter):
            continue
        head = _head(atom.loop, access)
        if head is None or stride is not None:
            return None
        first, step = head
        total = added({each: one for each, one in total.items() if each != atom}, scaled(first, factor))
        stride = times(step, factor)
    own = sole_axis({each: one for each, one in indexing.joined(total).items() if each and not _is_shared(each)})
    if stride is None or own is None or own.of not in _SIDE_BY_SIDE:
        return None
    return same(stride, indexing.extent(own.of, 0)) or None


def _head(loop: Loop, access: Subscript) -> tuple[Sum, Value] | None:
    """Where a loop begins, and the one number by which it goes up."""
    counter = counted(loop)
    outside = around(loop, access.spot.place)
    if counter is None or counter.first is None or outside is None or not counter.upwards:
        return None
    first = access.indexing.of(counter.first, outside)
    step = access.indexing.of(counter.step, Place(loop, outside)) if counter.step is not None else {None: ONE}
    return (first, step[None]) if first is not None and step is not None and set(step) == {None} else None


def _is_shared(atom: AffineAtom) -> bool:
    """Whether all work-items of a sub-group have the same."""
    return isinstance(atom, Axis) and atom.of not in _SIDE_BY_SIDE


def _is_quiet(call: Call) -> bool:
    match call.function:
        case Member(name=name):
            return name.startswith("get_")
        case Name() as function:
            return function.last in BY_VALUE
        case _:
            return False
