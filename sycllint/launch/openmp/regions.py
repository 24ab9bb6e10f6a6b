"""OpenMP target regions to launches."""

from collections.abc import Mapping, Sequence

from sycllint.cpp.statement import Function
from sycllint.facts.regions import Clause, TargetRegion
from sycllint.launch.kernel import KernelLaunch, LaunchKind, Range
from sycllint.launch.memory import LocalMemory, PrivateMemory
from sycllint.launch.openmp.nest import nest_of
from sycllint.launch.openmp.offload import Bound, Offload
from sycllint.launch.openmp.teams import kernel_of, local_bytes, reached
from sycllint.launch.submission.shape import product
from sycllint.record import replace
from sycllint.source.setting import Setting
from sycllint.source.span import Location, Span
from sycllint.values.evaluate import Evaluator
from sycllint.values.objects import Point
from sycllint.values.symbolic import parameter, settled
from sycllint.values.value import Known, Step, Unknown, Value, known


def bounds(settings: Sequence[Setting]) -> dict[str, Bound]:
    """What ``settings`` come to, by variable; without those that are set in two ways."""
    found: dict[str, Bound] = {}
    for each in settings:
        value = Known(each.value, (Step(each.name, each.value, each.location),))
        found.setdefault(each.name, Bound(each.name, value, each.location))
    differing = {each.name for each in settings if known(found[each.name].value) != each.value}
    return {name: bound for name, bound in found.items() if name not in differing}


class Offloads:
    """Target regions of one file. ``environment`` holds what the scripts beside it set, by variable."""

    def __init__(self, evaluator: Evaluator, path: str, environment: Mapping[str, Bound]) -> None:
        self._evaluator = evaluator
        self._path = path
        self._environment = environment

    def of(self, region: TargetRegion) -> Offload:
        """The region as it is reached by the evaluator's frame."""
        point = Point(region.place, region.directives[0].span.start)
        first = region.directives[0]
        thread_limit = self._bound(region, "thread_limit", point) or self._environment.get("OMP_THREAD_LIMIT")
        teams = self._bound(region, "num_teams", point) or self._environment.get("OMP_NUM_TEAMS")
        threads = self._bound(region, "num_threads", point)
        collapse = self._bound(region, "collapse", point)
        target = first.span.start
        offload = Offload(
            launch=self._launch(region),
            constructs=first.words,
            combined=len(region.directives) == 1,
            thread_limit=thread_limit,
            threads=threads,
            teams=teams if "teams" in region.words else None,
            shared_by=self._shared_by(region),
            nest=nest_of(self._evaluator, region, self._path),
            collapse=collapse.value if collapse is not None else Known(1),
            conditional=any("if" in each.clauses for each in region.directives),
            simple=self._is_simple(region),
            clauses=frozenset(name for each in region.directives for name in each.clauses),
            reduces=any("teams" in each.words and "reduction" in each.clauses for each in region.directives),
            insertion=self._at(target + len("target"), target + len("target")),
        )
        return _sized(offload, region)

    def _shared_by(self, region: TargetRegion) -> Location | None:
        last = region.directives[-1]
        is_shared = "loop" in last.words or {"distribute", "parallel"} <= set(last.words)
        return self._at(*last.span) if is_shared and "teams" in region.words else None

    def _is_simple(self, region: TargetRegion) -> bool:
        """A function of the project whose text is elsewhere may hold a directive, or ask the library."""
        if region.loop is None or len(region.directives) > 1:
            return False
        found = reached(self._evaluator.facts, region.loop, self._path)
        return found.plain and not found.hidden

    def _at(self, start: int, end: int) -> Location:
        return Location(self._path, Span(start, end))

    def _bound(self, region: TargetRegion, name: str, point: Point) -> Bound | None:
        clause = region.clause(name)
        if clause is None:
            return None
        value = self._value(clause, point)
        return Bound(name, value, self._at(*clause.span))

    def _value(self, clause: Clause, point: Point) -> Value:
        if clause.value is None:
            return Unknown(f"{clause.text} is not one expression")
        return settled(self._evaluator.value(clause.value, point))

    def _launch(self, region: TargetRegion) -> KernelLaunch:
        start, owner = region.directives[0].span.start, region.place.innermost(Function)
        return KernelLaunch(
            location=self._at(start, region.directives[0].span.end),
            kind=LaunchKind.OMP_TARGET,
            dims=1,
            function=owner.name if owner is not None else None,
            kernel=kernel_of(region, self._evaluator.facts, self._path),
            global_range=None,
            local_range=None,
            work_group_size=None,
            sub_group_size=None,
            required_work_group=None,
            register_count=None,
            local_memory=LocalMemory((), local_bytes(region), 0),
            private_memory=PrivateMemory((), Unknown("variables of an OpenMP region are not counted")),
        )


def _sized(offload: Offload, region: TargetRegion) -> Offload:
    """With the ranges of its launch: LWS, and LWS × teams, or what the iterations that are shared out let it be."""
    launch, group = offload.launch, offload.group
    teams = offload.teams.value if offload.teams is not None else None
    if offload.combined and "parallel" in offload.constructs and "teams" not in offload.constructs:
        teams = Known(1)
    items = _items(offload, region, teams)
    launch = replace(launch, global_range=Range((items,), launch.location))
    if group is not None:
        local = Range((group.value,), group.location)
        launch = replace(launch, local_range=local, work_group_size=group.value)
    return replace(offload, launch=launch)


def _items(offload: Offload, region: TargetRegion, teams: Value | None) -> Value:
    """GWS: the work-items of all teams."""
    group = offload.group
    if group is not None and teams is not None:
        return settled(product((group.value, teams)))
    chosen = "teams" if group is not None else "size of the teams" if teams is not None else "teams and their size"
    reason = f"the runtime chooses the {chosen}"
    iterations = offload.iterations if _shares_out(region) else None
    step = known(group.value) if group is not None else 1
    if not iterations or step is None or step < 1:
        return Unknown(reason)
    most = -(-iterations // step) * step
    bounded = parameter(
        f"<= {most}", f"GWS@{offload.launch.location}", f"{reason}, for {iterations} iterations",
        multiple_of=step, minimum=1, maximum=most,
    )  # fmt: skip
    return replace(bounded, parameters=())


def _shares_out(region: TargetRegion) -> bool:
    """Whether the iterations of the loop go to the threads of the teams, one each at most at a time."""
    words = region.words
    return "loop" in words or {"parallel", "for"} <= words
