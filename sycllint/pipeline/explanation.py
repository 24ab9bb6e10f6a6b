"""Everything that is known of one line: the launch there, what each rule makes of it, and the findings."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from functools import partial
from random import Random

from sycllint.config import Config, Configs
from sycllint.cpp.expression import Call, Member
from sycllint.diagnostic import Diagnostic
from sycllint.errors import SycllintError
from sycllint.facts.collect import file_facts
from sycllint.hardware.device import Device
from sycllint.heads import AnyRule
from sycllint.host.unit import SourceUnit
from sycllint.launch.assign import assigned, free_parameters
from sycllint.launch.kernel import KernelLaunch, LaunchKind
from sycllint.launch.openmp.offload import Offload
from sycllint.launch.submission.helper_calls import helper_calls
from sycllint.observation import LAUNCHES_ALONE, Observations
from sycllint.occupancy.filling import Filling, filling
from sycllint.occupancy.occupancy import Occupancy
from sycllint.occupancy.sweep import Sweep, sweep
from sycllint.pipeline import Result, check
from sycllint.pipeline.files import Records
from sycllint.pipeline.join import distinct, weighed
from sycllint.pipeline.judge import Judge
from sycllint.pipeline.parts import in_test_tree, wanted_by
from sycllint.pipeline.run import FileAnalysis, Run
from sycllint.pipeline.silence import why_silent
from sycllint.pipeline.targets import Targets
from sycllint.record import record, replace
from sycllint.registry import all_rules, chosen_rules, rules_on, severities
from sycllint.rule import Rule
from sycllint.source.comments import may_suppress
from sycllint.source.files import shown
from sycllint.source.span import Span
from sycllint.source.text import SourceFile
from sycllint.symbols.unit import Unit
from sycllint.target import Target
from sycllint.values.value import DEVICE_PROPERTY, Parameter

_TRIALS = 150
"""Sets of numbers that are tried in place of the unknown ones, to see whether a rule depends on them."""

_NUMBERS = (1, 2, 3, 4, 5, 6, 8, 12, 16, 24, 32, 48, 64, 96, 100, 128, 250, 256, 320, 512, 640, 1000, 1024, 4096)
_LARGE = (10_000, 48 * 1024, 100_000, 1 << 20, 10_000_000, 1 << 32)
_NEAREST = 3


@record
class Need:
    """What a silent rule would have to know, by an example: numbers with which it reports, and what it would report."""

    numbers: tuple[tuple[Parameter, int], ...]
    message: str
    barrier: bool
    """Also, a barrier and a loop in the kernel, of which not all is visible."""


@record
class Opinion:
    """What one rule makes of a launch: ``said``, or else one reason for silence."""

    rule: AnyRule
    said: tuple[Diagnostic, ...] = ()
    enabled: bool = True
    muted: bool = False
    """It is silent on test trees, and the file is in one."""
    need: Need | None = None
    """What it would have to know."""
    reason: str = ""
    """Why it is silent, in words that follow ``silent:``."""
    tried: bool = False
    """Numbers are unknown, and it was silent for all that were tried."""


@record
class OnTarget:
    """A launch on one device."""

    device: Device
    occupancies: tuple[Occupancy, ...]
    filling: Filling | None
    """How it fills the whole device; ``None`` when that is unknown."""
    sweep: Sweep | None


@record
class LaunchPath:
    """The launch as it is under one chain of calls and instantiations."""

    launch: KernelLaunch
    targets: tuple[OnTarget, ...]


@record
class Spoken:
    """A finding as ``check`` reports it, and the rule that made it."""

    diagnostic: Diagnostic
    rule: AnyRule


@record
class Explanation:
    """One line: the submission there, each way it is reached and the opinion of every rule; and the findings."""

    source: SourceFile
    line: int
    ways: tuple[LaunchPath, ...]
    """Empty where no launch is on the line."""
    opinions: tuple[Opinion, ...]
    findings: tuple[Spoken, ...]
    """Those whose place includes the line, in the order of ``check``; without suppressed ones."""
    notices: tuple[str, ...]
    targets: tuple[str, ...]
    targets_assumed: bool


def explain(path: str, line: int, settings: Config | Configs, *, cache: Records | None = None) -> Explanation:
    """The launch whose call spans ``line`` (from 1) of the file ``path``, of several the last to start; the findings.

    The call is the ``submit`` around the launch, where there is one. ``cache`` as in ``check``.

    Raises ``SycllintError`` when the file cannot be read, or there is neither launch nor finding on the line; it names
    the nearest ones.
    """
    configs = settings if isinstance(settings, Configs) else Configs(settings)
    run = Run(configs, raise_our_errors=True, store=None if cache is None else cache.store)
    listed = run.listed([path])
    wanted = wanted_by(filter(_judges_launches, chosen_rules(listed[0][1]))) if listed else LAUNCHES_ALONE
    with closing(run.files(listed, None, wanted)) as files:
        file = next(files, None)
        if file is None:
            raise SycllintError(run.notices[0] if run.notices else f"{path}: not a C++ file")
        # What a header does is seen in the files that include it.
        seen_in = map(shown, sorted(run.includers(file.source.path, file.config)))
        return _explained(run, file, line, check([path, *seen_in], configs, cache=cache, jobs=None))


def _judges_launches(rule: AnyRule) -> bool:
    """Whether a rule is asked of launches, those of OpenMP regions among them."""
    return rule.fact is KernelLaunch or Offload.__name__ in rule.seen


def _explained(run: Run, file: FileAnalysis, line: int, result: Result) -> Explanation:
    config, source = file.config, file.source
    places = _places(source, file.launches, config)
    here = _on_line(source, file.launches, places, line)
    found = _including(source, line, result.diagnostics)
    hidden = _including(source, line, [each.diagnostic for each in result.hidden])
    if not here and not found and not hidden:
        message = _nothing(source, places, line, file.launches, result.diagnostics)
        raise SycllintError(message, path=source.path, line=line)
    choice = Targets(config).of(source.path)
    ways = tuple(LaunchPath(launch, tuple(_on_target(device, launch) for device in choice.examples)) for launch in here)
    opinions = tuple(_opinions(Judge.on(run, choice), file, here)) if here else ()
    run.note(*_silenced(source, [*(each for opinion in opinions for each in opinion.said), *hidden]))
    rules = {rule.code: rule for rule in all_rules()} if found else {}
    return Explanation(
        source,
        line,
        ways,
        opinions,
        tuple(Spoken(each, rules[each.code]) for each in found),
        tuple(dict.fromkeys((*run.notices, *_about(source, result.notices)))),
        tuple(device.name for device in choice.devices),
        choice.assumed,
    )


def _about(source: SourceFile, notices: Sequence[str]) -> list[str]:
    """Those of this file."""
    return [each for each in notices if each.startswith(f"{source.path}:")]


def _including(source: SourceFile, line: int, diagnostics: Sequence[Diagnostic]) -> list[Diagnostic]:
    """Those whose place in this file includes the line."""
    return [
        each
        for each in diagnostics
        if each.location.path == source.path and line in range(*_lines(source, each.location.span))
    ]


def _lines(source: SourceFile, span: Span) -> tuple[int, int]:
    """The first line of a span, and the one after its last."""
    return source.line_of(span.start), source.line_of(max(span.start, span.end - 1)) + 1


def _opinions(judge: Judge, file: FileAnalysis, here: Sequence[KernelLaunch]) -> Iterator[Opinion]:
    """What each rule on launches makes of the ways of one."""
    chosen = chosen_rules(file.config)
    if here[0].kind is LaunchKind.OMP_TARGET:
        yield from _of_region(judge, here, file, chosen)
        return
    for rule in rules_on(KernelLaunch, all_rules()):
        yield _opinion(judge, rule, here, file.source, file.config, enabled=rule in chosen)


def _silenced(source: SourceFile, diagnostics: Sequence[Diagnostic]) -> Iterator[str]:
    """Those that ``check`` does not report for a comment in this file that silences them, each once."""
    said = list(
        {(each.code, each.location): each for each in diagnostics if each.location.path == source.path}.values()
    )
    if not said or not may_suppress(source.content):
        return
    from datetime import datetime

    from sycllint.pipeline.suppression import Silence

    silence = Silence(lambda _: source, datetime.now().astimezone().date())
    for each in silence.split(said)[1]:
        line = source.line_of(each.suppression.location.span.start)
        why = f": {each.suppression.reason}" if each.suppression.reason else ""
        yield f"{source.path}:{line}: {each.diagnostic.code} is suppressed{why}"


def _places(source: SourceFile, launches: Sequence[KernelLaunch], config: Config) -> Mapping[int, tuple[int, int]]:
    """The first and the last line of each launch in a file, and of each call that decides one, by where it starts."""
    spans = _spans(source, config)
    places: dict[int, tuple[int, int]] = {}
    for launch in launches:
        for start, end in _written_at(launch, source):
            first, last = spans.get(start, (start, end))
            places[start] = (source.position(first).line, source.position(last).line)
    return places


def _written_at(launch: KernelLaunch, source: SourceFile) -> list[Span]:
    """Where a file has the launching name, or the call that decides the launch."""
    return [each.span for each in dict.fromkeys((launch.location, launch.row)) if each.path == source.path]


def _on_line(
    source: SourceFile, launches: Sequence[KernelLaunch], places: Mapping[int, tuple[int, int]], line: int
) -> tuple[KernelLaunch, ...]:
    """The ways of the one launch on ``line``; none where there is no launch."""
    named = [start for start in places if source.position(start).line == line]
    around = [start for start, (first, last) in places.items() if first <= line <= last]
    found = named or sorted(around, key=lambda start: places[start][0])
    return tuple(
        launch for launch in launches if found and any(each.start == found[-1] for each in _written_at(launch, source))
    )


def _spans(source: SourceFile, config: Config) -> dict[int, tuple[int, int]]:
    """The span of each launching call, or of the ``submit`` around it, by where the method's name starts."""
    spans: dict[int, tuple[int, int]] = {}
    facts = file_facts(source.path, source.content, config.defines)
    helped = helper_calls(facts, Unit((facts,)), config.launch_helpers)
    for submission in (*facts.submissions, *(each.submission for each in helped)):
        start, end = submission.call.start, submission.call.end
        place = submission.place.outer
        while place is not None:
            call = place.node
            if isinstance(call, Call) and isinstance(call.function, Member) and call.function.name == "submit":
                start, end = call.start, call.end
            place = place.outer
        spans[submission.start] = (start, end)
    return spans


