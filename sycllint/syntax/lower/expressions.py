"""Operators, calls and initialiser lists."""

from collections.abc import Callable, Mapping
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
    Number,
    Opaque,
    SizeOf,
    Unary,
)
from sycllint.cpp.precedence import ALTERNATIVE_TOKENS, PRECEDENCE
from sycllint.record import replace
from sycllint.syntax import fields
from sycllint.syntax.kinds import kinds
from sycllint.syntax.lower.misread import misread_argument
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
_NUMBER = kinds("number_literal")
_SIGNED = _NUMBER | kinds("pointer_expression", "unary_expression")
_TYPE_NAME = kinds("type_identifier")
_TEMPLATE_FUNCTION = kinds("template_function")
_ABSTRACT_POINTER = kinds("abstract_pointer_declarator", "abstract_reference_declarator")
_ABSTRACT_FUNCTION = kinds("abstract_function_declarator")
_ELLIPSIS = kinds("...")
_NEW_DECLARATOR = kinds("new_declarator")
_COMPARISON = PRECEDENCE["<"]


class _Symbols(dict[str, str]):
    """Operators as symbols, one object for each, also where they are written as words."""

    def __missing__(self, token: str) -> str:
        found = self[token] = ALTERNATIVE_TOKENS.get(token) or intern(token)
        return found


_SYMBOLS = _Symbols()
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
    symbol = _SYMBOLS[operator.type] if operator is not None else ","
    first, second = walk.expression(left), walk.expression(right)
    start, end = OFFSETS[node.start_byte + walk.shift], OFFSETS[node.end_byte + walk.shift]
    if isinstance(first, Binary) or isinstance(second, Binary):
        is_open = (_is_open(first, left), _is_open(second, right))
        return _regrouped(symbol, first, second, (start, end), is_open=is_open)
    return Binary(symbol, first, second, start, end)


def _is_open(expression: Expr, node: Node) -> bool:
    """Whether what ``node`` is lowered to is an operation without parentheses around it."""
    return isinstance(expression, Binary) and node.kind_id not in _PARENTHESIZED


def _regrouped(operator: str, left: Expr, right: Expr, span: tuple[int, int], *, is_open: tuple[bool, bool]) -> Binary:
    """``left operator right`` by precedence, which the grammar breaks around what it takes for a cast.

    ``is_open``: whether each side is an operation without parentheses around it.
    """
    start, end = span
    level = PRECEDENCE.get(operator, 0)
    if is_open[0] and isinstance(left, Binary) and PRECEDENCE.get(left.operator, level) < level:
        inner, is_bare = left.right, left.right.end == left.end
        begin = inner.start - (not is_bare)
        second = _regrouped(operator, inner, right, (begin, end), is_open=(is_bare, is_open[1]))
        return _regrouped(left.operator, left.left, second, span, is_open=(False, True))
    if is_open[1] and isinstance(right, Binary) and PRECEDENCE.get(right.operator, level + 1) <= level:
        inner, is_bare = right.left, right.left.start == right.start
        behind = inner.end + (not is_bare)
        first = _regrouped(operator, left, inner, (start, behind), is_open=(is_open[0], is_bare))
        return Binary(right.operator, first, right.right, start, end)
    return Binary(operator, left, right, start, end)


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
    if function.kind_id in _TEMPLATE_FUNCTION and arguments is not None:
        comparisons = _comparisons(walk, node, function, arguments)
        if comparisons is not None:
            return comparisons
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


def _comparisons(walk: Walk, node: Node, function: Node, arguments: Node) -> Expr | None:
    """``i < 0 || i > (n - 1)`` where the grammar sees a call of a template; ``f<a || b>(n)`` is one."""
    name, listed = function.child_by_field_id(fields.NAME), function.child_by_field_id(fields.ARGUMENTS)
    if name is None or listed is None or listed.named_child_count != 1 or arguments.named_child_count != 1:
        return None
    given = listed.named_children[0]
    operator = given.child_by_field_id(fields.OPERATOR) if given.kind_id in _BINARY else None
    if operator is None or PRECEDENCE.get(_SYMBOLS[operator.type], _COMPARISON) >= _COMPARISON:
        return None
    first = given
    while first.kind_id in _BINARY and (left := first.child_by_field_id(fields.LEFT)) is not None:
        first = left
    is_spaced = name.end_byte < listed.start_byte < first.start_byte - 1 and listed.end_byte < arguments.start_byte
    if not is_spaced and first.kind_id not in _NUMBER:
        return None
    start, end = OFFSETS[node.start_byte + walk.shift], OFFSETS[node.end_byte + walk.shift]
    middle = OFFSETS[listed.end_byte - 1 + walk.shift]
    under = _regrouped("<", walk.expression(name), walk.expression(given), (start, middle), is_open=(False, True))
    return _regrouped(">", under, walk.inside(arguments)[0], (start, end), is_open=(True, False))


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
        _SYMBOLS[operator.type] if operator is not None else "=",
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
    symbol = _SYMBOLS[operator.type] if operator is not None else ""
    return _prefixed(walk, node, fields.ARGUMENT, lambda operand, start, end: Unary(symbol, operand, start, end))


