"""What expressions of device code are made of: float, double, integers, vectors; and what pointers and accessors hold.

Types are those of the source as it stands: a template's parameter stays unknown, whatever it is instantiated with.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum

from sycllint.cpp.expression import (
    Assign,
    Binary,
    Brace,
    Call,
    Capture,
    Cast,
    Character,
    Conditional,
    Expr,
    Increment,
    Index,
    Member,
    Name,
    Number,
    SizeOf,
    Type,
    Unary,
)
from sycllint.cpp.place import Place
from sycllint.cpp.statement import Function, FunctionParameter, RangeLoop, Struct, Variable
from sycllint.facts.file import Declared
from sycllint.record import record, replace
from sycllint.values.evaluate import Evaluator
from sycllint.values.objects import Point
from sycllint.values.types import as_type, qualifier_is_sycl


class Base(Enum):
    """A scalar type, as far as arithmetic on a GPU cares."""

    INTEGER = "integer"
    HALF = "half"
    FLOAT = "float"
    DOUBLE = "double"
    LITERAL = "literal"
    """Made of floating-point literals without a suffix, and integers: double, and float with an ``f``."""
    OTHER = "other"
    """A class, or nothing that is known."""


@record
class ScalarType:
    """A scalar type, or one that is reached by ``depth`` subscripts."""

    base: Base
    depth: int = 0
    vector: bool = False
    """A ``sycl::vec`` or ``marray`` of it: its operators convert the other side to the element's type."""
    struct: Declared[Struct] | None = None
    constant: bool = False
    """Nothing but literals, which the compiler folds."""

    @property
    def is_scalar(self) -> bool:
        """Whether it is a number, not a vector, pointer or container."""
        return self.depth == 0 and not self.vector

    @property
    def is_single(self) -> bool:
        """Whether it is a float or half."""
        return self.is_scalar and self.base in (Base.FLOAT, Base.HALF)


OTHER = ScalarType(Base.OTHER)
INTEGER = ScalarType(Base.INTEGER)
WHOLE = ScalarType(Base.INTEGER, constant=True)
_ORDER = (Base.INTEGER, Base.HALF, Base.FLOAT, Base.DOUBLE)


def number(text: str) -> ScalarType:
    """What a numeric literal is."""
    lower = text.lower().replace("'", "").lstrip("+-")
    if lower.startswith("0x") and "p" not in lower:
        return WHOLE
    if not any(mark in lower for mark in ".ep"):
        return WHOLE
    if lower.endswith("f16"):
        return ScalarType(Base.HALF)
    if lower.endswith("f"):
        return ScalarType(Base.FLOAT)
    if lower[-1] in "0123456789.":
        return ScalarType(Base.LITERAL, constant=True)
    return ScalarType(Base.DOUBLE) if lower.endswith("l") else OTHER


def common(first: ScalarType, second: ScalarType) -> ScalarType:
    """The type in which two numbers meet; literals without a suffix take the other side's, as with an ``f``."""
    if first.vector or second.vector:
        return first if first.vector else second
    if not (first.is_scalar and second.is_scalar) or Base.OTHER in (first.base, second.base):
        return OTHER
    for one, other in ((first, second), (second, first)):
        if one.base is Base.LITERAL:
            if other.base in (Base.LITERAL, Base.INTEGER):
                return ScalarType(Base.LITERAL, constant=one.constant and other.constant)
            return other
    return max(first, second, key=lambda each: _ORDER.index(each.base))


MAX_DEPTH = 24


_VECTORS = frozenset({"vec", "marray"})
_ARRAYS = frozenset(
    [
        *("accessor", "local_accessor", "host_accessor", "buffer", "vector", "array", "multi_ptr", "global_ptr"),
        *("local_ptr", "private_ptr", "raw_global_ptr", "raw_local_ptr", "decorated_global_ptr", "decorated_local_ptr"),
        *("span", "unique_ptr", "shared_ptr", "valarray"),
    ]
)
_DIMENSIONED = frozenset({"accessor", "local_accessor", "host_accessor", "buffer"})
_POINTERS_OF = frozenset(
    {"get_pointer", "get_multi_ptr", "get", "get_raw", "data", "begin", "get_access", "get_host_access"}
)
_COMPONENTS = frozenset([*"xyzwrgba", *(f"s{digit}" for digit in "0123456789ABCDEF")])
_ALLOCATORS = frozenset(
    {"malloc_device", "malloc_shared", "malloc_host", "aligned_alloc_device", "aligned_alloc_shared"}
)

