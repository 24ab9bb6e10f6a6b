"""Calls: the C++ library's functions of numbers, methods of ranges, macros with parameters, everything else by name."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

from sycllint.cpp.expression import Brace, Call, Expr, Lambda, Member, Name, Number
from sycllint.cpp.place import Place
from sycllint.memoized import memoized
from sycllint.values.arithmetic import (
    ULONG,
    IntegerType,
    Precision,
    Real,
    Scalar,
    as_real,
    binary,
    common,
    convert,
    join,
    rounded,
)
from sycllint.values.object_model.allocations import ALLOCATED, MAKERS
from sycllint.values.object_model.containers import Containers
from sycllint.values.objects import Instance, ListObject, NdRangeObject, Point, RangeObject, Result, TypeKind
from sycllint.values.packs import SAME
from sycllint.values.ratios import Ratio, rounded_up, truncated, whole
from sycllint.values.side_effects.lvalues import spelled
from sycllint.values.symbolic import among, described, highest, lowest, parameter, symbolic
from sycllint.values.types import as_type
from sycllint.values.value import DEVICE_PROPERTY, Known, OneOf, Parameter, Symbolic, Term, Unknown, Value, possible

if TYPE_CHECKING:
    from sycllint.values.whole import Whole

_ROUNDING: dict[str, Callable[[float], float]] = {
    "ceil": math.ceil,
    "ceilf": math.ceil,
    "floor": math.floor,
    "floorf": math.floor,
    "trunc": math.trunc,
    "sqrt": math.sqrt,
    "sqrtf": math.sqrt,
    "log2": math.log2,
    "log2f": math.log2,
    "fabs": abs,
}
_OF_QUOTIENTS: dict[str, Callable[[Ratio], Symbolic]] = {
    "ceil": rounded_up,
    "ceilf": rounded_up,
    "floor": truncated,
    "floorf": truncated,
    "trunc": truncated,
}
_OF_BITS: dict[str, Callable[[int], int]] = {
    "bit_ceil": lambda number: 1 << (number - 1).bit_length(),
    "bit_floor": lambda number: 1 << (number.bit_length() - 1),
}
_OF_LISTS = frozenset({"get", "make_pair", "make_tuple", "size"})
_LIMITS = frozenset({"lowest", "max", "min"})
_STANDARD = ("std", "sycl", "cl::sycl", "")


class Functions:
    """Calls for one evaluator."""

    def __init__(self, evaluator: Whole) -> None:
        self._evaluator = evaluator
        self._containers = Containers(evaluator)

    def call(self, node: Call, point: Point) -> Result:
        """What ``node`` gives at ``point``."""
        evaluator, function, arguments = self._evaluator, node.function, node.arguments
        if isinstance(function, Member):
            return self._method(function, node, point)
        if isinstance(function, Lambda):
            return evaluator.bindings.of_lambda(function, node, point)
        if not isinstance(function, Name):
            return evaluator.unknown("the result of a call", node)
        macro = evaluator.macros.macro(function, point)
        if macro is not None and macro.parameters is not None:
            pasted = evaluator.macros.pasted(macro, arguments, point) if macro.value is None else None
            fits = pasted is not None or macro.fits(arguments)
            macro = pasted or macro
            if macro.value is None or not fits:
                return evaluator.unknown(f"the macro {macro.name} is not an expression", node)
            return evaluator.evaluate(macro.value, Point(Place(macro, Place(node, point.place)), point.offset))
        if function.qualifier in _STANDARD and function.scope is None:
            known = self._library(function, arguments, point)
            if known is not None:
                return known
        limit = self._limit(function, point) if function.last in _LIMITS and not arguments else None
        if limit is not None:
            return limit
        kind = evaluator.kind(function, point)
        if (
            kind.integer is not None
            or kind.struct is not None
            or kind.floating
            or kind.sycl in ("range", "id", "nd_range", "accessor", "buffer")
            or (function.last in ("pair", "tuple") and evaluator.arrays.is_list(kind))
            or evaluator.construction.is_dim3(kind)
            or evaluator.construction.dim3.is_policy(kind)
        ):
            return evaluator.construction.construct(kind, arguments, point, node)
        constant = evaluator.construction.of_constant(function, arguments, point) if function.arguments else None
        return evaluator.bindings.result(function, node, point) if constant is None else constant

    def of_literal(self, number: Number, suffix: Expr, point: Point) -> Result:
        """``8_K``: the project's literal operator of a number."""
        content = self._evaluator.facts.content_at(point.place)
        if content is None:
            return self._evaluator.unknown("a literal of the project", number)
        call = self._operator_call(number, content[suffix.start : suffix.end].decode(errors="replace"))
        return self._evaluator.evaluate(call, point)

    @memoized
    def _operator_call(self, number: Number, suffix: str) -> Call:
        """The call of a literal operator, one and the same each time."""
        start, end = number.start, number.end
        return Call(Name(f'operator""{suffix}', None, None, start, end), (number,), start, end)

    def _library(self, function: Name, arguments: tuple[Expr, ...], point: Point) -> Result | None:
        """The result of a function of the C++ library or of SYCL; ``None`` when ``function`` is none we know."""
        name = function.last
        if function.qualifier == "std" and name in _OF_LISTS and arguments:
            listed = self._of_list(function, arguments, point)
            if listed is not None:
                return listed
        if name in MAKERS and (function.qualifier or not self._evaluator.facts.functions.get(name)):
            return self._evaluator.construction.allocations.of_usm(function, arguments, point)
        if name in SAME and function.qualifier == "std" and len(arguments) == 1:
            return self._evaluator.evaluate(arguments[0], point)
        if name == "clamp" and function.qualifier and len(arguments) == 3:
            return self._clamped(function, arguments, point)
        if name in _OF_BITS and function.qualifier == "std" and len(arguments) == 1:
            return self._power_of_two(name, arguments[0], point)
        is_known = name in ("min", "max", "fmin", "fmax", "pow") or name in _ROUNDING
        if not is_known or not arguments:
            return None
        if not function.qualifier and self._evaluator.bindings.is_defined(function, len(arguments), point):
            return None
        if name in ("min", "max", "fmin", "fmax"):
            return self._extremum(name, function, arguments, point)
        if name == "pow":
            return self._power(function, arguments, point) if len(arguments) == 2 else None
        return self._rounding(function, arguments[0], point) if len(arguments) == 1 else None

    def _limit(self, function: Name, point: Point) -> Scalar | None:
        """``std::numeric_limits<T>::max()`` of an integer."""
        match function.scope:
            case Name(text="std::numeric_limits", arguments=(written,)):
                made = as_type(written)
                kind = (
                    self._evaluator.kind(made.name, point).integer if made is not None and not made.pointers else None
                )
                return Scalar(Known(kind.maximum if function.last == "max" else kind.minimum), kind) if kind else None
            case _:
                return None

    def _of_list(self, function: Name, arguments: tuple[Expr, ...], point: Point) -> Result | None:
        """``std::get<1>(sizes)``, ``std::size(sizes)``, ``std::make_pair(a, b)``."""
        evaluator, name = self._evaluator, function.last
        if name not in ("get", "size"):
            return evaluator.arrays.named(name, arguments, point)
        whole = evaluator.evaluate(arguments[0], point) if len(arguments) == 1 else None
        if not isinstance(whole, ListObject):
            return None
        if name == "size":
            return evaluator.arrays.method(whole, name, (), point, function)
        which = evaluator.value(function.arguments[0], point) if function.arguments else None
        return evaluator.arrays.element(whole, which.value, function) if isinstance(which, Known) else None

    # ----------------------------------------------------------- mathematics

    def _extremum(self, name: str, function: Name, arguments: tuple[Expr, ...], point: Point) -> Result:
        evaluator, which = self._evaluator, name[-3:]
        if len(arguments) == 1 and isinstance(arguments[0], Brace):
            arguments = arguments[0].elements
        elif len(arguments) != 2:
            return evaluator.unknown(f"a {which} of {len(arguments)} arguments", function)
        wanted: TypeKind | None = None
        if function.arguments:
            kind = as_type(function.arguments[0])
            wanted = evaluator.kind(kind.name, point) if kind is not None else None
        numbers: list[Scalar | Real] = []
        for each in arguments:
            result = evaluator.evaluate(each, point)
            number = evaluator.scalar(result if wanted is None else evaluator.converted(result, wanted, each))
            if isinstance(number, Unknown):
                return number
            numbers.append(as_real(number) if name.startswith("f") else number)
        if any(isinstance(each, Real) for each in numbers):
            return _real_extremum(which, numbers)
        return _extremum(which, [each for each in numbers if isinstance(each, Scalar)])

    def _clamped(self, function: Name, arguments: tuple[Expr, ...], point: Point) -> Result:
        """``std::clamp(n, low, high)``, of numbers of one type."""
        numbers: list[Scalar] = []
        for each in arguments:
            number = self._evaluator.scalar(self._evaluator.evaluate(each, point))
            if not isinstance(number, Scalar):
                return number if isinstance(number, Unknown) else self._evaluator.unknown("a real number", function)
            numbers.append(number)
        value, low, high = numbers
        least = _extremum("min", [value, high])
        return _extremum("max", [low, least]) if isinstance(least, Scalar) else least

    def _power_of_two(self, name: str, argument: Expr, point: Point) -> Result:
        """``std::bit_ceil(n)``, ``std::bit_floor(n)``."""
        number = self._evaluator.scalar(self._evaluator.evaluate(argument, point))
        if not isinstance(number, Scalar):
            return number if isinstance(number, Unknown) else self._evaluator.unknown("a real number", argument)
        listed: list[Value] = [
            Known(_OF_BITS[name](each.value), each.because) for each in possible(number.value) if each.value > 0
        ]
        if listed:
            return number._replace(value=join(listed))
        text = f"{name}({spelled(argument) or '…'})"
        where = self._evaluator.location(argument.start, argument.end)
        key = f"{text}@{where.path}:{where.span.start}"
        powers = tuple(1 << each for each in range(number.type.bits - number.type.signed))
        return number._replace(value=parameter(text, key, f"{text} depends on run-time values", where, among=powers))

    def _rounding(self, function: Name, argument: Expr, point: Point) -> Result:
        name = function.last
        result = self._evaluator.scalar(self._evaluator.evaluate(argument, point))
        if isinstance(result, Unknown):
            return result
        number = as_real(result, Precision.SINGLE if name.endswith("f") and name != "fabsf" else None)
        if number.ratio is not None:
            towards = _OF_QUOTIENTS.get(name)
            return number._replace(ratio=whole(towards(number.ratio)) if towards is not None else None)
        if (
            number.value is None
            or (number.value < 0 and name.startswith("sqrt"))
            or (number.value <= 0 and name.startswith("log"))
        ):
            return number if number.value is None else Real(None)
        exact = float(_ROUNDING[name](number.value))
        return _result_of(function, exact, number.precision)

    def _power(self, function: Name, arguments: tuple[Expr, ...], point: Point) -> Result:
        numbers: list[Real] = []
        for argument in arguments:
            result = self._evaluator.scalar(self._evaluator.evaluate(argument, point))
            if isinstance(result, Unknown):
                return result
            is_integer = isinstance(result, Scalar)
            numbers.append(as_real(result, Precision.DOUBLE if is_integer else None))
        first, second = numbers
        if first.value is None or second.value is None:
            return Real(None)
        single = first.precision is second.precision is Precision.SINGLE
        try:
            exact = float(math.pow(first.value, second.value))
        except (ValueError, OverflowError):
            return Real(None)
        return _result_of(function, exact, Precision.SINGLE if single else Precision.DOUBLE)

    # --------------------------------------------------------------- methods

    def _elements(self, function: Member, node: Call, point: Point) -> Result | None:
        """``v.size()`` of a vector that keeps its size."""
        if function.name != "size" or node.arguments or not isinstance(function.object, Name):
            return None
        return self._containers.size(function.object, point)

    def _method(self, function: Member, node: Call, point: Point) -> Result:
        evaluator, name, arguments = self._evaluator, function.name, node.arguments
        if name in ("back", "front") and not arguments:
            whole = evaluator.evaluate(function.object, point)
            asked = element_asked(evaluator, whole, 0 if name == "front" else -1, node.start)
            if asked is not None:
                return asked
        if name in ("at", "back", "front", "size"):
            listed = evaluator.members.object(function.object, point)
            found = None
            if isinstance(listed, ListObject):
                found = evaluator.arrays.method(listed, name, arguments, point, node)
            if found is not None:
                return found
        if name in ALLOCATED:
            memory = evaluator.evaluate(function.object, point)
            made = evaluator.construction.allocations.asked(memory, name, arguments, point)
            if made is not None:
                return made
        if name in ("get", "size", "get_global_range", "get_local_range", "get_group_range"):
            target = evaluator.evaluate(function.object, point)
            match target:
                case RangeObject(extents=extents) if name == "size" and not arguments:
                    product: Scalar | Real = Scalar(Known(1), ULONG)
                    for extent in extents:
                        product = binary("*", product, Scalar(extent, ULONG))
                    return product
                case RangeObject() if name == "get" and len(arguments) == 1:
                    return evaluator.index(function.object, arguments, point, node)
                case NdRangeObject(global_range=whole, local_range=local):
                    if name == "get_global_range":
                        return whole
                    if name == "get_local_range":
                        return local
                    if name == "get_group_range":
                        groups = evaluator.range_arithmetic("/", whole, local)
                        return groups if groups is not None else evaluator.unknown("a number of groups", node)
                case Unknown():
                    return self._elements(function, node, point) or target
        if name in evaluator.facts.functions:
            if isinstance(function.object, Name) and function.object.text == "this":
                own = Name(name, function.arguments, None, function.start, function.end)
                return evaluator.bindings.result(own, node, point)
            made = evaluator.members.object(function.object, point)
            members, called = evaluator.members, None
            if isinstance(made, Instance):
                called = members.called(made, name, node, point) or members.itself(made, node, point)
            if called is None:
                called = self._by_type(function, node, point)
            if called is not None:
                return called
        if name in ("get_info", "get_device_info"):
            return asked_of_device(evaluator, self._property(function, point.place), node.start)
        return evaluator.symbol(f"{name}()", f"the result of {name}()", node.start)

    def _property(self, function: Member, place: Place) -> str:
        """``max_work_group_size`` of ``get_info<sycl::info::device::max_work_group_size>``; empty for other queries.

        Also under a using-declaration, as no other information descriptor has the name of a device's. A parameter of
        the macro around stands for its argument.
        """
        match function.arguments:
            case (Name() as name,) if name.qualifier.rpartition("::")[2] in ("device", ""):
                given = self._evaluator.macros.argument(name.last, place)
                return given[0].last if given is not None and isinstance(given[0], Name) else name.last
            case _:
                return ""

    def _by_type(self, function: Member, node: Call, point: Point) -> Result | None:
        """``node``, a call of a method, by the type of its object alone; ``None`` where that gives no number.

        What members of the object it reads has no name that distinguishes them from those of another.
        """
        evaluator = self._evaluator
        typed = evaluator.static_types.of(function.object, point)
        if typed is None or typed.type.extents or typed.type.pointers > 1:
            return None
        kind = evaluator.under(typed.frame, evaluator.kind, typed.type.name, typed.point)
        if kind.struct is None or kind.extents is not None:
            return None
        found = evaluator.members.called_by_type(kind.struct, kind.bound, node, point)
        if found is None:
            return None
        numbers = found.extents if isinstance(found, RangeObject) else (evaluator.size(found),)
        return found if all(isinstance(each, Known | OneOf) for each in numbers) else None


