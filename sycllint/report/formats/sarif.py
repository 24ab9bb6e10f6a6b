"""SARIF 2.1.0, in the form that GitHub code scanning and editors read.

One run, all rules that ran, relative URIs, columns in UTF-16 code units. What GitHub misreads is left out: suppressed
results (they become open alerts), byte offsets (an editor then ignores the lines). For archives and viewers there is
another form with everything that was found: also what a comment silences, and what a baseline has.
"""

from collections.abc import Iterator, Mapping, Sequence

from sycllint.diagnostic import Diagnostic, Severity
from sycllint.heads import AnyRule
from sycllint.pipeline import Hidden, Hiding, Result
from sycllint.record import NamedTuple
from sycllint.report.address import homepage, rule_page
from sycllint.report.formats.fingerprint import fingerprints, line_hashes
from sycllint.report.json import Json, written
from sycllint.report.place import Sources
from sycllint.report.rule_pages.page import description, markdown
from sycllint.report.terminal.summary import plural, sentence
from sycllint.report.uri import directory_uri, is_absolute, reference
from sycllint.source.edit import Fix, edits_of
from sycllint.source.span import Location, Span
from sycllint.version import __version__

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

MAX_RESULTS = 5_000
"""Results of one run that GitHub keeps (GitHub docs, "SARIF support for code scanning", limits)."""

_MAX_DESCRIPTION = 1_024  # characters, same document
_ROOT = "%SRCROOT%"
_PRECISION = {Severity.ERROR: "very-high", Severity.WARNING: "high", Severity.NOTE: "medium"}
_PROBLEM = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "recommendation"}


class _SarifResult(NamedTuple):
    """A finding in the log."""

    diagnostic: Diagnostic
    beside: Mapping[str, Json]
    """Further properties of its result object."""


class _View(NamedTuple):
    """The form of places."""

    sources: Sources
    snippets: bool = False
    """Each place with the text that stands there."""


def render(result: Result, sources: Sources) -> str:
    """One SARIF log with one run."""
    kept = most_severe(result.diagnostics, MAX_RESULTS)
    return _log(result, [_SarifResult(each, {}) for each in kept], _View(sources))


def render_everything(result: Result, sources: Sources) -> str:
    """One SARIF log with one run, also with what is hidden, each place with its text."""
    entries = sorted(_entries(result), key=lambda each: (each.diagnostic.location, each.diagnostic.code))
    return _log(result, entries, _View(sources, snippets=True))


def _entries(result: Result) -> Iterator[_SarifResult]:
    # A result has a state when all have one (SARIF 2.1.0, 3.27.24).
    compared = bool(result.absent) or any(each.why is Hiding.BASELINE for each in result.hidden)
    new: dict[str, Json] = {"baselineState": "new"} if compared else {}
    for each in result.diagnostics:
        yield _SarifResult(each, new)
    for hidden in result.hidden:
        if hidden.why is Hiding.BASELINE:
            yield _SarifResult(hidden.diagnostic, {"baselineState": "unchanged"})
        else:
            yield _SarifResult(hidden.diagnostic, {**new, "suppressions": [_suppression(hidden)]})


def _suppression(hidden: Hidden) -> Json:
    """Why a finding is not reported: the reason of a suppression, or that its line did not change."""
    if hidden.why is Hiding.UNCHANGED:
        return {"kind": "external", "status": "accepted", "justification": "Not on a changed line."}
    suppression: dict[str, Json] = {"kind": "inSource", "status": "accepted"}
    return {**suppression, "justification": hidden.reason} if hidden.reason else suppression


def _log(result: Result, entries: Sequence[_SarifResult], view: _View) -> str:
    """One SARIF log with one run that holds ``entries``; findings of ``result`` that are not there are counted."""
    return written({"$schema": SCHEMA, "version": "2.1.0", "runs": [_run(result, entries, view)]})


def most_severe(diagnostics: Sequence[Diagnostic], limit: int) -> Sequence[Diagnostic]:
    """The ``limit`` most severe, the earlier one first among equals, in their old order."""
    if len(diagnostics) <= limit:
        return diagnostics
    by_severity = sorted(range(len(diagnostics)), key=lambda index: (-diagnostics[index].severity, index))
    return [diagnostics[index] for index in sorted(by_severity[:limit])]


def _run(result: Result, entries: Sequence[_SarifResult], view: _View) -> Json:
    dropped = max(len(result.diagnostics) - len(entries), 0)
    return {
        "tool": {"driver": _driver(result)},
        "automationDetails": {"id": _category(result)},
        "columnKind": "utf16CodeUnits",
        "originalUriBaseIds": {_ROOT: {"uri": directory_uri()}},
        "invocations": [
            {
                "executionSuccessful": result.complete,
                "workingDirectory": {"uri": directory_uri()},
                "toolExecutionNotifications": list(_notifications(result, dropped)),
            }
        ],
        "results": _results(result, entries, view),
    }


def _category(result: Result) -> str:
    """What GitHub keeps apart: a log replaces the earlier one of its category, and each shard has its own."""
    if result.shard is None:
        return "sycllint/"
    return f"sycllint/shard-{result.shard.number}-of-{result.shard.count}/"


def _driver(result: Result) -> Json:
    driver: dict[str, Json] = {
        "name": "sycllint",
        "version": __version__,
        "semanticVersion": __version__,
    }
    if address := homepage():
        driver["informationUri"] = address
    pages = {rule.code: page for rule in result.rules() if (page := rule_page(rule.code, rule.name))}
    return {**driver, "rules": [_rule(rule, pages) for rule in result.rules()]}


