"""Types of expressions, as far as the source determines them: enough to deduce a template's arguments from a call's."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

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
    New,
    Number,
    Type,
    Unary,
)
from sycllint.cpp.place import Place
from sycllint.cpp.statement import Function, FunctionParameter, RangeLoop, Struct
from sycllint.facts.file import Declared
from sycllint.record import NamedTuple
from sycllint.values.arithmetic import LONG, UINT, ULONG, Precision, Scalar, literal
from sycllint.values.declarations import declared_in
from sycllint.values.objects import BoundClass, Frame, Point
from sycllint.values.packs import PackArgument, given
from sycllint.values.returned import returned
from sycllint.values.side_effects.library import OWNER_MADE_BY, OWNERS
from sycllint.values.types import as_type, plain_type, pointed

if TYPE_CHECKING:
    from sycllint.values.interface import Evaluation

MAX_STEPS = 12
MAX_BASES = 4
"""How many expressions and initialisers are looked through for one type."""
_DEREFERENCED = OWNERS | {"optional"}
"""Classes whose ``->`` and ``*`` lead to their first argument's object."""
_ALLOCATING = frozenset({"malloc_device", "malloc_shared", "malloc_host"})
_SPELLED = {UINT: "unsigned int", LONG: "long", ULONG: "unsigned long"}


class StaticType(NamedTuple):
    """A type, and where its names are written."""

    type: Type
    point: Point
    frame: Frame | None


_RANGES = frozenset({"range", "id", "nd_range"})
"""SYCL's classes whose constructor is a call like that of a class of the project."""


