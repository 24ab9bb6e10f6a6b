"""JUnit's XML report: each finding a test case that failed, each file without findings one that passed.

Source: the schema that Jenkins' xUnit plugin has for it, ``junit-10.xsd``. Notes fail nothing: theirs are test cases
that passed, with the note as output.
"""

from itertools import groupby

from sycllint.diagnostic import Diagnostic, Severity
from sycllint.pipeline import Result
from sycllint.report.formats.xml import Element, SubElement, shown, written
from sycllint.report.place import Sources, place_of


def render(result: Result, sources: Sources) -> str:
    """One test suite for each file; what could not be linted is a suite of its own with an error."""
    root = Element("testsuites", name="sycllint")
    by_path = {path: list(group) for path, group in groupby(result.diagnostics, key=lambda each: each.location.path)}
    for path in sorted(by_path.keys() | result.linted):
        _suite(root, path, by_path.get(path, []), sources)
    if not result.complete:
        _incomplete(root, result)
    for name in ("tests", "failures", "errors"):
        root.set(name, str(sum(int(suite.get(name, "0")) for suite in root)))
    return written(root)


def _suite(root: Element, path: str, found: list[Diagnostic], sources: Sources) -> None:
    failures = sum(each.severity > Severity.NOTE for each in found)
    suite = _counted(root, shown(path), tests=len(found) or 1, failures=failures, errors=0)
    if not found:
        SubElement(suite, "testcase", name="sycllint", classname=shown(path), time="0")
    for each in found:
        _case(suite, each, sources)


def _case(suite: Element, diagnostic: Diagnostic, sources: Sources) -> None:
    place = place_of(diagnostic.location, sources)
    name = f"{diagnostic.code} {diagnostic.name} {place.line}:{place.column}"
    path = shown(place.path)
    case = SubElement(suite, "testcase", name=name, classname=path, file=path, line=str(place.line), time="0")
    message = shown(diagnostic.message)
    lines = [f"{path}:{place.line}:{place.column}: {diagnostic.severity.label}[{diagnostic.code}] {message}"]
    lines += [shown(diagnostic.help)] if diagnostic.help else []
    if diagnostic.severity > Severity.NOTE:
        failure = SubElement(case, "failure", message=message, type=diagnostic.severity.label)
        failure.text = "\n".join(lines)
    else:
        SubElement(case, "system-out").text = "\n".join(lines)


def _incomplete(root: Element, result: Result) -> None:
    suite = _counted(root, "sycllint", tests=1, failures=0, errors=1)
    case = SubElement(suite, "testcase", name="everything was linted", classname="sycllint", time="0")
    error = SubElement(case, "error", message="incomplete: not everything could be linted", type="incomplete")
    error.text = "\n".join(map(shown, result.notices))


def _counted(root: Element, name: str, *, tests: int, failures: int, errors: int) -> Element:
    counts = {"tests": tests, "failures": failures, "errors": errors, "skipped": 0}
    return SubElement(root, "testsuite", {"name": name, **{word: str(count) for word, count in counts.items()}})
