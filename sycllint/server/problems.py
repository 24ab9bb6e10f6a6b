"""Diagnostics as an editor shows them: ranges, sentences, and what else belongs to them."""

import os

from sycllint.diagnostic import Diagnostic, Severity
from sycllint.record import record
from sycllint.report.address import rule_page
from sycllint.server.place import LspLocation, LspPosition, LspRange, PositionEncoding, range_of
from sycllint.server.session import Snapshot
from sycllint.source.span import Location


@record
class Problem:
    """One finding, or one mistake in the configuration."""

    range: LspRange
    severity: Severity
    code: str
    """The rule's; empty for a mistake in the configuration."""
    message: str
    related: tuple[tuple[str, LspLocation], ...] = ()
    """Messages and the places that they refer to."""
    unnecessary: bool = False
    """The code can go: a suppression that silences nothing."""
    deprecated: bool = False
    """The code uses a deprecated name."""
    page: str | None = None
    """The address of the rule's page, where one is configured."""


UNNECESSARY = frozenset({"unused-suppression"})
DEPRECATED = frozenset({"deprecated-sycl-121-api"})
"""Names of rules whose findings editors draw faded or struck through."""


def problems(snapshot: Snapshot, units: PositionEncoding) -> dict[str, tuple[Problem, ...]]:
    """The problems to show, by absolute path; an empty entry for each open document without findings."""
    shown: dict[str, tuple[Problem, ...]] = {each.path: () for each in snapshot.documents}
    for path, found in snapshot.diagnostics.items():
        shown[os.path.abspath(path)] = tuple(problem(each, snapshot, units) for each in found)
    fault = snapshot.fault
    if fault is not None and fault.path is not None:
        line = LspPosition((fault.line or 1) - 1, 0)
        end = LspPosition(line.line, 10_000)  # editors end a line where it ends
        shown[os.path.abspath(fault.path)] = (Problem(LspRange(line, end), Severity.ERROR, "", fault.message),)
    return shown


def range_in(location: Location, snapshot: Snapshot, units: PositionEncoding) -> LspRange:
    """The range of a location as it was linted."""
    return range_of(snapshot.source(location.path), location.span, units)


def problem(each: Diagnostic, snapshot: Snapshot, units: PositionEncoding) -> Problem:
    """One finding of a snapshot."""
    return Problem(
        range_in(each.location, snapshot, units),
        each.severity,
        each.code,
        f"{each.message}\n{each.help}" if each.help else each.message,
        tuple(
            (
                related.message,
                LspLocation(os.path.abspath(related.location.path), range_in(related.location, snapshot, units)),
            )
            for related in each.related
        ),
        unnecessary=each.name in UNNECESSARY,
        deprecated=each.name in DEPRECATED,
        page=rule_page(each.code, each.name),
    )