class StaticTypes:
    """Types for one evaluator."""

    def __init__(self, evaluator: Evaluation) -> None:
        self._evaluator = evaluator
        self._steps = 0

    @property
    def is_asking(self) -> bool:
        """Whether a type is being looked for: what is asked for it may find less than a question of its own."""
        return self._steps > 0

    def of(self, expression: Expr, point: Point) -> StaticType | None:
        """The type of ``expression`` at ``point``, references looked through; ``None`` when it is not evident."""
        if self._steps >= MAX_STEPS:
            return None
        self._steps += 1
        try:
            return self._of(expression, point)
        finally:
            self._steps -= 1

    def _of(self, expression: Expr, point: Point) -> StaticType | None:
        match expression:
            case Name(text="this"):
                return self._this(expression, point)
            case Name():
                return self._variable(expression, point)
            case Member(object=whole, name=name):
                return self._member(self.of(whole, point), name)
            case Number(text=text):
                return self._written(_of_literal(text), expression, point)
            case Character():
                return self._written("char", expression, point)
            case Cast(type=kind) if kind.name.text != "auto":
                return StaticType(kind, point, self._evaluator.frame)
            case New(type=kind):
                return StaticType(pointed(kind, kind.pointers + 1), point, self._evaluator.frame)
            case Brace(type=Type() as kind):
                return StaticType(kind, point, self._evaluator.frame)
            case Brace(type=Name() as name):
                return StaticType(plain_type(name), point, self._evaluator.frame)
            case Unary(operator="&", operand=operand):
                inner = self.of(operand, point)
                if inner is None or inner.type.extents:
                    return None
                return inner._replace(type=pointed(inner.type, inner.type.pointers + 1))
            case Unary(operator="*", operand=operand) | Index(object=operand, indices=(_,)):
                return self._element(self.of(operand, point))
            case Binary(operator="+" | "-", left=left, right=right):
                return self._sum(self.of(left, point), self.of(right, point))
            case Conditional(then=then):
                return self.of(then, point)
            case Call():
                return self._call(expression, point)
            case _:
                return None

    def _written(self, text: str, node: Expr, point: Point) -> StaticType:
        return StaticType(_plain(text, node.start), point, self._evaluator.frame)

    def _variable(self, name: Name, point: Point) -> StaticType | None:
        evaluator = self._evaluator
        if name.text in evaluator.facts.macros or name.text in evaluator.defines:
            return None
        declared = evaluator.declarations.type_of(name, point) if name.scope is None else None
        if declared is None:
            around = name.around
            bound = evaluator.instances.of(around, point) if around is not None else None
            return self._field(bound, name.last) if bound is not None else None
        if declared.name.text != "auto":
            return StaticType(declared, point, evaluator.frame)
        found = evaluator.declarations.variable(name.text, point)
        if found is None:
            return self._of_loop(name, point) or self._argument(name, point)
        variable, there = found
        if variable.style == "[" or len(variable.arguments) != 1:
            return None
        return self.of(variable.arguments[0], there)

    def _of_loop(self, name: Name, point: Point) -> StaticType | None:
        """The type of the elements that a loop's variable, declared ``auto``, goes over."""
        variable, place = self._evaluator.declarations.nearest(name.text, point) or (None, None)
        loop = place.node if place is not None else None
        if place is None or not isinstance(loop, RangeLoop) or variable is not loop.variable:
            return None
        return self._element(self.of(loop.range, Point(place.outer or place, loop.start)))

    def _this(self, name: Name, point: Point) -> StaticType | None:
        struct = point.place.innermost(Struct)
        if struct is None or not struct.name:
            return None
        return StaticType(pointed(_plain(struct.name, name.start), 1), point, self._evaluator.frame)

    def _member(self, whole: StaticType | None, name: str) -> StaticType | None:
        """The declared type of a data member of an object, or of what it leads to."""
        if whole is None or whole.type.extents:
            return None
        bound = self._bound(whole)
        return self._field(bound, name) if bound is not None else None

    def _field(self, bound: BoundClass, name: str, depth: int = 0) -> StaticType | None:
        """The declared type of a data member of a class, which may be one of a base class."""
        if depth >= MAX_STEPS:
            return None
        struct = bound.struct.node
        here = Point(Place(struct.members, bound.struct.place), struct.start)
        for each in declared_in(struct.members.statements):
            if each.name == name:
                return StaticType(each.type, here, bound.frame) if each.type.name.text != "auto" else None
        found = (self._field(each, name, depth + 1) for each in self._evaluator.instances.bases(bound))
        return next((each for each in found if each is not None), None)

    def _argument(self, name: Name, point: Point) -> StaticType | None:
        """The type of what is given for a parameter that is declared ``auto``."""
        evaluator = self._evaluator
        parameter, place = evaluator.declarations.nearest(name.text, point) or (None, None)
        owner = place.node if place is not None else None
        if not isinstance(parameter, FunctionParameter) or not isinstance(owner, Function | Lambda) or parameter.pack:
            return None
        frame = evaluator.frames.binding(owner, evaluator.frame)
        if frame is None:
            evaluator.free[id(owner)] = owner
            return None
        found = given(evaluator.frames, frame, owner.parameters.index(parameter))
        if not isinstance(found, PackArgument):
            return None
        return evaluator.under(found.frame.outer, self.of, found.expression, found.frame.point)

    def _element(self, whole: StaticType | None) -> StaticType | None:
        """What is behind a pointer, or in an array or a vector."""
        if whole is None:
            return None
        kind = whole.type
        if kind.extents:
            return whole._replace(
                type=Type(kind.name, kind.pointers, False, False, kind.extents[1:], kind.start, kind.end)
            )
        if kind.pointers:
            return whole._replace(type=pointee(kind))
        held = _held(kind, "vector", "array", *_DEREFERENCED)
        return None if held is None else whole._replace(type=held)

    def _sum(self, left: StaticType | None, right: StaticType | None) -> StaticType | None:
        """Of two operands one of which is a pointer."""
        for each in (left, right):
            if each is not None and (each.type.pointers or each.type.extents):
                return each
        return None

    def _call(self, node: Call, point: Point) -> StaticType | None:
        match node.function:
            case Name(arguments=(element, *_)) as name if name.last in _ALLOCATING:
                kind = as_type(element)
                if kind is None:
                    return None
                return StaticType(pointed(kind, kind.pointers + 1), point, self._evaluator.frame)
            case Name(arguments=(Type() | Name(), *_) as made) as name if name.last in OWNER_MADE_BY:
                owner = Name(OWNER_MADE_BY[name.last], made[:1], None, name.start, name.end)
                return StaticType(plain_type(owner), point, self._evaluator.frame)
            case Member(object=inner, name="data"):
                return self._pointer_of(inner, point, "vector", "array") or self._returned(node, (), point)
            case Member(object=inner, name="get"):
                return self._pointer_of(inner, point, *OWNERS) or self._returned(node, (), point)
            case Name() as name:
                kind = as_type(name)
                known = self._evaluator.kind(name, point) if kind is not None else None
                is_type = known is not None and (known.struct is not None or known.sycl in _RANGES)
                is_empty = not node.arguments and name.scope is None
                is_type = is_type or (is_empty and self._evaluator.names.integral_constant(name, point) is not None)
                if kind is not None and is_type:
                    return StaticType(kind, point, self._evaluator.frame)
                return self._returned(node, name.arguments or (), point)
            case Member(arguments=arguments):
                return self._returned(node, arguments or (), point)
            case _:
                return None

    def _returned(self, node: Call, templates: tuple[Expr, ...], point: Point) -> StaticType | None:
        """The type of what the function that ``node`` calls gives back: as declared, or of its one return value."""
        evaluator = self._evaluator
        meant = evaluator.overloads.of(node, point.place)
        if not meant.sure or not _give_the_same(meant.found):
            return None
        function, place = meant.found[0].node, meant.found[0].place
        inside = self._instance(node.function, meant.found[0], point) or evaluator.frames.made(
            function, node.arguments, templates, Point(point.place, node.start), None, evaluator.frame
        )
        if function.returns is not None and function.returns.name.text != "auto":
            return StaticType(function.returns, Point(place, function.start), inside)
        values = list(returned(function.body, Place(function.body, place))) if function.body is not None else []
        statement, around = values[0] if len(values) == 1 else (None, place)
        if statement is None or statement.value is None:
            return None
        return evaluator.under(inside, self.of, statement.value, Point(around, statement.start))

    def _instance(self, called: Expr, method: Declared[Function], point: Point) -> Frame | None:
        """The frame of the class template whose method, no template itself, is called on an object."""
        struct = self._evaluator.symbols.class_defining(method) if isinstance(called, Member) else None
        if struct is None or not struct.node.template_parameters or method.node.template_parameters:
            return None
        assert isinstance(called, Member)
        whole = self.of(called.object, point)
        bound = self._bound(whole) if whole is not None else None
        for _ in range(MAX_BASES):
            if bound is None or bound.struct.node is struct.node:
                return bound.frame if bound is not None else None
            bases = list(self._evaluator.instances.bases(bound))
            bound = bases[0] if len(bases) == 1 else None
        return None

    def _bound(self, whole: StaticType) -> BoundClass | None:
        """The class of an object, or of what it leads to."""
        return self._evaluator.under(whole.frame, self._evaluator.instances.of, pointee(whole.type).name, whole.point)

    def _pointer_of(self, inner: Expr, point: Point, *owners: str) -> StaticType | None:
        whole = self.of(inner, point)
        held = _held(whole.type, *owners) if whole is not None else None
        if whole is None or held is None:
            return None
        return whole._replace(type=pointed(held, held.pointers + 1))


