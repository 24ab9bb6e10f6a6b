"""Where control does not go on: returns, jumps and functions that end the program."""

from collections.abc import Iterator
from typing import Protocol, get_args

from sycllint.cpp.expression import Call, Lambda, Name
from sycllint.cpp.node import Node, children
from sycllint.cpp.statement import (
    Block,
    Evaluate,
    Function,
    If,
    Jump,
    Loop,
    RangeLoop,
    Return,
    Statement,
    Struct,
    Switch,
)
from sycllint.values.library import ENDS

_ORDERED = frozenset(get_args(Statement)) - {Function, Struct}
"""Statements that run where they stand."""


class Defined(Protocol):
    """Names that the project gives functions of its own."""

    def __contains__(self, name: str, /) -> bool: ...


def leaves(block: Block, defined: Defined = frozenset()) -> bool:
    """Whether control never reaches what follows this block; functions in ``defined`` only look like exits."""
    return bool(block.statements) and jumps(block.statements[-1], defined)


def jumps(statement: Statement, defined: Defined = frozenset()) -> bool:
    """Whether control never reaches what follows ``statement``."""
    match statement:
        case Return() | Jump():
            return True
        case Evaluate(expression=Call(function=Name() as function)):
            return (
                function.last in ENDS
                and function.qualifier.removeprefix("::") in ("", "std")
                and (function.qualifier == "std" or function.last not in defined)
            )
        case Block():
            return leaves(statement, defined)
        case If(then=then, otherwise=otherwise):
            return otherwise is not None and leaves(then, defined) and leaves(otherwise, defined)
        case _:
            return False


def returns(block: Block, defined: Defined = frozenset()) -> bool:
    """Whether a switch case leaves the function, or ends the program."""
    if not block.statements:
        return False
    last = block.statements[-1]
    return jumps(last, defined) and not (isinstance(last, Jump) and last.keyword == "break")


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
