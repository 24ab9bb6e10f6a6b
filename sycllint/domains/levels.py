"""How far a value is the same: over the grid, a work-group, a sub-group, or only in one work-item.

The lattice of uniformity, and what is known of one variable or value.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from enum import IntEnum

from sycllint.domains.rounding import either_made
from sycllint.record import NamedTuple, record
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
    """It differs in a work-group; whether it does in a sub-group depends on a width that is not known."""
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

    key: Hashable
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
