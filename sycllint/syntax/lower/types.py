"""Types, declarators and parameters."""

from collections.abc import Mapping
from dataclasses import replace

from tree_sitter import Node

from sycllint.cpp.expression import Call, Cast, Expr, Name, Type
from sycllint.cpp.statement import CONST, CONSTEXPR, EXTERN, STATIC, VOLATILE, Parameter, TemplateParameter
from sycllint.syntax.lower.walk import LowerExpression, Walk

_FLAGS = {
    "const": CONST,
    "constexpr": CONSTEXPR | CONST,
    "constinit": 0,
    "consteval": CONSTEXPR,
    "static": STATIC,
    "extern": EXTERN,
    "volatile": VOLATILE,
}
_TEXTUAL_TYPES = frozenset({"primitive_type", "sized_type_specifier", "placeholder_type_specifier", "auto", "decltype"})
_DECLARATORS = frozenset(
    {
        "identifier",
        "field_identifier",
        "type_identifier",
        "init_declarator",
        "pointer_declarator",
        "reference_declarator",
        "array_declarator",
        "function_declarator",
        "parenthesized_declarator",
        "structured_binding_declarator",
        "qualified_identifier",
        "bitfield_clause",
        "attributed_declarator",
        "operator_name",
        "destructor_name",
        "template_function",
        "variadic_declarator",
    }
)
_PARAMETERS = frozenset({"parameter_declaration", "optional_parameter_declaration", "variadic_parameter_declaration"})
_BUILTIN_TYPES = frozenset(
    {
        *("bool", "char", "short", "int", "long", "float", "double", "signed", "unsigned", "uint"),
        *("size_t", "ssize_t", "ptrdiff_t", "int8_t", "uint8_t", "int16_t", "uint16_t"),
        *("int32_t", "uint32_t", "int64_t", "uint64_t"),
    }
)
BUILTIN_NODES = frozenset({"primitive_type", "sized_type_specifier"})
"""Types of node that are builtin types."""


def plain_type(name: Name) -> Type:
    """The type ``name`` without declarators."""
    return Type(name, 0, False, False, (), name.start, name.end)


def as_type(expression: Expr) -> Type:
    """The type that ``expression`` names; a type without a name when it names none."""
    if isinstance(expression, Type):
        return expression
    if isinstance(expression, Name):
        return plain_type(expression)
    return plain_type(Name("", None, None, expression.start, expression.end))


def type_of(walk: Walk, node: Node) -> tuple[Type, int]:
    """The type that a declaration-like node starts with, and its storage flags."""
    flags = 0
    for child in node.children:
        kind = child.type
        if kind in ("type_qualifier", "storage_class_specifier"):
            flags |= _FLAGS.get(walk.string(child), 0)
    named = walk.child(node, "type")
    if named is None:
        start = node.start_byte + walk.shift
        return Type(Name("", None, None, start, start), 0, False, bool(flags & CONST), (), start, start), flags
    base = as_type(walk.expression(named))
    return (replace(base, constant=True) if flags & CONST else base), flags


def _type_descriptor(walk: Walk, node: Node) -> Expr:
    named = walk.child(node, "type")
    if named is None:
        return walk.opaque(node)
    base = walk.expression(named)
    declarator = walk.child(node, "declarator")
    constant = any(each.type == "type_qualifier" and walk.string(each) == "const" for each in node.named_children)
    if declarator is None and not constant:
        if named.type in _TEXTUAL_TYPES and isinstance(base, Name):
            return plain_type(base)
        return base
    kind = as_type(base)
    if constant:
        kind = replace(kind, constant=True)
    if declarator is not None:
        if declarator.type == "abstract_function_declarator":
            return call_or_cast(walk, base, declarator, node)
        kind = unwrap(walk, kind, declarator)[0]
    return replace(kind, start=node.start_byte + walk.shift, end=node.end_byte + walk.shift)


