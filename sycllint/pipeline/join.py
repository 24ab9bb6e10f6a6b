"""Findings to diagnostics: what one rule says of one launch on several targets becomes one sentence."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from sycllint.diagnostic import Diagnostic, Evidence, Related, Severity
from sycllint.grouping import grouped
from sycllint.launch.kernel import KernelLaunch
from sycllint.record import record, replace
from sycllint.rule import Fact, Finding, Rule
from sycllint.source.edit import Fix
from sycllint.source.span import Location

_STRONGEST = {
    Evidence.PROVED: Severity.ERROR,
    Evidence.DERIVED: Severity.WARNING,
    Evidence.HEURISTIC: Severity.NOTE,
}

_REPLACED = "\N{REPLACEMENT CHARACTER}"

_LAUNCHED = "the kernel is launched here"

VERDICTS_SPELT_OUT = 3
"""How many devices a sentence gives numbers for; the others are named without theirs, to keep it readable."""


@record
class TargetFinding:
    """A finding and the target it was found on."""

    target: str
    finding: "Finding"


def severity(rule: "Rule[Fact]", finding: "Finding") -> Severity:
    """The rule's severity, or the finding's own where that is less, and no more than its evidence carries."""
    said = rule.severity if finding.severity is None else min(finding.severity, rule.severity)
    return min(said, _STRONGEST[finding.evidence])


def weakened(finding: "Finding") -> "Finding":
    """The finding as it stands when its target was not named: derived, where it would have been proved."""
    return replace(finding, evidence=Evidence.DERIVED) if finding.evidence is Evidence.PROVED else finding


def as_note(finding: "Finding") -> "Finding":
    """The finding as it stands when it holds on some of the devices that were not named: a note."""
    return replace(weakened(finding), severity=Severity.NOTE)


def join(rule: "Rule[Fact]", verdicts: Sequence[TargetFinding]) -> list[Diagnostic]:
    """One diagnostic per place and subject; ``verdicts`` come in the order of the targets.

    An error names only targets on which it is one: what is less on others is reported separately.
    """
    groups: dict[object, list[TargetFinding]] = {}
    seen: dict[object, int] = {}
    for verdict in verdicts:
        finding = verdict.finding
        # What does not depend on the device reads the same everywhere; where it does, verdicts may differ by target.
        is_error = severity(rule, finding) is Severity.ERROR
        same = (finding.location, finding.subject, finding.device_specific or finding.verdict, is_error)
        # Two findings of one target about one subject are two diagnostics.
        count = seen[verdict.target, same] = seen.get((verdict.target, same), 0) + 1
        groups.setdefault((same, count), []).append(verdict)
    return [_joined(rule, group) for group in groups.values()]


def distinct(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Each code, place and message once, at its greatest severity, sorted by place and code.

    A launch that is reached in many ways may be wasteful in each. Errors are reported one by one, but for the example
    in brackets behind the sentence; of the others at one place the first of the most severe stands for all.
    """
    found: dict[object, Diagnostic] = {}
    for each in diagnostics:
        key = (each.code, each.location, each.message)
        if key not in found or found[key].severity < each.severity:
            found[key] = each
    errors = {_sentence(each) for each in found.values() if each.severity is Severity.ERROR}
    places: dict[object, list[Diagnostic]] = {}
    for each in found.values():
        sentence = _sentence(each)
        places.setdefault(sentence if sentence in errors else sentence[:2], []).append(each)
    joined = [_once_for_all_paths(group) for group in places.values()]
    return sorted(joined, key=lambda each: (each.location, each.code, each.message))


def _sentence(each: Diagnostic) -> "tuple[str, Location, str]":
    """What is said and where, without an example behind it: `` (work-items 0 and 8)``."""
    said = each.message.rpartition(" (")[0] if each.message.endswith(")") else each.message
    return each.code, each.location, said


def _once_for_all_paths(group: Sequence[Diagnostic]) -> Diagnostic:
    worst = max(group, key=lambda each: each.severity)
    others = len(group) - 1
    if not others:
        return worst
    paths = "call path" if others == 1 else "call paths"
    sentence = f"The same holds for {others} other {paths} to this launch."
    return replace(worst, help=f"{worst.help} {sentence}".strip())


