"""Diagnostics: severity, evidence, message, and the places that the message refers to."""

from enum import Enum, IntEnum

from sycllint.record import record
from sycllint.source.edit import Fix
from sycllint.source.span import Location


class Severity(IntEnum):
    """How much a finding weighs; ordered, so that thresholds are comparisons."""

    NOTE = 1
    WARNING = 2
    ERROR = 3

    @property
    def label(self) -> str:
        """The word used in every output format: ``note``, ``warning`` or ``error``."""
        return self.name.lower()


class Evidence(Enum):
    """What a finding rests on. Only ``PROVED`` may be an error."""

    PROVED = "proved"
    """Every number it needs is known."""
    DERIVED = "derived"
    """Known, given one named assumption (a target, a sub-group size, an open value set)."""
    HEURISTIC = "heuristic"
    """Names and idioms."""


@record(guarded=True)
class Related:
    """A second place that explains a finding."""

    message: str
    location: Location


@record(guarded=True)
class Diagnostic:
    """One finding as reported: the rule's words, its final severity, and the targets on which it holds."""

    code: str
    name: str
    severity: Severity
    evidence: Evidence
    message: str
    location: Location
    targets: tuple[str, ...]
    related: tuple[Related, ...] = ()
    help: str = ""
    """What to do about it, one sentence; empty when the message says it all."""
    fix: Fix | None = None
    tally: str = ""
    """In formats for people, the findings of one rule in one file that have a tally are one line, and are counted by
    it. Formats for programs list each finding."""