def _nothing(
    source: SourceFile,
    places: Mapping[int, tuple[int, int]],
    line: int,
    launches: Sequence[KernelLaunch],
    diagnostics: Sequence[Diagnostic],
) -> str:
    names = {each.start: launch.kernel.name or "" for launch in launches for each in _written_at(launch, source)}
    known: dict[int, dict[str, None]] = {}
    for start in places:
        known.setdefault(source.line_of(start), {})[names[start]] = None
    for each in diagnostics:
        if each.location.path == source.path:
            known.setdefault(source.line_of(each.location.span.start), {})[each.code] = None
    if not known:
        return "no launch and no finding here, nor elsewhere in this file"
    nearest = sorted(sorted(known, key=lambda number: abs(number - line))[:_NEAREST])
    words = {number: ", ".join(filter(None, known[number])) for number in nearest}
    near = ", ".join(f"line {number}" + (f" ({text})" if text else "") for number, text in words.items())
    return f"no launch and no finding here; the nearest {'is' if len(nearest) == 1 else 'are'} on {near}"


def _on_target(device: Device, launch: KernelLaunch) -> OnTarget:
    occupancies = Target(device).occupancy_of(launch)
    return OnTarget(device, occupancies, filling(device, launch, occupancies), sweep(device, launch))


def _opinion(
    judge: Judge,
    rule: Rule[KernelLaunch],
    launches: Sequence[KernelLaunch],
    source: SourceFile,
    config: Config,
    *,
    enabled: bool,
) -> Opinion:
    opinion = _heard(
        rule,
        lambda: (each for launch in launches for each in judge.diagnostics(rule, launch, source.path)),
        source.path,
        config,
        enabled=enabled,
    )
    if opinion.said or opinion.muted or not enabled:
        return opinion
    need = next((found for launch in launches if (found := _need(rule, launch, judge.targets[0].device))), None)
    if need is not None:
        return Opinion(rule, need=need)
    reason = why_silent(rule, launches, judge.targets)
    return Opinion(rule, reason=reason, tried=any(map(_is_open, launches)))


