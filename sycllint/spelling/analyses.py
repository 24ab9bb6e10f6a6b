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

_HINTS: tuple[bytes, ...] = (
    b"barrier",
    b"get_offset",
    b"_selector",
    b"::local",
    b":: local",
    b"parallel_for_work_",
    b"reqd_sub_group_size",
    b"CL/sycl.hpp",
    b"cl::",
    b"cl ::",
    b"namespace cl",
    b"sycl::atomic",
    b"::atomic",
    b":: atomic",
    b"discard",
    b"sycl::ONEAPI",
    b"sycl::INTEL",
    b"sycl::intel",
)
"""Plain text in every old name: most files are told by it that they hold none."""
_OLD = re.compile(
    rb"CL/sycl\.hpp|\bcl[ \t]*::|namespace[ \t]+cl\b|_selector\b|\btarget[ \t]*::[ \t]*local|sycl::atomic[ \t]*<"
    rb"|\bmode[ \t]*::[ \t]*(?:atomic|discard)|parallel_for_work_|sycl::(?:ONEAPI|INTEL|intel)\b|reqd_sub_group_size"
    rb"|\bbarrier[ \t]*\(|\bget_offset\b"
)
"""Some word of what ``outdated`` looks for."""
_OFFSET = re.compile(rb"id(?<!\wid)[ \t]*<[^<>]*>\s*(?:\w+\s*)?[({]")
"""An id made on the host, which is an offset."""
_MARKER = re.compile(rb"DPCT1\d{3}:")


def _outdated(written: Written) -> Iterable[object]:
    content = written.content
    has_words = any(each in content for each in _HINTS) and _OLD.search(content) is not None
    if not has_words and _OFFSET.search(content) is None:
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
