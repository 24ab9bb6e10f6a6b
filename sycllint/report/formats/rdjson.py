"""Reviewdog's diagnostic format: comments in a review, and safe fixes as suggestions to accept there.

Source: reviewdog, ``proto/rdf/reviewdog.proto`` and its JSON schema. Columns count bytes from 1, the end is exclusive.
"""

from collections.abc import Iterator

from sycllint.diagnostic import Diagnostic, Severity
from sycllint.pipeline import Result
from sycllint.report.address import homepage, rule_page
from sycllint.report.json import Json, written
from sycllint.report.place import Sources
from sycllint.source.edit import Applicability, Fix, edits_of
from sycllint.source.span import Location, Span
from sycllint.source.text import SourceFile

_SEVERITY = {Severity.ERROR: "ERROR", Severity.WARNING: "WARNING", Severity.NOTE: "INFO"}


def render(result: Result, sources: Sources) -> str:
    """One object with all findings."""
    source = {"name": "sycllint", **_url(homepage())}
    return written({"source": source, "diagnostics": [_finding(each, sources) for each in result.diagnostics]})


def _finding(diagnostic: Diagnostic, sources: Sources) -> Json:
    message = "\n".join(filter(None, (diagnostic.message, diagnostic.help)))
    finding: dict[str, Json] = {
        "message": message,
        "severity": _SEVERITY[diagnostic.severity],
        "code": {"value": diagnostic.code, **_url(rule_page(diagnostic.code, diagnostic.name))},
        "location": _location(diagnostic.location, sources),
    }
    if diagnostic.related:
        finding["related_locations"] = [
            {"message": each.message, "location": _location(each.location, sources)} for each in diagnostic.related
        ]
    if diagnostic.fix is not None and (suggestions := list(_suggestions(diagnostic, diagnostic.fix, sources))):
        finding["suggestions"] = suggestions
    return finding


def _url(address: str | None) -> dict[str, Json]:
    return {"url": address} if address else {}


def _suggestions(diagnostic: Diagnostic, fix: Fix, sources: Sources) -> Iterator[Json]:
    """A safe fix of the finding's own file as one suggestion: its edits are made together or not at all."""
    path = diagnostic.location.path
    edits = edits_of([fix], path)
    if fix.applicability is not Applicability.SAFE or len(edits) != len(fix.edits):
        return
    source = sources(path)
    edits.sort(key=lambda edit: edit.location.span)
    pieces: list[str] = []
    at = edits[0].location.span.start
    for edit in edits:
        pieces += [source.content[at : edit.location.span.start].decode("utf-8", errors="replace"), edit.text]
        at = edit.location.span.end
    yield {"range": _range(source, Span(edits[0].location.span.start, at)), "text": "".join(pieces)}


def _location(location: Location, sources: Sources) -> Json:
    return {"path": location.path, "range": _range(sources(location.path), location.span)}


def _range(source: SourceFile, span: Span) -> Json:
    return {"start": _position(source, span.start), "end": _position(source, max(span.start, span.end))}


def _position(source: SourceFile, offset: int) -> Json:
    line, column = source.byte_position(offset)
    return {"line": line, "column": column}
