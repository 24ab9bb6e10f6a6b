"""A comment of the migration tool still asks for a decision.

The tool that migrates CUDA to SYCL writes ``DPCT1049:0: …`` where it could not decide and the code needs a review. Some
of the questions sycllint answers itself: whether the work-group fits (1049), and whether the barrier already orders
what the comment proposes, local memory only (1065) or global memory too (1113). Where the answer is yes, the comment
can go; of the others the finding names the rule that checks the same.

Bad::

    void scale(sycl::queue &q, float *data, int size) {
      /*
      DPCT1049:0: The work-group size passed to the SYCL kernel may exceed the limit.
      */
      q.parallel_for(sycl::nd_range<1>(4096, size), [=](sycl::nd_item<1> it) { data[it.get_global_id(0)] *= 2.0f; });
    }

Good::

    void scale(sycl::queue &q, float *data) {
      q.parallel_for(sycl::nd_range<1>(4096, 256), [=](sycl::nd_item<1> it) { data[it.get_global_id(0)] *= 2.0f; });
    }

A note, whatever is asked: a comment breaks no program. Where a marker is answered, ``--fix`` deletes its comment when
that holds nothing else and the answer is the same on every Intel GPU. A size fits by its number, or by a bound: a
clamp, ``if (size > 256) throw`` or ``assert(size <= 256)``. Markers of questions for which sycllint has no rule
are counted in one note for each file.

Silent when the file is in a folder with the unchanged output of the tool, such as ``01_dpct_output``.

Source: SYCLomatic, "Diagnostics Reference", DPCT1049, DPCT1065, DPCT1083, DPCT1092, DPCT1096, DPCT1110, DPCT1113,
DPCT1118.
"""

import re
from collections import Counter
from collections.abc import Iterator

from sycllint.diagnostic import Severity
from sycllint.hardware.device import Device
from sycllint.hardware.profiles import intel_devices
from sycllint.host.unit import SourceUnit
from sycllint.record import record
from sycllint.rule import Finding, rule
from sycllint.source.edit import Applicability, Edit, Fix
from sycllint.spelling.record import Marker
from sycllint.target import Target
from sycllint.values.value import Known, OneOf, Symbolic, Value


@record
class _Question:
    """What a marker asks, and the rules that look at the same."""

    about: str
    rules: str


_WORK_GROUP = 1049
_ORDERED = {
    1065: (re.compile(r"\bbarrier\s*\([^;()]*\blocal_space\s*\)"), "the barrier orders local memory only"),
    1113: (re.compile(r"\bbarrier\s*\(\s*\)"), "the barrier orders global memory too"),
}
"""What a barrier is when it already is what a marker proposes, and that in words."""
_QUESTIONS = {
    _WORK_GROUP: _Question("work-group size against the limit", "SYC101"),
    1065: _Question("which memory the barrier has to order", "SYC506"),
    1083: _Question("size of local memory", "SYC401"),
    1092: _Question("work-group size for this device", "SYC201"),
    1096: _Question("work-group narrower than the sub-group", "SYC302 and SYC304"),
    1110: _Question("register pressure", "SYC601"),
    1113: _Question("barrier in a kernel of several dimensions", "SYC506"),
    1118: _Question("converged control flow", "SYC501 and SYC502"),
}


@rule("SYC910", Severity.NOTE, on=SourceUnit, seen=Marker)
def unresolved_dpct_marker(unit: SourceUnit, target: Target) -> Iterator[Finding]:
    """Answer each marker, or name it as open; count those of other questions."""
    markers = unit.seen.of(Marker)
    for marker in markers:
        if marker.number in _QUESTIONS:
            yield _answered(marker, target.device) or _ordered(marker) or _open(marker)
    others = [marker for marker in markers if marker.number not in _QUESTIONS]
    if others:
        yield _counted(others)


def _open(marker: Marker) -> Finding:
    question = _QUESTIONS[marker.number]
    return Finding(
        location=marker.location,
        subject=f"DPCT{marker.number} ({question.about})",
        verdict="is still open",
        device_specific=False,
        help=f"{question.rules} checks the same; delete the comment once it is resolved.",
        tally=f"DPCT{marker.number}",
    )


def _answered(marker: Marker, device: Device) -> Finding | None:
    """The answer that the launch after the marker gives: its size, or what bounds it."""
    sizes = [_at_most(each.work_group_size) for each in marker.launches]
    largest = max((each for each in sizes if each is not None), default=None)
    if marker.number != _WORK_GROUP or any(each.register_count for each in marker.launches):
        return None
    if largest is None or None in sizes or largest > device.max_work_group_size:
        return None
    is_known = all(isinstance(each.work_group_size, Known) for each in marker.launches)
    return Finding(
        location=marker.location,
        subject=f"DPCT{marker.number} is resolved: work-group {'' if is_known else 'of up to '}{largest}",
        verdict=f"is within max {device.max_work_group_size}",
        fix=_deletion(marker, everywhere=all(largest <= each.max_work_group_size for each in intel_devices())),
    )


def _ordered(marker: Marker) -> Finding | None:
    """The answer that the barrier after the marker gives: it orders what the comment proposes."""
    proposed, verdict = _ORDERED.get(marker.number, (None, ""))
    if proposed is None or not proposed.search(marker.statement):
        return None
    return Finding(
        location=marker.location,
        subject=f"DPCT{marker.number} is resolved:",
        verdict=verdict,
        device_specific=False,
        fix=_deletion(marker, everywhere=True),
    )


def _deletion(marker: Marker, *, everywhere: bool) -> Fix | None:
    """Without the comment; unsafe where another device would still have the question."""
    if marker.comment is None:
        return None
    applicability = Applicability.SAFE if everywhere else Applicability.UNSAFE
    return Fix("delete the comment", (Edit(marker.comment, ""),), applicability)


def _at_most(value: Value | None) -> int | None:
    """The largest number that ``value`` may be."""
    match value:
        case Known(value=number):
            return number
        case OneOf(values=values):
            return max(each.value for each in values)
        case Symbolic(maximum=most):
            return most
        case _:
            return None


def _counted(markers: list[Marker]) -> Finding:
    counts = Counter(marker.number for marker in markers).most_common()
    return Finding(
        location=markers[0].location,
        subject=", ".join(f"{count} × DPCT{number}" for number, count in counts),
        verdict="in this file: sycllint has no rule for these; review by hand",
        device_specific=False,
    )
