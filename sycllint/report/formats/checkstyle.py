"""Checkstyle's XML report, which many CI servers and editors read.

Source: checkstyle, ``checkstyle-report-1.0.0.xsd`` and its page "Result reports".
"""

from itertools import groupby

from sycllint.diagnostic import Severity
from sycllint.pipeline import Result
from sycllint.report.formats.xml import Element, SubElement, shown, written
from sycllint.report.place import Sources, place_of

VERSION = "4.3"
"""The version of the format that other linters name, too."""

_SEVERITY = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "info"}


def render(result: Result, sources: Sources) -> str:
    """One ``file`` for each file with findings, with an ``error`` for each of them."""
    root = Element("checkstyle", version=VERSION)
    for path, group in groupby(result.diagnostics, key=lambda each: each.location.path):
        file = SubElement(root, "file", name=shown(path))
        for each in group:
            place = place_of(each.location, sources)
            SubElement(
                file,
                "error",
                line=str(place.line),
                column=str(place.column),
                severity=_SEVERITY[each.severity],
                message=shown(each.message),
                source=f"sycllint.{each.code}",
            )
    return written(root)
