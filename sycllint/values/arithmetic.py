"""C++ integer arithmetic on values: promotion, wrapping, truncating division; signed overflow is unknown.

Sizes are those of the LP64 model, which every SYCL implementation for GPUs uses on Linux; on Windows only ``long``
differs.
"""

import enum
import math
import operator
import re
from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from typing import TypeAlias

from sycllint.record import NamedTuple
from sycllint.values.ratios import Ratio, combined, fraction, truncated, whole
from sycllint.values.symbolic import (
    add,
    constant,
    difference_bounds,
    divide,
    hull,
    masked,
    multiply,
    negate,
    open_operation,
    parameter,
    remainder,
    subtract,
    symbolic,
)
from sycllint.values.value import Known, OneOf, Step, Symbolic, Unknown, Value, steps

MAX_ALTERNATIVES = 64


class IntegerType(NamedTuple):
    """An integer type: its width in bits and whether it is signed. ``bool`` is one bit."""

    bits: int
    signed: bool

    @property
    def minimum(self) -> int:
        """The least number that it holds."""
        return -(1 << self.bits - 1) if self.signed else 0

    @property
    def maximum(self) -> int:
        """The greatest number that it holds."""
        return (1 << self.bits - self.signed) - 1


BOOL = IntegerType(1, False)
CHAR = IntegerType(8, True)
INT = IntegerType(32, True)
UINT = IntegerType(32, False)
LONG = IntegerType(64, True)
ULONG = IntegerType(64, False)

INTEGER_TYPES: dict[str, IntegerType] = {
    "bool": BOOL,
    "char": CHAR,
    "signed char": CHAR,
    "unsigned char": IntegerType(8, False),
    "short": IntegerType(16, True),
    "short int": IntegerType(16, True),
    "unsigned short": IntegerType(16, False),
    "unsigned short int": IntegerType(16, False),
    "int": INT,
    "signed": INT,
    "signed int": INT,
    "unsigned": UINT,
    "unsigned int": UINT,
    "long": LONG,
    "long int": LONG,
    "signed long": LONG,
    "unsigned long": ULONG,
    "unsigned long int": ULONG,
    "long unsigned int": ULONG,
    "long long": LONG,
    "long long int": LONG,
    "unsigned long long": ULONG,
    "unsigned long long int": ULONG,
    "size_t": ULONG,
    "ssize_t": LONG,
    "ptrdiff_t": LONG,
    "intptr_t": LONG,
    "uintptr_t": ULONG,
    "int8_t": CHAR,
    "uint8_t": IntegerType(8, False),
    "int16_t": IntegerType(16, True),
    "uint16_t": IntegerType(16, False),
    "int32_t": INT,
    "uint32_t": UINT,
    "int64_t": LONG,
    "uint64_t": ULONG,
    "uchar": IntegerType(8, False),
    "ushort": IntegerType(16, False),
    "uint": UINT,
    "ulong": ULONG,
}
FLOATING_TYPES = frozenset({"float", "double", "long double", "float_t", "double_t"})


class Scalar(NamedTuple):
    """An integer value with its C++ type."""

    value: Value
    type: IntegerType


class Precision(enum.Enum):
    """Which floating-point type a number has."""

    SINGLE = "float"
    DOUBLE = "double"


class Real(NamedTuple):
    """A floating-point constant, or ``None`` when only the type is known."""

    value: float | None
    reason: str = "a floating-point value that is not constant"
    precision: Precision = Precision.DOUBLE
    ratio: Ratio | None = None
    """Where it is no constant: the quotient of integers that it is."""


@lru_cache(maxsize=4096)
def literal(text: str) -> Scalar | Real:
    """The number a literal spells, with the type C++ gives it."""
    if text[:1] in "+-" and len(text) > 1:
        # The grammar takes a sign before digits for a part of the literal.
        inner = literal(text[1:])
        return unary(text[0], inner)
    bare = text.replace("'", "").lower()
    match = re.fullmatch(r"(0x[0-9a-f]+|0b[01]+|[0-9]+)([ulz]*)", bare)
    if match is None:
        return _real(bare)
    digits, suffix = match.groups()
    base = (
        16
        if digits.startswith("0x")
        else 2
        if digits.startswith("0b")
        else 8
        if len(digits) > 1 and digits[0] == "0"
        else 10
    )
    try:
        number = int(digits[2:] if base in (2, 16) else digits, base)
    except ValueError:
        return Scalar(Unknown(f"{text} is not a number"), INT)
    unsigned, long = "u" in suffix, "l" in suffix or "z" in suffix
    candidates = [
        each for each in (INT, UINT, LONG, ULONG) if (each.bits == 64 or not long) and (not each.signed or not unsigned)
    ]
    if base == 10 and not unsigned:
        candidates = [each for each in candidates if each.signed]
    for each in candidates:
        if number < 1 << (each.bits - each.signed):
            return Scalar(Known(number), each)
    return Scalar(Unknown(f"{text} does not fit 64 bits"), ULONG)


