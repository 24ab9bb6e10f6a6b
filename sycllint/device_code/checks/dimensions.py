"""What a kernel is handed, and which dimensions of it are asked for."""

from collections.abc import Iterator
from typing import get_args

from sycllint.cpp.expression import Expr, Name, Number, Type
from sycllint.device_code.code import KernelCode
from sycllint.device_code.once import once_per_function
from sycllint.domains.vocabulary import IDS, RANGES
from sycllint.ir import ops
from sycllint.ir.body import Body
from sycllint.ir.ops import NONE
from sycllint.record import record
from sycllint.source.span import Location
from sycllint.values.evaluate import Evaluator
from sycllint.values.memory import Memo
from sycllint.values.value import known

_ITEMS = frozenset({"nd_item", "item", "h_item", "group", "id"})
_ASKING = frozenset({*IDS, *RANGES, "get_logical_local_id", "get_physical_local_id"})
"""Members of items and groups that take a dimension (SYCL 2020, "Expressing parallelism")."""
_FIRST = ("0", "1", "2")


@record
class KernelParameter:
    """The first parameter of a kernel: ``kind`` is ``nd_item``, ``item``, ``id`` or ``group``."""

    location: Location
    kind: str
    dims: int | None


@record
class Reducer:
    """What a kernel with reductions is handed behind its item: the group combines it with that of others."""

    name: str


@record
class OutOfDimensions:
    """A dimension is asked for that an item does not have."""

    location: Location
    text: str
    """What is asked: ``get_global_id(2)``."""
    dimension: int
    kind: str
    dims: int


@once_per_function
def reducers(code: KernelCode) -> Iterator[Reducer]:
    """The reducers that a kernel takes, by reference (SYCL 2020, "Reduction kernel example")."""
    yield from (Reducer(each.name) for each in code.function.parameters[1:] if each.type.reference)


@once_per_function
def kernel_parameter(code: KernelCode) -> Iterator[KernelParameter]:
    """The item that a kernel takes; nothing where its type is left to the compiler or is not SYCL's."""
    parameters = code.function.parameters
    if not parameters:
        return
    first = parameters[0]
    kind = code.evaluator.types.kind(first.type.name)
    if kind.sycl not in _ITEMS or first.type.pointers:
        return
    facts = code.evaluator.facts.file_at(code.place)
    dims = code.evaluator.types.dimensions(first.type.name)
    yield KernelParameter(facts.location(first.start, first.end), kind.sycl, dims)


@once_per_function
def out_of_dimensions(code: KernelCode) -> Iterator[OutOfDimensions]:
    """Ids asked for beyond the dimensions of the item, in the kernel and in functions that are handed it."""
    for body in code.lowered:
        for position in body.at(ops.CALL, ops.ELEM):
            found = _asked(code, body, position)
            if found is not None:
                yield found


def _asked(code: KernelCode, body: Body, position: int) -> OutOfDimensions | None:
    """What a call of an item, ``item[…]`` or ``item.get_id()[…]`` asks for, where the item has no such dimension."""
    item, name = body.a[position], "operator[]"
    if body.op[position] == ops.CALL:
        name = body.called(position)
        if item == NONE or (name != "operator[]" and name not in _ASKING):
            return None
        asked, *more = body.list(position) or (NONE,)
    else:
        asked, more = body.b[position], [NONE] if body.extra[position] != NONE else []
        if body.op[item] == ops.CALL and body.a[item] != NONE and not body.list(item):
            name, item = body.called(item), body.a[item]
    if asked == NONE or more or (name != "operator[]" and name not in _ASKING):
        return None
    local = body.local(item) if body.op[item] in (ops.LOAD, ops.CAPTURE) else None
    kind = local.type if local is not None else None
    # `ids[1]` of a pointer is the next id.
    is_next = kind is not None and kind.pointers and body.op[position] == ops.ELEM and item == body.a[position]
    extents = _extents(code, kind) if kind is not None and not is_next else None
    if extents is None:
        return None
    of, dims = extents
    node, place = body.origin(asked)
    if (isinstance(node, Number) and node.text in _FIRST[:dims]) or not isinstance(node, get_args(Expr)):
        return None
    dimension = known(code.reading.value(node, place))
    if dimension is None or dimension < dims:
        return None
    return OutOfDimensions(code.location(body, position), f"{name}({dimension})", dimension, of, dims)


_named: Memo[dict[str | Name, tuple[str, int] | None]] = Memo(lambda _: {})
"""Items and their dimensions by types, those of a plain name by that."""


def _extents(code: KernelCode, kind: Type) -> tuple[str, int] | None:
    """The item that a type is, and its dimensions where they are written."""
    name = kind.name
    if kind.extents:
        return None
    known_types = _named.of(code.evaluator)
    key = name if name.arguments or name.scope is not None else name.text
    if key not in known_types:
        known_types[key] = _item(code.evaluator, name)
    return known_types[key]


def _item(evaluator: Evaluator, name: Name) -> tuple[str, int] | None:
    resolved = evaluator.types.kind(name)
    dims = evaluator.types.dimensions(name) if resolved.sycl in _ITEMS else None
    return None if dims is None else (resolved.sycl, dims)
