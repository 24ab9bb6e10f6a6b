"""Functions that surely overwrite none of the objects they are given, by their syntax trees.

Such a function calls methods of these objects, which overwrite nothing, and hands them to others that do no more. No
body is lowered for that: one that submits kernels would be lowered with them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from sycllint.cpp.expression import (
    Binary,
    Call,
    Cast,
    Character,
    Conditional,
    Expr,
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
from sycllint.cpp.node import Node, children, walk
from sycllint.cpp.place import Place
from sycllint.cpp.statement import VIRTUAL, Damaged, Evaluate, Function, FunctionParameter, Include, Variable
from sycllint.facts.file import Declared
from sycllint.memoized import memoized
from sycllint.values.evaluate import Evaluator

_QUIET = frozenset({Binary, Cast, Character, Conditional, Name, Number, SizeOf, Text, Type, Unary})
"""What the text of a macro consists of that only gives a value."""


def is_followed(function: Lambda | Function) -> bool:
    """Whether a call of a function surely runs its body, and all of that can be read."""
    is_virtual = isinstance(function, Function) and function.flags & VIRTUAL
    return not (function.body is None or function.damaged or is_virtual)


def taking(function: Lambda | Function, positions: Iterable[int]) -> list[FunctionParameter]:
    """The parameters that take the arguments at some positions; the last takes all that follow."""
    parameters = function.parameters
    return [parameters[min(each, len(parameters) - 1)] for each in positions] if parameters else []


def _named(expression: Expr) -> str | None:
    """The variable that an expression is, or whose address it is, or what it points to."""
    inner = expression.operand if type(expression) is Unary and expression.operator in ("&", "*") else expression
    return inner.text if type(inner) is Name else None


class Receiving:
    """Answers for one unit."""

    def __init__(
        self,
        evaluator: Evaluator,
        is_writable: Callable[[Type, Place], bool],
        is_overwritten_by: Callable[[Expr], bool],
    ) -> None:
        """``is_writable``: whether an object may be assigned through a parameter of a type."""
        self._facts = evaluator.facts
        self._defines = evaluator.defines
        self._is_writable = is_writable
        self._is_overwritten_by = is_overwritten_by

    @memoized
    def only(self, start: Declared[Function], positions: frozenset[int]) -> bool:
        """Whether a function, with those it hands them to, only calls methods of objects that it is given there."""
        facts = self._facts
        waiting = [(start, positions)]
        seen: set[tuple[Function, frozenset[int]]] = set()
        while waiting:
            declared, positions = waiting.pop()
            if (declared.node, positions) in seen:
                continue
            seen.add((declared.node, positions))
            called = self._handed_on(declared, positions)
            if called is None or any(each in known for each in called for known in (facts.structs, facts.aliases)):
                return False
            waiting += [(each, frozenset(at)) for name, at in called.items() for each in facts.functions.get(name)]
        return True

    def _handed_on(self, declared: Declared[Function], positions: frozenset[int]) -> dict[str, set[int]] | None:
        """To which functions one hands its objects, and at which positions; ``None`` where it may do more with them."""
        function, facts = declared.node, self._facts
        given = taking(function, positions)
        objects = {each.name for each in given if self._is_writable(each.type, declared.place)}
        called: dict[str, set[int]] = {}
        if not objects:
            return called
        if not is_followed(function) or function.initializers or any(map(self._is_in_macros, objects)):
            return None
        assert function.body is not None
        content = facts.file_at(declared.place).content
        word = re.compile(rb"\b(?:%b)\b|#\s*include" % "|".join(objects).encode())
        hidden = {each.name for each in function.parameters}
        waiting: list[Node] = [function.body]
        while waiting:
            node = waiting.pop()
            kind = type(node)
            if kind is Call:
                assert isinstance(node, Call)
                callee = node.function
                if type(callee) is Member and _named(callee.object) in objects:
                    waiting += [each for each in children(callee) if each is not callee.object]
                    waiting += node.arguments
                    continue
                if type(callee) is Name:
                    handed = [each for each in node.arguments if _named(each) in objects]
                    if handed and (callee.last in facts.functions or not self._is_overwritten_by(callee)):
                        at = (position for position, each in enumerate(node.arguments) if each in handed)
                        called.setdefault(callee.last, set()).update(at)
                        waiting += [callee, *(each for each in node.arguments if each not in handed)]
                        continue
            elif kind is Name:
                assert isinstance(node, Name)
                if node.text in objects or not self._is_quiet(node.text):
                    return None
            elif kind is Lambda:
                assert isinstance(node, Lambda)
                if not word.search(content, node.start, node.end):
                    continue
            elif kind is Include:
                assert isinstance(node, Include)
                found = facts.included(node)
                if found is None or word.search(found.content):
                    return None
            elif kind is Damaged or kind is Opaque or (isinstance(node, Evaluate) and type(node.expression) is Name):
                return None
            elif isinstance(node, Variable):
                hidden.add(node.name)
            waiting += children(node)
        return called if hidden.isdisjoint(called) else None

    def _is_quiet(self, name: str) -> bool:
        """Whether a name is no macro, or one that gives a value."""
        values = [each.node.value for each in self._facts.macros.get(name)]
        return name not in self._defines and all(
            each is not None and {type(part) for part in walk(each)} <= _QUIET for each in values
        )

    @memoized
    def _is_in_macros(self, name: str) -> bool:
        """Whether the text of a macro has a name in it that is not its parameter's."""
        macros = (each.node for found in self._facts.macros.values() for each in found)
        texts = [each.text for each in macros if name in each.text and name not in (each.parameters or ())]
        return any(re.search(rf"\b{name}\b", each) for each in (*texts, *self._defines.values()))
