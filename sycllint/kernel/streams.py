"""Kernels that only stream: each work-item reads elements with its own id and writes such, one small access each."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from sycllint.cpp.expression import Call, Increment, Index, Member, Name
from sycllint.cpp.statement import If, Loop, RangeLoop, Switch, Variable
from sycllint.kernel.indexing import ONE, Axis, Of, Sum, same
from sycllint.kernel.once import once_per_function
from sycllint.kernel.subscripts import element_bytes, subscripts
from sycllint.record import record
from sycllint.source.span import Location
from sycllint.values.library import BY_VALUE

if TYPE_CHECKING:
    from sycllint.kernel.analyses import KernelCode

MAX_BYTES = 4
"""Elements up to this size leave most of what one access could carry unused."""
_MOST_STATEMENTS = 8


@record
class Stream:
    """A kernel that does nothing else."""

    array: str
    """One that is written."""
    location: Location
    bytes: int
    """Of the largest element."""


@once_per_function
def streams(code: KernelCode) -> Iterator[Stream]:
    """At most one record, for a kernel in one dimension that shares nothing, and has no loop, branch or unknown call.

    That it has no loop, barrier, array or sub-group operation was asked before.
    """
    scan = code.scan
    if scan.statements > _MOST_STATEMENTS or scan.calls_unknown or len(code.bodies) != 1:
        return
    (body,) = code.bodies
    branches = (If, Switch, Loop, RangeLoop, Increment)
    if any(body.of(each) for each in branches) or not all(_is_quiet(spot.node) for spot in body.of(Call)):
        return
    if any(spot.node.type.pointers or spot.node.type.reference for spot in body.of(Variable)):
        return
    accesses = list(subscripts(code, body))
    if len(accesses) != len(body.of(Index)) or not all(_is_own(each.total) for each in accesses):
        return
    written = [each for each in accesses if each.written]
    sizes = {element_bytes(code, each.spot) for each in accesses}
    exact = [each for each in sizes if each is not None]
    if written and len(written) < len(accesses) and len(exact) == len(sizes) and max(exact) <= MAX_BYTES:
        yield Stream(written[0].array, code.reading.location(written[0].spot), max(exact))


def _is_own(total: Sum) -> bool:
    """Whether a subscript is the work-item's global id and nothing else."""
    parts = list(total.items())
    return len(parts) == 1 and isinstance(parts[0][0], Axis) and parts[0][0].of is Of.GLOBAL and same(parts[0][1], ONE)


def _is_quiet(call: Call) -> bool:
    match call.function:
        case Member(name=name):
            return name.startswith("get_")
        case Name() as function:
            return function.last in BY_VALUE
        case _:
            return False