def call_or_cast(walk: Walk, function: Expr, declarator: Node, node: Node) -> Expr:
    """``T(a, b)`` that the grammar takes for a function type."""
    listed = walk.child(declarator, "parameters")
    arguments = walk.expressions(listed.named_children) if listed is not None else ()
    start, end = node.start_byte + walk.shift, node.end_byte + walk.shift
    if isinstance(function, Name) and len(arguments) == 1 and function.text in _BUILTIN_TYPES:
        return Cast(plain_type(function), arguments[0], start, end)
    return Call(function, arguments, start, end)


def unwrap(walk: Walk, kind: Type, declarator: Node) -> tuple[Type, Node | None, Node | None]:
    """Unwrap a declarator: the full type, the node of the name, and a function declarator if there is one."""
    pointers, reference = kind.pointers, kind.reference
    extents: list[Expr | None] = []
    function: Node | None = None
    node: Node | None = declarator
    name: Node | None = None
    while node is not None:
        shape = node.type
        if shape in ("identifier", "field_identifier"):
            name = node
            break
        if shape in ("pointer_declarator", "abstract_pointer_declarator"):
            pointers += 1
            node = walk.child(node, "declarator")
        elif shape in ("reference_declarator", "abstract_reference_declarator"):
            reference = True
            node = next((each for each in node.named_children if each.type != "type_qualifier"), None)
        elif shape in ("array_declarator", "abstract_array_declarator"):
            size = walk.child(node, "size")
            extents.append(walk.expression(size) if size is not None else None)
            node = walk.child(node, "declarator")
        elif shape in ("function_declarator", "abstract_function_declarator"):
            function = node
            node = walk.child(node, "declarator")
        elif shape in ("parenthesized_declarator", "attributed_declarator", "variadic_declarator"):
            node = next((each for each in node.named_children if each.type in _DECLARATORS), None)
        else:
            name = node
            break
    extents.reverse()
    full = Type(kind.name, pointers, reference, kind.constant, (*extents, *kind.extents), kind.start, kind.end)
    return full, name, function


def function_parameters(walk: Walk, node: Node) -> tuple[Parameter, ...]:
    """The parameters in a function's or a lambda's parameter list."""
    return tuple([_parameter(walk, entry) for entry in node.named_children if entry.type in _PARAMETERS])


def _parameter(walk: Walk, entry: Node) -> Parameter:
    kind, name, default = _typed(walk, entry)
    place = name if name is not None else entry
    text = walk.string(name) if name is not None else ""
    return Parameter(text, kind, default, place.start_byte + walk.shift, place.end_byte + walk.shift)


def _typed(walk: Walk, entry: Node) -> tuple[Type, Node | None, Expr | None]:
    """Type, name and default value of a parameter."""
    kind, _ = type_of(walk, entry)
    name: Node | None = None
    declarator = walk.child(entry, "declarator")
    if declarator is not None:
        kind, name, _function = unwrap(walk, kind, declarator)
    default = walk.child(entry, "default_value")
    return kind, name, walk.expression(default) if default is not None else None


def template_parameters(walk: Walk, node: Node) -> tuple[TemplateParameter, ...]:
    """The parameters in a template parameter list."""
    return tuple([_template_parameter(walk, entry) for entry in node.named_children if entry.type != "comment"])


def _template_parameter(walk: Walk, entry: Node) -> TemplateParameter:
    start, end = entry.start_byte + walk.shift, entry.end_byte + walk.shift
    if entry.type in _PARAMETERS:
        kind, name, value = _typed(walk, entry)
        return TemplateParameter(walk.string(name) if name is not None else "", kind, value, start, end)
    named = walk.child(entry, "name")
    if named is None:
        named = next((each for each in entry.named_children if each.type == "type_identifier"), None)
    default = walk.child(entry, "default_type")
    value = walk.expression(default) if default is not None else None
    return TemplateParameter(walk.string(named) if named is not None else "", None, value, start, end)


EXPRESSIONS: Mapping[str, LowerExpression] = {
    "type_descriptor": _type_descriptor,
}
"""Functions by the node types they lower."""
