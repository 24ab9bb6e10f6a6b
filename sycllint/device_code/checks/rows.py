"""Kernels in several dimensions that take a sub-group for one row of the work-group."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from sycllint.cpp.expression import Binary, Call, Conditional, Expr, Lambda, Member, Name, Number, Unary
from sycllint.cpp.node import Node, walk
from sycllint.cpp.place import Place
from sycllint.cpp.statement import Declaration, Function, If, Loop, Variable
from sycllint.domains.meaning import Meanings, Role, Scope
from sycllint.record import field, mutable, record
from sycllint.source.span import Location
from sycllint.values.objects import Point
from sycllint.values.value import Value, known, possible

if TYPE_CHECKING:
    from sycllint.device_code.code import KernelCode
    from sycllint.values.evaluate import Evaluator

MAX_FUNCTIONS = 16
"""Functions that are looked at for one kernel."""

_WHOLE = frozenset(
    {"reduce_over_group", "any_of_group", "all_of_group", "none_of_group", "group_broadcast"}
    | {"inclusive_scan_over_group", "exclusive_scan_over_group"}
)
_WHOLE_MEMBERS = frozenset({"reduce", "any", "all", "broadcast", "inclusive_scan", "exclusive_scan"})
_SHIFTS = frozenset(
    {"shift_group_left", "shift_group_right", "permute_group_by_xor"}
    | {"shift_sub_group_left", "shift_sub_group_right", "permute_sub_group_by_xor"}
)
"""SYCL 2020, "Group algorithms", and their forerunners in SYCLomatic's headers, which have a width after these."""
_SHIFT_MEMBERS = frozenset({"shuffle_down", "shuffle_up", "shuffle_xor"})
_LINEAR = frozenset({"get_local_linear_id", "get_linear_id", "leader"})
_OTHER = -1
"""Stands for the dimension of what is made of other ids than one of a dimension."""


@record
class RowLeader:
    """One work-item per row is singled out in a kernel whose sub-groups exchange values."""

    location: Location
    text: str
    """As it is meant: ``get_local_id(1) == 0``."""
    operation: Location
    """The exchange that reaches farthest."""
    reach: int | None
    """Over how many lanes it is known to reach; ``None``: over all of the sub-group."""


def row_leaders(code: KernelCode) -> Iterator[RowLeader]:
    """At most one record. None where the kernel also asks for another id of its work-item in a condition."""
    dims = code.geometry.dims
    if not code.scan.sub_group_operations or dims is None or dims < 2 or not _has_rows(code.geometry.local):
        return
    evaluator = code.evaluator
    # The questions asked here are no reason to look at the launch in more ways.
    free, evaluator.free = evaluator.free, {}
    work, evaluator.work = evaluator.work, 0
    meanings = Meanings(evaluator)
    looked = _Look(evaluator, meanings, dims - 1)
    looked.at(code.function, code.place, meanings.parameters(code.function.parameters, kernel=True))
    evaluator.free, evaluator.work = free, work
    if looked.leader is None or looked.others or not looked.exchanges:
        return
    operation, reach = max(looked.exchanges, key=lambda each: (each[1] is None, each[1] or 0))
    yield RowLeader(looked.leader, f"get_local_id({dims - 1}) == {looked.first}", operation, reach)


def _has_rows(local: tuple[Value, ...] | None) -> bool:
    """Whether the group is known to have more than one row."""
    extents = [known(each) for each in local or ()]
    return None not in extents and any(each != 1 for each in extents[:-1])


