"""Changes to source text that mend a finding."""

from dataclasses import dataclass
from enum import Enum

from sycllint.source.span import Location


class Applicability(Enum):
    """Whether a fix may be made without asking."""

    SAFE = "safe"
    """The program means what it meant, or what it was written to mean."""
    UNSAFE = "unsafe"
    """It may change what the program does."""


@dataclass(frozen=True, slots=True)
class Edit:
    """``text`` in place of the bytes at ``location``; an empty span inserts."""

    location: Location
    text: str


@dataclass(frozen=True, slots=True)
class Fix:
    """Edits that belong together, and what they do, in a few words."""

    description: str
    edits: tuple[Edit, ...]
    applicability: Applicability = Applicability.SAFE
