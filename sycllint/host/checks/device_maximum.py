"""Launches whose work-group is as large as the device allows, without asking what the kernel allows."""

from __future__ import annotations

from collections.abc import Iterable
from math import prod

from sycllint.host.checks.member_maximum import QUERY, MemberMaxima
from sycllint.host.code import HostCode
from sycllint.launch.kernel import KernelLaunch
from sycllint.record import record
from sycllint.source.span import Location
from sycllint.values.value import Parameter, Symbolic, Term, Unknown, Value, known

MIN_PRIVATE = 64
"""Bytes of private arrays from which a kernel may need more registers than most."""


@record
class DeviceMaximum:
    """A local range that is the device's largest, for a kernel with needs of its own."""

    text: str
    location: Location
    query: Location | None
    """Where the device is asked."""
    local_memory: bool
    barrier: bool
    private: int
    """Bytes of private arrays of one work-item."""


def device_maxima(code: HostCode) -> Iterable[DeviceMaximum]:
    """The launches of one file that take the device's maximum as it is, whatever names and objects it went through."""
    reported: set[Location] = set()
    members = MemberMaxima(code.evaluator.facts)
    for launch in code.launches:
        if launch.local_range is None:
            continue
        private = known(launch.private_memory.total) or 0
        private = private if private >= MIN_PRIVATE else 0
        shares = bool(launch.local_memory.allocations)
        if not (shares or launch.barrier or private):
            continue
        answer = _device_answer(launch)
        query = members.query(launch) if answer is None else answer.location
        if answer is None and query is None:
            continue
        location = _at_the_launch(code, launch, launch.local_range.location)
        if location in reported:
            continue
        reported.add(location)
        text = _written(code, launch, location)
        yield DeviceMaximum(text, location, query, shares, launch.barrier is True, private)


def _at_the_launch(code: HostCode, launch: KernelLaunch, local: Location) -> Location:
    """Where the local range is written; the launch itself where that is in another file or a call that leads to it."""
    following = code.facts.content[local.span.end : local.span.end + 1]
    is_call = _text(code, local).isidentifier() and following in (b"(", b"<")
    return launch.location if is_call or local.path != launch.location.path else local


def _written(code: HostCode, launch: KernelLaunch, location: Location) -> str:
    """The local range where it is a name; else the name of the query."""
    text = _text(code, location)
    is_name = location.path == code.facts.path and text.isidentifier() and location != launch.location
    return text if is_name else QUERY


def _text(code: HostCode, location: Location) -> str:
    return code.facts.content[location.span.start : location.span.end].decode(errors="replace")


def _device_answer(launch: KernelLaunch) -> Parameter | None:
    """What the device answered, when the extents are that in all: ``answer``, or ``answer / 32`` with 32."""
    extents = launch.local_range.extents if launch.local_range is not None else ()
    wide = [each for each in extents if known(each) is None]
    others = prod(known(each) or 1 for each in extents)
    return _answer(wide[0], others) if len(wide) == 1 else None


def _answer(extent: Value, others: int) -> Parameter | None:
    match extent:
        case Symbolic(terms=(Term(atoms=(atom,), factor=1),)) | Unknown(terms=(Term(atoms=(atom,), factor=1),)):
            pass
        case _:
            return None
    match atom:
        case Parameter(asked="", dividend=(Term(atoms=(asked,), factor=1),), divisor=divisor) if divisor == others:
            return asked if asked.asked == QUERY else None
        case _:
            return atom if atom.asked == QUERY and others == 1 else None
