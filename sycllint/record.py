"""Small immutable classes that are made by the hundred thousand."""

from dataclasses import dataclass
from typing import TypeVar, dataclass_transform

Made = TypeVar("Made")


@dataclass_transform(frozen_default=True)
def record(cls: type[Made]) -> type[Made]:
    """A dataclass with slots, equal and hashed by its fields, that is never changed once made.

    The type checker holds us to that, not the interpreter: ``frozen=True`` makes each instance twice as expensive.
    """
    return dataclass(slots=True, unsafe_hash=True)(cls)


@dataclass_transform(frozen_default=True, eq_default=False)
def unique(cls: type[Made]) -> type[Made]:
    """The same, where two instances are equal only if they are one."""
    return dataclass(slots=True, eq=False)(cls)
