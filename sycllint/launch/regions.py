"""OpenMP target regions to launches."""

from collections.abc import Mapping, Sequence

from sycllint.cpp.expression import Call, Name
from sycllint.cpp.node import Node, walk
from sycllint.cpp.place import Place
from sycllint.cpp.statement import Function, Pragma
from sycllint.facts.regions import Clause, TargetRegion
from sycllint.launch.kernel import Kernel, KernelLaunch, LaunchKind, Range
from sycllint.launch.memory import LocalMemory, PrivateMemory
from sycllint.launch.nest import nest_of
from sycllint.launch.offload import Bound, Offload
from sycllint.launch.shape import product
from sycllint.record import replace
from sycllint.source.setting import Setting
from sycllint.source.span import Location, Span
from sycllint.values.evaluate import Evaluator
from sycllint.values.objects import Point
from sycllint.values.symbolic import settled
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
            nest=nest_of(self._evaluator, region, self._path),
            collapse=collapse.value if collapse is not None else Known(1),
            conditional=any("if" in each.clauses for each in region.directives),
            simple=_is_simple(region) and region.loop is not None and self._is_alone(region.loop, []),
            clauses=frozenset(name for each in region.directives for name in each.clauses),
            insertion=self._at(target + len("target"), target + len("target")),
        )
        return _sized(offload)

    def _is_alone(self, node: Node, inside: list[Function]) -> bool:
        """Whether nothing that is called in ``node`` holds a directive or asks the OpenMP library.

        A function of the project whose text is elsewhere may do either.
        """
        called = {
            each.function.last for each in walk(node) if isinstance(each, Call) and isinstance(each.function, Name)
        }
        for name in called:
            declared = [each.node for each in self._evaluator.facts.functions.get(name)]
            if declared and all(each.body is None for each in declared):
                return False
            for function in declared:
                if function.body is None or function in inside:
                    continue
                inside.append(function)
                if not _is_without_openmp(function.body) or not self._is_alone(function.body, inside):
                    return False
        return True

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
        start = region.directives[0].span.start
        unseen = Unknown("variables of an OpenMP region are not counted")
        return KernelLaunch(
            location=self._at(start, region.directives[0].span.end),
            kind=LaunchKind.OMP_TARGET,
            dims=1,
            function=_function_name(region.place),
            kernel=Kernel(name=None, body_found=_is_simple(region) and region.clause("reduction") is None),
            global_range=None,
            local_range=None,
            work_group_size=None,
            sub_group_size=None,
            required_work_group=None,
            register_count=None,
            local_memory=LocalMemory((), Known(0) if region.loop is not None else unseen, 0),
            private_memory=PrivateMemory((), unseen),
        )


def _sized(offload: Offload) -> Offload:
    """With the ranges of its launch: LWS, and LWS × teams."""
    launch, group = offload.launch, offload.group
    if group is None:
        whole = Range((Unknown("the runtime chooses the teams and their size"),), launch.location)
        return replace(offload, launch=replace(launch, global_range=whole))
    teams = offload.teams.value if offload.teams is not None else Unknown("the runtime chooses the number of teams")
    if offload.combined and "parallel" in offload.constructs and "teams" not in offload.constructs:
        teams = Known(1)
    items = product((group.value, teams))
    return replace(
        offload,
        launch=replace(
            launch,
            global_range=Range((settled(items),), launch.location),
            local_range=Range((group.value,), group.location),
            work_group_size=group.value,
        ),
    )


def _function_name(place: Place) -> str | None:
    return next((node.name for node in place.chain() if isinstance(node, Function)), None)


def _is_simple(region: TargetRegion) -> bool:
    if region.loop is None or len(region.directives) > 1:
        return False
    return _is_without_openmp(region.loop)


def _is_without_openmp(node: Node) -> bool:
    """Whether a piece of code neither holds a directive nor calls the OpenMP library."""
    return not any(
        isinstance(each, Pragma) or (isinstance(each, Name) and each.text.startswith("omp_")) for each in walk(node)
    )
