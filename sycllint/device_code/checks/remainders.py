"""Work that a division splits into equal parts: whether what the division leaves over is processed anywhere."""

import re
from collections.abc import Iterator, Sequence
from itertools import chain, islice

from sycllint.cpp.expression import Assign, Binary, Call, Cast, Expr, Increment, Index, Lambda, Member, Name
from sycllint.cpp.node import Node, children, walk
from sycllint.cpp.place import Place
from sycllint.cpp.statement import Function, Loop, Return, Variable
from sycllint.device_code.affine.indexing import ONE, Axis, Counter, Indexing, Of, same
from sycllint.device_code.bodies.reading import DeviceFunction
from sycllint.device_code.bodies.trip_counts import counted, trips
from sycllint.device_code.checks.bounds import is_guarded
from sycllint.device_code.code import KernelCode
from sycllint.device_code.spelling import spelled
from sycllint.domains.indices import Indices
from sycllint.domains.vocabulary import RANGES
from sycllint.facts.file import Declared
from sycllint.record import NamedTuple, record
from sycllint.source.span import Location
from sycllint.values.memory import Answers
from sycllint.values.symbolic import symbolic
from sycllint.values.value import Known, Parameter, Step, Symbolic, Term, Unknown, Value, known, possible

_PRODUCT = frozenset("*")
_CHOOSING = frozenset({"==", "!=", "%"})
_REST = frozenset({"%", "-", "<", "<=", ">", ">=", "==", "!="})
"""Operators with which code finds out what a division leaves over."""
_DIVISION = re.compile(rb"(?:[\w>]|size\s*\(\s*\))\s*/\s*[^/*]|\*/\s*/")
"""Text with which every division of one number begins."""


@record
class DroppedRemainder:
    """A division whose quotient says how much is processed: no work-item processes the remainder."""

    location: Location
    """Of the division."""
    dividend: str
    divisor: str
    """Both as they are written; the divisor as a number where it is one."""
    used: Location
    """Where the kernel multiplies an id by its share; the launch whose work-items the quotient counts."""
    is_launch: bool


class _Quotient(NamedTuple):
    """``name`` holds ``dividend / divisor``, each as it stands at ``place``."""

    name: str
    dividend: Expr
    divisor: Expr
    place: Place
    start: int
    end: int


def dropped_remainders(code: KernelCode) -> Iterator[DroppedRemainder]:
    """At most one record."""
    yield from islice(chain(_shares(code), _whole_groups(code)), 1)


def _shares(code: KernelCode) -> Iterator[DroppedRemainder]:
    """Divisions that make a share of each id, for a kernel with a loop over just that share."""
    if not code.scan.loops:
        return
    for body in code.bodies:
        run_over = _run_over(body)
        known_as: dict[str, _Quotient | None] = {}
        for spot in body.operations(_PRODUCT) if run_over else ():
            for share, of in ((spot.node.left, spot.node.right), (spot.node.right, spot.node.left)):
                if not isinstance(share, Name) or share.text not in run_over:
                    continue
                if share.text not in known_as:
                    known_as[share.text] = _quotient(code, body, share.text)
                quotient = known_as[share.text]
                axis = _axis(Indexing(code, body), of, spot.place) if quotient is not None else None
                if quotient is not None and axis is not None and _is_dropped(code, quotient, axis):
                    yield _record(code, quotient, code.reading.location(spot), is_launch=False)


