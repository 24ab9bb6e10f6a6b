"""Ends of objects whose destructor is visible: what it frees is freed where their block ends."""

from __future__ import annotations

from sycllint.cpp.expression import Binary, Expr, Member, Name
from sycllint.cpp.statement import Block, Evaluate, Function, If, Statement
from sycllint.facts.file import Declared
from sycllint.host.in_flight.bodies import CalleeWalker
from sycllint.host.scopes.scope import FunctionScope
from sycllint.host.scopes.things import Kind, Thing


class Destructors:
    """The ends of the objects of one walk."""

    def __init__(self, scope: FunctionScope, bodies: CalleeWalker) -> None:
        self._scope = scope
        self._bodies = bodies

    def ended(self, block: int, leaving: Thing | None) -> None:
        """A block is left: its objects end, the last one first, as long as it is known what their ends do."""
        state = self._scope.state
        if not state.flights:
            return
        ending = [each for each in state.things.values() if each.block >= block and each.automatic]
        for thing in reversed(ending):
            if thing.kind is not Kind.OBJECT or thing is leaving or thing in state.moved:
                continue
            destructor = self._of(thing)
            if destructor is None:
                if thing.guards or thing.holds_queue:
                    return
            elif not _is_plain(destructor.node.body):
                return
            elif any(each.touches(thing) for each in state.flights) or self._bodies.concerns(destructor.node):
                self._bodies.destroyed(destructor, thing)

    def _of(self, thing: Thing) -> Declared[Function] | None:
        """The visible destructor of an object's class, if any."""
        known = self._scope.evaluator.types.kind(thing.written.name) if thing.written is not None else None
        if known is None or known.struct is None:
            return None
        symbols = self._scope.evaluator.symbols
        scope = symbols.scope_of(known.struct)
        bodies = [each for each in symbols.methods(f"~{scope.name}", scope) if each.node.body is not None]
        return bodies[0] if len(bodies) == 1 and not bodies[0].node.damaged else None


def _is_plain(body: Block | None) -> bool:
    """Whether a destructor does the same each time, but for what is not there."""
    return body is not None and all(map(_is_done, body.statements))


def _is_done(statement: Statement) -> bool:
    match statement:
        case Evaluate():
            return True
        case If(condition=condition, then=then, otherwise=None):
            return condition is not None and _asks_whether_set(condition) and _is_plain(then)
        case _:
            return False


def _asks_whether_set(condition: Expr) -> bool:
    match condition:
        case Name() | Member():
            return True
        case Binary(operator="!=", left=left, right=Name(text="nullptr" | "NULL")):
            return _asks_whether_set(left)
        case _:
            return False
