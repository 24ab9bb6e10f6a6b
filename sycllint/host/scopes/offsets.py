"""Parts of memory that are the same one: ``p + offset`` of a copy, and ``p[offset]`` of the host.

How long a part is is not known, so that two are compared by where they begin, and only where that is sure to be one
number: a literal, or a variable that keeps the value it was declared with.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from sycllint.cpp.expression import Binary, Call, Expr, Member, Name, Number
from sycllint.cpp.statement import Function, Loop
from sycllint.host.scopes.things import Kind, Offset, Ref, Thing
from sycllint.host.scopes.walk_context import WalkContext
from sycllint.host.written import counters

_WHOLE_NUMBER = re.compile(r"([1-9]\d*|0)[uUlLzZ]*")
_MOST_DEEP = 3


class Offsets:
    """Answers at the place where ``scope`` is."""

    def __init__(self, scope: WalkContext) -> None:
        self._scope = scope
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
        """By what an offset is known again, as long as its variables keep their values; ``None`` of all others."""
        match offset:
            case Number(text=text) if number := _WHOLE_NUMBER.fullmatch(text):
                return number[1]
            case Name(text=text):
                found = self._scope.state.things.get(text)
                return found if found is not None and found.kind is Kind.OBJECT else None
            case Binary(operator="+" | "-" | "*" | "/" as operator, left=left, right=right) if depth < _MOST_DEEP:
                one, other = self.begins(left, depth + 1), self.begins(right, depth + 1)
                return (operator, one, other) if one is not None and other is not None else None
            case _:
                return None

    def is_kept(self, offset: Offset) -> bool:
        """Whether variables keep their values: from their declarations on, or in one pass of the loop that counts them.

        The answer needs the whole function, so it is asked only where something depends on it.
        """
        if isinstance(offset, str):
            return True
        around = next((each for each in self._scope.place.chain() if isinstance(each, Function)), None)
        return around is not None and self._scope.names.changed(around).isdisjoint(_names(offset))


def _names(offset: Offset) -> Iterator[str]:
    match offset:
        case str():
            return
        case (_, left, right):
            yield from (*_names(left), *_names(right))
        case _:
            yield offset.name


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
