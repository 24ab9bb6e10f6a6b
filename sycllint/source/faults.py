"""What can be wrong with a suppression: records for the rules that judge it."""

from typing import TYPE_CHECKING

from sycllint.record import NamedTuple
from sycllint.source.edit import Fix
from sycllint.source.span import Location

if TYPE_CHECKING:
    from datetime import date


class UnusedSuppression(NamedTuple):
    """A suppression, or these words of one, that silenced nothing."""

    location: Location
    words: tuple[str, ...]
    """Empty: all of it."""
    fix: Fix


class UnknownSuppression(NamedTuple):
    """A word that means no rule; or, with a ``sentence`` that says so, a comment that is no suppression at all."""

    location: Location
    word: str
    close: str | None
    """The rule that may be meant."""
    fix: Fix | None
    sentence: str = ""


class ExpiredSuppression(NamedTuple):
    """A suppression whose last day has passed; it silences nothing any more."""

    location: Location
    until: "date"
    fix: Fix


class UnexplainedSuppression(NamedTuple):
    """A suppression without a reason."""

    location: Location
