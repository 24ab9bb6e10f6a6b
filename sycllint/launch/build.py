"""Facts and values to launches: every submission of a file as a KernelLaunch."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import TypeAlias

from sycllint.cpp.expression import Call, Expr, Lambda, Name, Type
from sycllint.cpp.names import LAUNCHING_FREELY
from sycllint.cpp.place import Place, put_on, used_at
from sycllint.cpp.statement import Function
from sycllint.device_code.analyses import observe
from sycllint.device_code.code import Geometry, KernelCode, LocalArray
from sycllint.device_code.scanning.scan import Scan
from sycllint.device_code.scanning.scanner import Scanner
from sycllint.facts.collect import file_facts
from sycllint.facts.file import FileFacts
from sycllint.facts.regions import TargetRegion
from sycllint.facts.submissions import Submission
from sycllint.launch.call_graph import LaunchCallGraph
from sycllint.launch.call_sites import Within
from sycllint.launch.conditions.equalities import Equalities
from sycllint.launch.conditions.guarding import Guarding, WrittenLaunch
from sycllint.launch.contexts import UNFINISHED, Contexts, Unfinished, reached
from sycllint.launch.helpers import Overloads
from sycllint.launch.kernel import Kernel, KernelLaunch, LaunchKind, Range, Required, also_named
from sycllint.launch.macro_launches import possible_launches
from sycllint.launch.memory import LocalAllocation
from sycllint.launch.names import Naming
from sycllint.launch.naming import namings
from sycllint.launch.not_followed import NotFollowed, not_followed
from sycllint.launch.open_sizes import OpenSize, open_size
from sycllint.launch.openmp.offload import Offload
from sycllint.launch.submission import compatible
from sycllint.launch.submission.attributes import KernelAttributes, Property, demands
from sycllint.launch.submission.callable import KernelFunction, kernel_function
from sycllint.launch.submission.command_group import CommandGroup
from sycllint.launch.submission.helper_calls import HelperCall, helper_calls, in_helper
from sycllint.launch.submission.policies import configured
from sycllint.launch.submission.properties import properties
from sycllint.launch.submission.recognition import COMPATIBLE, WRAPPED, free_launch, is_launcher
from sycllint.launch.submission.shape import Shape, Shapes, product
from sycllint.launch.totals import local_memory, private_memory
from sycllint.memoized import asked_once
from sycllint.observation import EVERYTHING, Observations, Wanted
from sycllint.record import NamedTuple, field, mutable, record, replace
from sycllint.source.setting import Setting
from sycllint.source.span import Location, Span
from sycllint.source.text import SourceFile
from sycllint.supersession import checkpoint
from sycllint.symbols.initialization import initialization
from sycllint.symbols.unit import Unit
from sycllint.values.arithmetic import Scalar, join
from sycllint.values.evaluate import Evaluator
from sycllint.values.memory import Memo
from sycllint.values.objects import Asked, Frame, NdRangeObject, ObjectArgument, Point, RangeObject, Result
from sycllint.values.symbolic import settled
from sycllint.values.value import Known, OneOf, Symbolic, Unknown, Value, known, possible


@record
class UnitAnalysis:
    """All launches of one file, in source order; those of OpenMP regions among them."""

    launches: tuple[KernelLaunch, ...]
    offloads: tuple[Offload, ...]
    """The OpenMP regions."""
    notices: tuple[str, ...]
    """What was not analysed, and why, as ``path:line: sentence``."""
    parse_errors: int
    """Places of the file that do not parse."""
    not_followed: tuple[NotFollowed, ...] = ()
    """Calls that hand a kernel to a function which is not seen to launch it."""


def analyze_source(source: SourceFile, defines: Mapping[str, str]) -> UnitAnalysis:
    """The launches of one file by itself, under the macros ``defines``."""
    facts = file_facts(source.path, source.content, defines)
    return analyze_unit(source, facts, Evaluator(Unit((facts,)), defines))


def analyze_unit(
    source: SourceFile,
    facts: FileFacts,
    evaluator: Evaluator,
    environment: Sequence[Setting] = (),
    helpers: Mapping[str, Overloads] = MappingProxyType({}),
    wanted: Wanted = EVERYTHING,
    *,
    elsewhere: bool = True,
) -> UnitAnalysis:
    """The launches written in one file of the evaluator's unit: one for each way that is found to reach it.

    With ``elsewhere``, those that are written in other files and decided in this one, too.

    ``environment`` is what scripts beside the file set. ``helpers`` are functions whose calls are launches when their
    definition is not visible. Of the kernels' bodies, records of the
    kinds that are ``wanted`` are computed.
    """
    builder = LaunchBuilder(evaluator, facts, wanted)
    launches: list[KernelLaunch] = []
    notices: list[str] = []
    possible = possible_launches(facts, evaluator)
    written = [each for each in possible if not in_helper(each.place, helpers)]
    calls: list[Submission | HelperCall] = [*written, *helper_calls(facts, evaluator.facts, helpers)]
    for call in calls:
        checkpoint()
        submission = call.submission if isinstance(call, HelperCall) else call
        found = builder.launches(call)
        if found and submission.damaged:
            line = source.position(submission.start).line
            notices.append(f"{source.path}:{line}: kernel not analysed: the source does not parse here")
        launches.extend(found)
    if elsewhere:
        launches += builder.launches_elsewhere(helpers)
    hidden = tuple(not_followed(facts, builder.lambdas))
    offloads = builder.offloads(facts.regions, environment) if facts.regions else []
    launches.extend(each.launch for each in offloads)
    launches.sort(key=lambda launch: launch.location.span.start)
    return UnitAnalysis(tuple(launches), tuple(offloads), tuple(notices), len(facts.damaged), hidden)


@mutable
class _Scanned:
    """A kernel that was looked at: without knowing how it is reached, and for the answers that ways to it give."""

    asked: dict[int, Asked]
    """Functions and templates whose parameters its sizes or its barriers depend on."""
    scan: Scan
    by_answers: dict[tuple[bool | None, ...], Scan] = field(default_factory=dict)


_scans: Memo[dict[Lambda | Function, _Scanned]] = Memo(lambda _: {})


class _Given(NamedTuple):
    """What a launch is given."""

    submission: Submission
    """Its ``method`` is that of SYCL's which does the same."""
    point: Point
    receiver: Expr | None
    """The queue or the handler."""
    arguments: tuple[Expr, ...]
    """What a method of the receiver would be given; of SYCLcompat's ``launch`` what may hold properties."""
    kernel: Callable[[], KernelFunction | None]
    """Looked for once, under the frame at that time: it costs more than the sizes, and is not always needed."""


