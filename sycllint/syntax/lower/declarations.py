"""Variables, functions and templates."""

from collections.abc import Iterator, Mapping

from tree_sitter import Node

from sycllint.cpp.expression import Attribute, Expr, Name, Type
from sycllint.cpp.statement import (
    STATIC,
    Alias,
    Block,
    Damaged,
    Declaration,
    Forward,
    Friend,
    Function,
    FunctionParameter,
    Instantiation,
    Statement,
    Struct,
    TemplateParameter,
    Variable,
)
from sycllint.record import NamedTuple, replace
from sycllint.syntax import fields
from sycllint.syntax.kinds import kinds
from sycllint.syntax.lower.attributes import ATTRIBUTES, applied_macros, collect_attributes
from sycllint.syntax.lower.expressions import brace
from sycllint.syntax.lower.misread import is_variable
from sycllint.syntax.lower.offsets import OFFSETS
from sycllint.syntax.lower.types import (
    function_parameters,
    initial,
    plain_type,
    template_parameters,
    trailing_type,
    type_of,
    unwrap,
)
from sycllint.syntax.lower.walk import DEFINITIONS, LowerStatement, Walk


class _Head(NamedTuple):
    """What the declarators of one declaration share; ``attributes`` grows as they are met."""

    type: Type
    flags: int
    member: bool
    attributes: list[Attribute]


class _Initializer(NamedTuple):
    """How a variable is initialised, in the words of ``Variable``."""

    style: str
    arguments: tuple[Expr, ...]


_NOT_INITIALIZED = _Initializer("", ())

_EQUALS = kinds("=")
_FIELD_DECLARATION = kinds("field_declaration")
_INITIALIZED = kinds("init_declarator")
_ARGUMENTS = kinds("argument_list")
_BRACES = kinds("initializer_list")
_BINDINGS = kinds("structured_binding_declarator")
_IDENTIFIER = kinds("identifier")
_IDENTIFIERS = kinds("identifier", "field_identifier")
_CONVERSION = kinds("operator_cast")
_ATTRIBUTED = kinds("attributed_declarator")
_TRY = kinds("try_statement")
_TEMPLATE = kinds("template_declaration")
_COMPOUND = kinds("compound_statement")
_LAMBDA = kinds("lambda_expression")
_FUNCTIONS = kinds("function_definition", "lambda_expression")
_CONSTRUCTION = kinds("field_initializer_list")
_CONSTRUCTED = kinds("field_initializer")
_BEFORE_TEMPLATE = kinds("template_parameter_list", "comment", "requires_clause")


def declare(walk: Walk, node: Node, into: list[Statement]) -> None:
    """Append the variables, prototypes and the class or enumeration that a declaration declares."""
    named = node.child_by_field_id(fields.TYPE)
    base, flags = type_of(walk, node)
    declarators = node.children_by_field_id(fields.DECLARATOR)
    if named is not None and named.kind_id in DEFINITIONS and named.child_by_field_id(fields.BODY) is not None:
        first = len(into)
        walk.statement(named, into)
        defined = into[first] if first < len(into) else None
        if declarators and isinstance(defined, Struct) and not defined.name:
            base = replace(base, name=replace(base.name, text=f"(unnamed {defined.keyword} at {defined.start})"))
            into[first] = replace(defined, name=base.name.text)
    head = _Head(base, flags, node.kind_id in _FIELD_DECLARATION, [])
    variables: list[Variable] = []
    values = node.children_by_field_id(fields.DEFAULT_VALUE if head.member else fields.VALUE)
    assigned = False
    for child in node.children:
        if child in declarators:
            _declarator(walk, child, head, variables, into)
            assigned = False
        elif child in values:
            if variables:
                style, arguments = _initializer(walk, child, assigned)
                variables[-1] = replace(variables[-1], style=style, arguments=arguments)
        else:
            kind = child.kind_id
            if kind in _EQUALS:
                assigned = True
            elif kind in ATTRIBUTES:
                collect_attributes(walk, child, head.attributes)
    if variables:
        into.append(
            Declaration(tuple(variables), OFFSETS[node.start_byte + walk.shift], OFFSETS[node.end_byte + walk.shift])
        )


def _initializer(walk: Walk, value: Node, assigned: bool) -> _Initializer:
    kind = value.kind_id
    if kind in _ARGUMENTS:
        return _Initializer("(", walk.inside(value))
    if kind in _BRACES and not assigned:
        return _Initializer("{", brace(walk, value).elements)
    return _Initializer("=", (initial(walk, value),))


