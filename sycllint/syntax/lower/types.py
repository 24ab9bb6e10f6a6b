"""Types, declarators and parameters."""

from collections.abc import Mapping

from tree_sitter import Node

from sycllint.cpp.expression import Brace, Call, Cast, Expr, Name, Type
from sycllint.cpp.statement import (
    CONST,
    CONSTEXPR,
    EXTERN,
    STATIC,
    THREAD_LOCAL,
    VIRTUAL,
    VOLATILE,
    FunctionParameter,
    TemplateParameter,
)
from sycllint.syntax import fields
from sycllint.syntax.kinds import kinds
from sycllint.syntax.lower.offsets import OFFSETS
from sycllint.syntax.lower.walk import COMMENT, LowerExpression, Walk, first_inside
from sycllint.syntax.normalize import EMPTY_LIST

_FLAGS = {
    "const": CONST,
    "constexpr": CONSTEXPR | CONST,
    "constinit": 0,
    "consteval": CONSTEXPR,
    "static": STATIC,
    "extern": EXTERN,
    "volatile": VOLATILE,
    "thread_local": THREAD_LOCAL,
    "virtual": VIRTUAL,
}
_TEXTUAL_TYPES = kinds("primitive_type", "sized_type_specifier", "placeholder_type_specifier", "auto", "decltype")
_DECLARATORS = kinds(
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
)
_PARAMETERS = kinds("parameter_declaration", "optional_parameter_declaration", "variadic_parameter_declaration")
_VARIADIC = kinds("variadic_parameter_declaration")
_VARIADIC_TYPE = kinds("variadic_type_parameter_declaration")
_ELLIPSIS = kinds("...")
_VARIADIC_TYPE = kinds("variadic_type_parameter_declaration")
_OF_TEMPLATES = kinds("template_template_parameter_declaration")
_TRAILING = kinds("trailing_return_type")
_QUALIFIER = kinds("type_qualifier")
_SPECIFIERS = kinds("type_qualifier", "storage_class_specifier", "virtual")
_TYPE_NAME = kinds("type_identifier")
_NAME = kinds("identifier", "field_identifier")
_POINTER = kinds("pointer_declarator", "abstract_pointer_declarator")
_REFERENCE = kinds("reference_declarator", "abstract_reference_declarator")
_ARRAY = kinds("array_declarator", "abstract_array_declarator")
_FUNCTION = kinds("function_declarator", "abstract_function_declarator")
_ABSTRACT_FUNCTION = kinds("abstract_function_declarator")
_AROUND = kinds("parenthesized_declarator", "attributed_declarator", "variadic_declarator")
_BUILTIN_TYPES = frozenset(
    {
        *("bool", "char", "short", "int", "long", "float", "double", "signed", "unsigned", "uint"),
        *("size_t", "ssize_t", "ptrdiff_t", "int8_t", "uint8_t", "int16_t", "uint16_t"),
        *("int32_t", "uint32_t", "int64_t", "uint64_t"),
    }
)
BUILTIN_NODES = kinds("primitive_type", "sized_type_specifier")
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


def _constant(kind: Type) -> Type:
    return Type(kind.name, kind.pointers, kind.reference, True, kind.extents, kind.start, kind.end)


def type_of(walk: Walk, node: Node) -> tuple[Type, int]:
    """The type that a declaration-like node starts with, and its storage flags."""
    flags = 0
    for child in node.children:
        if child.kind_id in _SPECIFIERS:
            flags |= _FLAGS.get(walk.string(child), 0)
    named = node.child_by_field_id(fields.TYPE)
    if named is None:
        start = OFFSETS[node.start_byte + walk.shift]
        return Type(Name("", None, None, start, start), 0, False, bool(flags & CONST), (), start, start), flags
    base = walk.expression(named)
    if isinstance(base, Name):
        return Type(base, 0, False, bool(flags & CONST), (), base.start, base.end), flags
    kind = as_type(base)
    return (_constant(kind) if flags & CONST else kind), flags


def _type_descriptor(walk: Walk, node: Node) -> Expr:
    named = node.child_by_field_id(fields.TYPE)
    if named is None:
        return walk.opaque(node)
    base = walk.expression(named)
    declarator: Node | None = None
    constant = False
    if node.named_child_count > 1:
        declarator = node.child_by_field_id(fields.DECLARATOR)
        constant = any(each.kind_id in _QUALIFIER and walk.string(each) == "const" for each in node.named_children)
    if declarator is None and not constant:
        if named.kind_id in _TEXTUAL_TYPES and isinstance(base, Name):
            return plain_type(base)
        return base
    kind = as_type(base)
    if constant:
        kind = _constant(kind)
    if declarator is not None:
        if declarator.kind_id in _ABSTRACT_FUNCTION:
            return call_or_cast(walk, base, declarator, node)
        kind = unwrap(walk, kind, declarator)[0]
    start, end = OFFSETS[node.start_byte + walk.shift], OFFSETS[node.end_byte + walk.shift]
    return Type(kind.name, kind.pointers, kind.reference, kind.constant, kind.extents, start, end)


def trailing_type(walk: Walk, declarator: Node) -> Type | None:
    """``T`` of ``(parameters) -> T``."""
    for child in declarator.named_children:
        if child.kind_id in _TRAILING:
            inside = first_inside(child)
            return as_type(walk.expression(inside)) if inside is not None else None
    return None


