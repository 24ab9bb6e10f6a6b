"""Which expressions C++ may take for constant ones, by what declares their names: no others are worth a front end."""

from __future__ import annotations

from sycllint.cpp.expression import (
    Binary,
    Brace,
    Call,
    Cast,
    Character,
    Conditional,
    Expr,
    Index,
    Lambda,
    Member,
    Name,
    Number,
    SizeOf,
    Text,
    Type,
    Unary,
)
from sycllint.cpp.statement import CONST, CONSTEXPR, STATIC, Block, Enumerator, Variable
from sycllint.symbols.templates import template_parameter
from sycllint.symbols.unit import Unit
from sycllint.values.evaluate import Evaluator
from sycllint.values.objects import Point
from sycllint.values.types import qualifier_is_sycl

MAX_STEPS = 12
"""So many initialisers and arguments are looked into inside one another; what is deeper may be constant."""
_SIZED = frozenset({"array", "span", "bitset", "tuple", "integral_constant", "extents"})
"""Classes of the standard library whose objects have members that are constant though the object is not."""
_NO_NUMBERS = frozenset({"this", "nullptr", "NULL", "true", "false"})
_LIBRARIES = frozenset({"std", "sycl", "cl"})
_C_HEADERS = frozenset(
    f"{each}.h"
    for each in (
        "assert", "complex", "ctype", "errno", "fenv", "float", "inttypes", "iso646", "limits", "locale", "math",
        "setjmp", "signal", "stdalign", "stdarg", "stdatomic", "stdbool", "stddef", "stdint", "stdio", "stdlib",
        "stdnoreturn", "string", "tgmath", "threads", "time", "uchar", "wchar", "wctype",
        "unistd", "sys/time", "sys/types", "sys/stat", "malloc", "memory", "getopt", "omp",
    )
)  # fmt: skip
"""Headers of C (ISO/IEC 9899:2018, 7.1.2), of POSIX and of OpenMP: they declare no ``constexpr`` function."""


