"""Expressions of a macro's text with the arguments of its use, as messages show them."""

from __future__ import annotations

from typing import Any

from sycllint.cpp.expression import Call, Expr, Name
from sycllint.cpp.node import Node
from sycllint.cpp.place import Place
from sycllint.cpp.statement import Macro


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
    made = _with(expression, macro, given)
    assert isinstance(made, Expr)
    return made


def _with(node: Node, macro: Macro, given: dict[str, Expr]) -> Node:
    if isinstance(node, Name) and node.is_plain:
        is_parameter = node.text in given and macro.start <= node.start < macro.end
        return given[node.text] if is_parameter else node
    values: list[Any] = [getattr(node, name) for name in node.__slots__]
    changed = [_value_with(each, macro, given) for each in values]
    if all(new is old for new, old in zip(changed, values, strict=True)):
        return node
    return type(node)(*changed)


def _value_with(value: Any, macro: Macro, given: dict[str, Expr]) -> Any:
    """A field of a node: a node, a list of them, or neither."""
    if isinstance(value, Node):
        return _with(value, macro, given)
    if isinstance(value, tuple) and any(isinstance(each, Node) for each in value):
        made = tuple([_value_with(each, macro, given) for each in value])
        return value if all(new is old for new, old in zip(made, value, strict=True)) else made
    return value