def _prefixed(walk: Walk, node: Node, field: int, made: Callable[[Expr, int, int], Expr]) -> Expr:
    """What ``made`` makes of the operand in a field: of the first one where that is an operation taken for a cast."""
    inside = node.child_by_field_id(field)
    operand = walk.expression(inside) if inside is not None else walk.nothing(node)
    start, end = OFFSETS[node.start_byte + walk.shift], OFFSETS[node.end_byte + walk.shift]
    if not isinstance(operand, Binary) or inside is None or inside.kind_id in _PARENTHESIZED:
        return made(operand, start, end)
    around: list[Binary] = []
    first: Expr = operand
    while isinstance(first, Binary) and (not around or first.start == around[-1].start):
        around.append(first)
        first = first.left
    result = made(first, start, first.end + (first.start > operand.start))
    for each in reversed(around):
        result = replace(each, left=result, start=start)
    return result


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
    operation = _operation(walk, node, descriptor)
    if operation is not None:
        return operation
    kind = as_type(walk.expression(descriptor))
    return _prefixed(walk, node, fields.VALUE, lambda operand, start, end: Cast(kind, operand, start, end))


def _operation(walk: Walk, node: Node, descriptor: Node) -> Expr | None:
    """``(a) + b``, ``(a) * b``, ``(f(a)) && b``: where these are part of longer operations, the grammar sees casts."""
    value = node.child_by_field_id(fields.VALUE)
    if value is None or value.kind_id not in _SIGNED or not _may_be_operand(descriptor):
        return None
    first = misread_argument(walk, descriptor)
    start, end = span = OFFSETS[node.start_byte + walk.shift], OFFSETS[node.end_byte + walk.shift]
    if value.kind_id in _NUMBER:
        number = walk.expression(value)
        if not isinstance(number, Number) or number.text[0] not in "+-":
            return None
        unsigned = replace(number, text=number.text[1:], start=number.start + 1)
        return Binary(number.text[0], first, unsigned, start, end)
    operator, operand = value.child_by_field_id(fields.OPERATOR), value.child_by_field_id(fields.ARGUMENT)
    if operator is None or operand is None or operator.type not in PRECEDENCE:
        return None
    symbol = operator.type
    second = operand.child_by_field_id(fields.OPERATOR) if operand.kind_id in _SIGNED else None
    if second is not None and second.type == symbol == "&" and second.start_byte == operator.end_byte:
        symbol, operand = "&&", operand.child_by_field_id(fields.ARGUMENT) or operand
    right = walk.expression(operand)
    return _regrouped(intern(symbol), first, right, span, is_open=(False, _is_open(right, operand)))


def _may_be_operand(descriptor: Node) -> bool:
    """Whether the type of a cast is a plain name, which is one in short operations only, or no type to cast to."""
    kind, declarator = descriptor.child_by_field_id(fields.TYPE), descriptor.child_by_field_id(fields.DECLARATOR)
    if kind is None or descriptor.named_child_count != 1 + (declarator is not None):
        return False
    if declarator is None:
        return kind.kind_id in _TYPE_NAME
    if declarator.kind_id in _ABSTRACT_POINTER:
        declarator = first_inside(declarator)
    return declarator is not None and declarator.kind_id in _ABSTRACT_FUNCTION and declarator.named_child_count == 1


def _sizeof(walk: Walk, node: Node) -> Expr:
    operator = "sizeof" if node.kind_id in _SIZEOF else "alignof"
    if any(each.kind_id in _ELLIPSIS for each in node.children):
        operator = "sizeof..."
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
