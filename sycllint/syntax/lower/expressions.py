"""Operators, calls and initialiser lists."""

from collections.abc import Mapping
from sys import intern

from tree_sitter import Node

from sycllint.cpp.expression import (
    Assign,
    Binary,
    Brace,
    Call,
    Cast,
    Conditional,
    Expr,
    Increment,
    Index,
    Member,
    Name,
    New,
    Opaque,
    SizeOf,
    Unary,
)
from sycllint.record import replace
from sycllint.syntax import fields
from sycllint.syntax.kinds import kinds
from sycllint.syntax.lower.names import builtin_name
from sycllint.syntax.lower.offsets import OFFSETS
from sycllint.syntax.lower.types import BUILTIN_NODES, as_type, plain_type
from sycllint.syntax.lower.walk import LowerExpression, Walk, first_inside

# Longer initialiser lists are tables of data; their first elements are kept.
MAX_ELEMENTS = 256

_SIZEOF = kinds("sizeof_expression")
_ERROR = kinds("ERROR")
_PARENTHESIZED = kinds("parenthesized_expression")
_BINARY = kinds("binary_expression")
_ELLIPSIS = kinds("...")
_NEW_DECLARATOR = kinds("new_declarator")
_CASTS = frozenset({"static_cast", "reinterpret_cast", "const_cast", "dynamic_cast"})


def _is_torn(node: Node) -> bool:
    """Whether text between the operands does not parse, so that they are not the operands which the program has."""
    return node.has_error and any(each.kind_id in _ERROR for each in node.children)


def _only_child(walk: Walk, node: Node) -> Expr:
    if _is_torn(node):
        return walk.opaque(node)
    inside = first_inside(node)
    return walk.expression(inside) if inside is not None else walk.nothing(node)


def _condition_value(walk: Walk, node: Node) -> Expr:
    return walk.required(node, fields.VALUE)


def _binary(walk: Walk, node: Node) -> Expr:
    left = node.child_by_field_id(fields.LEFT)
    right = node.child_by_field_id(fields.RIGHT)
    if left is None or right is None or _is_torn(node):
        return walk.opaque(node)
    operator = node.child_by_field_id(fields.OPERATOR)
    if right.kind_id in _PARENTHESIZED and left.kind_id in _BINARY and operator is not None:
        call = _call_of_template(walk, node, left, operator, right)
        if call is not None:
            return call
    return Binary(
        intern(operator.type) if operator is not None else ",",
        walk.expression(left),
        walk.expression(right),
        OFFSETS[node.start_byte + walk.shift],
        OFFSETS[node.end_byte + walk.shift],
    )


def _call_of_template(walk: Walk, node: Node, left: Node, closing: Node, right: Node) -> Expr | None:
    """``a.f<16>(x)`` where the grammar sees two comparisons, which are never written without a space."""
    of, value = left.child_by_field_id(fields.LEFT), left.child_by_field_id(fields.RIGHT)
    opening = left.child_by_field_id(fields.OPERATOR)
    if of is None or value is None or opening is None or (opening.type, closing.type) != ("<", ">"):
        return None
    if of.end_byte != opening.start_byte or closing.end_byte != right.start_byte:
        return None
    callee = walk.expression(of)
    if not isinstance(callee, Member | Name) or callee.arguments:
        return None
    start, end = OFFSETS[node.start_byte + walk.shift], OFFSETS[node.end_byte + walk.shift]
    walk.note_call(callee.name if isinstance(callee, Member) else callee.last, node, start, end)
    values = list(walk.inside(right))
    while values and isinstance(last := values[-1], Binary) and last.operator == ",":
        values[-1:] = [last.left, last.right]
    return Call(replace(callee, arguments=(walk.expression(value),)), tuple(values), start, end)


def _call(walk: Walk, node: Node) -> Expr:
    function = node.child_by_field_id(fields.FUNCTION)
    arguments = node.child_by_field_id(fields.ARGUMENTS)
    if function is None:
        return walk.opaque(node)
    start, end = OFFSETS[node.start_byte + walk.shift], OFFSETS[node.end_byte + walk.shift]
    values = walk.inside(arguments) if arguments is not None else ()
    if len(values) == 1 and function.kind_id in BUILTIN_NODES:
        return Cast(plain_type(builtin_name(walk, function)), values[0], start, end)
    callee = walk.expression(function)
    if isinstance(callee, Name):
        if callee.arguments and len(values) == 1 and callee.text in _CASTS:
            return Cast(as_type(callee.arguments[0]), values[0], start, end)
        walk.note_call(callee.last, node, start, end)
    elif isinstance(callee, Member):
        walk.note_call(callee.name, node, start, end)
    elif isinstance(callee, Call | Brace):
        walk.note_call("operator()", node, start, end)
    return Call(callee, values, start, end)


def _member(walk: Walk, node: Node) -> Expr:
    field = node.child_by_field_id(fields.FIELD)
    if field is None:
        return walk.opaque(node)
    start, end = OFFSETS[field.start_byte + walk.shift], OFFSETS[field.end_byte + walk.shift]
    name = walk.expression(field)
    whole = walk.required(node, fields.ARGUMENT)
    if not isinstance(name, Name):
        return Opaque(
            node.type, (whole, name), OFFSETS[node.start_byte + walk.shift], OFFSETS[node.end_byte + walk.shift]
        )
    return Member(whole, name.text, name.arguments, start, end)


def _index(walk: Walk, node: Node) -> Expr:
    indices = node.child_by_field_id(fields.INDICES)
    return Index(
        walk.required(node, fields.ARGUMENT),
        walk.inside(indices) if indices is not None else (),
        OFFSETS[node.start_byte + walk.shift],
        OFFSETS[node.end_byte + walk.shift],
    )


