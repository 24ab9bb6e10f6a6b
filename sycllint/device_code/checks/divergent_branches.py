"""Branches that part the lanes of every sub-group: ``if (id % 2)``, with work on both sides."""

from collections.abc import Iterable, Iterator, Sequence

from sycllint.cpp.expression import Call, Index, Member, Name
from sycllint.cpp.node import Node, walk
from sycllint.cpp.statement import If, Loop, RangeLoop, Switch
from sycllint.device_code.access_trace.trace import Branch, Guard
from sycllint.device_code.access_trace.tracing import walked
from sycllint.device_code.code import KernelCode
from sycllint.device_code.once import kept_per_function
from sycllint.device_code.races.whole_groups import WholeGroup, inner_group
from sycllint.record import record
from sycllint.source.span import Location

WIDTHS = (8, 16, 32, 64)
"""Sub-group sizes of GPUs (the hardware tables)."""
_FOLDS = frozenset({"%", "&"})
_FEW = 2
"""Subscripts on one side that count as work: a single one is often a store of one of two values."""


@record
class DivergentBranch:
    """A branch on ``id % period``, or what amounts to it."""

    text: str
    location: Location
    periods: tuple[tuple[int, int], ...]
    """Sub-group sizes at which every sub-group takes both ways, each with the period of the condition."""


def divergent_branches(code: KernelCode) -> Iterator[DivergentBranch]:
    """The branches with work on both sides of which each sub-group takes both."""
    group = inner_group(code.geometry)
    if group is None or not _may_part(code):
        return
    trace = walked(code)
    single: dict[tuple[Guard, ...], list[Sequence[int]]] = {}
    for branch in trace.branches if trace is not None else ():
        works = [_is_work(each) for each in branch.ways]
        ways = _taken(branch, group) if any(works) else ()
        if sum(works) < 2:
            working = [] if branch.chosen else [int(bool(each) is works[0]) for each in ways]
            ways = _with_another(working, single.setdefault(branch.guards, []))
        periods = tuple([(width, period) for width in WIDTHS if ways and (period := _period(ways, width))])
        if periods:
            yield DivergentBranch(branch.written.text, branch.location, periods)


def _with_another(working: Sequence[int], before: list[Sequence[int]]) -> Sequence[int]:
    """The ways of an ``if`` with work on one side and of one ``before`` it, when no work-item works in both."""
    other = next((each for each in before if not any(map(min, each, working))), None) if working else None
    if working:
        before.append(working)
    return [] if other is None else [one - each for one, each in zip(working, other, strict=True)]


@kept_per_function
def _may_part(code: KernelCode) -> bool:
    """Whether the kernel branches, and folds a number."""
    branches = any(body.of(If) or body.of(Switch) for body in code.bodies)
    return branches and any(body.operations(_FOLDS) for body in code.bodies)


def _is_work(way: Iterable[Node]) -> bool:
    """Whether one side loops, calls a function, or accesses several elements."""
    nodes = [node for statement in way for node in walk(statement)]
    return (
        any(isinstance(each, Loop | RangeLoop) or (isinstance(each, Call) and _is_computed(each)) for each in nodes)
        or sum(isinstance(each, Index) for each in nodes) >= _FEW
    )


def _is_computed(call: Call) -> bool:
    """Whether a call is more than a question to an item, or a conversion."""
    match call.function:
        case Member(name=name):
            return not name.startswith("get")
        case Name(last=last):
            return last not in _CONVERSIONS
        case _:
            return True


_CONVERSIONS = frozenset({"int", "unsigned", "size_t", "float", "double", "half", "long", "uint", "id", "range", "vec"})


def _taken(branch: Branch, group: WholeGroup) -> Sequence[int]:
    """Which way each work-item of two groups takes; empty when that is not known, or some do not get there."""
    found: list[int] = []
    for each in (group, group.next(len(group.extents) - 1)):
        reached = [each.values(guard.term) for guard in branch.guards if guard.term is not None]
        ways = each.values(branch.value)
        if ways is None or not all(all(holds) for holds in reached if holds is not None):
            return ()
        found += ways if branch.chosen else [int(bool(way)) for way in ways]
    return found


def _period(ways: Sequence[int], width: int) -> int | None:
    """The fewest work-items after which the ways of two groups repeat in every sub-group, at most half of one."""
    if len(ways) // 2 % width:
        return None
    parts = [ways[start : start + width] for start in range(0, len(ways), width)]
    if any(len(set(each)) == 1 for each in parts):
        return None
    for period in range(2, width // 2 + 1):
        if all(each[period:] == each[: width - period] for each in parts):
            return period
    return None
