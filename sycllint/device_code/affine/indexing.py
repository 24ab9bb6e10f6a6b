"""Indices of memory as sums: so much of the global id, of the local id, of a loop's counter, and a rest.

``base + get_group(0) * 256 + get_local_id(0)`` is one global id and ``base``, when groups have 256 work-items.
"""

from collections.abc import Mapping
from enum import Enum
from typing import TypeAlias

from sycllint.cpp.expression import (
    Assign,
    Binary,
    Call,
    Cast,
    Expr,
    Increment,
    Index,
    Member,
    Name,
    Number,
    Type,
    Unary,
)
from sycllint.cpp.node import Node
from sycllint.cpp.place import Place
from sycllint.cpp.statement import FunctionParameter, Loop, Struct, Variable
from sycllint.device_code.bodies.reaching_definitions import definition
from sycllint.device_code.bodies.reading import DeviceFunction
from sycllint.device_code.bodies.trip_counts import counted
from sycllint.device_code.code import KernelCode
from sycllint.device_code.limits import FULL
from sycllint.domains.meaning import Role
from sycllint.domains.vocabulary import IDS, LINEAR_IDS, RANGES, SUB_GROUP_WIDTHS
from sycllint.record import record
from sycllint.values.arithmetic import LONG, Scalar, binary
from sycllint.values.objects import Point
from sycllint.values.symbolic import parameter
from sycllint.values.value import Known, Symbolic, Unknown, Value, known

MAX_DEPTH = 16


class Of(Enum):
    """What an id counts in."""

    GLOBAL = "global"
    LOCAL = "local"
    GROUP = "group"
    LANE = "lane"
    SUB_GROUP = "sub-group"
    """Of the work-group."""
    GLOBAL_SUB_GROUP = "sub-group of the launch"
    """The global id by the width of sub-groups, where each is a row of it."""


@record
class Axis:
    """One id of a work-item; ``dimension`` is ``None`` for a linear id of several dimensions."""

    of: Of
    dimension: int | None


@record
class Counter:
    """The counter of a loop."""

    loop: Loop


@record
class Other:
    """Something else that is one number, called ``text``."""

    node: Node | None
    text: str


AffineAtom: TypeAlias = Axis | Counter | Other
Sum: TypeAlias = Mapping[AffineAtom | None, Value]
"""Factors by what they belong to; that of ``None`` is the constant part."""

ONE = Known(1)
_ZERO = Known(0)

ID_NAMES = frozenset({*IDS, *LINEAR_IDS})
"""Members of items and groups that are ids."""
_LANES = {
    "get_local_id": Of.LANE,
    "get_local_linear_id": Of.LANE,
    "get_group_id": Of.SUB_GROUP,
    "get_group_linear_id": Of.SUB_GROUP,
}
"""Members of a sub-group that are ids (SYCL 2020, section 4.9.1.8)."""
_LEVEL = {Of.GLOBAL: Of.GLOBAL_SUB_GROUP, Of.LOCAL: Of.SUB_GROUP}
"""What an id divided by the width of sub-groups counts."""


