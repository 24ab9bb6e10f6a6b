"""Functions that surely leave the objects they are given what they are, by what is written in them.

Such a function calls methods of these objects, which overwrite nothing, and hands them to others that do no more. It
is told without its instructions, of which functions that submit kernels have those of the kernels, too.
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


class Receiving:
    """Answers for one unit."""

    def __init__(
        self,
        evaluator: Evaluator,
        given: Callable[[Declared[Function]], Iterable[FunctionParameter]],
        is_overwritten_by: Callable[[Expr], bool],
    ) -> None:
        """``given``: the parameters by which objects are handed over; else as in ``Subject``."""
        self._facts = evaluator.facts
        self._defines = evaluator.defines
        self._given = given
        self._is_overwritten_by = is_overwritten_by

    @memoized
    def only(self, start: Declared[Function]) -> bool:
        """Whether a function, with those that it hands its objects to, only calls methods of them."""
        facts = self._facts
        waiting, seen = [start], {start.node}
        while waiting:
            callees = self._callees(waiting.pop())
            if callees is None or any(each in known for each in callees for known in (facts.structs, facts.aliases)):
                return False
            found = [each for name in callees for each in facts.functions.get(name)]
            new = [each for each in found if each.node not in seen]
            seen.update(each.node for each in new)
            waiting += new
        return True

    def _callees(self, declared: Declared[Function]) -> set[str] | None:
        """The functions to which one hands its objects, unqualified; ``None`` where it may do more with them."""
        function, facts = declared.node, self._facts
        objects = {each.name for each in self._given(declared)}
        if not objects:
            return set()
        if not is_followed(function) or function.initializers or any(map(self._is_in_macros, objects)):
            return None
        assert function.body is not None
        content = facts.file_at(declared.place).content
        word = re.compile(rb"\b(?:%b)\b|#\s*include" % "|".join(objects).encode())
        called: set[str] = set()
        hidden = {each.name for each in function.parameters}
        waiting: list[Node] = [function.body]
        while waiting:
            node = waiting.pop()
            kind = type(node)
            if kind is Call:
                assert isinstance(node, Call)
                callee = node.function
                if type(callee) is Member and type(callee.object) is Name and callee.object.text in objects:
                    waiting += [each for each in children(callee) if each is not callee.object]
                    waiting += node.arguments
                    continue
                if type(callee) is Name:
                    handed = [each for each in node.arguments if type(each) is Name and each.text in objects]
                    if handed and (callee.last in facts.functions or not self._is_overwritten_by(callee)):
                        called.add(callee.last)
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
        return called if called.isdisjoint(hidden) else None

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
