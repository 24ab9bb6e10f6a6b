"""How many bytes a kernel holds at most, by the types that are written: where few do, no front end need be asked.

Objects of SYCL's classes and references count as nothing, as in the answer of a front end (``Held``).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial

from sycllint.cpp.expression import Binary, Call, Capture, Cast, Conditional, Expr, Lambda, Member, Name, Type, Unary
from sycllint.cpp.node import walk
from sycllint.cpp.place import Place
from sycllint.cpp.statement import STATIC, Damaged, Declaration, Struct, Variable, Variants
from sycllint.facts.file import Declared
from sycllint.symbols.templates import template_parameter
from sycllint.values.arithmetic import Real, Scalar
from sycllint.values.constancy import has_foreign_headers
from sycllint.values.evaluate import Evaluator
from sycllint.values.objects import (
    Asking,
    Closure,
    Frame,
    Instance,
    NdRangeObject,
    Point,
    RangeObject,
    Result,
    TypeKind,
)
from sycllint.values.types import plain_type, qualifier_is_sycl
from sycllint.values.value import Known

MAX_NESTING = 12
"""Objects in objects, and initialisers of initialisers, that are looked into."""
_NUMBER = 16
"""No number has more bytes: ``long double``."""
_LIBRARY_OBJECT = 64
"""No object of the standard library has more bytes, but for those that hold others themselves."""
_HOLDING = frozenset({"pair", "tuple", "optional", "variant", "complex"})
_COUNTED = frozenset({"array", "bitset"})
_WORD = re.compile(r"[A-Za-z_]\w*")


class ArgumentBytes:
    """Answers for one evaluator; ``None`` where no bound is known."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._evaluator = evaluator
        self._nesting = 0
        self._has_foreign = evaluator.facts.once(has_foreign_headers)

    def at_most(self, kernel: Expr, place: Place, frame: Frame | None) -> int | None:
        """Bytes that a kernel, which is written at ``place`` and reached by ``frame``, holds at most."""
        return self._evaluator.under(frame, self._value, kernel, Point(place, kernel.start))

    # --------------------------------------------------------------- lambdas

    def _captured(self, kernel: Lambda, point: Point) -> int | None:
        if kernel.damaged:
            return None
        given = {each.name: each for each in kernel.captures if each.value is not None}
        parts = [self._value(each.value, point) for each in given.values() if each.value is not None]
        if kernel.default != "&":
            named = self._named(kernel) if kernel.default else {each.name for each in kernel.captures}
            by_reference = {each.name for each in kernel.captures if each.by_reference}
            parts += [self._local(each, point) for each in sorted(named - by_reference - given.keys())]
        return _sum(parts)

    def _named(self, kernel: Lambda) -> set[str]:
        """The names that the body of a lambda uses, those that macros write among them."""
        waiting = [each.text for each in walk(kernel.body) if isinstance(each, Name) and "::" not in each.text]
        found: set[str] = set()
        while waiting:
            text = waiting.pop()
            if text not in found:
                found.add(text)
                for declared in self._evaluator.facts.macros.get(text):
                    waiting += _WORD.findall(declared.node.text)
        return found

    def _local(self, text: str, point: Point) -> int | None:
        """What a copy of a variable of the functions around takes; nothing, where none is called so."""
        found = self._evaluator.declarations.nearest(text, point)
        if found is None:
            return 0
        node, place = found
        there = Point(place, node.start if not isinstance(node, Capture) else point.offset)
        if isinstance(node, Capture):
            return self._value(node.value, there) if node.value is not None else None
        if node.type.reference or (isinstance(node, Variable) and node.flags & STATIC):
            return 0
        if self._evaluator.kind(node.type.name, there).automatic and not node.type.pointers:
            return self._initialised(node, there) if isinstance(node, Variable) else self._evaluated(text, point)
        found_bytes = self._of_type(node.type, there)
        return self._evaluated(text, point) if found_bytes is None else found_bytes

    def _initialised(self, variable: Variable, point: Point) -> int | None:
        if variable.style == "[" or len(variable.arguments) != 1:
            return None
        return self._value(variable.arguments[0], point)

    def _evaluated(self, text: str, point: Point) -> int | None:
        """By what the way binds: the parameter of a template is handed a lambda, an object or a number."""
        evaluator = self._evaluator
        return self._of_result(evaluator.evaluate(Name(text, None, None, point.offset, point.offset), point))

    # ----------------------------------------------------------- expressions

    def _value(self, expression: Expr, point: Point) -> int | None:
        """Bytes of the value of an expression."""
        return self._inside(self._of_expression, expression, point)

    def _inside(self, ask: Callable[Asking, int | None], *asked: Asking.args, **more: Asking.kwargs) -> int | None:
        """The answer about an object in an object, unless these lie too deep in one another."""
        if self._nesting >= MAX_NESTING:
            return None
        self._nesting += 1
        try:
            return ask(*asked, **more)
        finally:
            self._nesting -= 1

    def _of_expression(self, expression: Expr, point: Point) -> int | None:
        match expression:
            case Lambda():
                return self._captured(expression, point)
            case Cast(type=kind) if kind.name.text != "auto":
                return 0 if kind.reference else self._of_type(kind, point)
            case Unary(operator="&"):
                return 8
            case Name(scope=None, arguments=None, text=text) if "::" not in text:
                if self._evaluator.declarations.nearest(text, point) is not None:
                    return self._local(text, point)
            case Conditional(then=then, otherwise=otherwise):
                return _most([self._value(then, point), self._value(otherwise, point)])
            case Unary(operand=operand) if expression.operator != "*":
                return self._at_least_a_number([operand], point)
            case Binary(left=left, right=right):
                return self._at_least_a_number([left, right], point)
            case _:
                pass
        written = self._evaluator.static_types.of(expression, point)
        found = self._of_type(written.type, written.point) if written is not None else None
        if found is None:
            found = self._of_result(self._evaluator.evaluate(expression, point))
        if found is None and isinstance(expression, Call):
            return self._called(expression, point)
        return found

    def _at_least_a_number(self, operands: Iterable[Expr], point: Point) -> int | None:
        return _most([_NUMBER, *(self._value(each, point) for each in operands)])

    def _of_result(self, result: Result) -> int | None:
        match result:
            case Scalar() | Real():
                return _NUMBER
            case RangeObject() | NdRangeObject():
                return 0
            case Closure(function=function, place=place, frame=frame):
                return self._inside(self.at_most, function, place.outer or place, frame)
            case Instance(struct=struct, bound=bound):
                return self._of_struct(struct, bound)
            case _:
                return None

    def _called(self, call: Call, point: Point) -> int | None:
        """Bytes of what a function returns: of the project, as declared; else an object of a library."""
        evaluator = self._evaluator
        targets = evaluator.overloads.of(call, point.place).found
        if targets:
            returned = [each.node.returns for each in targets]
            return _most(
                [
                    None if kind is None else 0 if kind.reference else self._of_type(kind, Point(each.place, 0))
                    for each, kind in zip(targets, returned, strict=True)
                ]
            )
        match call.function:
            case Name(scope=None) as name if not evaluator.symbols.functions(name, point.place).declared:
                if qualifier_is_sycl(name.qualifier, evaluator.facts.namespaces):
                    return 0
                if self._has_foreign and name.qualifier.removeprefix("::") != "std":
                    return None
                handed = [self._value(each, point) for each in call.arguments]
                types = [self._argument(each, point) for each in name.arguments or ()]
                return _most([_LIBRARY_OBJECT, _sum([*handed, *types])])
            case Member(object=inner, name=method) if not evaluator.facts.functions.get(method):
                return None if self._has_foreign and self._value(inner, point) is None else _LIBRARY_OBJECT
            case _:
                return None

    # ----------------------------------------------------------------- types

    def _argument(self, argument: Expr, point: Point) -> int | None:
        """Bytes of a template's argument, when it is a type."""
        if isinstance(argument, Type):
            return self._of_type(argument, point)
        if isinstance(argument, Name):
            return self._of_type(plain_type(argument), point)
        return _NUMBER

    def _of_type(self, written: Type, point: Point) -> int | None:
        evaluator = self._evaluator
        count = 1
        for each in written.extents:
            extent = evaluator.value(each, point) if each is not None else None
            if not isinstance(extent, Known):
                return None
            count *= extent.value
        if written.pointers:
            return 8 * count
        kind = evaluator.kind(written.name, point)
        if kind.struct is None and not qualifier_is_sycl(kind.name.qualifier, evaluator.facts.namespaces):
            size = evaluator.sizes.of_type(plain_type(written.name), point)
            if isinstance(size, Known):
                return size.value * count
        element = self._of_kind(kind, point)
        return None if element is None else element * count

    def _of_kind(self, kind: TypeKind, point: Point) -> int | None:
        name = kind.name
        if kind.is_number:
            return _NUMBER
        if kind.extents is not None:
            return self._of_type(kind.extents, point) if not kind.extents.pointers else 8
        if kind.struct is not None:
            return self._of_struct(kind.struct, kind.bound)
        if qualifier_is_sycl(name.qualifier, self._evaluator.facts.namespaces):
            return 0
        if template_parameter(name.text.partition("::")[0], point.place) is not None or not name.text:
            return None
        if name.qualifier.removeprefix("::") != "std" and (name.qualifier or self._has_foreign):
            return None
        if name.last in _COUNTED:
            return None
        if name.last in _HOLDING:
            return _most([_LIBRARY_OBJECT, _sum([self._argument(each, point) for each in name.arguments or ()])])
        return _LIBRARY_OBJECT

    def _of_struct(self, struct: Declared[Struct], bound: Frame | None) -> int | None:
        """The data members of a class together, with those of its bases."""
        whole = partial(self._evaluator.under, bound, self._of_members, struct.node, struct.place)
        return self._inside(whole)

    def _of_members(self, node: Struct, place: Place) -> int | None:
        return _sum(self._parts(node, place))

    def _parts(self, node: Struct, place: Place) -> Iterator[int | None]:
        inside = Place(node.members, place)
        for each in node.bases:
            yield self._of_kind(self._evaluator.kind(each, Point(place, node.start)), Point(place, node.start))
        for statement in node.members.statements:
            match statement:
                case Declaration(variables=variables):
                    for variable in variables:
                        if not variable.flags & STATIC:
                            # What the variable is rounded up to, so that padding counts.
                            found = self._of_type(variable.type, Point(inside, variable.start))
                            yield 8 if variable.type.reference else None if found is None else found + 8
                case Struct(name=""):
                    yield _sum(self._parts(statement, Place(statement, inside)))
                case Variants() | Damaged():
                    yield None
                case _:
                    pass


def _sum(parts: Iterable[int | None]) -> int | None:
    total = 0
    for each in parts:
        if each is None:
            return None
        total += each
    return total


def _most(parts: Iterable[int | None]) -> int | None:
    most = 0
    for each in parts:
        if each is None:
            return None
        most = max(most, each)
    return most
