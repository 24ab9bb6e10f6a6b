"""Diagnostics as an editor shows them: ranges, sentences, and what else belongs to them."""

import os

from lsprotocol import types

from sycllint.diagnostic import Diagnostic, Severity
from sycllint.report.address import rule_page
from sycllint.server.place import range_of
from sycllint.server.session import Snapshot
from sycllint.source.span import Location

TAGS = {
    "unused-suppression": types.DiagnosticTag.Unnecessary,
    "deprecated-sycl-121-api": types.DiagnosticTag.Deprecated,
}
"""Names of rules whose findings editors draw faded or struck through."""

_SEVERITY = {
    Severity.ERROR: types.DiagnosticSeverity.Error,
    Severity.WARNING: types.DiagnosticSeverity.Warning,
    Severity.NOTE: types.DiagnosticSeverity.Information,
}


def problems(snapshot: Snapshot, units: types.PositionEncodingKind) -> dict[str, list[types.Diagnostic]]:
    """The problems to show, by absolute path; an empty entry for each open document without findings."""
    shown: dict[str, list[types.Diagnostic]] = {each.path: [] for each in snapshot.documents}
    for path, found in snapshot.diagnostics.items():
        shown[os.path.abspath(path)] = [problem(each, snapshot, units) for each in found]
    fault = snapshot.fault
    if fault is not None and fault.path is not None:
        line = (fault.line or 1) - 1
        place = types.Range(types.Position(line, 0), types.Position(line, 10_000))  # editors end a line where it ends
        mistake = types.Diagnostic(place, fault.message, severity=types.DiagnosticSeverity.Error, source="sycllint")
        shown[os.path.abspath(fault.path)] = [mistake]
    return shown


def range_in(location: Location, snapshot: Snapshot, units: types.PositionEncodingKind) -> types.Range:
    """The range of a location as it was linted."""
    return range_of(snapshot.source(location.path), location.span, units)


def problem(each: Diagnostic, snapshot: Snapshot, units: types.PositionEncodingKind) -> types.Diagnostic:
    """One finding of a snapshot."""
    page = rule_page(each.code, each.name)
    related = [
        types.DiagnosticRelatedInformation(
            types.Location(
                snapshot.documents.uri_of(os.path.abspath(other.location.path)),
                range_in(other.location, snapshot, units),
            ),
            other.message,
        )
        for other in each.related
    ]
    return types.Diagnostic(
        range_in(each.location, snapshot, units),
        f"{each.message}\n{each.help}" if each.help else each.message,
        severity=_SEVERITY[each.severity],
        code=each.code,
        code_description=None if page is None else types.CodeDescription(page),
        source="sycllint",
        tags=[TAGS[each.name]] if each.name in TAGS else None,
        related_information=related or None,
    )
