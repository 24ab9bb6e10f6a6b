"""Expr and a point to a value: what is known of an expression where it stands, before the program runs."""

import math
from collections.abc import Callable, Mapping

from sycllint.cpp.expression import (
    Assign,
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
    Type,
    Unary,
)
from sycllint.cpp.place import Place
from sycllint.cpp.statement import Function, Struct, Variable
from sycllint.facts.file import FileFacts
from sycllint.source.span import Location, Span
from sycllint.values.arithmetic import (
    INT,
    LONG,
    ULONG,
    IntegerType,
    Real,
    Scalar,
    as_real,
    binary,
    convert,
    join,
    literal,
    unary,
)
from sycllint.values.bindings import Bindings
from sycllint.values.frame import Frame
from sycllint.values.lookup import Lookup
from sycllint.values.macros import Macros
from sycllint.values.mutation import Mutations
from sycllint.values.names import Names
from sycllint.values.objects import Closure, Instance, ListObject, NdRangeObject, Point, RangeObject, Result
from sycllint.values.sizes import Sizes
from sycllint.values.symbolic import highest, lowest, parameter, symbolic
from sycllint.values.types import TypeKind, Types
from sycllint.values.unit import Unit
from sycllint.values.value import DEVICE_PROPERTY, Known, Step, Unknown, Value

MAX_DEPTH = 64
MAX_WORK = 5_000

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
_PRECEDENCE = {
    symbol: level
    for level, symbols in enumerate(
        ("||", "&&", "|", "^", "&", "== !=", "< > <= >=", "<< >>", "+ -", "* / %"),
        start=1,
    )
    for symbol in symbols.split()
}
_CHARACTERS = {"\\0": 0, "\\n": 10, "\\t": 9, "\\\\": 92, "\\'": 39}