MATH_CONSTANTS = frozenset(
    [
        *("M_E", "M_LOG2E", "M_LOG10E", "M_LN2", "M_LN10", "M_PI", "M_PI_2", "M_PI_4", "M_1_PI", "M_2_PI"),
        *("M_2_SQRTPI", "M_SQRT2", "M_SQRT1_2"),
    ]
)
"""Macros of <cmath> that are double literals (POSIX.1-2017, math.h)."""
_SINGLE_CONSTANTS = frozenset({"FLT_MAX", "FLT_MIN", "FLT_EPSILON", "INFINITY", "NAN", "HUGE_VALF"})
"""Macros that are floats (C++ standard, headers cfloat and cmath)."""

LIKE_FIRST = frozenset(
    [
        *("abs", "acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "cbrt", "ceil", "copysign", "cos", "cosh"),
        *("cospi", "erf", "erfc", "exp", "exp10", "exp2", "expm1", "fabs", "fdim", "floor", "fma", "fmax", "fmin"),
        *("fmod", "hypot", "ldexp", "lgamma", "log", "log10", "log1p", "log2", "logb", "mad", "max", "min", "mix"),
        *("clamp", "nextafter", "pow", "powr", "remainder", "rint", "round", "rsqrt", "sign", "sin", "sinh", "sinpi"),
        *("smoothstep", "sqrt", "step", "tan", "tanh", "tanpi", "tgamma", "trunc", "recip", "divide", "degrees"),
        *("radians", "dot", "length", "distance", "fast_length", "fast_distance", "pown", "rootn"),
    ]
)
"""Mathematical functions whose result has the common type of their arguments (SYCL 2020, section 4.17)."""
INTEGRAL_SECOND = frozenset({"ldexp", "pown", "rootn"})


class ScalarTypes:
    """Answers for one evaluator."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._evaluator = evaluator
        self._variables: dict[object, ScalarType] = {}
        self._memo: dict[tuple[Expr, Place], ScalarType] = {}
        self._depth = 0

    # ----------------------------------------------------------- expressions

    def of(self, expression: Expr, place: Place) -> ScalarType:
        """What ``expression``, which stands at ``place``, is."""
        if self._depth > MAX_DEPTH:
            return OTHER
        remembered = self._memo.get((expression, place))
        if remembered is None:
            self._depth += 1
            remembered = self._memo[expression, place] = self._of(expression, place)
            self._depth -= 1
        return remembered

    def _of(self, expression: Expr, place: Place) -> ScalarType:
        match expression:
            case Number(text=text):
                return number(text)
            case Character():
                return INTEGER
            case SizeOf():
                return INTEGER
            case Name():
                return self.name(expression, place)
            case Binary(operator=operator, left=left, right=right):
                return self._binary(operator, left, right, place)
            case Unary(operator="*", operand=operand):
                return self._inner(self.of(operand, place))
            case Unary(operator="&", operand=operand):
                inner = self.of(operand, place)
                return replace(inner, depth=inner.depth + 1)
            case Unary(operator="!" | "~"):
                return INTEGER
            case Unary(operand=operand) | Increment(operand=operand):
                return self.of(operand, place)
            case Assign(left=left):
                return self.of(left, place)
            case Conditional(then=then, otherwise=otherwise):
                return common(self.of(then, place), self.of(otherwise, place))
            case Cast(type=kind):
                return self.of_type(kind, Point(place, expression.start))
            case Index(object=inner):
                return self._inner(self.of(inner, place))
            case Member(object=inner, name=name):
                return self._member(self.of(inner, place), name)
            case Call():
                return self._call(expression, place)
            case Brace(type=Name() as name):
                return self.of_name(name, Point(place, expression.start))
            case _:
                return OTHER

    def _binary(self, operator: str, left: Expr, right: Expr, place: Place) -> ScalarType:
        if operator in ("<", ">", "<=", ">=", "==", "!=", "&&", "||"):
            return INTEGER
        if operator == ",":
            return self.of(right, place)
        first, second = self.of(left, place), self.of(right, place)
        if first.depth or second.depth:
            # A pointer and an offset.
            return first if first.depth else second
        return common(first, second)

    def _inner(self, of: ScalarType) -> ScalarType:
        if of.depth:
            return replace(of, depth=of.depth - 1)
        return replace(of, vector=False) if of.vector else OTHER if of.struct is not None else of

    def _member(self, of: ScalarType, name: str) -> ScalarType:
        if of.vector:
            return replace(of, vector=False) if name in _COMPONENTS else of
        if of.struct is not None:
            return self.field(of.struct, name)
        return OTHER

    def field(self, struct: Declared[Struct], name: str) -> ScalarType:
        """A data member of a class."""
        found = [each for each in struct.node.variables if each.name == name]
        if len(found) != 1:
            return OTHER
        (variable,) = found
        return self.of_type(variable.type, Point(Place(struct.node.members, struct.place), variable.start))

    # ----------------------------------------------------------------- names

    def handed(self, text: str, place: Place) -> tuple[Expr, Point] | None:
        """What the macro around ``place`` is handed for its parameter ``text``, and where that is written."""
        return self._evaluator.macros.argument(text, place) if "::" not in text else None

    def constant(self, name: Name, place: Place) -> Number | None:
        """The number that a macro without parameters stands for."""
        macro = self._evaluator.macros.macro(name, Point(place, name.start))
        plain = macro is not None and macro.parameters is None
        return macro.value if macro is not None and plain and isinstance(macro.value, Number) else None

    def name(self, name: Name, place: Place) -> ScalarType:
        """What the variable, parameter or macro ``name`` is."""
        text = name.text
        if text in ("true", "false"):
            return INTEGER
        evaluator = self._evaluator
        point = Point(place, name.start)
        handed = self.handed(text, place)
        if handed is not None:
            argument, there = handed
            return self.of(argument, there.place)
        if text in evaluator.facts.macros:
            macro = evaluator.macros.macro(name, point)
            if macro is None or macro.value is None or macro.parameters is not None:
                return OTHER
            return self.of(macro.value, place)
        found = evaluator.declarations.nearest(text, point)
        if found is not None:
            node, scope = found
            return self._remembered(node, scope)
        inside = evaluator.symbols.class_around(place)
        if inside is not None:
            owner = evaluator.symbols.definition(inside)
            return self.field(owner, text) if owner is not None else OTHER
        if text in MATH_CONSTANTS:
            return ScalarType(Base.LITERAL, constant=True)
        if text in _SINGLE_CONSTANTS:
            return ScalarType(Base.FLOAT, constant=True)
        everywhere = evaluator.facts.variables.get(name.last)
        if len(everywhere) == 1:
            return self._remembered(everywhere[0].node, everywhere[0].place)
        return INTEGER if len(evaluator.facts.enumerators.get(name.last)) == 1 else OTHER

    def _remembered(self, node: Variable | FunctionParameter | Capture, scope: Place) -> ScalarType:
        known = self._variables.get(node)
        if known is None:
            self._variables[node] = OTHER
            known = self._variables[node] = self._declared(node, scope)
        return known

    def _declared(self, node: Variable | FunctionParameter | Capture, scope: Place) -> ScalarType:
        if isinstance(node, Capture):
            assert node.value is not None
            return self.of(node.value, scope.outer) if scope.outer is not None else OTHER
        point = Point(scope, node.start)
        kind = node.type
        arguments = node.arguments if isinstance(node, Variable) else ()
        if isinstance(node, Variable) and node.style == "[":
            return OTHER
        resolved = self._evaluator.types.kind(kind.name, scope)
        if isinstance(scope.node, RangeLoop) and resolved.automatic:
            return self._inner(self.of(scope.node.range, scope))
        if resolved.automatic:
            first = self.of(arguments[0], scope) if len(arguments) == 1 else OTHER
            # ``auto x = 1.5`` makes a double of the literal.
            first = replace(first, base=Base.DOUBLE, constant=False) if first.base is Base.LITERAL else first
            return replace(first, depth=max(first.depth, kind.pointers))
        if resolved.sycl in _DIMENSIONED and resolved.name.arguments is None:
            # Deduced from what it is made of: accessor(buffer, handler), buffer(pointer, range).
            first = self.of(arguments[0], scope) if arguments else OTHER
            return first if first.depth else OTHER
        return self.of_type(kind, point)

    # ----------------------------------------------------------------- types

    def of_type(self, kind: Type, point: Point) -> ScalarType:
        """What a type with its pointers and extents is."""
        inner = self.of_name(kind.name, point)
        depth = kind.pointers + len(kind.extents)
        return replace(inner, depth=inner.depth + depth) if depth else inner

    def of_name(self, name: Name, point: Point) -> ScalarType:
        """What the type ``name`` is at ``point``."""
        evaluator = self._evaluator
        if self._is_chosen_by_the_build(name):
            return OTHER
        frame, evaluator.frame = evaluator.frame, None
        free, evaluator.free = evaluator.free, {}
        kind = evaluator.kind(name, point)
        evaluator.frame, evaluator.free = frame, free
        if kind.extents is not None:
            return self.of_type(kind.extents, point)
        if kind.integer is not None:
            return INTEGER
        if kind.floating:
            single = kind.name.last in ("float", "float_t")
            return ScalarType(Base.FLOAT if single else Base.DOUBLE)
        last = kind.name.last
        if kind.struct is not None:
            return ScalarType(Base.OTHER, struct=kind.struct)
        if last in ("half", "_Float16", "cl_half"):
            return ScalarType(Base.HALF)
        if last == "cl_float":
            return ScalarType(Base.FLOAT)
        return self._library(last, kind.name, point)

    def _is_chosen_by_the_build(self, name: Name) -> bool:
        """Whether a type has several definitions, of which another build may take another."""
        facts = self._evaluator.facts
        if name.scope is not None:
            return False
        aliases = {each.node.type.name.text for each in facts.aliases.get(name.last)}
        macros = {each.node.text for each in facts.macros.get(name.last)}
        return len(aliases) + len(macros) > 1

    def _library(self, last: str, name: Name, point: Point) -> ScalarType:
        """A class of SYCL or the standard library."""
        arguments = name.arguments or ()
        if last in _VECTORS or last in _ARRAYS:
            element = as_type(arguments[0]) if arguments else None
            if element is None:
                return OTHER
            inner = self.of_type(element, point)
            if last in _VECTORS:
                return replace(inner, vector=True)
            return replace(inner, depth=inner.depth + self._dimensions(last, arguments))
        stem = last.rstrip("0123456789")
        if stem != last and kind_is_sycl(name, self._evaluator):
            base = {"float": Base.FLOAT, "double": Base.DOUBLE, "half": Base.HALF}.get(stem)
            return ScalarType(base, vector=True) if base is not None else OTHER
        return OTHER

    def _dimensions(self, last: str, arguments: tuple[Expr, ...]) -> int:
        if last in _DIMENSIONED and len(arguments) > 1 and isinstance(arguments[1], Number):
            return int(arguments[1].text) if arguments[1].text in ("1", "2", "3") else 1
        return 1

    # ----------------------------------------------------------------- calls

    def _call(self, call: Call, place: Place) -> ScalarType:
        function = call.function
        if isinstance(function, Member):
            receiver = self.of(function.object, place)
            if function.name in _COMPONENTS and receiver.vector:
                return replace(receiver, vector=False)
            return receiver if function.name in _POINTERS_OF and receiver.depth else OTHER
        if not isinstance(function, Name):
            return OTHER
        last = function.last
        evaluator = self._evaluator
        if last in _ALLOCATORS and function.arguments:
            element = as_type(function.arguments[0])
            inner = self.of_type(element, Point(place, call.start)) if element is not None else OTHER
            return replace(inner, depth=inner.depth + 1)
        if last in evaluator.facts.macros:
            return self._expanded(call, function, place)
        declared = evaluator.symbols.functions(function, place).declared
        if declared:
            return self._returned(declared)
        if last in LIKE_FIRST and call.arguments:
            return self.mathematical(call, place)
        made = self.of_name(function, Point(place, call.start))
        if made.base is not Base.OTHER or made.struct is not None:
            return made
        return OTHER

    def _expanded(self, call: Call, function: Name, place: Place) -> ScalarType:
        """The value of a macro with parameters."""
        macro = self._evaluator.macros.macro(function, Point(place, call.start))
        if macro is None or macro.value is None or macro.parameters is None or not macro.fits(call.arguments):
            return OTHER
        return self.of(macro.value, Place(macro, Place(call, place)))

    def mathematical(self, call: Call, place: Place) -> ScalarType:
        """The result of a mathematical function."""
        last = call.function.last if isinstance(call.function, Name) else ""
        arguments = call.arguments[:1] if last in INTEGRAL_SECOND else call.arguments
        kinds = [self.of(each, place) for each in arguments]
        vectors = [each for each in kinds if each.vector]
        if vectors:
            return vectors[0]
        result = kinds[0]
        for each in kinds[1:]:
            result = common(result, each)
        return result

    def _returned(self, declared: Iterable[Declared[Function]]) -> ScalarType:
        results = set()
        for each in declared:
            returns = each.node.returns
            if returns is None or each.node.template_parameters:
                return OTHER
            results.add(self.of_type(returns, Point(each.place, each.node.start)))
        return results.pop() if len(results) == 1 else OTHER


def kind_is_sycl(name: Name, evaluator: Evaluator) -> bool:
    """Whether a type without a visible definition is of SYCL's namespace, or may be by a using directive."""
    return not name.qualifier or qualifier_is_sycl(name.qualifier, evaluator.facts.namespaces)
