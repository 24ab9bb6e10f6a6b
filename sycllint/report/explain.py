"""The explanation of one line as a page for people: a launch, its numbers and its rules; and the findings."""

from collections.abc import Callable, Iterator, Sequence
from textwrap import wrap

from sycllint.diagnostic import Evidence
from sycllint.grouping import grouped
from sycllint.hardware.device import Device
from sycllint.hardware.words import width
from sycllint.heads import AnyRule
from sycllint.launch.kernel import KernelLaunch, LaunchKind, Range
from sycllint.occupancy.added import added_local_memory
from sycllint.occupancy.budget import Budget, budget
from sycllint.occupancy.model import missing_numbers, work_group_on
from sycllint.occupancy.occupancy import Occupancy
from sycllint.pipeline.explanation import Explanation, LaunchPath, Need, OnTarget, Opinion, Spoken
from sycllint.record import record
from sycllint.report import remembered
from sycllint.report.address import rule_page
from sycllint.report.derivation import derivation, reason_text
from sycllint.report.formats.full import finding
from sycllint.report.occupancy.budget import of_mode
from sycllint.report.occupancy.filling import device_sentence
from sycllint.report.occupancy.shares import share_text
from sycllint.report.place import Sources, line_text
from sycllint.report.rule_pages.page import description
from sycllint.report.terminal.display import printable
from sycllint.report.terminal.style import INK_OF, Ink, Style
from sycllint.report.terminal.summary import assumed, listed, plural
from sycllint.report.terminal.sweep_table import sweep_table
from sycllint.report.value import bytes_text, number_text, shape_text
from sycllint.source.span import Location
from sycllint.source.text import SourceFile
from sycllint.values.value import Value, known

_WAYS = 6
"""Call paths to the launch that are printed in full, at most."""
_BRIEFLY = 24
"""Of the others, those that are printed with their sizes and the device only, at most."""
_LABEL = 16
_PLACES = 6

_EVIDENCE = {
    Evidence.PROVED: "nothing it depends on is assumed",
    Evidence.DERIVED: "it depends on one assumption, such as the target or a sub-group size",
    Evidence.HEURISTIC: "it depends on names and idioms",
}


def render(
    explanation: Explanation,
    sources: Callable[[str], SourceFile],
    *,
    color: bool,
    width: int,
    hyperlinks: bool = False,
    every: bool = False,
) -> str:
    """The page: each way the launch is reached, the rules, those that spoke first; and the findings on the line.

    ``every``: each silent rule with its reason, not one line for those with the same.
    """
    page = _Page(remembered(sources), Style(color=color, hyperlinks=hyperlinks), width)
    lines = [*(page.launch(explanation, every=every) if explanation.ways else page.line_heading(explanation))]
    for spoken in explanation.findings:
        lines += ["", *page.finding(spoken)]
    for notice in explanation.notices:
        lines += ["", f"{page.style.ink('notice', Ink.STRONG)}: {printable(notice)}"]
    if explanation.targets_assumed:
        lines += ["", assumed(explanation.targets)]
    return "\n".join(lines) + "\n"


