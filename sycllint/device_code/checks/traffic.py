"""How work-items spread over global memory: by chunks, along the slow dimension, by offsets of their groups."""

from collections.abc import Iterable, Iterator, Mapping

from sycllint.cpp.expression import Binary, Call, Cast, Expr, Index, Member, Name, Number
from sycllint.cpp.node import Node, walk
from sycllint.cpp.place import Place
from sycllint.cpp.statement import Loop, Variable
from sycllint.device_code.affine.indexing import ID_NAMES, ONE, Axis, Counter, Indexing, Of, added, same, scaled
from sycllint.device_code.affine.subscripts import Subscript, element_bytes, giving_elements, subscript, subscripts
from sycllint.device_code.bodies.instruction_index import Spot
from sycllint.device_code.bodies.reading import DeviceFunction
from sycllint.device_code.bodies.trip_counts import Counted, around, counted
from sycllint.device_code.checks.bounds import is_guarded
from sycllint.device_code.checks.dimension_order import SlowFirst, is_small, slow_first, turns
from sycllint.device_code.code import KernelCode
from sycllint.device_code.once import kept_per_function
from sycllint.device_code.spelling import spelled
from sycllint.domains.vocabulary import WORK_GROUP_MAKERS
from sycllint.ir.body import last_name
from sycllint.record import NamedTuple, record
from sycllint.source.span import Location
from sycllint.values.value import Known, Value, known

_ZERO = Known(0)
_PRODUCT = frozenset("*")
_NEIGHBOURS = frozenset({Of.GLOBAL, Of.LOCAL, Of.LANE})
"""Ids in which the work-items of a sub-group differ by one."""
_WALKING = _NEIGHBOURS | {Of.GROUP}
"""Ids of what may have a chunk of its own."""


@record
class ChunkedAccess:
    """``a[chunk * id + j]`` in a loop over ``j``: neighbours are ``chunk`` elements apart."""

    array: str
    location: Location
    chunk: Value
    element_bytes: int | None
    counter: str
    turns: int
    """How often the loops around it turn, all together; some number for those that are not known."""


@record
class GroupOffset:
    """``get_group(d) * factor + get_local_id(d)`` where groups have another number of work-items."""

    location: Location
    dimension: int
    factor: int
    local: int


def traffic(code: "KernelCode") -> Iterator[ChunkedAccess | SlowFirst | GroupOffset]:
    """What the subscripts of global memory show, where their text lets one expect something."""
    dims = code.geometry.dims
    if not dims:
        return
    hints = _hints(code)
    if hints.counters:
        yield from _chunks(code, hints.counters)
    if dims > 1 and hints.slow:
        yield from slow_first(code, dims)
    yield from _group_offsets(code)


# ------------------------------------------------------------------------ hints


_GROUP_QUESTIONS = WORK_GROUP_MAKERS | {"get_group_id", "get_group_linear_id"}


class _Hints(NamedTuple):
    """What the text of a kernel lets one expect, whatever it is launched with."""

    counters: tuple[tuple[DeviceFunction, Spot[Index] | Spot[Call]], ...]
    """Accesses to elements with a loop's counter as a summand, beside something that differs between work-items."""
    slow: bool
    """A summand of a subscript is the id of one dimension, and not of the last."""


@kept_per_function
def _hints(code: "KernelCode") -> _Hints:
    dims = code.geometry.dims or 0
    return _Hints(
        tuple((body, spot) for body in code.bodies for spot in _counting(code, body)),
        dims > 1 and any(_goes_slowly(code, body, dims - 1) for body in code.bodies),
    )


def _indices(code: "KernelCode", body: DeviceFunction) -> Iterator[tuple[Spot[Index] | Spot[Call], tuple[Expr, ...]]]:
    """What may be accesses to elements, by subscripts and by functions that give elements, and their indices."""
    yield from ((each, each.node.indices) for each in body.of(Index))
    yield from ((each, each.node.arguments) for each in giving_elements(code, body))


