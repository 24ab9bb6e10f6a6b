"""How loops change variables: the assignments in each, and those that happen once in every iteration."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from sycllint.cpp.expression import (
    Assign,
    Binary,
    Call,
    Expr,
    Increment,
    Member,
    Name,
    Number,
    Unary,
)
from sycllint.cpp.node import Node, walk
from sycllint.cpp.statement import Declaration, Evaluate, Jump, Loop, RangeLoop
from sycllint.record import singular
from sycllint.values.evaluate import Evaluator
from sycllint.values.memory import Answers

FLIP = "flip"
"""The operator of ``x = n - x``, which has two values in turn."""
_TWO = frozenset({("%", "2"), ("&", "1")})
"""What keeps the numbers 0 and 1 when one is added."""
TURN = "turn"
"""The operator of ``x = (x + 1) % 2``, which is one of ``x = 1 - x`` where it starts with 0 or 1."""
Update: TypeAlias = Assign | Increment


@singular
class LoopUpdates:
    """What one loop assigns to."""

    updates: dict[str, list[Update]]
    """The assignments to each name, anywhere in the loop."""
    continues: bool
    """Something jumps over the rest of an iteration."""


_known: Answers[Node, LoopUpdates] = Answers()
"""By loop."""


def changes(evaluator: Evaluator, loop: Loop | RangeLoop) -> LoopUpdates:
    """What ``loop`` assigns to, worked out once."""
    return _known.of(evaluator, loop, lambda: _changes(loop))


def _changes(loop: Loop | RangeLoop) -> LoopUpdates:
    found = LoopUpdates({}, False)
    heads = (loop.condition, loop.update) if isinstance(loop, Loop) else ()
    for each in (*heads, loop.body):
        for node in walk(each) if each is not None else ():
            match node:
                case Assign(left=Name(text=text)) | Increment(operand=Name(text=text)):
                    found.updates.setdefault(text, []).append(node)
                case Jump(keyword="continue"):
                    found.continues = True
                case _:
                    pass
    return found


def plain_update(found: LoopUpdates, loop: Loop, name: str) -> tuple[str, Expr] | None:
    """Operator and right side of the one assignment to ``name`` that every iteration makes once."""
    updates = found.updates.get(name, [])
    if len(updates) != 1 or not _runs_always(updates[0], loop, found):
        return None
    return step(_resolved(updates[0], loop, found), name)


def _resolved(update: Update, loop: Loop, found: LoopUpdates) -> Update:
    """``buffer = next`` as ``buffer = 1 - buffer`` where the body begins with ``int next = 1 - buffer``."""
    match update:
        case Assign(operator="=", left=Name() as left, right=Name(text=text)) if text not in found.updates:
            declared = [
                variable
                for statement in loop.body.statements
                if isinstance(statement, Declaration)
                for variable in statement.variables
                if variable.name == text and not variable.type.reference
            ]
            if len(declared) == 1 and len(declared[0].arguments) == 1 and declared[0].end < update.start:
                return Assign("=", left, declared[0].arguments[0], update.start, update.end)
    return update


def _runs_always(update: Node, loop: Loop, found: LoopUpdates) -> bool:
    """Whether it is the loop's own update, or a statement of its body that no ``continue`` jumps over."""
    if loop.update is not None and any(each is update for each in _commas(loop.update)):
        return True
    if found.continues:
        return False
    return any(isinstance(each, Evaluate) and each.expression is update for each in loop.body.statements)


def acts(node: Node) -> bool:
    """Whether it calls something that may do more than give an id or a range."""
    if not isinstance(node, Call):
        return False
    function = node.function
    return not (isinstance(function, Member) and (function.name.startswith("get") or function.name == "size"))


def _commas(node: Expr) -> Iterator[Expr]:
    if isinstance(node, Binary) and node.operator == ",":
        yield from _commas(node.left)
        yield from _commas(node.right)
    else:
        yield node


def step(update: Node, name: str) -> tuple[str, Expr] | None:
    """Operator and right side of ``name op= …``, also when it is written ``name = name op …``."""
    match update:
        case Increment(operator=operator):
            return operator[0], Number("1", 0, 0)
        case Assign(operator="=", right=Binary(operator=operator, left=Name(text=text), right=right)) if text == name:
            return operator, right
        case Assign(operator="=", right=Binary(operator="+", left=left, right=Name(text=text))) if text == name:
            return "+", left
        case Assign(operator="=", right=Binary(operator="-", left=left, right=Name(text=text))) if text == name:
            return FLIP, left
        case Assign(operator="=", right=Unary(operator="!", operand=Name(text=text))) if text == name:
            return FLIP, Number("1", 0, 0)
        case Assign(
            operator="=",
            right=Binary(
                operator="%" | "&" as wrap,
                left=Binary(operator="+", left=Name(text=text), right=Number(text="1")),
                right=Number(text=size),
            ),
        ) if text == name and (wrap, size) in _TWO:
            return TURN, Number("1", 0, 0)
        case Assign(operator=operator, right=right) if operator != "=":
            return operator.removesuffix("="), right
        case _:
            return None