def call_or_cast(walk: Walk, function: Expr, declarator: Node, node: Node) -> Expr:
    """``T(a, b)`` that the grammar takes for a function type."""
    listed = declarator.child_by_field_id(fields.PARAMETERS)
    arguments = walk.inside(listed) if listed is not None else ()
    start, end = OFFSETS[node.start_byte + walk.shift], OFFSETS[node.end_byte + walk.shift]
    if isinstance(function, Name) and len(arguments) == 1 and function.text in _BUILTIN_TYPES:
        return Cast(plain_type(function), arguments[0], start, end)
    return Call(function, arguments, start, end)


def unwrap(walk: Walk, kind: Type, declarator: Node) -> tuple[Type, Node | None, Node | None]:
    """Unwrap a declarator: the full type, the node of the name, and a function declarator if there is one."""
    shape = declarator.kind_id
    if shape in _NAME:
        return kind, declarator, None
    pointers, reference = kind.pointers, kind.reference
    extents: list[Expr | None] = []
    function: Node | None = None
    node: Node | None = declarator
    name: Node | None = None
    while node is not None:
        shape = node.kind_id
        if shape in _NAME:
            name = node
            break
        if shape in _POINTER:
            pointers += 1
            # A pointer to a function is a variable.
            function = None
            node = node.child_by_field_id(fields.DECLARATOR)
        elif shape in _REFERENCE:
            reference = True
            node = next((each for each in node.named_children if each.kind_id not in _QUALIFIER), None)
        elif shape in _ARRAY:
            size = node.child_by_field_id(fields.SIZE)
            extents.append(walk.expression(size) if size is not None else None)
            node = node.child_by_field_id(fields.DECLARATOR)
        elif shape in _FUNCTION:
            function = node
            node = node.child_by_field_id(fields.DECLARATOR)
        elif shape in _AROUND:
            node = next((each for each in node.named_children if each.kind_id in _DECLARATORS), None)
        else:
            name = node
            break
    extents.reverse()
    full = Type(kind.name, pointers, reference, kind.constant, (*extents, *kind.extents), kind.start, kind.end)
    return full, name, function


def function_parameters(walk: Walk, node: Node) -> tuple[FunctionParameter, ...]:
    """The parameters in a function's or a lambda's parameter list."""
    parameters = [_parameter(walk, entry) for entry in node.named_children if entry.kind_id in _PARAMETERS]
    rest = node.children[-2] if node.child_count > 2 else None
    if rest is not None and rest.kind_id in _ELLIPSIS:
        start, end = OFFSETS[rest.start_byte + walk.shift], OFFSETS[rest.end_byte + walk.shift]
        parameters.append(
            FunctionParameter("", plain_type(Name("...", None, None, start, end)), None, start, end, pack=True)
        )
    return () if len(parameters) == 1 and _is_nothing(parameters[0]) else tuple(parameters)


def _is_nothing(parameter: FunctionParameter) -> bool:
    """Whether a parameter is the ``void`` of ``f(void)``, which has none."""
    return not parameter.name and parameter.type.name.text == "void" and not parameter.type.pointers


def _parameter(walk: Walk, entry: Node) -> FunctionParameter:
    kind, name, default = _typed(walk, entry)
    place = name if name is not None else entry
    text = walk.string(name) if name is not None else ""
    pack = entry.kind_id in _VARIADIC
    return FunctionParameter(
        text, kind, default, OFFSETS[place.start_byte + walk.shift], OFFSETS[place.end_byte + walk.shift], pack
    )


def _typed(walk: Walk, entry: Node) -> tuple[Type, Node | None, Expr | None]:
    """Type, name and default value of a parameter."""
    kind, _ = type_of(walk, entry)
    name: Node | None = None
    declarator = entry.child_by_field_id(fields.DECLARATOR)
    if declarator is not None:
        kind, name, _function = unwrap(walk, kind, declarator)
    default = entry.child_by_field_id(fields.DEFAULT_VALUE)
    return kind, name, initial(walk, default) if default is not None else None


def initial(walk: Walk, node: Node) -> Expr:
    """What stands behind ``=`` in a declaration."""
    value = walk.expression(node)
    is_empty = isinstance(value, Name) and value.text == EMPTY_LIST
    return Brace(None, (), value.start, value.end) if is_empty else value


def template_parameters(walk: Walk, node: Node) -> tuple[TemplateParameter, ...]:
    """The parameters in a template parameter list."""
    return tuple([_template_parameter(walk, entry) for entry in node.named_children if entry.kind_id not in COMMENT])


def _template_parameter(walk: Walk, entry: Node) -> TemplateParameter:
    start, end = OFFSETS[entry.start_byte + walk.shift], OFFSETS[entry.end_byte + walk.shift]
    if entry.kind_id in _PARAMETERS:
        kind, name, value = _typed(walk, entry)
        pack = entry.kind_id in _VARIADIC
        return TemplateParameter(walk.string(name) if name is not None else "", kind, value, start, end, pack)
    if entry.kind_id in _OF_TEMPLATES:
        # ``template <int> class C``: what follows the inner list is like any other.
        return _template_parameter(walk, entry.named_children[-1])
    named = entry.child_by_field_id(fields.NAME)
    if named is None:
        named = next((each for each in entry.named_children if each.kind_id in _TYPE_NAME), None)
    default = entry.child_by_field_id(fields.DEFAULT_TYPE)
    value = walk.expression(default) if default is not None else None
    pack = entry.kind_id in _VARIADIC_TYPE
    return TemplateParameter(walk.string(named) if named is not None else "", None, value, start, end, pack)


EXPRESSIONS: Mapping[str, LowerExpression] = {
    "type_descriptor": _type_descriptor,
}
"""Functions by the node types they lower."""