class Indexing:
    """Answers for one function of one kernel."""

    def __init__(self, code: KernelCode, body: DeviceFunction, caller: "Indexing | None" = None) -> None:
        self.code = code
        self.body = body
        self._caller = caller
        """Answers for the function that calls this one, for what that call hands to it."""
        self._evaluator = code.evaluator
        self._frame = body.frame(code.evaluator.frame)
        self._items = code.reading.items(body)
        self._memo: dict[Variable | Assign | Increment, Sum | None] = {}
        """What variables hold, by the definition that gave it to them."""
        self._depth = 0

    # ------------------------------------------------------------------ sums

    def of(self, expression: Expr, place: Place) -> Sum | None:
        """``expression`` as a sum; ``None`` when it is none."""
        if self._depth > MAX_DEPTH:
            return None
        self._depth += 1
        found = self._of(expression, place)
        self._depth -= 1
        return found

    def _of(self, expression: Expr, place: Place) -> Sum | None:
        handed = self.handed(expression, place)
        if handed is not None:
            return self.of(*handed)
        axis = self.axis(expression, place)
        if axis is not None:
            return {axis: ONE}
        match expression:
            case Number():
                return {None: self.code.reading.value(expression, place, self._frame)}
            case Name():
                return self._name(expression, place)
            case Cast(operand=operand) | Unary(operator="+", operand=operand):
                return self.of(operand, place)
            case Binary(operator="+" | "-" as operator, left=left, right=right):
                first, second = self.of(left, place), self.of(right, place)
                if first is None or second is None:
                    return None
                return added(first, scaled(second, Known(-1)) if operator == "-" else second)
            case Binary(operator="*", left=left, right=right):
                return self._product(self.of(left, place), self.of(right, place), expression)
            case Binary(operator="<<", left=left, right=right) if self.varies(left):
                return self._shifted(left, right, place, expression)
            case Binary(operator="/" | "%" as operator, left=left, right=right) if self.varies(left):
                return self._by_width(operator, left, right, place) or self._rest(expression, place)
            case Call(function=Member(name=name)) | Index(object=Call(function=Member(name=name))) if (
                name in SUB_GROUP_WIDTHS and self._of_sub_group(expression, place)
            ):
                return {None: self.width()}
            case Call(function=Member(name=name)) if name in RANGES:
                return {None: self._range(expression, place)}
            case Binary() | Call() | Index() | Member():
                return self._rest(expression, place)
            case _:
                return None

    def _product(self, left: Sum | None, right: Sum | None, node: Node) -> Sum | None:
        if left is None or right is None:
            return None
        for one, other in ((left, right), (right, left)):
            if set(one) <= {None}:
                return scaled(other, one.get(None, _ZERO))
        return {Other(node, "a product"): ONE}

    def _shifted(self, left: Expr, right: Expr, place: Place, node: Node) -> Sum | None:
        """``left << right`` as a product with a power of two."""
        bits = known(self.code.reading.value(right, place, self._frame))
        if bits is None or not 0 <= bits < FULL:
            return {Other(node, "an expression"): ONE}
        whole = self.of(left, place)
        return scaled(whole, Known(1 << bits)) if whole is not None else None

    def _by_width(self, operator: str, left: Expr, right: Expr, place: Place) -> Sum | None:
        """``id / width`` as the sub-group and ``id % width`` as the lane, in one dimension."""
        whole, by = self.of(left, place), self.of(right, place)
        if self._dims != 1 or whole is None or by is None or set(by) != {None} or not same(by[None], self.width()):
            return None
        axis = sole_axis(self.joined(whole))
        if axis is None or axis.of not in _LEVEL or axis.dimension != 0:
            return None
        return {Axis(Of.LANE if operator == "%" else _LEVEL[axis.of], 0): ONE}

    def _rest(self, expression: Expr, place: Place) -> Sum | None:
        """A number that is not made of ids, or one that cannot be taken apart."""
        if not self.varies(expression):
            value = self.code.reading.value(expression, place, self._frame)
            if not isinstance(value, Unknown):
                return {None: value}
        return {Other(expression, "an expression"): ONE}

    def _name(self, name: Name, place: Place) -> Sum | None:
        found = self._evaluator.declarations.nearest(name.text, Point(place, name.start))
        if self._caller is not None:
            outside = self._from_caller(name, found)
            if outside is not None:
                return outside
        if found is not None:
            node, scope = found
            counter = self._counter(name.text, scope, place)
            if counter is not None:
                return {counter: ONE}
            if isinstance(node, Variable) and self._is_own(scope):
                return self._own(node, scope, Point(place, name.start))
        reading = self.code.reading
        if found is not None and isinstance(found[0], Variable):
            value = reading.captured(name, found[0], self.body, place, self._frame)
        else:
            value = reading.value(name, place, self._frame)
        if not isinstance(value, Unknown):
            return {None: value}
        return {Other(found[0] if found is not None else None, name.text): ONE}

    def _from_caller(self, name: Name, found: tuple[Node, Place] | None) -> Sum | None:
        """What the call hands to a parameter, or a member of the object it is made on; ``None`` for other names."""
        if found is not None and isinstance(found[0], FunctionParameter):
            handed = self.given(found[0])
            is_whole = handed is not None and self._is_whole(found[0].type, found[1])
            return handed[0].of(*handed[1:]) if handed is not None and is_whole else None
        is_member = found is None or (found[1].outer is not None and isinstance(found[1].outer.node, Struct))
        receiver, call = self.receiver, self.body.call
        if not is_member or receiver is None or call is None or self._caller is None:
            return None
        return self._caller.of(Member(receiver, name.text, None, call.node.start, call.node.end), call.place)

    def given(self, own: FunctionParameter) -> "tuple[Indexing, Expr, Place] | None":
        """What the call hands to a parameter that keeps it, and where that is written."""
        handed = self.body.handed(own) if self._caller is not None else None
        if handed is None or self._caller is None or self.body.call is None or own.name in self.body.spots.assigned:
            return None
        return self._caller, handed, self.body.call.place

    @property
    def receiver(self) -> Expr | None:
        """The object that the call of the function is made on."""
        call = self.body.call
        match call.node.function if call is not None else None:
            case Member(object=receiver):
                return receiver
            case Name() as name if call is not None:
                declared = self._evaluator.declarations.type_of(name, Point(call.place, name.start))
                return None if declared is None else name
            case _:
                return None

    def _is_whole(self, kind: Type, scope: Place) -> bool:
        """Whether a type holds numbers of 32 bits and more."""
        integer = self._evaluator.types.kind(kind.name, scope).integer
        return integer is None or integer.bits >= FULL

    def _own(self, variable: Variable, scope: Place, point: Point) -> Sum | None:
        """A variable of the function: what it was last set to, where that is sure; else a number of its own."""
        itself: Sum = {Other(variable, variable.name): ONE}
        last = definition(self._evaluator, variable, scope, point)
        value = last.value if last is not None else None
        if last is None or value is None or variable.type.pointers:
            return itself
        if last.node not in self._memo:
            self._memo[last.node] = None
            is_whole = self._is_whole(variable.type, scope)
            self._memo[last.node] = self.of(value, last.place) if is_whole else {Other(last.node, variable.name): ONE}
        return self._memo[last.node]

    def _counter(self, text: str, scope: Place, place: Place) -> Counter | None:
        """The innermost loop around ``place``, and not outside the variable's scope, that counts with ``text``."""
        for current in place.within(self.body.function):
            loop = current.node
            if isinstance(loop, Loop):
                counter = counted(loop)
                if counter is not None and counter.variable == text:
                    return Counter(loop)
            if current is scope:
                break
        return None

    def _is_own(self, scope: Place) -> bool:
        return any(node is self.body.function for node in scope.chain())

    # ------------------------------------------------------------------- ids

    def axis(self, expression: Expr, place: Place) -> Axis | None:
        """The id that ``expression`` is."""
        match expression:
            case (
                Call(function=Member(object=receiver, name=name), arguments=asked)
                | Index(object=Call(function=Member(object=receiver, name=name), arguments=()), indices=(_,) as asked)
            ) if name in ID_NAMES:
                return self._id(receiver, name, asked, place)
            case Index(object=Name() as name, indices=(index,)):
                role = self._role(name, place)
                if role is None or role is Role.OTHER:
                    return self._element(name, index, place)
                if role not in (Role.ITEM, Role.WORK_GROUP):
                    return None
                return self._axis(Of.GROUP if role is Role.WORK_GROUP else Of.GLOBAL, index, place)
            case Name() if self._dims == 1:
                return Axis(Of.GLOBAL, 0) if self._role(expression, place) is Role.ITEM else None
            case Call(function=Member(object=Name() as name, name="get"), arguments=(index,)):
                return self._axis(Of.GLOBAL, index, place) if self._role(name, place) is Role.ITEM else None
            case _:
                return None

    def _element(self, name: Name, index: Expr, place: Place) -> Axis | None:
        """``id[0]`` of ``auto id = it.get_global_id();``."""
        found = self._evaluator.declarations.nearest(name.text, Point(place, name.start))
        if found is None or not isinstance(found[0], Variable) or len(found[0].arguments) != 1:
            return None
        match found[0].arguments[0]:
            case Call(function=Member(object=receiver, name=inner), arguments=()) if inner in ID_NAMES:
                return None if inner in LINEAR_IDS else self._id(receiver, inner, (index,), found[1])
            case _:
                return None

    def _id(self, receiver: Expr, name: str, arguments: tuple[Expr, ...], place: Place) -> Axis | None:
        role = self._role(receiver, place)
        if role is Role.SUB_GROUP and name in _LANES:
            return Axis(_LANES[name], 0 if self._dims == 1 else None)
        if role not in (Role.ITEM, Role.WORK_GROUP):
            return None
        of = Of(IDS.get(name) or LINEAR_IDS[name])
        if role is Role.WORK_GROUP and name in ("get_id", "get_linear_id"):
            of = Of.GROUP
        if name in LINEAR_IDS:
            return Axis(of, 0 if self._dims == 1 else None)
        if not arguments and self._dims == 1:
            # An id of one dimension is a number where one is wanted.
            return Axis(of, 0)
        return self._axis(of, arguments[0], place) if len(arguments) == 1 else None

    def _axis(self, of: Of, index: Expr, place: Place) -> Axis | None:
        dimension = known(self.code.reading.value(index, place, self._frame))
        return Axis(of, dimension) if dimension in (0, 1, 2) else None

    @property
    def _dims(self) -> int | None:
        return self.code.geometry.dims

    def handed(self, expression: Expr, place: Place) -> tuple[Expr, Place] | None:
        """What a macro is given for a parameter that its text names, and where that is written."""
        found = self._evaluator.macros.argument(expression.text, place) if isinstance(expression, Name) else None
        return (found[0], found[1].place) if found is not None else None

    def _role(self, expression: Expr, place: Place) -> Role | None:
        handed = self.handed(expression, place)
        if handed is not None:
            return self._role(*handed)
        match expression:
            case Name(text=text) if text in self._items:
                found = self._evaluator.declarations.nearest(text, Point(place, expression.start))
                if found is not None and not isinstance(found[0], FunctionParameter):
                    return Role.OTHER
                return Role.ITEM
            case Name():
                return self._named_role(expression, place)
            case Call(function=Member(object=receiver, name="get_group"), arguments=()):
                return Role.WORK_GROUP if self._role(receiver, place) is Role.ITEM else None
            case Call(function=Member(object=receiver, name="get_sub_group"), arguments=()):
                return Role.SUB_GROUP if self._role(receiver, place) is Role.ITEM else None
            case Call(function=Name() as function) if function.last == "get_nd_item":
                return Role.ITEM
            case _:
                return None

    def _named_role(self, name: Name, place: Place) -> Role | None:
        found = self._evaluator.declarations.nearest(name.text, Point(place, name.start))
        if found is None:
            return None
        node, scope = found
        if isinstance(node, FunctionParameter):
            if self.body.call is None and scope.node is self.body.function and node is self._first_parameter:
                return Role.ITEM
            return self.code.reading.meanings.of_type(node.type.name)
        if not isinstance(node, Variable) or not self._is_own(scope):
            return None
        role = self.code.reading.meanings.of_type(node.type.name)
        if role is None and len(node.arguments) == 1 and not isinstance(node.arguments[0], Name):
            (made,) = node.arguments
            # In ``auto it = it.get_group()`` the name is that of the variable itself.
            return None if made.start <= name.start < made.end else self._role(made, scope)
        return role

    @property
    def _first_parameter(self) -> FunctionParameter | None:
        parameters = self.body.function.parameters
        return parameters[0] if parameters else None

    def _range(self, call: Call, place: Place) -> Value:
        """An extent of the launch, by the call that asks for it."""
        assert isinstance(call.function, Member)
        name = call.function.name
        geometry = self.code.geometry
        dimension = 0 if not call.arguments and self._dims == 1 else None
        if len(call.arguments) == 1:
            dimension = known(self.code.reading.value(call.arguments[0], place, self._frame))
        extents = {"get_local_range": geometry.local, "get_global_range": geometry.whole, "get_range": geometry.whole}
        return self._extent(name, extents.get(name), dimension)

    def _of_sub_group(self, expression: Expr, place: Place) -> bool:
        call = expression.object if isinstance(expression, Index) else expression
        return (
            isinstance(call, Call)
            and isinstance(call.function, Member)
            and self._role(call.function.object, place) is Role.SUB_GROUP
        )

    def width(self) -> Value:
        """Work-items of a full sub-group: the required size, or what asking the sub-group for it gives."""
        size = self.code.geometry.sub_group_size
        if size is not None and not isinstance(size, Unknown):
            return size
        return parameter("the sub-group size", "sub-group size", "the compiler's choice", minimum=1)

    def extent(self, of: Of, dimension: int) -> Value:
        """Work-items of a sub-group, of a work-group or of the launch in one dimension, as a kernel asks for them."""
        if of is Of.LANE:
            return self.width()
        geometry = self.code.geometry
        name, found = ("get_local_range", geometry.local) if of is Of.LOCAL else ("get_global_range", geometry.whole)
        return self._extent(name, found, dimension)

    @staticmethod
    def _extent(name: str, found: tuple[Value, ...] | None, dimension: int | None) -> Value:
        """An extent of the launch; a number of its own when that is not known."""
        if found is not None and dimension is not None and dimension < len(found):
            value = found[dimension]
            if not isinstance(value, Unknown):
                return value
        text = f"{name}({'' if dimension is None else dimension})"
        return parameter(text, text, "an extent of the launch", minimum=1)

    def joined(self, of: Sum) -> Sum:
        """A group's id times its extent, and the local id: the global id."""
        result = dict(of)
        for axis in list(result):
            if not isinstance(axis, Axis) or axis.of is not Of.GROUP or axis.dimension is None:
                continue
            local = Axis(Of.LOCAL, axis.dimension)
            factor = result.get(local)
            if factor is None:
                continue
            if same(result[axis], times(factor, self.extent(Of.LOCAL, axis.dimension))):
                del result[axis], result[local]
                whole = Axis(Of.GLOBAL, axis.dimension)
                result[whole] = plus(result.get(whole, _ZERO), factor)
        return result

    # ------------------------------------------------------------------ taint

    def varies(self, expression: Expr) -> bool:
        """Whether an id, or a name that is computed from one, stands in ``expression``."""
        return self.code.reading.mentions(self.body, expression)


