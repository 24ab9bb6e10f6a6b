"""Attributes in both spellings, wherever the grammar hangs them."""

from tree_sitter import Node

from sycllint.cpp.expression import Attribute, Call, Name
from sycllint.syntax.lower.walk import Walk


def collect_attributes(walk: Walk, node: Node, into: list[Attribute]) -> None:
    """Collect ``[[…]]`` and ``__attribute__((…))``; a clang-format split attribute has been mended before parsing."""
    if node.type == "attribute_declaration":
        for attribute in node.named_children:
            if attribute.type != "attribute":
                continue
            prefix = walk.child(attribute, "prefix")
            name = walk.child(attribute, "name")
            if name is None:
                continue
            listed = next((each for each in attribute.named_children if each.type == "argument_list"), None)
            text = walk.string(name)
            into.append(
                Attribute(
                    f"{walk.string(prefix)}::{text}" if prefix is not None else text,
                    walk.expressions(listed.named_children) if listed is not None else (),
                    attribute.start_byte + walk.shift,
                    attribute.end_byte + walk.shift,
                )
            )
    elif node.type == "attribute_specifier":
        for listed in node.named_children:
            if listed.type != "argument_list":
                continue
            for entry in walk.expressions(listed.named_children):
                if isinstance(entry, Call) and isinstance(entry.function, Name):
                    into.append(Attribute(entry.function.text, entry.arguments, entry.start, entry.end))
                elif isinstance(entry, Name):
                    into.append(Attribute(entry.text, (), entry.start, entry.end))