def of_one_launch(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """``diagnostics`` with one for all calls in a file that decide one launch and of which a rule says the same.

    The first names the others' calls as places. Errors are reported one by one.
    """
    groups: dict[object, list[Diagnostic]] = {}
    for number, each in enumerate(diagnostics):
        launches = [other.location for other in each.related if other.message == _LAUNCHED]
        key: object = number
        if launches and each.severity is not Severity.ERROR:
            key = (each.code, each.severity, each.location.path, each.message, each.help, each.targets, *launches)
        groups.setdefault(key, []).append(each)
    return [joined for group in groups.values() for joined in _of_calls(group)]


def _of_calls(group: Sequence[Diagnostic]) -> list[Diagnostic]:
    """One diagnostic for all of ``group``, unless some fixes would be lost."""
    first, *others = group
    fixes = dict.fromkeys(each.fix for each in group)
    if not others or len(fixes) > 1:
        return list(group)
    places = tuple(Related("the same holds for this call", each.location) for each in others)
    return [replace(first, related=(*first.related, *places))]


def reached(launch: "KernelLaunch", diagnostics: Sequence[Diagnostic]) -> list[Diagnostic]:
    """``diagnostics`` of a launch, each with the calls by which the launch is reached where nothing else explains it.

    In an instance of a template nothing but a place in one of these calls does: what is said of a kernel may rest on
    the arguments of the template. One that stands at the call that decides the launch leads on to the launch.
    """
    if not launch.reached:
        return list(diagnostics)
    if launch.decided:
        launched = Related(_LAUNCHED, launch.location)
        diagnostics = [
            replace(each, related=(*each.related, launched)) if each.location == launch.row else each
            for each in diagnostics
        ]
    calls = tuple(Related(f"reached by this call of {call.name}", call.location) for call in launch.reached[:2])
    return [
        each if _is_explained(each, launch) else replace(each, related=(*each.related, *calls)) for each in diagnostics
    ]


def _is_explained(diagnostic: Diagnostic, launch: "KernelLaunch") -> bool:
    """Whether the places of ``diagnostic`` say enough of how ``launch`` is reached."""
    if diagnostic.related and not launch.reached[0].of_instance:
        return True
    places = (diagnostic.location, *(each.location for each in diagnostic.related))
    return any(
        place.path == call.whole.path and call.whole.span.start <= place.span.start < call.whole.span.end
        for call in launch.reached
        for place in places
    )


def weighed(diagnostics: Iterable[Diagnostic], severities: Mapping[str, Severity]) -> Iterator[Diagnostic]:
    """``diagnostics`` with the severities that the configuration gives to their rules."""
    for each in diagnostics:
        severity = severities.get(each.code)
        yield each if severity is None else replace(each, severity=severity)


def _joined(rule: "Rule[Fact]", group: Sequence[TargetFinding]) -> Diagnostic:
    strongest = max(group, key=lambda verdict: severity(rule, verdict.finding)).finding
    related: dict[Related, None] = {}
    for verdict in group:
        related.update(dict.fromkeys(verdict.finding.related))
    return Diagnostic(
        code=rule.code,
        name=rule.name,
        severity=severity(rule, strongest),
        evidence=strongest.evidence,
        message=f"{strongest.subject} {_verdicts(group)}".strip(),
        location=strongest.location,
        targets=tuple(verdict.target for verdict in group),
        related=tuple(related),
        help=_helps(group),
        fix=_exact(strongest.fix),
        tally=strongest.tally,
    )


def _exact(fix: "Fix | None") -> "Fix | None":
    """A fix, unless it would write text that was not UTF-8 where it was read, and so is known in part only."""
    return None if fix is not None and any(_REPLACED in edit.text for edit in fix.edits) else fix


def _verdicts(group: Sequence[TargetFinding]) -> str:
    """``exceeds max 512 on tgl, dg1; 256 on gen9``; without targets for what does not depend on them."""
    if not group[0].finding.device_specific:
        return group[0].finding.verdict
    by_verdict = grouped((verdict.finding.verdict, verdict.target) for verdict in group)
    texts = zip(_shared_once(by_verdict), by_verdict.values(), strict=True)
    sentences = [f"{text} on {', '.join(targets)}".lstrip() for text, targets in texts]
    rest = [target for targets in list(by_verdict.values())[VERDICTS_SPELT_OUT:] for target in targets]
    also = [f"also on {', '.join(rest)}"] if rest else []
    return "; ".join(sentences[:VERDICTS_SPELT_OUT] + also)


def _shared_once(verdicts: Iterable[str]) -> Iterator[str]:
    """``verdicts``, each without the words before its first number where the one before starts with the same words."""
    last = ""
    for verdict in verdicts:
        opening = _opening(verdict)
        yield verdict[len(opening) :] if opening == last else verdict
        last = opening


def _opening(verdict: str) -> str:
    """The words before the first number or bracket, ``exceeds max `` of ``exceeds max 512``; empty without one.

    Empty also where that number is part of code in backticks.
    """
    start = 0
    for word in verdict.split(" "):
        if word[:1].isdigit() or word.startswith("("):
            opening = verdict[:start]
            return "" if opening.count("`") % 2 else opening
        start += len(word) + 1
    return ""


def _helps(group: Sequence[TargetFinding]) -> str:
    by_help = grouped((verdict.finding.help, verdict.target) for verdict in group if verdict.finding.help)
    if len(by_help) <= 1:
        return next(iter(by_help), "")
    helps = [f"{', '.join(targets)}: {text.rstrip('.')}" for text, targets in by_help.items()]
    return "; ".join(helps[:VERDICTS_SPELT_OUT]) + ("." if group[0].finding.help.endswith(".") else "")
