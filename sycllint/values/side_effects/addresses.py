"""Functions that are given the address of a variable, read as if they took a reference: ``*n = 4`` as ``n = 4``."""

from __future__ import annotations

from sycllint.cpp.expression import Lambda, Name, Type, Unary
from sycllint.cpp.node import Node, rebuilt, walk
from sycllint.cpp.statement import Function
from sycllint.record import replace


def by_reference(function: Function, index: int) -> Function | None:
    """``function`` with a reference in the place of a pointer; ``None`` when it does more than to dereference that."""
    parameter = function.parameters[index] if index < len(function.parameters) else None
    if parameter is None or function.body is None or not parameter.name or parameter.pack:
        return None
    kind, text = parameter.type, parameter.name
    if kind.pointers != 1 or kind.constant or kind.reference or kind.extents or function.initializers:
        return None
    inside = list(walk(function.body))
    followed = {id(each.operand) for each in inside if isinstance(each, Unary) and each.operator == "*"}
    named = [each for each in inside if isinstance(each, Name) and each.text == text]
    if any(id(each) not in followed for each in named) or any(isinstance(each, Lambda) for each in inside):
        return None

    def followed_there(node: Node) -> Node | None:
        return node.operand if isinstance(node, Unary) and any(node.operand is each for each in named) else None

    taken = replace(parameter, type=Type(kind.name, 0, True, False, (), kind.start, kind.end))
    parameters = (*function.parameters[:index], taken, *function.parameters[index + 1 :])
    return replace(function, parameters=parameters, body=rebuilt(function.body, followed_there))