def _real(text: str) -> Real:
    is_hexadecimal = text.startswith("0x")
    suffix = re.search(r"(?<=[0-9.])(f16|f32|f64|bf16|[fl])$", text) if not is_hexadecimal or "p" in text else None
    bare = text[: suffix.start()] if suffix is not None else text
    kind = suffix[0] if suffix is not None else ""
    try:
        exact = float.fromhex(bare) if is_hexadecimal else float(bare)
    except (ValueError, OverflowError):
        return Real(None)
    match kind:
        case "" | "f64":
            return Real(exact)
        case "f" | "f32":
            return Real(rounded(exact), precision=Precision.SINGLE)
        case _:
            # A short or a long double holds some numbers exactly; of others we say nothing.
            return Real(exact) if kind == "l" and exact == math.trunc(exact) else Real(None)


def rounded(number: float | None) -> float | None:
    """``number`` as a ``float``; ``None`` when it is too large."""
    if number is None:
        return None
    try:
        import struct

        single: float = struct.unpack("f", struct.pack("f", number))[0]
    except OverflowError:
        return None
    return single


def wrapped(number: int, kind: IntegerType, *, conversion: bool = False) -> int | None:
    """``number`` as a ``kind``; ``None`` where C++ leaves it undefined (signed overflow outside a conversion)."""
    if kind == BOOL:
        return int(number != 0)
    if kind.signed:
        half = 1 << (kind.bits - 1)
        if -half <= number < half:
            return number
        return (number + half) % (1 << kind.bits) - half if conversion else None
    return number % (1 << kind.bits)


def _each(value: Value, function: Callable[[int], int | None], why: str) -> Value:
    match value:
        case Known(value=number, because=because):
            result = function(number)
            return Unknown(why) if result is None else Known(result, because)
        case OneOf(values=values, open=is_open):
            return join([_each(each, function, why) for each in values], is_open=is_open)
        case _:
            return value


def convert(operand: Scalar | Real, kind: IntegerType) -> Scalar:
    """``operand`` converted to ``kind``."""
    if isinstance(operand, Real):
        if operand.ratio is not None and kind != BOOL:
            return convert(Scalar(_settled_constant(truncated(operand.ratio)), LONG), kind)
        if operand.value is None or not math.isfinite(operand.value):
            return Scalar(Unknown(operand.reason), kind)
        number = wrapped(math.trunc(operand.value), kind)
        return Scalar(Unknown("a floating-point value out of range") if number is None else Known(number), kind)
    value = operand.value
    if type(value) is Symbolic:
        value = _narrowed(value, kind)
        return operand if value is operand.value and operand.type == kind else Scalar(value, kind)
    if type(value) is Known and wrapped(value.value, kind, conversion=True) == value.value:
        return operand if operand.type == kind else Scalar(value, kind)
    return Scalar(_each(operand.value, lambda number: wrapped(number, kind, conversion=True), "overflow"), kind)


def _narrowed(value: Symbolic, kind: IntegerType) -> Value:
    """Sizes that are not known are taken to fit any type of 32 bits and more; a narrower one cuts them off."""
    if kind.bits >= 32:
        return value
    if kind == BOOL:
        return _compared("!=", value, Known(0))
    low, high = (-(1 << (kind.bits - 1)), (1 << (kind.bits - 1)) - 1) if kind.signed else (0, (1 << kind.bits) - 1)
    fits = value.minimum is not None and value.minimum >= low and value.maximum is not None and value.maximum <= high
    if fits:
        return value
    # What is cut off is a multiple of the number of values the type has.
    divisor = math.gcd(value.multiple_of, 1 << kind.bits)
    text = f"({kind.bits} bits of {value.text})"
    key = text + "|" + "|".join(atom.key for term in value.terms for atom in term.atoms)
    return parameter(
        text,
        key,
        "a number cut off to fit its type",
        multiple_of=divisor,
        minimum=low,
        maximum=high,
        roots=value.parameters,
    )


