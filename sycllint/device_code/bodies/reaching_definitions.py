"""The definition of a variable that reaches a use: what it was last set to, where straight code leads from there.

``int i = id; i = i * 16; a[i]`` reads 16 ids. A branch, a loop, an alias or a macro that may change the variable on the
way leaves it without one.
"""

from __future__ import annotations

from collections.abc import Iterator

from sycllint.cpp.expression import Assign, Binary, Expr, Increment, Lambda, Name, Number
from sycllint.cpp.node import Node
from sycllint.cpp.place import Place
from sycllint.cpp.statement import (
    STATIC,
    Block,
    Declaration,
    Evaluate,
    If,
    Include,
    Loop,
    Macro,
    RangeLoop,
    Return,
    Statement,
    Switch,
    Try,
    Variable,
)
from sycllint.record import record
from sycllint.values.declarations import end_of, outside
from sycllint.values.evaluate import Evaluator
from sycllint.values.objects import Point
from sycllint.values.side_effects.mutation import Mutations


@record
class ReachingDefinition:
    """A declaration with an initialiser, or an assignment, whose value a variable still has."""

    node: Variable | Assign | Increment
    place: Place
    """What is around it: the names in ``value`` are read there."""

    @property
    def value(self) -> Expr | None:
        """What the variable is set to, ``i * 16`` for ``i *= 16``; ``None`` when it is constructed otherwise."""
        match self.node:
            case Variable(arguments=(only,)):
                return only
            case Assign(operator="=", right=right):
                return right
            case Assign(operator=operator, left=left, right=right, start=start, end=end):
                return Binary(operator[:-1], left, right, start, end)
            case Increment(operator=operator, operand=operand, start=start, end=end):
                return Binary(operator[0], operand, Number("1", start, start), start, end)
            case _:
                return None


def definition(evaluator: Evaluator, variable: Variable, scope: Place, point: Point) -> ReachingDefinition | None:
    """The definition of ``variable``, declared in ``scope``, that reaches ``point``; ``None`` when that is not sure."""
    text, mutations = variable.name, evaluator.mutations
    if variable.flags & STATIC or variable.type.reference:
        return None
    if variable.type.constant and not variable.type.pointers:
        return ReachingDefinition(variable, scope)
    changes = [mutations.of(each) for each in _in_scope(scope.node)]
    macros = evaluator.lookup.macro_statements
    if any(f"&{text}" in each for each in changes) or (macros.exist and macros.changing(text, point) is not None):
        return None
    if not any(text in each for each in changes):
        return ReachingDefinition(variable, scope)
    inside_lambda = any(isinstance(each.node, Lambda) for each in point.place.within(scope.node))
    return None if inside_lambda or evaluator.facts.has_goto else _last(mutations, variable, scope, point)


def _in_scope(scope: Node) -> Iterator[Node]:
    """What runs in the scope of a variable, without its own declaration where that is in the head of a statement."""
    match scope:
        case Block(statements=statements):
            yield from statements
        case Loop(condition=condition, update=update, body=body):
            yield from (each for each in (condition, update, body) if each is not None)
        case If(condition=condition, then=then, otherwise=otherwise):
            yield from (each for each in (condition, then, otherwise) if each is not None)
        case _:
            yield scope


def _last(mutations: Mutations, variable: Variable, scope: Place, point: Point) -> ReachingDefinition | None:
    """The last definition in the statements before ``point``, going outwards to ``scope``."""
    place: Place | None = point.place
    offset = point.offset
    while place is not None:
        node = place.node
        if isinstance(node, Block):
            for statement in reversed(node.statements):
                if statement.start >= offset:
                    continue
                if isinstance(statement, Declaration) and variable in statement.variables:
                    return ReachingDefinition(variable, place) if variable.name not in mutations.of(statement) else None
                if end_of(statement) > offset:
                    if variable.name in _changed_around(mutations, statement, variable.name):
                        return None
                elif variable.name in mutations.of(statement):
                    return _set_by(mutations, statement, variable.name, place)
        if node is scope.node or _may_change(mutations, node, variable.name):
            return None
        if isinstance(node, Macro | Include):
            used = outside(place)
            if used is None:
                return None
            offset = used
        place = place.outer
    return None


def _changed_around(mutations: Mutations, statement: Statement, text: str) -> frozenset[str]:
    """What the statement that holds the use may change before it is read; of larger ones, their parts are asked."""
    match statement:
        case Evaluate(expression=Assign(left=Name(text=target), right=right)) if target == text:
            return mutations.of(right)
        case Evaluate(expression=Increment(operand=Name(text=target))) if target == text:
            return frozenset()
        case Evaluate() | Declaration() | Return():
            return mutations.of(statement)
        case _:
            return frozenset()


def _set_by(mutations: Mutations, statement: Statement, text: str, place: Place) -> ReachingDefinition | None:
    """A statement that does nothing but set the variable, as its definition."""
    match statement:
        case Evaluate(expression=Assign(left=Name(text=target), right=right) as assign) if target == text:
            return ReachingDefinition(assign, place) if text not in mutations.of(right) else None
        case Evaluate(expression=Increment(operand=Name(text=target)) as increment) if target == text:
            return ReachingDefinition(increment, place)
        case _:
            return None


def _may_change(mutations: Mutations, node: Node, text: str) -> bool:
    """Whether what is around the use may have changed the variable since the statements before it."""
    match node:
        case If(condition=condition, initializer=initializer):
            changed = mutations.condition(condition) if condition is not None else frozenset[str]()
            return text in (changed if initializer is None else changed | mutations.of(initializer))
        case Loop() | RangeLoop() | Switch() | Try():
            return text in mutations.of(node)
        case _:
            return False
