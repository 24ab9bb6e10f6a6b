"""sizeof, in bytes: builtin types, SYCL's vectors, arrays, enumerations and plain structs (LP64, natural alignment)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sycllint.cpp.expression import Binary, Cast, Character, Expr, Index, Name, Number, Type, Unary
from sycllint.cpp.place import Place
from sycllint.cpp.statement import STATIC, Block, Damaged, Declaration, Enum, Struct, Variants
from sycllint.facts.file import Declared
from sycllint.record import NamedTuple, replace
from sycllint.values.arithmetic import (
    BOOL,
    INTEGER_TYPES,
    ULONG,
    IntegerType,
    Precision,
    Scalar,
    binary,
    common,
    join,
    literal,
    promoted,
)
from sycllint.values.deduction.library_types import library_type
from sycllint.values.layout import is_natural
from sycllint.values.names import standing
from sycllint.values.objects import Point
from sycllint.values.preprocessor.macros import Macros
from sycllint.values.types import KEYWORDS, plain_type
from sycllint.values.value import Known, Unknown, Value

if TYPE_CHECKING:
    from sycllint.values.interface import Evaluation

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

    def __init__(self, evaluator: Evaluation, macros: Macros) -> None:
        self._evaluator = evaluator
        self._macros = macros
        self._nesting = 0
        self._inside: list[Struct] = []
        """The classes that are being laid out, each inside the one before."""
        self._enums: dict[str, Place] | None = None

    def of_type(self, kind: Type, point: Point) -> Value:
        """Bytes of ``kind``; ``Unknown`` when a part of it is not understood."""
        return self.layout(kind, point).size

    def of_operand(self, operand: Expr, point: Point) -> Value:
        """Bytes of a type or an expression; ``Unknown`` for expressions whose type is not evident."""
        match operand:
            case Name():
                return self.of_type(self._declared(operand, point) or plain_type(operand), point)
            case Type():
                return self.of_type(operand, point)
            case Cast(type=kind):
                return self.of_type(kind, point)
            case Index(object=inner, indices=(_,)) | Unary(operator="*", operand=inner):
                element = self._element_of(inner, point)
                if element is not None:
                    return self.of_type(element, point)
            case Number(text=text):
                result = literal(text)
                if isinstance(result, Scalar):
                    return Known(result.type.bits // 8)
                return Known(4 if result.precision is Precision.SINGLE else 8)
            case Character():
                return Known(1)
            case Binary() | Unary():
                number = self._arithmetic_type(operand, point)
                if number is not None:
                    return Known(max(number.bits // 8, 1))
            case _:
                pass
        return self._evaluator.unknown("the size of an object", operand)

    def _arithmetic_type(self, node: Expr, point: Point) -> IntegerType | None:
        """The integer type of an expression of plain variables and literals."""
        match node:
            case Number(text=text):
                result = literal(text)
                return result.type if isinstance(result, Scalar) else None
            case Name():
                declared = self._declared(node, point)
                if declared is None or declared.pointers or declared.extents:
                    return None
                return self._evaluator.kind(declared.name, point).integer
            case Unary(operator="-" | "+" | "~", operand=operand):
                inner = self._arithmetic_type(operand, point)
                return None if inner is None else promoted(inner)
            case Binary(operator=operator, left=left, right=right):
                first, second = self._arithmetic_type(left, point), self._arithmetic_type(right, point)
                if first is None or second is None:
                    return None
                if operator in ("<", ">", "<=", ">=", "==", "!=", "&&", "||"):
                    return BOOL
                return promoted(first) if operator in ("<<", ">>") else common(first, second)
            case _:
                return None

    def _declared(self, name: Name, point: Point) -> Type | None:
        return self._evaluator.declarations.type_of(name, point)

    def _element_of(self, expression: Expr, point: Point) -> Type | None:
        """The type of an element of an array, or of what a pointer points to."""
        match expression:
            case Name():
                kind = self._declared(expression, point)
            case Index(object=inner, indices=(_,)):
                kind = self._element_of(inner, point)
            case _:
                return None
        if kind is None or kind.name.text == "auto":
            return None
        if kind.extents:
            return replace(kind, extents=kind.extents[1:])
        return replace(kind, pointers=kind.pointers - 1) if kind.pointers else None

    def layout(self, kind: Type, point: Point) -> Layout:
        """Size and alignment of ``kind``."""
        element = Layout(Known(8), 8) if kind.pointers else self._named(kind.name, point)
        return self._extended(element, kind, point)

    def _extended(self, element: Layout, kind: Type, point: Point) -> Layout:
        """``element`` with the pointers and extents of ``kind``."""
        if kind.pointers:
            element = Layout(Known(8), 8)
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
        is_macro = name.text in self._evaluator.facts.macros or name.text in self._evaluator.defines
        macro = self._macros.macro(name, point) if is_macro else None
        if macro is not None and macro.parameters is None and macro.text != name.text:
            return self._named(Name(macro.text, None, None, name.start, name.end), point)
        size = _of_builtin(name.text) if name.text in KEYWORDS else None
        if size is not None:
            return _plain(size)
        given = library_type(self._evaluator, name, point)
        if given is not None:
            return self.layout(*given)
        written = self._evaluator.names.type_named(name, point)
        if written.unbound:
            return Layout(self._evaluator.unknown(f"the size of {written.name.text}", name), 1)
        if written.others:
            return self._one_of([self.layout(each.node.type, standing(each)) for each in written.others])
        if written.name is not name:
            whole, under = written.whole, self._evaluator.under
            if whole is None:
                return under(written.frame, self._named, written.name, written.point)
            return under(written.frame, self.layout, whole, written.point)
        qualified = self._evaluator.names.aliases(name, point) if "::" in name.text else []
        if qualified and all(each.node.type.name.text != name.text for each in qualified):
            return self._one_of([self.layout(each.node.type, standing(each)) for each in qualified])
        last = name.last
        text = name.text.removeprefix("::").removeprefix("std::")
        size = _of_builtin(text) if text in INTEGER_TYPES else None
        if size is not None:
            return _plain(size)
        structs = [each for each in self._evaluator.facts.structs.get(last) if _may_name(name, each.scope)]
        if len(structs) == 1 and not structs[0].node.template_parameters:
            return self._struct(structs[0].node, structs[0].place)
        if len(structs) == 1 and name.arguments is not None:
            return self._instance(structs[0], name, point)
        if structs:
            return Layout(self._evaluator.unknown(f"the size of {name.text}, a template", name), 1)
        size = _of_builtin(last)
        if size is not None:
            return _plain(size)
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
        enum = self.enumeration(name)
        if enum is not None:
            return self._enum_layout(enum)
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

    def enumeration(self, name: Name) -> Place | None:
        """Where an enumeration is declared."""
        if self._enums is None:
            self._enums = {}
            for found in self._evaluator.facts.enumerators.values():
                for each in found:
                    outer = each.place.outer
                    if outer is not None and isinstance(outer.node, Enum):
                        self._enums.setdefault(outer.node.name, outer)
        return self._enums.get(name.last)

    def _enum_layout(self, place: Place) -> Layout:
        enum = place.node
        if not isinstance(enum, Enum):
            return Layout(Unknown("not an enumeration"), 1)
        if enum.underlying is not None:
            return self.layout(enum.underlying, Point(place, enum.start))
        if not enum.scoped:
            for each in enum.enumerators:
                number = self._evaluator.scalar(self._evaluator.names.enumerator(each, Place(each, place)))
                fits = isinstance(number, Scalar) and number.type.bits <= 32
                if not fits:
                    return Layout(self._evaluator.unknown(f"the size of {enum.name}", None), 1)
        return _plain(4)

    def _instance(self, struct: Declared[Struct], name: Name, point: Point) -> Layout:
        """The layout of an instance of a class template that has no specialisations."""
        evaluator = self._evaluator
        frame = evaluator.frames.made(struct.node, (), name.arguments or (), point, None, evaluator.frame)
        return evaluator.under(frame, self._struct, struct.node, struct.place)

    def _struct(self, node: Struct, place: Place) -> Layout:
        """The layout of a class: unknown where it seems to be inside itself, for then the name means another."""
        if node in self._inside:
            return Layout(self._evaluator.unknown(f"the size of {node.name}, inside itself", None), 1)
        self._inside.append(node)
        layout = self._struct_by_members(node, place)
        self._inside.pop()
        return layout

    def _struct_by_members(self, node: Struct, place: Place) -> Layout:
        unknown = Layout(self._evaluator.unknown(f"the size of {node.name}", None), 1)
        if node.bases:
            return Layout(self._evaluator.unknown(f"the size of {node.name}, which has a base class", None), 1)
        facts = self._evaluator.facts.file_at(place)
        if any(node.start <= span.start < node.end for span in facts.damaged) or not is_natural(node, place):
            return unknown
        parts = self._members(node.members, Place(node.members, place))
        if parts is None:
            return unknown
        if node.keyword == "union":
            known = [each.size.value for each in parts if isinstance(each.size, Known)]
            if len(known) != len(parts) or not known:
                return unknown
            alignment = max(each.alignment for each in parts)
            return Layout(Known(_aligned(max(known), alignment)), alignment)
        return self._struct_of(parts)

    def _members(self, block: Block, place: Place) -> list[Layout] | None:
        """The layouts of the data members; ``None`` when some are not known."""
        parts: list[Layout] = []
        nameless: Layout | None = None
        for member in block.statements:
            match member:
                case Struct(name=""):
                    if nameless is not None:
                        parts.append(nameless)
                    nameless = self._struct(member, Place(member, place))
                case Declaration(variables=variables):
                    for variable in variables:
                        if variable.flags & STATIC:
                            continue
                        if variable.type.name.text == "" and nameless is not None:
                            parts.append(self._extended(nameless, variable.type, Point(place, variable.start)))
                        elif variable.type.reference:
                            parts.append(Layout(Known(8), 8))
                        else:
                            parts.append(self.layout(variable.type, Point(place, variable.start)))
                    if variables and variables[0].type.name.text == "":
                        nameless = None
                case Variants() | Damaged():
                    return None
                case _:
                    pass
        return [*parts, nameless] if nameless is not None else parts

    def _one_of(self, layouts: list[Layout]) -> Layout:
        """What covers each of ``layouts``."""
        return Layout(join([each.size for each in layouts]), max(each.alignment for each in layouts))

    def _struct_of(self, parts: list[Layout]) -> Layout:
        offset, alignment = 0, 1
        for part in parts:
            if not isinstance(part.size, Known):
                return Layout(part.size, 1)
            offset = _aligned(offset, part.alignment) + part.size.value
            alignment = max(alignment, part.alignment)
        return Layout(Known(max(_aligned(offset, alignment), 1)), alignment)


def _may_name(name: Name, scope: tuple[str, ...]) -> bool:
    """Whether a name may be of a class of the project: one of the library's namespace is not."""
    first = name.qualifier.removeprefix("::").partition("::")[0]
    return first not in ("std", "sycl", "cl") or first in scope


def _of_builtin(text: str) -> int | None:
    """The bytes of a builtin type."""
    integer = INTEGER_TYPES.get(text)
    return _FLOATING.get(text) if integer is None else max(integer.bits // 8, 1)


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
