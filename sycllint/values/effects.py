"""Which statements of a long block may matter to a name: an index, so that each question looks only at those."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from heapq import merge
from typing import NamedTuple

from sycllint.cpp.statement import Declaration, Statement
from sycllint.values.mutation import Mutations

LONG = 64
"""Blocks of more statements are worth an index; in others it costs more than it saves."""


class _Index(NamedTuple):
    """Positions of statements, ascending."""

    statements: tuple[Statement, ...]
    starts: list[int]
    by_name: dict[str, list[int]]
    """By the names that a statement declares, or may change; with the marks of ``Mutations``."""
    aside: list[int]
    """Of statements that may say something of any name."""


class Effects:
    """Indices for one evaluator, made when first asked for."""

    def __init__(self, mutations: Mutations, aside: frozenset[type[Statement]]) -> None:
        self._mutations = mutations
        self._aside = aside
        self._indices: dict[int, _Index] = {}

    def before(self, statements: tuple[Statement, ...], names: tuple[str, ...], offset: int) -> Iterator[Statement]:
        """The statements before ``offset`` that may declare or change one of ``names``, the last one first."""
        if len(statements) <= LONG:
            yield from (each for each in reversed(statements) if each.start < offset)
            return
        index = self._index(statements)
        last = bisect_left(index.starts, offset)
        lists = (*(index.by_name.get(name, []) for name in names), index.aside)
        for position in merge(*(_descending(each, last) for each in lists), reverse=True):
            yield statements[position]

    def marking(self, statements: tuple[Statement, ...], mark: str) -> Iterator[Statement]:
        """The statements that have ``mark``, a name or a mark of ``Mutations``, among what they may change."""
        if len(statements) > LONG:
            positions = self._index(statements).by_name.get(mark, [])
            statements = tuple([statements[position] for position in positions])
        yield from (each for each in statements if mark in self._mutations.of(each))

    def _index(self, statements: tuple[Statement, ...]) -> _Index:
        index = self._indices.get(id(statements))
        if index is None:
            index = self._indices[id(statements)] = _Index(statements, [each.start for each in statements], {}, [])
            for position, statement in enumerate(statements):
                names = set(self._mutations.of(statement))
                if isinstance(statement, Declaration):
                    names.update(variable.name for variable in statement.variables)
                for name in names:
                    index.by_name.setdefault(name, []).append(position)
                if type(statement) in self._aside:
                    index.aside.append(position)
        return index


def _descending(positions: list[int], last: int) -> Iterator[int]:
    """Those of ``positions`` below ``last``, from the highest on."""
    for number in range(bisect_left(positions, last) - 1, -1, -1):
        yield positions[number]
