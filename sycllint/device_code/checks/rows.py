"""Kernels in several dimensions that take a sub-group for one row of the work-group."""

from collections.abc import Iterator, Sequence
from enum import Enum

from sycllint.cpp.expression import Assign, Binary, Call, Conditional, Expr, Index, Member, Name, Number, Unary
from sycllint.cpp.node import Node, walk
from sycllint.cpp.place import Place
from sycllint.cpp.spelling import spelled as as_written
from sycllint.cpp.statement import Declaration, If, Loop, Variable
from sycllint.device_code.bodies.reading import DeviceFunction
from sycllint.device_code.code import Geometry, KernelCode
from sycllint.device_code.spelling import spelled
from sycllint.domains.meaning import Meaning, Role, Roles
from sycllint.domains.results import SELECTIONS
from sycllint.domains.vocabulary import LANE_SHIFTS, SUB_GROUP_WIDTHS
from sycllint.ir import ops
from sycllint.ir.body import last_name
from sycllint.record import field, mutable, record
from sycllint.source.span import Location
from sycllint.values.evaluate import Evaluator
from sycllint.values.objects import Point
from sycllint.values.value import Known, all_known, known, possible

_WHOLE = frozenset(
    {"reduce_over_group", "any_of_group", "all_of_group", "none_of_group", "group_broadcast"}
    | {"inclusive_scan_over_group", "exclusive_scan_over_group"}
)
_WHOLE_MEMBERS = frozenset({"reduce", "any", "all", "broadcast", "inclusive_scan", "exclusive_scan"})
_SHIFT_MEMBERS = frozenset({"shuffle_down", "shuffle_up", "shuffle_xor"})
_REDUCTIONS = frozenset({"reduce_over_group", "any_of_group", "all_of_group", "none_of_group", "reduce"})
_SCANS = frozenset({"inclusive_scan_over_group", "exclusive_scan_over_group", "inclusive_scan", "exclusive_scan"})
_LINEAR = frozenset({"get_local_linear_id", "get_linear_id", "leader"})
_ALSO_LINEAR = frozenset({"get_global_linear_id", "get_group_linear_id"})
_PLACED = frozenset({"get_global_id", "get_local_id"})
_LANES = frozenset({"get_local_linear_id", "get_local_id"})
_COMPARING = frozenset({"<", ">", "<=", ">=", "==", "!=", "%", "&"})
_PARTING = {"%": 2, "&": 1}
"""Operators that part the lanes, and the number with which they part every second one."""
_OTHER = -1
"""Stands for the dimension of what is made of other ids than one of a dimension."""


class Assumption(Enum):
    """How a kernel shows that it takes each row of its work-group for a sub-group of its own."""

    SHIFT = "shift"
    """Values move to neighbours, and no condition asks where the row ends; where the sub-group ends, one may."""
    SCAN = "scan"
    LANE = "lane"
    """The lane stands for the place in the row, next to an id of another dimension."""
    RESULT = "result"
    """What the sub-group reduces is stored as the row's."""


@record
class RowExchange:
    """A sub-group is used along a row, whichever work-item stands first in it."""

    assumption: Assumption
    location: Location
    text: str
    """The function that exchanges values, or the subscript."""


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


def row_leaders(code: KernelCode) -> Iterator[RowLeader | RowExchange]:
    """At most one record. None where the kernel also asks for another id of its work-item in a condition."""
    dims = code.geometry.dims
    rows = (all_known(code.geometry.local or ()) or ())[:-1]
    if dims is None or dims < 2 or all(each == 1 for each in rows):
        return
    looked = _Look(code.evaluator, dims - 1, _has_longer_rows(code.geometry), known(code.geometry.sub_group_size))
    for body in looked.entered(code):
        looked.at(body)
    if looked.lane is not None:
        yield looked.lane
    if looked.leader is None:
        yield from (looked.result,) if looked.result is not None else looked.along_rows()
    if looked.leader is None or looked.others or not looked.exchanges:
        return
    operation, reach = max(looked.exchanges, key=lambda each: (each[1] is None, each[1] or 0))
    yield RowLeader(looked.leader, f"get_local_id({dims - 1}) == {looked.first}", operation, reach)