class _Deciding(NamedTuple):
    """What decides the size of a launch."""

    kind: LaunchKind
    asked: tuple[int, ...]
    """By identity, whom it asks for arguments: what it is when it is not known."""
    extents: tuple[object, ...]
    """Of the work-groups, or else of the range."""


MAX_SHAPES = 3
"""Shapes of launches for which one kernel is looked into."""
_REPAIRS = ("Repair",)
_ARGUMENTS = ("KernelArguments",)


_DecidedByCallers: TypeAlias = tuple[OpenSize | bool, FileFacts | None]


def _decided_elsewhere(_: Unit) -> dict[int, _DecidedByCallers]:
    """By identity of a submission of the unit what ``LaunchBuilder._decided_by_callers`` said."""
    return {}


def _asked_of(_: Unit) -> set[int]:
    """By identity, the submissions of the unit of which it was asked whether a file may concern them."""
    return set()


def _launched(_: Unit) -> dict[int, bool]:
    """By identity of a submission of the unit what ``LaunchBuilder._may_launch`` said of it, however it is reached."""
    return {}


class LaunchBuilder:
    """Launches of one file."""

    def __init__(self, evaluator: Evaluator, facts: FileFacts, wanted: Wanted, bodies: FileFacts | None = None) -> None:
        """``bodies``: the file whose kernels are looked into, where not all are."""
        self._facts = facts
        self._path = facts.path
        self._evaluator = evaluator
        self._wanted = wanted
        self._bodies = bodies
        self._contexts = Contexts(self._evaluator)
        self._own_shapes = Shapes(self._evaluator, self._path)
        self._equalities = Equalities(self._evaluator)
        self._guarding: Guarding | None = None
        self._scans = _scans.of(evaluator)
        self._codes: dict[int, KernelCode] = {}
        """The kernels of launches just built, by identity of the launch."""
        self._kernels: dict[int, tuple[Expr, Place]] = {}
        """Where their lambdas are written, or the expressions for their function objects."""
        self._written: dict[int, WrittenLaunch] = {}
        self._decided: dict[tuple[Frame | None, bool, tuple[int, ...] | None], _Deciding | None] = {}
        """What decides the size of the launches just built, by frame: their ways share the inner ones."""
        self._seen: dict[object, dict[object, Observations]] = {}
        self.lambdas: set[Lambda] = set()
        """Those that were seen to be launched."""

    def launches(self, call: Submission | HelperCall) -> list[KernelLaunch]:
        """The launches a call makes: none when it is not SYCL's, one for each way to reach it otherwise."""
        build: Callable[[], KernelLaunch | Unfinished | None]
        if isinstance(call, HelperCall):
            build, place = partial(self._helped, call), call.submission.place
        else:
            submission = _in_place(call)
            build, place = partial(self._launch, submission), submission.place
        found: dict[tuple[object, ...], KernelLaunch] = {}
        codes: dict[tuple[object, ...], KernelCode | None] = {}
        self._codes.clear()
        self._kernels.clear()
        self._written.clear()
        self._decided.clear()
        for launch, frame, is_open in self._contexts.each(build, place):
            checkpoint()
            decider = self._decider(call, launch, frame)
            shape = _shape_key(launch)
            key = (decider.point if decider is not None else None, *shape)
            if key in found:
                found[key] = also_named(found[key], launch)
                continue
            # Only now is it known which ways are worth distinguishing: a look into the kernel costs most.
            kernel = replace(launch.kernel, seen=self._with_arguments(launch, frame, self._observed(launch, frame)))
            steps = reached(frame, self._evaluator.facts)
            made = replace(
                self._guarded(launch, frame), kernel=kernel, reached=steps, open=is_open, is_general=frame is None
            )
            found[key] = self._decided_by(made, frame, decider) if decider is not None else made
            codes.setdefault(shape, self._codes.get(id(launch)))
        only = next(iter(codes.values()), None)
        is_one = len(codes) == 1 and self._wanted.any_of(_REPAIRS)
        if is_one and only and isinstance(call, Submission) and call.method not in LAUNCHING_FREELY:
            # Of a launch with several shapes, a fix of one would be none of the others.
            return [_with_repairs(launch, only, call) for launch in found.values()]
        return list(found.values())

    def launches_elsewhere(self, helpers: Mapping[str, Overloads]) -> list[KernelLaunch]:
        """Launches in other files of the unit whose sizes calls in this file decide, or whose kernel is its own.

        Those in the bodies of ``helpers`` are reported at their calls.
        """
        unit, facts = self._evaluator.facts, self._facts
        builders: dict[int, LaunchBuilder] = {}

        def of(home: FileFacts) -> LaunchBuilder:
            if id(home) not in builders:
                builders[id(home)] = LaunchBuilder(self._evaluator, home, self._wanted, facts)
            return builders[id(home)]

        reached = LaunchCallGraph(self._evaluator).reached_from(facts)

        def within(site: Place) -> bool:
            return unit.file_at(used_at(site)) is facts or site.innermost(Function) in reached.functions

        found: list[KernelLaunch] = []
        for home, submission in reached.submissions:
            checkpoint()
            builder = of(home)
            builder._contexts.sites = self._contexts.sites
            if in_helper(submission.place, helpers) or not builder._may_concern(submission, facts, within):
                continue
            builder.lambdas = self.lambdas
            if home.path != facts.path:
                builder._contexts.within = within
            found += (each for each in builder.launches(submission) if builder._concerns(each, facts))
        return found

    def _may_concern(self, submission: Submission, facts: FileFacts, within: Within) -> bool:
        """Whether calls in ``facts`` may decide the size of a launch, or its kernel may be written there.

        Not where a launch in another file has the same kernel and work-group size however it is reached, is none, or
        where no calls that are ``within`` lead there from ``facts`` past those that decide the size: that is seen
        without the look into the kernel, which costs most, and all but the way there once for all files of the unit.
        """
        if self._path == facts.path:
            return True
        evaluator, sites, key = self._evaluator, self._contexts.sites, id(submission)
        known, launched = evaluator.facts.once(_decided_elsewhere), evaluator.facts.once(_launched)
        if key not in known:
            owner, asked = _in_place(submission).place.innermost(Function), evaluator.facts.once(_asked_of)
            if owner is not None and key not in asked:
                # Most units are asked for one of their files alone, whose calls often do not lead there.
                asked.add(key)
                if not OpenSize(owner, None).may_depend_on(facts, within, sites, evaluator):
                    return False
            known[key] = self._decided_by_callers(submission)
        size, written = known[key]
        may_concern = written is facts or size is True
        if not may_concern and isinstance(size, OpenSize):
            may_concern = size.may_depend_on(facts, within, sites, evaluator)
        if not may_concern:
            return False
        if key not in launched:
            evaluator.free.clear()
            evaluator.work = 0
            given = self._given(_in_place(submission))
            launched[key] = given is not None and self._may_launch(given)
        return launched[key]

    def _decided_by_callers(self, submission: Submission) -> _DecidedByCallers:
        """What callers may decide of a launch, and the file in which its kernel is written whoever calls."""
        evaluator = self._evaluator
        evaluator.free.clear()
        evaluator.work = 0
        given = self._given(_in_place(submission))
        if given is None:
            return False, None
        kernel = given.kernel()
        if evaluator.free:
            return True, None
        deciding = self._local_alone(given)
        if deciding is None:
            shape = self._narrowed(self._shape(given), given.point.place)
            deciding = shape.local or shape.whole
        closure = kernel.closure if kernel is not None else None
        is_own = closure is None or list(closure.place.chain())[-1] is list(submission.place.chain())[-1]
        written = None if is_own or closure is None else evaluator.facts.file_at(closure.place)
        if not evaluator.free or _is_known(deciding):
            return False, written
        owner = given.point.place.innermost(Function)
        if closure is None or owner is None or deciding is None or list(evaluator.free.values()) != [owner]:
            return True, None
        return open_size(owner, deciding.extents) or True, written

    def _concerns(self, launch: KernelLaunch, facts: FileFacts) -> bool:
        """Whether calls in ``facts`` decide the size of a launch, or its kernel is written there."""
        body = launch.kernel.body
        return launch.row.path == facts.path or (body is not None and body.path == facts.path)

    def _decider(self, call: Submission | HelperCall, launch: KernelLaunch, frame: Frame | None) -> Frame | None:
        """The outermost call of a way that decides the work-group size; ``None`` for the launch itself.

        A call in the same file that is handed the size stays the row of all instances of the template around it.
        """
        if launch.kind is LaunchKind.SINGLE_TASK or frame is None:
            return None
        frames, deciding = self._evaluator.frames, launch.local_range or launch.global_range
        if deciding is not None and _is_known(deciding):
            wanted: _Deciding | None = _Deciding(launch.kind, (), tuple(map(_plain, deciding.extents)))
        else:
            wanted = self._deciding(call, frame)
        is_known = wanted is not None and all(isinstance(each, int) for each in wanted.extents)
        asked = wanted.asked if wanted is not None and not is_known else None
        decides = partial(self._deciding, call, only_known=is_known)
        parts = (each for each in range(frame.depth) if decides(frames.inner(frame, each), asked=asked) == wanted)
        count = next(parts, frame.depth)
        calls = [each for each in (frame, *frame.around())[:count] if each.call is not None]
        outermost = calls[-1] if calls else None
        unit = self._evaluator.facts

        def file_at(place: Place) -> FileFacts:
            return unit.file_at(used_at(place))

        home = None if outermost is None else file_at(outermost.point.place)
        if outermost is None or all(file_at(each.point.place) is not home for each in calls[:-1]):
            return outermost
        # Whom the global range asks is no matter here.
        sizes = _sizes(wanted)
        least = next(
            (each for each in range(count) if _sizes(decides(frames.given_within(frame, each))) == sizes),
            count,
        )
        given = [each for each in calls if each.depth > frame.depth - least]
        is_near = bool(given) and file_at(given[-1].point.place) is home
        return given[-1] if is_near else outermost

    def _deciding(
        self,
        call: Submission | HelperCall,
        frame: Frame | None,
        *,
        only_known: bool = False,
        asked: tuple[int, ...] | None = None,
    ) -> "_Deciding | None":
        """What decides the work-group size, as far as it is known under ``frame``, and whom that asks for arguments.

        ``only_known``: sizes that are not known are as good as any others. ``asked``: so are those that ask for more
        than these.
        """
        self._evaluator.work = 0
        self._evaluator.free.clear()
        key = (frame, only_known, asked)
        if key not in self._decided:
            self._evaluator.frame = frame
            self._decided[key] = self._deciding_here(call, only_known=only_known, asked=asked)
            self._evaluator.frame = None
        return self._decided[key]

    def _deciding_here(
        self, call: Submission | HelperCall, *, only_known: bool, asked: tuple[int, ...] | None
    ) -> "_Deciding | None":
        if isinstance(call, HelperCall):
            kernel = self._helped_kernel(call)
            place = call.submission.place
            shape = self._shapes(call.submission).helped(call, kernel, Point(place, call.submission.start))
        else:
            given = self._given(_in_place(call))
            if given is None:
                return None
            place, local = given.point.place, self._local_alone(given)
            if local is not None and _is_known(local):
                return _Deciding(LaunchKind.ND_RANGE, (), tuple(map(_plain, local.extents)))
            alone = self._sizes_alone(given, only_known=only_known)
            if alone is None and asked is not None and not set(self._asked()).issubset(asked):
                return None  # the kernel costs most
            shape = alone or self._shape(given)
        shape = self._narrowed(shape, place)
        deciding = shape.local or shape.whole
        if deciding is None:
            return None
        extents = tuple(each.reason if isinstance(each, Unknown) else _plain(each) for each in deciding.extents)
        return _Deciding(shape.kind, () if _is_known(deciding) else self._asked(), extents)

    def _asked(self) -> tuple[int, ...]:
        """Who is asked for arguments; the members of an object decide where they are known."""
        return tuple(key for key, each in self._evaluator.free.items() if type(each) is not ObjectArgument)

    def _decided_by(self, launch: KernelLaunch, frame: Frame | None, decider: Frame) -> KernelLaunch:
        """A launch of which a call outside decides the work-group size or, without one, the range."""
        assert decider.call is not None
        calls = 0
        while frame is not None:
            calls += frame.call is not None
            if frame is decider:
                break
            frame = frame.outer
        row = launch.reached[calls - 1].location
        whole, local = launch.global_range, launch.local_range
        if local is not None:
            local = replace(local, location=row)
        elif whole is not None:
            whole = replace(whole, location=row)
        function = _function_name(decider.point.place)
        # Who else calls the launching function decides another launch.
        is_open = launch.open and not (local is not None and all(map(_is_closed, local.extents)))
        return replace(launch, decided=calls, function=function, global_range=whole, local_range=local, open=is_open)

    def _guarded(self, launch: KernelLaunch, frame: Frame | None) -> KernelLaunch:
        if not self._wanted.judged:
            return launch
        if self._guarding is None:
            self._guarding = Guarding(self._evaluator, self._contexts.calls)
        return self._guarding.on(launch, self._written[id(launch)], frame)

    def _with_arguments(self, launch: KernelLaunch, frame: Frame | None, seen: Observations) -> Observations:
        """What was seen of a kernel, and what it holds where a C++ front end can be asked for that."""
        kernel = self._kernels.get(id(launch)) if self._wanted.any_of(_ARGUMENTS) else None
        if kernel is None:
            return seen
        written, place = kernel
        found = self._evaluator.held(written, place, frame)
        if found is None:
            return seen
        from sycllint.launch.arguments import kernel_arguments

        path = self._evaluator.facts.file_at(place).path
        return seen.also(kernel_arguments(written, found, path))

    def _observed(self, launch: KernelLaunch, frame: Frame | None) -> Observations:
        """What the analyses see in the kernel of a launch that is reached by ``frame``.

        One kernel is looked at for a few shapes of its launch; what is seen in the last of these stands for the others.
        """
        code = self._codes.get(id(launch))
        if code is None or self._bodies not in (None, self._evaluator.facts.file_at(code.place)):
            return Observations(wanted=self._wanted)
        evaluator = self._evaluator
        free, evaluator.free = evaluator.free, {}
        evaluator.frame = code.frame
        seen = self._seen.setdefault(code.instance if self._wanted.judged else code.function, {})
        evaluator.frame, evaluator.free = None, free
        instance = code.frame if isinstance(code.function, Function) and code.frame is not frame else None
        shape = (
            _shape_key(launch),
            tuple(_plain(each.bytes) for each in code.local),
            instance,
            code.geometry.has_offset,
        )
        if shape not in seen:
            if len(seen) >= MAX_SHAPES:
                return next(reversed(seen.values()))
            evaluator.frame = code.frame
            seen[shape] = observe(code, self._wanted)
            evaluator.frame = None
        return seen[shape]

    def offloads(self, regions: Sequence[TargetRegion], environment: Sequence[Setting]) -> list[Offload]:
        """The OpenMP regions of the file, one for each way to reach them."""
        from sycllint.launch.openmp.regions import Offloads, bounds

        known_regions = Offloads(self._evaluator, self._path, bounds(environment))
        found: dict[tuple[object, ...], Offload] = {}
        for region in regions:
            for offload, frame, is_open in self._contexts.each(partial(known_regions.of, region), region.place):
                steps = reached(frame, self._evaluator.facts)
                launch = replace(offload.launch, reached=steps, open=is_open)
                key = (launch.location, *_shape_key(launch))
                found.setdefault(key, replace(offload, launch=launch))
        return list(found.values())

    def _launch(self, submission: Submission) -> KernelLaunch | Unfinished | None:
        """The launch as it is reached by the evaluator's frame; ``None`` when it is none, or surely never runs.

        Each step costs more than a look whether longer ways are going to be distinguished anyway.
        """
        given = self._given(submission)
        if given is None or not self._may_launch(given):
            return None
        point, submission = given.point, given.submission
        alone = self._sizes_alone(given, only_known=False)
        if alone is not None and self._is_settled_elsewhere(alone, given):
            return None
        if self._contexts.goes_on():
            return UNFINISHED
        kernel = given.kernel()
        if self._contexts.goes_on():
            return UNFINISHED
        shape = self._narrowed(self._shape(given), point.place)
        if self._is_settled_elsewhere(shape, given):
            return None
        if self._contexts.goes_on():
            return UNFINISHED
        if self._is_elsewhere(kernel):
            return UNFINISHED if self._evaluator.frame is None else None
        if kernel is not None and shape.kind is LaunchKind.RANGE and submission.method == "parallel_for":
            shape = replace(shape, has_offset=self._shapes(submission).begins_at_id(given.arguments, point))
        if submission.method == COMPATIBLE:
            local = list(compatible.local_memory(self._evaluator, submission, kernel, point))
        elif submission.method == WRAPPED:
            local = [compatible.wrapped_memory(self._evaluator, submission, point)]
        else:
            local = CommandGroup(self._evaluator, point.place, given.receiver).local_accessors(kernel, given.arguments)
        return self._built(submission, shape, kernel, given.arguments, local)

    def _may_launch(self, given: _Given) -> bool:
        """Whether a call is a launch, as it is reached by the evaluator's frame, and may run."""
        submission = given.submission
        if submission.receiver is not None and not is_launcher(self._evaluator, submission, given.kernel, given.point):
            return False
        return not self._evaluator.reach.never_runs(submission.place)

    def _is_settled_elsewhere(self, shape: Shape, given: _Given) -> bool:
        """Whether no caller further out makes this a launch of the file whose kernels are looked into."""
        if self._bodies is None or not _is_decided(shape):
            return False
        kernel = given.kernel()
        return kernel is not None and kernel.closure is not None and self._is_elsewhere(kernel)

    def _is_elsewhere(self, kernel: KernelFunction | None) -> bool:
        """Whether the kernels of another file are looked into than hold this one, the launch and the calls to it."""
        facts, unit, frame = self._bodies, self._evaluator.facts, self._evaluator.frame
        if facts is None or facts.path == self._path:
            return False
        code = kernel.closure or kernel.operator if kernel is not None else None
        places = [code.place] if code is not None else []
        if frame is not None:
            places += [used_at(each.point.place) for each in (frame, *frame.around()) if each.call is not None]
        return all(unit.file_at(each).path != facts.path for each in places)

    def _given(self, submission: Submission) -> _Given | None:
        """What a launch is given, in the words of SYCL 2020; ``None`` when a free function is no launch of SYCL's."""
        evaluator, point = self._evaluator, Point(submission.place, submission.start)
        arguments, receiver = submission.call.arguments, submission.receiver
        if receiver is None:
            method = free_launch(evaluator, submission)
            if method is None:
                return None
            submission = submission._replace(method=method)
            if method == WRAPPED:
                return _Given(submission, point, None, (), lambda: None)
            if method == COMPATIBLE:
                kernel = asked_once(partial(compatible.kernel, evaluator, submission, point))
                return _Given(submission, point, None, compatible.demanded(evaluator, submission, point), kernel)
            receiver, *others = arguments or (None,)
            arguments = configured(evaluator, tuple(others), point)
        kernel = asked_once(partial(kernel_function, evaluator, arguments, point))
        return _Given(submission, point, receiver, arguments, kernel)

    def _size_given(self, given: _Given) -> Result | None:
        """The first argument of a launch of SYCL's, which holds its sizes; ``None`` where there is none."""
        if given.submission.method in (COMPATIBLE, WRAPPED, "single_task") or not given.arguments:
            return None
        return self._evaluator.evaluate(given.arguments[0], given.point)

    def _sizes_alone(self, given: _Given, *, only_known: bool) -> Shape | None:
        """The shape of a launch where its kernel says nothing of what decides its size; ``None`` where it may.

        ``only_known``: no more is wanted than whether it is known, and then which it is.
        """
        first, method = self._size_given(given), given.submission.method
        match first:
            case NdRangeObject() | RangeObject():
                is_open = False
            case Unknown() | Scalar(value=Unknown() | Symbolic()) if method == "parallel_for":
                is_open = True
            case _:
                return None
        shape = self._shapes(given.submission).of(method, given.arguments, None, given.point)
        return shape if _is_decided(shape) or (only_known and is_open) else None

    def _local_alone(self, given: _Given) -> Range | None:
        """The local range, which decides the size of a launch, where it is known without the global one."""
        if given.submission.method != "parallel_for" or not given.arguments:
            return None
        return self._fixed(
            self._shapes(given.submission).local_alone(given.arguments[0], given.point), given.point.place
        )

    def _shape(self, given: _Given) -> Shape:
        submission = given.submission
        if submission.method == COMPATIBLE:
            return self._shapes(submission).compatible(submission.call.arguments, given.point)
        if submission.method == WRAPPED:
            return self._shapes(submission).compatible(submission.call.arguments[1:3], given.point, has_blocks=True)
        return self._shapes(submission).of(submission.method, given.arguments, given.kernel(), given.point)

    def _helped(self, call: HelperCall) -> KernelLaunch | None:
        """The launch that a helper without a visible definition makes of its arguments."""
        submission = call.submission
        point = Point(submission.place, submission.start)
        if self._evaluator.reach.never_runs(submission.place):
            return None
        kernel = self._helped_kernel(call)
        shape = self._narrowed(self._shapes(call.submission).helped(call, kernel, point), point.place)
        group = CommandGroup(self._evaluator, point.place, None)
        local = [*group.local_accessors(kernel, ()), *group.made_elsewhere(kernel, submission.call)]
        return self._built(submission, shape, kernel, submission.call.arguments, local)

    def _helped_kernel(self, call: HelperCall) -> KernelFunction | None:
        given = call.argument(call.helper.kernel)
        point = Point(call.submission.place, call.submission.start)
        return kernel_function(self._evaluator, (given,), point) if given is not None else None

    def _narrowed(self, shape: Shape, place: Place) -> Shape:
        """``shape`` with the numbers that comparisons on the way to the launch fix."""
        return replace(shape, whole=self._fixed(shape.whole, place), local=self._fixed(shape.local, place))

    def _fixed(self, of: Range | None, place: Place) -> Range | None:
        if of is None or _is_known(of):
            return of
        return replace(of, extents=self._equalities.narrowed(of.extents, place))

    def _built(
        self,
        submission: Submission,
        shape: Shape,
        kernel: KernelFunction | None,
        arguments: tuple[Expr, ...],
        local: list[LocalAllocation],
    ) -> KernelLaunch:
        point = Point(submission.place, submission.start)
        scan, wanted = self._body(submission, kernel, arguments, point, is_wanted=self._is_wanted(shape))
        names: tuple[Naming, ...] = ()
        if self._wanted.named:
            way = self._contexts.with_objects(self._evaluator.frame, point.place)
            names = namings(self._evaluator, submission, kernel, point, way)
        launch = KernelLaunch(
            location=self._name_location(submission),
            kind=shape.kind,
            dims=shape.dims,
            function=_function_name(submission.place),
            kernel=Kernel(
                name=_type_name(submission, kernel) or self._given_name(kernel),
                names=names,
                body_found=scan.body_found,
                body=self._body_location(kernel),
                barriers=tuple(scan.barriers),
                group_functions=tuple(
                    scan.group_functions[each] for each in scan.barriers if each in scan.group_functions
                ),
                sub_group_operations=tuple(scan.sub_group_operations),
                loops=tuple(scan.loops),
                statements=scan.statements,
                calls_unknown=scan.calls_unknown,
            ),
            global_range=_settled(shape.whole),
            local_range=_settled(shape.local, keep_names=True),
            work_group_size=settled(_size(shape.local), keep_names=True) if shape.local is not None else None,
            sub_group_size=wanted.sub_group_size,
            required_work_group=wanted.work_group,
            register_count=wanted.registers,
            local_memory=local_memory(scan, local),
            private_memory=private_memory(scan),
        )
        is_compatible = submission.method == COMPATIBLE
        ranges = submission.call.arguments[:1] if is_compatible else arguments[:1]
        if submission.method == WRAPPED:
            ranges = submission.call.arguments[1:2]
        self._written[id(launch)] = WrittenLaunch(point, shape.sizes, ranges)
        if kernel is not None and kernel.closure is not None:
            self.lambdas.add(kernel.closure.function)
            self._kernels[id(launch)] = (kernel.closure.function, kernel.closure.place)
        elif arguments and not is_compatible:
            self._kernels[id(launch)] = (arguments[-1], point.place)
        else:
            self._kernels.pop(id(launch), None)
        code = None
        if kernel is not None and scan.body_found:
            code = self._code(kernel, shape, wanted, scan, local, submission.place)
        if code is None:
            self._codes.pop(id(launch), None)
        else:
            self._codes[id(launch)] = code
        return launch

    def _body_location(self, kernel: KernelFunction | None) -> Location | None:
        """Where the lambda or the call operator of a kernel is written."""
        if kernel is None or (kernel.closure is None and kernel.operator is None):
            return None
        unit = self._evaluator.facts
        if kernel.closure is not None:
            return unit.location(kernel.closure.function, kernel.closure.place)
        assert kernel.operator is not None
        return unit.file_at(kernel.operator.place).location(kernel.operator.node.start, kernel.operator.node.extent_end)

    def _given_name(self, kernel: KernelFunction | None) -> str | None:
        """The variable that holds the lambda, or the project's function that it calls and nothing else."""
        if kernel is None or kernel.name is not None:
            return kernel.name if kernel is not None else None
        called = kernel.calls
        return called.text if called is not None and called.last in self._evaluator.facts.functions else None

    def _shapes(self, submission: Submission) -> Shapes:
        """What tells the shape of a launch; what the macro of another file writes stands where that is used."""
        is_own = submission.use is None or self._evaluator.facts.file_at(submission.place).path == self._path
        return self._own_shapes if is_own else Shapes(self._evaluator, self._path, self._name_location(submission))

    def _name_location(self, submission: Submission) -> Location:
        """The launching name; for a launch inside a macro, the name of the macro where it is used."""
        if submission.use is not None:
            use = used_at(submission.use).node
            if isinstance(use, Call):
                return Location(self._path, Span(use.function.start, use.function.end))
        return self._facts.location(submission.start, submission.end)

    def _is_wanted(self, shape: Shape) -> bool:
        """Whether it is asked what the kernel of a launch of this shape does."""
        above = self._wanted.kernels_above
        if not above or shape.local is None:
            return above == 0
        return any(each.value > above for each in possible(_size(shape.local)))

    def _body(
        self,
        submission: Submission,
        kernel: KernelFunction | None,
        arguments: tuple[Expr, ...],
        point: Point,
        *,
        is_wanted: bool,
    ) -> tuple[Scan, KernelAttributes]:
        """What a kernel does, as far as that ``is_wanted``, and what it demands."""
        evaluator = self._evaluator
        handed = [*properties(evaluator, arguments, point)]
        if kernel is not None and kernel.instance is not None:
            inside = Point(kernel.instance.struct.place, kernel.instance.struct.node.start)
            handed += (Property(each, inside, kernel.frame) for each in kernel.properties)
        if kernel is None or (kernel.closure is None and kernel.operator is None):
            return Scan(body_found=False), self._demands_of_hidden(submission, handed, point)
        function: Lambda | Function
        if kernel.closure is not None:
            function, place, _ = kernel.closure
        else:
            assert kernel.operator is not None
            function, place = kernel.operator.node, kernel.operator.place
        way, evaluator.frame = evaluator.frame, kernel.frame
        scan = self._scanned(function, place) if is_wanted else Scan(body_found=False)
        wanted = demands(evaluator, function.attributes, Point(place, function.start), handed)
        evaluator.frame = way
        return (replace(scan, body_found=False) if submission.damaged else scan), wanted

    def _code(
        self,
        kernel: KernelFunction,
        shape: Shape,
        wanted: KernelAttributes,
        scan: Scan,
        accessors: list[LocalAllocation],
        submitted: Place,
    ) -> KernelCode | None:
        """What the analyses of the kernel are given."""
        size = wanted.sub_group_size.value if wanted.sub_group_size is not None else None
        whole = _that_can_be(shape.whole.extents) if shape.whole is not None else None
        local = _that_can_be(shape.local.extents) if shape.local is not None else None
        arrays = tuple(
            LocalArray(each.name, each.count, each.bytes, each.location, each.extents, each.is_accessor)
            for each in accessors
        )
        registers = wanted.registers.value if wanted.registers is not None else None
        geometry = Geometry(shape.dims, whole, local, size, registers, shape.has_offset)
        if kernel.closure is not None:
            function, place, frame = kernel.closure
            code = KernelCode(self._evaluator, function, place, geometry, scan, arrays, frame, submitted)
            return replace(code, on_ways=self._on_ways)
        if kernel.operator is not None:
            operator = kernel.operator
            held = self._held(kernel, arrays)
            frame = kernel.frame
            if kernel.instance is not None:
                frame = self._evaluator.members.within(kernel.instance, frame)
            made = (self._evaluator, operator.node, operator.place, geometry, scan, held, frame)
            return KernelCode(*made, submitted, self._on_ways)
        return None

    def _on_ways(self, expression: Expr, place: Place) -> list[Value]:
        """What an expression of a host function comes to, once for each visible call path to it."""
        evaluator = self._evaluator
        frame, point = evaluator.frame, Point(place, getattr(expression, "start", 0))

        def build() -> tuple[Value]:
            return (evaluator.value(expression, point),)

        found = self._contexts.each(build, place)
        evaluator.frame = frame
        return [value for (value,), _, _ in found]

    def _held(self, kernel: KernelFunction, arrays: tuple[LocalArray, ...]) -> tuple[LocalArray, ...]:
        """The accessors by the names that a function object's members give them; a variable's name means none there."""
        instance = kernel.instance
        if instance is None:
            return arrays
        of_class = {each.name for each in instance.struct.node.variables}
        made = initialization(self._evaluator.symbols, instance.struct, instance.arguments)
        members: dict[str, list[str]] = {}
        for member, value in made.kept.items() if made is not None else ():
            if isinstance(value, Name):
                members.setdefault(value.text, []).append(member)
        return tuple(
            replace(each, name=name)
            for each in arrays
            for name in members.get(each.name, ["" if each.name in of_class else each.name])
        )

    def _demands_of_hidden(self, submission: Submission, handed: list[Property], point: Point) -> KernelAttributes:
        """What is demanded by the properties alone; a kernel that was not found may demand a sub-group size itself."""
        wanted = demands(self._evaluator, (), point, handed)
        if wanted.sub_group_size is None and submission.method != "single_task":
            location = self._name_location(submission)
            hidden = Unknown("an attribute of the kernel, which was not found", location)
            wanted = replace(wanted, sub_group_size=Required(hidden, location))
        return wanted

    def _scanned(self, kernel: Lambda | Function, place: Place) -> Scan:
        """What a kernel does; computed again for a call path only when what is compiled depends on that path."""
        evaluator, frame = self._evaluator, self._evaluator.frame
        known = self._scans.get(kernel)
        if known is None:
            evaluator.frame = None
            free, evaluator.free = evaluator.free, {}
            made = self._scan(kernel, place)
            open_sizes = any(not isinstance(each.bytes, Known) for each in (*made.arrays, *made.local))
            asked = dict(evaluator.free) if open_sizes or made.questions else {}
            known = self._scans[kernel] = _Scanned(asked, made)
            evaluator.frame, evaluator.free = frame, free
        if not known.asked or frame is None:
            evaluator.free.update(known.asked)
            return known.scan
        if not known.scan.questions:
            return known.scan.measured(evaluator, frame)
        answers = known.scan.answers(evaluator, frame)
        if answers not in known.by_answers:
            known.by_answers[answers] = self._scan(kernel, place)
        return known.by_answers[answers].measured(evaluator, frame)

    def _scan(self, kernel: Lambda | Function, place: Place) -> Scan:
        return Scanner(self._evaluator).kernel(kernel, place)