class Evaluator:
    """Answers about one file, under the macros given from outside."""

    def __init__(self, unit: Unit | FileFacts, defines: Mapping[str, str]) -> None:
        facts = unit if isinstance(unit, Unit) else Unit((unit,))
        self.facts = facts
        self.here: Place | None = None
        """What is around the code being looked at: it tells which file reasons and steps speak of."""
        self.defines = defines
        self.types = Types(facts)
        self.mutations = Mutations(facts)
        self.sizes = Sizes(self)
        self.macros = Macros(self)
        self.names = Names(self)
        self.bindings = Bindings(self)
        self.lookup = Lookup(self)
        self.frame: Frame | None = None
        """How the code being looked at is reached."""
        self.free: dict[int, Function | Struct | Lambda] = {}
        """Functions and templates whose parameters were asked for with nothing to bind them."""
        self._depth = 0
        self.work = 0
        """Expressions looked at since the last question; a question that takes too many ends in ``Unknown``."""

    # -------------------------------------------------------------- reasons

    def line(self, offset: int) -> Location:
        """A place of this file, for reasons and steps."""
        return self.location(offset, offset)

    def location(self, start: int, end: int) -> Location:
        """A span of the file being looked at."""
        return Location(self.facts.file_at(self.here).path, Span(start, end))

    def unknown(self, reason: str, node: Expr | Variable | None = None) -> Unknown:
        """``Unknown`` at ``node``."""
        if node is None:
            return Unknown(reason)
        return Unknown(reason, self.location(node.start, node.end))

    def symbol(self, text: str, reason: str, start: int, kind: IntegerType = LONG) -> Scalar:
        """A number without a value, called ``text``, that arises at ``start``."""
        location = self.line(start)
        minimum = None if kind.signed else 0
        key = f"{text}@{location.path}:{start}"
        return Scalar(parameter(text, key, reason, location, minimum=minimum), kind)

    # ----------------------------------------------------------- expression

    def evaluate(self, expression: Expr, point: Point) -> Result:
        """What ``expression`` stands for at ``point``. Never raises; never executes anything."""
        self._depth += 1
        outer, self.here = self.here, point.place
        try:
            self.work += 1
            if self._depth > MAX_DEPTH or self.work > MAX_WORK:
                return self.unknown("too much would have to be followed", expression)
            return self._evaluate(expression, point)
        finally:
            self._depth -= 1
            self.here = outer

    def _evaluate(self, expression: Expr, point: Point) -> Result:
        match expression:
            case Number(text=text):
                return literal(text)
            case Name():
                return self.lookup.name(expression, point)
            case Binary(operator=operator, left=left, right=right):
                if operator == ",":
                    return self.evaluate(right, point)
                rewritten = self._spliced(expression, point)
                if rewritten is not None:
                    return self.evaluate(rewritten, point)
                return self.combine(operator, self.evaluate(left, point), self.evaluate(right, point), expression)
            case Call():
                return self._call(expression, point)
            case Brace(type=None, elements=elements):
                return ListObject(elements, point)
            case Brace(type=kind, elements=elements) if isinstance(kind, Name):
                return self.construct(self.types.kind(kind), elements, point, expression, braced=True)
            case Cast(type=kind, operand=operand):
                return self.cast(kind, self.evaluate(operand, point), expression)
            case Index(object=inner, indices=indices):
                return self._index(inner, indices, point, expression)
            case Member(object=inner, name=name):
                return self._member(inner, name, point, expression)
            case Conditional():
                return self._conditional(expression, point)
            case Unary(operator=operator, operand=operand):
                if operator in ("*", "&"):
                    return self.unknown("read through a pointer", expression)
                result = self.scalar(self.evaluate(operand, point))
                return result if isinstance(result, Unknown) else unary(operator, result)
            case SizeOf():
                return self._sizeof(expression, point)
            case Lambda():
                return Closure(expression, Place(expression, point.place))
            case Character(text=text):
                return self._character(text, expression)
            case Assign(right=right):
                return self.evaluate(right, point)
            case _:
                return self.unknown("not an expression that can be evaluated", expression)

    def _spliced(self, node: Binary, point: Point) -> Expr | None:
        """``2 * N`` where ``#define N a + b`` lacks its parentheses: macros are text, so it is ``2 * a + b``."""
        mine = _PRECEDENCE.get(node.operator, 0)
        body = self._open_macro(node.right, point)
        if body is not None and _PRECEDENCE.get(body.operator, 0) <= mine:
            return Binary(
                body.operator,
                Binary(node.operator, node.left, body.left, node.start, node.end),
                body.right,
                node.start,
                node.end,
            )
        body = self._open_macro(node.left, point)
        if body is not None and _PRECEDENCE.get(body.operator, 0) < mine:
            return Binary(
                body.operator,
                body.left,
                Binary(node.operator, body.right, node.right, node.start, node.end),
                node.start,
                node.end,
            )
        return None

    def _open_macro(self, node: Expr, point: Point) -> Binary | None:
        """The body of an object-like macro that is an operation not wrapped in parentheses."""
        if not isinstance(node, Name) or node.text not in self.facts.macros:
            return None
        macro = self.macros.macro(node, point)
        if macro is None or macro.parameters is not None or not isinstance(macro.value, Binary):
            return None
        return None if _parenthesized(macro.text) else macro.value

    def value(self, expression: Expr, point: Point) -> Value:
        """``expression`` as an integer."""
        result = self.scalar(self.evaluate(expression, point))
        if isinstance(result, Unknown):
            return result
        return convert(result, ULONG).value if isinstance(result, Real) else result.value

    def size(self, result: Result) -> Value:
        """``result`` as an extent, a ``size_t``; a negative number stays negative, so that it can be reported."""
        scalar = self.scalar(result)
        if isinstance(scalar, Unknown):
            return scalar
        return convert(scalar, ULONG).value if isinstance(scalar, Real) else scalar.value

    def scalar(self, result: Result) -> Scalar | Real | Unknown:
        """``result`` as a number: one-dimensional ranges convert, as in SYCL."""
        match result:
            case Scalar() | Real() | Unknown():
                return result
            case RangeObject(extents=(extent,)):
                return Scalar(extent, ULONG)
            case ListObject(elements=(element,), point=point):
                return self.scalar(self.evaluate(element, point))
            case _:
                return Unknown("not a number")

    def combine(self, operator: str, left: Result, right: Result, node: Expr) -> Result:
        """``left operator right``, for numbers and for ranges."""
        if isinstance(left, RangeObject) or isinstance(right, RangeObject):
            ranges = self._range_arithmetic(operator, left, right)
            if ranges is not None:
                return ranges
        first, second = self.scalar(left), self.scalar(right)
        if isinstance(first, Unknown):
            return first
        if isinstance(second, Unknown):
            return second
        result = binary(operator, first, second)
        if isinstance(result, Scalar) and isinstance(result.value, Unknown) and result.value.location is None:
            location = self.location(node.start, node.end)
            return Scalar(Unknown(result.value.reason, location), result.type)
        return result

    def _range_arithmetic(self, operator: str, left: Result, right: Result) -> RangeObject | None:
        """Element by element; a number stands for a range of equal extents."""
        size = max(len(each.extents) for each in (left, right) if isinstance(each, RangeObject))
        sides: list[tuple[Value, ...]] = []
        for side in (left, right):
            if isinstance(side, RangeObject) and len(side.extents) == size:
                sides.append(side.extents)
            else:
                number = self.size(side)
                sides.append((number,) * size)
        extents: list[Value] = []
        for first, second in zip(*sides, strict=True):
            result = binary(operator, Scalar(first, ULONG), Scalar(second, ULONG))
            extents.append(result.value if isinstance(result, Scalar) else Unknown("not a number"))
        return RangeObject(tuple(extents))

    def cast(self, kind: Type, operand: Result, node: Expr) -> Result:
        """``operand`` converted to ``kind``."""
        if kind.pointers:
            return self.unknown("a pointer", node)
        resolved = self.types.kind(kind.name)
        return self._converted(operand, resolved, node)

    def _converted(self, operand: Result, kind: TypeKind, node: Expr) -> Result:
        if kind.sycl in ("range", "id") or kind.automatic:
            return operand
        scalar = self.scalar(operand)
        if isinstance(scalar, Unknown):
            return scalar
        if kind.integer is not None:
            return convert(scalar, kind.integer)
        if kind.floating:
            return as_real(scalar)
        return self.unknown(f"a value of type {kind.name.text or 'unknown'}", node)

    def _conditional(self, node: Conditional, point: Point) -> Result:
        condition = self.scalar(self.evaluate(node.condition, point))
        if isinstance(condition, Scalar) and isinstance(condition.value, Known):
            return self.evaluate(node.then if condition.value.value else node.otherwise, point)
        first = self.evaluate(node.then, point)
        second = self.evaluate(node.otherwise, point)
        return self.joined([first, second], node)

    def joined(self, results: list[Result], node: Expr | Variable | None = None) -> Result:
        """One result that covers all of ``results``."""
        first = results[0]
        if all(each == first for each in results):
            return first
        if all(isinstance(each, RangeObject) for each in results):
            ranges = [each for each in results if isinstance(each, RangeObject)]
            if len({len(each.extents) for each in ranges}) == 1:
                return RangeObject(
                    tuple(join(list(extents)) for extents in zip(*(each.extents for each in ranges), strict=True))
                )
        scalars = [self.scalar(each) for each in results]
        for each in scalars:
            if isinstance(each, Unknown):
                return each
            if isinstance(each, Real):
                return self.unknown("several possible floating-point values", node)
        numbers = [each for each in scalars if isinstance(each, Scalar)]
        kind = numbers[0].type if len({each.type for each in numbers}) == 1 else ULONG
        return Scalar(join([each.value for each in numbers]), kind)

    def _index(self, inner: Expr, indices: tuple[Expr, ...], point: Point, node: Expr) -> Result:
        target = self.evaluate(inner, point)
        if isinstance(target, Unknown):
            return target
        if len(indices) != 1:
            return self.unknown("an element of an object", node)
        index = self.value(indices[0], point)
        match target:
            case RangeObject(extents=extents):
                if isinstance(index, Known) and 0 <= index.value < len(extents):
                    return Scalar(extents[index.value], ULONG)
                if all(each == extents[0] for each in extents):
                    return Scalar(extents[0], ULONG)
                return self.unknown("an extent chosen at run time", node)
            case ListObject(elements=elements, point=there):
                if isinstance(index, Known) and 0 <= index.value < len(elements):
                    return self.evaluate(elements[index.value], there)
                return self.unknown("an element chosen at run time", node)
            case _:
                return self.unknown("an element of an object", node)

    def _member(self, inner: Expr, name: str, point: Point, node: Expr) -> Result:
        text = _spelled(inner)
        if text is None:
            return self.unknown(f"the member {name} of an object", node)
        return self.symbol(f"{text}.{name}", f"the member {name} of {text}", 0)

    def _sizeof(self, node: SizeOf, point: Point) -> Result:
        operand = node.operand
        if node.operator != "sizeof" or operand is None:
            return self.unknown(f"{node.operator} is not evaluated here", node)
        if isinstance(operand, Name):
            declared = self.lookup.declaration(operand, point)
            kind = declared if declared is not None else Type(operand, 0, False, False, (), operand.start, operand.end)
            return Scalar(self.sizes.of_type(kind, point), ULONG)
        if isinstance(operand, Type):
            return Scalar(self.sizes.of_type(operand, point), ULONG)
        result = self.evaluate(operand, point)
        if isinstance(result, Scalar):
            return Scalar(Known(max(result.type.bits // 8, 1)), ULONG)
        return self.unknown("the size of an object", node)

    def _character(self, text: str, node: Expr) -> Result:
        inner = text.strip("'")
        if len(inner) == 1 and ord(inner) < 128:
            return Scalar(Known(ord(inner)), INT)
        if inner in _CHARACTERS:
            return Scalar(Known(_CHARACTERS[inner]), INT)
        return self.unknown("a character", node)

    # ---------------------------------------------------------------- calls

    def _call(self, node: Call, point: Point) -> Result:
        function = node.function
        if isinstance(function, Member):
            return self._method(function, node, point)
        if not isinstance(function, Name):
            return self.unknown("the result of a call", node)
        macro = self.macros.macro(function, point)
        if macro is not None and macro.parameters is not None:
            if macro.value is None or len(macro.parameters) != len(node.arguments):
                return self.unknown(f"the macro {macro.name} is not an expression", node)
            return self.evaluate(macro.value, Point(Place(macro, Place(node, point.place)), point.offset))
        standard = function.qualifier in ("std", "sycl", "cl::sycl", "")
        arguments = node.arguments
        if standard and function.last in ("min", "max", "fmin", "fmax") and arguments:
            return self._extremum(function.last[-3:], arguments, point)
        if standard and function.last in _ROUNDING and len(arguments) == 1:
            return self._rounding(function.last, arguments[0], point)
        if standard and function.last == "pow" and len(arguments) == 2:
            return self._power(arguments, point)
        kind = self.types.kind(function)
        if (
            kind.integer is not None
            or kind.struct is not None
            or kind.floating
            or kind.sycl in ("range", "id", "nd_range")
        ):
            return self.construct(kind, arguments, point, node)
        return self.bindings.result(function, node, point)

    def _extremum(self, which: str, arguments: tuple[Expr, ...], point: Point) -> Result:
        if len(arguments) == 1 and isinstance(arguments[0], Brace):
            arguments = arguments[0].elements
        results = [self.scalar(self.evaluate(each, point)) for each in arguments]
        best: Scalar | None = None
        for each in results:
            if isinstance(each, Unknown):
                return each
            result = convert(each, INT) if isinstance(each, Real) else each
            if best is None:
                best = result
                continue
            smaller = binary("<", result, best)
            if not isinstance(smaller, Scalar) or not isinstance(smaller.value, Known):
                first, second = symbolic(best.value), symbolic(result.value)
                if first is None or second is None:
                    return Unknown(f"a {which} of several possible values")
                best = Scalar((lowest if which == "min" else highest)(first, second), best.type)
                continue
            if bool(smaller.value.value) == (which == "min"):
                best = result
        return best if best is not None else Unknown(f"an empty {which}")

    def _rounding(self, name: str, argument: Expr, point: Point) -> Result:
        result = self.scalar(self.evaluate(argument, point))
        if isinstance(result, Unknown):
            return result
        number = as_real(result)
        if (
            number.value is None
            or (number.value < 0 and name.startswith("sqrt"))
            or (number.value <= 0 and name.startswith("log"))
        ):
            return number if number.value is None else Real(None)
        return Real(float(_ROUNDING[name](number.value)))

    def _power(self, arguments: tuple[Expr, ...], point: Point) -> Result:
        numbers = []
        for argument in arguments:
            result = self.scalar(self.evaluate(argument, point))
            if isinstance(result, Unknown):
                return result
            numbers.append(as_real(result).value)
        first, second = numbers
        if first is None or second is None:
            return Real(None)
        try:
            return Real(float(math.pow(first, second)))
        except (ValueError, OverflowError):
            return Real(None)

    def _method(self, function: Member, node: Call, point: Point) -> Result:
        name, arguments = function.name, node.arguments
        if name in ("get", "size", "get_global_range", "get_local_range", "get_group_range"):
            target = self.evaluate(function.object, point)
            match target:
                case RangeObject(extents=extents) if name == "size" and not arguments:
                    product: Scalar | Real = Scalar(Known(1), ULONG)
                    for extent in extents:
                        product = binary("*", product, Scalar(extent, ULONG))
                    return product
                case RangeObject() if name == "get" and len(arguments) == 1:
                    return self._index(function.object, arguments, point, node)
                case NdRangeObject(global_range=whole, local_range=local):
                    if name == "get_global_range":
                        return whole
                    if name == "get_local_range":
                        return local
                    if name == "get_group_range":
                        groups = self._range_arithmetic("/", whole, local)
                        return groups if groups is not None else self.unknown("a number of groups", node)
                case Unknown():
                    return target
        if name in ("get_info", "get_device_info"):
            return self.symbol(DEVICE_PROPERTY, "a property of the device", node.start, ULONG)
        return self.symbol(f"{name}()", f"the result of {name}()", node.start)

    # --------------------------------------------------------- construction

    def construct(
        self, kind: TypeKind, arguments: tuple[Expr, ...], point: Point, node: Expr | Variable, *, braced: bool = False
    ) -> Result:
        """An object of type ``kind`` made from ``arguments``."""
        match kind.sycl:
            case "range" | "id":
                return self._range(kind, arguments, point, node)
            case "nd_range":
                return self._nd_range(kind, arguments, point, node)
        if kind.integer is not None:
            if not arguments:
                return Scalar(Known(0), kind.integer) if braced else self.unknown("not initialised", node)
            scalar = self.scalar(self.evaluate(arguments[0], point))
            return scalar if isinstance(scalar, Unknown) else convert(scalar, kind.integer)
        if kind.floating and len(arguments) == 1:
            scalar = self.scalar(self.evaluate(arguments[0], point))
            return scalar if isinstance(scalar, Unknown) else as_real(scalar)
        if kind.struct is not None:
            return Instance(kind.struct, arguments, point)
        if kind.automatic and len(arguments) == 1:
            return self.evaluate(arguments[0], point)
        return self.unknown(f"a value of type {kind.name.text}", node)

    def _range(self, kind: TypeKind, arguments: tuple[Expr, ...], point: Point, node: Expr | Variable) -> Result:
        dims = self.types.dimensions(kind.name)
        if len(arguments) == 1:
            only = self.evaluate(arguments[0], point)
            if isinstance(only, ListObject):
                return self._range(kind, only.elements, only.point, node)
            if isinstance(only, RangeObject):
                return only
            if dims in (None, 1):
                return RangeObject((self.size(only),))
            return RangeObject(
                (only if isinstance(only, Unknown) else self.unknown("a range copied from another", node),) * dims
            )
        if not arguments:
            return RangeObject((self.unknown("a range without extents", node),) * (dims or 1))
        if dims is not None and dims != len(arguments):
            return self.unknown(f"range<{dims}> with {len(arguments)} extents", node)
        return RangeObject(tuple(self.size(self.evaluate(each, point)) for each in arguments))

    def _nd_range(self, kind: TypeKind, arguments: tuple[Expr, ...], point: Point, node: Expr | Variable) -> Result:
        dims = self.types.dimensions(kind.name)
        if len(arguments) == 1:
            only = self.evaluate(arguments[0], point)
            if isinstance(only, NdRangeObject):
                return only
            if isinstance(only, ListObject) and len(only.elements) in (2, 3):
                return self._nd_range(kind, only.elements, only.point, node)
            return only if isinstance(only, Unknown) else self.unknown("an nd_range copied from another", node)
        if len(arguments) not in (2, 3):
            return self.unknown("an nd_range without ranges", node)
        return NdRangeObject(self.as_range(arguments[0], point, dims), self.as_range(arguments[1], point, dims))

    def as_range(self, expression: Expr, point: Point, dims: int | None) -> RangeObject:
        """``expression`` where a range of ``dims`` dimensions is wanted."""
        result = self.evaluate(expression, point)
        if isinstance(result, ListObject):
            elements = result.elements
            if dims is None or dims == len(elements):
                return RangeObject(tuple(self.size(self.evaluate(each, result.point)) for each in elements))
            return RangeObject((self.unknown(f"{len(elements)} extents for {dims} dimensions", expression),) * dims)
        if isinstance(result, RangeObject):
            if dims is None or dims == len(result.extents):
                return result
            if len(result.extents) == 1 and isinstance(result.extents[0], Unknown):
                return RangeObject(result.extents * dims)
            return RangeObject((self.unknown("a range of other dimensions", expression),) * dims)
        if dims in (None, 1) or isinstance(result, Unknown):
            return RangeObject((self.size(result),) * (dims or 1))
        return RangeObject((self.unknown("not a range", expression),) * (dims or 1))

    def initial(self, variable: Variable, point: Point) -> Result:
        """What ``variable`` is initialised with; ``point`` is where its declaration stands."""
        kind = variable.type
        if kind.pointers:
            return self.unknown("a pointer", variable)
        if kind.extents:
            if len(variable.arguments) == 1 and isinstance(variable.arguments[0], Brace):
                return ListObject(variable.arguments[0].elements, point)
            if variable.style == "{":
                return ListObject(variable.arguments, point)
            return self.unknown("an array", variable)
        if variable.style == "[":
            return self.unknown("a part of a structured binding", variable)
        resolved = self.types.kind(kind.name)
        if resolved.extents is not None:
            return self.unknown("a pointer or an array", variable)
        if not variable.arguments and variable.style == "" and resolved.struct is None:
            return self.unknown(f"{variable.name} has no value yet", variable)
        if resolved.automatic and variable.style == "{" and len(variable.arguments) != 1:
            return self.unknown("a list", variable)
        arguments = variable.arguments
        if variable.style == "=" and len(arguments) == 1:
            source = self.evaluate(arguments[0], point)
            if isinstance(source, ListObject):
                arguments, point = source.elements, source.point
            elif resolved.sycl in ("range", "id") and isinstance(source, Scalar):
                return RangeObject((source.value,))
            elif resolved.automatic or resolved.sycl or resolved.struct is not None:
                return source
            else:
                return self._converted(source, resolved, arguments[0])
        result = self.construct(resolved, arguments, point, variable, braced=variable.style == "{")
        if isinstance(result, Unknown) and result.location is None:
            return self.unknown(result.reason, variable)
        return result

    def named(self, name: str, result: Result, start: int, end: int) -> Result:
        """``result``, remembering that ``name`` stood for it; only the names nearest to a literal are kept."""
        if isinstance(result, Scalar) and isinstance(result.value, Known) and not result.value.because:
            step = Step(name, result.value.value, self.location(start, end))
            return Scalar(Known(result.value.value, (step,)), result.type)
        return result


def _spelled(expression: Expr) -> str | None:
    """``a.b.c`` as text, for the name of a parameter."""
    match expression:
        case Name(text=text):
            return text
        case Member(object=inner, name=name):
            outer = _spelled(inner)
            return None if outer is None else f"{outer}.{name}"
        case _:
            return None


def _parenthesized(text: str) -> bool:
    """Whether one pair of parentheses encloses all of ``text``."""
    if not (text.startswith("(") and text.endswith(")")):
        return False
    depth = 0
    for index, character in enumerate(text):
        depth += (character == "(") - (character == ")")
        if depth == 0 and index < len(text) - 1:
            return False
    return True
