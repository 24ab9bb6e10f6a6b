"""Braces that end a host accessor's life before the first thing that it keeps waiting.

They are offered only where nothing but the accessor's life changes: what is declared between the braces is not named
after them, is no object whose end does anything, and no pointer into the accessor's memory gets out.
"""

from __future__ import annotations

from collections.abc import Sequence

from sycllint.cpp.expression import Call, Index, Lambda, Member, Name, Unary
from sycllint.cpp.node import Node, children, walk
from sycllint.cpp.place import Place
from sycllint.cpp.statement import (
    EXTERN,
    STATIC,
    Block,
    Damaged,
    Declaration,
    Evaluate,
    If,
    Include,
    Loop,
    RangeLoop,
    Statement,
    Variable,
)
from sycllint.host.scopes.scope import FunctionScope
from sycllint.host.scopes.things import Kind
from sycllint.source.edit import Edit
from sycllint.source.enclose import enclosed
from sycllint.source.span import Location, Span

_ENCLOSED = (Declaration, Evaluate, Block, If, Loop, RangeLoop)
"""What may stand between the braces: no directive, no type, no label."""
_SIZES = frozenset({"size", "byte_size", "get_range", "get_count", "get_size", "empty"})
_KEPT = STATIC | EXTERN


def braces(scope: FunctionScope, declared: Place, kept: Sequence[Location]) -> tuple[Edit, ...]:
    """Braces around a host accessor's declaration and its uses; empty where they would change more than its life.

    ``declared`` is the place of the declaration; ``kept`` are the calls that lead to what must come after its end,
    outermost first.
    """
    node, around = declared.node, declared.outer
    if not isinstance(node, Declaration) or around is None or not isinstance(around.node, Block):
        return ()
    statements = around.node.statements
    path = scope.facts.file_at(declared).path
    first = next((number for number, each in enumerate(statements) if each is node), None)
    end = _meeting(statements, path, kept)
    if first is None or end is None:
        return ()
    last = _last(scope, statements, first, end)
    if last is None:
        return ()
    content = scope.facts.file_at(declared).content
    return enclosed(path, content, Span(statements[first].start, statements[last].end))


def _meeting(statements: Sequence[Statement], path: str, kept: Sequence[Location]) -> int | None:
    """The statement of the block in which the first thing that is kept waiting stands."""
    for location in kept:
        for number, each in enumerate(statements):
            if location.path == path and each.start <= location.span.start < each.end:
                return number
    return None


def _last(scope: FunctionScope, statements: Sequence[Statement], first: int, end: int) -> int | None:
    """The last statement that needs what the block declares; ``None`` where braces up to there are not safe."""
    names: set[str] = set()
    last = first
    number = first
    while number <= last:
        statement = statements[number]
        if number >= end or not isinstance(statement, _ENCLOSED) or not _is_plain(scope, statement):
            return None
        if isinstance(statement, Declaration):
            names.update(each.name for each in statement.variables)
        uses = (each for each in range(number, len(statements)) if _names(statements[each]) & names)
        last = max([last, *uses])
        number += 1
    locks = {
        each.name
        for statement in statements[first : last + 1]
        if isinstance(statement, Declaration)
        for each in statement.variables
        if _is_lock(scope, each)
    }
    hidden = any(isinstance(each, Damaged | Include) for each in statements[first:])
    if hidden or _is_in_macro(scope, statements[first:], names):
        return None
    return last if all(_stays(each, locks) for each in statements[first : last + 1]) else None


def _is_in_macro(scope: FunctionScope, statements: Sequence[Statement], names: set[str]) -> bool:
    """Whether the text of a macro that is used in the block contains one of ``names``."""
    used = {name for each in statements for name in _names(each) if name in scope.facts.macros}
    texts = [each.node.text for macro in used for each in scope.facts.macros.get(macro)]
    return any(name in text for text in texts for name in names)


def _is_plain(scope: FunctionScope, statement: Statement) -> bool:
    """Whether the end of what a statement declares does nothing: it is a number, or an accessor of the host."""
    if not isinstance(statement, Declaration):
        return True
    for variable in statement.variables:
        written = variable.type
        known = scope.evaluator.types.kind(written.name, scope.place)
        number = known.is_number
        if not _is_lock(scope, variable) and (
            not number or written.pointers or written.reference or variable.flags & _KEPT
        ):
            return False
    return True


def _is_lock(scope: FunctionScope, variable: Variable) -> bool:
    found = scope.state.things.get(variable.name)
    return found is not None and found.kind is Kind.HOST_ACCESSOR


def _names(node: Node) -> set[str]:
    return {each.text for each in walk(node) if isinstance(each, Name)}


def _stays(node: Node, locks: set[str]) -> bool:
    """Whether the accessors are only subscripted and asked for their size: no other part of the program keeps one."""
    match node:
        case Name(text=text):
            return text not in locks
        case Lambda():
            return not _names(node) & locks
        case Index(object=Name(text=text), indices=indices) if text in locks:
            return all(_stays(each, locks) for each in indices)
        case Call(function=Member(object=Name(text=text), name=name), arguments=()) if text in locks:
            return name in _SIZES
        case RangeLoop(range=Name(text=text), body=body, variable=variable) if text in locks:
            taken = (each for each in walk(body) if isinstance(each, Unary) and each.operator == "&")
            return not any(variable.name in _names(each) for each in taken) and _stays(body, locks)
        case Unary(operator="&"):
            return not _names(node) & locks
        case _:
            return all(_stays(each, locks) for each in children(node))