def _with_repairs(launch: KernelLaunch, code: KernelCode, submission: Submission) -> KernelLaunch:
    if not _may_be_repaired(launch):
        return launch
    from sycllint.launch.repair import repairs

    fixes = tuple(repairs(launch, code, submission))
    if not fixes:
        return launch
    return replace(launch, kernel=replace(launch.kernel, seen=launch.kernel.seen.also(*fixes)))


def _may_be_repaired(launch: KernelLaunch) -> bool:
    """Whether all sizes of a launch are known, and something is wrong with them or was seen in the kernel."""
    whole, local = launch.global_range, launch.local_range
    if launch.kind is not LaunchKind.ND_RANGE or whole is None or local is None:
        return False
    pairs = [(known(a), known(b)) for a, b in zip(whole.extents, local.extents, strict=False)]
    if any(a is None or not b for a, b in pairs):
        return False
    return bool(launch.kernel.seen.records) or any(a and b and a % b for a, b in pairs)


def _is_decided(shape: Shape) -> bool:
    """Whether the extents are known that decide the size of a launch: those of its work-groups or else of its range."""
    return _is_known(shape.local or shape.whole)


def _is_known(of: Range | None) -> bool:
    return of is not None and all(isinstance(each, Known) for each in of.extents)


def _in_place(submission: Submission) -> Submission:
    """A launch inside a macro, put where the macro is used: its names are then those of that place."""
    if submission.use is None:
        return submission
    return submission._replace(place=put_on(submission.place, submission.use))


