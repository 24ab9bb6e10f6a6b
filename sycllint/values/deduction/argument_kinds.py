"""Kinds of arguments and parameters, for the choice among overloads: what static types determine."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from sycllint.cpp.expression import (
    Binary,
    Brace,
    Call,
    Character,
    Expr,
    Lambda,
    Name,
    Number,
    SizeOf,
    Text,
    Type,
    Unary,
)
from sycllint.cpp.node import Node
from sycllint.cpp.place import Place
from sycllint.cpp.statement import Function
from sycllint.symbols.conversions import OPAQUE, STANDARD, ArgumentKind, TypeClass
from sycllint.symbols.templates import template_parameter
from sycllint.values.deduction.static_types import StaticTypes
from sycllint.values.objects import Answer, Asking, Point, TypeKind
from sycllint.values.preprocessor.macros import Macros
from sycllint.values.side_effects.library import OWNERS
from sycllint.values.types import as_type, plain_type

if TYPE_CHECKING:
    from sycllint.values.interface import Evaluation

_NUMBER = ArgumentKind(TypeClass.NUMBER)
_ZERO = ArgumentKind(TypeClass.ZERO)
_TRUTH = ArgumentKind(TypeClass.TRUTH)
_POINTER = ArgumentKind(TypeClass.POINTER)
_NUMERIC = frozenset({TypeClass.NUMBER, TypeClass.TRUTH, TypeClass.ZERO})
_OF_LITERALS = {
    Text: ArgumentKind(TypeClass.TEXT),
    Lambda: ArgumentKind(TypeClass.LAMBDA),
    Character: _NUMBER,
    SizeOf: _NUMBER,
}
_WORDS = {"true": _TRUTH, "false": _TRUTH, "nullptr": _POINTER}
_EXTENTS = frozenset({"range", "id"})
_OF_ANYTHING = frozenset({"any", "optional", "variant", "expected", "function", "reference_wrapper"})
"""Classes of ``std`` that are made from whatever they hold."""
_ZEROS = frozenset({"0", "0u", "0U", "0l", "0L", "0ul", "0UL"})


class ArgumentKinds:
    """Answers for one evaluator. But for ``bound``, they hold on whatever way the code is reached."""

    def __init__(self, evaluator: Evaluation, macros: Macros, static_types: StaticTypes) -> None:
        self._evaluator = evaluator
        self._macros = macros
        self._static_types = static_types
        self._known: dict[tuple[Expr, Node, int], ArgumentKind | None] = {}

    def of_argument(self, expression: Expr, place: Place, offset: int) -> ArgumentKind | None:
        """The kind of an expression in the code at ``place``, before ``offset``."""
        if type(expression) is Number:
            return _ZERO if expression.text in _ZEROS else _NUMBER
        if self._static_types.is_asking or place.enclosing.is_repeated:
            return self._unbound(self._of_argument, expression, Point(place, offset))
        key = (expression, place.node, offset)
        if key not in self._known:
            self._known[key] = self._unbound(self._of_argument, expression, Point(place, offset))
        return self._known[key]

    def bound(self, arguments: Iterable[Expr], point: Point) -> tuple[ArgumentKind | None, ...]:
        """The kinds of arguments on the way by which the evaluator looks at the code."""
        return tuple([self._of_argument(each, point) for each in arguments])

    def _of_argument(self, expression: Expr, point: Point) -> ArgumentKind | None:
        match expression:
            case Number(text=text):
                return _ZERO if text in _ZEROS else _NUMBER
            case Name(text=text):
                given = self._macros.argument(text, point.place)
                if given is not None:
                    return self._of_argument(*given)
                return _WORDS[text] if text in _WORDS else self._static(expression, point, leads_to=False)
            case Binary(left=left, right=right):
                return _NUMBER if self._is_number(left, point) and self._is_number(right, point) else None
            case Unary(operator="-" | "+" | "~", operand=operand):
                return _NUMBER if self._is_number(operand, point) else None
            case Brace(type=Name() as name):
                return self._of(plain_type(name), point)
        known = _OF_LITERALS.get(type(expression))
        return self._static(expression, point, leads_to=False) if known is None else known

    def _is_number(self, expression: Expr, point: Point) -> bool:
        kind = self._of_argument(expression, point)
        return kind is not None and kind.shape in _NUMERIC

    def of_parameter(self, written: Type, place: Place) -> ArgumentKind | None:
        """The kind of a type that a declaration at ``place`` writes."""
        return self._unbound(self._of, written, Point(place, written.start))

    def of_object(self, expression: Expr, place: Place, offset: int) -> ArgumentKind | None:
        """The kind of an object whose member is named, or of what it points to."""
        if isinstance(expression, Brace | Lambda | Text | Number):
            return self.of_argument(expression, place, offset)
        return self._unbound(self._static, expression, Point(place, offset), leads_to=True)

    def is_variable(self, name: Name, place: Place, offset: int) -> bool:
        """Whether a function around ``place`` declares a variable of this name."""
        return self._evaluator.declarations.nearest(name.text, Point(place, offset)) is not None

    def _static(self, expression: Expr, point: Point, *, leads_to: bool) -> ArgumentKind | None:
        typed = self._static_types.of(expression, point)
        if typed is None:
            return None
        written = typed.type
        if leads_to:
            if written.pointers == 1 and not written.extents:
                written = plain_type(written.name)
            elif written.name.last in OWNERS and written.name.arguments and not written.pointers:
                held = as_type(written.name.arguments[0])
                return None if held is None or held.pointers else self._of(held, typed.point)
        elif isinstance(expression, Call) and written.reference:
            return None
        return self._evaluator.under(typed.frame, self._of, written, typed.point)

    def _unbound(self, ask: Callable[Asking, Answer], *asked: Asking.args, **more: Asking.kwargs) -> Answer:
        """What ``ask`` answers with no parameter bound, and none noted as asked for."""
        evaluator = self._evaluator
        free, evaluator.free = evaluator.free, {}
        try:
            return evaluator.under(None, ask, *asked, **more)
        finally:
            evaluator.free = free

    def _of(self, written: Type, point: Point) -> ArgumentKind | None:
        if written.pointers or written.extents:
            return _POINTER
        name = written.name
        if not name.text or name.text == "auto":
            return None
        parameter, frame = template_parameter(name.text, point.place), self._evaluator.frame
        if parameter is not None:
            given = self._evaluator.bindings.type_given(*parameter, point.place, frame) if frame is not None else None
            return None if given is None else self._evaluator.under(given[2], self._of, *given[:2])
        kind = self._of_kind(self._evaluator.kind(name, point))
        first = name.arguments[0] if kind is not None and kind.library in _EXTENTS and name.arguments else None
        found = template_parameter(first.text, point.place) if isinstance(first, Name) else None
        is_deduced = found is not None and isinstance(found[0], Function)
        return kind._replace(is_deduced=True) if kind is not None and is_deduced else kind

    def _of_kind(self, kind: TypeKind) -> ArgumentKind | None:
        if kind.extents is not None:
            return _POINTER if kind.extents.pointers or kind.extents.extents else None
        if kind.is_number:
            return _TRUTH if kind.name.last == "bool" else _NUMBER
        if kind.struct is not None:
            return ArgumentKind(TypeClass.CLASS, scope=self._evaluator.symbols.scope_of(kind.struct))
        if kind.name.qualifier.removeprefix("::") == "std" and kind.name.last not in _OF_ANYTHING:
            return ArgumentKind(TypeClass.LIBRARY, library=STANDARD)
        if kind.sycl not in OPAQUE and kind.sycl not in _EXTENTS:
            return None
        first = kind.name.arguments[0] if kind.name.arguments else None
        dimensions = int(first.text) if isinstance(first, Number) and first.text in ("1", "2", "3") else None
        return ArgumentKind(TypeClass.LIBRARY, library=kind.sycl, dimensions=dimensions)