class Constancy:
    """Answers for one evaluator. ``True`` where it is not known."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._evaluator = evaluator
        self._steps = 0

    def may_be_constant(self, expression: Expr, point: Point) -> bool:
        """Whether an expression may be a constant one; what runs decides all others."""
        if self._steps >= MAX_STEPS:
            return True
        self._steps += 1
        try:
            return self._may(expression, point)
        finally:
            self._steps -= 1

    def _may(self, expression: Expr, point: Point) -> bool:
        match expression:
            case Number() | Character() | Text() | SizeOf() | Type() | Lambda():
                return True
            case Name():
                return self._name(expression, point)
            case Member(object=inner, name=name):
                return self._member(inner, name, point)
            case Call(function=function, arguments=arguments):
                return self._call(expression, function, arguments, point)
            case Cast(operand=operand) | Unary(operand=operand):
                return self.may_be_constant(operand, point)
            case Binary(left=left, right=right):
                return self._all((left, right), point)
            case Conditional(condition=condition, then=then, otherwise=otherwise):
                return self._all((condition,), point) and any(self._all((each,), point) for each in (then, otherwise))
            case Index(object=inner, indices=indices):
                return self._all((inner, *indices), point)
            case Brace(elements=elements):
                return self._all(elements, point)
            case _:
                return False

    def _all(self, expressions: tuple[Expr, ...], point: Point) -> bool:
        return all(self.may_be_constant(each, point) for each in expressions)

    # ----------------------------------------------------------------- names

    def _name(self, name: Name, point: Point) -> bool:
        text, evaluator = name.text, self._evaluator
        if text in _NO_NUMBERS:
            return False
        if name.scope is not None or name.arguments is not None:
            return True
        if "::" not in text:
            bound = evaluator.macros.argument(text, point.place)
            if bound is not None:
                return self.may_be_constant(*bound)
            if text in evaluator.facts.macros or text in evaluator.defines:
                return self._macro(name, point)
            found = evaluator.declarations.nearest(text, point)
            if found is not None:
                node, place = found
                # Each branch of a conditional may declare one of its own.
                alike = evaluator.declarations.of_block(place.node, text) if isinstance(place.node, Block) else ()
                return isinstance(node, Variable) and any(
                    self._variable(each, Point(place, each.start)) for each in alike or (node,)
                )
            parameter = template_parameter(text, point.place)
            if parameter is not None:
                owner, index = parameter
                return owner.template_parameters[index].type is not None
        declared = evaluator.symbols.variables(name, point.place).declared
        if declared:
            return any(
                isinstance(each.node, Enumerator) or self._variable(each.node, Point(each.place, each.node.start))
                for each in declared
            )
        if qualifier_is_sycl(name.qualifier, evaluator.facts.namespaces):
            # SYCL's namespaces hold enumerators and objects, no numbers.
            return False
        return "::" in text or text.isupper() or evaluator.facts.once(has_foreign_headers)

    def _macro(self, name: Name, point: Point) -> bool:
        macro = self._evaluator.macros.macro(name, point)
        return macro is None or macro.value is None or self.may_be_constant(macro.value, point)

    def _variable(self, variable: Variable, point: Point) -> bool:
        """Whether a variable can be used in a constant expression."""
        if variable.flags & CONSTEXPR:
            return True
        if not (variable.flags & CONST or variable.type.constant) or variable.type.pointers:
            return False
        return self._all(variable.arguments, point)

    def _member(self, inner: Expr, name: str, point: Point) -> bool:
        """Whether a data member may be constant: that of a constant object, or one of the class."""
        static = [each.node for each in self._evaluator.facts.variables.get(name) if each.node.flags & STATIC]
        if any(self._variable(each, point) for each in static):
            return True
        return self.may_be_constant(inner, point)

    # ----------------------------------------------------------------- calls

    def _call(self, call: Call, function: Expr, arguments: tuple[Expr, ...], point: Point) -> bool:
        evaluator = self._evaluator
        if not all(self._is_handed(each, point) for each in arguments):
            return False
        targets = evaluator.overloads.of(call, point.place).found
        if targets:
            return any(each.node.flags & CONSTEXPR for each in targets)
        match function:
            case Name(scope=None, text=text) if self._is_library(function) or text in evaluator.facts.macros:
                return True
            case Name(scope=None) if "::" not in function.text and evaluator.declarations.nearest(function.text, point):
                # A lambda is constexpr where it can be.
                return True
            case Name(scope=None) as name:
                declared = evaluator.symbols.functions(name, point.place).declared
                if declared:
                    return any(each.node.flags & CONSTEXPR for each in declared)
                if evaluator.kind(name, point).is_number or evaluator.symbols.classes(name, point.place).declared:
                    return True
                return evaluator.facts.once(has_foreign_headers)
            case Member(object=inner):
                return self._is_sized(inner, point) or self.may_be_constant(inner, point)
            case _:
                return True

    def _is_library(self, name: Name) -> bool:
        return name.qualifier.removeprefix("::").partition("::")[0] in _LIBRARIES

    def _is_handed(self, argument: Expr, point: Point) -> bool:
        """Whether a call with an argument may be constant: by its value, or because its type is all that matters."""
        return self._is_sized(argument, point) or self.may_be_constant(argument, point)

    def _is_sized(self, expression: Expr, point: Point) -> bool:
        """Whether the type of an object may hold constants: an array, an object of a class that is not visible."""
        if not isinstance(expression, Name):
            return False
        declared = self._evaluator.declarations.type_of(expression, point)
        if declared is None or declared.pointers:
            return False
        kind = self._evaluator.kind(declared.name, point)
        if declared.extents or kind.is_array:
            return True
        if kind.is_number or kind.automatic or kind.sycl:
            return kind.automatic
        return kind.name.qualifier not in _LIBRARIES or kind.name.last in _SIZED


def has_foreign_headers(unit: Unit) -> bool:
    """Whether a unit includes headers that are not visible, other than those of SYCL and of the standard library."""
    return any(
        unit.included(each) is None and not _is_of_libraries(each.path)
        for facts in unit.files
        for each in facts.includes
    )


def _is_of_libraries(path: str) -> bool:
    return "." not in path or path in _C_HEADERS or path.startswith(("sycl/", "CL/sycl"))
