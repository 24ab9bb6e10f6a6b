"""Where control does not go on: returns, jumps and functions that end the program."""

from collections.abc import Iterator
from typing import Protocol, get_args

from sycllint.cpp.expression import Call, Expr, Lambda, Name
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


class Ending(Protocol):
    """What is known of functions and macros that do not return."""

    def never_returns(self, expression: Expr, /) -> bool:
        """Whether control does not go on after ``expression``, a statement by itself."""
        ...


def ends_program(function: Name) -> bool:
    """Whether a name is that of a function of the libraries that does not return."""
    return function.last in ENDS and function.qualifier.removeprefix("::") in ("", "std")


def leaves(block: Block, ending: Ending | None = None) -> bool:
    """Whether control never reaches what follows this block.

    Without ``ending``, a project's own functions and macros are taken to return.
    """
    return bool(block.statements) and jumps(block.statements[-1], ending)


def jumps(statement: Node, ending: Ending | None = None) -> bool:
    """Whether control never reaches what follows ``statement``."""
    match statement:
        case Return() | Jump():
            return True
        case Evaluate(expression=expression) if ending is not None:
            return ending.never_returns(expression)
        case Evaluate(expression=Call(function=Name() as function)):
            return ends_program(function)
        case Block():
            return leaves(statement, ending)
        case If(then=then, otherwise=otherwise):
            return otherwise is not None and leaves(then, ending) and leaves(otherwise, ending)
        case Loop(keyword="do", body=body):
            return not breaks(body) and leaves(body, ending)
        case _:
            return False


def returns(block: Block, ending: Ending | None = None) -> bool:
    """Whether a switch case leaves the function, or ends the program."""
    if not block.statements:
        return False
    last = block.statements[-1]
    return jumps(last, ending) and not (isinstance(last, Jump) and last.keyword == "break")


def breaks(body: Block) -> bool:
    """Whether a loop may be left, or begun anew, from inside its body."""
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
