"""The explanation of one launch as a page for people: its numbers and where they come from, its rules and why."""

from collections.abc import Callable, Iterator, Sequence
from textwrap import wrap

from sycllint.launch.kernel import KernelLaunch, Range
from sycllint.occupancy.occupancy import Occupancy
from sycllint.pipeline.explanation import Explanation, Need, OnTarget, Opinion, Way
from sycllint.record import record
from sycllint.report import remembered
from sycllint.report.core import share_text
from sycllint.report.derivation import derivation, line_text, reason_text, step_text
from sycllint.report.display import printable
from sycllint.report.place import Sources
from sycllint.report.style import INK_OF, Ink, Style
from sycllint.report.summary import assumed, plural
from sycllint.report.value import bytes_text, number_text, shape_text
from sycllint.source.span import Location
from sycllint.source.text import SourceFile
from sycllint.values.value import Known, Value

_WAYS = 6
"""Ways to reach the launch that are told in full."""
_LABEL = 16
_PLACES = 6


def render(explanation: Explanation, sources: Callable[[str], SourceFile], *, color: bool, width: int) -> str:
    """The page: each way the launch is reached, then the rules: those that spoke first."""
    page = _Page(remembered(sources), Style(color=color), width)
    lines = [*page.heading(explanation)]
    for number, way in enumerate(explanation.ways[:_WAYS], 1):
        lines += ["", *page.way(way, number, len(explanation.ways))]
    if len(explanation.ways) > _WAYS:
        lines += ["", f"… {len(explanation.ways) - _WAYS} more ways"]
    lines += ["", page.style.ink("rules", Ink.STRONG)]
    for opinion in sorted(explanation.opinions, key=lambda each: (not each.said, each.need is None)):
        lines += page.opinion(opinion)
    for notice in explanation.notices:
        lines += ["", f"{page.style.ink('notice', Ink.STRONG)}: {printable(notice)}"]
    if explanation.targets_assumed and explanation.ways:
        lines += ["", assumed([each.device.name for each in explanation.ways[0].targets])]
    return "\n".join(lines) + "\n"


