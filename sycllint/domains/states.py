"""The abstract state at one place of a kernel, and its join where two paths meet or a loop is left."""

from __future__ import annotations

from sycllint.domains.controls import Control
from sycllint.domains.levels import OTHERS, Content, Level, one_of, part_of
from sycllint.domains.rounding import either_made


class State:
    """What is known at one place: of each variable by its number, of local memory, and of who has left."""

    __slots__ = ("contents", "exits", "written")

    def __init__(self, contents: list[Content | None], written: frozenset[object], exits: tuple[Control, ...]) -> None:
        self.contents = contents
        """By the number of a variable over all functions that are entered; ``None`` for one that is not declared."""
        self.written = written
        """Keys of local memory written since the last barrier."""
        self.exits = exits
        """What decided over the jumps by which some work-items are not here."""

    def copy(self) -> State:
        """One to go on with, while this one stays."""
        return State(self.contents[:], self.written, self.exits)

    def agrees(self, other: State) -> bool:
        """Whether ``other``, joined from this one and more, says the same of all variables."""
        if self.written != other.written or self.exits != other.exits:
            return False
        for content, joined in zip(self.contents, other.contents, strict=True):
            if content is joined or content is None or joined is None:
                continue
            if content.level is not joined.level or (content.number is not None and joined.number is None):
                return False
        return True


def merged(left: State, right: State, level: Level, *, once: bool = False) -> State:
    """The join of the states of two paths, of which one is taken by a condition of ``level``.

    ``once``: each is gone at most once, as in an ``if``, so that a number is one of two.
    """
    contents = [
        first if first is second or first is None else None if second is None else _met(first, second, level, once=once)
        for first, second in zip(left.contents, right.contents, strict=True)
    ]
    exits = left.exits
    if right.exits is not exits:
        exits += tuple(each for each in right.exits if each not in exits)
    return State(contents, left.written | right.written, exits)


def _met(first: Content, second: Content, level: Level, *, once: bool) -> Content:
    if first.number is not None and first == second:
        return first
    memory, through, ids = first.memory, first.through, first.ids
    if memory != second.memory or through != second.through or ids != second.ids:
        return Content(Level.UNKNOWN)
    number = first.number
    if number != second.number:
        number = one_of(first, second, level) if once else None
    parts = _parts(first, second, level) if first.parts or second.parts else ()
    made = first.made if first.made == second.made else either_made(first.made, second.made)
    return Content(max(first.level, second.level, level), number, memory, through, ids, parts, made)


def _parts(first: Content, second: Content, level: Level) -> tuple[tuple[str, Content], ...]:
    """What is known of the parts of an object on both of two ways."""
    names = [name for name, _ in (*first.parts, *second.parts) if name != OTHERS]
    met = {name: max(part_of(first, name).level, part_of(second, name).level, level) for name in names}
    rest = [each for each in (*first.parts, *second.parts) if each[0] == OTHERS]
    return (*((name, Content(found)) for name, found in met.items()), *rest[:1])


def raised(before: State, after: State, level: Level) -> None:
    """Know no more of ``after`` than is known behind a loop that not every work-item leaves at the same trip."""
    if level <= Level.GROUP:
        return
    after.contents = [
        content
        if content is None or content is known or content.level >= level
        else _raised(content, known or content, level)
        for content, known in zip(after.contents, before.contents, strict=True)
    ]


def _raised(content: Content, before: Content, level: Level) -> Content:
    parts = tuple(
        (name, part if (name, part) in before.parts else Content(max(part.level, level)))
        for name, part in content.parts
    )
    return Content(level, content.number, content.memory, content.through, content.ids, parts, content.made)
