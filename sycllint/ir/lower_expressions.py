"""Expressions to instructions: one step for each class of ``cpp.expression``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sycllint.cpp.expression import (
    Assign,
    Binary,
    Brace,
    Call,
    Cast,
    Character,
    Conditional,
    Expr,
    Increment,
    Index,
    Lambda,
    Member,
    Name,
    New,
    Number,
    Opaque,
    SizeOf,
    Text,
    Type,
    Unary,
)
from sycllint.cpp.node import Node
from sycllint.cpp.place import Place
from sycllint.cpp.statement import If
from sycllint.ir import ops
from sycllint.ir.body import Body, last_name
from sycllint.ir.builder import PLACE, VALUE, Builder, Step, end
from sycllint.ir.expand import called, is_captured, local, name, rest, spread
from sycllint.ir.ops import NONE

UNEVALUATED = frozenset({"typeid", "noexcept", "decltype", "__builtin_constant_p"})
"""Operators that look like a call and do not evaluate their operand."""
_INERT = frozenset({"parameter_pack_expansion", "fold_expression", "more elements", "missing", "parameter"})
"""Nodes without an effect other than those of the expressions inside."""


def _constant(builder: Builder, node: Expr, _: int) -> None:
    builder.push(ops.CONST, NONE, NONE, NONE, node)


def _count(builder: Builder, arguments: Sequence[Expr]) -> int:
    """The number of values of the expressions in a list."""
    extra = [len(each) - 1 for argument in arguments if (each := rest(builder, argument)) is not None]
    return len(arguments) + sum(extra)


def _each(builder: Builder, arguments: Sequence[Expr]) -> None:
    """Lower the expressions of a list."""
    for argument in reversed(arguments):
        if rest(builder, argument) is None:
            builder.lower(argument)
        else:
            builder.then(spread, argument)


# -------------------------------------------------------------------- operators


def _unary(builder: Builder, node: Unary, mode: int) -> None:
    match node.operator:
        case "*":
            builder.then(_dereferenced, node, mode)
            builder.lower(node.operand)
        case "&":
            slot = local(builder, node.operand)
            if slot != NONE:
                builder.push(ops.ADDR_LOCAL, slot, NONE, NONE, node)
            else:
                builder.then(_addressed, node)
                builder.lower(node.operand, PLACE)
        case _:
            builder.then(_negated, node)
            builder.lower(node.operand)


def _dereferenced(builder: Builder, node: Unary, mode: int) -> None:
    _place(builder, builder.emit(ops.DEREF, builder.values.pop(), NONE, NONE, node), node, mode)


def _place(builder: Builder, place: int, node: Node, mode: int) -> None:
    """Leave a place, or what is stored there."""
    builder.values.append(place)
    if mode == VALUE:
        builder.push(ops.READ, builder.values.pop(), NONE, NONE, node)


def _addressed(builder: Builder, node: Unary, _: int) -> None:
    builder.push(ops.ADDR, builder.values.pop(), NONE, NONE, node)


def _negated(builder: Builder, node: Unary, _: int) -> None:
    builder.push(ops.UNARY, builder.values.pop(), NONE, builder.number(node.operator), node)


def _binary(builder: Builder, node: Binary, _: int) -> None:
    operator = node.operator
    if operator in ("&&", "||"):
        builder.then(_left_asked, node)
    elif operator == ",":
        builder.then(_left_dropped, node)
    else:
        builder.then(_combined, node)
        builder.lower(node.right)
    builder.lower(node.left)


def _combined(builder: Builder, node: Binary, _: int) -> None:
    right = builder.values.pop()
    builder.push(ops.BINARY, builder.values.pop(), right, builder.number(node.operator), node)


def _left_dropped(builder: Builder, node: Binary, _: int) -> None:
    builder.emit(ops.DROP, builder.values.pop(), NONE, NONE, node)
    builder.lower(node.right)


def _left_asked(builder: Builder, node: Binary, _: int) -> None:
    condition = builder.values[-1]
    if node.operator == "||":
        condition = builder.emit(ops.UNARY, condition, NONE, builder.number("!"), node)
    begin = builder.emit(ops.IF, condition, NONE, NONE, node)
    builder.then(_combined, node)
    builder.then(end, node, begin)
    builder.lower(node.right)


def _conditional(builder: Builder, node: Conditional, mode: int) -> None:
    builder.then(_asked, node, mode)
    builder.lower(node.condition)


def _asked(builder: Builder, node: Conditional, mode: int) -> None:
    begin = builder.emit(ops.IF, builder.values.pop(), NONE, NONE, node)
    builder.then(_selected, node)
    builder.then(end, node, begin)
    builder.lower(node.otherwise, mode)
    builder.then(otherwise, node, begin)
    builder.lower(node.then, mode)


def otherwise(builder: Builder, node: Conditional | If, begin: int) -> None:
    """The step for the beginning of the second arm."""
    builder.body.b[begin] = builder.emit(ops.ELSE, begin, NONE, NONE, node)


def _selected(builder: Builder, node: Conditional, _: int) -> None:
    second = builder.values.pop()
    builder.push(ops.SELECT, builder.values.pop(), second, NONE, node)


def _cast(builder: Builder, node: Cast, _: int) -> None:
    builder.then(_converted, node)
    builder.lower(node.operand)


def _converted(builder: Builder, node: Cast, _: int) -> None:
    builder.push(ops.CAST, builder.values.pop(), NONE, NONE, node)


# ------------------------------------------------------------- places, changes


def _index(builder: Builder, node: Index, mode: int) -> None:
    builder.then(_element, node, mode)
    _each(builder, node.indices)
    builder.lower(node.object, PLACE)


def _element(builder: Builder, node: Index, mode: int) -> None:
    indices = builder.taken(_count(builder, node.indices))
    base = builder.values.pop()
    first = indices[0] if indices else NONE
    several = builder.list(indices) if len(indices) > 1 else NONE
    _place(builder, builder.emit(ops.ELEM, base, first, several, node), node, mode)


def _member(builder: Builder, node: Member, mode: int) -> None:
    builder.then(_field, node, mode)
    builder.lower(node.object, PLACE)


def _field(builder: Builder, node: Member, mode: int) -> None:
    number = builder.number(builder.substituted(node.name))
    _place(builder, builder.emit(ops.FIELD, builder.values.pop(), NONE, number, node), node, mode)


def _assign(builder: Builder, node: Assign, _: int) -> None:
    """The right side comes first (C++17, [expr.ass])."""
    slot = local(builder, node.left)
    if slot != NONE:
        builder.then(_stored, node, slot)
    else:
        builder.then(_written, node)
        builder.lower(node.left, PLACE)
    builder.lower(node.right)


def _stored(builder: Builder, node: Assign, slot: int) -> None:
    value = builder.values[-1]
    if node.operator != "=":
        value = _changed(builder, node, slot, value, node.operator[:-1])
        builder.values[-1] = value
    builder.emit(ops.STORE, slot, value, NONE, node)


def _changed(builder: Builder, node: Node, slot: int, value: int, operator: str) -> int:
    before = builder.emit(ops.LOAD, slot, NONE, NONE, node)
    return builder.emit(ops.BINARY, before, value, builder.number(operator), node)


def _written(builder: Builder, node: Assign, _: int) -> None:
    place = builder.values.pop()
    value = builder.values[-1]
    if node.operator == "=":
        builder.emit(ops.WRITE, place, value, NONE, node)
    else:
        builder.values[-1] = builder.emit(ops.UPDATE, place, value, builder.number(node.operator), node)


def _increment(builder: Builder, node: Increment, _: int) -> None:
    slot = local(builder, node.operand)
    if slot == NONE:
        builder.then(_updated, node)
        builder.lower(node.operand, PLACE)
        return
    before = builder.emit(ops.LOAD, slot, NONE, NONE, node)
    after = builder.emit(ops.UNARY, before, NONE, builder.number(node.operator), node)
    builder.emit(ops.STORE, slot, after, NONE, node)
    builder.values.append(after if node.prefix else before)


def _updated(builder: Builder, node: Increment, _: int) -> None:
    builder.push(ops.UPDATE, builder.values.pop(), NONE, builder.number(node.operator), node)


# ------------------------------------------------------------ calls and objects


def _call(builder: Builder, node: Call, _: int) -> None:
    function = called(builder, node)
    if function is None:
        return
    builder.callees.append(function)
    arguments = () if isinstance(function, Name) and function.text in UNEVALUATED else node.arguments
    builder.then(_called, node, _count(builder, arguments))
    _each(builder, arguments)
    if isinstance(function, Name):
        builder.values.append(_held(builder, function))
    elif isinstance(function, Member) and function is node.function:
        builder.lower(function.object, PLACE)
    else:
        builder.lower(node.function)


def _held(builder: Builder, function: Name) -> int:
    """The value of a called variable; ``NONE`` where the name is not that of a variable in a function."""
    slot = builder.scope.get(function.text, NONE)
    if slot != NONE:
        return builder.emit(ops.LOAD, slot, NONE, NONE, function)
    if is_captured(builder, function.text):
        return builder.emit(ops.CAPTURE, NONE, NONE, builder.number(function.text), function)
    return NONE


def _called(builder: Builder, node: Call, count: int) -> None:
    arguments = builder.taken(count)
    callee = builder.callees.pop()
    named = last_name(callee)
    number = builder.number(builder.substituted(named)) if named else NONE
    position = builder.emit(ops.CALL, builder.values.pop(), number, builder.list(arguments), node)
    builder.values.append(position)
    if isinstance(callee, Name) and callee is not node.function:
        builder.body.renamed[position] = Call(callee, node.arguments, node.start, node.end)


def _brace(builder: Builder, node: Brace, _: int) -> None:
    construct(builder, node, node.elements)


def _constructed(builder: Builder, node: Node, count: int) -> None:
    builder.push(ops.CONSTRUCT, NONE, NONE, builder.list(builder.taken(count)), node)


def construct(builder: Builder, node: Node, arguments: Sequence[Expr]) -> None:
    """Lower an object that is made of ``arguments``."""
    builder.then(_constructed, node, _count(builder, arguments))
    _each(builder, arguments)


def _new(builder: Builder, node: New, _: int) -> None:
    extents = [each for each in node.type.extents if each is not None]
    builder.then(_allocated, node, len(node.placement) + len(node.arguments) + len(extents))
    builder.each((*node.placement, *node.arguments, *extents))


def _allocated(builder: Builder, node: New, count: int) -> None:
    values = builder.taken(count)
    place = values[0] if node.placement else NONE
    builder.push(ops.NEW, place, NONE, builder.list(values[1:] if node.placement else values), node)


def _lambda(builder: Builder, node: Lambda, _: int) -> None:
    made = [each.value for each in node.captures if each.value is not None]
    builder.then(_closed_over, node, len(made))
    builder.each(made)


def _closed_over(builder: Builder, node: Lambda, count: int) -> None:
    """A closure; its body is lowered after this one, and knows the variables around it."""
    outer = builder.body
    body = Body(node, Place(node, builder.place))
    body.around = {**outer.around, **{name: outer.locals[slot] for name, slot in builder.scope.items()}}
    builder.push(ops.LAMBDA, NONE, builder.list(builder.taken(count)), len(outer.lambdas), node)
    outer.lambdas.append(body)


def _opaque(builder: Builder, node: Opaque, _: int) -> None:
    if "asm" in node.kind:
        builder.push(ops.UNSEEN, ops.ANYTHING, NONE, ops.ASSEMBLER, node)
        return
    builder.then(_deleted if node.kind == "delete_expression" else _unseen, node, len(node.parts))
    builder.each(node.parts)


def _deleted(builder: Builder, node: Opaque, count: int) -> None:
    builder.push(ops.DELETE, NONE, NONE, builder.list(builder.taken(count)), node)


def _unseen(builder: Builder, node: Opaque, count: int) -> None:
    builder.taken(count)
    builder.push(ops.UNSEEN, 0 if node.kind in _INERT else ops.ANYTHING, NONE, ops.SYNTAX, node)


EXPRESSIONS: Mapping[type[Node], Step] = {
    Assign: _assign,
    Binary: _binary,
    Brace: _brace,
    Call: _call,
    Cast: _cast,
    Character: _constant,
    Conditional: _conditional,
    Increment: _increment,
    Index: _index,
    Lambda: _lambda,
    Member: _member,
    Name: name,
    New: _new,
    Number: _constant,
    Opaque: _opaque,
    SizeOf: _constant,
    Text: _constant,
    Type: _constant,
    Unary: _unary,
}
"""The step for each class."""
