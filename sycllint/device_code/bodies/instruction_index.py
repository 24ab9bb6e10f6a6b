"""The nodes of a function by kind, each with the place it stands in: those that its instructions come from."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import Generic, TypeVar

from sycllint.cpp.expression import (
    Assign,
    Binary,
    Brace,
    Call,
    Cast,
    Conditional,
    Increment,
    Index,
    Lambda,
    Name,
    New,
    Number,
    Opaque,
)
from sycllint.cpp.node import Node
from sycllint.cpp.place import Place
from sycllint.cpp.statement import Evaluate, If, Loop, RangeLoop, Return, Switch, Variable
from sycllint.ir import ops
from sycllint.ir.body import Body, written
from sycllint.record import NamedTuple

NodeKind = TypeVar("NodeKind", bound=Node, covariant=True)

_OPCODES: Mapping[type[Node], tuple[int, ...]] = {
    Assign: (ops.STORE, ops.WRITE, ops.UPDATE),
    Binary: (ops.BINARY,),
    Brace: (ops.CONSTRUCT,),
    Call: (ops.CALL,),
    Cast: (ops.CAST,),
    Conditional: (ops.SELECT,),
    Evaluate: (ops.DROP, ops.UNSEEN),
    If: (ops.IF,),
    Increment: (ops.STORE, ops.UPDATE),
    Index: (ops.ELEM,),
    Lambda: (ops.LAMBDA,),
    Loop: (ops.LOOP,),
    New: (ops.NEW,),
    Number: (ops.CONST,),
    Opaque: (ops.UNSEEN, ops.DELETE),
    RangeLoop: (ops.LOOP,),
    Return: (ops.RETURN,),
    Switch: (ops.SWITCH,),
    Variable: (ops.DECL,),
}
"""The instructions that nodes become, one a node."""


class Spot(NamedTuple, Generic[NodeKind]):
    """A node, and the innermost statement with a scope around it."""

    node: NodeKind
    place: Place


class Spots:
    """What is written in one function, and in the lambdas in it; macros are expanded."""

    def __init__(self, parts: Iterable[Body]) -> None:
        self._parts: dict[Body, dict[int, Node]] = {each: {} for each in parts}
        """Of each, by region, the use of the macro in whose text it is; the function's block where it is in none."""
        self._made: dict[type[Node], list[Spot[Node]]] = {}
        self._operations: dict[frozenset[str], list[Spot[Node]]] = {}

    def of(self, kind: type[NodeKind]) -> list[Spot[NodeKind]]:
        """The nodes of one kind, in the order in which they are written; those of lambdas come last."""
        found = self._made.get(kind)
        if found is None:
            found = self._made[kind] = self._in_order(
                lambda part: [at for at in part.at(*_OPCODES[kind]) if type(part.node[at]) is kind]
            )
        return found  # type: ignore[return-value]

    def operations(self, operators: frozenset[str]) -> list[Spot[Binary]]:
        """The operations on two values by some of all operators: few ask for sums and products."""
        found = self._operations.get(operators)
        if found is None:
            found = self._operations[operators] = self._in_order(
                lambda part: [
                    at
                    for at in part.at(ops.BINARY)
                    if type(node := part.node[at]) is Binary and node.operator in operators
                ]
            )
        return found  # type: ignore[return-value]

    def _in_order(self, wanted: Callable[[Body], list[int]]) -> list[Spot[Node]]:
        return [each for part, uses in self._parts.items() for each in _written(part, uses, wanted(part))]

    @cached_property
    def assigned(self) -> frozenset[str]:
        """The names on the left of an assignment, and those that are incremented or decremented."""
        targets = (*(each.left for each, _ in self.of(Assign)), *(each.operand for each, _ in self.of(Increment)))
        return frozenset(each.text for each in targets if isinstance(each, Name))

    @cached_property
    def from_outside(self) -> frozenset[str]:
        """The names that the function does not declare."""
        parts = ((part, each) for part in self._parts for each in part.at(ops.CAPTURE, ops.GLOBAL))
        return frozenset(part.name(position) for part, position in parts)


def _written(body: Body, uses: dict[int, Node], found: list[int]) -> list[Spot[Node]]:
    """The nodes of these instructions, in the order in which they are written."""
    nodes, regions, block = body.node, body.region, body.function.body
    if block is None or not found:
        return []

    def used(position: int, start: int) -> int:
        """Where the macro is used in whose text a node is that starts at ``start``."""
        region = regions[position]
        use = uses.get(region)
        if use is None:
            use = uses[region] = written(block, body.around_of(position)).node
        return start if use is block else getattr(use, "start", 0)

    starts = [getattr(nodes[position], "start", 0) for position in found]
    inside = range(block.start, block.end)
    order = [
        (start if start in inside else used(position, start), position)
        for start, position in zip(starts, found, strict=True)
    ]
    return [Spot(nodes[position], body.regions[regions[position]].place) for _, position in sorted(order)]