@record
class _Page:
    """How lines are made: the files to take places from, the colours, the width in cells."""

    sources: Sources
    style: Style
    width: int

    def heading(self, explanation: Explanation) -> Iterator[str]:
        launch = explanation.ways[0].launch
        dims = f", {plural(launch.dims, 'dimension')}" if launch.dims else ""
        function = f", in {launch.function}" if launch.function else ""
        name = launch.kernel.name or "a kernel without a name"
        yield self.style.ink(
            printable(f"{self.at(launch.location)}: {name}: {launch.kind.value}{dims}{function}"), Ink.STRONG
        )

    def way(self, way: Way, number: int, ways: int) -> Iterator[str]:
        """All numbers of the launch under one chain of calls."""
        launch = way.launch
        chain = " from ".join(f"{step_text(step)} ({self.at(step.location)})" for step in launch.reached)
        if ways > 1:
            yield from self.wrapped(f"way {number} of {ways}: {chain or 'as it stands'}", 0)
        elif chain:
            yield from self.wrapped(f"reached by {chain}", 0)
        if launch.open:
            yield from self.wrapped("Calls that are not in sight may reach it with other sizes.", 0)
        yield from self.extents("global", launch.global_range, "none" if launch.dims == 0 else "unknown")
        yield from self.extents("local", launch.local_range, "none" if launch.dims == 0 else "chosen by the runtime")
        if launch.work_group_size is not None:
            yield from self.number("work-group", launch.work_group_size, number_text(launch.work_group_size))
        if launch.required_work_group is not None:
            yield from self.extents("required", launch.required_work_group, "")
        width = launch.sub_group_size
        yield from (
            self.line("sub-group", "chosen by the compiler")
            if width is None
            else self.number("sub-group", width.value, f"{number_text(width.value)}, {self.at(width.location)}")
        )
        if launch.register_count is not None:
            yield from self.number("registers", launch.register_count.value, number_text(launch.register_count.value))
        yield from self.memory(launch)
        yield from self.body(launch)
        for each in way.targets:
            yield from self.occupancy(each, launch)

    def extents(self, label: str, extents: Range | None, absent: str) -> Iterator[str]:
        if extents is None:
            yield from self.line(label, absent)
            return
        yield from self.line(label, f"{shape_text(extents.extents)}, {self.at(extents.location)}")
        yield from self.derivations(extents.extents)

    def number(self, label: str, value: Value, text: str) -> Iterator[str]:
        yield from self.line(label, text)
        yield from self.derivations([value])

    def derivations(self, values: Sequence[Value]) -> Iterator[str]:
        """How each value came about, each sentence once."""
        said = dict.fromkeys(text for value in values for text in derivation(value, self.sources))
        for text in said:
            yield from self.wrapped(text, _LABEL + 2)

    def memory(self, launch: KernelLaunch) -> Iterator[str]:
        """Local and private memory, item by item."""
        local, private = launch.local_memory, launch.private_memory
        yield from self.line("local memory", bytes_text(local.total))
        for each in local.allocations:
            item = f"{each.name}: {number_text(each.count)} x {each.element}, {bytes_text(each.bytes)}"
            yield from self.wrapped(f"{item}: {self.at(each.location)}", _LABEL + 2)
            yield from self.derivations([each.bytes])
        if not local.allocations:
            yield from self.derivations([local.total])
        if private.arrays:
            yield from self.line("private arrays", bytes_text(private.total))
            for array in private.arrays:
                item = f"{array.name}: {bytes_text(array.bytes)}: {self.at(array.location)}"
                yield from self.wrapped(item, _LABEL + 2)

    def body(self, launch: KernelLaunch) -> Iterator[str]:
        kernel = launch.kernel
        missing = " (the kernel is not in sight)" if not kernel.body_found else ""
        if not missing and kernel.calls_unknown:
            missing = " (it hands its item to a function that is not in sight)"
        for label, places in (
            ("barriers", kernel.barriers),
            ("sub-group use", kernel.sub_group_operations),
            ("loops", kernel.loops),
        ):
            if places or label == "barriers":
                none = "unknown" if missing else "none"
                yield from self.line(label, (self.places(places) or none) + (missing if label == "barriers" else ""))

    def places(self, locations: Sequence[Location]) -> str:
        places = list(dict.fromkeys(map(self.at, locations)))
        more = f" and {len(places) - _PLACES} more" if len(places) > _PLACES else ""
        return ", ".join(places[:_PLACES]) + more

    def occupancy(self, found: OnTarget, launch: KernelLaunch) -> Iterator[str]:
        """Each legal sub-group size with its arithmetic, or that it is unknown."""
        name = found.device.name
        yield self.style.ink(f"  on {name}", Ink.STRONG)
        for each in found.occupancies:
            yield from self.line(f"  sub-group {each.sub_group_size}", _arithmetic(each))
        if found.sweep is not None:
            yield from self.wrapped(found.sweep.sentence(name), 4)
            for point in found.sweep.points[:16] if len(found.sweep.points) > 1 else ():
                text = f"{found.sweep.name}={point.value}: work-group {point.work_group}, {point.share}"
                yield from self.wrapped(text, 6)
            if len(found.sweep.points) > 16:
                yield f"      … {len(found.sweep.points) - 16} more"
        if not found.occupancies and found.sweep is None:
            yield from self.wrapped(_no_occupancy(found, launch), 4)

    def opinion(self, opinion: Opinion) -> Iterator[str]:
        rule = opinion.rule
        yield f"  {rule.code} {rule.name}"
        if opinion.said:
            for each in opinion.said:
                label = self.style.ink(each.severity.label, INK_OF[each.severity])
                first, *rest = wrap(f"{each.severity.label}: {printable(each.message)}", self.width - 6) or [""]
                yield f"      {label}{first.removeprefix(each.severity.label)}"
                yield from (f"      {line}" for line in rest)
            return
        yield from self.wrapped(self.silence(opinion), 6)

    def silence(self, opinion: Opinion) -> str:
        """Why the rule did not speak."""
        if not opinion.enabled:
            return "silent: not enabled" if opinion.rule.enabled else "silent: off by default; --select turns it on"
        if opinion.muted:
            return "silent: muted in test trees"
        if opinion.need is not None:
            return self.need(opinion.need)
        if opinion.tried:
            return "silent: its condition is not met, whatever was tried for the unknown numbers"
        return "silent: its condition is not met"

    def need(self, need: Need) -> str:
        """``undecided: n is a parameter of relax (a.cpp:2); for n=640: work-group 640 exceeds max 512``."""
        reasons = dict.fromkeys(reason_text(each.reason, each.location, self.sources) for each, _ in need.numbers)
        if need.barrier:
            reasons["not all of the kernel is in sight"] = None
        examples = [f"{each.text or 'that number'} = {number}" for each, number in need.numbers]
        if need.barrier:
            examples.append("a barrier and a loop in the kernel")
        return f"undecided: {'; '.join(reasons)}. With {', '.join(examples)} it says: {need.message}"

    def line(self, label: str, text: str) -> Iterator[str]:
        indent = " " * (_LABEL + 2)
        first, *rest = wrap(
            printable(text), max(self.width - len(indent), 20), break_long_words=False, break_on_hyphens=False
        ) or [""]
        yield f"  {label:<{_LABEL}}{first}" if len(label) < _LABEL else f"  {label}  {first}"
        yield from (indent + each for each in rest)

    def wrapped(self, text: str, indent: int) -> list[str]:
        space = " " * indent
        return wrap(
            printable(text), max(self.width, indent + 20), initial_indent=space, subsequent_indent=space + "  ",
            break_long_words=False, break_on_hyphens=False,
        )  # fmt: skip

    def at(self, location: Location) -> str:
        return line_text(location, self.sources)