def asked_of_device(evaluator: Whole, name: str, start: int) -> Scalar:
    """What a device answers when it is asked, at ``start``, for its property ``name``; empty where unknown."""
    made = evaluator.symbol(DEVICE_PROPERTY, "a property of the device", start, ULONG)
    return Scalar(described(made.value, asked=name), ULONG) if isinstance(made.value, Symbolic) and name else made


def element_asked(evaluator: Whole, whole: Result, index: int, start: int) -> Scalar | None:
    """One of the sub-group sizes that a device answers with, -1 for the last; ``None`` for other objects."""
    if not isinstance(whole, Scalar) or not isinstance(whole.value, Symbolic):
        return None
    match whole.value.terms:
        case (Term(atoms=(Parameter(asked="sub_group_sizes"),), factor=1),):
            return asked_of_device(evaluator, f"sub_group_sizes[{index}]", start)
        case _:
            return None


def _result_of(function: Name, exact: float, precision: Precision) -> Real:
    """A floating-point result; which overload an unqualified name means is not known, so both must agree."""
    single = rounded(exact)
    if precision is Precision.SINGLE and not function.qualifier and not function.last.endswith("f") and single != exact:
        return Real(None)
    return Real(single if precision is Precision.SINGLE else exact, precision=precision)


def _real_extremum(which: str, numbers: list[Scalar | Real]) -> Real:
    single = all(isinstance(each, Real) and each.precision is Precision.SINGLE for each in numbers)
    reals = [as_real(each, Precision.SINGLE if single else Precision.DOUBLE) for each in numbers]
    values = [each.value for each in reals if each.value is not None]
    if len(values) != len(reals):
        return next(each for each in reals if each.value is None)._replace(ratio=None)
    precision = Precision.SINGLE if single else Precision.DOUBLE
    return Real(min(values) if which == "min" else max(values), precision=precision)


