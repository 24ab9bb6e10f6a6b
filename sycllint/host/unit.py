"""One source file as a whole, for rules that concern more than one launch."""

from sycllint.observation import NOTHING, Observations
from sycllint.record import record


@record
class SourceUnit:
    """A file, with what the analyses of its host code and of its spelling saw."""

    path: str
    seen: Observations = NOTHING
