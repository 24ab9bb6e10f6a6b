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
    if not _may_hold_markers(written.content):
        return ()
    from sycllint.spelling.markers import markers

    return markers(written)


def _may_hold_markers(content: bytes) -> bool:
    return b"DPCT1" in content and _MARKER.search(content) is not None


ANALYSES: tuple[Analysis[SpellingUnit], ...] = (_outdated, _markers)


def may_see(content: bytes) -> bool:
    """Whether the analyses may see something in a file of these bytes."""
    return may_be_old(content) or _may_hold_markers(content)


def observe(written: SpellingUnit, wanted: Wanted) -> Observations:
    """The wanted records of one file."""
    return observed(ANALYSES, written, wanted)