def _counting(code: "KernelCode", body: DeviceFunction) -> Iterator[Spot[Index] | Spot[Call]]:
    chunked: dict[Node, Counted] = {}
    for loop, _ in body.of(Loop):
        counter = counted(loop)
        if counter is not None and counter.first is not None and _may_walk_chunks(counter):
            chunked[loop] = counter
    variables = {each.variable for each in chunked.values()}
    for spot, indices in _indices(code, body) if chunked else ():
        names = {each.text for index in indices for each in _summands(index) if isinstance(each, Name)}
        counter = _counter_around(names, spot.place, chunked) if names & variables else None
        if counter is None or counter.first is None:
            continue
        # The id may be in the pointer, too, or in another subscript.
        if any(code.reading.mentions(body, each) for each in (spot.node, *indices, counter.first)):
            yield spot


def _may_walk_chunks(counter: Counted) -> bool:
    """Whether the loop counts one by one from a number of its own up to another."""
    return counter.step is None and counter.upwards and counter.operator == "<"


def _counter_around(names: set[str], place: Place, loops: Mapping[Node, Counted]) -> Counted | None:
    for node in place.chain():
        counter = loops.get(node)
        if counter is not None and counter.variable in names:
            return counter
    return None


def _summands(expression: Expr) -> list[Expr]:
    """``a`` and ``b * c`` of ``a + b * c``."""
    if isinstance(expression, Binary) and expression.operator in ("+", "-"):
        return _summands(expression.left) + _summands(expression.right)
    return [expression]


def _goes_slowly(code: "KernelCode", body: DeviceFunction, last: int) -> bool:
    """Whether a summand of some subscript is an id of a dimension before ``last`` alone."""
    dimensions = _named_dimensions(body)
    for _, indices in _indices(code, body):
        for part in (each for whole in indices for each in _summands(whole)):
            asked = dimensions.get(part.text, set()) if isinstance(part, Name) else set(_dimensions(part))
            if asked and last not in asked and not isinstance(part, Binary):
                return True
    return False


def _named_dimensions(body: DeviceFunction) -> dict[str, set[int]]:
    """The dimensions whose ids the variables of a function are made of, and the parameters that it is handed."""
    caller = _named_dimensions(body.caller) if body.caller is not None else {}
    given = [(each.name, (handed,)) for each in body.function.parameters if (handed := body.handed(each)) is not None]
    found: dict[str, set[int]] = {}
    for name, values in (*given, *((each.name, each.arguments) for each, _ in body.of(Variable))):
        asked = {each for value in values for each in _dimensions(value)}
        asked.update(*(caller.get(each.text, ()) for each in values if isinstance(each, Name)))
        if asked:
            found.setdefault(name, set()).update(asked)
    return found


def _dimensions(expression: Expr) -> Iterator[int]:
    """The dimensions whose ids are asked for in an expression, as far as they are written as numbers."""
    for node in walk(expression):
        match node:
            case Call(function=Member(name=name), arguments=(Number(text=text),)) if name in ID_NAMES:
                yield int(text) if text.isdigit() else -1
            case Index(object=Name() | Call(), indices=(Number(text=text),)):
                yield int(text) if text.isdigit() else -1


# ----------------------------------------------------------------------- chunks


def _chunks(
    code: "KernelCode", candidates: tuple[tuple[DeviceFunction, Spot[Index] | Spot[Call]], ...]
) -> Iterator[ChunkedAccess]:
    """Accesses in loops in which each work-item walks a chunk of its own, the first of each array."""
    seen: set[str] = set()
    indexings: dict[DeviceFunction, Indexing] = {}
    alone = _are_alone(code) or is_small(code)
    for body, spot in candidates:
        indexing = indexings.get(body)
        if indexing is None:
            indexing = indexings[body] = Indexing(code, body)
        access = subscript(indexing, spot, written=False)
        found = _chunk(code, access) if access is not None else None
        if access is None or found is None or access.array in seen:
            continue
        chunk, counter, axis = found
        location = code.reading.location(access.spot)
        if access.array not in seen and axis.dimension in (None, (code.geometry.dims or 0) - 1):
            seen.add(access.array)
            if alone or axis.of not in _NEIGHBOURS or _carries(access, subscripts(code, body, access.array)):
                continue
            size, count = element_bytes(code, access.spot), turns(code, body, access.spot.place)
            yield ChunkedAccess(access.array, location, chunk, size, counter.variable, count)