def _sizes(deciding: _Deciding | None) -> tuple[object, ...] | None:
    """What decides a size, without whom it asks for arguments."""
    return None if deciding is None else (deciding.kind, deciding.extents)


def _is_closed(extent: Value) -> bool:
    """Whether a number is known, or one of a complete set."""
    return isinstance(extent, Known) or (isinstance(extent, OneOf) and not extent.open)


def _shape_key(launch: KernelLaunch) -> tuple[object, ...]:
    """What two launches of one submission must differ in to be worth distinguishing."""
    return (
        _plain_range(launch.global_range),
        _plain_range(launch.local_range),
        _plain(launch.sub_group_size.value) if launch.sub_group_size is not None else None,
        _plain_range(launch.required_work_group),
        _plain(launch.register_count.value) if launch.register_count is not None else None,
        _plain(launch.local_memory.total),
        _plain(launch.private_memory.total),
        # A function that launches what it is given launches several kernels.
        launch.kernel.body,
    )


def _that_can_be(extents: tuple[Value, ...]) -> tuple[Value, ...]:
    """Extents for analyses of work-items: one below 1, with which the kernel never runs, counts as unknown."""
    return tuple(
        Unknown("an extent below 1") if isinstance(each, Known) and each.value < 1 else each for each in extents
    )


