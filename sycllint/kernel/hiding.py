"""Which names the classes around a piece of code declare, so that they hide those outside."""

from collections.abc import Iterable, Iterator

from sycllint.cpp.expression import Name
from sycllint.cpp.node import Node
from sycllint.cpp.place import Place
from sycllint.cpp.statement import Declaration, Function, Struct
from sycllint.values.evaluate import Evaluator

MAX_BASES = 4
"""How far base classes are followed."""


class Hiding:
    """Answers for one evaluator."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._structs = evaluator.facts.structs

    def hides(self, text: str, place: Place) -> bool:
        """Whether a name means a member of the classes around ``place``, or may do so."""
        for node in place.chain():
            if isinstance(node, Struct) and self._has(node, text, 0):
                return True
            if isinstance(node, Function) and "::" in node.name and self._may_have(node.name.split("::")[-2], text, 0):
                return True
        return False

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