def _declarator(walk: Walk, declarator: Node, head: _Head, variables: list[Variable], into: list[Statement]) -> None:
    initializer = _NOT_INITIALIZED
    if declarator.kind_id in _INITIALIZED:
        parts = declarator.children
        if len(parts) == 3 and parts[1].kind_id in _EQUALS:
            initializer = _initializer(walk, parts[2], True)
            declarator = parts[0]
        else:
            inner = declarator.child_by_field_id(fields.DECLARATOR)
            value = declarator.child_by_field_id(fields.VALUE)
            if inner is None:
                return
            if value is not None:
                assigned = any(each.kind_id in _EQUALS for each in parts)
                initializer = _initializer(walk, value, assigned)
            declarator = inner
    full, name, function = unwrap(walk, head.type, declarator)
    if name is None:
        return
    if name.kind_id in _BINDINGS:
        variables.extend(_bindings(walk, name, full, head.flags, initializer.arguments))
        return
    if function is not None and initializer is _NOT_INITIALIZED:
        if head.member or not is_variable(function, head.type.name, walk.local):
            into.append(_prototype(walk, name, function, full, head))
            return
        initializer = _Initializer("(", _listed(walk, function))
    text = walk.string(name) if name.kind_id in _IDENTIFIERS else walk.squeezed(name)
    start, end = OFFSETS[name.start_byte + walk.shift], OFFSETS[name.end_byte + walk.shift]
    variables.append(Variable(text, full, *initializer, head.flags, tuple(head.attributes), start, end))


def _bindings(walk: Walk, node: Node, kind: Type, flags: int, arguments: tuple[Expr, ...]) -> Iterator[Variable]:
    for each in node.named_children:
        if each.kind_id in _IDENTIFIER:
            start, end = OFFSETS[each.start_byte + walk.shift], OFFSETS[each.end_byte + walk.shift]
            yield Variable(walk.string(each), kind, "[", arguments, flags, (), start, end)


def _listed(walk: Walk, function: Node) -> tuple[Expr, ...]:
    """The "parameters" of a misread variable, which are its arguments."""
    listed = function.child_by_field_id(fields.PARAMETERS)
    return walk.inside(listed) if listed is not None else ()


def _prototype(walk: Walk, name: Node, function: Node, returns: Type, head: _Head) -> Function:
    listed = function.child_by_field_id(fields.PARAMETERS)
    return Function(
        _function_name(walk, name),
        (),
        function_parameters(walk, listed) if listed is not None else (),
        returns,
        tuple(head.attributes),
        (),
        None,
        head.flags,
        False,
        OFFSETS[name.start_byte + walk.shift],
        OFFSETS[name.end_byte + walk.shift],
        OFFSETS[function.end_byte + walk.shift],
    )


def _function_name(walk: Walk, node: Node) -> str:
    if node.kind_id in _IDENTIFIERS:
        return walk.string(node)
    lowered = walk.expression(node)
    if isinstance(lowered, Name):
        if lowered.scope is not None:
            return f"{lowered.scope.text}::{lowered.text}"
        return lowered.text
    return walk.squeezed(node)


def _function(walk: Walk, node: Node, into: list[Statement]) -> None:
    body = node.child_by_field_id(fields.BODY)
    kind, flags = type_of(walk, node)
    attributes: list[Attribute] = []
    initializers: tuple[tuple[str, tuple[Expr, ...]], ...] = ()
    for child in node.named_children:
        if child.kind_id in _CONSTRUCTION:
            initializers += tuple(_field_initializers(walk, child))
        elif child.kind_id in ATTRIBUTES:
            collect_attributes(walk, child, attributes)
    name: Node | None = None
    function: Node | None = None
    declarator = node.child_by_field_id(fields.DECLARATOR)
    text = ""
    if declarator is not None and declarator.kind_id in _CONVERSION:
        kind, _ = type_of(walk, declarator)
        name, function = declarator, declarator.child_by_field_id(fields.DECLARATOR)
        text = f"operator {kind.name.last}"
    elif declarator is not None:
        kind, name, function = unwrap(walk, kind, declarator)
    parameters: tuple[FunctionParameter, ...] = ()
    if function is not None:
        for child in function.named_children:
            collect_attributes(walk, child, attributes)
        if declarator is not None and declarator.kind_id in _ATTRIBUTED:
            for child in declarator.named_children:
                collect_attributes(walk, child, attributes)
        listed = function.child_by_field_id(fields.PARAMETERS)
        parameters = function_parameters(walk, listed) if listed is not None else ()
        if kind.name.text == "auto":
            kind = trailing_type(walk, function) or kind
    if walk.applied:
        for each in (name, body):
            if each is not None:
                applied_macros(walk, each, attributes)
    if body is not None and body.kind_id in _TRY:
        body = body.child_by_field_id(fields.BODY)
    if name is None or function is None:
        block = walk.function_body(body) if body is not None else None
        # A macro call that looks like a function head (TEST_CASE("…") { … }): its body is still code.
        if block is not None:
            into.append(Damaged(block, OFFSETS[node.start_byte + walk.shift], OFFSETS[node.end_byte + walk.shift]))
        return
    is_nested = walk.local and _is_nested(walk, node)
    if is_nested:
        walk.holds_function = True
    into.append(
        Function(
            text or _function_name(walk, name),
            (),
            parameters,
            kind,
            tuple(attributes),
            initializers,
            walk.body_when_needed(body) if body is not None else None,
            flags,
            node.has_error or is_nested,
            OFFSETS[name.start_byte + walk.shift],
            OFFSETS[name.end_byte + walk.shift],
            OFFSETS[node.end_byte + walk.shift],
        )
    )


