"""A page of Markdown for the summary of a CI job: counts by rule, and the most severe findings.

GitHub shows it when it is appended to the file that ``GITHUB_STEP_SUMMARY`` names, one MiB of it (GitHub docs,
"Workflow commands", "Step isolation and limits").
"""

from collections.abc import Iterator, Sequence

from sycllint.diagnostic import Diagnostic
from sycllint.pipeline import Result
from sycllint.report.place import Sources, place_of
from sycllint.report.terminal.display import printable
from sycllint.report.terminal.folding import tallied
from sycllint.report.terminal.statistics import counts
from sycllint.report.terminal.summary import plural, summary

SHOWN = 50
"""Findings in the table; the page is to be read, the other outputs have all of them."""


def render(result: Result, sources: Sources) -> str:
    """The summary, a table of rules, a table of findings."""
    lines = ["## sycllint", "", _text(f"{summary(result)}."), ""]
    if result.diagnostics:
        lines += [*_rules(result.diagnostics), "", *_findings(list(tallied(result.diagnostics)), sources), ""]
    return "\n".join(lines)


def _rules(diagnostics: Sequence[Diagnostic]) -> Iterator[str]:
    yield from ("| findings | files | rule | severity |", "|---:|---:|---|---|")
    for each in counts(diagnostics):
        yield f"| {each.findings} | {each.files} | {each.code} {each.name} | {each.severity.label} |"


def _findings(diagnostics: Sequence[Diagnostic], sources: Sources) -> Iterator[str]:
    yield from ("| place | rule | finding |", "|---|---|---|")
    for each in sorted(diagnostics, key=lambda each: -each.severity)[:SHOWN]:
        place = place_of(each.location, sources)
        where = _text(f"{place.path}:{place.line}")
        yield f"| {where} | {each.severity.label} {each.code} | {_text(each.message)} |"
    if len(diagnostics) > SHOWN:
        yield ""
        yield f"… and {plural(len(diagnostics) - SHOWN, 'finding')} more, none more severe."


def _text(text: str) -> str:
    """``text`` in a table's cell, with nothing in it taken for markup."""
    return "".join(f"\\{each}" if each in "\\`*_[]<>|#~$&" else each for each in printable(text))
