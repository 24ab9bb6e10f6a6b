"""Memory that ``sycl::free`` was given, and what uses it afterwards."""

from __future__ import annotations

from collections.abc import Callable

from sycllint.cpp.expression import Assign, Expr, Lambda, Type, Unary
from sycllint.cpp.node import Node, walk
from sycllint.cpp.spelling import spelled
from sycllint.cpp.statement import Function, Variable
from sycllint.host.in_flight.waits import common
from sycllint.host.records import Use, UsedAfterFree
from sycllint.host.scopes.scope import FunctionScope
from sycllint.host.scopes.things import Command, Freed, Thing
from sycllint.source.span import Location


class AfterFree:
    """Of one walk. In a loop's second pass, which may never come, nothing is found."""

    def __init__(self, scope: FunctionScope, note: Callable[[object], None]) -> None:
        self._scope = scope
        self._note = note

    def freed(self, thing: Thing, node: Node, pointer: Expr) -> None:
        """Memory is gone from here on. What a destructor frees is left out: of objects that share it, only one may."""
        scope, state = self._scope, self._scope.state
        function = scope.place.innermost(Function)
        if scope.again or (function is not None and function.name.rpartition("::")[2].startswith("~")):
            return
        location = scope.location(node)
        if thing not in state.freed:
            state.freed = {**state.freed, thing: Freed(location, scope.chain, pointer, scope.place)}
        elif thing.origin.is_usm:
            self.used(thing, Use.FREED, location)

    def may_lead_elsewhere(self, thing: Thing) -> None:
        """A pointer may have been set by a function that is not followed."""
        self._forget([thing] if thing in self._scope.state.freed else [])

    def ended(self, block: int) -> None:
        """A block is left: no name leads to what is declared in it."""
        self._forget([each for each in self._scope.state.freed if each.block >= block])

    def _forget(self, things: list[Thing]) -> None:
        state = self._scope.state
        if things:
            state.freed = {each: where for each, where in state.freed.items() if each not in things}

    def submitted(self, command: Command) -> None:
        """A command uses memory that is gone."""
        freed = self._scope.state.freed
        for ref in (*command.writes, *command.reads) if freed and not command.uses.isdisjoint(freed) else ():
            if ref.thing in freed:
                use = Use.WRITTEN if ref in command.writes else Use.READ
                self.used(ref.thing, use, command.location, command.what)
                return

    def used(self, thing: Thing, use: Use, location: Location, by: str = "") -> None:
        """Leave a record at the place, or at the call that leads to it, in the function that also leads to the free."""
        freed, here = self._scope.state.freed[thing], self._scope.chain
        if self._scope.again or _may_be_set_by_another_name(freed):
            return
        depth = common(here, freed.chain)
        location = here[depth] if len(here) > depth else location
        first = freed.chain[depth] if len(freed.chain) > depth else freed.location
        self._note(UsedAfterFree(thing.name, use, by, location, first))


def _may_be_set_by_another_name(freed: Freed) -> bool:
    """Whether the pointer may lead elsewhere without an assignment to it: by a reference, its address, or a lambda."""
    function, text = freed.place.innermost(Function), spelled(freed.pointer)
    for each in walk(function) if function is not None else ():
        match each:
            case Variable(type=Type(reference=True), arguments=(value,)) if spelled(value) == text:
                return True
            case Unary(operator="&", operand=operand) if spelled(operand) == text:
                return True
            case Lambda() if any(isinstance(one, Assign) and spelled(one.left) == text for one in walk(each.body)):
                return True
            case _:
                pass
    return False
