"""Variables that the grammar takes for functions: ``range<1> local (n);`` and their initialisers."""

from collections.abc import Mapping

from tree_sitter import Node

from sycllint.cpp.expression import Binary, Call, Expr, Index, Name, Opaque
from sycllint.syntax.lower.types import BUILTIN_NODES, call_or_cast
from sycllint.syntax.lower.walk import LowerExpression, Walk, child_of

_OPERATORS = {
    "pointer_declarator": "*",
    "reference_declarator": "&",
    "abstract_pointer_declarator": "*",
    "abstract_reference_declarator": "&",
}
_OF_FUNCTIONS = frozenset({"type_qualifier", "noexcept", "trailing_return_type"})


def _misread_argument(walk: Walk, node: Node) -> Expr:
    """A "parameter" of a misread variable: ``range<1>(n)``, ``b * c``, ``d & e``, ``f[3]``, ``N``."""
    named = walk.child(node, "type")
    if named is None:
        return walk.opaque(node)
    base = walk.expression(named)
    declarator = walk.child(node, "declarator")
    start, end = node.start_byte + walk.shift, node.end_byte + walk.shift
    if declarator is None:
        return base
    kind = declarator.type
    if kind == "abstract_function_declarator":
        inner = walk.child(declarator, "declarator")
        if inner is None:
            return call_or_cast(walk, base, declarator, node)
    elif kind in _OPERATORS:
        inside = [each for each in declarator.named_children if each.type != "type_qualifier"]
        if len(inside) == 1:
            return Binary(_OPERATORS[kind], base, walk.expression(inside[0]), start, end)
    elif kind == "abstract_array_declarator":
        size = walk.child(declarator, "size")
        if size is not None:
            return Index(base, (walk.expression(size),), start, end)
    elif kind in ("parenthesized_declarator", "abstract_parenthesized_declarator"):
        return Call(base, walk.expressions(declarator.named_children), start, end)
    return Opaque("parameter", (base,), start, end)


def is_variable(function: Node, kind: Name, local: bool) -> bool:
    """Whether ``T name(a, b);`` declares a variable: it does when no "parameter" is surely one.

    ``function`` is the function declarator, ``kind`` is ``T``. Outside functions (``local`` is false), where prototypes
    stand, only the ranges of SYCL are taken for variables.
    """
    listed = child_of(function, "parameters")
    if listed is None:
        return False
    entries = [each for each in listed.named_children if each.type != "comment"]
    if not entries or kind.text in ("", "void", "auto"):
        return False
    if any(child.type in _OF_FUNCTIONS for child in function.named_children):
        return False
    if not local and kind.last not in ("range", "nd_range", "id"):
        return False
    return all(_may_be_argument(entry) for entry in entries)


def _may_be_argument(entry: Node) -> bool:
    if entry.type != "parameter_declaration":
        return False
    kind = child_of(entry, "type")
    declarator = child_of(entry, "declarator")
    if kind is None or kind.type == "placeholder_type_specifier":
        return False
    if any(child.type == "type_qualifier" for child in entry.children):
        return False
    builtin = kind.type in BUILTIN_NODES
    if declarator is None:
        return not builtin
    if declarator.type == "identifier":
        return False
    return not builtin or declarator.type in ("abstract_function_declarator", "parenthesized_declarator")


EXPRESSIONS: Mapping[str, LowerExpression] = {
    "parameter_declaration": _misread_argument,
    "optional_parameter_declaration": _misread_argument,
}
"""Functions by the node types they lower."""
