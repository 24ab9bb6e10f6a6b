"""Syntax nodes to our own C++: the one walk over each file's tree.

Every node is visited once, from the top, by a function chosen by its type. Field names are looked up by number and
texts are sliced from the file's bytes, because this walk is most of what a run costs.
"""

import re
from collections.abc import Callable
from dataclasses import replace
from functools import cache

from tree_sitter import Node

from sycllint.cpp.expression import (
    Assign,
    Attribute,
    Binary,
    Brace,
    Call,
    Capture,
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
from sycllint.cpp.names import LAUNCHING
from sycllint.cpp.statement import (
    CONST,
    CONSTEXPR,
    EXTERN,
    STATIC,
    VOLATILE,
    Alias,
    Arm,
    Block,
    Case,
    Damaged,
    Declaration,
    Enum,
    Enumerator,
    Evaluate,
    Function,
    If,
    Include,
    Instantiation,
    Jump,
    Loop,
    Macro,
    Namespace,
    NamespaceAlias,
    Parameter,
    Pragma,
    RangeLoop,
    Return,
    Statement,
    Struct,
    Switch,
    TemplateParameter,
    Try,
    Undefine,
    UsingName,
    UsingNamespace,
    Variable,
    Variants,
)
from sycllint.source.span import Span
from sycllint.syntax.parser import cpp, parse

# Deeper nesting than this is not code anyone wrote; what lies below stays opaque.
MAX_DEPTH = 200
# Longer initialiser lists are tables of data; their first elements are kept.
MAX_ELEMENTS = 256

_FLAGS = {
    "const": CONST,
    "constexpr": CONSTEXPR | CONST,
    "constinit": 0,
    "consteval": CONSTEXPR,
    "static": STATIC,
    "extern": EXTERN,
    "volatile": VOLATILE,
}
_CASTS = frozenset({"static_cast", "reinterpret_cast", "const_cast", "dynamic_cast", "bit_cast"})
_SPACE = re.compile(r"\s+")
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
_WRAPPERS = {
    "pointer_declarator": "*",
    "reference_declarator": "&",
    "abstract_pointer_declarator": "*",
    "abstract_reference_declarator": "&",
}


@cache
def _field(name: str) -> int:
    number = cpp().field_id_for_name(name)
    if number is None:
        raise LookupError(f"the grammar has no field {name}")
    return number


class Lowering:
    """One pass over one tree. ``shift`` is added to every offset, for text parsed out of its place."""

    __slots__ = ("_depth", "_expressions", "_names", "_shift", "_source", "_statements", "calls", "damaged_launches")

    def __init__(self, source: bytes, shift: int = 0) -> None:
        self._source = source
        self._shift = shift
        self._depth = 0
        self._names: dict[bytes, str] = {}
        self.calls: dict[str, list[Span]] = {}
        self.damaged_launches: set[Span] = set()
        self._expressions: dict[str, Callable[[Node], Expr]] = {
            "identifier": self._name,
            "field_identifier": self._name,
            "type_identifier": self._name,
            "namespace_identifier": self._name,
            "this": self._name,
            "true": self._name,
            "false": self._name,
            "null": self._name,
            "nullptr": self._name,
            "auto": self._name,
            "primitive_type": self._builtin_name,
            "sized_type_specifier": self._builtin_name,
            "placeholder_type_specifier": self._builtin_name,
            "operator_name": self._builtin_name,
            "destructor_name": self._builtin_name,
            "qualified_identifier": self._qualified,
            "template_function": self._template_name,
            "template_type": self._template_name,
            "template_method": self._template_name,
            "dependent_name": self._only_child,
            "dependent_type": self._only_child,
            "number_literal": self._number,
            "string_literal": self._text,
            "raw_string_literal": self._text,
            "concatenated_string": self._text,
            "char_literal": self._character,
            "binary_expression": self._binary,
            "comma_expression": self._binary,
            "call_expression": self._call,
            "field_expression": self._member,
            "subscript_expression": self._index,
            "parenthesized_expression": self._only_child,
            "condition_clause": self._condition_value,
            "assignment_expression": self._assign,
            "update_expression": self._increment,
            "unary_expression": self._unary,
            "pointer_expression": self._unary,
            "conditional_expression": self._conditional,
            "cast_expression": self._cast,
            "sizeof_expression": self._sizeof,
            "alignof_expression": self._sizeof,
            "new_expression": self._new,
            "lambda_expression": self._lambda,
            "initializer_list": self._brace,
            "compound_literal_expression": self._compound_literal,
            "type_descriptor": self._type_descriptor,
            "parameter_declaration": self._parameter_as_expression,
            "optional_parameter_declaration": self._parameter_as_expression,
            "class_specifier": self._elaborated,
            "struct_specifier": self._elaborated,
            "enum_specifier": self._elaborated,
            "preproc_defined": self._opaque,
        }
        self._statements: dict[str, Callable[[Node, list[Statement]], None]] = {
            "comment": self._skip,
            ";": self._skip,
            "declaration": self._declaration,
            "field_declaration": self._declaration,
            "expression_statement": self._expression_statement,
            "compound_statement": self._compound,
            "declaration_list": self._compound,
            "if_statement": self._if,
            "for_statement": self._for,
            "while_statement": self._while,
            "do_statement": self._do,
            "for_range_loop": self._range_loop,
            "switch_statement": self._switch,
            "case_statement": self._case,
            "return_statement": self._return,
            "co_return_statement": self._return,
            "break_statement": self._jump,
            "continue_statement": self._jump,
            "goto_statement": self._jump,
            "throw_statement": self._jump,
            "try_statement": self._try,
            "labeled_statement": self._labelled,
            "attributed_statement": self._labelled,
            "else_clause": self._labelled,
            "access_specifier": self._skip,
            "preproc_if": self._preproc_if,
            "preproc_ifdef": self._preproc_if,
            "preproc_include": self._include,
            "preproc_def": self._define,
            "preproc_function_def": self._define,
            "preproc_call": self._preproc_call,
            "alias_declaration": self._alias,
            "type_definition": self._typedef,
            "using_declaration": self._using,
            "namespace_alias_definition": self._namespace_alias,
            "namespace_definition": self._namespace,
            "linkage_specification": self._linkage,
            "enum_specifier": self._enum,
            "struct_specifier": self._struct,
            "class_specifier": self._struct,
            "union_specifier": self._struct,
            "function_definition": self._function,
            "inline_method_definition": self._function,
            "template_declaration": self._template,
            "template_instantiation": self._instantiation,
            "ERROR": self._damaged,
            "static_assert_declaration": self._skip,
            "friend_declaration": self._skip,
        }

    # ---------------------------------------------------------------- texts

    def _string(self, node: Node) -> str:
        raw = self._source[node.start_byte : node.end_byte]
        text = self._names.get(raw)
        if text is None:
            text = self._names[raw] = raw.decode(errors="replace")
        return text

    def _squeezed(self, node: Node) -> str:
        return _SPACE.sub(" ", self._string(node)).strip()

    # ---------------------------------------------------------- expressions

    def expression(self, node: Node) -> Expr:
        """The expression at ``node``; what is not one becomes ``Opaque``."""
        lower = self._expressions.get(node.type)
        if lower is None:
            return self._opaque(node)
        self._depth += 1
        if self._depth > MAX_DEPTH:
            self._depth -= 1
            return Opaque("too deep", (), node.start_byte + self._shift, node.end_byte + self._shift)
        result = lower(node)
        self._depth -= 1
        return result

    def _all(self, nodes: list[Node]) -> tuple[Expr, ...]:
        return tuple([self.expression(each) for each in nodes if each.type != "comment"])

    def _child(self, node: Node, field: str) -> Node | None:
        return node.child_by_field_id(_field(field))

    def _required(self, node: Node, field: str) -> Expr:
        child = node.child_by_field_id(_field(field))
        return self.expression(child) if child is not None else self._nothing(node)

    def _nothing(self, node: Node) -> Expr:
        return Opaque("missing", (), node.end_byte + self._shift, node.end_byte + self._shift)

    def _opaque(self, node: Node) -> Expr:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            parts: tuple[Expr, ...] = ()
        else:
            parts = self._all(node.named_children)
        self._depth -= 1
        return Opaque(node.type, parts, node.start_byte + self._shift, node.end_byte + self._shift)

    def _name(self, node: Node) -> Expr:
        return Name(self._string(node), None, None, node.start_byte + self._shift, node.end_byte + self._shift)

    def _builtin_name(self, node: Node) -> Name:
        return Name(self._squeezed(node), None, None, node.start_byte + self._shift, node.end_byte + self._shift)

    def _number(self, node: Node) -> Expr:
        return Number(self._string(node), node.start_byte + self._shift, node.end_byte + self._shift)

    def _text(self, node: Node) -> Expr:
        return Text(self._string(node), node.start_byte + self._shift, node.end_byte + self._shift)

    def _character(self, node: Node) -> Expr:
        return Character(self._string(node), node.start_byte + self._shift, node.end_byte + self._shift)

    def _only_child(self, node: Node) -> Expr:
        for child in node.named_children:
            if child.type != "comment":
                return self.expression(child)
        return self._nothing(node)

    def _condition_value(self, node: Node) -> Expr:
        return self._required(node, "value")

    def _qualified(self, node: Node) -> Expr:
        scope = self._child(node, "scope")
        name = self._child(node, "name")
        if name is None:
            return self._opaque(node)
        inner = self.expression(name)
        start, end = node.start_byte + self._shift, node.end_byte + self._shift
        if not isinstance(inner, Name):
            return inner
        if scope is None:
            # ::name, of the global namespace.
            return replace(inner, text=f"::{inner.text}", start=start)
        outer = self.expression(scope)
        if not isinstance(outer, Name):
            return replace(inner, start=start)
        if outer.arguments is not None or outer.scope is not None:
            if inner.scope is None:
                return Name(inner.text, inner.arguments, outer, start, end)
            return replace(inner, start=start)
        if inner.scope is not None:
            # a::B<1>::c nests to the right: the qualifier belongs to the innermost scope.
            return Name(inner.text, inner.arguments, _qualify(outer.text, inner.scope), start, end)
        return Name(f"{outer.text}::{inner.text}", inner.arguments, None, start, end)

    def _template_name(self, node: Node) -> Expr:
        name = self._child(node, "name")
        if name is None:
            return self._opaque(node)
        inner = self.expression(name)
        start, end = node.start_byte + self._shift, node.end_byte + self._shift
        if not isinstance(inner, Name):
            return inner
        return Name(inner.text, self._template_arguments(node), inner.scope, start, end)

    def _template_arguments(self, node: Node) -> tuple[Expr, ...]:
        arguments = self._child(node, "arguments")
        return () if arguments is None else self._all(arguments.named_children)

    def _binary(self, node: Node) -> Expr:
        left = self._child(node, "left")
        right = self._child(node, "right")
        if left is None or right is None:
            return self._opaque(node)
        operator = self._child(node, "operator")
        return Binary(
            operator.type if operator is not None else ",",
            self.expression(left),
            self.expression(right),
            node.start_byte + self._shift,
            node.end_byte + self._shift,
        )

    def _call(self, node: Node) -> Expr:
        function = self._child(node, "function")
        arguments = self._child(node, "arguments")
        if function is None:
            return self._opaque(node)
        start, end = node.start_byte + self._shift, node.end_byte + self._shift
        values = self._all(arguments.named_children) if arguments is not None else ()
        kind = function.type
        if kind in ("primitive_type", "sized_type_specifier"):
            if len(values) == 1:
                return Cast(self._plain_type(self._builtin_name(function)), values[0], start, end)
        elif kind == "template_function" and len(values) == 1:
            callee = self.expression(function)
            if isinstance(callee, Name) and callee.last in _CASTS and callee.arguments:
                return Cast(self._as_type(callee.arguments[0]), values[0], start, end)
            if isinstance(callee, Name):
                self._note(callee.last, node)
            return Call(callee, values, start, end)
        callee = self.expression(function)
        name = callee.name if isinstance(callee, Member) else callee.last if isinstance(callee, Name) else ""
        if name:
            self._note(name, node)
        return Call(callee, values, start, end)

    def _note(self, name: str, node: Node) -> None:
        """Remember where a call by this name stands."""
        span = Span(node.start_byte + self._shift, node.end_byte + self._shift)
        self.calls.setdefault(name, []).append(span)
        if name in LAUNCHING and node.has_error:
            self.damaged_launches.add(span)

    def _member(self, node: Node) -> Expr:
        field = self._child(node, "field")
        if field is None:
            return self._opaque(node)
        name = self.expression(field)
        obj = self._required(node, "argument")
        if not isinstance(name, Name):
            return self._opaque(node)
        return Member(obj, name.text, name.arguments, field.start_byte + self._shift, field.end_byte + self._shift)

    def _index(self, node: Node) -> Expr:
        indices = self._child(node, "indices")
        return Index(
            self._required(node, "argument"),
            self._all(indices.named_children) if indices is not None else (),
            node.start_byte + self._shift,
            node.end_byte + self._shift,
        )

    def _assign(self, node: Node) -> Expr:
        operator = self._child(node, "operator")
        return Assign(
            operator.type if operator is not None else "=",
            self._required(node, "left"),
            self._required(node, "right"),
            node.start_byte + self._shift,
            node.end_byte + self._shift,
        )

    def _increment(self, node: Node) -> Expr:
        operator = self._child(node, "operator")
        operand = self._child(node, "argument")
        if operator is None or operand is None:
            return self._opaque(node)
        start, end = node.start_byte + self._shift, node.end_byte + self._shift
        return Increment(operator.type, self.expression(operand), operator.start_byte < operand.start_byte, start, end)

    def _unary(self, node: Node) -> Expr:
        operator = self._child(node, "operator")
        return Unary(
            operator.type if operator is not None else "",
            self._required(node, "argument"),
            node.start_byte + self._shift,
            node.end_byte + self._shift,
        )

    def _conditional(self, node: Node) -> Expr:
        return Conditional(
            self._required(node, "condition"),
            self._required(node, "consequence"),
            self._required(node, "alternative"),
            node.start_byte + self._shift,
            node.end_byte + self._shift,
        )

    def _cast(self, node: Node) -> Expr:
        descriptor = self._child(node, "type")
        if descriptor is None:
            return self._opaque(node)
        start, end = node.start_byte + self._shift, node.end_byte + self._shift
        return Cast(self._as_type(self.expression(descriptor)), self._required(node, "value"), start, end)

    def _sizeof(self, node: Node) -> Expr:
        operator = "sizeof" if node.type == "sizeof_expression" else "alignof"
        operand = self._child(node, "type") or self._child(node, "value")
        start, end = node.start_byte + self._shift, node.end_byte + self._shift
        return SizeOf(operator, self.expression(operand) if operand is not None else None, start, end)

    def _new(self, node: Node) -> Expr:
        descriptor = self._child(node, "type")
        if descriptor is None:
            return self._opaque(node)
        extents: list[Expr | None] = []
        declarator = self._child(node, "declarator")
        while declarator is not None and declarator.type == "new_declarator":
            length = self._child(declarator, "length")
            extents.append(self.expression(length) if length is not None else None)
            declarator = next((each for each in declarator.named_children if each.type == "new_declarator"), None)
        arguments = self._child(node, "arguments")
        kind = self._as_type(self.expression(descriptor))
        return New(
            replace(kind, extents=tuple(extents)),
            self._all(arguments.named_children) if arguments is not None else (),
            node.start_byte + self._shift,
            node.end_byte + self._shift,
        )

    def _brace(self, node: Node) -> Expr:
        elements = node.named_children
        kept = self._all(elements[:MAX_ELEMENTS])
        start, end = node.start_byte + self._shift, node.end_byte + self._shift
        if len(elements) > MAX_ELEMENTS:
            kept += (Opaque("more elements", (), end, end),)
        return Brace(None, kept, start, end)

    def _compound_literal(self, node: Node) -> Expr:
        kind = self._child(node, "type")
        value = self._child(node, "value")
        start, end = node.start_byte + self._shift, node.end_byte + self._shift
        elements = self.expression(value) if value is not None else None
        return Brace(
            self.expression(kind) if kind is not None and kind.end_byte > kind.start_byte else None,
            elements.elements if isinstance(elements, Brace) else (),
            start,
            end,
        )

    def _elaborated(self, node: Node) -> Expr:
        name = self._child(node, "name")
        return self.expression(name) if name is not None else self._opaque(node)

    def _lambda(self, node: Node) -> Expr:
        default = ""
        captures: list[Capture] = []
        listed = self._child(node, "captures")
        if listed is not None:
            for entry in listed.children:
                kind = entry.type
                if kind == "lambda_default_capture":
                    default = self._string(entry)
                elif kind == "identifier" or kind == "this":
                    before = entry.prev_sibling
                    captures.append(Capture(self._string(entry), before is not None and before.type == "&", None))
                elif kind == "lambda_capture_initializer":
                    left = self._child(entry, "left")
                    right = self._child(entry, "right")
                    if left is not None and right is not None:
                        by_reference = entry.children[0].type == "&"
                        captures.append(Capture(self._string(left), by_reference, self.expression(right)))
        parameters: tuple[Parameter, ...] = ()
        attributes: list[Attribute] = []
        declarator = self._child(node, "declarator")
        if declarator is not None:
            listed_parameters = self._child(declarator, "parameters")
            if listed_parameters is not None:
                parameters = self._parameters(listed_parameters)
            for child in declarator.named_children:
                self._attributes(child, attributes)
        for child in node.named_children:
            self._attributes(child, attributes)
        templates = self._child(node, "template_parameters")
        body = self._child(node, "body")
        return Lambda(
            default,
            tuple(captures),
            self._template_parameters(templates) if templates is not None else (),
            parameters,
            tuple(attributes),
            self.block(body) if body is not None else self._empty(node),
            node.has_error,
            node.start_byte + self._shift,
            node.end_byte + self._shift,
        )

    def _attributes(self, node: Node, into: list[Attribute]) -> None:
        """Collect ``[[…]]`` and ``__attribute__((…))``; a clang-format split attribute has been mended before parsing."""
        if node.type == "attribute_declaration":
            for attribute in node.named_children:
                if attribute.type != "attribute":
                    continue
                prefix = self._child(attribute, "prefix")
                name = self._child(attribute, "name")
                if name is None:
                    continue
                listed = next((each for each in attribute.named_children if each.type == "argument_list"), None)
                text = self._string(name)
                into.append(
                    Attribute(
                        f"{self._string(prefix)}::{text}" if prefix is not None else text,
                        self._all(listed.named_children) if listed is not None else (),
                        attribute.start_byte + self._shift,
                        attribute.end_byte + self._shift,
                    )
                )
        elif node.type == "attribute_specifier":
            for listed in node.named_children:
                if listed.type != "argument_list":
                    continue
                for entry in self._all(listed.named_children):
                    if isinstance(entry, Call) and isinstance(entry.function, Name):
                        into.append(Attribute(entry.function.text, entry.arguments, entry.start, entry.end))
                    elif isinstance(entry, Name):
                        into.append(Attribute(entry.text, (), entry.start, entry.end))

    # ---------------------------------------------------------------- types

    def _plain_type(self, name: Name) -> Type:
        return Type(name, 0, False, False, (), name.start, name.end)

    def _as_type(self, expression: Expr) -> Type:
        if isinstance(expression, Type):
            return expression
        if isinstance(expression, Name):
            return self._plain_type(expression)
        return self._plain_type(Name("", None, None, expression.start, expression.end))

    def _type_of(self, node: Node) -> tuple[Type, int]:
        """The type that a declaration-like node starts with, and its storage flags."""
        flags = 0
        for child in node.children:
            kind = child.type
            if kind == "type_qualifier" or kind == "storage_class_specifier":
                flags |= _FLAGS.get(self._string(child), 0)
        named = self._child(node, "type")
        if named is None:
            start = node.start_byte + self._shift
            return Type(Name("", None, None, start, start), 0, False, bool(flags & CONST), (), start, start), flags
        base = self._as_type(self.expression(named))
        return (replace(base, constant=True) if flags & CONST else base), flags

    def _type_descriptor(self, node: Node) -> Expr:
        named = self._child(node, "type")
        if named is None:
            return self._opaque(node)
        base = self.expression(named)
        declarator = self._child(node, "declarator")
        constant = any(each.type == "type_qualifier" and self._string(each) == "const" for each in node.named_children)
        if declarator is None and not constant:
            if named.type in _TEXTUAL_TYPES and isinstance(base, Name):
                return self._plain_type(base)
            return base
        kind = self._as_type(base)
        if constant:
            kind = replace(kind, constant=True)
        if declarator is not None:
            if declarator.type == "abstract_function_declarator":
                return self._functional(base, declarator, node)
            kind = self._declared(kind, declarator)[0]
        return replace(kind, start=node.start_byte + self._shift, end=node.end_byte + self._shift)

    def _functional(self, function: Expr, declarator: Node, node: Node) -> Expr:
        """``T(a, b)`` that the grammar takes for a function type."""
        listed = self._child(declarator, "parameters")
        arguments = self._all(listed.named_children) if listed is not None else ()
        start, end = node.start_byte + self._shift, node.end_byte + self._shift
        if isinstance(function, Name) and len(arguments) == 1 and function.text in _BUILTIN_TYPES:
            return Cast(self._plain_type(function), arguments[0], start, end)
        return Call(function, arguments, start, end)

    def _parameter_as_expression(self, node: Node) -> Expr:
        """A "parameter" of a misread variable: ``range<1>(n)``, ``b * c``, ``d & e``, ``f[3]``, ``N``."""
        named = self._child(node, "type")
        if named is None:
            return self._opaque(node)
        base = self.expression(named)
        declarator = self._child(node, "declarator")
        start, end = node.start_byte + self._shift, node.end_byte + self._shift
        if declarator is None:
            return base
        kind = declarator.type
        if kind == "abstract_function_declarator":
            inner = self._child(declarator, "declarator")
            if inner is None:
                return self._functional(base, declarator, node)
        elif kind in _WRAPPERS:
            inside = [each for each in declarator.named_children if each.type != "type_qualifier"]
            if len(inside) == 1:
                return Binary(_WRAPPERS[kind], base, self.expression(inside[0]), start, end)
        elif kind == "abstract_array_declarator":
            size = self._child(declarator, "size")
            if size is not None:
                return Index(base, (self.expression(size),), start, end)
        elif kind in ("parenthesized_declarator", "abstract_parenthesized_declarator"):
            return Call(base, self._all(declarator.named_children), start, end)
        return Opaque("parameter", (base,), start, end)

    def _declared(self, kind: Type, declarator: Node) -> tuple[Type, Node | None, Node | None]:
        """Unwrap a declarator: the full type, the node of the name, and a function declarator if there is one."""
        pointers, reference = kind.pointers, kind.reference
        extents: list[Expr | None] = []
        function: Node | None = None
        node: Node | None = declarator
        name: Node | None = None
        while node is not None:
            shape = node.type
            if shape == "pointer_declarator" or shape == "abstract_pointer_declarator":
                pointers += 1
                node = self._child(node, "declarator")
            elif shape == "reference_declarator" or shape == "abstract_reference_declarator":
                reference = True
                node = next((each for each in node.named_children if each.type != "type_qualifier"), None)
            elif shape == "array_declarator" or shape == "abstract_array_declarator":
                size = self._child(node, "size")
                extents.append(self.expression(size) if size is not None else None)
                node = self._child(node, "declarator")
            elif shape == "function_declarator" or shape == "abstract_function_declarator":
                function = node
                node = self._child(node, "declarator")
            elif shape in ("parenthesized_declarator", "attributed_declarator", "variadic_declarator"):
                node = next((each for each in node.named_children if each.type in _DECLARATORS), None)
            else:
                name = node
                break
        extents.reverse()
        full = Type(kind.name, pointers, reference, kind.constant, (*extents, *kind.extents), kind.start, kind.end)
        return full, name, function

    # --------------------------------------------------------- declarations

    def _parameters(self, node: Node) -> tuple[Parameter, ...]:
        found = []
        for entry in node.named_children:
            if entry.type not in ("parameter_declaration", "optional_parameter_declaration", "variadic_parameter_declaration"):
                continue
            kind, _ = self._type_of(entry)
            declarator = self._child(entry, "declarator")
            name: Node | None = None
            if declarator is not None:
                kind, name, _function = self._declared(kind, declarator)
            default = self._child(entry, "default_value")
            place = name if name is not None else entry
            found.append(
                Parameter(
                    self._string(name) if name is not None else "",
                    kind,
                    self.expression(default) if default is not None else None,
                    place.start_byte + self._shift,
                    place.end_byte + self._shift,
                )
            )
        return tuple(found)

    def _template_parameters(self, node: Node) -> tuple[TemplateParameter, ...]:
        found = []
        for entry in node.named_children:
            kind = entry.type
            start, end = entry.start_byte + self._shift, entry.end_byte + self._shift
            if kind in ("parameter_declaration", "optional_parameter_declaration", "variadic_parameter_declaration"):
                declared, _ = self._type_of(entry)
                declarator = self._child(entry, "declarator")
                default = self._child(entry, "default_value")
                name = None
                if declarator is not None:
                    declared, name, _function = self._declared(declared, declarator)
                text = self._string(name) if name is not None else ""
                value = self.expression(default) if default is not None else None
                found.append(TemplateParameter(text, declared, value, start, end))
            elif kind == "comment":
                continue
            else:
                named = self._child(entry, "name") or next(
                    (each for each in entry.named_children if each.type == "type_identifier"), None
                )
                default = self._child(entry, "default_type")
                found.append(
                    TemplateParameter(
                        self._string(named) if named is not None else "",
                        None,
                        self.expression(default) if default is not None else None,
                        start,
                        end,
                    )
                )
        return tuple(found)

    def _declaration(self, node: Node, into: list[Statement]) -> None:
        kind, flags = self._type_of(node)
        attributes: list[Attribute] = []
        variables: list[Variable] = []
        named = self._child(node, "type")
        if named is not None and named.type in ("struct_specifier", "class_specifier", "union_specifier", "enum_specifier"):
            if self._child(named, "body") is not None:
                self.statement(named, into)
        default: Node | None = None
        for index, child in enumerate(node.children):
            field = node.field_name_for_child(index)
            if field == "declarator":
                self._declarator(node, child, kind, flags, attributes, variables, into)
            elif field == "default_value":
                default = child
            elif child.type in ("attribute_declaration", "attribute_specifier"):
                self._attributes(child, attributes)
        if default is not None and variables:
            value = self.expression(default)
            last = variables[-1]
            if isinstance(value, Brace) and value.type is None and default.prev_sibling is not None and default.prev_sibling.type != "=":
                variables[-1] = replace(last, style="{", arguments=value.elements)
            else:
                variables[-1] = replace(last, style="=", arguments=(value,))
        if variables:
            into.append(Declaration(tuple(variables), node.start_byte + self._shift, node.end_byte + self._shift))

    def _declarator(
        self,
        node: Node,
        declarator: Node,
        kind: Type,
        flags: int,
        attributes: list[Attribute],
        variables: list[Variable],
        into: list[Statement],
    ) -> None:
        style, arguments = "", ()  # type: str, tuple[Expr, ...]
        target = declarator
        if declarator.type == "init_declarator":
            inner = self._child(declarator, "declarator")
            value = self._child(declarator, "value")
            if inner is None:
                return
            target = inner
            if value is not None:
                if value.type == "argument_list":
                    style, arguments = "(", self._all(value.named_children)
                elif value.type == "initializer_list" and (value.prev_sibling is None or value.prev_sibling.type != "="):
                    braced = self._brace(value)
                    style, arguments = "{", braced.elements if isinstance(braced, Brace) else ()
                else:
                    style, arguments = "=", (self.expression(value),)
        if target.type == "structured_binding_declarator":
            for each in target.named_children:
                if each.type == "identifier":
                    start, end = each.start_byte + self._shift, each.end_byte + self._shift
                    variables.append(Variable(self._string(each), kind, "[", arguments, flags, (), start, end))
            return
        full, name, function = self._declared(kind, target)
        if name is None:
            return
        start, end = name.start_byte + self._shift, name.end_byte + self._shift
        if function is not None and style == "":
            listed = self._child(function, "parameters")
            local = self._depth > 0 or node.parent is not None and node.parent.type == "compound_statement"
            misread = _misread_variable(function, listed, local, kind.name)
            if misread and listed is not None:
                style, arguments = "(", self._all(listed.named_children)
            else:
                self._prototype(name, function, full, flags, attributes, into)
                return
        text = self._string(name) if name.type in ("identifier", "field_identifier") else self._squeezed(name)
        variables.append(Variable(text, full, style, arguments, flags, tuple(attributes), start, end))

    def _prototype(
        self,
        name: Node,
        function: Node,
        returns: Type,
        flags: int,
        attributes: list[Attribute],
        into: list[Statement],
    ) -> None:
        listed = self._child(function, "parameters")
        into.append(
            Function(
                self._function_name(name),
                (),
                self._parameters(listed) if listed is not None else (),
                returns,
                tuple(attributes),
                (),
                None,
                flags,
                False,
                name.start_byte + self._shift,
                name.end_byte + self._shift,
                function.end_byte + self._shift,
            )
        )

    def _function_name(self, node: Node) -> str:
        lowered = self.expression(node)
        if isinstance(lowered, Name):
            if lowered.scope is not None:
                return f"{lowered.scope.text}::{lowered.text}"
            return lowered.text
        return self._squeezed(node)

    def _function(self, node: Node, into: list[Statement]) -> None:
        declarator = self._child(node, "declarator")
        body = self._child(node, "body")
        kind, flags = self._type_of(node)
        attributes: list[Attribute] = []
        initializers: list[tuple[str, tuple[Expr, ...]]] = []
        for child in node.named_children:
            if child.type == "field_initializer_list":
                for entry in child.named_children:
                    parts = entry.named_children
                    if entry.type == "field_initializer" and len(parts) >= 2:
                        initializers.append((self._squeezed(parts[0]), self._all(parts[-1].named_children)))
            else:
                self._attributes(child, attributes)
        name: Node | None = None
        function: Node | None = None
        if declarator is not None:
            kind, name, function = self._declared(kind, declarator)
        parameters: tuple[Parameter, ...] = ()
        if function is not None:
            for child in function.named_children:
                self._attributes(child, attributes)
            listed = self._child(function, "parameters")
            if listed is not None:
                parameters = self._parameters(listed)
        if body is not None and body.type == "try_statement":
            body = self._child(body, "body")
        lowered = self.block(body) if body is not None else None
        if name is None or function is None:
            # A macro call that looks like a function head (TEST_CASE("…") { … }): its body is still code.
            if lowered is not None:
                into.append(Damaged(lowered, node.start_byte + self._shift, node.end_byte + self._shift))
            return
        into.append(
            Function(
                self._function_name(name),
                (),
                parameters,
                kind,
                tuple(attributes),
                tuple(initializers),
                lowered,
                flags,
                node.has_error,
                name.start_byte + self._shift,
                name.end_byte + self._shift,
                node.end_byte + self._shift,
            )
        )

    def _template(self, node: Node, into: list[Statement]) -> None:
        listed = self._child(node, "parameters")
        parameters = self._template_parameters(listed) if listed is not None else ()
        first = len(into)
        for child in node.named_children:
            if child.type not in ("template_parameter_list", "comment", "requires_clause"):
                self.statement(child, into)
        for position in range(first, len(into)):
            declared = into[position]
            if isinstance(declared, Function | Struct | Alias):
                into[position] = replace(declared, template_parameters=parameters + declared.template_parameters)

    def _instantiation(self, node: Node, into: list[Statement]) -> None:
        declarator = self._child(node, "declarator") or self._child(node, "type")
        if declarator is None:
            return
        start = self._plain_type(Name("", None, None, 0, 0))
        _, name, _function = self._declared(start, declarator)
        lowered = self.expression(name) if name is not None else None
        if isinstance(lowered, Name):
            into.append(Instantiation(lowered, node.start_byte + self._shift, node.end_byte + self._shift))

    def _struct(self, node: Node, into: list[Statement]) -> None:
        body = self._child(node, "body")
        if body is None:
            return
        name = self._child(node, "name")
        lowered = self.expression(name) if name is not None else None
        bases: list[Name] = []
        for child in node.named_children:
            if child.type == "base_class_clause":
                for base in child.named_children:
                    if base.type in ("type_identifier", "qualified_identifier", "template_type"):
                        each = self.expression(base)
                        if isinstance(each, Name):
                            bases.append(each)
        into.append(
            Struct(
                lowered.text if isinstance(lowered, Name) else "",
                node.type.removesuffix("_specifier"),
                (),
                lowered.arguments if isinstance(lowered, Name) else None,
                tuple(bases),
                self.block(body),
                node.start_byte + self._shift,
                node.end_byte + self._shift,
            )
        )

    def _enum(self, node: Node, into: list[Statement]) -> None:
        body = self._child(node, "body")
        if body is None:
            return
        name = self._child(node, "name")
        underlying = self._child(node, "base")
        enumerators = []
        for entry in body.named_children:
            if entry.type == "enumerator":
                label = self._child(entry, "name")
                value = self._child(entry, "value")
                if label is not None:
                    enumerators.append(
                        Enumerator(
                            self._string(label),
                            self.expression(value) if value is not None else None,
                            entry.start_byte + self._shift,
                            entry.end_byte + self._shift,
                        )
                    )
        into.append(
            Enum(
                self._squeezed(name) if name is not None else "",
                any(child.type in ("class", "struct") for child in node.children),
                self._as_type(self.expression(underlying)) if underlying is not None else None,
                tuple(enumerators),
                node.start_byte + self._shift,
                node.end_byte + self._shift,
            )
        )

    def _alias(self, node: Node, into: list[Statement]) -> None:
        name = self._child(node, "name")
        kind = self._child(node, "type")
        if name is not None and kind is not None:
            into.append(
                Alias(
                    self._string(name),
                    self._as_type(self.expression(kind)),
                    (),
                    node.start_byte + self._shift,
                    node.end_byte + self._shift,
                )
            )

    def _typedef(self, node: Node, into: list[Statement]) -> None:
        named = self._child(node, "type")
        if named is None:
            return
        kind, _ = self._type_of(node)
        declarators = node.children_by_field_name("declarator")
        if named.type in ("struct_specifier", "class_specifier", "union_specifier", "enum_specifier"):
            first = len(into)
            self.statement(named, into)
            if declarators and first < len(into):
                declared = into[first]
                if isinstance(declared, Struct | Enum) and not declared.name:
                    into[first] = replace(declared, name=self._squeezed(declarators[0]))
                    declarators = declarators[1:]
        for declarator in declarators:
            full, name, function = self._declared(kind, declarator)
            if name is not None and function is None:
                start, end = node.start_byte + self._shift, node.end_byte + self._shift
                into.append(Alias(self._squeezed(name), full, (), start, end))

    def _using(self, node: Node, into: list[Statement]) -> None:
        names = node.named_children
        if not names:
            return
        text = self._squeezed(names[-1])
        start, end = node.start_byte + self._shift, node.end_byte + self._shift
        if any(child.type == "namespace" for child in node.children):
            into.append(UsingNamespace(text, start, end))
        else:
            into.append(UsingName(text, start, end))

    def _namespace_alias(self, node: Node, into: list[Statement]) -> None:
        names = node.named_children
        if len(names) >= 2:
            start, end = node.start_byte + self._shift, node.end_byte + self._shift
            into.append(NamespaceAlias(self._squeezed(names[0]), self._squeezed(names[-1]), start, end))

    def _namespace(self, node: Node, into: list[Statement]) -> None:
        name = self._child(node, "name")
        body = self._child(node, "body")
        if body is not None:
            into.append(
                Namespace(
                    self._squeezed(name) if name is not None else "",
                    self.block(body),
                    node.start_byte + self._shift,
                    node.end_byte + self._shift,
                )
            )

    def _linkage(self, node: Node, into: list[Statement]) -> None:
        body = self._child(node, "body")
        if body is None:
            return
        if body.type == "declaration_list":
            block = self.block(body)
        else:
            inner: list[Statement] = []
            self.statement(body, inner)
            block = Block(tuple(inner), body.start_byte + self._shift, body.end_byte + self._shift)
        into.append(Namespace("extern", block, node.start_byte + self._shift, node.end_byte + self._shift))

    # ----------------------------------------------------------- statements

    def unit(self, node: Node) -> Block:
        """The whole file."""
        return self._block_of(node.named_children, node)

    def statement(self, node: Node, into: list[Statement]) -> None:
        """Append what ``node`` says; nothing when it says nothing to us."""
        lower = self._statements.get(node.type)
        self._depth += 1
        if self._depth > MAX_DEPTH:
            self._depth -= 1
            return
        if lower is not None:
            lower(node, into)
        elif node.is_named:
            start, end = node.start_byte + self._shift, node.end_byte + self._shift
            into.append(Evaluate(self.expression(node), start, end))
        self._depth -= 1

    def block(self, node: Node) -> Block:
        """A braced body, or a single statement as a block of one."""
        kind = node.type
        if kind in ("compound_statement", "declaration_list", "field_declaration_list"):
            return self._block_of(node.named_children, node)
        return self._block_of([node], node)

    def _empty(self, node: Node) -> Block:
        return Block((), node.end_byte + self._shift, node.end_byte + self._shift)

    def _block_of(self, nodes: list[Node], node: Node) -> Block:
        statements: list[Statement] = []
        for each in nodes:
            self.statement(each, statements)
        return Block(tuple(statements), node.start_byte + self._shift, node.end_byte + self._shift)

    def _skip(self, node: Node, into: list[Statement]) -> None:
        pass

    def _expression_statement(self, node: Node, into: list[Statement]) -> None:
        for child in node.named_children:
            if child.type != "comment":
                start, end = node.start_byte + self._shift, node.end_byte + self._shift
                into.append(Evaluate(self.expression(child), start, end))
                return

    def _compound(self, node: Node, into: list[Statement]) -> None:
        into.append(self.block(node))

    def _labelled(self, node: Node, into: list[Statement]) -> None:
        for child in node.named_children:
            if child.type not in ("statement_identifier", "attribute_declaration", "comment"):
                self.statement(child, into)

    def _clause(self, node: Node) -> tuple[Statement | None, Expr | None]:
        """A condition: the statement in it, if any, and its value."""
        clause = self._child(node, "condition")
        if clause is None:
            return None, None
        before: list[Statement] = []
        if clause.type != "condition_clause":
            return None, self.expression(clause)
        initializer = self._child(clause, "initializer")
        if initializer is not None:
            for child in initializer.named_children:
                self.statement(child, before)
        value = self._child(clause, "value")
        if value is None:
            return (before[0] if before else None), None
        if value.type in ("declaration", "condition_declaration"):
            self._declaration(value, before)
            declared = before[-1] if before else None
            if isinstance(declared, Declaration) and declared.variables:
                variable = declared.variables[0]
                return declared, Name(variable.name, None, None, variable.start, variable.end)
            return (before[0] if before else None), None
        return (before[0] if before else None), self.expression(value)

    def _if(self, node: Node, into: list[Statement]) -> None:
        initializer, condition = self._clause(node)
        then = self._child(node, "consequence")
        otherwise = self._child(node, "alternative")
        into.append(
            If(
                initializer,
                condition,
                self.block(then) if then is not None else self._empty(node),
                self.block(otherwise) if otherwise is not None else None,
                node.start_byte + self._shift,
                node.end_byte + self._shift,
            )
        )

    def _pragma_before(self, node: Node) -> str:
        before = node.prev_named_sibling
        if before is not None and before.type == "preproc_call":
            text = self._squeezed(before)
            if "unroll" in text or "ivdep" in text:
                return text
        return ""

    def _for(self, node: Node, into: list[Statement]) -> None:
        first: list[Statement] = []
        initializer = self._child(node, "initializer")
        if initializer is not None:
            self.statement(initializer, first)
        condition = self._child(node, "condition")
        update = self._child(node, "update")
        body = self._child(node, "body")
        into.append(
            Loop(
                "for",
                first[0] if first else None,
                self.expression(condition) if condition is not None else None,
                self.expression(update) if update is not None else None,
                self.block(body) if body is not None else self._empty(node),
                self._pragma_before(node),
                node.start_byte + self._shift,
                node.end_byte + self._shift,
            )
        )

    def _while(self, node: Node, into: list[Statement]) -> None:
        initializer, condition = self._clause(node)
        body = self._child(node, "body")
        into.append(
            Loop(
                "while",
                initializer,
                condition,
                None,
                self.block(body) if body is not None else self._empty(node),
                self._pragma_before(node),
                node.start_byte + self._shift,
                node.end_byte + self._shift,
            )
        )

    def _do(self, node: Node, into: list[Statement]) -> None:
        _, condition = self._clause(node)
        body = self._child(node, "body")
        into.append(
            Loop(
                "do",
                None,
                condition,
                None,
                self.block(body) if body is not None else self._empty(node),
                self._pragma_before(node),
                node.start_byte + self._shift,
                node.end_byte + self._shift,
            )
        )

    def _range_loop(self, node: Node, into: list[Statement]) -> None:
        kind, flags = self._type_of(node)
        declarator = self._child(node, "declarator")
        over = self._child(node, "right")
        body = self._child(node, "body")
        name: Node | None = None
        if declarator is not None:
            kind, name, _function = self._declared(kind, declarator)
        place = name if name is not None else node
        text = self._string(name) if name is not None and name.type == "identifier" else ""
        variable = Variable(text, kind, "", (), flags, (), place.start_byte + self._shift, place.end_byte + self._shift)
        into.append(
            RangeLoop(
                variable,
                self.expression(over) if over is not None else self._nothing(node),
                self.block(body) if body is not None else self._empty(node),
                node.start_byte + self._shift,
                node.end_byte + self._shift,
            )
        )

    def _switch(self, node: Node, into: list[Statement]) -> None:
        _, condition = self._clause(node)
        body = self._child(node, "body")
        start, end = node.start_byte + self._shift, node.end_byte + self._shift
        into.append(Switch(condition, self.block(body) if body is not None else self._empty(node), start, end))

    def _case(self, node: Node, into: list[Statement]) -> None:
        value = self._child(node, "value")
        rest = [child for child in node.named_children if value is None or child.start_byte != value.start_byte]
        into.append(
            Case(
                self.expression(value) if value is not None else None,
                self._block_of(rest, node),
                node.start_byte + self._shift,
                node.end_byte + self._shift,
            )
        )

    def _return(self, node: Node, into: list[Statement]) -> None:
        value = next((each for each in node.named_children if each.type != "comment"), None)
        start, end = node.start_byte + self._shift, node.end_byte + self._shift
        into.append(Return(self.expression(value) if value is not None else None, start, end))

    def _jump(self, node: Node, into: list[Statement]) -> None:
        keyword = node.type.removesuffix("_statement")
        value: Expr | None = None
        if keyword == "throw":
            thrown = next((each for each in node.named_children if each.type != "comment"), None)
            value = self.expression(thrown) if thrown is not None else None
        into.append(Jump(keyword, value, node.start_byte + self._shift, node.end_byte + self._shift))

    def _try(self, node: Node, into: list[Statement]) -> None:
        body = self._child(node, "body")
        handlers = []
        for child in node.named_children:
            if child.type == "catch_clause":
                handler = self._child(child, "body")
                if handler is not None:
                    handlers.append(self.block(handler))
        start, end = node.start_byte + self._shift, node.end_byte + self._shift
        into.append(Try(self.block(body) if body is not None else self._empty(node), tuple(handlers), start, end))

    def _damaged(self, node: Node, into: list[Statement]) -> None:
        body = self._block_of(node.named_children, node)
        into.append(Damaged(body, node.start_byte + self._shift, node.end_byte + self._shift))

    # ---------------------------------------------------------- preprocessor

    def _preproc_if(self, node: Node, into: list[Statement]) -> None:
        arms: list[Arm] = []
        current: Node | None = node
        while current is not None:
            head = self._child(current, "name") or self._child(current, "condition")
            alternative = self._child(current, "alternative")
            keyword = current.children[0].type.lstrip("#") if current.children else "else"
            inside = [
                child
                for child in current.named_children
                if (head is None or child.start_byte != head.start_byte)
                and (alternative is None or child.start_byte != alternative.start_byte)
            ]
            condition = self._squeezed(head) if head is not None else ""
            arms.append(Arm(keyword.strip(), condition, self._block_of(inside, current)))
            current = alternative
        into.append(Variants(tuple(arms), node.start_byte + self._shift, node.end_byte + self._shift))

    def _include(self, node: Node, into: list[Statement]) -> None:
        path = self._child(node, "path")
        if path is not None:
            text = self._string(path)
            start, end = path.start_byte + self._shift, path.end_byte + self._shift
            into.append(Include(text.strip('"<>'), text.startswith('"'), start, end))

    def _define(self, node: Node, into: list[Statement]) -> None:
        name = self._child(node, "name")
        if name is None:
            return
        body = self._child(node, "value")
        listed = self._child(node, "parameters")
        parameters = None
        if listed is not None:
            parameters = tuple(self._string(each) for each in listed.named_children if each.type == "identifier")
        raw = self._source[body.start_byte : body.end_byte] if body is not None else b""
        start = (body.start_byte if body is not None else name.end_byte) + self._shift
        value, block = macro_body(raw, start)
        into.append(
            Macro(
                self._string(name),
                parameters,
                _SPACE.sub(" ", raw.decode(errors="replace").replace("\\\n", " ").replace("\\\r\n", " ")).strip(),
                value,
                block,
                name.start_byte + self._shift,
                start + len(raw),
            )
        )

    def _preproc_call(self, node: Node, into: list[Statement]) -> None:
        directive = self._child(node, "directive")
        argument = self._child(node, "argument")
        text = self._squeezed(argument) if argument is not None else ""
        start, end = node.start_byte + self._shift, node.end_byte + self._shift
        word = self._string(directive) if directive is not None else ""
        if word.endswith("undef"):
            into.append(Undefine(text, start, end))
        elif word.endswith("pragma"):
            into.append(Pragma(text, start, end))


_BUILTIN_TYPES = frozenset(
    """bool char short int long float double signed unsigned size_t ssize_t ptrdiff_t int8_t uint8_t int16_t uint16_t
    int32_t uint32_t int64_t uint64_t uint""".split()
)
_PLAIN_TYPES = frozenset({"primitive_type", "sized_type_specifier"})


def _qualify(qualifier: str, name: Name) -> Name:
    if name.scope is not None:
        return replace(name, scope=_qualify(qualifier, name.scope))
    return replace(name, text=f"{qualifier}::{name.text}")


def _misread_variable(function: Node, listed: Node | None, local: bool, kind: Name) -> bool:
    """Whether ``T name(a, b);`` declares a variable: inside a function, when no "parameter" is surely one."""
    if listed is None:
        return False
    entries = [each for each in listed.named_children if each.type != "comment"]
    if not entries or kind.text in ("void", "auto"):
        return False
    if any(child.type in ("type_qualifier", "noexcept", "trailing_return_type") for child in function.named_children):
        return False
    if not local and kind.last not in ("range", "nd_range", "id"):
        return False
    for entry in entries:
        if entry.type != "parameter_declaration":
            return False
        declared = entry.child_by_field_id(_field("type"))
        declarator = entry.child_by_field_id(_field("declarator"))
        if declared is None or declared.type == "placeholder_type_specifier":
            return False
        if any(child.type == "type_qualifier" for child in entry.children):
            return False
        if declarator is None:
            if declared.type in _PLAIN_TYPES:
                return False
        elif declarator.type == "identifier":
            return False
        elif declared.type in _PLAIN_TYPES and declarator.type != "abstract_function_declarator":
            if declarator.type != "parenthesized_declarator":
                return False
    return True


_CONTINUATION = re.compile(rb"\\(\r?\n)")
_PREFIX = b"void f(){"
_EXPRESSION_PREFIX = b"auto v=("
_WORTH_PARSING = re.compile(rb"[\w(]")


def macro_body(raw: bytes, start: int) -> tuple[Expr | None, Block | None]:
    """What a macro stands for: an expression, else statements, else neither. ``start`` is the body's offset."""
    if not raw or not _WORTH_PARSING.search(raw) or len(raw) > 65536:
        return None, None
    text = decorate(_CONTINUATION.sub(rb" \1", raw))
    if b"//" in text or b"/*" in text:
        text = _comments_blanked(text)
    wrapped = _EXPRESSION_PREFIX + text + b"\n);"
    tree = parse(wrapped)
    if not tree.root_node.has_error:
        lowered = Lowering(wrapped, start - len(_EXPRESSION_PREFIX)).unit(tree.root_node).statements
        if len(lowered) == 1 and isinstance(lowered[0], Declaration) and len(lowered[0].variables) == 1:
            arguments = lowered[0].variables[0].arguments
            if len(arguments) == 1:
                return arguments[0], None
    wrapped = _PREFIX + text + b"\n;}"
    tree = parse(wrapped)
    if tree.root_node.has_error:
        return None, None
    lowered = Lowering(wrapped, start - len(_PREFIX)).unit(tree.root_node).statements
    if len(lowered) == 1 and isinstance(lowered[0], Function):
        return None, lowered[0].body
    return None, None


_COMMENT = re.compile(rb"//[^\n]*|/\*.*?\*/", re.S)


def _comments_blanked(text: bytes) -> bytes:
    return _COMMENT.sub(lambda match: re.sub(rb"[^\r\n]", b" ", match[0]), text)


def decorate(text: bytes) -> bytes:
    """The same normalisation a file gets before parsing."""
    from sycllint.syntax.normalize import decorations_blanked

    return decorations_blanked(text)
