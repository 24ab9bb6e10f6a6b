"""``std::vector``: how many elements one has that keeps the size with which it is declared."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sycllint.cpp.expression import Brace, Call, Expr, Index, Lambda, Member, Name
from sycllint.cpp.node import Node, children
from sycllint.cpp.statement import Block, Function, RangeLoop, Return, Variable
from sycllint.memoized import memoized
from sycllint.values.arithmetic import ULONG, Scalar, convert
from sycllint.values.objects import Point, TypeKind
from sycllint.values.types import as_type
from sycllint.values.value import Known, Symbolic, possible

if TYPE_CHECKING:
    from sycllint.values.interface import Evaluation

MAX_CALLS = 3
"""How deep functions are looked into that take the vector by reference."""
MAX_LIST = 256
"""Of longer lists not every element is kept (``syntax.lower.expressions``)."""
_READING = frozenset(
    {"at", "back", "begin", "capacity", "cbegin", "cend", "crbegin", "crend", "data", "empty", "end", "front"}
    | {"max_size", "rbegin", "rend", "reserve", "shrink_to_fit", "size"}
)
"""Methods that leave the number of elements alone (C++ standard, "Class template vector")."""
_VIEWS = frozenset({"begin", "cbegin", "cend", "data", "empty", "end", "rbegin", "rend", "size"})
"""Functions of the library that do the same (C++ standard, "Range access")."""


class Containers:
    """Vectors for one evaluator."""

    def __init__(self, evaluator: Evaluation) -> None:
        self._evaluator = evaluator

    def size(self, name: Name, point: Point) -> Scalar | None:
        """The number of elements of the vector called ``name``; ``None`` when it is none, or may change."""
        evaluator = self._evaluator
        if evaluator.declarations.is_unsettled(name.text, point.place):
            return None
        found = evaluator.declarations.variable(name.text, point)
        if found is None:
            return self._of_parameter(name, point)
        variable, there = found
        block = there.place.node
        if not isinstance(block, Block) or variable.type.reference or variable.type.pointers or variable.type.extents:
            return None
        kind = evaluator.kind(variable.type.name, there)
        if not self._is_vector(kind) or self._changes(block, variable.name):
            return None
        return self._made(variable.style, variable.arguments, kind, there)

    def _of_parameter(self, name: Name, point: Point) -> Scalar | None:
        """The vector that a caller hands to the function around ``point``."""
        evaluator = self._evaluator
        function = point.place.innermost(Function)
        names = [each.name for each in function.parameters] if function is not None else []
        frame = evaluator.frames.binding(function, evaluator.frame) if function is not None else None
        if function is None or frame is None or function.body is None or names.count(name.text) != 1:
            return None
        index = names.index(name.text)
        given = frame.arguments[index] if index < len(frame.arguments) else None
        kind = evaluator.kind(function.parameters[index].type.name, Point(point.place, function.start))
        if not isinstance(given, Name) or not self._is_vector(kind) or self._changes(function.body, name.text):
            return None
        return evaluator.under(frame.outer, self.size, given, frame.point)

    def _is_vector(self, kind: TypeKind) -> bool:
        name, facts = kind.name, self._evaluator.facts
        if name.text not in ("std::vector", "::std::vector", "vector") or kind.struct is not None:
            return False
        return bool(name.qualifier) or "std" in facts.using

    def _made(self, style: str, arguments: tuple[Expr, ...], kind: TypeKind, point: Point) -> Scalar | None:
        """The size of a vector made from ``arguments``, which stand at ``point``."""
        evaluator = self._evaluator
        if style == "=" and len(arguments) == 1:
            match arguments[0]:
                case Brace(type=None, elements=elements):
                    return self._made("{", elements, kind, point)
                case Call(function=Name() as made, arguments=inner) if self._is_vector(evaluator.kind(made, point)):
                    return self._made("(", inner, kind, point)
            return None
        if style == "{":
            return self._listed(arguments, kind, point)
        if style != "(" or len(arguments) not in (1, 2):
            return None
        first = evaluator.evaluate(arguments[0], point)
        if not isinstance(first, Scalar):
            return None
        if isinstance(first.value, Symbolic) and len(arguments) == 2:
            # What is not a number may be an iterator.
            return None
        least = next(possible(first.value), None)
        return None if least is not None and least.value < 0 else convert(first, ULONG)

    def _listed(self, elements: tuple[Expr, ...], kind: TypeKind, point: Point) -> Scalar | None:
        """``{1, 2, 3}``: of numbers, for an element of another type may be made from several things."""
        element = as_type(kind.name.arguments[0]) if kind.name.arguments else None
        of = self._evaluator.kind(element.name, point) if element is not None and not element.pointers else None
        if of is None or (of.integer is None and not of.floating) or not 0 < len(elements) < MAX_LIST:
            return None
        return Scalar(Known(len(elements)), ULONG)

    @memoized
    def _changes(self, node: Node, text: str, depth: int = 0) -> bool:
        """Whether the vector called ``text`` may get another number of elements in ``node``."""
        return any(self._may_change(each, node, text, depth) for each in children(node))

    def _may_change(self, node: Node, outer: Node, text: str, depth: int) -> bool:
        if isinstance(node, Name):
            return node.text == text and not _only_read(node, outer)
        if isinstance(node, Call) and isinstance(node.function, Member) and _is(node.function.object, text):
            return node.function.name not in _READING or any(
                self._may_change(each, node, text, depth) for each in node.arguments
            )
        if isinstance(node, Call) and isinstance(node.function, Name):
            handed = [index for index, each in enumerate(node.arguments) if _is(each, text)]
            others = [each for each in node.arguments if not _is(each, text)]
            return any(self._takes(node.function, index, depth) for index in handed) or any(
                self._may_change(each, node, text, depth) for each in others
            )
        if isinstance(node, Variable) and node.name == text:
            return any(self._may_change(each, node, text, depth) for each in node.arguments)
        return self._changes(node, text, depth)

    def _takes(self, function: Name, index: int, depth: int) -> bool:
        """Whether a function may change the vector that is its argument of this position."""
        if function.last == "buffer" or (function.qualifier == "std" and function.last in _VIEWS):
            return False
        candidates = [each.node for each in self._evaluator.facts.functions.get(function.last)]
        if not candidates or depth >= MAX_CALLS:
            return True
        return any(self._writes(each, index, depth) for each in candidates)

    def _writes(self, function: Function, index: int, depth: int) -> bool:
        if index >= len(function.parameters):
            return True
        parameter = function.parameters[index]
        if not parameter.type.reference or parameter.type.constant:
            return parameter.type.pointers > 0
        if function.body is None:
            # The definition decides, when it is visible.
            same = self._evaluator.facts.functions.get(function.name.rpartition("::")[2])
            return not any(each.node.body is not None for each in same)
        return function.damaged or self._changes(function.body, parameter.name, depth + 1)


def _is(expression: Node, text: str) -> bool:
    return isinstance(expression, Name) and expression.text == text


def _only_read(name: Name, outer: Node) -> bool:
    """Whether a vector stands where its elements are read or written, its number of elements is not."""
    match outer:
        case Index(object=inner):
            return inner is name
        case RangeLoop(range=inner) | Return(value=inner):
            return inner is name
        case Variable(type=kind):
            return kind.name.last in ("buffer", "vector") and not kind.reference
        case Brace(type=Name(last="buffer")):
            return True
        case Lambda():
            return True
        case _:
            return False