def _are_alone(code: "KernelCode") -> bool:
    """Whether no two work-items of a group are known to differ in the last dimension, as in a group of one."""
    shapes = (code.geometry.local, code.geometry.whole)
    return any(shape is not None and known(shape[-1]) == 1 for shape in shapes)


def _chunk(code: "KernelCode", access: Subscript) -> tuple[Value, Counted, Axis] | None:
    """The chunk of a work-item or group, when a loop's counter runs over just that."""
    for atom, factor in access.total.items():
        if not isinstance(atom, Counter) or not same(factor, ONE):
            continue
        counter = counted(atom.loop)
        outside = around(atom.loop, access.spot.place)
        if counter is None or outside is None or counter.first is None or not _may_walk_chunks(counter):
            continue
        # The bound is asked in every round: what the loop changes is no part of it.
        first, bound = (
            access.indexing.of(counter.first, outside),
            access.indexing.of(counter.bound, Place(atom.loop, outside)),
        )
        if first is None or bound is None:
            continue
        length = added(bound, scaled(first, Known(-1)))
        if set(length) != {None}:
            continue
        whole = access.indexing.joined(added({each: one for each, one in access.total.items() if each != atom}, first))
        for axis, chunk in whole.items():
            if isinstance(axis, Axis) and axis.of in _WALKING and same(chunk, length[None]):
                return chunk, counter, axis
    return None


def _carries(access: Subscript, accesses: Iterable[Subscript]) -> bool:
    """Whether the array is read and written with different subscripts, so that one step needs what the last left."""
    alike = list(accesses)
    return any(each.written for each in alike) and any(dict(each.total) != dict(access.total) for each in alike)


# ---------------------------------------------------------------- group offsets


def _group_offsets(code: "KernelCode") -> Iterator[GroupOffset]:
    """Offsets of groups that are not their size, in a kernel that does nothing to cover the difference."""
    local = code.geometry.local or ()
    sizes = {known(each) for each in local}
    if not sizes - {None, 1} or is_guarded(code) or not asks_for_groups(code):
        return
    if not any(_is_other_size(code, each, sizes) for each in _products(code)):
        return
    accesses = [each for body in code.bodies for each in subscripts(code, body)]
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
        yield GroupOffset(code.reading.location(using[0].spot), dimension, factor, size)


@kept_per_function
def asks_for_groups(code: "KernelCode") -> bool:
    """Whether a group, or its id, is named in the kernel."""
    return any(map(_has_group, code.bodies))


def _has_group(body: DeviceFunction) -> bool:
    if any("group" in each.type.name.text for each in body.function.parameters):
        return True
    return any(last_name(call.function) in _GROUP_QUESTIONS for call, _ in body.of(Call))


class _Product(NamedTuple):
    """``group * factor``."""

    factor: Expr
    place: Place


def _multiplied_groups(body: DeviceFunction) -> Iterator[_Product]:
    names = {
        spot.node.name
        for spot in body.of(Variable)
        if len(spot.node.arguments) == 1 and _is_group_id(spot.node.arguments[0])
    }
    for spot in body.operations(_PRODUCT):
        for one, other in ((spot.node.left, spot.node.right), (spot.node.right, spot.node.left)):
            is_group = _is_group_id(one) or (isinstance(one, Name) and one.text in names)
            if is_group and not isinstance(other, Call):
                yield _Product(other, spot.place)


def _products(code: "KernelCode") -> Iterable[_Product]:
    """One product for each factor as it is written: in one kernel that is one number."""
    products = (each for body in code.bodies for each in _multiplied_groups(body))
    return {spelled(each.factor) or each.factor: each for each in products}.values()


def _is_other_size(code: "KernelCode", product: _Product, sizes: set[int | None]) -> bool:
    """Whether the factor is a known number that is none of ``sizes``."""
    factor = known(code.reading.value(product.factor, product.place, code.evaluator.frame))
    return factor is not None and factor not in sizes


def _is_group_id(expression: Expr) -> bool:
    match expression:
        case Call(function=Member(name="get_group" | "get_group_id" | "get_group_linear_id")):
            return True
        case Index(object=Name() | Call(function=Member(name="get_group" | "get_group_id"))):
            return True
        case Cast(operand=operand):
            return _is_group_id(operand)
        case _:
            return False
