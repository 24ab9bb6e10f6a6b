"""sizeof, in bytes: builtin types, SYCL's vectors, arrays, enumerations and plain structs (LP64, natural alignment)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from sycllint.cpp.expression import Expr, Name, Type
from sycllint.cpp.place import Place
from sycllint.cpp.statement import STATIC, Block, Declaration, Enum, Function, Struct, Variants
from sycllint.values.arithmetic import INTEGER_TYPES, ULONG, Scalar, binary
from sycllint.values.objects import Point
from sycllint.values.value import Known, Unknown, Value

if TYPE_CHECKING:
    from sycllint.values.evaluate import Evaluator

_FLOATING = {
    "float": 4,
    "double": 8,
    "long double": 16,
    "half": 2,
    "bfloat16": 2,
    "tf32": 4,
    "_Float16": 2,
    "float_t": 4,
    "double_t": 8,
    "cl_float": 4,
    "cl_int": 4,
    "cl_uint": 4,
    "cl_double": 8,
    "byte": 1,
}
_VECTOR = re.compile(
    r"^(char|uchar|short|ushort|int|uint|long|ulong|longlong|ulonglong|float|double|half)(2|3|4|8|16)$"
)
_VECTOR_ELEMENTS = {
    "char": 1,
    "uchar": 1,
    "short": 2,
    "ushort": 2,
    "int": 4,
    "uint": 4,
    "long": 8,
    "ulong": 8,
    "longlong": 8,
    "ulonglong": 8,
    "float": 4,
    "double": 8,
    "half": 2,
}
MAX_NESTING = 12


class Layout(NamedTuple):
    """Size and alignment of a type, in bytes."""

    size: Value
    alignment: int


class Sizes:
    """Sizes of the types of one file."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._evaluator = evaluator
        self._nesting = 0

    def of_type(self, kind: Type, point: Point) -> Value:
        """Bytes of ``kind``; ``Unknown`` when a part of it is not understood."""
        return self.layout(kind, point).size

    def layout(self, kind: Type, point: Point) -> Layout:
        """Size and alignment of ``kind``."""
        element = Layout(Known(8), 8) if kind.pointers else self._named(kind.name, point)
        size = element.size
        for extent in kind.extents:
            if extent is None:
                return Layout(Unknown("an array of unknown length"), element.alignment)
            size = _times(size, self._evaluator.value(extent, point))
        return Layout(size, element.alignment)

    def _named(self, name: Name, point: Point) -> Layout:
        self._nesting += 1
        try:
            if self._nesting > MAX_NESTING:
                return Layout(Unknown("types nested too deeply"), 1)
            return self._of_name(name, point)
        finally:
            self._nesting -= 1

    def _of_name(self, name: Name, point: Point) -> Layout:
        bound, there, frame = self._evaluator.names.type_named(name, point)
        if bound is not name:
            before, self._evaluator.frame = self._evaluator.frame, frame
            layout = self._named(bound, there)
            self._evaluator.frame = before
            return layout
        declared = self._evaluator.types.alias(name)
        if declared is not None and declared.node.type.name.text != name.text:
            outer = declared.place.outer
            return self.layout(
                declared.node.type, Point(outer if outer is not None else declared.place, declared.node.start)
            )
        last = name.last
        text = name.text.removeprefix("::").removeprefix("std::")
        builtin = INTEGER_TYPES.get(text) or INTEGER_TYPES.get(last)
        if builtin is not None:
            return _plain(max(builtin.bits // 8, 1))
        if last in _FLOATING:
            return _plain(_FLOATING[last])
        structs = self._evaluator.facts.structs.get(last)
        if len(structs) == 1 and not structs[0].node.template_parameters:
            return self._struct(structs[0].node, structs[0].place)
        if structs:
            return Layout(self._evaluator.unknown(f"the size of {name.text}, a template", name), 1)
        vector = _VECTOR.match(last)
        if vector is not None:
            return _vector(_VECTOR_ELEMENTS[vector[1]], int(vector[2]))
        arguments = name.arguments or ()
        match last:
            case "vec" | "marray" if len(arguments) == 2:
                return self._sequence(last, arguments, point)
            case "array" if len(arguments) == 2:
                element = self._element(arguments[0], point)
                return Layout(_times(element.size, self._evaluator.value(arguments[1], point)), element.alignment)
            case "complex" | "pair" if arguments and (last == "complex" or len(arguments) == 2):
                return self._struct_of([self._element(arguments[0], point), self._element(arguments[-1], point)])
        if self._is_enum(name):
            return _plain(4)
        return Layout(self._evaluator.unknown(f"the size of {name.text}", name), 1)

    def _element(self, argument: Expr, point: Point) -> Layout:
        if isinstance(argument, Type):
            return self.layout(argument, point)
        if isinstance(argument, Name):
            return self._named(argument, point)
        return Layout(self._evaluator.unknown("not a type", argument), 1)

    def _sequence(self, last: str, arguments: tuple[Expr, ...], point: Point) -> Layout:
        element = self._element(arguments[0], point)
        count = self._evaluator.value(arguments[1], point)
        if last == "vec" and isinstance(element.size, Known) and isinstance(count, Known):
            return _vector(element.size.value, count.value)
        return Layout(_times(element.size, count), element.alignment)

    def _is_enum(self, name: Name) -> bool:
        for found in self._evaluator.facts.enumerators.values():
            for each in found:
                outer = each.place.outer
                if outer is not None and isinstance(outer.node, Enum) and outer.node.name == name.last:
                    return outer.node.underlying is None
        return False

    def _struct(self, node: Struct, place: Place) -> Layout:
        parts: list[Layout] = []
        if node.bases:
            return Layout(self._evaluator.unknown(f"the size of {node.name}, which has a base class", None), 1)
        inner = Place(node.members, place)
        if not self._members(node.members, inner, parts):
            return Layout(self._evaluator.unknown(f"the size of {node.name}", None), 1)
        if node.keyword == "union":
            known = [each.size.value for each in parts if isinstance(each.size, Known)]
            if len(known) != len(parts) or not known:
                return Layout(self._evaluator.unknown(f"the size of {node.name}", None), 1)
            alignment = max(each.alignment for each in parts)
            return Layout(Known(_aligned(max(known), alignment)), alignment)
        return self._struct_of(parts)

    def _members(self, block: Block, place: Place, parts: list[Layout]) -> bool:
        """Collect the layouts of the data members; false when some cannot be told."""
        for member in block.statements:
            match member:
                case Declaration(variables=variables):
                    for variable in variables:
                        if variable.flags & STATIC:
                            continue
                        if variable.type.reference:
                            parts.append(Layout(Known(8), 8))
                        else:
                            parts.append(self.layout(variable.type, Point(place, variable.start)))
                case Variants():
                    return False
                case Function(name=name) if name == "virtual":
                    return False
                case _:
                    pass
        return True

    def _struct_of(self, parts: list[Layout]) -> Layout:
        offset, alignment = 0, 1
        for part in parts:
            if not isinstance(part.size, Known):
                return Layout(part.size, 1)
            offset = _aligned(offset, part.alignment) + part.size.value
            alignment = max(alignment, part.alignment)
        return Layout(Known(max(_aligned(offset, alignment), 1)), alignment)


def _plain(size: int) -> Layout:
    return Layout(Known(size), size)


def _vector(element: int, count: int) -> Layout:
    """SYCL 2020: a vec of three takes the room of four."""
    size = element * (4 if count == 3 else count)
    return Layout(Known(size), min(size, 64))


def _aligned(offset: int, alignment: int) -> int:
    return (offset + alignment - 1) // alignment * alignment


def _times(left: Value, right: Value) -> Value:
    product = binary("*", Scalar(left, ULONG), Scalar(right, ULONG))
    return product.value if isinstance(product, Scalar) else Unknown("not a number")
