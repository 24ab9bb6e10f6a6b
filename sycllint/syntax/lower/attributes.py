"""Attributes in both spellings, wherever the grammar hangs them."""

from collections.abc import Iterable, Iterator

from tree_sitter import Node

from sycllint.cpp.expression import Attribute, Call, Name
from sycllint.syntax import fields
from sycllint.syntax.kinds import kinds
from sycllint.syntax.lower.macros import body_of
from sycllint.syntax.lower.offsets import OFFSETS
from sycllint.syntax.lower.walk import Walk
from sycllint.syntax.normalize import Applied

ATTRIBUTES = kinds("attribute_declaration", "attribute_specifier")
"""Types of node that hold attributes."""

_DECLARATIONS = kinds("attribute_declaration")
_ATTRIBUTE = kinds("attribute")
_LIST = kinds("argument_list")


def collect_attributes(walk: Walk, node: Node, into: list[Attribute]) -> None:
    """Collect ``[[…]]`` and ``__attribute__((…))``; a clang-format split attribute has been joined before parsing."""
    kind = node.kind_id
    if kind not in ATTRIBUTES:
        return
    if kind in _DECLARATIONS:
        for attribute in node.named_children:
            if attribute.kind_id not in _ATTRIBUTE:
                continue
            prefix = attribute.child_by_field_id(fields.PREFIX)
            name = attribute.child_by_field_id(fields.NAME)
            if name is None:
                continue
            listed = next((each for each in attribute.named_children if each.kind_id in _LIST), None)
            text = walk.string(name)
            into.append(
                Attribute(
                    f"{walk.string(prefix)}::{text}" if prefix is not None else text,
                    walk.inside(listed) if listed is not None else (),
                    OFFSETS[attribute.start_byte + walk.shift],
                    OFFSETS[attribute.end_byte + walk.shift],
                )
            )
    else:
        for listed in node.named_children:
            if listed.kind_id not in _LIST:
                continue
            for entry in walk.inside(listed):
                if isinstance(entry, Call) and isinstance(entry.function, Name):
                    into.append(Attribute(entry.function.text, entry.arguments, entry.start, entry.end))
                elif isinstance(entry, Name):
                    into.append(Attribute(entry.text, (), entry.start, entry.end))


def applied_macros(walk: Walk, node: Node, into: list[Attribute]) -> None:
    """Collect the macros in place of attributes that belong to the body or the call operator at ``node``."""
    for text, offset in _entries(walk.applied.get(OFFSETS[node.start_byte + walk.shift], ())):
        match body_of(walk, text, offset)[0]:
            case Call(function=Name(text=name), arguments=arguments, start=start, end=end):
                into.append(Attribute(name, arguments, start, end))
            case Name(text=name, start=start, end=end):
                into.append(Attribute(name, (), start, end))
            case _:
                pass


def _entries(applied: Iterable[Applied]) -> Iterator[tuple[bytes, int]]:
    """Each macro, and each attribute of those in brackets, with its offset."""
    for each in applied:
        if not each.text.startswith(b"[["):
            yield each.text, each.offset
            continue
        depth, start = 0, 2
        for position in range(2, len(each.text) - 1):
            byte = each.text[position : position + 1]
            depth += (byte in b"([") - (byte in b")]")
            if (byte == b"," and depth == 0) or depth < 0:
                yield each.text[start:position].strip(), each.offset + start
                start = position + 1
