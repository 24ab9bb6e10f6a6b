"""Mathematical functions in kernels: powers that are products, and functions of the C++ library in place of SYCL's."""

from collections.abc import Iterator
from itertools import takewhile

from sycllint.cpp.expression import Binary, Call, Cast, Expr, Member, Name, Number, Opaque
from sycllint.cpp.macro_arguments import with_arguments
from sycllint.cpp.place import Place
from sycllint.cpp.spelling import spelled as as_written
from sycllint.cpp.statement import Loop
from sycllint.device_code.bodies.scalar_types import LIKE_FIRST, Base, ScalarType
from sycllint.device_code.code import KernelCode
from sycllint.device_code.once import once_per_function
from sycllint.device_code.spelling import spelled
from sycllint.ir import ops
from sycllint.ir.body import Body
from sycllint.record import record
from sycllint.source.span import Location, Span
from sycllint.values.types import qualifier_is_sycl

_POWERS = frozenset({"pow", "powf", "powr", "pown"})
_EXPONENTS = {2: "2", 3: "3", 0.5: "0.5", -1: "-1"}
_CUT_OFF = _EXPONENTS | {0: "0", 1: "1"}
"""Exponents that are reported where a division of integers makes them."""
_ORDINARY = frozenset({"min", "max", "abs", "clamp"})
"""Of the C++ library, and usual in device code: they are arithmetic on every device."""


@record
class SmallPower:
    """``pow(x, 2)``: a transcendental function for a product, a square root or a quotient."""

    text: str
    """``pow(d, 2.0)``."""
    instead: str
    """``d * d``."""
    location: Location
    is_same_type: bool
    """What is written instead has the type of the call."""
    plain: bool
    """The base is a name, and the call is not in a macro: it can be written twice."""
    cut_off: str = ""
    """``-3/2 is -1``, where the exponent is a division of integers that leaves a remainder."""
    repeats: bool = True
    """It may run more than once in a work-item: it is in a loop, or in a function that is called."""


@record
class StandardMath:
    """``std::exp`` in a kernel."""

    name: str
    location: Location
    """Of the name with its qualifier."""
    has_twin: bool
    """SYCL's function of that name takes the same arguments."""


@once_per_function
def mathematics(code: "KernelCode") -> Iterator[SmallPower | StandardMath]:
    """Calls of such functions, in the kernel and in what it calls."""
    for body in code.lowered:
        for position in body.at(ops.CALL):
            last = body.called(position)
            if last not in _POWERS and last not in LIKE_FIRST:
                continue
            call = body.call(position)
            function = call.function
            if not isinstance(function, Name):
                continue
            if last in _POWERS:
                yield from _power(code, body, position, call, function)
            if last in LIKE_FIRST and last not in _ORDINARY and function.qualifier in ("std", "::std"):
                yield _standard(code, body, position, call, function)


def _power(code: "KernelCode", body: Body, position: int, call: Call, function: Name) -> Iterator[SmallPower]:
    place = body.around_of(position)
    own = function.last in code.reading.project_functions and function.qualifier not in ("std", "sycl")
    if len(call.arguments) != 2 or own:
        return
    base, exponent = call.arguments
    cut_off = _cut_off(code, exponent, place)
    number = code.reading.constant(exponent, place)
    power = (_CUT_OFF if cut_off else _EXPONENTS).get(number) if number is not None else None
    if power is None:
        return
    element = code.reading.elements.of(base, place)
    # Of a constant the compiler knows the power.
    if element.vector or element.constant or isinstance(base, Number):
        return
    text = spelled(with_arguments(base, place))
    shown = text or "x"
    plain = text is not None and isinstance(base, Name | Member) and not body.is_in_macro(position)
    yield SmallPower(
        f"{function.last}({shown}, {as_written(with_arguments(exponent, place))})",
        _instead(shown, power, function.qualifier, element),
        code.location(body, position),
        _keeps_type(code, element, exponent, function, place),
        plain,
        cut_off,
        _repeats(code, body, place),
    )


def _repeats(code: "KernelCode", body: Body, place: Place) -> bool:
    inside = takewhile(lambda each: each is not body.function, place.chain())
    return body.function is not code.function or any(isinstance(each, Loop) for each in inside)


def _cut_off(code: "KernelCode", expression: Expr, place: Place) -> str:
    """What a division of integers is, when it leaves a remainder."""
    match expression:
        case Opaque(parts=(inner,)) | Cast(operand=inner) if isinstance(inner, Expr):
            return _cut_off(code, inner, place)
        case Binary(operator="/", left=left, right=right):
            whole, by = code.reading.constant(left, place), code.reading.constant(right, place)
            if not isinstance(whole, int) or not isinstance(by, int) or by == 0 or whole % by == 0:
                return ""
            return f"{as_written(with_arguments(expression, place))} is {code.reading.constant(expression, place)}"
        case _:
            return ""


def _instead(text: str, power: str, qualifier: str, element: ScalarType) -> str:
    match power:
        case "0" | "1":
            return "1" if power == "0" else text
        case "2":
            return f"{text} * {text}"
        case "3":
            return f"{text} * {text} * {text}"
        case "0.5":
            return f"{qualifier}::sqrt({text})" if qualifier else f"sqrt({text})"
        case _:
            return f"1.0f / {text}" if element.base is Base.FLOAT else f"1.0 / {text}"


def _keeps_type(code: "KernelCode", base: ScalarType, exponent: Expr, function: Name, place: Place) -> bool:
    """Whether the call has the type of its base; ``std::pow`` of a float and an int is a double."""
    if not base.is_scalar or base.base not in (Base.FLOAT, Base.DOUBLE):
        return False
    if base.base is Base.DOUBLE or qualifier_is_sycl(function.qualifier or "::", code.evaluator.facts.namespaces):
        return True
    return code.reading.elements.of(exponent, place).base is Base.FLOAT


def _standard(code: "KernelCode", body: Body, position: int, call: Call, function: Name) -> StandardMath:
    kinds = {code.reading.elements.of(each, body.around_of(position)) for each in call.arguments}
    twin = len({(each.base, each.depth, each.vector) for each in kinds}) == 1 and all(
        each.is_scalar and each.base in (Base.FLOAT, Base.DOUBLE) for each in kinds
    )
    where = code.location(body, position)
    in_macro = body.is_in_macro(position)
    location = where if in_macro else Location(where.path, Span(function.start, function.end))
    return StandardMath(function.last, location, twin and not in_macro)
