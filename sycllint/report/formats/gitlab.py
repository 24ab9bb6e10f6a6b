"""GitLab's Code Quality report: what the widget of a merge request and the marks in its diff are made from.

Source: GitLab docs, "Code Quality", section "Code Quality report format". GitLab shows one finding for each
fingerprint, so that it has to be unique in the report, and takes a finding with a new one for a new finding, so that
it must not hold a line number.
"""

import hashlib

from sycllint.diagnostic import Diagnostic, Severity
from sycllint.pipeline import Result
from sycllint.report.formats.fingerprint import fingerprints
from sycllint.report.json import Json, written
from sycllint.report.place import Sources, place_of
from sycllint.report.terminal.summary import sentence

_SEVERITY = {Severity.ERROR: "critical", Severity.WARNING: "major", Severity.NOTE: "info"}


def render(result: Result, sources: Sources) -> str:
    """One array with an object for each finding."""
    prints = fingerprints(result.diagnostics, sources)
    return written([_finding(*each, sources) for each in zip(result.diagnostics, prints, strict=True)])


def _finding(diagnostic: Diagnostic, fingerprint: str, sources: Sources) -> Json:
    place = place_of(diagnostic.location, sources)
    return {
        "description": " ".join(filter(None, (sentence(diagnostic.message), diagnostic.help))),
        "check_name": diagnostic.code,
        # With the path it is unique in the report.
        "fingerprint": hashlib.sha256(f"{place.path}\0{fingerprint}".encode(errors="surrogatepass")).hexdigest(),
        "severity": _SEVERITY[diagnostic.severity],
        "location": {"path": place.path, "lines": {"begin": place.line, "end": place.end_line}},
    }
