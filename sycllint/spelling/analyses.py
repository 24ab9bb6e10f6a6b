"""The analyses of a file's spelling, and what they are given.

An analysis is a function from ``Written`` to records: frozen, hashable dataclasses with locations in them, which a rule
finds with ``unit.seen.of(...)``.
"""

from collections.abc import Callable, Iterable

from sycllint.observation import Observations
from sycllint.spelling.markers import markers
from sycllint.spelling.outdated import outdated
from sycllint.spelling.written import Written

Analysis = Callable[[Written], Iterable[object]]

ANALYSES: tuple[Analysis, ...] = (outdated, markers)


def observe(written: Written) -> Observations:
    """What all analyses see in one file."""
    return Observations.gathered(*(analysis(written) for analysis in ANALYSES))
