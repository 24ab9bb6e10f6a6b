"""Names and literals: the leaves of expressions."""

from collections.abc import Mapping
from sys import intern

from tree_sitter import Node

from sycllint.cpp.expression import Character, Expr, Name, Number, Opaque, Text
from sycllint.record import replace
from sycllint.syntax import fields
from sycllint.syntax.kinds import kinds
from sycllint.syntax.lower.offsets import OFFSETS
from sycllint.syntax.lower.walk import LowerExpression, Walk

_WORD = kinds("namespace_identifier", "identifier", "type_identifier")


def builtin_name(walk: Walk, node: Node) -> Name:
    """A name of several words: ``unsigned int``."""
    return Name(
        walk.squeezed(node), None, None, OFFSETS[node.start_byte + walk.shift], OFFSETS[node.end_byte + walk.shift]
    )


def _operator_name(walk: Walk, node: Node) -> Name:
    """``operator()``, however many blanks are in it; ``operator new``."""
    symbol = walk.squeezed(node).removeprefix("operator").strip()
    text = f"operator {symbol}" if symbol[:1].isalpha() else f"operator{symbol.replace(' ', '')}"
    return Name(text, None, None, OFFSETS[node.start_byte + walk.shift], OFFSETS[node.end_byte + walk.shift])


def _qualified(walk: Walk, node: Node) -> Expr:
    scope = node.child_by_field_id(fields.SCOPE)
    name = node.child_by_field_id(fields.NAME)
    if name is None:
        return walk.opaque(node)
    start, end = OFFSETS[node.start_byte + walk.shift], OFFSETS[node.end_byte + walk.shift]
    if scope is not None and scope.kind_id in _WORD and name.kind_id in _WORD:
        return Name(intern(f"{walk.string(scope)}::{walk.string(name)}"), None, None, start, end)
    inner = walk.expression(name)
    if not isinstance(inner, Name):
        return inner
    # ::name, without a scope, is of the global namespace.
    qualifier = ""
    if scope is not None:
        outer = walk.expression(scope)
        if not isinstance(outer, Name):
            return replace(inner, start=start)
        if outer.arguments is not None or outer.scope is not None:
            return Name(inner.text, inner.arguments, _within(outer, inner.scope), start, end)
        qualifier = outer.text
    if inner.scope is not None:
        # a::B<1>::c nests to the right: the qualifier belongs to the innermost scope.
        return Name(inner.text, inner.arguments, _qualify(qualifier, inner.scope), start, end)
    return Name(intern(f"{qualifier}::{inner.text}"), inner.arguments, None, start, end)


def _template_name(walk: Walk, node: Node) -> Expr:
    name = node.child_by_field_id(fields.NAME)
    if name is None:
        return walk.opaque(node)
    inner = walk.expression(name)
    start, end = OFFSETS[node.start_byte + walk.shift], OFFSETS[node.end_byte + walk.shift]
    if not isinstance(inner, Name):
        return inner
    return Name(inner.text, _template_arguments(walk, node), inner.scope, start, end)


def _template_arguments(walk: Walk, node: Node) -> tuple[Expr, ...]:
    arguments = node.child_by_field_id(fields.ARGUMENTS)
    return () if arguments is None else walk.inside(arguments)


def _elaborated(walk: Walk, node: Node) -> Expr:
    name = node.child_by_field_id(fields.NAME)
    if name is not None:
        return walk.expression(name)
    return Opaque(node.type, (), OFFSETS[node.start_byte + walk.shift], OFFSETS[node.end_byte + walk.shift])


def _number(walk: Walk, node: Node) -> Expr:
    return Number(walk.string(node), OFFSETS[node.start_byte + walk.shift], OFFSETS[node.end_byte + walk.shift])


def _text(walk: Walk, node: Node) -> Expr:
    return Text(walk.string(node), OFFSETS[node.start_byte + walk.shift], OFFSETS[node.end_byte + walk.shift])


def _character(walk: Walk, node: Node) -> Expr:
    return Character(walk.string(node), OFFSETS[node.start_byte + walk.shift], OFFSETS[node.end_byte + walk.shift])


def _qualify(qualifier: str, name: Name) -> Name:
    if name.scope is not None:
        return replace(name, scope=_qualify(qualifier, name.scope))
    return replace(name, text=f"{qualifier}::{name.text}")


def _within(outer: Name, scope: Name | None) -> Name:
    """``scope`` inside a class with template arguments."""
    return outer if scope is None else replace(scope, scope=_within(outer, scope.scope))


EXPRESSIONS: Mapping[str, LowerExpression] = {
    "sized_type_specifier": builtin_name,
    "placeholder_type_specifier": builtin_name,
    "decltype": builtin_name,
    "operator_name": _operator_name,
    "destructor_name": builtin_name,
    "qualified_identifier": _qualified,
    "template_function": _template_name,
    "template_type": _template_name,
    "template_method": _template_name,
    "class_specifier": _elaborated,
    "struct_specifier": _elaborated,
    "enum_specifier": _elaborated,
    "number_literal": _number,
    "string_literal": _text,
    "raw_string_literal": _text,
    "concatenated_string": _text,
    "char_literal": _character,
}
"""Functions by the node types they lower."""
