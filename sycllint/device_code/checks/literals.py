"""Floating-point literals without a suffix in single-precision expressions of kernels: they make them double."""

from collections.abc import Iterator

from sycllint.cpp.expression import Assign, Binary, Call, Cast, Conditional, Expr, Name, New, Number, Type, Unary
from sycllint.cpp.node import Node, children, walk
from sycllint.cpp.place import Place
from sycllint.cpp.statement import Function, Return, Variable
from sycllint.device_code.bodies.instruction_index import Spot
from sycllint.device_code.bodies.reading import DeviceFunction, DeviceFunctions
from sycllint.device_code.bodies.scalar_types import LIKE_FIRST, MATH_CONSTANTS, Base, ScalarType, ScalarTypes, number
from sycllint.device_code.code import KernelCode
from sycllint.device_code.once import once_per_function
from sycllint.record import record
from sycllint.source.span import Location
from sycllint.values.arithmetic import rounded
from sycllint.values.objects import Point

_RESULTS = {"*": "product", "/": "quotient", "+": "sum", "-": "difference"}
_COMPARISONS = frozenset({"<", ">", "<=", ">=", "==", "!="})


@record
class DoubleLiteral:
    """A double literal that meets a number of single precision."""

    text: str
    location: Location
    operation: str
    """What is therefore computed in double: ``product``, ``comparison`` …; empty for a constant the compiler rounds."""
    suffix: Location | None
    """Where an ``f`` goes; ``None`` when the literal is not written there, but in a macro."""
    within: Location
    """The whole expression that it stands in."""
    sure: bool
    """The other side is a float: with an ``f`` the expression is computed as float, and means what was meant."""


@once_per_function
def double_literals(code: "KernelCode") -> Iterator[DoubleLiteral]:
    """The literals that make single-precision expressions double; none in kernels that use doubles anyway."""
    bodies = [body for body in code.bodies if _has_literal(body)]
    if not bodies:
        return
    elements = code.reading.elements
    if any(_uses_double(each, elements) for each in code.bodies):
        return
    found: list[DoubleLiteral] = []
    for body in bodies:
        search = _Search(body, elements, code.reading)
        found += search.run()
        if search.double_met:
            return
    yield from found


def _has_literal(body: DeviceFunction) -> bool:
    texts = {each.node.text for each in body.of(Number)}
    if any(number(text).base is Base.LITERAL for text in texts if "." in text or "e" in text or "E" in text):
        return True
    return any(
        isinstance(side, Name) and side.text in MATH_CONSTANTS
        for each, _ in body.of(Binary)
        for side in (each.left, each.right)
    )


def _uses_double(body: DeviceFunction, elements: ScalarTypes) -> bool:
    """Whether a type in the function is double."""
    for kind, place in _types(body):
        if elements.of_type(kind, Point(place, kind.start)).base is Base.DOUBLE:
            return True
    function = body.function
    types = [each.type for each in function.parameters]
    if isinstance(function, Function) and function.returns is not None:
        types.append(function.returns)
    return any(elements.of_type(each, Point(body.place, each.end)).base is Base.DOUBLE for each in types)


def _types(body: DeviceFunction) -> Iterator[tuple[Type, Place]]:
    """The types that are written in a function's body."""
    written: list[tuple[Node, Place]] = [(each.type, place) for each, place in body.of(Variable)]
    written += [(each.type, place) for each, place in body.of(Cast)]
    written += [(each.type, place) for each, place in body.of(New)]
    written += [(each.function, place) for each, place in body.of(Call) if isinstance(each.function, Name)]
    return ((each, place) for node, place in written for each in walk(node) if isinstance(each, Type))


