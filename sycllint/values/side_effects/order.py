"""What of an expression is run before the rest of it."""

from sycllint.cpp.expression import Binary, Conditional, Expr, Name
from sycllint.cpp.node import Node, walk
from sycllint.values.side_effects.mutation import Mutations

_IN_ORDER = frozenset({",", "&&", "||"})


def first_of(node: Node) -> Expr | None:
    """The operand that is run before the others; ``None`` where the language leaves the order open, or there is one."""
    if isinstance(node, Conditional):
        return node.condition
    return node.left if isinstance(node, Binary) and node.operator in _IN_ORDER else None


def feeds_itself(node: Binary | Conditional, mutations: Mutations) -> bool:
    """Whether an operand changes a name that a later one reads: ``(n = 64, n * 2)``."""
    first = first_of(node)
    changed = mutations.of(first) if first is not None else None
    if not changed:
        return False
    rest = (node.then, node.otherwise) if isinstance(node, Conditional) else (node.right,)
    return any(isinstance(each, Name) and each.text in changed for part in rest for each in walk(part))
