"""The analyses of a file's spelling, and what they are given.

An analysis is a function from ``Written`` to records: frozen, hashable dataclasses with locations in them, which a rule
finds with ``unit.seen.of(...)``.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from sycllint.facts.file import FileFacts
from sycllint.observation import Observations


@dataclass(frozen=True, slots=True)
class Written:
    """One file: its bytes and its facts."""

    content: bytes
    facts: FileFacts


Analysis = Callable[[Written], Iterable[object]]

ANALYSES: tuple[Analysis, ...] = ()


def observe(written: Written) -> Observations:
    """What all analyses see in one file."""
    return Observations.gathered(*(analysis(written) for analysis in ANALYSES))
