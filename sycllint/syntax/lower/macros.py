"""The bodies of macros, parsed on their own and put back at their offsets."""

import re
from collections.abc import Mapping
from typing import Any

from sycllint.cpp.expression import Expr, Name, Number, Opaque
from sycllint.cpp.node import Node, rebuilt
from sycllint.cpp.statement import Block, Declaration, Evaluate, Function, Variable
from sycllint.syntax.lower.walk import Walk
from sycllint.syntax.normalize import decorations_blanked
from sycllint.syntax.parser import parse

# Longer bodies are generated tables.
_MAX_LENGTH = 65536

_CONTINUATION = re.compile(rb"\\(\r?\n)")
_COMMENT = re.compile(rb"//[^\n]*|/\*.*?(?:\*/|\Z)", re.DOTALL)
_NOT_NEWLINE = re.compile(rb"[^\r\n]")
# Text that starts with # is made a string, which the grammar would take for a directive.
_WORTH_PARSING = re.compile(rb"\s*[^\s#].*?[\w(]|\s*[\w(]", re.DOTALL)
# What half of all macros stand for.
_NUMBER = re.compile(rb"\s*(\d+|\d+\.\d+f?|0[xX][0-9a-fA-F]+)[ \t\r]*")
# ``{ constexpr int B = 64; body }``: a parameter that stands for statements needs no semicolon.
_STATEMENTS = re.compile(rb"(?<=[;{}])(\s*\w+)\s(?=\s*\})")
# ``[=](sycl::nd_item<1> it) __VA_ARGS__``: a parameter that stands for the body of a lambda.
_HEADS = re.compile(
    rb"\[[^\[\]]*\]\s*\((?:[^()]|\([^()]*\))*+\)\s*(?:mutable\s+|\[\[[^\[\]]*\]\]\s*)*(?!(?:mutable|noexcept|const|constexpr)\b)([A-Za-z_]\w+)"
    rb"(?=\s*[,)]|\s*\Z)"
)
# What follows an ``if`` statement before it.
_ELSE = re.compile(rb"\A\s*else\b")
_FUNCTION = b"void f(){"
_INITIALIZER = b"auto v=("


def body_of(walk: Walk, raw: bytes, start: int) -> tuple[Expr | None, Block | None]:
    """What a macro stands for: an expression, else statements, else neither. ``start`` is the body's offset."""
    if not raw or not _WORTH_PARSING.match(raw) or len(raw) > _MAX_LENGTH:
        return None, None
    number = _NUMBER.fullmatch(raw)
    if number is not None:
        return Number(number[1].decode(), start + number.start(1), start + number.end(1)), None
    text = decorations_blanked(_CONTINUATION.sub(rb" \1", raw))
    if b"//" in text or b"/*" in text:
        text = _COMMENT.sub(lambda match: _NOT_NEWLINE.sub(b" ", match[0]), text)
    bodies: dict[int, str] = {}

    def braces(head: re.Match[bytes]) -> bytes:
        bodies[start + head.start(1)] = head[1].decode()
        return head[0][: -len(head[1])] + b"{".ljust(len(head[1]) - 1) + b"}"

    if b"[" in text:
        text = _HEADS.sub(braces, text)
    value, statements = _read(walk, text, start)
    return _with_bodies(value, bodies), _with_bodies(statements, bodies)


def _read(walk: Walk, text: bytes, start: int) -> tuple[Expr | None, Block | None]:
    value = _value(walk, text, start)
    if value is not None:
        return value, None
    text = _ELSE.sub(lambda match: b" " * len(match[0]), text)
    statements = _statements(walk, text, start)
    ended = text if statements is not None else _STATEMENTS.sub(rb"\1;", text)
    return None, statements if ended == text else _statements(walk, ended, start)


def block_of(walk: Walk, text: bytes, start: int) -> Block | None:
    """The block that ``text`` is, whose offset is ``start``."""
    around = _statements(walk, text, start)
    only = around.statements[0] if around is not None and around.statements else None
    return only if isinstance(only, Block) else None


def _with_bodies(node: Any, bodies: Mapping[int, str]) -> Any:
    """``node`` with names for the empty blocks at these offsets."""

    def change(each: Node) -> Node | None:
        name = bodies.get(each.start) if isinstance(each, Block) and not each.statements else None
        if name is None or not isinstance(each, Block):
            return None
        first, last = each.start, each.start + len(name)
        return Block((Evaluate(Name(name, None, None, first, last), first, last),), first, last)

    return rebuilt(node, change) if bodies and node is not None else node


def _value(walk: Walk, text: bytes, start: int) -> Expr | None:
    lowered = _lowered(walk, _INITIALIZER, text, b"\n);", start)
    match lowered:
        case Block(statements=(Declaration(variables=(Variable(arguments=(Opaque(kind="compound_statement"),)),)),)):
            # Between parentheses, braces are an extension of GNU C.
            return None
        case Block(statements=(Declaration(variables=(Variable(arguments=(value,)),)),)):
            return value
        case _:
            return None


def _statements(walk: Walk, text: bytes, start: int) -> Block | None:
    lowered = _lowered(walk, _FUNCTION, text, b"\n;}", start)
    match lowered:
        case Block(statements=(Function(body=body),)):
            return body
        case _:
            return None


def _lowered(walk: Walk, before: bytes, text: bytes, after: bytes, start: int) -> Block | None:
    wrapped = before + text + after
    root = parse(wrapped).root_node
    return None if root.has_error else walk.afresh(wrapped, start - len(before)).unit(root)