@mutable
class _Look:
    """One walk over a kernel and the functions of the project that it calls."""

    evaluator: Evaluator
    meanings: Meanings
    last: int
    """The dimension of a row."""
    leader: Location | None = None
    first: str = ""
    """The number that the leader's id is compared with, as written."""
    others: bool = False
    """A condition asks for an id that is not the place in the row."""
    exchanges: list[tuple[Location, int | None]] = field(default_factory=list)
    _seen: set[int] = field(default_factory=set)

    def at(self, function: Lambda | Function, place: Place, scope: Scope) -> None:
        """Look at a function whose parameters stand for what ``scope`` says."""
        if id(function) in self._seen or len(self._seen) >= MAX_FUNCTIONS or function.body is None:
            return
        self._seen.add(id(function))
        dimensions: dict[str, int] = {}
        counters: dict[str, Expr] = {}
        around = Place(function.body, place)
        for node in walk(function.body):
            match node:
                case Declaration():
                    self._declared(node, scope, dimensions)
                case Loop(initializer=Declaration(variables=variables)):
                    counters |= {each.name: each.arguments[0] for each in variables if len(each.arguments) == 1}
        for node in walk(function.body):
            match node:
                case If(condition=condition) if condition is not None:
                    self._condition(condition, dimensions, around)
                case Conditional(condition=condition):
                    self._condition(condition, dimensions, around)
                case Call():
                    self._call(node, scope, counters, around)

    def _declared(self, node: Declaration, scope: Scope, dimensions: dict[str, int]) -> None:
        for variable in node.variables:
            role = self.meanings.of_type(variable.type.name) or _initial_role(variable, self.meanings, scope)
            if role is not None:
                scope[variable.name] = role
            dimension = _dimension_in(variable, dimensions)
            if dimension is not None:
                before = dimensions.get(variable.name, dimension)
                dimensions[variable.name] = dimension if before == dimension else _OTHER

    def _condition(self, condition: Expr, dimensions: dict[str, int], place: Place) -> None:
        asked = {found for node in walk(condition) if (found := _dimension(node, dimensions)) is not None}
        if asked - {self.last}:
            self.others = True
        for node in walk(condition):
            named = _singled_out(node, self.last, dimensions)
            if named and self.leader is None:
                self.leader, self.first = self._location(node, place), named

    def _call(self, call: Call, scope: Scope, counters: dict[str, Expr], place: Place) -> None:
        function, arguments = call.function, call.arguments
        passed = tuple(self.meanings.of(each, scope) for each in arguments)
        match function:
            case Member(object=receiver, name=name) if self.meanings.of(receiver, scope) is Role.SUB_GROUP:
                if name in _WHOLE_MEMBERS:
                    self.exchanges.append((self._location(call, place), None))
                elif name in _SHIFT_MEMBERS and len(arguments) == 2:
                    self._shift(call, arguments[1], counters, place)
            case Name() if passed and passed[0] is Role.SUB_GROUP and function.last in _WHOLE:
                self.exchanges.append((self._location(call, place), None))
            case Name() if passed and passed[0] is Role.SUB_GROUP and function.last in _SHIFTS:
                if len(arguments) == 3:
                    self._shift(call, arguments[2], counters, place)
            case Name() if any(isinstance(each, Role) for each in passed):
                targets = self.meanings.called(function, call, passed, place)
                if len(targets.found) == 1:
                    node = targets.found[0].node
                    handed = {
                        parameter.name: meaning
                        for parameter, meaning in zip(node.parameters, passed, strict=False)
                        if meaning is not None
                    }
                    self.at(node, targets.found[0].place, handed | self.meanings.parameters(node.parameters))
            case _:
                return

    def _shift(self, call: Call, distance: Expr, counters: dict[str, Expr], place: Place) -> None:
        """A counter reaches farthest with its first value, when it is halved; else at least so far."""
        if isinstance(distance, Name):
            distance = counters.get(distance.text, distance)
        numbers = [each.value for each in possible(self.evaluator.value(distance, Point(place, call.start)))]
        if numbers:
            self.exchanges.append((self._location(call, place), max(numbers)))

    def _location(self, node: Node, place: Place) -> Location:
        start = getattr(node, "start", 0)
        return self.evaluator.facts.file_at(place).location(start, getattr(node, "end", start))


def _initial_role(variable: Variable, meanings: Meanings, scope: Scope) -> Role | None:
    meaning = meanings.of(variable.arguments[0], scope) if len(variable.arguments) == 1 else None
    return meaning if isinstance(meaning, Role) else None


def _dimension_in(variable: Variable, dimensions: dict[str, int]) -> int | None:
    """The dimension whose local id a variable is; ``_OTHER`` when ids go into it in another way."""
    if len(variable.arguments) == 1:
        exact = _dimension(variable.arguments[0], dimensions)
        if exact is not None:
            return exact
    inside = (_dimension(node, dimensions) for each in variable.arguments for node in walk(each))
    return _OTHER if any(each is not None for each in inside) else None


def _dimension(node: Node, dimensions: dict[str, int]) -> int | None:
    """The dimension of which ``node`` is the local id; ``_OTHER`` for linear ids and lanes."""
    match node:
        case Name(text=text):
            return dimensions.get(text)
        case Call(function=Member(name=name) | Name(text=name), arguments=arguments):
            if name in _LINEAR:
                return _OTHER
            if name.rpartition("::")[2] != "get_local_id":
                return None
            return _number(arguments[0]) if len(arguments) == 1 else _OTHER
        case _:
            return None


def _number(expression: Expr) -> int:
    return int(expression.text) if isinstance(expression, Number) and expression.text.isdigit() else _OTHER


def _singled_out(node: Node, last: int, dimensions: dict[str, int]) -> str:
    """The number that the place in the row is compared with; empty for other expressions."""
    match node:
        case Binary(operator="==", left=left, right=Number(text=text)):
            return text if _dimension(left, dimensions) == last else ""
        case Binary(operator="==", left=Number(text=text), right=right):
            return text if _dimension(right, dimensions) == last else ""
        case Unary(operator="!", operand=operand):
            return "0" if _dimension(operand, dimensions) == last else ""
        case _:
            return ""
