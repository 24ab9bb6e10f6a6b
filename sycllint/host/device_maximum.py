"""Launches whose work-group is as large as the device allows, without asking what the kernel allows."""

from __future__ import annotations

from collections.abc import Iterable

from sycllint.cpp.expression import Assign, Brace, Call, Cast, Expr, Increment, Member, Name
from sycllint.cpp.node import walk
from sycllint.cpp.place import Place
from sycllint.cpp.statement import Function, Variable
from sycllint.facts.submissions import Submission
from sycllint.host.code import HostCode
from sycllint.launch.kernel import KernelLaunch
from sycllint.record import record
from sycllint.source.span import Location, Span
from sycllint.values.value import known

_QUERY = "max_work_group_size"
MIN_PRIVATE = 64
"""Bytes of private arrays from which a kernel may need more registers than most."""


@record
class DeviceMaximum:
    """A local range that is the device's largest, for a kernel with needs of its own."""

    text: str
    location: Location
    query: Location
    """Where the device is asked."""
    local_memory: bool
    barrier: bool
    private: int
    """Bytes of private arrays of one work-item."""


def device_maxima(code: HostCode) -> Iterable[DeviceMaximum]:
    """The launches of one file that take the device's maximum as it is."""
    launches = {each.location.span.start: each for each in code.launches}
    for submission in code.facts.submissions:
        launch = launches.get(submission.start)
        found = _local(submission) if launch is not None and submission.use is None else None
        query = _query(found, submission.place) if found is not None else None
        if launch is None or found is None or query is None:
            continue
        private = known(launch.private_memory.total) or 0
        private = private if private >= MIN_PRIVATE else 0
        shares = bool(launch.local_memory.allocations)
        if shares or launch.barrier or private:
            yield _told(code, launch, found, query, private)


def _told(code: HostCode, launch: KernelLaunch, found: Expr, query: Call, private: int) -> DeviceMaximum:
    path = code.facts.path
    return DeviceMaximum(
        found.text if isinstance(found, Name) else _QUERY,
        Location(path, Span(found.start, found.end)),
        Location(path, Span(query.start, query.end)),
        bool(launch.local_memory.allocations),
        launch.barrier is True,
        private,
    )


def _local(submission: Submission) -> Name | Call | None:
    """The local range of ``parallel_for(nd_range<1>(global, local), …)``, a name or a query."""
    arguments = _made(submission.call.arguments[0], "nd_range") if submission.call.arguments else None
    if arguments is None or len(arguments) < 2:
        return None
    local = arguments[1]
    inner = _made(local, "range")
    if inner is not None and len(inner) == 1:
        local = inner[0]
    return local if isinstance(local, Name | Call) else None


def _made(expression: Expr, name: str) -> tuple[Expr, ...] | None:
    match expression:
        case Call(function=Name(last=last), arguments=given) | Brace(type=Name(last=last), elements=given):
            return given if last == name else None
        case _:
            return None


def _query(local: Expr, place: Place) -> Call | None:
    """The query of the device that ``local`` is, by itself or by the one variable of its name that nothing changes."""
    if isinstance(local, Name):
        function = next((each for each in place.chain() if isinstance(each, Function)), None)
        if function is None:
            return None
        nodes = list(walk(function))
        declared = [each for each in nodes if isinstance(each, Variable) and each.name == local.text]
        if len(declared) != 1 or len(declared[0].arguments) != 1 or declared[0].style == "[":
            return None
        targets = [
            each.left if isinstance(each, Assign) else each.operand
            for each in nodes
            if isinstance(each, Assign | Increment)
        ]
        if any(isinstance(each, Name) and each.text == local.text for each in targets):
            return None
        local = declared[0].arguments[0]
    while isinstance(local, Cast):
        local = local.operand
    match local:
        case Call(function=Member(name="get_info", arguments=(Name(last="max_work_group_size"), *_))):
            return local
        case _:
            return None
