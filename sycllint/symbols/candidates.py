"""Candidates: the functions of one name that a call may mean, in tables, so that of a hundred few are looked at."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from sycllint.cpp.statement import Function
from sycllint.facts.file import Declared
from sycllint.record import NamedTuple
from sycllint.symbols.arity import accepts
from sycllint.symbols.conversions import ArgumentKind, Conversions, TypeClass
from sycllint.symbols.scope import Scope

Kinds: TypeAlias = Sequence[ArgumentKind | None]
"""Of arguments or parameters, as far as they are known."""
Functions: TypeAlias = tuple[Declared[Function], ...]

FEW = 4
"""So many functions are looked at one by one."""


class _FunctionsByClass(NamedTuple):
    """Functions by the class of one of their parameters."""

    by_class: dict[Scope, list[Declared[Function]]]
    others: list[Declared[Function]]
    """Those whose parameter is of no class of the unit, or of one that is made from an object of another."""


class Candidates:
    """Functions of one name that lookup finds together; ``sure`` when it finds them where the call stands."""

    def __init__(self, functions: Functions, *, sure: bool = True) -> None:
        self.functions = functions
        self.sure = sure
        self._of_count: dict[int, list[Declared[Function]]] = {}
        self._tables: dict[tuple[int, int], _FunctionsByClass] = {}

    def of_count(self, count: int) -> list[Declared[Function]]:
        """Those that ``count`` arguments fit."""
        found = self._of_count.get(count)
        if found is None:
            found = self._of_count[count] = [each for each in self.functions if accepts(each.node, count)]
        return found

    def near(self, arguments: Kinds, conversions: Conversions) -> Iterable[Declared[Function]]:
        """Those that may take the arguments, and few others."""
        found = self.of_count(len(arguments))
        if len(found) <= FEW:
            return found
        for position, kind in enumerate(arguments):
            if kind is None or kind.shape is not TypeClass.CLASS or kind.scope is None:
                continue
            if not conversions.has_conversion(kind.scope):
                table = self._table(position, len(arguments), conversions)
                own = (each for scope in conversions.lineage(kind.scope) for each in table.by_class.get(scope, ()))
                return (*own, *table.others)
        return found

    def _table(self, position: int, count: int, conversions: Conversions) -> _FunctionsByClass:
        found = self._tables.get((position, count))
        if found is None:
            found = self._tables[position, count] = _FunctionsByClass({}, [])
            for each in self.of_count(count):
                wanted = conversions.wanted(each)
                kind = wanted[position] if position < len(wanted) else None
                if kind is None or kind.scope is None or conversions.is_made_from_one(kind.scope):
                    found.others.append(each)
                else:
                    found.by_class.setdefault(kind.scope, []).append(each)
        return found
