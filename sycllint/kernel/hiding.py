"""Which names the functions and classes around a piece of code declare, so that they hide those outside."""

from collections.abc import Iterable, Iterator

from sycllint.cpp.expression import Lambda, Name
from sycllint.cpp.node import Node, children
from sycllint.cpp.place import Place
from sycllint.cpp.statement import Declaration, Function, Struct, Variable
from sycllint.values.evaluate import Evaluator

MAX_BASES = 4
"""How far base classes are followed."""


class Hiding:
    """Answers for one evaluator."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._structs = evaluator.facts.structs
        self._local: dict[int, frozenset[str]] = {}

    def hides(self, text: str, place: Place) -> bool:
        """Whether a name means something of the functions or classes around ``place``, or may do so."""
        outermost: Node | None = None
        for node in place.chain():
            if isinstance(node, Function | Lambda):
                outermost = node
            if isinstance(node, Struct) and self._has(node, text, 0):
                return True
            if isinstance(node, Function) and "::" in node.name and self._may_have(node.name.split("::")[-2], text, 0):
                return True
        return outermost is not None and text in self._declared(outermost)

    def _declared(self, outermost: Node) -> frozenset[str]:
        found = self._local.get(id(outermost))
        if found is None:
            found = self._local[id(outermost)] = frozenset(_declared_in(outermost))
        return found

    def _has(self, struct: Struct, text: str, depth: int) -> bool:
        if text in _members(struct.members.statements):
            return True
        return depth < MAX_BASES and any(self._inherits(each, text, depth + 1) for each in struct.bases)

    def _inherits(self, base: Name, text: str, depth: int) -> bool:
        """A base class out of sight may have a member of any name."""
        return not self._structs.get(base.last) or self._may_have(base.last, text, depth)

    def _may_have(self, name: str, text: str, depth: int) -> bool:
        return any(self._has(each.node, text, depth) for each in self._structs.get(name.partition("<")[0]))


def _members(statements: Iterable[Node]) -> Iterator[str]:
    for statement in statements:
        if isinstance(statement, Declaration):
            yield from (each.name for each in statement.variables)
        elif isinstance(statement, Function):
            yield statement.name


def _declared_in(root: Node) -> Iterator[str]:
    stack: list[Node] = [root]
    while stack:
        node = stack.pop()
        if isinstance(node, Function | Lambda):
            yield from (each.name for each in node.parameters)
            if isinstance(node, Lambda):
                yield from (each.name for each in node.captures)
        elif isinstance(node, Variable):
            yield node.name
        stack += children(node)