def _rule(rule: AnyRule, pages: Mapping[str, str]) -> Json:
    """One rule; ``pages`` are the addresses of the rules that have one."""
    others = {code: page for code, page in pages.items() if code != rule.code}
    return {
        "id": rule.code,
        "name": "".join(word.capitalize() for word in rule.name.split("-")),
        "shortDescription": {"text": rule.summary[:_MAX_DESCRIPTION]},
        "fullDescription": {"text": description(rule.page)[:_MAX_DESCRIPTION]},
        **({"helpUri": pages[rule.code]} if rule.code in pages else {}),
        "help": {"text": rule.page, "markdown": markdown(rule.page, others)},
        "defaultConfiguration": {"level": rule.severity.label},
        "properties": {
            "tags": list(dict.fromkeys(["sycl", rule.family or "sycl"])),
            "precision": _PRECISION[rule.severity],
            "problem.severity": _PROBLEM[rule.severity],
        },
    }


def _notifications(result: Result, dropped: int) -> Iterator[Json]:
    level = "warning" if result.complete else "error"
    for notice in dict.fromkeys(result.notices):
        notification: dict[str, Json] = {"level": level, "message": {"text": notice}}
        about = next((path for path in result.not_parsed if notice.startswith(f"{path}: ")), None)
        if about is not None:
            artifact = _artifact(Location(about, Span(0, 0)))
            notification["locations"] = [{"physicalLocation": {"artifactLocation": artifact}}]
        yield notification
    if dropped:
        text = f"{plural(dropped, 'finding')} left out, the least severe: this log holds {MAX_RESULTS} at most."
        yield {"level": "warning", "message": {"text": text}}


def _results(result: Result, entries: Sequence[_SarifResult], view: _View) -> Json:
    index_of = {rule.code: index for index, rule in enumerate(result.rules())}
    hashes: dict[str, Sequence[str]] = {}
    # Occurrences are counted over all findings, first those that are reported, so that a finding keeps its fingerprint
    # when others are left out.
    found = {id(each): each for each in (*result.diagnostics, *(each.diagnostic for each in entries))}
    prints = dict(zip(found, fingerprints(list(found.values()), view.sources), strict=True))
    results: list[Json] = []
    for diagnostic, beside in entries:
        source = view.sources(diagnostic.location.path)
        if source.path not in hashes:
            hashes[source.path] = line_hashes(source.content)
        line = source.position(diagnostic.location.span.start).line
        partial = {"primaryLocationLineHash": hashes[source.path][line - 1], "sycllint/v1": prints[id(diagnostic)]}
        results.append({**_finding(diagnostic, index_of, partial, view), **beside})
    return results


def _finding(
    diagnostic: Diagnostic, index_of: Mapping[str, int], partial: Mapping[str, str], view: _View
) -> dict[str, Json]:
    finding: dict[str, Json] = {"ruleId": diagnostic.code}
    if diagnostic.code in index_of:
        finding["ruleIndex"] = index_of[diagnostic.code]
    finding |= {
        "level": diagnostic.severity.label,
        "message": {"text": _message(diagnostic)},
        "locations": [{"physicalLocation": _physical(diagnostic.location, view)}],
        "partialFingerprints": partial,
        "properties": {"evidence": diagnostic.evidence.value, "targets": diagnostic.targets},
    }
    if diagnostic.related:
        finding["relatedLocations"] = [
            {
                "id": number,
                "message": {"text": related.message},
                "physicalLocation": _physical(related.location, view),
            }
            for number, related in enumerate(diagnostic.related, start=1)
        ]
    if diagnostic.fix is not None:
        finding["fixes"] = [_fix(diagnostic.fix, view.sources)]
    return finding


def _fix(fix: Fix, sources: Sources) -> Json:
    paths = dict.fromkeys(edit.location.path for edit in fix.edits)
    return {
        "description": {"text": fix.description},
        "artifactChanges": [
            {
                "artifactLocation": _artifact(edits_of([fix], path)[0].location),
                "replacements": [
                    {"deletedRegion": _region(edit.location, sources), "insertedContent": {"text": edit.text}}
                    for edit in edits_of([fix], path)
                ],
            }
            for path in paths
        ],
        "properties": {"applicability": fix.applicability.value},
    }


def _message(diagnostic: Diagnostic) -> str:
    """The finding, the way out, and links to the related places, which GitHub shows only where they are linked."""
    sentences = [sentence(_unlinked(diagnostic.message))]
    if diagnostic.help:
        sentences.append(sentence(_unlinked(diagnostic.help)))
    links = [f"[{_link_text(each.message)}]({number})" for number, each in enumerate(diagnostic.related, start=1)]
    if links:
        sentences.append(sentence(", ".join(links)))
    return " ".join(sentences)


def _unlinked(text: str) -> str:
    """Text that happens to look like an embedded link, with the bracket escaped (SARIF 2.1.0, 3.11.6)."""
    return text.replace("](", "\\](")


def _link_text(text: str) -> str:
    return text.replace("\\", "\\\\").replace("[", "\\[").replace("]", "\\]")


def _physical(location: Location, view: _View) -> Json:
    region = _region(location, view.sources)
    if view.snippets:
        content = view.sources(location.path).content[slice(*location.span)]
        region["snippet"] = {"text": content.decode("utf-8", errors="replace")}
    return {"artifactLocation": _artifact(location), "region": region}


def _artifact(location: Location) -> Json:
    artifact: dict[str, Json] = {"uri": reference(location)}
    if not is_absolute(location.path):
        artifact["uriBaseId"] = _ROOT
    return artifact


def _region(location: Location, sources: Sources) -> dict[str, Json]:
    source = sources(location.path)
    start, end = location.span.start, max(location.span)
    return {
        "startLine": source.position(start).line,
        "startColumn": source.utf16_column(start),
        "endLine": source.position(end).line,
        "endColumn": source.utf16_column(end),
    }
