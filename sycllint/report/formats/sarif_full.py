"""SARIF 2.1.0 with everything that was found: also what a comment silences, and what a baseline has.

For archives and viewers. GitHub takes suppressed results for open alerts: that is what the format ``sarif`` is for.
"""

from collections.abc import Iterator

from sycllint.pipeline import Hidden, Hiding, Result
from sycllint.report.formats.sarif import SarifResult, View, log
from sycllint.report.json import Json
from sycllint.report.place import Sources


def render(result: Result, sources: Sources) -> str:
    """One log with one run, each place with its text."""
    entries = sorted(_entries(result), key=lambda each: (each.diagnostic.location, each.diagnostic.code))
    return log(result, entries, View(sources, snippets=True))


def _entries(result: Result) -> Iterator[SarifResult]:
    # A result has a state when all have one (SARIF 2.1.0, 3.27.24).
    compared = bool(result.mended) or any(each.why is Hiding.BASELINE for each in result.hidden)
    new: dict[str, Json] = {"baselineState": "new"} if compared else {}
    for each in result.diagnostics:
        yield SarifResult(each, new)
    for hidden in result.hidden:
        if hidden.why is Hiding.BASELINE:
            yield SarifResult(hidden.diagnostic, {"baselineState": "unchanged"})
        else:
            yield SarifResult(hidden.diagnostic, {**new, "suppressions": [_suppression(hidden)]})


def _suppression(hidden: Hidden) -> Json:
    """Why a finding is not reported: the reason of a suppression, or that its line did not change."""
    if hidden.why is Hiding.UNCHANGED:
        return {"kind": "external", "status": "accepted", "justification": "Not on a changed line."}
    suppression: dict[str, Json] = {"kind": "inSource", "status": "accepted"}
    return {**suppression, "justification": hidden.reason} if hidden.reason else suppression