def _of_region(
    judge: Judge, launches: Sequence[KernelLaunch], file: FileAnalysis, chosen: Sequence[AnyRule]
) -> Iterator[Opinion]:
    """The opinions of the rules on OpenMP regions, which judge the source unit: of this one region."""
    regions = (each for each in file.unit.seen.records if isinstance(each, Offload))
    unit = replace(file.unit, seen=Observations(tuple(each for each in regions if each.launch in launches)))
    for rule in rules_on(SourceUnit, all_rules()):
        if not rule.seen or not rule.concerns(unit.seen.kinds):
            continue
        said = partial(judge.diagnostics, rule, unit, file.source.path)
        yield _heard(rule, said, file.source.path, file.config, enabled=rule in chosen)


def _heard(
    rule: AnyRule, said: Callable[[], Iterable[Diagnostic]], path: str, config: Config, *, enabled: bool
) -> Opinion:
    """What a rule has ``said``, if it is asked at all."""
    if not enabled or (rule.muted_in_tests and in_test_tree(path, config.root)):
        return Opinion(rule, enabled=enabled, muted=enabled)
    return Opinion(rule, said=tuple(distinct(weighed(said(), severities(config)))))


def _need(rule: Rule[KernelLaunch], launch: KernelLaunch, device: Device) -> Need | None:
    """Numbers for what is unknown with which ``rule`` reports, as few as will do, and a barrier where one may be."""
    free = _free(launch)
    bodies = [launch, _with_barrier(launch)] if launch.barrier is None else [launch]
    for there in bodies:
        for trial in _trials(free):
            found = _smallest(rule, there, trial, device)
            if found is not None and (found[0] or there is not launch):
                numbers, message = found
                named = tuple((each, numbers[each.key]) for each in free if each.key in numbers)
                return Need(named, message, barrier=there is not launch)
    return None


