"""Floating-point literals without a suffix in single-precision expressions of kernels: they make them double."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from sycllint.cpp.expression import Assign, Binary, Call, Conditional, Expr, Name, Number, Type, Unary
from sycllint.cpp.place import Place
from sycllint.cpp.statement import Function, Return, Variable
from sycllint.kernel.element import OTHER, Base, Element, number
from sycllint.kernel.elements import LIKE_FIRST, MATH_CONSTANTS, Elements
from sycllint.kernel.once import once_per_function
from sycllint.kernel.reading import Body, Reading
from sycllint.kernel.spots import Spot
from sycllint.record import record
from sycllint.source.span import Location
from sycllint.values.arithmetic import rounded
from sycllint.values.objects import Point

if TYPE_CHECKING:
    from sycllint.kernel.analyses import KernelCode

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


def _has_literal(body: Body) -> bool:
    texts = {each.text for each in body.spots.nodes(Number)}
    if any(number(text).base is Base.LITERAL for text in texts if "." in text or "e" in text or "E" in text):
        return True
    return any(
        isinstance(side, Name) and side.text in MATH_CONSTANTS
        for each in body.spots.nodes(Binary)
        for side in (each.left, each.right)
    )


def _uses_double(body: Body, elements: Elements) -> bool:
    """Whether a type in the function is double."""
    for kind, place in body.of(Type):
        if elements.of_type(kind, Point(place, kind.start)).base is Base.DOUBLE:
            return True
    function = body.function
    types = [each.type for each in function.parameters]
    if isinstance(function, Function) and function.returns is not None:
        types.append(function.returns)
    return any(elements.of_type(each, Point(body.place, each.end)).base is Base.DOUBLE for each in types)


class _Search:
    """One function looked through."""

    def __init__(self, body: Body, elements: Elements, reading: Reading) -> None:
        self._body = body
        self._elements = elements
        self._reading = reading
        self.double_met = False
        self._rounded: set[int] = set()
        """Operations whose result becomes a single at once; the nodes live as long as the function does."""

    def run(self) -> Iterator[DoubleLiteral]:
        """What its expressions hold, each literal once."""
        body = self._body
        self._rounded = {id(each) for each in self._made_single()}
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

    def _of(self, expression: Expr, place: Place) -> Element:
        element = self._elements.of(expression, place)
        self.double_met = self.double_met or element.base is Base.DOUBLE
        return element

    def _binary(self, spot: Spot[Binary]) -> Iterator[DoubleLiteral]:
        node, place = spot
        operation = "comparison" if node.operator in _COMPARISONS else _RESULTS.get(node.operator)
        if operation is not None:
            folds = operation == "comparison" or id(node) in self._rounded
            yield from self._meeting((node.left, node.right), place, operation, folds=folds)

    def _made_single(self) -> Iterator[Expr]:
        """What initialises, is assigned to or returned as a number of single precision."""
        for assign, place in self._body.of(Assign):
            if assign.operator == "=" and self._of(assign.left, place).is_single:
                yield assign.right
        for variable, place in self._body.of(Variable):
            if len(variable.arguments) == 1 and self._type_of(variable, place).is_single:
                yield variable.arguments[0]
        for returned, _ in self._body.of(Return):
            if returned.value is not None and self._result().is_single:
                yield returned.value

    def _type_of(self, variable: Variable, place: Place) -> Element:
        return self._elements.of_type(variable.type, Point(place, variable.start))

    def _result(self) -> Element:
        """What the function returns; nothing known of one that does not say."""
        function = self._body.function
        if not isinstance(function, Function) or function.returns is None:
            return OTHER
        return self._elements.of_type(function.returns, Point(self._body.place, function.start))

    def _meeting(
        self, sides: tuple[Expr, ...], place: Place, operation: str, *, folds: bool = False
    ) -> Iterator[DoubleLiteral]:
        """Numbers that are brought to a common type.

        ``folds``: the result is a single again, or a truth, so that with a literal that a float holds exactly the
        compiler does all of it in single precision.
        """
        kinds = [self._of(each, place) for each in sides]
        single = [each for each in kinds if each.is_single]
        if not single or not all(each.is_scalar and each.base is not Base.OTHER for each in kinds):
            return
        sure = all(each.base is Base.FLOAT for each in single)
        for side, kind in zip(sides, kinds, strict=True):
            if kind.base is Base.LITERAL:
                leaves = [*self._leaves(side, place)]
                if folds and kind.constant and all(self._is_exact(each, where) for each, where in leaves):
                    continue
                for literal, where in leaves:
                    yield self._told(literal, where, operation, sure=sure and kind.constant)

    def _assignment(self, spot: Spot[Assign]) -> Iterator[DoubleLiteral]:
        node, place = spot
        if node.operator == "=":
            yield from self._converted(self._of(node.left, place), node.right, place)
        elif node.operator[:-1] in _RESULTS:
            operation = _RESULTS[node.operator[:-1]]
            yield from self._meeting((node.left, node.right), place, operation, folds=True)

    def _conditional(self, spot: Spot[Conditional]) -> Iterator[DoubleLiteral]:
        node, place = spot
        folds = id(node) in self._rounded
        yield from self._meeting((node.then, node.otherwise), place, "choice", folds=folds)

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
            yield from self._converted(self._type_of(node, place), node.arguments[0], place)

    def _return(self, spot: Spot[Return]) -> Iterator[DoubleLiteral]:
        node, place = spot
        if node.value is not None:
            yield from self._converted(self._result(), node.value, place)

    def _converted(self, to: Element, value: Expr, place: Place) -> Iterator[DoubleLiteral]:
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

    def _is_exact(self, literal: Number | Name, place: Place) -> bool:
        """Whether a float holds the number exactly, which may be that of a macro."""
        if isinstance(literal, Name):
            written = self._elements.constant(literal, place)
            return written is not None and _is_exact(written.text)
        return _is_exact(literal.text)

    def _told(self, literal: Number | Name, place: Place, operation: str, *, sure: bool) -> DoubleLiteral:
        location = self._reading.location(Spot(literal, place))
        written = isinstance(literal, Number) and not self._reading.in_macro(place)
        suffix = None
        if written:
            end = location.span.end
            suffix = Location(location.path, location.span._replace(start=end, end=end))
        return DoubleLiteral(literal.text, location, operation, suffix, sure)


def _is_exact(text: str) -> bool:
    """Whether a float holds the literal's number exactly."""
    try:
        value = float.fromhex(text) if text.lower().startswith("0x") else float(text.replace("'", ""))
    except (ValueError, OverflowError):
        return True
    return rounded(value) == value