def _arithmetic(each: Occupancy) -> str:
    """``57.1% of 112 threads: 1 group of 64 threads; threads allow 1 group, barriers 32``."""
    if each.groups_per_core == 0:
        return f"cannot run: {each.why}"
    limits = ", ".join(f"{limiter.value} {groups}" for limiter, groups in each.limits)
    text = (
        f"{share_text(each)}: {plural(each.groups_per_core, 'group')} of {plural(each.threads_per_group, 'thread')} "
        f"for {each.threads_per_core} contexts; groups that each resource allows: {limits}"
    )
    if each.waves is None or each.average is None:
        return text
    return f"{text}; {each.waves:.1f} rounds, {each.average:.1%} on average"


def _no_occupancy(found: OnTarget, launch: KernelLaunch) -> str:
    if found.device.threads_per_core is None:
        return f"occupancy unknown: the threads per core of {found.device.name} are not public"
    if launch.dims == 0:
        return "occupancy: none, for it is a single task"
    if launch.work_group_size is None:
        return "occupancy unknown: the runtime chooses the work-group size"
    numbers = [
        ("the work-group size", launch.work_group_size),
        ("local memory", launch.local_memory.total),
        *([("the sub-group size", launch.sub_group_size.value)] if launch.sub_group_size else []),
        *([("the number of registers", launch.register_count.value)] if launch.register_count else []),
    ]
    unknown = [name for name, value in numbers if not isinstance(value, Known)]
    if unknown:
        return f"occupancy unknown: it hangs on {' and '.join(unknown)}"
    if launch.barrier is None:
        return "occupancy unknown: it hangs on whether the kernel has a barrier"
    return f"it does not fit {found.device.name}"