def join(values: list[Value], *, is_open: bool = False) -> Value:
    """One value that covers all of ``values``: itself when they agree, else the set of them, else unknown."""
    if not values:
        return Unknown("no value reaches this place")
    known: dict[int, Known] = {}
    for value in values:
        match value:
            case Known():
                known.setdefault(value.value, value)
            case OneOf():
                is_open = is_open or value.open
                for each in value.values:
                    known.setdefault(each.value, each)
            case Symbolic():
                sides = [symbolic(each) for each in values]
                if any(each is None for each in sides):
                    return next(each for each, side in zip(values, sides, strict=True) if side is None)
                return hull(each for each in sides if each is not None)
            case _:
                return value
    if len(known) > MAX_ALTERNATIVES:
        return Unknown(f"more than {MAX_ALTERNATIVES} possible values")
    if len(known) == 1 and not is_open:
        return next(iter(known.values()))
    if len(known) == 1:
        return Unknown("other values are possible")
    return OneOf(tuple(known[number] for number in sorted(known)), is_open)


def _divide(left: int, right: int) -> int | None:
    if right == 0:
        return None
    quotient = abs(left) // abs(right)
    return quotient if (left < 0) == (right < 0) else -quotient


def _remainder(left: int, right: int) -> int | None:
    quotient = _divide(left, right)
    return None if quotient is None else left - quotient * right


def _shift_left(left: int, right: int) -> int | None:
    return left << right if 0 <= right < 64 else None


def _shift_right(left: int, right: int) -> int | None:
    return left >> right if 0 <= right < 64 else None


