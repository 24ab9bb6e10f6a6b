"""Conditionals, includes, macros and pragmas."""

from collections.abc import Mapping

from tree_sitter import Node

from sycllint.cpp.statement import REST, Arm, Include, Macro, Pragma, Statement, Undefine, Variants
from sycllint.syntax import fields
from sycllint.syntax.kinds import kinds
from sycllint.syntax.lower.macros import body_of
from sycllint.syntax.lower.offsets import OFFSETS
from sycllint.syntax.lower.walk import LowerStatement, Walk, one_line

_IDENTIFIER = kinds("identifier")
_ELLIPSIS = kinds("...")


def _preproc_if(walk: Walk, node: Node, into: list[Statement]) -> None:
    arms: list[Arm] = []
    current: Node | None = node
    while current is not None:
        head = current.child_by_field_id(fields.NAME) or current.child_by_field_id(fields.CONDITION)
        alternative = current.child_by_field_id(fields.ALTERNATIVE)
        keyword = current.children[0].type.lstrip("#") if current.children else "else"
        inside = [
            child
            for child in current.named_children
            if (head is None or child.start_byte != head.start_byte)
            and (alternative is None or child.start_byte != alternative.start_byte)
        ]
        condition = walk.squeezed(head) if head is not None else ""
        arms.append(Arm(keyword.strip(), condition, walk.block_of(inside, current)))
        current = alternative
    into.append(Variants(tuple(arms), OFFSETS[node.start_byte + walk.shift], OFFSETS[node.end_byte + walk.shift]))


def _include(walk: Walk, node: Node, into: list[Statement]) -> None:
    path = node.child_by_field_id(fields.PATH)
    if path is not None:
        text = walk.string(path)
        start, end = OFFSETS[path.start_byte + walk.shift], OFFSETS[path.end_byte + walk.shift]
        into.append(Include(text.strip('"<>'), text.startswith('"'), start, end))


def _define(walk: Walk, node: Node, into: list[Statement]) -> None:
    name = node.child_by_field_id(fields.NAME)
    if name is None:
        return
    body = node.child_by_field_id(fields.VALUE)
    listed = node.child_by_field_id(fields.PARAMETERS)
    parameters = None
    if listed is not None:
        parameters = tuple(walk.string(each) for each in listed.named_children if each.kind_id in _IDENTIFIER)
        if any(each.kind_id in _ELLIPSIS for each in listed.children):
            parameters += (REST,)
    raw = walk.source[body.start_byte : body.end_byte] if body is not None else b""
    start = (body.start_byte if body is not None else name.end_byte) + walk.shift
    value, block = body_of(walk, raw, start)
    into.append(
        Macro(
            walk.string(name),
            parameters,
            one_line(raw.decode(errors="replace").replace("\\\n", " ").replace("\\\r\n", " ")),
            value,
            block,
            OFFSETS[name.start_byte + walk.shift],
            start + len(raw),
        )
    )


def _preproc_call(walk: Walk, node: Node, into: list[Statement]) -> None:
    directive = node.child_by_field_id(fields.DIRECTIVE)
    argument = node.child_by_field_id(fields.ARGUMENT)
    text = walk.squeezed(argument) if argument is not None else ""
    start, end = OFFSETS[node.start_byte + walk.shift], OFFSETS[node.end_byte + walk.shift]
    word = walk.string(directive) if directive is not None else ""
    if word.endswith("undef"):
        into.append(Undefine(text, start, end))
    elif word.endswith("pragma"):
        into.append(Pragma(text, start, end))


STATEMENTS: Mapping[str, LowerStatement] = {
    "preproc_if": _preproc_if,
    "preproc_ifdef": _preproc_if,
    "preproc_include": _include,
    "preproc_def": _define,
    "preproc_function_def": _define,
    "preproc_call": _preproc_call,
}
"""Functions by the node types they lower."""