def _plain_range(range_: Range | None) -> tuple[object, ...] | None:
    return None if range_ is None else tuple(_plain(each) for each in range_.extents)


def _plain(value: Value) -> object:
    """A value without the way to it."""
    match value:
        case Known(value=number):
            return number
        case OneOf(values=values, open=is_open):
            return (tuple(each.value for each in values), is_open)
        case Symbolic(terms=terms):
            return terms
        case Unknown():
            return None


def _size(local: Range) -> Value:
    """Work-items of a group, on each way by itself."""
    return join([product(each) for each in local.ways]) if local.ways else product(local.extents)


def _settled(range_: Range | None, *, keep_names: bool = False) -> Range | None:
    if range_ is None:
        return None
    return Range(tuple(settled(each, keep_names=keep_names) for each in range_.extents), range_.location, range_.ways)


def _function_name(place: Place) -> str | None:
    function = place.innermost(Function)
    return function.name if function is not None else None


def _type_name(submission: Submission, kernel: KernelFunction | None) -> str | None:
    """The kernel name type, or the class of the function object."""
    for argument in submission.template_arguments:
        name = argument.name if isinstance(argument, Type) else argument
        if isinstance(name, Name) and name.text:
            return name.text
    return kernel.name if kernel is not None and kernel.instance is not None else None