def _whole_groups(code: KernelCode) -> Iterator[DroppedRemainder]:
    """As many work-items as a division gives: groups of them, or items of as many elements as it divides by."""
    whole, local = code.geometry.whole or (), code.geometry.local or ()
    host = _host(code)
    may_be = host is not None and any(map(_is_counted, whole)) and _may_leave_some(code)
    divisions = _quotients(code, host) if host is not None and may_be else ()
    quotients = [each for each in divisions if any(_may_count(extent, each) for extent in whole)]
    if not quotients or host is None or _reaches_end(code):
        return
    for quotient in quotients:
        divisor = known(_value(code, quotient.divisor, quotient.place))
        if divisor is None or divisor <= 1 or not _may_be_any(code, quotient, Known(divisor)):
            continue
        in_groups = [
            each
            for each in range(len(whole))
            if _counts(code, whole[each], quotient, divisor, known(local[each]) if len(local) == len(whole) else 1)
        ]
        dimension = next(iter(in_groups), None)
        dividend = _spelled(quotient.dividend)
        if dimension is None or dividend is None or _is_compared(code, host, dividend):
            continue
        is_left = known(local[dimension]) == divisor if len(local) == len(whole) else _sets_so_many(code, divisor)
        if not is_left or _asks_host_for_rest(code, quotient, is_launch=True):
            continue
        if not _is_multiple_on_ways(code, quotient, Known(divisor)):
            start = code.function.start
            used = code.evaluator.facts.file_at(code.place).location(start, start + 1)
            yield _record(code, quotient, used, is_launch=True)


def _may_leave_some(code: KernelCode) -> bool:
    """Whether a kernel chooses elements by the ids of all work-items: of groups, or without one that has none."""
    whole, local = code.geometry.whole or (), code.geometry.local or ()
    if len(local) == len(whole):
        return _asks_for_ids(code)
    return len(whole) == 1 and not is_guarded(code)


def _counts(code: KernelCode, extent: Value, quotient: _Quotient, divisor: int, size: int | None) -> bool:
    """Whether an extent is the quotient, times ``size``."""
    dividend = known(_value(code, quotient.dividend, quotient.place))
    match extent:
        case Known(value=number, because=because):
            if dividend is None or size is None or number != dividend // divisor * size:
                return False
            # Another number may come to the same.
            return any(each.value == dividend for each in _named_as(quotient.dividend, because))
        case Symbolic(terms=(Term(atoms=(Parameter(text=text),), factor=factor),)):
            whole = _value(code, quotient.dividend, quotient.place)
            if text == quotient.name:
                return factor == size
            written = {_spelled(quotient.dividend), whole.text if isinstance(whole, Symbolic) else None}
            return factor == size and text in {f"{each}/{divisor}" for each in written} | {
                f"({each})/{divisor}" for each in written
            }
        case _:
            return False


def _is_compared(code: KernelCode, host: Declared[Function], dividend: str) -> bool:
    """Whether the host finds out, outside the kernel, what a division of this leaves over."""
    nodes = (each for each in code.reading.written(host.node) if isinstance(each, Binary) and each.operator in _REST)
    return any(dividend in _outside_divisions(each) for each in nodes if not _is_in_kernel(code, each))


def _is_counted(extent: Value) -> bool:
    """Whether an extent may be one that a quotient counts, whatever that is called."""
    match extent:
        case Known(because=because):
            return bool(because)
        case Symbolic(terms=(Term(atoms=(_,)),)):
            return True
        case _:
            return False


def _may_count(extent: Value, quotient: _Quotient) -> bool:
    """Whether the names that an extent is made of are those of a quotient."""
    match extent:
        case Known(because=because):
            return any(_named_as(quotient.dividend, because))
        case Symbolic(terms=(Term(atoms=(Parameter(text=text),)),)):
            return text == quotient.name or "/" in text
        case _:
            return False


def _named_as(written: Expr, because: Sequence[Step]) -> Iterator[Step]:
    """The steps to a number that are about the constant or variable ``written``."""
    name = (_spelled(written) or "").rpartition(".")[2].rpartition("::")[2]
    return (each for each in because if each.name.rpartition("::")[2] == name)


def _is_in_kernel(code: KernelCode, node: Binary) -> bool:
    """Whether code of a host function is that of the kernel, a lambda, where a comparison only keeps ids in bounds."""
    kernel = code.function
    return isinstance(kernel, Lambda) and kernel.start <= node.start < kernel.end


_divisions: Answers[Function, tuple[_Quotient, ...]] = Answers()


def _quotients(code: KernelCode, host: Declared[Function]) -> tuple[_Quotient, ...]:
    """The divisions of a function, each with the name of the variable that is set to it, as it is or cast."""
    return _divisions.of(code.evaluator, host.node, lambda: tuple(_quotients_in(code, host)))


