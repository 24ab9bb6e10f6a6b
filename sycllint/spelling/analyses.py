"""The analyses of a file's spelling, and what they are given.

An analysis is a function from ``Written`` to records: frozen, hashable dataclasses with locations in them, which a rule
finds with ``unit.seen.of(...)``. Most files hold nothing old: an analysis is loaded where a word of its
subject stands.
"""

import re
from collections.abc import Callable, Iterable

from sycllint.observation import Observations
from sycllint.spelling.written import Written

Analysis = Callable[[Written], Iterable[object]]

_OLD = re.compile(
    rb"CL/sycl\.hpp|\bcl[ \t]*::|namespace[ \t]+cl\b|_selector\b|\btarget[ \t]*::[ \t]*local|sycl::atomic[ \t]*<"
    rb"|\bmode[ \t]*::[ \t]*(?:atomic|discard)|parallel_for_work_|sycl::(?:ONEAPI|INTEL|intel)\b|reqd_sub_group_size"
    rb"|\bbarrier[ \t]*\(|\bget_offset\b|\bid[ \t]*<[^<>]*>\s*(?:\w+\s*)?[({]"
)
"""Some word of what ``outdated`` looks for; the last is an offset, which is an id made on the host."""
_MARKER = re.compile(rb"\bDPCT1\d{3}:")


def _outdated(written: Written) -> Iterable[object]:
    if _OLD.search(written.content) is None:
        return ()
    from sycllint.spelling.outdated import outdated

    return outdated(written)


def _markers(written: Written) -> Iterable[object]:
    if _MARKER.search(written.content) is None:
        return ()
    from sycllint.spelling.markers import markers

    return markers(written)


ANALYSES: tuple[Analysis, ...] = (_outdated, _markers)


def observe(written: Written) -> Observations:
    """What all analyses see in one file."""
    return Observations.gathered(*(analysis(written) for analysis in ANALYSES))
