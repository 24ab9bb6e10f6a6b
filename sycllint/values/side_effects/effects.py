"""Which statements of a block may matter to a name: those whose text mentions it."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from operator import attrgetter

from sycllint.cpp.place import Place
from sycllint.cpp.statement import Block, Declaration, Statement
from sycllint.symbols.unit import Unit
from sycllint.values.side_effects.mutation import Mutations

LONG = 64
"""In blocks of more statements it is remembered which of those that mention a name say something of it."""
_start = attrgetter("start")


class _Telling:
    """Positions of the statements, among the first ``seen`` of a block, that may declare or change one name."""

    __slots__ = ("positions", "seen")

    def __init__(self) -> None:
        self.positions: list[int] = []
        self.seen = 0


class Effects:
    """Answers for one evaluator."""

    def __init__(self, unit: Unit, mutations: Mutations, aside: frozenset[type[Statement]]) -> None:
        """``aside`` are kinds of statements that may say something of any name."""
        self._unit = unit
        self._mutations = mutations
        self._aside = aside
        self._contents: dict[int, bytes | None] = {}
        self._plain: dict[str, bool] = {}
        """Names, and whether each only comes in where it is written."""
        self._telling: dict[tuple[int, str], _Telling] = {}

    def before(
        self, statements: tuple[Statement, ...], text: str, place: Place, offset: int | None = None
    ) -> Iterator[Statement]:
        """The statements of the block at ``place`` that may declare or change ``text``, the last one first.

        With ``offset`` only those that begin before it.
        """
        content = self._content(text, place)
        if content is None:
            return (each for each in reversed(statements) if offset is None or each.start < offset)
        if len(statements) > LONG and isinstance(place.node, Block) and statements is place.node.statements:
            last = len(statements) if offset is None else bisect_left(statements, offset, key=_start)
            positions = self._positions(place.node, text, content, last)
            return (statements[positions[number]] for number in range(bisect_left(positions, last) - 1, -1, -1))
        if not statements:
            return iter(())
        return _mentioning(text.encode(), statements, content, len(content) if offset is None else offset)

    def marking(self, statements: tuple[Statement, ...], mark: str, text: str, place: Place) -> Iterator[Statement]:
        """The statements that have ``mark``, ``text`` or a mark of ``Mutations`` on it, among what they may change."""
        return (each for each in self.before(statements, text, place) if mark in self._mutations.of(each))

    def _content(self, text: str, place: Place) -> bytes | None:
        """The text of the file in which the block at ``place`` stands.

        ``None`` when ``text`` may come in where it is not written.
        """
        if text not in self._plain:
            self._plain[text] = text.isidentifier() and text.isascii() and text not in self._unit.macro_words
        if not self._plain[text]:
            return None
        key = id(place.node)
        if key not in self._contents:
            self._contents[key] = self._unit.content_at(place)
        return self._contents[key]

    def _positions(self, block: Block, text: str, content: bytes, last: int) -> list[int]:
        """The positions, ascending, of the statements of a long block that say something of ``text``.

        At least those below ``last`` are looked at, each once for all questions.
        """
        known = self._telling.setdefault((id(block), text), _Telling())
        statements, word = block.statements, text.encode()
        end = statements[last].start if last < len(statements) else len(content)
        position = known.seen
        while position < last:
            found = content.find(word, statements[position].start, end)
            if found < 0:
                break
            position = _holding(statements, found, position)
            if self._tells(statements[position], text):
                known.positions.append(position)
            position += 1
        known.seen = max(known.seen, last)
        return known.positions

    def _tells(self, statement: Statement, text: str) -> bool:
        if type(statement) in self._aside:
            return True
        if isinstance(statement, Declaration) and any(each.name == text for each in statement.variables):
            return True
        return not self._mutations.of(statement).isdisjoint((text, f"*{text}", f"&{text}", f".{text}"))


def _mentioning(word: bytes, statements: tuple[Statement, ...], content: bytes, end: int) -> Iterator[Statement]:
    """The statements that begin before ``end`` and hold ``word``, the last one first."""
    first, last = statements[0].start, len(statements)
    while last and (found := content.rfind(word, first, end)) >= 0:
        last = min(bisect_right(statements, found, key=_start), last) - 1
        yield statements[last]
        while last and statements[last - 1].start >= statements[last].start:
            last -= 1
            yield statements[last]
        end = min(found, statements[last].start)


def _holding(statements: tuple[Statement, ...], offset: int, least: int) -> int:
    """The position, ``least`` or more, of the first statement that holds ``offset``."""
    position = max(bisect_right(statements, offset, key=_start) - 1, least)
    # ``struct S { … } s;`` is two statements that begin as one.
    while position > least and statements[position - 1].start >= statements[position].start:
        position -= 1
    return position