def _quotients_in(code: KernelCode, host: Declared[Function]) -> Iterator[_Quotient]:
    content, block = code.evaluator.facts.content_at(host.place), host.node.body
    if block is None or content is None or _DIVISION.search(content, block.start, block.end) is None:
        return
    names: dict[Node, str] = {}
    divisions: list[Binary] = []
    for node in code.reading.written(host.node):
        if isinstance(node, Binary):
            if node.operator == "/" and _is_one_number(node.left):
                divisions.append(node)
        elif isinstance(node, Variable) and len(node.arguments) == 1:
            value = node.arguments[0]
            while isinstance(value, Cast):
                value = value.operand
            names[value] = node.name
    place = Place(block, host.place)
    for each in divisions:
        yield _Quotient(names.get(each, ""), each.left, each.right, place, each.start, each.end)


def _reaches_end(code: KernelCode) -> bool:
    """Whether work-items may process more than one element each: a loop, or a choice of some of them, asks for ids."""
    return any(
        code.reading.mentions(body, each)
        for body in code.bodies
        for each in (
            *(spot.node.condition for spot in body.of(Loop) if spot.node.condition is not None),
            *(spot.node for spot in body.operations(_CHOOSING)),
        )
    )


def _sets_so_many(code: KernelCode, count: int) -> bool:
    """Whether a loop of ``count`` turns sets elements that begin ``count`` apart for consecutive work-items."""
    for body in code.bodies:
        indexing = Indexing(code, body)
        targets = [(spot.node.left, spot.place) for spot in body.of(Assign)]
        targets += [(spot.node.operand, spot.place) for spot in body.of(Increment)]
        for target, place in targets:
            if not isinstance(target, Index) or len(target.indices) != 1:
                continue
            total = indexing.of(target.indices[0], place) or {}
            ids = [factor for each, factor in total.items() if isinstance(each, Axis)]
            turns = [(each.loop, factor) for each, factor in total.items() if isinstance(each, Counter)]
            if len(ids) != 1 or known(ids[0]) != count or len(turns) != 1 or not same(turns[0][1], ONE):
                continue
            counter = counted(turns[0][0])
            if counter is not None and trips(counter, code.evaluator, place) == count:
                return True
    return False


def _may_be_any(code: KernelCode, quotient: _Quotient, size: Value) -> bool:
    """Whether the dividend may leave a rest: the size of a container may, which is not a number that was computed."""
    whole = _value(code, quotient.dividend, quotient.place)
    return _may_leave_rest(whole, size) or (isinstance(whole, Unknown) and isinstance(quotient.dividend, Call))


def _asks_for_ids(code: KernelCode) -> bool:
    """Whether the kernel chooses elements by ids that count all work-items, or by both that they are made of."""
    asked = {
        spot.node.function.name
        for body in code.bodies
        for spot in body.of(Call)
        if isinstance(spot.node.function, Member)
    }
    own = {"get_local_id", "get_local_linear_id"}
    of_group = {"get_group", "get_group_id", "get_group_linear_id"}
    return bool(asked & {"get_global_id", "get_global_linear_id"} or (asked & own and asked & of_group))


def _record(code: KernelCode, quotient: _Quotient, used: Location, *, is_launch: bool) -> DroppedRemainder:
    file = code.evaluator.facts.file_at(quotient.place)

    def written(expression: Expr) -> str:
        start, end = getattr(expression, "start", 0), getattr(expression, "end", 0)
        return _spelled(expression) or file.content[start:end].decode(errors="replace")

    number = known(_value(code, quotient.divisor, quotient.place))
    divisor = str(number) if number is not None else written(quotient.divisor)
    division = file.location(quotient.start, quotient.end)
    return DroppedRemainder(division, written(quotient.dividend), divisor, used, is_launch)


def _value(code: KernelCode, expression: Expr, place: Place) -> Value:
    return code.reading.value(expression, place, code.evaluator.frame)


