"""Classes, enumerations, aliases, namespaces and using."""

from collections.abc import Iterator, Mapping
from sys import intern

from tree_sitter import Node

from sycllint.cpp.expression import Name
from sycllint.cpp.statement import (
    Alias,
    Block,
    Enum,
    Enumerator,
    Forward,
    Friend,
    Function,
    Namespace,
    NamespaceAlias,
    Statement,
    Struct,
    UsingName,
    UsingNamespace,
)
from sycllint.record import replace
from sycllint.syntax import fields
from sycllint.syntax.kinds import kinds
from sycllint.syntax.lower.offsets import OFFSETS
from sycllint.syntax.lower.types import as_type, type_of, unwrap
from sycllint.syntax.lower.walk import DEFINITIONS, LowerStatement, Walk

_BASES = kinds("base_class_clause")
_CLASS_NAMES = kinds("type_identifier", "qualified_identifier", "template_type")
_TEMPLATE = kinds("template_declaration")
_ENUMERATOR = kinds("enumerator")
_SCOPED = kinds("class", "struct")
_NAMESPACE = kinds("namespace")
_INLINE = kinds("inline")
_DECLARATION_LIST = kinds("declaration_list")


def _forward(walk: Walk, node: Node, name: Node) -> Iterator[Forward]:
    """A class template that is only declared; of a specialisation nothing."""
    lowered = walk.expression(name)
    if isinstance(lowered, Name) and lowered.arguments is None:
        start, end = OFFSETS[node.start_byte + walk.shift], OFFSETS[node.end_byte + walk.shift]
        keyword = node.type.removesuffix("_specifier")
        yield Forward(Struct(lowered.text, keyword, (), None, (), Block((), end, end), start, end), start, end)


def _struct(walk: Walk, node: Node, into: list[Statement]) -> None:
    body = node.child_by_field_id(fields.BODY)
    name = node.child_by_field_id(fields.NAME)
    if body is None:
        if node.parent is not None and node.parent.kind_id in _TEMPLATE and name is not None:
            into.extend(_forward(walk, node, name))
        return
    lowered = walk.expression(name) if name is not None else None
    bases: list[Name] = []
    for child in node.named_children:
        if child.kind_id in _BASES:
            for base in child.named_children:
                if base.kind_id in _CLASS_NAMES:
                    each = walk.expression(base)
                    if isinstance(each, Name):
                        bases.append(each)
    into.append(
        Struct(
            lowered.text if isinstance(lowered, Name) else "",
            intern(node.type.removesuffix("_specifier")),
            (),
            lowered.arguments if isinstance(lowered, Name) else None,
            tuple(bases),
            walk.block(body),
            OFFSETS[node.start_byte + walk.shift],
            OFFSETS[node.end_byte + walk.shift],
        )
    )


def _enum(walk: Walk, node: Node, into: list[Statement]) -> None:
    body = node.child_by_field_id(fields.BODY)
    if body is None:
        return
    name = node.child_by_field_id(fields.NAME)
    underlying = node.child_by_field_id(fields.BASE)
    enumerators = []
    for entry in body.named_children:
        if entry.kind_id in _ENUMERATOR:
            label = entry.child_by_field_id(fields.NAME)
            value = entry.child_by_field_id(fields.VALUE)
            if label is not None:
                enumerators.append(
                    Enumerator(
                        walk.string(label),
                        walk.expression(value) if value is not None else None,
                        OFFSETS[entry.start_byte + walk.shift],
                        OFFSETS[entry.end_byte + walk.shift],
                    )
                )
    into.append(
        Enum(
            walk.squeezed(name) if name is not None else "",
            any(child.kind_id in _SCOPED for child in node.children),
            as_type(walk.expression(underlying)) if underlying is not None else None,
            tuple(enumerators),
            OFFSETS[node.start_byte + walk.shift],
            OFFSETS[node.end_byte + walk.shift],
        )
    )


def _alias(walk: Walk, node: Node, into: list[Statement]) -> None:
    name = node.child_by_field_id(fields.NAME)
    kind = node.child_by_field_id(fields.TYPE)
    if name is not None and kind is not None:
        into.append(
            Alias(
                walk.string(name),
                as_type(walk.expression(kind)),
                (),
                OFFSETS[node.start_byte + walk.shift],
                OFFSETS[node.end_byte + walk.shift],
            )
        )


