"""How a scan goes through device code: to what it looks at by itself, past what surely does nothing.

What is looked at is visited by a table that is handed in: those who visit, and those who enter what a call runs, know
this module, and it knows none of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

from sycllint.cpp.expression import (
    Assign,
    Binary,
    Call,
    Cast,
    Character,
    Conditional,
    Increment,
    Index,
    Lambda,
    Member,
    Name,
    Number,
    Opaque,
    SizeOf,
    Text,
    Type,
    Unary,
)
from sycllint.cpp.node import Node, children
from sycllint.cpp.place import Place
from sycllint.cpp.statement import (
    Block,
    Declaration,
    Evaluate,
    Function,
    If,
    Include,
    Loop,
    Macro,
    RangeLoop,
    Struct,
    Variants,
)
from sycllint.device_code.scanning.scan import Scan
from sycllint.domains.meaning import KnownLambda, Meaning, Meanings, Scope
from sycllint.domains.vocabulary import GROUP_FUNCTIONS, may_synchronise
from sycllint.source.span import Span
from sycllint.values.certainty import guessed_names
from sycllint.values.evaluate import Evaluator

if TYPE_CHECKING:
    from sycllint.device_code.synchronisation import Synchronisation

LEAVES = frozenset({Number, Text, Character, Type, SizeOf, Struct, Function, Macro})
"""Nodes with nothing to visit inside."""
_PLAIN = frozenset({Assign, Binary, Cast, Conditional, Increment, Index, Member, Unary})
"""Nodes that are only what is inside them."""


VISITED = frozenset({Block, Call, Declaration, Evaluate, If, Include, Lambda, Loop, Opaque, RangeLoop, Variants})
"""Nodes that a scan looks at by themselves: of all others it looks at what is inside."""
Visitor: TypeAlias = Callable[..., None]
"""Is given a node, its place, the scope (extended by what its declarations name) and how many calls lead there."""


class Calling:
    """What the scans of one unit's kernels share: where expressions do something worth a visit, what names mean."""

    def __init__(self, evaluator: Evaluator) -> None:
        self.meanings = Meanings(evaluator)
        self._evaluator = evaluator
        self._found: dict[Node, tuple[Node, ...]] = {}

    @cached_property
    def synchronisation(self) -> Synchronisation:
        """Who may wait in code that is not entered; loaded where it is asked."""
        from sycllint.device_code.synchronisation import synchronisation

        return synchronisation.of(self._evaluator)

    def of(self, expression: Node) -> tuple[Node, ...]:
        """The outermost nodes inside ``expression`` that a scan visits, in order."""
        found = self._found.get(expression)
        if found is None:
            visited: list[Node] = []
            _gather(expression, visited)
            found = self._found[expression] = tuple(visited)
        return found


def _gather(expression: Node, visited: list[Node]) -> None:
    for child in children(expression):
        kind = type(child)
        if kind in VISITED:
            visited.append(child)
        elif kind not in LEAVES and kind is not Name:
            _gather(child, visited)


class Traversal:
    """One walk over one kernel."""

    def __init__(self, evaluator: Evaluator, calling: Calling, scan: Scan) -> None:
        self._facts = evaluator.facts
        self._calling = calling
        self._scan = scan
        self.content: bytes | None = None
        """The text of the function being walked; ``None`` inside a macro's."""
        self.keeps = False
        """A lambda has a name, so that the name by itself may run it."""
        self._visits: dict[type[Node], Visitor] = {}
        self._named: Callable[[KnownLambda, tuple[Meaning | None, ...], int], None]

    def by(
        self, visits: dict[type[Node], Visitor], named: Callable[[KnownLambda, tuple[Meaning | None, ...], int], None]
    ) -> None:
        """What looks at the nodes of ``VISITED``, and what at the name of a lambda."""
        self._visits, self._named = visits, named

    def release(self) -> None:
        """Forget who visits: they know the traversal too, and would keep the unit until garbage is collected."""
        vars(self).clear()

    def body(self, body: Block, place: Place, scope: Scope, depth: int) -> None:
        """A function's body; branches of it that were left out to read the file may synchronise too."""
        names = guessed_names(self._facts, place, Span(body.start, body.end))
        if any(name in GROUP_FUNCTIONS or may_synchronise(name, shouted=False) for name in names):
            self._scan.calls_unknown = True
        inside = Place(body, place)
        outer, self.content = self.content, self._facts.content_at(inside)
        self.walk(body, inside, scope, depth)
        self.content = outer

    def is_idle(self, value: Node) -> bool:
        """Whether there is nothing to visit in an expression."""
        return type(value) in _PLAIN and not self.keeps and not self._calling.of(value)

    def macro(self, macro: Macro, body: Node, place: Place, scope: Scope, depth: int) -> None:
        """The body of a macro that is used at ``place``."""
        outer, self.content = self.content, None
        self.walk(body, Place(body, Place(macro, place)), scope, depth)
        self.content = outer

    def is_silent(self, expression: Node) -> bool:
        """Whether the text of an expression surely holds no call and no lambda, nor the name of one."""
        content = self.content
        if content is None or self.keeps or type(expression) is Member:
            return False
        start, end = expression.start, expression.end  # type: ignore[attr-defined]
        return content.find(b"(", start, end) < 0 and content.find(b"{", start, end) < 0

    def inside(self, node: Node, place: Place, scope: Scope, depth: int) -> None:
        """Visit what is inside ``node``."""
        self.each(children(node), place, scope, depth)

    def each(self, nodes: Iterable[Node], place: Place, scope: Scope, depth: int) -> None:
        """Visit nodes that stand at ``place``, in turn."""
        for child in nodes:
            kind = type(child)
            if kind in LEAVES:
                continue
            if kind is Name:
                kept = scope.get(child.text)  # type: ignore[attr-defined]
                if type(kept) is KnownLambda:
                    self._named(kept, (), depth)
                continue
            if kind in _PLAIN and not self.keeps:
                # Most expressions hold no call: then there is nothing to visit, and no place to be made on the way.
                if not self.is_silent(child):
                    for each in self._calling.of(child):
                        self.walk(each, Place(each, place), scope, depth)
                continue
            self.walk(child, Place(child, place), scope, depth)

    def walk(self, node: Node, place: Place, scope: Scope, depth: int) -> None:
        """Visit ``node`` at ``place``; ``scope`` is extended by what its declarations name."""
        visit = self._visits.get(type(node))
        if visit is not None:
            visit(node, place, scope, depth)
        else:
            self.inside(node, place, scope, depth)

    def statements(self, node: Block, place: Place, scope: Scope, depth: int) -> None:
        """The statements of a block, in the scope around it."""
        self._scan.statements += len(node.statements)
        for statement in node.statements:
            if type(statement) not in LEAVES:
                self.walk(statement, Place(statement, place), scope, depth)
