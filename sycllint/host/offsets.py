"""Parts of memory that are the same one: ``p + offset`` of a copy, and ``p[offset]`` of the host.

How long a part is is not known, so that two are compared by where they begin, and only where that is sure to be one
number: a literal, or a variable that keeps the value it was declared with.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, TypeAlias

from sycllint.cpp.expression import Assign, Binary, Call, Expr, Increment, Member, Name, Number, Unary
from sycllint.cpp.node import Node, children
from sycllint.cpp.statement import Block, Declaration, Function, Loop
from sycllint.host.things import Kind, Ref, Thing
from sycllint.values.library import BY_VALUE, METHODS_BY_VALUE, READERS

if TYPE_CHECKING:
    from sycllint.host.scope import Scope

Offset: TypeAlias = "str | Thing | tuple[str, Offset, Offset]"
"""What two offsets or indices have in common when they are the same number."""

_WHOLE_NUMBER = re.compile(r"([1-9]\d*|0)[uUlLzZ]*")
_MOST_DEEP = 3


class Offsets:
    """Answers at the place where ``scope`` is."""

    def __init__(self, scope: Scope) -> None:
        self._scope = scope
        self._changed: dict[int, frozenset[str]] = {}
        self.known = False
        """A part that begins at a known offset has been seen."""

    def of(self, ref: Ref, base: Expr, offset: Expr) -> Ref:
        """The part of ``ref``, which ``base`` gives access to, that begins at ``offset``."""
        begins = self.begins(offset) if self._is_itself(base, ref) else None
        self.known = self.known or begins is not None
        return Ref(ref.thing, whole=False, begins=begins)

    def used(self, ref: Ref, base: Expr, index: Expr) -> Ref:
        """What ``base[index]`` uses of ``ref``."""
        if self._is_itself(base, ref):
            return Ref(ref.thing, ref.whole, self.begins(index))
        is_first = isinstance(index, Number) and index.text == "0"
        return Ref(ref.thing, ref.whole, ref.begins if is_first else None)

    @staticmethod
    def _is_itself(base: Expr, ref: Ref) -> bool:
        """Whether an expression is a variable with memory of its own, counted in the elements of its type."""
        match base:
            case Name() | Member() | Call(function=Member(name="data" | "get" | "begin"), arguments=()):
                return ref.whole and ref.thing.target is None and ref.thing.kind is not Kind.OBJECT
            case _:
                return False

    def begins(self, offset: Expr, depth: int = 0) -> Offset | None:
        """By what an offset is known again; ``None`` when it may be another number next time."""
        match offset:
            case Number(text=text) if number := _WHOLE_NUMBER.fullmatch(text):
                return number[1]
            case Name(text=text):
                found = self._scope.state.things.get(text)
                return found if found is not None and found.kind is Kind.OBJECT and self._is_kept(text) else None
            case Binary(operator="+" | "-" | "*" | "/" as operator, left=left, right=right) if depth < _MOST_DEEP:
                one, other = self.begins(left, depth + 1), self.begins(right, depth + 1)
                return (operator, one, other) if one is not None and other is not None else None
            case _:
                return None

    def _is_kept(self, name: str) -> bool:
        """Whether a variable keeps its value: from its declaration on, or in one pass of the loop that counts it."""
        around = next((each for each in self._scope.place.chain() if isinstance(each, Function)), None)
        if around is None or around.body is None:
            return False
        if id(around) not in self._changed:
            self._changed[id(around)] = frozenset(_changed(around.body))
        return name not in self._changed[id(around)]


def counters(loop: Loop) -> frozenset[str]:
    """The variables that a loop declares, which it may change between its passes."""
    declared = loop.initializer
    return frozenset(each.name for each in declared.variables) if isinstance(declared, Declaration) else frozenset()


def count(loop: Loop, things: dict[str, Thing]) -> None:
    """In another pass a counter has another value, and what it is an index of is another element."""
    things.update({name: things[name].again() for name in counters(loop) if name in things})


def shown(offset: Offset) -> str:
    """An offset as a message shows it."""
    match offset:
        case str():
            return offset
        case (operator, left, right):
            return f"{shown(left)} {operator} {shown(right)}"
        case _:
            return offset.name


def _changed(body: Block) -> Iterator[str]:
    """Names of what is assigned, has its address taken, or is given to a function that may change it.

    What a loop does to its own counter after each pass is none of these.
    """
    pending: list[tuple[Node, frozenset[str]]] = [(body, frozenset())]
    while pending:
        node, counted = pending.pop()
        match node:
            case Loop(update=update):
                own = counters(node)
                pending += [(each, own if each is update else frozenset()) for each in children(node)]
                continue
            case Assign(left=Name(text=text)) | Increment(operand=Name(text=text)):
                if text not in counted:
                    yield text
            case Unary(operator="&", operand=Name(text=text)) | Binary(operator=">>", right=Name(text=text)):
                yield text
            case Call(function=Name(text=text)) if text.rpartition("::")[2] in BY_VALUE | READERS:
                pass
            case Call(function=Member(name=name)) if name in METHODS_BY_VALUE:
                pass
            case Call(arguments=arguments):
                yield from (each.text for each in arguments if isinstance(each, Name))
        pending += [(each, counted) for each in children(node)]