def _give_the_same(functions: Sequence[Declared[Function]]) -> bool:
    """Whether a call gives the same whichever it means: one, or those for constant objects and others."""
    if len(functions) < 2:
        return bool(functions)
    kinds = {(each.node.returns.name.text, each.node.returns.pointers) for each in functions if each.node.returns}
    is_written = all(each.node.returns is not None and not each.node.template_parameters for each in functions)
    return is_written and len(kinds) == 1 and "auto" not in next(iter(kinds))


def pointee(kind: Type) -> Type:
    """The type of the object that ``->`` leads to: behind a pointer, or what an owner of the library holds."""
    if kind.pointers:
        return pointed(kind, kind.pointers - 1)
    return _held(kind, *_DEREFERENCED) or kind


def deduced(parameter: str, wanted: Type, given: Type) -> Type | None:
    """What ``parameter`` is when a function's parameter of type ``wanted`` is handed an argument of type ``given``.

    ``None`` when ``wanted`` does not depend on it, or the types do not match as they are spelled.
    """
    if wanted.name.text == parameter and wanted.name.arguments is None:
        if wanted.extents:
            return _plain_of(given, given.pointers) if len(wanted.extents) == len(given.extents) else None
        if len(given.extents) > 1 or (given.extents and wanted.reference):
            return None
        left = given.pointers + len(given.extents) - wanted.pointers
        return _plain_of(given, left) if left >= 0 else None
    if wanted.name.last != given.name.last or wanted.pointers != given.pointers:
        return None
    for inner, argument in zip(wanted.name.arguments or (), given.name.arguments or (), strict=False):
        kind, found = as_type(inner), as_type(argument)
        if kind is not None and found is not None:
            result = deduced(parameter, kind, found)
            if result is not None:
                return result
    return None


def _plain_of(kind: Type, pointers: int) -> Type:
    return Type(kind.name, pointers, False, False, (), kind.start, kind.end)


def _plain(text: str, start: int) -> Type:
    return Type(Name(text, None, None, start, start), 0, False, False, (), start, start)


def _held(kind: Type, *owners: str) -> Type | None:
    """The first argument of one of the templates called ``owners``."""
    arguments = kind.name.arguments
    if not arguments or kind.pointers or kind.name.last not in owners:
        return None
    return as_type(arguments[0])


def _of_literal(text: str) -> str:
    result = literal(text)
    if isinstance(result, Scalar):
        return _SPELLED.get(result.type, "int")
    return "float" if result.precision is Precision.SINGLE else "double"