def _smallest(
    rule: Rule[KernelLaunch], launch: KernelLaunch, trial: Mapping[str, int], device: Device
) -> tuple[Mapping[str, int], str] | None:
    """The part of ``trial`` that the rule reports, and what it says; ``None`` when it is silent."""
    numbers, message = trial, _says(rule, launch, trial, device)
    if message is None:
        return None
    for key in trial:
        fewer = {each: number for each, number in numbers.items() if each != key}
        without = _says(rule, launch, fewer, device)
        if without is not None:
            numbers, message = fewer, without
    return numbers, message


def _free(launch: KernelLaunch) -> list[Parameter]:
    """What is unknown of the launch and could be any number; what is asked of the device could not."""
    return [each for each in free_parameters(launch) if DEVICE_PROPERTY not in (each.text, *each.roots)]


def _is_open(launch: KernelLaunch) -> bool:
    return bool(_free(launch)) or launch.barrier is None


def _trials(free: Sequence[Parameter]) -> Iterator[dict[str, int]]:
    """The same numbers in every run: one after the other for a lone parameter, then drawn for all."""
    choices = {each.key: _choices(each) for each in free}
    if not free:
        yield {}
    elif len(free) == 1:
        for key, numbers in choices.items():
            yield from ({key: number} for number in numbers)
    elif all(choices.values()):
        drawn = Random(0)
        for trial in range(_TRIALS):
            # Small numbers make the better examples, so they come first.
            part = 1 if trial > _TRIALS / 2 else 2
            yield {key: drawn.choice(numbers[: -(-len(numbers) // part)]) for key, numbers in choices.items()}


def _choices(parameter: Parameter) -> list[int]:
    """Numbers that the parameter can be."""
    step = max(parameter.multiple_of, 1)
    low = parameter.minimum if parameter.minimum is not None else 1
    numbers = dict.fromkeys(-(-each // step) * step for each in (*_NUMBERS, *_LARGE))
    return [each for each in numbers if each >= low and (parameter.maximum is None or each <= parameter.maximum)]


def _says(rule: Rule[KernelLaunch], launch: KernelLaunch, numbers: Mapping[str, int], device: Device) -> str | None:
    for finding in rule.check(assigned(launch, numbers), Target(device)):
        return f"{finding.subject} {finding.verdict}" + (f" on {device.name}" if finding.device_specific else "")
    return None


def _with_barrier(launch: KernelLaunch) -> KernelLaunch:
    """The launch as if its kernel were visible and had a loop and a barrier."""
    here = (launch.location,)
    body = replace(launch.kernel, body_found=True, calls_unknown=False, reduces=False, barriers=here, loops=here)
    return replace(launch, kernel=body)
