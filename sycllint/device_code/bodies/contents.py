"""The nodes of a function's body by their class, found in one walk for all analyses and all ways to reach a kernel."""

from __future__ import annotations

from functools import cached_property
from typing import TypeVar

from sycllint.cpp.expression import (
    Assign,
    Call,
    Character,
    Increment,
    Lambda,
    Member,
    Name,
    Number,
    Text,
    Unary,
)
from sycllint.cpp.node import Node
from sycllint.cpp.place import Place
from sycllint.cpp.statement import Function
from sycllint.values.evaluate import Evaluator
from sycllint.values.memory import Answers
from sycllint.values.objects import Point

Found = TypeVar("Found", bound=Node)

_LEAVES = frozenset({Number, Text, Character})


class Contents:
    """What is written in one function's body, at any depth, in source order."""

    def __init__(self, function: Lambda | Function) -> None:
        found: dict[type[Node], list[Node]] = {}
        stack: list[Node] = [function.body] if function.body is not None else []
        while stack:
            node = stack.pop()
            kind = type(node)
            if kind in _LEAVES:
                continue
            if kind in found:
                found[kind].append(node)
            else:
                found[kind] = [node]
            if kind is not Name or node.scope is not None or node.arguments is not None:  # type: ignore[attr-defined]
                stack.extend(reversed(kind.inside(node)))
        self._found = found

    def of(self, kind: type[Found]) -> list[Found]:
        """The nodes of exactly this class."""
        return self._found.get(kind, [])  # type: ignore[return-value]

    @cached_property
    def names(self) -> frozenset[str]:
        """All names as written, those of types and of the parts of qualified names among them."""
        return frozenset(each.text for each in self.of(Name))

    @cached_property
    def assigned(self) -> frozenset[str]:
        """The names on the left of an assignment, and those that are incremented or decremented."""
        targets = (*(each.left for each in self.of(Assign)), *(each.operand for each in self.of(Increment)))
        return frozenset(each.text for each in targets if isinstance(each, Name))

    @cached_property
    def addressed(self) -> frozenset[str]:
        """The names of which an address is taken."""
        taken = (each.operand for each in self.of(Unary) if each.operator == "&")
        return frozenset(each.text for each in taken if isinstance(each, Name))

    @cached_property
    def methods(self) -> frozenset[str]:
        """The names of the member functions that are called."""
        return frozenset(each.function.name for each in self.of(Call) if isinstance(each.function, Member))


_known: Answers[Lambda | Function, Contents] = Answers()


def contents(evaluator: Evaluator, function: Lambda | Function) -> Contents:
    """The contents of a function, read once per evaluator."""
    return _known.of(evaluator, function, lambda: Contents(function))


def is_accessor(evaluator: Evaluator, name: str, place: Place, start: int) -> bool:
    """Whether a name of the function that begins at ``start`` is an accessor's, and no object's with some in it."""
    declared = evaluator.declarations.type_of(Name(name, None, None, start, start), Point(place, start))
    return declared is not None and evaluator.types.kind(declared.name, place).sycl in ("accessor", "local_accessor")
