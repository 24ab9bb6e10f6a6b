"""The analyses of a file's spelling, and what they are given.

An analysis is a function from ``SpellingUnit`` to records: frozen, hashable dataclasses with locations in them, which
a rule finds with ``unit.seen.of(...)``. Most files hold nothing old: an analysis is run where a rule judges a kind of
its records, and loaded where a word of its subject stands.
"""

import re
from collections.abc import Iterable

from sycllint.observation import Analysis, Observations, Wanted, makes, observed
from sycllint.spelling.names import may_be_old
from sycllint.spelling.written import SpellingUnit

_MARKER = re.compile(rb"DPCT1\d{3}:")


@makes("Outdated")
def _outdated(written: SpellingUnit) -> Iterable[object]:
    if not may_be_old(written.content):
        return ()
    from sycllint.spelling.outdated import outdated

    return outdated(written)


@makes("Marker")
def _markers(written: SpellingUnit) -> Iterable[object]:
    if b"DPCT1" not in written.content or _MARKER.search(written.content) is None:
        return ()
    from sycllint.spelling.markers import markers

    return markers(written)


ANALYSES: tuple[Analysis[SpellingUnit], ...] = (_outdated, _markers)


def observe(written: SpellingUnit, wanted: Wanted) -> Observations:
    """The wanted records of one file."""
    return observed(ANALYSES, written, wanted)