def _typedef(walk: Walk, node: Node, into: list[Statement]) -> None:
    named = node.child_by_field_id(fields.TYPE)
    if named is None:
        return
    kind, _ = type_of(walk, node)
    declarators = node.children_by_field_id(fields.DECLARATOR)
    if named.kind_id in DEFINITIONS:
        first = len(into)
        walk.statement(named, into)
        if declarators and first < len(into):
            declared = into[first]
            if isinstance(declared, Struct | Enum) and not declared.name:
                into[first] = replace(declared, name=walk.squeezed(declarators[0]))
                declarators = declarators[1:]
    for declarator in declarators:
        full, name, function = unwrap(walk, kind, declarator)
        if name is not None and function is None:
            start, end = OFFSETS[node.start_byte + walk.shift], OFFSETS[node.end_byte + walk.shift]
            into.append(Alias(walk.squeezed(name), full, (), start, end))


def _using(walk: Walk, node: Node, into: list[Statement]) -> None:
    names = node.named_children
    if not names:
        return
    text = walk.squeezed(names[-1])
    start, end = OFFSETS[node.start_byte + walk.shift], OFFSETS[node.end_byte + walk.shift]
    if any(child.kind_id in _NAMESPACE for child in node.children):
        into.append(UsingNamespace(text, start, end))
    else:
        into.append(UsingName(text, start, end))


def _namespace_alias(walk: Walk, node: Node, into: list[Statement]) -> None:
    names = node.named_children
    if len(names) >= 2:
        start, end = OFFSETS[node.start_byte + walk.shift], OFFSETS[node.end_byte + walk.shift]
        into.append(NamespaceAlias(walk.squeezed(names[0]), walk.squeezed(names[-1]), start, end))


def _namespace(walk: Walk, node: Node, into: list[Statement]) -> None:
    name = node.child_by_field_id(fields.NAME)
    body = node.child_by_field_id(fields.BODY)
    if body is None:
        return
    start, end = OFFSETS[node.start_byte + walk.shift], OFFSETS[node.end_byte + walk.shift]
    block = walk.block(body)
    inline = any(child.kind_id in _INLINE for child in node.children)
    outer, _, last = (walk.squeezed(name) if name is not None else "").rpartition("::")
    while outer:
        made = Namespace(last.removeprefix("inline ").strip(), block, start, end, last.startswith("inline "))
        block = Block((made,), block.start, block.end)
        outer, _, last = outer.rpartition("::")
    into.append(Namespace(last.strip(), block, start, end, inline))


def _friend(walk: Walk, node: Node, into: list[Statement]) -> None:
    declared: list[Statement] = []
    for child in node.named_children:
        walk.statement(child, declared)
    start, end = OFFSETS[node.start_byte + walk.shift], OFFSETS[node.end_byte + walk.shift]
    into.extend(Friend(each, start, end) for each in declared if isinstance(each, Function))


def _linkage(walk: Walk, node: Node, into: list[Statement]) -> None:
    body = node.child_by_field_id(fields.BODY)
    if body is None:
        return
    if body.kind_id in _DECLARATION_LIST:
        block = walk.block(body)
    else:
        inner: list[Statement] = []
        walk.statement(body, inner)
        block = Block(tuple(inner), OFFSETS[body.start_byte + walk.shift], OFFSETS[body.end_byte + walk.shift])
    into.append(Namespace("extern", block, OFFSETS[node.start_byte + walk.shift], OFFSETS[node.end_byte + walk.shift]))


STATEMENTS: Mapping[str, LowerStatement] = {
    "struct_specifier": _struct,
    "class_specifier": _struct,
    "union_specifier": _struct,
    "enum_specifier": _enum,
    "alias_declaration": _alias,
    "type_definition": _typedef,
    "using_declaration": _using,
    "namespace_alias_definition": _namespace_alias,
    "namespace_definition": _namespace,
    "friend_declaration": _friend,
    "linkage_specification": _linkage,
}
"""Functions by the node types they lower."""
