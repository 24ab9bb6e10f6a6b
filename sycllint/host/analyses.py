"""The analyses of a file's host code, and what they are given.

An analysis is a function from ``HostCode`` to records: frozen, hashable dataclasses with locations and values in them,
which a rule finds with ``unit.seen.of(...)``.
"""

from collections.abc import Callable, Iterable

from sycllint.host.accessors import accessors
from sycllint.host.captures import captures
from sycllint.host.code import HostCode
from sycllint.host.device_maximum import device_maxima
from sycllint.host.hazards import hazards
from sycllint.observation import Observations

__all__ = ["ANALYSES", "Analysis", "HostCode", "observe"]

Analysis = Callable[[HostCode], Iterable[object]]

ANALYSES: tuple[Analysis, ...] = (hazards, captures, accessors, device_maxima)


def observe(code: HostCode) -> Observations:
    """What all analyses see in one file."""
    return Observations.gathered(*(analysis(code) for analysis in ANALYSES))