def _axis(indexing: Indexing, of: Expr, place: Place) -> Axis | None:
    """The id that ``of`` is, but for a number added to it."""
    total = indexing.of(of, place) or {}
    axes = [(each, factor) for each, factor in total.items() if each is not None]
    if len(axes) != 1:
        return None
    (axis, factor) = axes[0]
    return axis if isinstance(axis, Axis) and same(factor, ONE) else None


def _quotient(code: KernelCode, body: DeviceFunction, name: str) -> _Quotient | None:
    """The division that the one variable of a name holds all its life, in the kernel or around it."""
    if name in body.spots.assigned:
        return None
    inside = [spot for spot in body.of(Variable) if spot.node.name == name]
    if len(inside) == 1:
        return _divided(code, inside[0].node, inside[0].place)
    return None if inside or isinstance(body.function, Function) else _captured(code, name)


def _captured(code: KernelCode, name: str) -> _Quotient | None:
    """The variable of the function around the kernel, when that has one of the name and sets it once."""
    function = _host(code)
    if function is None or function.node.body is None or isinstance(code.function, Function):
        return None
    held = code.reading.written(function.node)
    variables = [each for each in held if isinstance(each, Variable) and each.name == name]
    if len(variables) != 1 or name in code.reading.set_in(function.node):
        return None
    return _divided(code, variables[0], Place(function.node.body, function.place))


def _host(code: KernelCode) -> Declared[Function] | None:
    """The outermost function around a launch."""
    found = None
    for place in (code.submitted or code.place).within():
        if isinstance(place.node, Function) and place.node is not code.function:
            found = Declared(place.node, place)
    return found


def _divided(code: KernelCode, variable: Variable, place: Place) -> _Quotient | None:
    if len(variable.arguments) != 1 or variable.type.pointers:
        return None
    value = variable.arguments[0]
    while isinstance(value, Cast):
        value = value.operand
    match value:
        case Binary(operator="/", left=left, right=right) if _is_one_number(left):
            return _Quotient(variable.name, left, right, place, value.start, value.end)
        case Call(function=Name()):
            return _by_function(code, variable.name, value, place)
        case _:
            return None


def _by_function(code: KernelCode, name: str, call: Call, place: Place) -> _Quotient | None:
    """``share_of(n, parts)`` where the only function of the name does nothing but divide its parameters."""
    assert isinstance(call.function, Name)
    found = code.evaluator.facts.functions.get(call.function.text)
    if len(found) != 1 or found[0].node.body is None or len(found[0].node.parameters) != len(call.arguments):
        return None
    handed = {each.name: argument for each, argument in zip(found[0].node.parameters, call.arguments, strict=True)}
    match found[0].node.body.statements:
        case (Return(value=Binary(operator="/", left=Name(text=left), right=Name(text=right))),):
            if left in handed and right in handed and _is_one_number(handed[left]):
                return _Quotient(name, handed[left], handed[right], place, call.start, call.end)
        case _:
            pass
    return None


def _is_one_number(dividend: Expr) -> bool:
    """Whether it is a name, a member or what a method gives: no sum, which may have been rounded up."""
    match dividend:
        case Name() | Member():
            return True
        case Call(function=Member(name="size"), arguments=()):
            return True
        case _:
            return False


def _is_dropped(code: KernelCode, quotient: _Quotient, axis: Axis) -> bool:
    """Whether there are as many shares as the division makes, a loop runs over one, and nothing asks for the rest."""
    whole, by = (_value(code, each, quotient.place) for each in (quotient.dividend, quotient.divisor))
    if not _is_number_of(code, quotient.divisor, by, axis) or not _may_leave_rest(whole, by):
        return False
    return not _asks_for_rest(code, quotient) and not _is_multiple_on_ways(code, quotient, by)


def _is_number_of(code: KernelCode, divisor: Expr, value: Value, axis: Axis) -> bool:
    """Whether there are as many ids as a divisor says."""
    match divisor:
        case Call(function=Member(name=name)) if name in RANGES:
            return RANGES[name] == axis.of.value
        case _:
            number, divided = _workers(code, axis), symbolic(value)
            return number is not None and divided is not None and number.terms == divided.terms


