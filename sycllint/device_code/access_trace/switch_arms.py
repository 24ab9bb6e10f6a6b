"""The ways through a ``switch``: which labels lead to which statements."""

from __future__ import annotations

from sycllint.cpp.expression import Expr
from sycllint.cpp.statement import Block, Case, Jump, Return, Statement, Switch
from sycllint.record import NamedTuple


class SwitchArm(NamedTuple):
    """What runs for one of some labels."""

    labels: tuple[Expr, ...]
    is_default: bool
    body: Block


def choices(node: Switch) -> tuple[SwitchArm, ...] | None:
    """The ways of which exactly one, or none, is taken; ``None`` where one falls through to the next."""
    found: list[SwitchArm] = []
    labels: tuple[Expr, ...] = ()
    is_default = False
    for position, statement in enumerate(node.body.statements):
        if not isinstance(statement, Case):
            return None
        labels += (statement.value,) if statement.value is not None else ()
        is_default = is_default or statement.value is None
        is_last = position == len(node.body.statements) - 1
        if not statement.body.statements and not is_last:
            continue
        if not (is_last or leaves(statement.body)):
            return None
        found.append(SwitchArm(labels, is_default, statement.body))
        labels, is_default = (), False
    return tuple(found)


def has_default(node: Switch) -> bool:
    """Whether one of the ways is surely taken."""
    return any(isinstance(each, Case) and each.value is None for each in node.body.statements)


def is_only_default(node: Switch) -> bool:
    """Whether what is asked about decides nothing."""
    return all(isinstance(each, Case) and each.value is None for each in node.body.statements)


def breaks(block: Block) -> bool:
    """Whether the statements end with ``break``."""
    last = _last(block)
    return isinstance(last, Jump) and last.keyword == "break"


def leaves(block: Block) -> bool:
    """Whether the statements end with a jump or a return."""
    return isinstance(_last(block), Jump | Return)


def _last(block: Block) -> Statement | None:
    last = block.statements[-1] if block.statements else None
    return _last(last) if isinstance(last, Block) else last