class _Search:
    """One function looked through."""

    def __init__(self, body: DeviceFunction, elements: ScalarTypes, reading: DeviceFunctions) -> None:
        self._body = body
        self._elements = elements
        self._reading = reading
        self.double_met = False
        self._wholes: dict[int, Expr] | None = None
        """By the ``id`` of a literal, the whole expression that it stands in."""
        self._narrowed: set[int] = set()
        """The operations whose results are converted to single precision at once."""

    def run(self) -> Iterator[DoubleLiteral]:
        """What its expressions hold, each literal once."""
        body = self._body
        self._narrowed.update(self._converted_at_once())
        found: dict[Location, DoubleLiteral] = {}
        for each in (
            *(each for spot in body.of(Binary) for each in self._binary(spot)),
            *(each for spot in body.of(Assign) for each in self._assignment(spot)),
            *(each for spot in body.of(Conditional) for each in self._conditional(spot)),
            *(each for spot in body.of(Call) for each in self._call(spot)),
            *(each for spot in body.of(Variable) for each in self._variable(spot)),
            *(each for spot in body.of(Return) for each in self._return(spot)),
        ):
            found.setdefault(each.location, each)
        yield from found.values()

    def _of(self, expression: Expr, place: Place) -> ScalarType:
        element = self._elements.of(expression, place)
        self.double_met = self.double_met or element.base is Base.DOUBLE
        return element

    def _binary(self, spot: Spot[Binary]) -> Iterator[DoubleLiteral]:
        node, place = spot
        operation = "comparison" if node.operator in _COMPARISONS else _RESULTS.get(node.operator)
        if operation is not None:
            folds = operation == "comparison" or id(node) in self._narrowed
            yield from self._meeting((node.left, node.right), place, operation, folds=folds)

    def _converted_at_once(self) -> Iterator[int]:
        """Operations of which nothing but the result in single precision is used."""
        for assign, place in self._body.of(Assign):
            if assign.operator == "=" and self._of(assign.left, place).is_single:
                yield from _operations(assign.right)
        for variable, place in self._body.of(Variable):
            kind = self._elements.of_type(variable.type, Point(place, variable.start))
            if kind.is_single and len(variable.arguments) == 1 and variable.style != "[":
                yield from _operations(variable.arguments[0])
        function = self._body.function
        if isinstance(function, Function) and function.returns is not None:
            kind = self._elements.of_type(function.returns, Point(self._body.place, function.start))
            for node, _ in self._body.of(Return) if kind.is_single else ():
                yield from _operations(node.value)
        for cast in walk(function):
            if (
                isinstance(cast, Cast)
                and self._elements.of_type(cast.type, Point(self._body.place, cast.start)).is_single
            ):
                yield from _operations(cast.operand)

    def _meeting(
        self, sides: tuple[Expr, ...], place: Place, operation: str, *, folds: bool = False
    ) -> Iterator[DoubleLiteral]:
        """Numbers that are brought to a common type.

        With ``folds`` compilers compute in single precision what literals that a float holds exactly do not widen:
        LLVM's InstCombine narrows an operation whose operands and result are of single precision, and comparisons.
        """
        kinds = [self._of(each, place) for each in sides]
        single = [each for each in kinds if each.is_single]
        if not single or not all(each.is_scalar and each.base is not Base.OTHER for each in kinds):
            return
        sure = all(each.base is Base.FLOAT for each in single)
        for side, kind in zip(sides, kinds, strict=True):
            if kind.base is Base.LITERAL and not (folds and kind.constant and self._holds_exactly(side, place)):
                for literal, where in self._leaves(side, place):
                    yield self._told(literal, where, operation, sure=sure and kind.constant)

    def _holds_exactly(self, side: Expr, place: Place) -> bool:
        """Whether a side is one literal that a float holds exactly, perhaps that of a macro."""
        while isinstance(side, Unary) and side.operator in ("-", "+"):
            side = side.operand
        number = self._elements.constant(side, place) if isinstance(side, Name) else side
        return isinstance(number, Number) and _is_exact(number.text)

    def _assignment(self, spot: Spot[Assign]) -> Iterator[DoubleLiteral]:
        node, place = spot
        if node.operator == "=":
            yield from self._converted(self._of(node.left, place), node.right, place)
        elif node.operator[:-1] in _RESULTS:
            yield from self._meeting((node.left, node.right), place, _RESULTS[node.operator[:-1]], folds=True)

    def _conditional(self, spot: Spot[Conditional]) -> Iterator[DoubleLiteral]:
        node, place = spot
        yield from self._meeting((node.then, node.otherwise), place, "choice", folds=id(node) in self._narrowed)

    def _call(self, spot: Spot[Call]) -> Iterator[DoubleLiteral]:
        node, place = spot
        function = node.function
        if not isinstance(function, Name) or function.last not in LIKE_FIRST or len(node.arguments) < 2:
            return
        if function.last in self._reading.project_functions:
            return
        yield from self._meeting(node.arguments, place, f"call of {function.last}")

    def _variable(self, spot: Spot[Variable]) -> Iterator[DoubleLiteral]:
        node, place = spot
        if len(node.arguments) == 1 and node.style != "[":
            kind = self._elements.of_type(node.type, Point(place, node.start))
            yield from self._converted(kind, node.arguments[0], place)

    def _return(self, spot: Spot[Return]) -> Iterator[DoubleLiteral]:
        node, place = spot
        function = self._body.function
        if node.value is None or not isinstance(function, Function) or function.returns is None:
            return
        kind = self._elements.of_type(function.returns, Point(self._body.place, function.start))
        yield from self._converted(kind, node.value, place)

    def _converted(self, to: ScalarType, value: Expr, place: Place) -> Iterator[DoubleLiteral]:
        """``float x = …``: a constant is rounded by the compiler, anything else is computed in double."""
        if not to.is_single:
            return
        kind = self._of(value, place)
        if kind.base is not Base.LITERAL:
            return
        for literal, where in self._leaves(value, place):
            if not kind.constant:
                yield self._told(literal, where, "value", sure=False)
            elif isinstance(literal, Number) and not _is_exact(literal.text):
                yield self._told(literal, where, "", sure=to.base is Base.FLOAT)

    def _leaves(self, expression: Expr, place: Place) -> Iterator[tuple[Number | Name, Place]]:
        """The literals of an expression that is made of them."""
        match expression:
            case Number(text=text):
                if number(text).base is Base.LITERAL:
                    yield expression, place
            case Name(text=text):
                handed = self._elements.handed(text, place)
                if handed is not None:
                    yield from self._leaves(handed[0], handed[1].place)
                elif self._of(expression, place).base is Base.LITERAL:
                    yield expression, place
            case Binary(left=left, right=right):
                yield from self._leaves(left, place)
                yield from self._leaves(right, place)
            case Unary(operand=operand):
                yield from self._leaves(operand, place)
            case Conditional(then=then, otherwise=otherwise):
                yield from self._leaves(then, place)
                yield from self._leaves(otherwise, place)
            case Call(arguments=arguments):
                for each in arguments:
                    yield from self._leaves(each, place)
            case _:
                return

    def _told(self, literal: Number | Name, place: Place, operation: str, *, sure: bool) -> DoubleLiteral:
        location = self._reading.location(Spot(literal, place))
        written = isinstance(literal, Number) and not self._reading.in_macro(place)
        suffix = None
        if written:
            end = location.span.end
            suffix = Location(location.path, location.span._replace(start=end, end=end))
        within = self._reading.location(Spot(self._whole(literal), place))
        return DoubleLiteral(literal.text, location, operation, suffix, within, sure)

    def _whole(self, literal: Number | Name) -> Expr:
        """The whole expression of the function that a literal stands in; of one from a macro's text, the literal."""
        if self._wholes is None:
            self._wholes = {
                id(part): each
                for node in walk(self._body.function)
                for each in children(node)
                if isinstance(each, Expr) and not isinstance(node, Expr)
                for part in walk(each)
                if isinstance(part, Number | Name)
            }
        return self._wholes.get(id(literal), literal)


def _operations(value: Expr | None) -> Iterator[int]:
    """The ``id`` of the operation that gives a value, its sign aside; of a choice, those of its sides too."""
    while isinstance(value, Unary) and value.operator in ("-", "+"):
        value = value.operand
    if isinstance(value, Binary | Conditional):
        yield id(value)
    if isinstance(value, Conditional):
        yield from _operations(value.then)
        yield from _operations(value.otherwise)


def _is_exact(text: str) -> bool:
    """Whether a float holds the literal's number exactly."""
    try:
        value = float.fromhex(text) if text.lower().startswith("0x") else float(text.replace("'", ""))
    except (ValueError, OverflowError):
        return True
    return rounded(value) == value
