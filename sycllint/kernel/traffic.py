"""How work-items spread over global memory: by chunks, along the slow dimension, by offsets of their groups."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from sycllint.cpp.expression import Assign, Binary, Conditional, Expr, Increment, Index, Name
from sycllint.cpp.node import Node, children, walk
from sycllint.cpp.place import Place
from sycllint.cpp.statement import Function, If, Loop
from sycllint.kernel.bounds import is_guarded
from sycllint.kernel.counted import Counted, counted
from sycllint.kernel.indexing import ONE, Axis, Counter, Indexing, Memory, Of, Sum, added, same, scaled
from sycllint.kernel.reading import Body, Spot
from sycllint.source.span import Location
from sycllint.values.objects import Point
from sycllint.values.symbolic import parameter
from sycllint.values.value import Known, Symbolic, Value, known

if TYPE_CHECKING:
    from sycllint.kernel.analyses import KernelCode

_ZERO = Known(0)


@dataclass(frozen=True, slots=True)
class ChunkedAccess:
    """``a[chunk * id + j]`` in a loop over ``j``: neighbours are ``chunk`` elements apart."""

    array: str
    location: Location
    chunk: Value
    element_bytes: int | None
    counter: str


@dataclass(frozen=True, slots=True)
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


@dataclass(frozen=True, slots=True)
class GroupOffset:
    """``get_group(d) * factor + get_local_id(d)`` where groups have another number of work-items."""

    location: Location
    dimension: int
    factor: int
    local: int


@dataclass(frozen=True, slots=True)
class DroppedRemainder:
    """Chunks of a quotient: what the division leaves over belongs to nobody."""

    location: Location
    chunk: str
    divisor: int


class _Access(NamedTuple):
    """One subscripted element of global memory."""

    array: str
    spot: Spot[Index]
    total: Sum
    """Elements from the beginning of the array."""
    apart: Sum
    """The same, with groups and local ids left apart."""
    written: bool
    indexing: Indexing


def traffic(code: "KernelCode") -> Iterator[ChunkedAccess | SlowFirst | GroupOffset | DroppedRemainder]:
    """What the subscripts of global memory show; nothing without an index space of known dimensions."""
    dims = code.geometry.dims
    if not dims or not any(body.of(Index) for body in code.bodies):
        return
    accesses = [access for body in code.bodies for access in _accesses(code, body, Indexing(code, body))]
    if not accesses:
        return
    if code.scan.loops:
        yield from _chunks(code, accesses)
    if dims > 1:
        yield from _slow_first(code, accesses, dims)
    yield from _group_offsets(code, accesses)


def _accesses(code: "KernelCode", body: Body, indexing: Indexing) -> Iterator[_Access]:
    written = {id(spot.node.left) for spot in body.of(Assign)} | {id(spot.node.operand) for spot in body.of(Increment)}
    parts = {id(spot.node.object) for spot in body.of(Index)}
    for spot in body.of(Index):
        index, place = spot
        root = _root(index)
        if id(index) in parts or root is None or indexing.axis(index, place) is not None:
            continue
        if indexing.memory(root, place) is not Memory.GLOBAL:
            continue
        apart = _total(indexing, root, index, place)
        if apart is not None:
            yield _Access(root.text, spot, indexing.joined(apart), apart, id(index) in written, indexing)


def _root(index: Index) -> Name | None:
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


# ----------------------------------------------------------------------- chunks


def _chunks(code: "KernelCode", accesses: list[_Access]) -> Iterator[ChunkedAccess | DroppedRemainder]:
    """Accesses in loops in which each work-item walks a chunk of its own, the first of each array."""
    seen: set[str] = set()
    for access in accesses:
        found = _chunk(code, access)
        if found is None:
            continue
        chunk, counter, axis = found
        location = code.reading.location(access.spot)
        dropped = _dropped(code, access, chunk, axis)
        if dropped is not None:
            yield DroppedRemainder(location, *dropped)
        if access.array not in seen and axis.dimension in (None, (code.geometry.dims or 0) - 1):
            seen.add(access.array)
            if axis.of is not Of.GROUP and not _carries(access, accesses):
                yield ChunkedAccess(access.array, location, chunk, _element_bytes(code, access.spot), counter.variable)


def _chunk(code: "KernelCode", access: _Access) -> tuple[Value, Counted, Axis] | None:
    """The chunk of a work-item or group, when a loop's counter runs over just that."""
    for atom, factor in access.total.items():
        if not isinstance(atom, Counter) or not same(factor, ONE):
            continue
        counter = counted(atom.loop)
        around = _around(atom.loop, access.spot.place)
        if counter is None or around is None or counter.first is None or counter.step is not None:
            continue
        if not counter.upwards or counter.operator != "<":
            continue
        first, bound = access.indexing.of(counter.first, around), access.indexing.of(counter.bound, around)
        if first is None or bound is None:
            continue
        length = added(bound, scaled(first, Known(-1)))
        if set(length) != {None}:
            continue
        whole = access.indexing.joined(added({each: one for each, one in access.total.items() if each != atom}, first))
        for axis, chunk in whole.items():
            if isinstance(axis, Axis) and same(chunk, length[None]):
                return chunk, counter, axis
    return None


def _around(loop: Loop, place: Place) -> Place | None:
    """What is around ``loop``, which is around ``place``."""
    current: Place | None = place
    while current is not None and current.node is not loop:
        current = current.outer
    return current.outer if current is not None else None