def _may_leave_rest(whole: Value, by: Value) -> bool:
    """Whether nothing says that the dividend is a multiple, or made of a product or a rounded number."""
    number = known(by)
    match whole:
        case Known(value=dividend):
            return number is not None and number != 0 and dividend % number != 0
        case Symbolic(terms=(term,)):
            plain = len(term.atoms) == 1 and not (term.atoms[0].dividend or term.atoms[0].division)
            return plain and term.factor == 1 and not (number and whole.multiple_of % number == 0)
        case _:
            return False


def _is_multiple_on_ways(code: KernelCode, quotient: _Quotient, by: Value) -> bool:
    """Whether the visible calls give the dividend, and each a multiple."""
    if isinstance(_value(code, quotient.dividend, quotient.place), Known):
        return False
    given = [each for way in code.on_ways(quotient.dividend, quotient.place) for each in tuple(possible(way)) or (way,)]
    return bool(given) and all(isinstance(each, Known) and not _may_leave_rest(each, by) for each in given)


def _run_over(body: DeviceFunction) -> frozenset[str]:
    """The names in conditions of loops, and those that variables in them are computed from."""
    conditions = [spot.node.condition for spot in body.of(Loop)]
    names = {name for each in conditions if each is not None for name in _names(each)}
    for spot in reversed(body.of(Variable)) if names else ():
        if spot.node.name in names:
            names.update(name for each in spot.node.arguments for name in _names(each))
    return frozenset(names)


def _asks_for_rest(code: KernelCode, quotient: _Quotient) -> bool:
    """Whether the kernel uses the dividend outside the division, or the host computes the rest, or where it begins."""
    dividend = _spelled(quotient.dividend)
    if dividend is None or any(
        dividend in _outside_divisions(each.function.body) for each in code.bodies if each.function.body is not None
    ):
        return True
    return _asks_host_for_rest(code, quotient, is_launch=False)


def _asks_host_for_rest(code: KernelCode, quotient: _Quotient, *, is_launch: bool) -> bool:
    dividend, divisor, host = _spelled(quotient.dividend), _spelled(quotient.divisor), _host(code)
    if dividend is None or host is None:
        return True
    for node in (each for each in code.reading.written(host.node) if isinstance(each, Binary)):
        if node.operator != "/" and not (is_launch and _is_in_kernel(code, node)):
            names = set(_outside_divisions(node))
            if node.operator in ("%", "-") and dividend in names:
                return True
            if node.operator == "*" and not is_launch and quotient.name in names and divisor in names:
                return True
    return False


def _outside_divisions(expression: Node) -> Iterator[str]:
    """The names and members in an expression outside divisions, as they are written."""
    stack: list[Node] = [expression]
    while stack:
        node = stack.pop()
        if isinstance(node, Name | Member | Call) and (text := _spelled(node)) is not None:
            yield text
        if not _is_division(node):
            stack.extend(children(node))


def _is_division(node: Node) -> bool:
    """A quotient, or a call that may be one of its arguments: what it makes of them is looked at there."""
    return (isinstance(node, Binary) and node.operator == "/") or (
        isinstance(node, Call) and isinstance(node.function, Name) and not node.function.qualifier
    )


def _names(expression: Node) -> Iterator[str]:
    return (each.text for each in walk(expression) if isinstance(each, Name))


def _spelled(expression: Expr) -> str | None:
    match expression:
        case Call(function=Member(object=inner, name=name), arguments=()):
            outer = spelled(inner)
            return None if outer is None else f"{outer}.{name}()"
        case _:
            return spelled(expression)


def _workers(code: KernelCode, axis: Axis) -> Symbolic | None:
    """How many ids there are."""
    geometry, dimension = code.geometry, axis.dimension
    if dimension is None:
        return None
    indices = Indices(geometry.dims, geometry.whole, geometry.local, geometry.sub_group_size)
    extent = indices.extent(axis.of.value, dimension) if axis.of in (Of.GLOBAL, Of.LOCAL, Of.GROUP) else None
    return symbolic(extent) if extent is not None else None