def _has_longer_rows(geometry: Geometry) -> bool:
    """Whether rows of the launch are known to be longer than those of a group: then a linear id has gaps in a group."""
    whole, local = known((geometry.whole or (Known(0),))[-1]), known((geometry.local or (Known(0),))[-1])
    return bool(whole and local and whole > local)


@mutable
class _Look:
    """One walk over a kernel and the functions of the project that it calls."""

    evaluator: Evaluator
    last: int
    """The dimension of a row."""
    has_longer_rows: bool
    """The launch's rows go on behind the group's."""
    width: int | None
    """The required sub-group size."""
    leader: Location | None = None
    first: str = ""
    """The number that the leader's id is compared with, as written."""
    others: bool = False
    """A condition asks for an id that is not the place in the row."""
    exchanges: list[tuple[Location, int | None]] = field(default_factory=list)
    lane: RowExchange | None = None
    result: RowExchange | None = None
    _ordered: list[RowExchange] = field(default_factory=list)
    """Exchanges in which the order of the lanes matters."""
    _are_neighbours: bool = True
    """All of them are between a lane and the next, and no steps of an algorithm over the whole sub-group."""
    _asks_lane: bool = False
    _repeated: set[int] = field(default_factory=set)
    """Nodes in loops, by their identity."""
    _dimensions: set[int] = field(default_factory=set)
    """Those that ids are asked of; ``_OTHER`` for linear ids."""
    _compares: bool = False
    """Something is compared with an id, or computed from one in a way that may single some out."""
    _on_lanes: set[Node] = field(default_factory=set)
    """Calls of methods of a sub-group, and of functions that are handed one first."""
    # Of the function that is looked at, by the names of its variables:
    _held: dict[str, int] = field(default_factory=dict)
    """The dimension whose local id one holds; ``_OTHER`` where ids go into it in another way."""
    _placed: dict[str, frozenset[int]] = field(default_factory=dict)
    """The dimensions whose ids go into one."""
    _made: dict[str, Expr] = field(default_factory=dict)
    """What one is made from, at last."""
    _counters: dict[str, Expr] = field(default_factory=dict)
    """What the counter of a loop begins with."""
    _reduced: set[str] = field(default_factory=set)
    """Those that hold what the sub-group was reduced to."""
    _lanes: set[str] = field(default_factory=set)

    def entered(self, code: KernelCode) -> Iterator[DeviceFunction]:
        """The kernel, and those of the functions it surely calls that are handed items or groups."""
        passed: dict[Node, Sequence[Meaning | None]] = {}
        for body in code.bodies:
            given = passed.get(body.call.node, ()) if body.call is not None else ()
            if body.call is None or any(isinstance(each, Role) for each in given):
                roles = Roles(code.reading.meanings, body.lowered)
                roles.bind(body.function.parameters, given, kernel=body.call is None)
                self._calls(roles, passed)
                yield body

    def _calls(self, roles: Roles, passed: dict[Node, Sequence[Meaning | None]]) -> None:
        """Note the calls of a function and of the lambdas in it, and what they hand over."""
        body = roles.body
        for position in body.at(ops.CALL, ops.CONSTRUCT, ops.DECL):
            roles.note(position)
            if body.op[position] == ops.CALL:
                node, given = body.node[position], tuple(map(roles.of, body.list(position)))
                passed[node] = given
                first = roles.of(body.a[position]) if isinstance(body.callee(position), Member) else (*given, None)[0]
                if first is Role.SUB_GROUP:
                    self._on_lanes.add(node)
        for inner in body.lambdas:
            around = Roles(roles.meanings, inner, roles)
            around.bind(inner.function.parameters, ())
            self._calls(around, passed)

    def at(self, body: DeviceFunction) -> None:
        """Look at a function."""
        function = body.function
        if function.body is None:
            return
        if body.call is not None and id(body.call.node) in self._repeated:
            self._repeated |= {id(each) for each in walk(function.body)}
        self._held, self._placed, self._made, self._counters, self._reduced, self._lanes = {}, {}, {}, {}, set(), set()
        for node in walk(function.body):
            if isinstance(node, Loop):
                self._repeated |= {id(each) for each in walk(node.body)}
                if isinstance(node.initializer, Declaration):
                    begun = (each for each in node.initializer.variables if len(each.arguments) == 1)
                    self._counters |= {each.name: each.arguments[0] for each in begun}
            for variable in node.variables if isinstance(node, Declaration) else ():
                self._declared(variable)
        place = Place(function.body, body.place)
        for node in walk(function.body):
            match node:
                case Index():
                    self._subscript(node, place)
                case Assign(left=Index() as target, right=value) if self._reduces(value):
                    self._result(target, place)
                case Binary(operator=operator) if operator in _COMPARING:
                    asked = [each for each in walk(node) if self._dimension(each) is not None]
                    by_lane = [each for each in asked if self._names_lane(each)]
                    self._compares |= len(by_lane) < len(asked)
                    if operator in _PARTING:
                        is_of_lane = any(map(self._names_lane, walk(node.left)))
                        self._compares |= not is_of_lane and bool(self._ids(node.left))
                    elif by_lane:
                        self._compares |= not self._is_at_end(node, place)
                case If(condition=condition) | Conditional(condition=condition) if condition is not None:
                    self._condition(condition, place)
                    self._compares |= self._parts(condition, place)
                case Call():
                    self._call(node, place)
                    self._select(node, place)

    def _declared(self, variable: Variable) -> None:
        """Note what a variable holds; declarations come in the order of the text."""
        name, given = variable.name, variable.arguments
        inside = [found for each in given for node in walk(each) if (found := self._dimension(node)) is not None]
        exact = self._dimension(given[0]) if len(given) == 1 else None
        dimension = exact if exact is not None else _OTHER if inside else None
        if dimension is not None:
            self._held[name] = dimension if self._held.get(name, dimension) == dimension else _OTHER
        if len(given) == 1:
            self._made[name] = given[0]
            if any(map(self._is_lane, walk(given[0]))):
                self._lanes.add(name)
        placed = self._ids(*given)
        if placed:
            self._placed[name] = placed
        if any(map(self._reduces, given)):
            self._reduced.add(name)

    def along_rows(self) -> Iterator[RowExchange]:
        """The first exchange along rows, where ids of the last and of another dimension say which element is whose."""
        last_and_another = self.last in self._dimensions and len(self._dimensions) > 1
        if self._asks_lane and not self._are_neighbours:
            return
        if self._ordered and last_and_another and _OTHER not in self._dimensions and not self._compares:
            yield self._ordered[0]

    def _names_lane(self, node: Node) -> bool:
        node = node.object if isinstance(node, Index) else node
        return node.text in self._lanes if isinstance(node, Name) else self._is_lane(node)

    def _is_at_end(self, node: Binary, place: Place) -> bool:
        """Whether a comparison finds the ends of the sub-group, or every second lane, and so no end of a row."""
        for side, other in ((node.left, node.right), (node.right, node.left)):
            if self._names_lane(side):
                asked = {last_name(each.function) for each in walk(other) if isinstance(each, Call)}
                number = self._number(other, place)
                ends = (0, self.width, self.width - 1) if self.width is not None else (0,)
                return number in ends or bool(asked & SUB_GROUP_WIDTHS)
        return not self._parts(node, place) and any(
            isinstance(each, Binary) and each.operator in _PARTING for each in walk(node)
        )

    def _parts(self, condition: Expr, place: Place) -> bool:
        """Whether a condition parts the lanes, as ``lane % 8``, and not just every second one."""
        parts = [each for each in walk(condition) if isinstance(each, Binary) and each.operator in _PARTING]
        return any(
            self._number(each.right, place) != _PARTING[each.operator] and any(map(self._names_lane, walk(each.left)))
            for each in parts
        )

    def _dimension(self, node: Node) -> int | None:
        """The dimension of which ``node`` is the local id; ``_OTHER`` for linear ids and lanes."""
        match node:
            case Name(text=text):
                return self._held.get(text)
            case Call(function=Member(name=name) | Name(text=name), arguments=arguments):
                if name in _LINEAR:
                    return _OTHER
                if name.rpartition("::")[2] != "get_local_id":
                    return None
                return _number(arguments[0]) if len(arguments) == 1 else _OTHER
            case _:
                return None

    def _ids(self, *given: Expr) -> frozenset[int]:
        """The dimensions whose ids go into expressions, by themselves or in variables."""
        found: set[int] = set()
        for node in (inner for each in given for inner in walk(each)):
            match node:
                case Name(text=text):
                    found |= self._placed.get(text, frozenset())
                case Call(function=Member(name=name), arguments=(dimension,)) if name in _PLACED:
                    found.add(_number(dimension))
                case Call(function=Member(name=name)) if name in _PLACED or name in _LINEAR or name in _ALSO_LINEAR:
                    found.add(_OTHER)
        return frozenset(found)

    def _singled_out(self, node: Node) -> str:
        """The number that the place in the row is compared with; empty for other expressions."""
        match node:
            case Binary(operator="==", left=side, right=Number(text=text)):
                pass
            case Binary(operator="==", left=Number(text=text), right=side):
                pass
            case Unary(operator="!", operand=side):
                text = "0"
            case _:
                return ""
        return text if self._dimension(side) == self.last else ""

    def _number(self, expression: Expr, place: Place) -> int | None:
        return known(self.evaluator.value(expression, Point(place, getattr(expression, "start", 0))))

    def _is_lane(self, node: Node) -> bool:
        match node:
            case Call(function=Member(name=name)) if name in _LANES:
                return node in self._on_lanes
            case _:
                return False

    def _reduces(self, given: Expr) -> bool:
        """Whether an expression is, or has in it, what the sub-group was reduced to."""
        for node in walk(given):
            match node:
                case Name(text=text) if text in self._reduced:
                    return True
                case Call(function=function) if last_name(function) in _REDUCTIONS:
                    return node in self._on_lanes
        return False

    def _result(self, target: Index, place: Place) -> None:
        """``sums[row] = total``, where nothing but the row says which element it is."""
        asked = self._ids(*target.indices)
        names = {node.text for each in target.indices for node in walk(each) if isinstance(node, Name)}
        if self.result is None and asked and not asked & {self.last, _OTHER} and not names & self._lanes:
            self.result = RowExchange(
                Assumption.RESULT, self.evaluator.facts.location(target, place), as_written(target)
            )

    def _flat(self, index: Index, place: Place) -> None:
        """``a[row * width + lane]``, whose row is made of ids of other dimensions."""
        match index.indices:
            case (Binary(operator="+", left=row, right=Name(text=lane)),) if lane in self._lanes:
                asked = self._ids(row)
                if asked and not asked & {self.last, _OTHER}:
                    self.lane = RowExchange(
                        Assumption.LANE, self.evaluator.facts.location(index, place), as_written(index)
                    )
            case _:
                pass

    def _subscript(self, index: Index, place: Place) -> None:
        """``tile[row][lane]``, whose row is the id of another dimension."""
        inner = index.object
        if self.lane is None and not isinstance(inner, Index):
            self._flat(index, place)
        if self.lane is not None or not isinstance(inner, Index) or len(index.indices) != 1:
            return
        column, row = index.indices[0], inner.indices[0] if len(inner.indices) == 1 else None
        dimension = self._dimension(row) if row is not None else None
        if isinstance(column, Name) and column.text in self._lanes and dimension not in (None, _OTHER, self.last):
            text = spelled(index) or column.text
            self.lane = RowExchange(Assumption.LANE, self.evaluator.facts.location(index, place), text)

    def _condition(self, condition: Expr, place: Place) -> None:
        asked = {found for node in walk(condition) if (found := self._dimension(node)) is not None}
        if asked - {self.last}:
            self.others = True
        for node in walk(condition):
            named = self._singled_out(node)
            if named and self.leader is None:
                self.leader, self.first = self.evaluator.facts.location(node, place), named

    def _call(self, call: Call, place: Place) -> None:
        function, arguments = call.function, call.arguments
        if last_name(function) == "get_global_linear_id" and self.has_longer_rows:
            self._dimensions |= set(range(self.last + 1))
        elif self._is_lane(call):
            self._asks_lane = True
        else:
            self._dimensions |= _asked(function, arguments, self.last)
        if call not in self._on_lanes:
            return
        match function:
            case Member(name=name) if name in _WHOLE_MEMBERS:
                self._whole(call, name, place)
            case Member(name=name) if name in _SHIFT_MEMBERS and len(arguments) == 2:
                self._shift(call, arguments[1], place)
            case Name(last=last) if last in _WHOLE:
                self._whole(call, last, place)
            case Name(last=last) if last in LANE_SHIFTS and len(arguments) == 3:
                self._shift(call, arguments[2], place)
            case _:
                return

    def _whole(self, call: Call, name: str, place: Place) -> None:
        location = self.evaluator.facts.location(call, place)
        self.exchanges.append((location, None))
        if name in _SCANS:
            self._ordered.append(RowExchange(Assumption.SCAN, location, name))
            self._are_neighbours = False

    def _select(self, call: Call, place: Place) -> None:
        """``select_from_group(group, value, lane + 1)``: a shift by another name, unless a ring turns in a loop."""
        name = last_name(call.function)
        if name not in SELECTIONS or len(call.arguments) != (2 if isinstance(call.function, Member) else 3):
            return
        index = call.arguments[-1]
        index = self._made.get(index.text, index) if isinstance(index, Name) else index
        inside = [each for each in walk(index) if isinstance(each, Binary)]
        if any(self._is_next(each, place) for each in inside):
            self._ordered.append(RowExchange(Assumption.SHIFT, self.evaluator.facts.location(call, place), name))
            is_ring = any(each.operator in _PARTING for each in inside)
            self._are_neighbours &= not (is_ring and id(call) in self._repeated)

    def _is_next(self, node: Binary, place: Place) -> bool:
        left, right = node.left, node.right
        if node.operator == "+" and self._names_lane(right):
            left, right = right, left
        return node.operator in ("+", "-") and self._names_lane(left) and self._number(right, place) == 1

    def _shift(self, call: Call, distance: Expr, place: Place) -> None:
        """A counter reaches farthest with its first value, when it is halved; else at least so far."""
        is_next = id(call) not in self._repeated and self._number(distance, place) == 1
        if isinstance(distance, Name):
            distance = self._counters.get(distance.text, distance)
        name = last_name(call.function)
        if "xor" not in name:
            self._ordered.append(RowExchange(Assumption.SHIFT, self.evaluator.facts.location(call, place), name))
            self._are_neighbours &= is_next
        numbers = [each.value for each in possible(self.evaluator.value(distance, Point(place, call.start)))]
        if numbers:
            self.exchanges.append((self.evaluator.facts.location(call, place), max(numbers)))


def _asked(function: Expr, arguments: tuple[Expr, ...], last: int) -> set[int]:
    """The dimensions that a call asks ids of: all for an ``id``, ``_OTHER`` for a linear one or a lane."""
    name = last_name(function)
    if name in _LINEAR or name in _ALSO_LINEAR:
        return {_OTHER}
    if name not in ("get_global_id", "get_local_id"):
        return set()
    return {_number(arguments[0])} if len(arguments) == 1 else set(range(last + 1))


def _number(expression: Expr) -> int:
    return int(expression.text) if isinstance(expression, Number) and expression.text.isdigit() else _OTHER
