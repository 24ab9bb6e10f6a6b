"""XML reports, which CI servers and editors read, in ASCII: it survives every terminal, pipe and code page."""

from itertools import groupby
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from sycllint.diagnostic import Diagnostic, Severity
from sycllint.pipeline import Result
from sycllint.report.place import Sources, place_of
from sycllint.report.terminal.display import printable

_CHECKSTYLE = "4.3"
"""The version of the format that other linters name, too."""

_SEVERITY = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "info"}

_NO_CHARACTERS = {0xFFFE: "\N{REPLACEMENT CHARACTER}", 0xFFFF: "\N{REPLACEMENT CHARACTER}"}
"""XML 1.0, production 2 (Char), leaves these out; controls and lone surrogates are gone with ``printable``."""


def render_as_checkstyle(result: Result, sources: Sources) -> str:
    """Checkstyle's report: one ``file`` for each file with findings, with an ``error`` for each of them.

    Source: checkstyle, ``checkstyle-report-1.0.0.xsd`` and its page "Result reports".
    """
    root = Element("checkstyle", version=_CHECKSTYLE)
    for path, group in groupby(result.diagnostics, key=lambda each: each.location.path):
        file = SubElement(root, "file", name=_shown(path))
        for each in group:
            place = place_of(each.location, sources)
            SubElement(
                file,
                "error",
                line=str(place.line),
                column=str(place.column),
                severity=_SEVERITY[each.severity],
                message=_shown(each.message),
                source=f"sycllint.{each.code}",
            )
    return _written(root)


def render_as_junit(result: Result, sources: Sources) -> str:
    """JUnit's report: one test suite for each file; what could not be linted is a suite of its own with an error.

    A finding is a test case that failed, a file without findings one that passed. Notes fail nothing: theirs are test
    cases that passed, with the note as output. Source: the schema of Jenkins' xUnit plugin, ``junit-10.xsd``.
    """
    root = Element("testsuites", name="sycllint")
    by_path = {path: list(group) for path, group in groupby(result.diagnostics, key=lambda each: each.location.path)}
    for path in sorted(by_path.keys() | result.linted):
        _suite(root, path, by_path.get(path, []), sources)
    if not result.complete:
        _incomplete(root, result)
    for name in ("tests", "failures", "errors"):
        root.set(name, str(sum(int(suite.get(name, "0")) for suite in root)))
    return _written(root)


def _suite(root: Element, path: str, found: list[Diagnostic], sources: Sources) -> None:
    failures = sum(each.severity > Severity.NOTE for each in found)
    suite = _counted(root, _shown(path), tests=len(found) or 1, failures=failures, errors=0)
    if not found:
        SubElement(suite, "testcase", name="sycllint", classname=_shown(path), time="0")
    for each in found:
        _case(suite, each, sources)


def _case(suite: Element, diagnostic: Diagnostic, sources: Sources) -> None:
    place = place_of(diagnostic.location, sources)
    name = f"{diagnostic.code} {diagnostic.name} {place.line}:{place.column}"
    path = _shown(place.path)
    case = SubElement(suite, "testcase", name=name, classname=path, file=path, line=str(place.line), time="0")
    message = _shown(diagnostic.message)
    lines = [f"{path}:{place.line}:{place.column}: {diagnostic.severity.label}[{diagnostic.code}] {message}"]
    lines += [_shown(diagnostic.help)] if diagnostic.help else []
    if diagnostic.severity > Severity.NOTE:
        failure = SubElement(case, "failure", message=message, type=diagnostic.severity.label)
        failure.text = "\n".join(lines)
    else:
        SubElement(case, "system-out").text = "\n".join(lines)


def _incomplete(root: Element, result: Result) -> None:
    suite = _counted(root, "sycllint", tests=1, failures=0, errors=1)
    case = SubElement(suite, "testcase", name="everything was linted", classname="sycllint", time="0")
    error = SubElement(case, "error", message="incomplete: not everything could be linted", type="incomplete")
    error.text = "\n".join(map(_shown, result.notices))


def _counted(root: Element, name: str, *, tests: int, failures: int, errors: int) -> Element:
    counts = {"tests": tests, "failures": failures, "errors": errors, "skipped": 0}
    return SubElement(root, "testsuite", {"name": name, **{word: str(count) for word, count in counts.items()}})


def _shown(text: str) -> str:
    """``text`` as an XML document can hold it, on one line."""
    return printable(text).translate(_NO_CHARACTERS)


def _written(root: Element) -> str:
    """The document with its declaration and a final newline."""
    indent(root)
    document: bytes = tostring(root, encoding="us-ascii", xml_declaration=True)
    return document.decode("ascii") + "\n"