def _assign(walk: Walk, node: Node) -> Expr:
    operator = node.child_by_field_id(fields.OPERATOR)
    return Assign(
        intern(operator.type) if operator is not None else "=",
        walk.required(node, fields.LEFT),
        walk.opaque(node) if _is_torn(node) else walk.required(node, fields.RIGHT),
        OFFSETS[node.start_byte + walk.shift],
        OFFSETS[node.end_byte + walk.shift],
    )


def _increment(walk: Walk, node: Node) -> Expr:
    operator = node.child_by_field_id(fields.OPERATOR)
    operand = node.child_by_field_id(fields.ARGUMENT)
    if operator is None or operand is None:
        return walk.opaque(node)
    start, end = OFFSETS[node.start_byte + walk.shift], OFFSETS[node.end_byte + walk.shift]
    is_prefix = operator.start_byte < operand.start_byte
    return Increment(intern(operator.type), walk.expression(operand), is_prefix, start, end)


def _unary(walk: Walk, node: Node) -> Expr:
    if _is_torn(node):
        return walk.opaque(node)
    operator = node.child_by_field_id(fields.OPERATOR)
    return Unary(
        intern(operator.type) if operator is not None else "",
        walk.required(node, fields.ARGUMENT),
        OFFSETS[node.start_byte + walk.shift],
        OFFSETS[node.end_byte + walk.shift],
    )


def _conditional(walk: Walk, node: Node) -> Expr:
    if _is_torn(node):
        return walk.opaque(node)
    return Conditional(
        walk.required(node, fields.CONDITION),
        walk.required(node, fields.CONSEQUENCE),
        walk.required(node, fields.ALTERNATIVE),
        OFFSETS[node.start_byte + walk.shift],
        OFFSETS[node.end_byte + walk.shift],
    )


def _cast(walk: Walk, node: Node) -> Expr:
    descriptor = node.child_by_field_id(fields.TYPE)
    if descriptor is None:
        return walk.opaque(node)
    start, end = OFFSETS[node.start_byte + walk.shift], OFFSETS[node.end_byte + walk.shift]
    return Cast(as_type(walk.expression(descriptor)), walk.required(node, fields.VALUE), start, end)


def _sizeof(walk: Walk, node: Node) -> Expr:
    operator = "sizeof" if node.kind_id in _SIZEOF else "alignof"
    if any(each.kind_id in _ELLIPSIS for each in node.children):
        return SizeOf(operator, None, OFFSETS[node.start_byte + walk.shift], OFFSETS[node.end_byte + walk.shift])
    operand = node.child_by_field_id(fields.TYPE) or node.child_by_field_id(fields.VALUE)
    start, end = OFFSETS[node.start_byte + walk.shift], OFFSETS[node.end_byte + walk.shift]
    return SizeOf(operator, walk.expression(operand) if operand is not None else None, start, end)


def _new(walk: Walk, node: Node) -> Expr:
    descriptor = node.child_by_field_id(fields.TYPE)
    if descriptor is None:
        return walk.opaque(node)
    extents: list[Expr | None] = []
    declarator = node.child_by_field_id(fields.DECLARATOR)
    while declarator is not None and declarator.kind_id in _NEW_DECLARATOR:
        length = declarator.child_by_field_id(fields.LENGTH)
        extents.append(walk.expression(length) if length is not None else None)
        declarator = next((each for each in declarator.named_children if each.kind_id in _NEW_DECLARATOR), None)
    arguments = node.child_by_field_id(fields.ARGUMENTS)
    placement = node.child_by_field_id(fields.PLACEMENT)
    kind = as_type(walk.expression(descriptor))
    return New(
        replace(kind, extents=tuple(extents)),
        walk.inside(arguments) if arguments is not None else (),
        walk.inside(placement) if placement is not None else (),
        OFFSETS[node.start_byte + walk.shift],
        OFFSETS[node.end_byte + walk.shift],
    )


def brace(walk: Walk, node: Node) -> Brace:
    """A bare initialiser list."""
    elements = node.named_children
    kept = walk.expressions(elements[:MAX_ELEMENTS])
    start, end = OFFSETS[node.start_byte + walk.shift], OFFSETS[node.end_byte + walk.shift]
    if len(elements) > MAX_ELEMENTS:
        kept += (Opaque("more elements", (), end, end),)
    return Brace(None, kept, start, end)


def _compound_literal(walk: Walk, node: Node) -> Expr:
    kind = node.child_by_field_id(fields.TYPE)
    value = node.child_by_field_id(fields.VALUE)
    start, end = OFFSETS[node.start_byte + walk.shift], OFFSETS[node.end_byte + walk.shift]
    elements = walk.expression(value) if value is not None else None
    return Brace(
        walk.expression(kind) if kind is not None and kind.end_byte > kind.start_byte else None,
        elements.elements if isinstance(elements, Brace) else (),
        start,
        end,
    )


EXPRESSIONS: Mapping[str, LowerExpression] = {
    "dependent_name": _only_child,
    "dependent_type": _only_child,
    "parenthesized_expression": _only_child,
    "condition_clause": _condition_value,
    "binary_expression": _binary,
    "comma_expression": _binary,
    "call_expression": _call,
    "field_expression": _member,
    "subscript_expression": _index,
    "assignment_expression": _assign,
    "update_expression": _increment,
    "unary_expression": _unary,
    "pointer_expression": _unary,
    "conditional_expression": _conditional,
    "cast_expression": _cast,
    "sizeof_expression": _sizeof,
    "alignof_expression": _sizeof,
    "new_expression": _new,
    "initializer_list": brace,
    "compound_literal_expression": _compound_literal,
}
"""Functions by the node types they lower."""