_ARITHMETIC: dict[str, Callable[[int, int], int | None]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": _divide,
    "%": _remainder,
    "&": operator.and_,
    "|": operator.or_,
    "^": operator.xor,
    "<<": _shift_left,
    ">>": _shift_right,
}
_COMPARISON: dict[str, Callable[[float, float], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}
_LOGICAL: dict[str, Callable[[int, int], bool]] = {
    "&&": lambda left, right: bool(left and right),
    "||": lambda left, right: bool(left or right),
}
_REAL_ARITHMETIC: dict[str, Callable[[float, float], float]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
}


def promoted(kind: IntegerType) -> IntegerType:
    """Integer promotion: anything narrower than ``int`` becomes ``int``."""
    return INT if kind.bits < 32 else kind


@cache
def common(left: IntegerType, right: IntegerType) -> IntegerType:
    """The usual arithmetic conversions."""
    left, right = promoted(left), promoted(right)
    if left.bits != right.bits:
        return left if left.bits > right.bits else right
    return IntegerType(left.bits, left.signed and right.signed)


def binary(symbol: str, left: Scalar | Real, right: Scalar | Real) -> Scalar | Real:
    """``left symbol right`` as C++ computes it."""
    if isinstance(left, Real) or isinstance(right, Real):
        return _binary_real(symbol, left, right)
    if symbol in _ARITHMETIC:
        kind = promoted(left.type) if symbol in ("<<", ">>") else common(left.type, right.type)
        function = _ARITHMETIC[symbol]

        def compute(first: int, second: int) -> int | None:
            if is_shift and not 0 <= second < kind.bits:
                return None
            result = function(first, second)
            return None if result is None else wrapped(result, kind)

        is_shift = symbol in ("<<", ">>")
        left, right = convert(left, kind), right if is_shift else convert(right, kind)
        if isinstance(left.value, Symbolic) or isinstance(right.value, Symbolic):
            return Scalar(_symbolic(symbol, left.value, right.value), kind)
        return Scalar(_pairs(left.value, right.value, compute, f"the result of {symbol} is not defined"), kind)
    compare = _COMPARISON.get(symbol)
    if compare is not None:
        kind = common(left.type, right.type)
        left, right = convert(left, kind), convert(right, kind)
        if isinstance(left.value, Symbolic) or isinstance(right.value, Symbolic):
            return Scalar(_compared(symbol, left.value, right.value), BOOL)
        return Scalar(_pairs(left.value, right.value, lambda a, b: int(compare(a, b)), ""), BOOL)
    logical = _LOGICAL.get(symbol)
    if logical is not None:
        return Scalar(_logical(symbol, left.value, right.value, logical), BOOL)
    return Scalar(Unknown(f"the operator {symbol} is not evaluated"), INT)


def _symbolic(symbol: str, left: Value, right: Value) -> Value:
    """Arithmetic with a number that is not known."""
    first, second = symbolic(left), symbolic(right)
    if first is None or second is None:
        return left if first is None else right
    number = constant(second)
    result: Value | None = None
    match symbol:
        case "+":
            result = add(first, second)
        case "-":
            result = subtract(first, second)
        case "*":
            result = multiply(first, second)
        case "/":
            result = divide(first, second)
        case "%":
            result = remainder(first, second)
        case "<<" if number is not None and 0 <= number < 63:
            result = multiply(first, _number(1 << number))
        case ">>" if number is not None and 0 <= number < 63 and first.minimum is not None and first.minimum >= 0:
            result = divide(first, _number(1 << number))
        case "&" if number is not None:
            result = masked(first, number)
        case "|" if number is not None and number > 0 and number & (number + 1) == 0:
            rest = masked(first, number)
            result = None if rest is None else add(subtract(first, rest), second)
    return open_operation(symbol, first, second) if result is None else _settled_constant(result)


def _settled_constant(value: Value) -> Value:
    number = constant(value) if isinstance(value, Symbolic) else None
    return Known(number, value.because) if number is not None and isinstance(value, Symbolic) else value


def _number(number: int) -> Symbolic:
    made = symbolic(Known(number))
    assert made is not None
    return made


def _compared(symbol: str, left: Value, right: Value) -> Value:
    """A comparison that the bounds decide."""
    first, second = symbolic(left), symbolic(right)
    if first is None or second is None:
        return left if first is None else right
    low, high = difference_bounds(first, second)
    least, most = -math.inf if low is None else low, math.inf if high is None else high
    answers = {_COMPARISON[symbol](each, 0) for each in (least, most)}
    if symbol in ("==", "!=") and least < 0 < most:
        answers = {True, False}
    return Known(int(answers.pop())) if len(answers) == 1 else Unknown("a comparison of run-time values")


def _logical(symbol: str, left: Value, right: Value, function: Callable[[int, int], bool]) -> Value:
    decisive = 0 if symbol == "&&" else 1
    for side in (left, right):
        if isinstance(side, Known) and bool(side.value) == bool(decisive):
            return Known(decisive, side.because)
    if isinstance(left, Symbolic) or isinstance(right, Symbolic):
        return Unknown("a condition that depends on run-time values")
    return _pairs(left, right, lambda a, b: int(function(a, b)), "")


def _binary_real(symbol: str, left: Scalar | Real, right: Scalar | Real) -> Scalar | Real:
    single = all(isinstance(each, Scalar) or each.precision is Precision.SINGLE for each in (left, right))
    precision = Precision.SINGLE if single else Precision.DOUBLE
    first, second = as_real(left, precision), as_real(right, precision)
    if first.value is None or second.value is None:
        reason = first.reason if first.value is None else second.reason
        if symbol in _COMPARISON:
            return Scalar(Unknown(reason), BOOL)
        return Real(None, reason, precision, _quotient(symbol, first, second))
    compare = _COMPARISON.get(symbol)
    if compare is not None:
        return Scalar(Known(int(compare(first.value, second.value))), BOOL)
    if symbol in _LOGICAL:
        return Scalar(Known(int(_LOGICAL[symbol](int(bool(first.value)), int(bool(second.value))))), BOOL)
    function = _REAL_ARITHMETIC.get(symbol)
    if function is None or (symbol == "/" and second.value == 0):
        return Real(None)
    try:
        result = function(first.value, second.value)
    except OverflowError:
        return Real(None)
    # To round twice is to round once here: a double has more than twice the digits of a float.
    return Real(rounded(result) if single else result, precision=precision)


def _quotient(symbol: str, left: Real, right: Real) -> Ratio | None:
    """``left symbol right`` where both are quotients of integers."""
    first, second = (each.ratio if each.value is None else fraction(each.value) for each in (left, right))
    return combined(symbol, first, second) if first is not None and second is not None else None


def as_real(operand: Scalar | Real, precision: Precision | None = None) -> Real:
    """``operand`` as a floating-point value, when it is one number; in its own precision unless one is asked for."""
    if isinstance(operand, Scalar):
        if not isinstance(operand.value, Known):
            reason = operand.value.reason if isinstance(operand.value, Unknown) else "not one number"
            ratio = whole(operand.value) if isinstance(operand.value, Symbolic) else None
            return Real(None, reason, precision or Precision.DOUBLE, ratio)
        operand = Real(float(operand.value.value))
    if precision is Precision.SINGLE:
        return Real(rounded(operand.value), operand.reason, precision, operand.ratio)
    return operand if precision is None else Real(operand.value, operand.reason, precision, operand.ratio)


def alike(left: Scalar | Real, right: Scalar | Real) -> tuple[Scalar | Real, Scalar | Real]:
    """Two numbers in their common type, as the branches of ``?:`` are."""
    if isinstance(left, Scalar) and isinstance(right, Scalar):
        kind = left.type if left.type == right.type else common(left.type, right.type)
        return convert(left, kind), convert(right, kind)
    single = all(isinstance(each, Scalar) or each.precision is Precision.SINGLE for each in (left, right))
    precision = Precision.SINGLE if single else Precision.DOUBLE
    return as_real(left, precision), as_real(right, precision)


def _pairs(left: Value, right: Value, function: Callable[[int, int], int | None], why: str) -> Value:
    match left, right:
        case Known(), Known():
            result = function(left.value, right.value)
            return Unknown(why) if result is None else Known(result, steps(left, right))
        case Unknown(), _:
            return left
        case _, Unknown():
            return right
        case _:
            firsts = left.values if isinstance(left, OneOf) else (left,)
            seconds = right.values if isinstance(right, OneOf) else (right,)
            shared = _varied(firsts) & _varied(seconds) if len(firsts) > 1 and len(seconds) > 1 else set()
            if shared:
                # ``n / 64 + n % 64``: not each of the first is there with each of the second.
                pairs = _together(firsts, seconds, shared)
                if pairs is None:
                    return Unknown("numbers that depend on one that is one of several")
                return join([_pairs(a, b, function, why) for a, b in pairs])
            if len(firsts) * len(seconds) > MAX_ALTERNATIVES:
                return Unknown(f"more than {MAX_ALTERNATIVES} possible values")
            is_open = any(isinstance(each, OneOf) and each.open for each in (left, right))
            results = [_pairs(a, b, function, why) for a in firsts for b in seconds]
            return join(results, is_open=is_open)


_Name: TypeAlias = tuple[str, str]
"""A variable, and its file."""


def _varied(values: Sequence[Value]) -> set[_Name]:
    """The names that have one of several numbers behind ``values``."""
    listed = [frozenset(each.because) if isinstance(each, Known) else frozenset[Step]() for each in values]
    return {(step.name, step.location.path) for because in listed for step in because - frozenset.intersection(*listed)}


def _together(
    firsts: Sequence[Value], seconds: Sequence[Value], shared: set[_Name]
) -> list[tuple[Value, Value]] | None:
    """Those that are there at once, by what the ``shared`` names are; ``None`` where that is not known of each."""

    def behind(value: Value) -> frozenset[tuple[_Name, int | None]]:
        found = {(step.name, step.location.path): step.value for step in steps(value)}
        return frozenset((name, found[name]) for name in shared if name in found)

    left, right = ({behind(each): each for each in side} for side in (firsts, seconds))
    is_known = left.keys() == right.keys() and len(left) == len(firsts) and len(right) == len(seconds)
    return [(each, right[key]) for key, each in left.items()] if is_known else None


def unary(symbol: str, operand: Scalar | Real) -> Scalar | Real:
    """``symbol operand`` for ``+``, ``-``, ``~`` and ``!``."""
    if isinstance(operand, Real):
        if symbol == "-" and operand.value is not None:
            return operand._replace(value=-operand.value)
        if symbol == "!":
            return Scalar(Unknown(operand.reason) if operand.value is None else Known(int(not operand.value)), BOOL)
        return operand if symbol == "+" else operand._replace(ratio=None)
    if symbol == "!" and isinstance(operand.value, Symbolic):
        return Scalar(_compared("==", operand.value, Known(0)), BOOL)
    if symbol == "!":
        return Scalar(_each(operand.value, lambda number: int(not number), ""), BOOL)
    kind = promoted(operand.type)
    operand = convert(operand, kind)
    if symbol == "-" and isinstance(operand.value, Symbolic):
        return Scalar(negate(operand.value), kind)
    if isinstance(operand.value, Symbolic) and symbol != "+":
        return Scalar(Unknown("a bit pattern of a run-time value"), kind)
    if symbol == "-":
        return Scalar(_each(operand.value, lambda number: wrapped(-number, kind), "overflow"), kind)
    if symbol == "~":
        return Scalar(_each(operand.value, lambda number: wrapped(~number, kind, conversion=True), ""), kind)
    if symbol == "+":
        return operand
    return Scalar(Unknown(f"the operator {symbol} is not evaluated"), kind)
