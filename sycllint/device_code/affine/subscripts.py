"""Subscripts of global memory as sums of ids, counters and a rest."""

from collections.abc import Iterator

from sycllint.cpp.expression import Assign, Expr, Increment, Index, Name
from sycllint.cpp.place import Place
from sycllint.device_code.affine.indexing import IndexedMemory, Indexing, Sum, added, scaled
from sycllint.device_code.bodies.instruction_index import Spot
from sycllint.device_code.bodies.reading import DeviceFunction
from sycllint.device_code.code import KernelCode
from sycllint.record import NamedTuple
from sycllint.values.objects import Point
from sycllint.values.symbolic import parameter
from sycllint.values.value import known


class Subscript(NamedTuple):
    """One subscripted element of global memory."""

    array: str
    spot: Spot[Index]
    total: Sum
    """Elements from the beginning of the array."""
    apart: Sum
    """The same, with groups and local ids left apart."""
    written: bool
    indexing: Indexing


def subscripts(code: KernelCode, body: DeviceFunction, array: str | None = None) -> Iterator[Subscript]:
    """The accesses of a function to global memory, or to one array there."""
    indexing = Indexing(code, body)
    written = {id(spot.node.left) for spot in body.of(Assign)} | {id(spot.node.operand) for spot in body.of(Increment)}
    parts = {id(spot.node.object) for spot in body.of(Index)}
    for spot in body.of(Index):
        root = root_of(spot.node)
        if root is not None and id(spot.node) not in parts and (array is None or root.text == array):
            access = subscript(indexing, root, spot, written=id(spot.node) in written)
            if access is not None:
                yield access


def subscript(indexing: Indexing, root: Name, spot: Spot[Index], *, written: bool) -> Subscript | None:
    """One of them; ``None`` when it is not of global memory, or no sum."""
    index, place = spot
    array, there = indexing.handed(root, place) or (root, place)
    if not isinstance(array, Name) or indexing.memory(array, there) is not IndexedMemory.GLOBAL:
        return None
    if indexing.axis(index, place) is not None:
        return None
    apart = _total(indexing, root, index, place)
    return None if apart is None else Subscript(array.text, spot, indexing.joined(apart), apart, written, indexing)


def root_of(index: Index) -> Name | None:
    """``a`` of ``a[i][j]``."""
    current: Expr = index
    while isinstance(current, Index) and len(current.indices) == 1:
        current = current.object
    return current if isinstance(current, Name) else None


def _total(indexing: Indexing, root: Name, index: Index, place: Place) -> Sum | None:
    """``a[i][j]`` as j and i rows."""
    total = indexing.of(index.indices[0], place)
    inner, depth = index.object, 1
    while isinstance(inner, Index) and total is not None:
        rows = indexing.of(inner.indices[0], place)
        text = f"{root.text} row {depth}"
        row = parameter(text, text, "the length of a row", minimum=1)
        total = added(total, scaled(rows, row)) if rows is not None else None
        inner, depth = inner.object, depth + 1
    return total


def element_bytes(code: KernelCode, spot: Spot[Index]) -> int | None:
    """Bytes of the element that is accessed."""
    index, place = spot
    return known(code.evaluator.sizes.of_operand(index, Point(place, index.start)))
