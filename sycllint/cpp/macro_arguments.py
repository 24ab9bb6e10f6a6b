"""Expressions of a macro's text with the arguments of its use, as messages show them."""

from __future__ import annotations

from typing import TypeGuard

from sycllint.cpp.expression import Call, Expr, Name, Opaque
from sycllint.cpp.node import Node, rebuilt
from sycllint.cpp.place import Place
from sycllint.cpp.statement import Macro


def is_braced(argument: Expr) -> TypeGuard[Opaque]:
    """Whether an argument is statements in braces."""
    return isinstance(argument, Opaque) and argument.kind == "compound_statement"


def with_arguments(expression: Expr, place: Place) -> Expr:
    """``expression`` at ``place``; within the text of a macro, with what its use gives for the parameters.

    What it returns is for reading: it stands nowhere as a whole.
    """
    inner: Place = place
    while inner.outer is not None:
        if isinstance(inner.node, Macro) and isinstance(inner.outer.node, Call):
            expression = substituted(expression, inner.node, inner.outer.node)
        inner = inner.outer
    return expression


def substituted(expression: Expr, macro: Macro, use: Call) -> Expr:
    """``expression`` with the arguments of ``use`` for the parameters that the text of ``macro`` names."""
    if not macro.parameters:
        return expression
    given = dict(macro.handed(use.arguments))

    def argument(node: Node) -> Node | None:
        if not isinstance(node, Name) or not node.is_plain:
            return None
        is_parameter = node.text in given and macro.start <= node.start < macro.end
        return given[node.text] if is_parameter else node

    made = rebuilt(expression, argument)
    assert isinstance(made, Expr)
    return made
