"""Memory that the host allocates for kernels: pointers to USM, buffers, accessors to buffers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sycllint.cpp.expression import Binary, Brace, Call, Expr, Member, Name, Number, Type
from sycllint.cpp.statement import FunctionParameter, Variable
from sycllint.record import replace
from sycllint.values.arithmetic import ULONG, Scalar, binary
from sycllint.values.objects import Allocation, Point, RangeObject, Result, TypeKind
from sycllint.values.types import as_type
from sycllint.values.value import Unknown

if TYPE_CHECKING:
    from sycllint.values.interface import Evaluation

MAKERS = {
    "aligned_alloc_device": 1,
    "aligned_alloc_host": 1,
    "aligned_alloc_shared": 1,
    "malloc_device": 0,
    "malloc_host": 0,
    "malloc_shared": 0,
}
"""Functions of SYCL that allocate USM, and which argument is the number of elements (SYCL 2020, "USM allocations")."""
_SAME = frozenset({"get", "get_access", "get_decorated", "get_multi_ptr", "get_pointer", "get_raw"})
"""Members of buffers, accessors and multi_ptr that lead to the same memory."""
ALLOCATED = _SAME | {"get_count", "get_range", "size"}
"""Members that are understood."""
_CONTAINERS = frozenset({"vector", "array", "basic_string", "string", "span"})
"""Classes with ``size()`` that a buffer can be made of (SYCL 2020, "Buffer interface")."""


class Allocations:
    """Answers for one evaluator."""

    def __init__(self, evaluator: Evaluation) -> None:
        self._evaluator = evaluator

    def of_usm(self, function: Name, arguments: tuple[Expr, ...], point: Point) -> Result | None:
        """What ``malloc_device<T>(count, q)`` gives; ``None`` for other functions of that name."""
        evaluator, which = self._evaluator, MAKERS[function.last]
        if len(arguments) < which + 2:
            return None
        size, given = arguments[which], function.arguments or ()
        kind = as_type(given[0]) if given else None
        extent, place = evaluator.value(size, point), point.place
        location = evaluator.location(function.start, arguments[-1].end)
        element = "" if kind is None or kind.pointers else kind.name.text
        return Allocation((extent,), location, size, place, element, in_bytes=not given)

    def cast(self, whole: Result, kind: Type, point: Point) -> Allocation | None:
        """The memory behind a pointer that is cast to another; ``None`` where its elements are not known then."""
        if type(whole) is not Allocation or kind.pointers != 1:
            return None
        if kind.name.text in ("void", whole.element):
            return whole
        if not whole.in_bytes:
            return None
        size = Scalar(self._evaluator.sizes.of_type(replace(kind, pointers=0), point), ULONG)
        count = binary("/", Scalar(whole.count, ULONG), size)
        extent = count.value if isinstance(count, Scalar) else Unknown("not a number")
        return replace(whole, extents=(extent,), element=kind.name.text, in_bytes=False)

    def made(self, kind: TypeKind, arguments: tuple[Expr, ...], point: Point) -> Allocation | None:
        """A buffer, or the memory of an accessor to one; ``None`` where its elements are not known."""
        if kind.sycl == "accessor":
            memory = self._evaluator.evaluate(arguments[0], point)
            is_part = any(self._is_range(each, point) for each in arguments[1:])
            return memory if type(memory) is Allocation and not is_part else None
        if len(arguments) > 3:
            return None
        # Behind a pointer comes the range, behind a container or a range only properties, behind a buffer where its
        # part begins, and then how long that is.
        if len(arguments) == 3 and not self._is_memory(arguments[0], point):
            size = arguments[2]
        else:
            size = arguments[min(len(arguments), 2) - 1]
        size = self._counted(size, point)
        match size:
            case Call(function=Member(name="end" | "cend")):
                return None
            case _:
                whole = self._evaluator.evaluate(size, point)
        extents = whole.extents if isinstance(whole, RangeObject) else (self._evaluator.size(whole),)
        dims = self._evaluator.types.dimensions(kind.name) if kind.name.arguments else len(extents)
        if len(extents) != (dims or 1):
            return None
        location = self._evaluator.location(point.offset, arguments[-1].end)
        return Allocation(extents, location, _bare(size), point.place)

    def asked(self, memory: Result, name: str, arguments: tuple[Expr, ...], point: Point) -> Result | None:
        """What a member function of a buffer or an accessor gives."""
        if type(memory) is not Allocation:
            return None
        if name in _SAME:
            return None if any(self._is_range(each, point) for each in arguments) else memory
        if memory.element or memory.in_bytes or arguments:
            return None
        if name == "get_range":
            return RangeObject(memory.extents)
        product: Scalar | None = Scalar(memory.extents[0], ULONG)
        for extent in memory.extents[1:]:
            whole = binary("*", product, Scalar(extent, ULONG)) if product is not None else None
            product = whole if isinstance(whole, Scalar) else None
        return product

    def _is_range(self, given: Expr, point: Point) -> bool:
        """Whether what an accessor is given is the range of a part of the buffer."""
        match given:
            case Number() | Binary():
                return True
            case Brace(type=None, elements=elements):
                return any(self._is_range(each, point) for each in elements)
            case Name():
                declared = self._evaluator.declarations.type_of(given, point)
                kind = self._evaluator.kind(declared.name, point) if declared is not None else None
                return kind is not None and (kind.is_number or kind.sycl in ("range", "id"))
            case _:
                return isinstance(self._evaluator.evaluate(given, point), RangeObject)

    def _is_memory(self, given: Expr, point: Point) -> bool:
        """Whether what a buffer is made of is plainly no other buffer, of which it would be a part."""
        if not isinstance(given, Name):
            return True
        found = self._evaluator.declarations.nearest(given.text, point)
        if found is None or not isinstance(found[0], Variable | FunctionParameter):
            return False
        declared = found[0].type
        return bool(declared.pointers or declared.extents) or declared.name.last not in ("auto", "buffer")

    def _counted(self, size: Expr, point: Point) -> Expr:
        """``v.size()`` of a container ``v``, else ``size``."""
        found = self._evaluator.declarations.nearest(size.text, point) if isinstance(size, Name) else None
        if found is None or not isinstance(found[0], Variable | FunctionParameter) or found[0].type.pointers:
            return size
        if found[0].type.name.last not in _CONTAINERS or not isinstance(size, Name):
            return size
        return Call(Member(size, "size", None, size.start, size.end), (), size.start, size.end)


def _bare(size: Expr) -> Expr:
    """``n`` of ``sycl::range<1>(n)``."""
    match size:
        case Call(function=Name() as kind, arguments=(only,)) | Brace(type=Name() as kind, elements=(only,)):
            return only if kind.last == "range" else size
        case _:
            return size