def _extremum(which: str, numbers: list[Scalar]) -> Result:
    """The least or greatest, in the common type of all."""
    if not numbers:
        return Unknown(f"an empty {which}")
    kind: IntegerType = numbers[0].type
    for each in numbers:
        kind = kind if kind == each.type else common(kind, each.type)
    best: Scalar | None = None
    for number in numbers:
        candidate = convert(number, kind)
        if best is None:
            best = candidate
            continue
        smaller = binary("<", candidate, best)
        if isinstance(smaller, Scalar) and isinstance(smaller.value, Known):
            if bool(smaller.value.value) == (which == "min"):
                best = candidate
            continue
        listed = _each_extremum(which, best.value, candidate.value)
        if listed is not None:
            best = Scalar(listed, kind)
            continue
        first, second = symbolic(best.value), symbolic(candidate.value)
        if first is None or second is None:
            return Unknown(f"a {which} of several possible values")
        best = Scalar((lowest if which == "min" else highest)(first, second), kind)
    return best if best is not None else Unknown(f"an empty {which}")


def _each_extremum(which: str, first: Value, second: Value) -> Value | None:
    """The least or greatest of numbers that can be listed; ``None`` for others."""
    if any(isinstance(each, OneOf) and each.open for each in (first, second)):
        return None
    if bool(among(first)) != bool(among(second)) and which == "min":
        # Of powers of two, those up to a limit, and the limit itself.
        numbers = [tuple(possible(each)) or tuple(map(Known, among(each))) for each in (first, second)]
    else:
        numbers = [tuple(possible(each)) for each in (first, second)]
    pick = min if which == "min" else max
    pairs: list[Value] = [pick(one, other, key=lambda each: each.value) for one in numbers[0] for other in numbers[1]]
    return join(pairs) if pairs else None