@record
class _Page:
    """The context of printing: the files for places, the colours, the width in cells."""

    sources: Sources
    style: Style
    width: int

    def launch(self, explanation: Explanation, *, every: bool) -> Iterator[str]:
        """The launch with its ways, and what each rule makes of it."""
        yield from self.heading(explanation)
        for number, way in enumerate(explanation.ways[:_WAYS], 1):
            yield from ("", *self.way(way, number, len(explanation.ways)))
        rest = explanation.ways[_WAYS:]
        for number, way in enumerate(rest[:_BRIEFLY], _WAYS + 1):
            yield from ("", *self.brief(way, number, len(explanation.ways)))
        if len(rest) > _BRIEFLY:
            yield from ("", f"… {len(rest) - _BRIEFLY} more call paths")
        yield from ("", self.style.ink("rules", Ink.STRONG))
        yield from self.opinions(explanation.opinions, every=every)

    def opinions(self, opinions: Sequence[Opinion], *, every: bool) -> Iterator[str]:
        """The rules that spoke, those that would have to know more, then the silent ones."""
        silent = [each for each in opinions if not each.said and each.need is None]
        for opinion in sorted(opinions, key=lambda each: (not each.said, each.need is None)):
            if every or opinion not in silent:
                yield from self.opinion(opinion)
        if silent and not every:
            silences = [(each.rule, self.silence(each).removeprefix("silent: ")) for each in silent]
            for text in (*_folded(silences), "(--all lists each with its reason)"):
                yield from self.wrapped(text, 2)

    def line_heading(self, explanation: Explanation) -> Iterator[str]:
        """``src/a.cpp:12: 2 findings, no launch``."""
        count = plural(len(explanation.findings), "finding")
        place = printable(f"{explanation.source.path}:{explanation.line}")
        yield self.style.ink(f"{place}: {count}, no launch", Ink.STRONG)

    def finding(self, spoken: Spoken) -> Iterator[str]:
        """The finding as ``check`` has it, on what it rests, where it holds, and what its rule is about."""
        diagnostic, rule = spoken.diagnostic, spoken.rule
        yield from finding(diagnostic, (), self.sources, self.style, self.width)
        yield ""
        yield from self.line("evidence", f"{diagnostic.evidence.value}: {_EVIDENCE[diagnostic.evidence]}")
        yield from self.line("targets", ", ".join(diagnostic.targets) or "all")
        yield from self.line("about the rule", description(rule.page))
        command = f"sycllint rule {rule.code}"
        address = rule_page(rule.code, rule.name)
        yield from self.line("its page", f"{address}, or {command}" if address else command)

    def heading(self, explanation: Explanation) -> Iterator[str]:
        launch = explanation.ways[0].launch
        dims = f", {plural(launch.dims, 'dimension')}" if launch.dims else ""
        function = f", in {launch.function}" if launch.function else ""
        name = launch.kernel.name or "a kernel without a name"
        yield self.style.ink(
            printable(f"{self.at(launch.location)}: {name}: {launch.kind.value}{dims}{function}"), Ink.STRONG
        )

    def way(self, way: LaunchPath, number: int, ways: int) -> Iterator[str]:
        """All numbers of the launch under one chain of calls."""
        launch = way.launch
        chain = self.chain(launch)
        if ways > 1:
            yield from self.wrapped(f"call path {number} of {ways}: {chain or 'as written'}", 0)
        elif chain:
            yield from self.wrapped(f"reached by {chain}", 0)
        if launch.open:
            yield from self.wrapped("Calls that are not visible may reach it with other sizes.", 0)
        whole, group = ("global (GWS)", "local (LWS)") if _is_region(launch) else ("global", "local")
        yield from self.extents(whole, launch.global_range, "none" if launch.dims == 0 else "unknown")
        yield from self.extents(group, launch.local_range, "none" if launch.dims == 0 else "chosen by the runtime")
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

    def brief(self, way: LaunchPath, number: int, ways: int) -> Iterator[str]:
        """The sizes of one way and what they fill of each device."""
        yield from self.wrapped(f"call path {number} of {ways}: {self.chain(way.launch) or 'as written'}", 0)
        for label, extents in (("global", way.launch.global_range), ("local", way.launch.local_range)):
            if extents is not None:
                yield from self.line(label, shape_text(extents.extents))
        for each in way.targets:
            yield from self.device(each, f"of {each.device.name}")

    def chain(self, launch: KernelLaunch) -> str:
        """``scan (a.cpp:12) from main (a.cpp:40)``; empty for a launch that is reached as it stands."""
        return " from ".join(f"{call.name} ({self.at(call.location)})" for call in launch.reached)

    def device(self, found: OnTarget, label: str) -> Iterator[str]:
        """The share of the device that the launch fills, at each sub-group size on which it depends."""
        if found.filling is None:
            return
        rounds = found.filling.rounds
        texts = dict.fromkeys(device_sentence(found.device, each) for _, each in rounds)
        if len(texts) == 1:
            yield from self.line(label, next(iter(texts)))
            return
        for size, each in rounds:
            at = width(found.device, size)
            yield from self.line(label, f"{at}: {device_sentence(found.device, each)}")
            label = " " * len(label)

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
        """The derivation of each value, each sentence once."""
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
        missing = " (the kernel is not visible)" if not kernel.body_found else ""
        if not missing and kernel.calls_unknown:
            calls = "calls a function" if _is_region(launch) else "passes its item to a function"
            missing = f" (it {calls} that is not visible)"
        if not missing and kernel.reduces and not kernel.barriers:
            missing = " (the compiler chooses how the reduction combines the threads of a team)"
        for label, places in (
            ("barriers", kernel.barriers),
            ("sub-group use", kernel.sub_group_operations),
            ("loops", kernel.loops),
        ):
            if places or label == "barriers":
                none = "unknown" if missing else "none"
                yield from self.line(label, (self.places(places) or none) + (missing if label == "barriers" else ""))

    def places(self, locations: Sequence[Location]) -> str:
        return listed(list(dict.fromkeys(map(self.at, locations))), _PLACES)

    def occupancy(self, found: OnTarget, launch: KernelLaunch) -> Iterator[str]:
        """Each legal sub-group size with its arithmetic, or that it is unknown."""
        name = found.device.name
        yield self.style.ink(f"  on {name}", Ink.STRONG)
        size = work_group_on(found.device, launch)
        if found.occupancies and size != known(launch.work_group_size):
            yield from self.wrapped(f"with LWS {size}, the maximum of {name}: a thread limit is an upper bound", 4)
        added = added_local_memory(found.device, launch)
        if found.occupancies and added is not None:
            yield from self.line("  local memory", added.text)
        for each in found.occupancies:
            yield from self.line(f"  sub-group {each.sub_group_size}", _arithmetic(each, found.device))
            yield from self.budget(budget(found.device, launch, each))
        yield from self.device(found, "  device")
        if found.sweep is not None:
            yield from self.wrapped(found.sweep.sentence(name), 4)
            for text in sweep_table(found.device, found.sweep):
                yield from self.wrapped(text, 6) if len(text) > self.width - 6 else [f"      {printable(text)}"]
        if not found.occupancies and found.sweep is None:
            yield from self.wrapped(_no_occupancy(found, launch), 4)

    def budget(self, found: Budget) -> Iterator[str]:
        """The groups per core for each number of registers, and the unused parts of a core for those of the kernel."""
        if found.steps:
            yield from self.line("  registers", found.whole)
        if str(found.unused):
            word = found.unused.word
            yield from self.line("  unused", f"{found.unused}, with {found.registers} {word} per work-item")

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
        """The reason why the rule is silent."""
        if not opinion.enabled:
            return "silent: not enabled" if opinion.rule.enabled else "silent: off by default; --select turns it on"
        if opinion.muted:
            return "silent: muted in test trees"
        if opinion.need is not None:
            return self.need(opinion.need)
        tried = ", for any value tried for the unknown numbers" if opinion.tried else ""
        return f"silent: {opinion.reason or f'the condition is not met{tried}'}"

    def need(self, need: Need) -> str:
        """``undecided: n is a parameter of relax (a.cpp:2); for n=640: work-group 640 exceeds max 512``."""
        reasons = dict.fromkeys(reason_text(each.reason, each.location, self.sources) for each, _ in need.numbers)
        if need.barrier:
            reasons["not all of the kernel is visible"] = None
        examples = [f"{each.text or 'that number'} = {number}" for each, number in need.numbers]
        if need.barrier:
            examples.append("a barrier and a loop in the kernel")
        return f"undecided: {'; '.join(reasons)}. With {', '.join(examples)} it reports: {need.message}"

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


