"""Jumps in code, by their keywords alone: what leaves a loop, a ``switch`` case or a function early."""

from collections.abc import Iterator
from typing import get_args

from sycllint.cpp.expression import Lambda
from sycllint.cpp.node import Node, children
from sycllint.cpp.statement import (
    Block,
    Function,
    Jump,
    Loop,
    RangeLoop,
    Return,
    Statement,
    Struct,
    Switch,
)

_ORDERED = frozenset(get_args(Statement)) - {Function, Struct}
"""Statements that run where they stand."""


def breaks(body: Block) -> bool:
    """Whether a loop may be left, or continued, from inside its body."""
    stack: list[Node] = [body]
    while stack:
        for child in children(stack.pop()):
            if isinstance(child, Jump) and child.keyword in ("break", "continue"):
                return True
            if not isinstance(child, Loop | RangeLoop | Lambda | Struct | Function):
                stack.append(child)
    return False


def breaks_early(body: Block) -> bool:
    """Whether a switch case may be left by a ``break`` before its last statement."""
    inner = body.statements[:-1] if body.statements and isinstance(body.statements[-1], Jump) else body.statements
    return any(_breaks(each) for each in inner)


def _breaks(node: Node) -> bool:
    if isinstance(node, Jump):
        return node.keyword == "break"
    if isinstance(node, Loop | RangeLoop | Switch | Lambda | Struct | Function):
        return False
    return any(_breaks(each) for each in children(node))


def leaps(body: Node) -> Iterator[Jump]:
    """The ``goto`` statements of a function."""
    stack = [body]
    while stack:
        for child in children(stack.pop()):
            if isinstance(child, Jump):
                if child.keyword == "goto":
                    yield child
            elif type(child) in _ORDERED:
                stack.append(child)


def returns_early(body: Block) -> bool:
    """Whether a function may return before its last statement."""
    last = body.statements[-1] if body.statements else None
    stack: list[Node] = [each for each in body.statements if each is not last or not isinstance(each, Return)]
    while stack:
        node = stack.pop()
        if isinstance(node, Return):
            return True
        if not isinstance(node, Lambda | Struct | Function):
            stack.extend(children(node))
    return False
