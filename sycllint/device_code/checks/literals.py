"""Floating-point literals without a suffix in single-precision expressions of kernels: they make them double."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from sycllint.cpp.expression import Assign, Binary, Call, Cast, Conditional, Expr, Name, New, Number, Type, Unary
from sycllint.cpp.node import Node, children, walk
from sycllint.cpp.place import Place, macros_around
from sycllint.cpp.statement import Function, If, Return, Variable
from sycllint.device_code.bodies.instruction_index import NodeKind, Spot
from sycllint.device_code.bodies.reading import DeviceFunction, DeviceFunctions
from sycllint.device_code.bodies.scalar_types import LIKE_FIRST, MATH_CONSTANTS, Base, ScalarType, ScalarTypes, number
from sycllint.device_code.code import KernelCode
from sycllint.device_code.once import once_per_function
from sycllint.ir import body as ir
from sycllint.ir import ops
from sycllint.ir.body import Storage
from sycllint.record import record
from sycllint.source.span import Location
from sycllint.values.arithmetic import rounded
from sycllint.values.objects import Point

_RESULTS = {"*": "product", "/": "quotient", "+": "sum", "-": "difference"}
_COMPARISONS = frozenset({"<", ">", "<=", ">=", "==", "!="})
_LIKE_OPERANDS = frozenset({ops.UNARY, ops.BINARY, ops.SELECT})
_SET = frozenset({ops.STORE, ops.WRITE, ops.UPDATE})


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
    concerned = [(body, nodes) for body in code.bodies if (nodes := _concerned(body))]
    if not concerned:
        return
    elements = code.reading.elements
    if any(_uses_double(each, elements) for each in code.bodies):
        return
    found: list[DoubleLiteral] = []
    for body, nodes in concerned:
        search = _Search(body, nodes, elements, code.reading)
        literals = search.run()
        if literals and search.has_double():
            return
        found += literals
    yield from found


def _concerned(body: DeviceFunction) -> frozenset[Node]:
    """The operations, declarations and returns of values that literals without a suffix may decide the type of."""
    parts = () if body.function.damaged else body.lowered.whole()
    return frozenset(node for part in parts for node in _using_literals(part))


def _using_literals(body: ir.Body) -> Iterator[Node]:
    written = {
        position: node.text for position in body.at(ops.CONST) if isinstance(node := body.node[position], Number)
    }
    texts = {text for text in set(written.values()) if not text.isdigit() and number(text).base is Base.LITERAL}
    literal = {each for each, text in written.items() if text in texts}
    literal.update(each for each in body.at(ops.GLOBAL) if body.name(each) in MATH_CONSTANTS)
    if not literal:
        return
    literal.update(body.at(ops.UNSEEN))
    literal.update(each for each in body.at(ops.LOAD) if body.locals[body.a[each]].storage is Storage.CAPTURE)
    for position in body.at(*_LIKE_OPERANDS, *_SET, ops.RETURN, ops.CALL, ops.DECL):
        code = body.op[position]
        if code == ops.BINARY:
            is_concerned = body.a[position] in literal or body.b[position] in literal
        else:
            is_concerned = not literal.isdisjoint(_parts(body, position, code))
        if is_concerned:
            yield body.node[position]
            if code in _LIKE_OPERANDS or (code == ops.CALL and body.called(position) in LIKE_FIRST):
                literal.add(position)


def _parts(body: ir.Body, position: int, code: int) -> tuple[int, ...]:
    """What a value is made of, or something is set to."""
    if code == ops.DECL:
        return body.initial(position)
    if code in _SET:
        return (body.b[position],)
    return (body.a[position],) if code == ops.RETURN else body.operands(position)


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

    def __init__(
        self, body: DeviceFunction, concerned: frozenset[Node], elements: ScalarTypes, reading: DeviceFunctions
    ) -> None:
        self._body = body
        self._concerned = concerned
        self._elements = elements
        self._reading = reading

    def run(self) -> Sequence[DoubleLiteral]:
        """What its expressions hold, each literal once."""
        found: dict[Location, DoubleLiteral] = {}
        for each in (
            *(each for spot in self._spots(Binary) for each in self._binary(spot)),
            *(each for spot in self._spots(Assign) for each in self._assignment(spot)),
            *(each for spot in self._spots(Conditional) for each in self._conditional(spot)),
            *(each for spot in self._spots(Call) for each in self._call(spot)),
            *(each for spot in self._spots(Variable) for each in self._variable(spot)),
            *(each for spot in self._spots(Return) for each in self._return(spot)),
        ):
            found.setdefault(each.location, each)
        return tuple(found.values())

    def has_double(self) -> bool:
        """Whether any number that is an operand, an argument, assigned or returned is a double."""
        spots = (spot for kind in (Binary, Assign, Conditional, Call, Variable, Return) for spot in self._body.of(kind))
        numbers = ((each, place) for node, place in spots for each in children(node) if isinstance(each, Expr))
        return any(self._elements.of(each, place).base is Base.DOUBLE for each, place in numbers)

    def _spots(self, kind: type[NodeKind]) -> Iterator[Spot[NodeKind]]:
        """The nodes of one kind in which a literal may meet something, where no other precision is an alternative."""
        spots = (spot for spot in self._body.of(kind) if spot.node in self._concerned)
        return (spot for spot in spots if not self._is_alternative(spot.place))

    def _is_alternative(self, place: Place) -> bool:
        """Whether code is compiled for some instances alone, so that its precision is meant."""
        is_constexpr = self._reading.facts.is_constexpr
        return any(isinstance(each.node, If) and is_constexpr(each.node, each) for each in place.within())

    def _binary(self, spot: Spot[Binary]) -> Iterator[DoubleLiteral]:
        node, place = spot
        operation = "comparison" if node.operator in _COMPARISONS else _RESULTS.get(node.operator)
        if operation is not None:
            folds = operation == "comparison"
            yield from self._meeting((node.left, node.right), place, operation, folds=folds, whole=node)

    @cached_property
    def _narrowed(self) -> frozenset[Node | None]:
        """The operations of which nothing but the result in single precision is used."""
        return frozenset(self._converted_at_once())

    def _converted_at_once(self) -> Iterator[Node]:
        for assign, place in self._body.of(Assign):
            if assign.operator == "=" and self._elements.of(assign.left, place).is_single:
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
        self,
        sides: tuple[Expr, ...],
        place: Place,
        operation: str,
        *,
        folds: bool = False,
        whole: Node | None = None,
    ) -> Iterator[DoubleLiteral]:
        """Numbers that are brought to a common type.

        With ``folds``, or where ``whole`` is narrowed, compilers compute in single precision what literals that a float
        holds exactly do not widen: LLVM's InstCombine narrows an operation whose operands and result are of single
        precision, and comparisons.
        """
        kinds = [self._elements.of(each, place) for each in sides]
        single = [each for each in kinds if each.is_single]
        if not single or not all(each.is_scalar and each.base is not Base.OTHER for each in kinds):
            return
        sure = all(each.base is Base.FLOAT for each in single)
        for side, kind in zip(sides, kinds, strict=True):
            is_exact = kind.base is Base.LITERAL and kind.constant and self._holds_exactly(side, place)
            if kind.base is Base.LITERAL and not (is_exact and (folds or whole in self._narrowed)):
                for literal, where in self._leaves(side, place):
                    yield self._literal(literal, where, operation, sure=sure and kind.constant)

    def _holds_exactly(self, side: Expr, place: Place) -> bool:
        """Whether a side is one literal that a float holds exactly, perhaps that of a macro."""
        while isinstance(side, Unary) and side.operator in ("-", "+"):
            side = side.operand
        number = self._elements.constant(side, place) if isinstance(side, Name) else side
        return isinstance(number, Number) and _is_exact(number.text)

    def _assignment(self, spot: Spot[Assign]) -> Iterator[DoubleLiteral]:
        node, place = spot
        if node.operator == "=":
            yield from self._converted(self._elements.of(node.left, place), node.right, place)
        elif node.operator[:-1] in _RESULTS:
            yield from self._meeting((node.left, node.right), place, _RESULTS[node.operator[:-1]], folds=True)

    def _conditional(self, spot: Spot[Conditional]) -> Iterator[DoubleLiteral]:
        node, place = spot
        yield from self._meeting((node.then, node.otherwise), place, "choice", whole=node)

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
        kind = self._elements.of(value, place)
        if kind.base is not Base.LITERAL:
            return
        for literal, where in self._leaves(value, place):
            if not kind.constant:
                yield self._literal(literal, where, "value", sure=False)
            elif isinstance(literal, Number) and not _is_exact(literal.text):
                yield self._literal(literal, where, "", sure=to.base is Base.FLOAT)

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
                elif self._elements.of(expression, place).base is Base.LITERAL:
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

    def _literal(self, literal: Number | Name, place: Place, operation: str, *, sure: bool) -> DoubleLiteral:
        location = self._reading.location(Spot(literal, place))
        written = isinstance(literal, Number) and not any(macros_around(place))
        suffix = None
        if written:
            end = location.span.end
            suffix = Location(location.path, location.span._replace(start=end, end=end))
        within = self._reading.location(Spot(self._wholes.get(literal, literal), place))
        return DoubleLiteral(literal.text, location, operation, suffix, within, sure)

    @cached_property
    def _wholes(self) -> Mapping[Node, Expr]:
        """The whole expression of the function that a number or name stands in; none for those of a macro's text."""
        return {
            part: each
            for node in walk(self._body.function)
            for each in children(node)
            if isinstance(each, Expr) and not isinstance(node, Expr)
            for part in walk(each)
            if isinstance(part, Number | Name)
        }


def _operations(value: Expr | None) -> Iterator[Node]:
    """The operation that gives a value, its sign aside; of a choice, those of its sides too."""
    while isinstance(value, Unary) and value.operator in ("-", "+"):
        value = value.operand
    if isinstance(value, Binary | Conditional):
        yield value
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
