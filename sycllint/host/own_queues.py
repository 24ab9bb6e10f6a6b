"""The queues that a function makes itself, of which it is known how they run commands, until something sets them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from sycllint.cpp.expression import Cast, Expr, Lambda, Name, Unary
from sycllint.cpp.node import Node
from sycllint.host.resetting import Resets
from sycllint.host.things import Order, Thing

if TYPE_CHECKING:
    from sycllint.host.scope import Scope


class OwnQueues:
    """The queues at the place where ``scope`` is."""

    def __init__(self, scope: Scope, resets: Resets) -> None:
        self._scope = scope
        self._resets = resets
        self.exist = False
        """One was declared: before that there is nothing to follow."""

    def handed(self, node: Node, given: Iterable[Expr]) -> None:
        """``node`` is given these: what it may set anew of the queues among them is another queue from here on."""
        things = self._scope.state.things
        for argument in given:
            inner = argument
            if type(inner) is Unary or type(inner) is Cast:
                inner = inner.operand
            if type(inner) is not Name or (name := inner.text) not in things or not things[name].own:
                continue
            if self._resets.by_node(node, name):
                self.set_anew(things[name])

    def set_later(self, function: Lambda) -> None:
        """A lambda is made: the queues that it sets may be others at any time from here on."""
        things = self._scope.state.things
        for name in self._scope.names.of(function) & things.keys():
            queue = things[name]
            if queue.own and self._resets.in_code(function.body, name, 1):
                self.set_anew(queue)

    def assigned(self, found: Thing | None) -> None:
        """A variable is assigned, under whatever name."""
        if found is not None and found.own:
            self.set_anew(found)

    def set_anew(self, queue: Thing | None = None) -> None:
        """``queue``, or each, may be another from here on, whatever it is called."""
        fresh: dict[Thing, Thing] = {}
        scope = self._scope
        for names in (scope.state.things, *(around for around, _ in scope.callers)):
            for name, each in names.items():
                if each.own and queue in (None, each):
                    names[name] = fresh.setdefault(each, each.again(own=False, order=Order.UNKNOWN))