def _is_nested(walk: Walk, node: Node) -> bool:
    """Whether a function is defined among the statements of another, which C++ does not know.

    Between the braces of a macro, as of one that opens a namespace, it is.
    """
    around = node.parent
    if around is not None and around.kind_id in _TEMPLATE:
        around = around.parent
    if around is None or around.kind_id not in _COMPOUND:
        return False
    while around is not None and around.kind_id not in _FUNCTIONS:
        around = around.parent
    if around is None or around.kind_id in _LAMBDA:
        return around is not None
    kind, _ = type_of(walk, around)
    declarator = around.child_by_field_id(fields.DECLARATOR)
    return declarator is not None and unwrap(walk, kind, declarator)[2] is not None


def _field_initializers(walk: Walk, node: Node) -> Iterator[tuple[str, tuple[Expr, ...]]]:
    for entry in node.named_children:
        parts = entry.named_children
        if entry.kind_id in _CONSTRUCTED and len(parts) >= 2:
            yield walk.squeezed(parts[0]), walk.expressions(parts[-1].named_children)


def _template(walk: Walk, node: Node, into: list[Statement]) -> None:
    listed = node.child_by_field_id(fields.PARAMETERS)
    parameters = template_parameters(walk, listed) if listed is not None else ()
    first = len(into)
    child = node
    for each in node.named_children:
        if each.kind_id not in _BEFORE_TEMPLATE:
            child = each
            walk.statement(each, into)
    for position in range(first, len(into)):
        declared = into[position]
        if isinstance(declared, Function | Struct | Alias):
            into[position] = replace(declared, template_parameters=parameters + declared.template_parameters)
        elif isinstance(declared, Forward):
            into[position] = replace(declared, struct=replace(declared.struct, template_parameters=parameters))
        elif isinstance(declared, Friend):
            function = declared.function
            function = replace(function, template_parameters=parameters + function.template_parameters)
            into[position] = replace(declared, function=function)
        elif isinstance(declared, Declaration) and len(declared.variables) == 1:
            into[position] = _variable_template(walk, child, declared, parameters) or declared


def _variable_template(
    walk: Walk, node: Node, declared: Declaration, parameters: tuple[TemplateParameter, ...]
) -> Struct | None:
    """A constant that is a template, as a class with a member of its name: instances are chosen among alike.

    ``None`` for a variable, and for a member that is defined outside its class.
    """
    (variable,) = declared.variables
    declarator = node.child_by_field_id(fields.DECLARATOR)
    if declarator is None or not variable.type.constant or not variable.arguments:
        return None
    inner = declarator.child_by_field_id(fields.DECLARATOR) if declarator.kind_id in _INITIALIZED else declarator
    _, name, _ = unwrap(walk, variable.type, inner or declarator)
    lowered = walk.expression(name) if name is not None else None
    if not isinstance(lowered, Name) or lowered.scope is not None or "::" in lowered.text:
        return None
    start, end = declared.start, declared.end
    member = replace(variable, name=lowered.text, flags=variable.flags | STATIC)
    body = Block((Declaration((member,), start, end),), start, end)
    return Struct(lowered.text, "struct", parameters, lowered.arguments, (), body, start, end)


def _instantiation(walk: Walk, node: Node, into: list[Statement]) -> None:
    declarator = node.child_by_field_id(fields.TYPE)
    if declarator is None or declarator.kind_id not in DEFINITIONS:
        declarator = node.child_by_field_id(fields.DECLARATOR)
    if declarator is None:
        return
    _, name, _function = unwrap(walk, plain_type(Name("", None, None, 0, 0)), declarator)
    lowered = walk.expression(name) if name is not None else None
    if isinstance(lowered, Name):
        into.append(Instantiation(lowered, OFFSETS[node.start_byte + walk.shift], OFFSETS[node.end_byte + walk.shift]))


STATEMENTS: Mapping[str, LowerStatement] = {
    "declaration": declare,
    "field_declaration": declare,
    "function_definition": _function,
    "template_declaration": _template,
    "template_instantiation": _instantiation,
}
"""Functions by the node types they lower."""
