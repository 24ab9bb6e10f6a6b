"""The analyses of a file's host code, and what they are given.

An analysis is a function from ``HostCode`` to records: frozen, hashable dataclasses with locations and values in them,
which a rule finds with ``unit.seen.of(...)``.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from sycllint.facts.file import FileFacts
from sycllint.launch.kernel import KernelLaunch
from sycllint.observation import Observations
from sycllint.values.evaluate import Evaluator


@dataclass(frozen=True, slots=True)
class HostCode:
    """One file of a translation unit, with the launches that are written in it."""

    evaluator: Evaluator
    facts: FileFacts
    launches: tuple[KernelLaunch, ...]


Analysis = Callable[[HostCode], Iterable[object]]

ANALYSES: tuple[Analysis, ...] = ()


def observe(code: HostCode) -> Observations:
    """What all analyses see in one file."""
    return Observations.gathered(*(analysis(code) for analysis in ANALYSES))
