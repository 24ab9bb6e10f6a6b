"""The analyses of a file's spelling, and what they are given.

An analysis is a function from ``Written`` to records: frozen, hashable dataclasses with locations in them, which a rule
finds with ``unit.seen.of(...)``. Most files hold nothing old: an analysis is loaded where a word of its
subject stands.
"""

import re
from collections.abc import Callable, Iterable

from sycllint.observation import Observations
from sycllint.spelling.names import may_be_old
from sycllint.spelling.written import Written

Analysis = Callable[[Written], Iterable[object]]

_MARKER = re.compile(rb"DPCT1\d{3}:")


def _outdated(written: Written) -> Iterable[object]:
    if not may_be_old(written.content):
        return ()
    from sycllint.spelling.outdated import outdated

    return outdated(written)


def _markers(written: Written) -> Iterable[object]:
    if b"DPCT1" not in written.content or _MARKER.search(written.content) is None:
        return ()
    from sycllint.spelling.markers import markers

    return markers(written)


ANALYSES: tuple[Analysis, ...] = (_outdated, _markers)


def observe(written: Written) -> Observations:
    """What all analyses see in one file."""
    return Observations.gathered(*(analysis(written) for analysis in ANALYSES))