def _folded(silences: Sequence[tuple[AnyRule, str]]) -> Iterator[str]:
    """``12 rules are silent: off by default``, the most frequent reason first; then the families.

    ``silences``: each rule with its reason. What follows a colon in a reason are the numbers of one rule.
    """
    by_reason = grouped((reason.partition(":")[0], rule) for rule, reason in silences)
    shared = {reason: rules for reason, rules in by_reason.items() if len(rules) > 1}
    for reason, rules in sorted(shared.items(), key=lambda each: -len(each[1])):
        yield f"{plural(len(rules), 'rule')} are silent: {reason}"
    families: dict[str, list[AnyRule]] = {}
    for rules in by_reason.values():
        if len(rules) == 1:
            families.setdefault(rules[0].family, []).extend(rules)
    for family, rules in families.items():
        codes = ", ".join(sorted(rule.code for rule in rules))
        are = "is" if len(rules) == 1 else "are"
        yield f"{plural(len(rules), 'rule')} on {family} {are} silent: {codes}"


def _is_region(launch: KernelLaunch) -> bool:
    """Whether it is OpenMP's, whose users call the sizes LWS and GWS."""
    return launch.kind is LaunchKind.OMP_TARGET


def _arithmetic(each: Occupancy, device: Device) -> str:
    """``57.1% of 112 threads: 1 group of 64 threads; threads allow 1 group, barriers 32``."""
    if each.groups_per_core == 0:
        return f"cannot run: {each.why}"
    limits = ", ".join(f"{limiter.value} {groups}" for limiter, groups in each.limits)
    mode = of_mode(device, each)
    contexts = f"{each.threads_per_core} contexts" + (f" ({mode})" if mode else "")
    return (
        f"{share_text(each)}: {plural(each.groups_per_core, 'group')} of {plural(each.threads_per_group, 'thread')} "
        f"for {contexts}; groups that each resource allows: {limits}"
    )


def _no_occupancy(found: OnTarget, launch: KernelLaunch) -> str:
    if found.device.threads_per_core is None:
        return f"occupancy unknown: the threads per core of {found.device.name} are not public"
    if launch.dims == 0:
        return "occupancy: not computed for a single task"
    if launch.work_group_size is None:
        return "occupancy unknown: the runtime chooses the work-group size"
    unknown = [name for name, _ in missing_numbers(launch)]
    if unknown:
        return f"occupancy unknown: it depends on {' and '.join(unknown)}"
    if launch.barrier is None:
        return "occupancy unknown: it depends on whether the kernel has a barrier"
    return f"it does not fit {found.device.name}"
