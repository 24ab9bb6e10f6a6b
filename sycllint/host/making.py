"""Objects that are made from a queue: what their constructors may do with it where that is not in sight.

``Image image(q, p);`` may copy from ``p`` and wait for that, as a function could.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from sycllint.cpp.expression import Call, Expr, Name, Type
from sycllint.cpp.node import Node, walk
from sycllint.cpp.statement import Block, Declaration, Function, Struct
from sycllint.host.receivers import field_of
from sycllint.host.vocabulary import ALLOCATORS, CLASSES, WAITS
from sycllint.symbols.arity import accepts
from sycllint.values.library import BY_VALUE
from sycllint.values.types import as_type

if TYPE_CHECKING:
    from sycllint.symbols.unit import Unit
    from sycllint.values.types import Types

MAX_DEPTH = 4
"""How deep members and bases are looked through; deeper ones may wait."""
_LIBRARIES = frozenset({"std", "sycl", "cl"})
_QUIET = CLASSES | {"stream", "usm_allocator", "command_graph", "sampled_image", "unsampled_image", "image"}
"""Classes of SYCL that wait for nothing when they are made."""
_HARMLESS = BY_VALUE | ALLOCATORS.keys() | {"move", "forward"}


class Making:
    """Answers for one unit."""

    def __init__(self, facts: Unit, types: Types) -> None:
        self._facts = facts
        self._types = types
        self._known: dict[tuple[Name, int], bool] = {}

    def may_wait(self, kind: Type, count: int) -> bool:
        """Whether making an object of a type from ``count`` arguments, which lead to a queue, may wait for it."""
        return not kind.pointers and not kind.reference and self._made(kind.name, count, 0)

    def _made(self, name: Name, count: int, depth: int) -> bool:
        key = (name, count)
        if key not in self._known:
            self._known[key] = False
            self._known[key] = self._worked_out(name, count, depth)
        return self._known[key]

    def _worked_out(self, name: Name, count: int, depth: int) -> bool:
        known = self._types.kind(name)
        if depth > MAX_DEPTH:
            return True
        if known.is_number or known.automatic or known.extents is not None or known.name.last == "bool":
            return False
        if known.struct is not None:
            return self._of_class(known.struct.node, count, depth)
        if known.name.qualifier.removeprefix("::").partition("::")[0] in _LIBRARIES or known.name.last in _QUIET:
            held = [as_type(each) for each in known.name.arguments or ()]
            return any(each is not None and not each.pointers and self._made(each.name, 1, depth + 1) for each in held)
        return True

    def _of_class(self, struct: Struct, count: int, depth: int) -> bool:
        makers = [each.node for each in self._facts.functions.get(struct.name) if accepts(each.node, count)]
        if makers:
            bodies = [each for each in makers if each.body is not None]
            return not bodies or any(self._by(each, struct, depth) for each in bodies)
        if any(self._made(each, count, depth + 1) for each in struct.bases):
            return True
        return any(self._made(each, 1, depth + 1) for each in _fields(struct))

    def _by(self, maker: Function, struct: Struct, depth: int) -> bool:
        """Whether a constructor in sight may wait: in its body, or in what it makes members and bases from."""
        for member, values in maker.initializers:
            field = field_of(struct, member)
            name = Name(member, None, None, 0, 0) if field is None else field.type.name
            is_object = field is None or not (field.type.pointers or field.type.reference)
            if (values and is_object and self._made(name, len(values), depth + 1)) or self._in_code(values):
                return True
        return maker.body is None or self._in_code((maker.body,))

    def _in_code(self, code: Iterable[Expr | Block]) -> bool:
        return any(self._waits(each) for part in code for each in walk(part))

    def _waits(self, node: Node) -> bool:
        if not isinstance(node, Call):
            return False
        function = node.function
        if not isinstance(function, Name):
            return WAITS.search(getattr(function, "name", "")) is not None
        if function.qualifier.removeprefix("::").partition("::")[0] in _LIBRARIES or function.last in _HARMLESS:
            return False
        candidates = self._facts.functions.get(function.last)
        return not candidates or any(each.node.body is None or _speaks_of_waits(each.node.body) for each in candidates)


def _fields(struct: Struct) -> Iterable[Name]:
    """The types of a class's members that are objects."""
    for statement in struct.members.statements:
        if isinstance(statement, Declaration):
            for variable in statement.variables:
                if not variable.type.pointers and not variable.type.reference:
                    yield variable.type.name


def _speaks_of_waits(body: Block) -> bool:
    calls = (each.function for each in walk(body) if isinstance(each, Call))
    return any(WAITS.search(getattr(each, "name", "") or getattr(each, "text", "")) for each in calls)
