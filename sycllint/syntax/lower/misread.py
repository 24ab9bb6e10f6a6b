"""Variables that the grammar takes for functions: ``range<1> local (n);`` and their initialisers."""

from collections.abc import Mapping
from sys import intern

from tree_sitter import Node

from sycllint.cpp.expression import Binary, Call, Expr, Index, Name, Opaque, SizeOf
from sycllint.syntax import fields
from sycllint.syntax.kinds import kinds
from sycllint.syntax.lower.offsets import OFFSETS
from sycllint.syntax.lower.types import BUILTIN_NODES, call_or_cast, function_parameters
from sycllint.syntax.lower.walk import COMMENT, LowerExpression, Walk

_OPERATORS = kinds(
    "pointer_declarator", "reference_declarator", "abstract_pointer_declarator", "abstract_reference_declarator"
)
_OF_FUNCTIONS = kinds("type_qualifier", "noexcept", "trailing_return_type")
_QUALIFIER = kinds("type_qualifier")
_ABSTRACT_FUNCTION = kinds("abstract_function_declarator")
_ABSTRACT_ARRAY = kinds("abstract_array_declarator")
_PARENTHESIZED = kinds("parenthesized_declarator", "abstract_parenthesized_declarator")
_PARAMETER = kinds("parameter_declaration")
_PLACEHOLDER = kinds("placeholder_type_specifier")
_IDENTIFIER = kinds("identifier")
_OF_CALLS = kinds("abstract_function_declarator", "parenthesized_declarator")


def misread_argument(walk: Walk, node: Node) -> Expr:
    """A "parameter" of a misread variable, or "type" of a cast: ``range<1>(n)``, ``b * c``, ``d & e``, ``f[3]``."""
    named = node.child_by_field_id(fields.TYPE)
    if named is None:
        return walk.opaque(node)
    base = walk.expression(named)
    declarator = node.child_by_field_id(fields.DECLARATOR)
    start, end = OFFSETS[node.start_byte + walk.shift], OFFSETS[node.end_byte + walk.shift]
    if declarator is None:
        return base
    kind = declarator.kind_id
    if kind in _ABSTRACT_FUNCTION:
        inner = declarator.child_by_field_id(fields.DECLARATOR)
        if inner is None:
            return call_or_cast(walk, base, declarator, node)
    elif kind in _OPERATORS:
        inside = [each for each in declarator.named_children if each.kind_id not in _QUALIFIER]
        if len(inside) == 1:
            return Binary(intern(declarator.children[0].type), base, walk.expression(inside[0]), start, end)
    elif kind in _ABSTRACT_ARRAY:
        size = declarator.child_by_field_id(fields.SIZE)
        if size is not None:
            return Index(base, (walk.expression(size),), start, end)
    elif kind in _PARENTHESIZED:
        return Call(base, walk.inside(declarator), start, end)
    return Opaque("parameter", (base,), start, end)


def _misread_call(walk: Walk, node: Node) -> Expr:
    """The right side of ``n * f(x)`` or ``n * sizeof(T)``, where the grammar sees a pointer to a function."""
    named = node.child_by_field_id(fields.DECLARATOR)
    listed = node.child_by_field_id(fields.PARAMETERS)
    if named is None or listed is None:
        return walk.opaque(node)
    operator = walk.string(named)
    if operator not in ("sizeof", "alignof"):
        return call_or_cast(walk, walk.expression(named), node, node)
    parameters = listed.named_children
    if len(parameters) != 1 or parameters[0].kind_id not in _PARAMETER:
        return walk.opaque(node)
    (entry,) = parameters
    kind = entry.child_by_field_id(fields.TYPE)
    plain = kind is not None and entry.child_by_field_id(fields.DECLARATOR) is None
    operand = walk.expression(kind) if kind is not None and plain else function_parameters(walk, listed)[0].type
    return SizeOf(operator, operand, OFFSETS[node.start_byte + walk.shift], OFFSETS[node.end_byte + walk.shift])


def _misread_element(walk: Walk, node: Node) -> Expr:
    """The right side of ``n * a[3]``, where the grammar sees a pointer to an array."""
    named = node.child_by_field_id(fields.DECLARATOR)
    size = node.child_by_field_id(fields.SIZE)
    if named is None or size is None:
        return walk.opaque(node)
    start, end = OFFSETS[node.start_byte + walk.shift], OFFSETS[node.end_byte + walk.shift]
    return Index(walk.expression(named), (walk.expression(size),), start, end)


def _misread_group(walk: Walk, node: Node) -> Expr:
    """The right side of ``n * (b * c)``, where the grammar sees a pointer to a function without a name."""
    listed = node.child_by_field_id(fields.PARAMETERS)
    entries = listed.named_children if listed is not None else []
    if len(entries) != 1 or entries[0].kind_id not in _PARAMETER or len(node.named_children) != 1:
        return walk.opaque(node)
    return misread_argument(walk, entries[0])


def is_variable(function: Node, kind: Name, local: bool) -> bool:
    """Whether ``T name(a, b);`` declares a variable: it does when no "parameter" is surely one.

    ``function`` is the function declarator, ``kind`` is ``T``. Outside functions (``local`` is false), where prototypes
    stand, only the ranges of SYCL are taken for variables.
    """
    listed = function.child_by_field_id(fields.PARAMETERS)
    if listed is None:
        return False
    entries = [each for each in listed.named_children if each.kind_id not in COMMENT]
    if not entries or kind.text in ("", "void", "auto"):
        return False
    if any(child.kind_id in _OF_FUNCTIONS for child in function.named_children):
        return False
    if not local and kind.last not in ("range", "nd_range", "id"):
        return False
    return all(_may_be_argument(entry) for entry in entries)


def _may_be_argument(entry: Node) -> bool:
    if entry.kind_id not in _PARAMETER:
        return False
    kind = entry.child_by_field_id(fields.TYPE)
    declarator = entry.child_by_field_id(fields.DECLARATOR)
    if kind is None or kind.kind_id in _PLACEHOLDER:
        return False
    if any(child.kind_id in _QUALIFIER for child in entry.children):
        return False
    builtin = kind.kind_id in BUILTIN_NODES
    if declarator is None:
        return not builtin
    if declarator.kind_id in _IDENTIFIER:
        return False
    return not builtin or declarator.kind_id in _OF_CALLS


EXPRESSIONS: Mapping[str, LowerExpression] = {
    "parameter_declaration": misread_argument,
    "optional_parameter_declaration": misread_argument,
    "abstract_function_declarator": _misread_group,
    "function_declarator": _misread_call,
    "array_declarator": _misread_element,
}
"""Functions by the node types they lower."""