# ------------------------------------------------------------------- arithmetic


def times(left: Value, right: Value) -> Value:
    """``left * right``."""
    result = binary("*", Scalar(left, LONG), Scalar(right, LONG))
    return result.value if isinstance(result, Scalar) else Unknown("not a number")


def plus(left: Value, right: Value) -> Value:
    """``left + right``."""
    result = binary("+", Scalar(left, LONG), Scalar(right, LONG))
    return result.value if isinstance(result, Scalar) else Unknown("not a number")


def added(first: Sum, second: Sum) -> Sum:
    """The sum of two; what cancels out is left away."""
    result = dict(first)
    for atom, factor in second.items():
        total = plus(result.get(atom, _ZERO), factor)
        if total == _ZERO or (isinstance(total, Known) and total.value == 0):
            result.pop(atom, None)
        else:
            result[atom] = total
    return result


def scaled(of: Sum, factor: Value) -> Sum:
    """Every part ``factor`` times."""
    return {atom: times(each, factor) for atom, each in of.items()}


def sole_axis(total: Sum) -> Axis | None:
    """The id that a sum is, once and with nothing else."""
    match list(total.items()):
        case [(Axis() as axis, factor)] if same(factor, ONE):
            return axis
        case _:
            return None


def same(first: Value, second: Value) -> bool:
    """Whether two values are surely one number."""
    match first, second:
        case Known(value=one), Known(value=other):
            return one == other
        case Symbolic(terms=one), Symbolic(terms=other):
            return one == other
        case _:
            return False
