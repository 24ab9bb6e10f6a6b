"""How far a value is the same: over the grid, a work-group, a sub-group, or only in one work-item.

The lattice of uniformity, what is known of one variable, and what is known of all of them at one place.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import IntEnum

from sycllint.kernel.rounding import either_made
from sycllint.record import NamedTuple, field, mutable, record
from sycllint.values.arithmetic import LONG, Scalar, join
from sycllint.values.symbolic import symbolic
from sycllint.values.value import Known, Symbolic


class Level(IntEnum):
    """The largest set of work-items over which a value is surely the same; what is not understood is above all."""

    GRID = 0
    """The same in the whole launch: kernel arguments, ranges, constants."""
    GROUP = 1
    """The same in a work-group."""
    SUB_GROUP = 2
    """The same in a sub-group; it differs between the sub-groups of a work-group."""
    SPLIT = 3
    """It differs in a work-group; whether it does in a sub-group hangs on a width that is not known."""
    ITEM = 4
    """It differs from work-item to work-item."""
    UNKNOWN = 5
    """Not understood: no rule may say anything."""

    @property
    def diverges(self) -> bool:
        """Whether it is understood to differ between the work-items of a group."""
        return Level.GROUP < self < Level.UNKNOWN


def joined(levels: Iterable[Level]) -> Level:
    """The level of what is computed from values of these levels."""
    return max(levels, default=Level.GRID)


def either(left: Level, right: Level) -> Level:
    """The level of ``left && right``: a side that differs makes it differ, whatever is in the other."""
    if Level.UNKNOWN not in (left, right):
        return max(left, right)
    other = min(left, right)
    if other is Level.ITEM or other is Level.UNKNOWN:
        return other
    return Level.SPLIT if other.diverges else Level.UNKNOWN


class Memory(NamedTuple):
    """Memory that several work-items see, by the variable or argument it was got from."""

    key: object
    is_local: bool


@record
class Content:
    """What is known of a variable, or of the value of an expression."""

    level: Level
    """Of the value; of the address, where ``memory`` is set."""
    number: Scalar | None = None
    """The value as a polynomial in the ids of the work-item and in what the kernel was given."""
    memory: Memory | None = None
    """A pointer into it, an accessor, or (``through``) an element of it."""
    through: bool = False
    """It stands for the element itself and not for its address."""
    ids: str = ""
    """For an ``id`` or ``range`` of several dimensions: which one, by the name of the function that gives it."""
    parts: tuple[tuple[str, Content], ...] = ()
    """Of an object with members or elements: what is known of some by themselves. ``OTHERS`` stands for the rest of
    them, of which some differ more than others."""
    made: str = ""
    """Where it comes of rounding to a multiple: ``rounding.made_by``."""


OTHERS = ""
"""The name of the parts that have none of their own in ``Content.parts``."""
UNKNOWN = Content(Level.UNKNOWN)
UNIFORM = Content(Level.GRID)


def part_of(whole: Content, name: str) -> Content:
    """What a member or element of an object holds; a number is not followed there."""
    for each, content in whole.parts:
        if each in (name, OTHERS):
            return content
    return Content(whole.level)


def with_part(whole: Content, name: str, level: Level) -> tuple[tuple[str, Content], ...]:
    """The parts of an object of which one is assigned to."""
    return ((name, Content(level)), *[each for each in whole.parts if each[0] != name])


def collected(contents: Sequence[Content]) -> Content:
    """An object made of values: which of its parts is which is not known, and constants fill up what has none."""
    levels = [each.level for each in contents]
    level = joined(levels)
    if level.diverges and any(
        each.level < level and not (each.number is not None and isinstance(each.number.value, Known))
        for each in contents
    ):
        return Content(level, parts=((OTHERS, UNKNOWN),))
    return Content(level)


@mutable
class State:
    """What is known at one place: of each variable by its declaration, and of local memory."""

    contents: dict[object, Content] = field(default_factory=dict)
    written: set[object] = field(default_factory=set)
    """Keys of local memory written since the last barrier."""

    def copy(self) -> State:
        """One to go on with, while this one stays."""
        return State(dict(self.contents), set(self.written))

    def same_levels(self, other: State) -> bool:
        """Whether nothing has risen from one to the other."""
        mine, theirs = self.contents, other.contents
        return self.written == other.written and all(
            content.level is theirs[key].level for key, content in mine.items() if key in theirs
        )


def merged(left: State | None, right: State | None, level: Level, *, once: bool = False) -> State | None:
    """What is known where two ways meet, of which one is taken by a condition of ``level``; ``None`` is no way.

    ``once``: each is gone at most once, as in an ``if``, so that a number is one of two.
    """
    if left is None or right is None:
        return left if right is None else right
    others = right.contents
    contents = {
        key: first if first is (second := others[key]) else _met(first, second, level, once=once)
        for key, first in left.contents.items()
        if key in others
    }
    return State(contents, left.written | right.written)


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


def one_of(first: Content, second: Content, level: Level) -> Scalar | None:
    """What is known of a number that is one of two, by a condition of ``level``, and the same in a whole group.

    Of one that is rounded on one way, which multiple it is on the other is not followed.
    """
    if first.number is None or second.number is None or joined((first.level, second.level, level)) > Level.GROUP:
        return None
    if either_made(first.made, second.made):
        return None
    number = symbolic(join([first.number.value, second.number.value]))
    return Scalar(number, first.number.type) if number is not None else None


def _parts(first: Content, second: Content, level: Level) -> tuple[tuple[str, Content], ...]:
    """What is known of the parts of an object on both of two ways."""
    names = [name for name, _ in (*first.parts, *second.parts) if name != OTHERS]
    met = {name: max(part_of(first, name).level, part_of(second, name).level, level) for name in names}
    rest = [each for each in (*first.parts, *second.parts) if each[0] == OTHERS]
    return (*((name, Content(found)) for name, found in met.items()), *rest[:1])


def raised(before: State, after: State | None, level: Level) -> State | None:
    """What is known after a loop that not every work-item leaves at the same trip."""
    if after is None or level <= Level.GROUP:
        return after
    known = before.contents
    contents = {
        key: content
        if content.level >= level or known.get(key) is content
        else _raised(content, known.get(key, content), level)
        for key, content in after.contents.items()
    }
    return State(contents, after.written)


def _raised(content: Content, before: Content, level: Level) -> Content:
    parts = tuple(
        (name, part if (name, part) in before.parts else Content(max(part.level, level)))
        for name, part in content.parts
    )
    return Content(level, content.number, content.memory, content.through, content.ids, parts, content.made)


def truth_of(content: Content) -> bool | None:
    """The truth value of a content, when its number is known."""
    number = exact_of(content)
    return None if number is None else bool(number)


def exact_of(content: Content) -> int | None:
    """The number of a content, when it is exactly known."""
    if content.number is None or not isinstance(content.number.value, Known):
        return None
    return content.number.value.value


def constant(value: int) -> Scalar:
    """A number that is known."""
    return Scalar(Known(value), LONG)


def scalar_of(result: object) -> Scalar | None:
    """A result as a number of which something is known."""
    return result if isinstance(result, Scalar) and isinstance(result.value, Known | Symbolic) else None