def _carries(access: _Access, accesses: list[_Access]) -> bool:
    """Whether the array is read and written with different subscripts, so that one step needs what the last left."""
    alike = [each for each in accesses if each.array == access.array]
    return any(each.written for each in alike) and any(dict(each.total) != dict(access.total) for each in alike)


def _element_bytes(code: "KernelCode", spot: Spot[Index]) -> int | None:
    index, place = spot
    return known(code.evaluator.sizes.of_operand(index, Point(place, index.start)))


def _dropped(code: "KernelCode", access: _Access, chunk: Value, axis: Axis) -> tuple[str, int] | None:
    """The quotient and its divisor, when as many chunks as it divides by are processed and nothing else is."""
    if not isinstance(chunk, Symbolic) or len(chunk.terms) != 1 or chunk.terms[0].factor != 1:
        return None
    atoms = chunk.terms[0].atoms
    if len(atoms) != 1 or not atoms[0].dividend:
        return None
    (atom,) = atoms
    if any(not term.atoms for term in atom.dividend) or _workers(code, axis) != atom.divisor:
        return None
    names = {each.text for term in atom.dividend for each in term.atoms}
    for body in code.bodies:
        tested = (
            *(spot.node.condition for spot in body.of(Loop)),
            *(spot.node.condition for spot in body.of(If)),
            *(spot.node.condition for spot in body.of(Conditional)),
            *(spot.node for spot in body.of(Binary) if spot.node.operator != "/"),
        )
        if any(each is not None and names.intersection(_plain_names(each)) for each in tested):
            return None
    return None if _host_knows(access.spot.place, names) else (chunk.text, atom.divisor)


def _plain_names(expression: Node) -> Iterator[str]:
    """The names in an expression outside divisions."""
    stack: list[Node] = [expression]
    while stack:
        node = stack.pop()
        if isinstance(node, Name):
            yield node.text
        elif not (isinstance(node, Binary) and node.operator == "/"):
            stack.extend(children(node))


def _host_knows(place: Place, names: set[str]) -> bool:
    """Whether the function around the kernel asks for the remainder."""
    functions = [node for node in place.chain() if isinstance(node, Function)]
    if not functions or functions[-1].body is None:
        return True
    for node in walk(functions[-1].body):
        if isinstance(node, Binary) and node.operator == "%" and names.intersection(_plain_names(node)):
            return True
    return False


def _workers(code: "KernelCode", axis: Axis) -> int | None:
    """How many ids there are."""
    dimension = axis.dimension
    whole, local = code.geometry.whole, code.geometry.local
    if dimension is None or whole is None or dimension >= len(whole):
        return None
    items = known(whole[dimension])
    size = known(local[dimension]) if local is not None and dimension < len(local) else None
    if axis.of is Of.GLOBAL:
        return items
    if axis.of is Of.LOCAL:
        return size
    return items // size if items and size else None


# ------------------------------------------------------------------- dimensions

_FEW = 8
"""Work-items along the fast dimension below which it hardly matters."""


def _slow_first(code: "KernelCode", accesses: list[_Access], dims: int) -> Iterator[SlowFirst]:
    """The first such access, when none goes along the fast dimension."""
    fast = Axis(Of.GLOBAL, dims - 1)
    local, whole = code.geometry.local, code.geometry.whole
    if local is not None and (len(local) != dims or (known(local[-1]) or 0) < _FEW):
        return
    if (
        whole is None
        or len(whole) != dims
        or any((number := known(each)) is not None and number < _FEW for each in (whole[-1],))
    ):
        return
    wrong: SlowFirst | None = None
    for access in accesses:
        factor = access.total.get(fast)
        if factor is not None and same(factor, ONE):
            return
        unit = next(
            (
                each
                for each in access.total
                if isinstance(each, Axis) and each.of is Of.GLOBAL and each != fast and same(access.total[each], ONE)
            ),
            None,
        )
        if wrong is None and factor is not None and unit is not None and unit.dimension is not None:
            if isinstance(factor, Known) and factor.value < _FEW:
                continue
            wrong = SlowFirst(access.array, code.reading.location(access.spot), unit.dimension, dims - 1, factor)
    if wrong is not None:
        yield wrong


# ---------------------------------------------------------------- group offsets


def _group_offsets(code: "KernelCode", accesses: list[_Access]) -> Iterator[GroupOffset]:
    """Offsets of groups that are not their size, in kernels that do nothing to cover the difference."""
    local = code.geometry.local
    if local is None:
        return
    for dimension, extent in enumerate(local):
        size = known(extent)
        group, item = Axis(Of.GROUP, dimension), Axis(Of.LOCAL, dimension)
        using = [each for each in accesses if group in each.apart]
        if size is None or size <= 1 or not using:
            continue
        factors = {known(each.apart[group]) for each in using}
        shapes = {frozenset(each.apart) - {None} for each in using}
        rests = {known(each.apart.get(None, _ZERO)) for each in using}
        if len(factors) != 1 or shapes != {frozenset({group, item})} or len(rests) != 1 or None in rests:
            continue
        (factor,) = factors
        if factor is None or factor in (0, size) or not all(same(each.apart[item], ONE) for each in using):
            continue
        if any(is_guarded(code, body) for body in code.bodies):
            continue
        yield GroupOffset(code.reading.location(using[0].spot), dimension, factor, size)
